"""One exchange through the proxy: from upstream to the client at once, into a recording, and to whoever follows it."""

from __future__ import annotations

import asyncio
import binascii
import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, unquote_plus

from inspector_app.core.kit import Kit
from inspector_app.core.redact import is_credential_header, redact_headers, redact_text, scheme_key
from inspector_app.core.types import Http, InputFault, Mark
from inspector_app.live.asking import model_of
from inspector_app.live.capture import Conditions, End, Head, Read, Sent, capture
from inspector_app.live.ending import Ending
from inspector_app.live.ends import RESET, UNANSWERED
from inspector_app.live.key_mask import KeyMask
from inspector_app.live.proxy_client import Client, Framing
from inspector_app.live.recorder import Recorder, create, free_names
from inspector_app.live.request import Outgoing, without
from inspector_app.live.running import Item, Stopped

LEFT = "the client closed the connection"
STOPPED = "ended here by hand"
CLOSED = "the proxy was stopped"

MOST_KEPT = 64 << 20
"""Bytes of an answer that are kept while it comes, so that it can be followed from its beginning."""
LONG_SECRET = 16
"""Characters from which the value of a field that only sounds like a secret is taken for one."""
_KEYS = ("authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key")


class Following:
    """What comes of one exchange, from its beginning, for one consumer; stands where a capture stands for a window."""

    def __init__(self, exchange: ProxyExchange) -> None:
        self._exchange = exchange
        self.items: deque[Item] = deque()

    @property
    def zero(self) -> int:
        """When the request was sent, on the clock of `perf_counter_ns`; 0 before that."""
        return self._exchange.zero

    @property
    def mark(self) -> Mark | None:
        """By what the recording is known again; None before it is closed."""
        return self._exchange.mark

    def start(self) -> None:
        """The exchange is under way already."""

    def take(self, limit: int | None = None) -> list[Item]:
        """What has come since the last call, `limit` items at most; the last of all is an `End`."""
        items = self.items
        return [items.popleft() for _ in range(len(items) if limit is None else min(limit, len(items)))]

    def leave(self) -> None:
        """Follow no more."""
        self._exchange.unfollow(self)

    def cancel(self) -> None:
        """End the exchange now: the upstream is closed, and the client sees its answer break off."""
        self._exchange.cancel(STOPPED)

    def join(self, seconds: float | None = None) -> bool:
        """Wait until the recording is closed; False when the time is over first."""
        return self._exchange.over.wait(seconds)


class ProxyExchange:
    """What others may read of it from any thread stands in its attributes."""

    def __init__(
        self, number: int, request: Outgoing, conditions: Conditions, words: str, client: Client, kit: Kit
    ) -> None:
        self.number = number
        self.at = datetime.now()
        self.request = request
        self.path: Path | None = None
        """The recording, once there is one."""
        self.zero = 0
        self.over = threading.Event()
        """Set when the recording is closed."""
        self.model = redact_text(_model(request))
        self.asked = f"{request.method} {redact_text(_path(request.url))}"
        """Method and path, fit to be shown."""
        self.words = words
        """The name of the upstream, for the recording's."""
        self._conditions, self._client, self._kit = conditions, client, kit
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[End] | None = None
        self._why = ""
        """Why it was cancelled."""
        self._framing: Framing | None = None
        """How the answer goes on to the client; None as long as there is none that can."""
        self._recorder: Recorder | None = None
        self._waiting: list[Head | Read] | None = []
        """What has come before the recording was there; None from then on."""
        self._opening: asyncio.Task[None] | None = None
        self._told = False
        self._ending = Ending(None)
        self._mask = KeyMask(request.secrets)
        self._history: list[Item] | None = []
        self._kept = 0
        self.own = Following(self)
        """For the list that it stands in."""
        self._followers = [self.own]

    # for other threads

    def follow(self) -> Following | None:
        """Follow it from the beginning, until `forget`; None where more has come than is kept."""
        if self._history is None:
            return None
        made = Following(self)
        try:
            self._loop.call_soon_threadsafe(self._add, made)
        except RuntimeError:
            made.items.extend(self._history)
        return made

    def unfollow(self, follower: Following) -> None:
        """Give nothing more to one who followed."""
        try:
            self._loop.call_soon_threadsafe(self._drop, follower)
        except RuntimeError:
            pass  # It has ended already.

    def forget(self) -> None:
        """Keep nothing for others to follow: it has ended, and its recording tells the rest, or nobody will."""
        self._history = None

    def cancel(self, why: str) -> None:
        """End it now; may be called from any thread, and again."""
        try:
            self._loop.call_soon_threadsafe(self.end_now, why)
        except RuntimeError:
            pass  # It has ended already.

    def _add(self, follower: Following) -> None:
        follower.items.extend(self._history or [End(0, "cancelled", detail="more has come than is kept")])
        self._followers.append(follower)

    def _drop(self, follower: Following) -> None:
        if follower in self._followers:
            self._followers.remove(follower)

    # in the thread of the proxy

    def end_now(self, why: str) -> None:
        """End it."""
        # Cancelled a second time, the connection would not be closed in order.
        if not self._why and self._task is not None:
            self._why = why
            self._task.cancel()

    async def run(self, folder: Path, read_clock: Callable[[], int]) -> End:
        """Pass it on until it has ended for the client too; `conclude` is to follow."""
        self._opening = self._loop.create_task(self._open(folder))
        client = self._client
        client.on_gone = lambda: self.end_now(LEFT)
        self._task = self._loop.create_task(capture(self.request, self._put, self._conditions, read_clock, client.room))
        if client.gone:
            self.end_now(LEFT)
        try:
            end = await self._task
        except asyncio.CancelledError:  # before it began
            end = End(0, "cancelled", closed_by="client")
        client.on_gone = lambda: None
        await self._end_answer(end)
        return end

    async def conclude(self, end: End) -> None:
        """Judge how it ended, close the recording, and tell whoever follows."""
        self._take_kept(self._mask.rest())
        assert self._opening is not None
        await self._opening
        secrets = self.request.secrets
        detail = self._why if end.how == "cancelled" else end.detail
        detail = None if detail is None else without(redact_text(detail), secrets)
        end = end._replace(trailers=tuple(self._masked(end.trailers)), detail=detail, masked=tuple(self._mask.places))
        # To read the end of a long answer takes a while, and so does a disk: the others do not wait for it.
        end = await self._loop.run_in_executor(None, self._close, end)
        self._tell(end.t)
        self._keep([end])
        # Who follows holds the exchange, and it holds who follows: it may stay for a while.
        self._ending = Ending(None)
        self.over.set()

    def _close(self, end: End) -> End:
        if end.how == "eof" and self._ending.is_complete(self._kit):
            end = end._replace(how="done")
        if self._recorder is not None:
            self._recorder.close(end)
        return end

    async def _open(self, folder: Path) -> None:
        """Make the recording, beside the exchange, which does not wait for the disk."""
        why = ""
        try:
            self._recorder = await self._loop.run_in_executor(None, self._recorder_in, folder)
        except OSError as error:
            why = f"no recording can be made in {folder}: {error.strerror or error}"
        except InputFault as fault:
            why = f"no recording can be made: {fault}"
        waiting, self._waiting = self._waiting or [], None
        if why:
            self._keep([Stopped(0, why)])
            self._told = True
        for item in waiting:
            self._record([item])

    @property
    def mark(self) -> Mark | None:
        """By what the recording is known again; None before it is closed."""
        return None if self._recorder is None else self._recorder.mark

    def _recorder_in(self, folder: Path) -> Recorder:
        path, file = create(free_names(folder, self.words, self.model or _last_part(self.request.url), now=self.at))
        recorder = Recorder(file, self.request.record(), source="proxy")
        self.path = path
        return recorder

    def _put(self, item: Sent | Head | list[Read]) -> None:
        if isinstance(item, list):
            if self._framing is not None:
                self._client.write(self._framing.pieces([read.data for read in item]))
            self._take_kept(self._mask.feed(item))
        elif isinstance(item, Head):
            http = item.http
            if item.whole:
                self._framing = self._client.answer(http.status, item.reason, http.headers)
            kept = Head(item.t, Http(http.status, self._masked(http.headers), http.version))
            self._ending = Ending(kept.http)
            self._record([kept])
            self._keep([kept])
        else:
            self.zero = item.at
            self._keep([item])

    def _take_kept(self, reads: list[Read]) -> None:
        """Reads as they may be kept: without the secrets of the request."""
        if not reads:
            return
        for read in reads:
            self._ending.feed(read.data)
        self._record(reads)
        self._keep(reads)

    def _record(self, items: Sequence[Head | Read]) -> None:
        if self._waiting is not None:
            self._waiting += items
        elif self._recorder is not None:
            if isinstance(first := items[0], Head):
                self._recorder.head(first.t, first.http)
            else:
                self._recorder.reads([item for item in items if isinstance(item, Read)])
            self._tell(items[-1].t)

    def _tell(self, t: int) -> None:
        if self._recorder is not None and self._recorder.stopped is not None and not self._told:
            self._told = True
            self._keep([Stopped(t, self._recorder.stopped)])

    def _keep(self, items: Sequence[Item]) -> None:
        for follower in self._followers:
            follower.items.extend(items)
        if self._history is not None:
            self._kept += sum(len(item.data) for item in items if isinstance(item, Read))
            self._history += items
            if self._kept > MOST_KEPT:
                self._history = None

    def _masked(self, fields: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(name, without(value, self.request.secrets)) for name, value in redact_headers(fields)[0]]

    async def _end_answer(self, end: End) -> None:
        """The client sees the kind of end that was seen here; an answer that cannot be read it is told of in words."""
        client, framing = self._client, self._framing
        broke = end.terminator is False or end.how in ("truncated", "reset", "timeout", "cancelled")
        if end.how == "cancelled" and framing is None:
            client.refuse(503, f"Stream Inspector: {self._why}")
        elif RESET in (end.detail or ""):
            await client.reset()
        elif framing is None and end.detail != UNANSWERED:
            where = self.request.url.split("?")[0]
            client.refuse(504 if end.how == "timeout" else 502, f"Stream Inspector: {where}: {end.detail or end.how}")
        elif framing is None or broke or framing.kind == "close":
            client.close()
        else:
            client.write(framing.end(end.trailers))


def secrets_of(fields: Sequence[tuple[str, str]], query: str) -> tuple[str, ...]:
    """What of a request nobody may see, the longest first."""
    found: set[str] = set()
    for name, value in fields:
        lower = name.lower()
        if lower in _KEYS:
            scheme, _, key = value.partition(" ")
            found |= {value, key.strip() or scheme}
            if scheme.lower() == "basic":
                found.add(_password(key))
        elif lower == "cookie":
            cookies = (one.partition("=")[2].strip() for one in value.split(";"))
            found |= {one for one in (value, *cookies) if len(one) >= LONG_SECRET}
        elif is_credential_header(lower) and len(value) >= LONG_SECRET:
            found.add(value)
        elif (place := scheme_key(value)) is not None and len(key := value[slice(*place)]) >= LONG_SECRET:
            found.add(key)
    for one in query.split("&"):
        if redact_text(f"?{one}") != f"?{one}":
            value = one.partition("=")[2]
            found |= {value, unquote(value), unquote_plus(value)}
    return tuple(sorted(found - {""}, key=len, reverse=True))


def _password(key: str) -> str:
    """What stands behind the user in a key of the scheme Basic, empty where it is none."""
    try:
        return binascii.a2b_base64(key.encode()).partition(b":")[2].decode()
    except ValueError:
        return ""


def _model(request: Outgoing) -> str:
    """The model that is asked, empty where neither path nor body say."""
    if named := model_of(_path(request.url)):
        return named
    try:
        body = json.loads(request.body) if request.body[:1] == b"{" else None
    except (ValueError, RecursionError):
        return ""
    model = body.get("model") if isinstance(body, dict) else None
    return model if isinstance(model, str) else ""


def _path(url: str) -> str:
    return "/" + url.partition("?")[0].partition("://")[2].partition("/")[2]


def _last_part(url: str) -> str:
    """What names a request that asks no model: the last part of its path, as `models`."""
    return url.partition("?")[0].partition("://")[2].rstrip("/").rpartition("/")[2] if url.count("/") > 2 else ""
