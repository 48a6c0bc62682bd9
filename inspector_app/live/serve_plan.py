"""What a recorded answer is on the wire again: which bytes at which time, under which head, and how it ends.

The body is the recording's, byte for byte, in its reads and at its times; it goes out in chunks, one for each read, so
that its end can be told from a connection that broke. Where no times were measured everything goes out at once.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from inspector_app.core.redact import has_mask
from inspector_app.core.types import NO_TIME, Body, Exchange, MemoryBody


class Ending(StrEnum):
    """How an answer ends on the wire."""

    CLEAN = "clean"
    """The last chunk follows, and the connection stays."""
    CUT = "no-terminator"
    """The connection is closed without the last chunk."""
    RESET = "reset"
    """The connection is torn down with a RST, once the client has what was sent."""
    STALL = "stall"
    """Nothing follows: the connection stays open until the client leaves."""


NOT_OURS = frozenset(
    {"connection", "keep-alive", "proxy-connection", "proxy-authenticate", "te", "trailer", "transfer-encoding"}
    | {"upgrade", "content-length", "http2-settings"}
)
"""Header fields that speak of the recorded connection and not of the answer; what is masked is left out too."""

BODILESS = (204, 304)
_FINAL = range(200, 1000)
"""Statuses that end the waiting for an answer. A file may claim others, behind which a client would wait on."""
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
TYPES = {
    "sse": "text/event-stream",
    "ndjson": "application/x-ndjson",
    "json-array": "application/json",
    "json": "application/json",
    "aws-eventstream": "application/vnd.amazon.eventstream",
    "html": "text/html",
    "text": "text/plain",
}
"""Framing -> Content-Type, where the recording has no head."""

NS = 1e9
PIECE = 1 << 16
"""Bytes of one chunk where the reads of a body are unknown."""

_ENDS: Mapping[str, Ending] = {
    "reset": Ending.RESET,
    "tls_error": Ending.RESET,
    "connect_error": Ending.RESET,
    "truncated": Ending.CUT,
    "timeout": Ending.STALL,
    "cancelled": Ending.STALL,
}
"""How a recording ended -> how it ends again. A client that gave up waiting has to give up again."""


@dataclass(frozen=True)
class Plan:
    """One answer as it goes out. Times are seconds since the request was there.

    `status` is None where there is no head: the connection ends before one. `ends` are offsets in the body where each
    chunk ends, `times` when each is sent, never falling.
    """

    status: int | None
    headers: tuple[tuple[str, str], ...]
    head_at: float
    body: Body
    ends: array[int]
    times: array[float]
    end_at: float
    ending: Ending
    trailers: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> int:
        """Bytes of the body."""
        return len(self.body)

    def head(self, chunked: bool, keeps: bool) -> bytes:
        """The response head. Without chunks the end of the connection is the end of the body."""
        assert self.status is not None
        bodiless = self.status in BODILESS
        own = [("Transfer-Encoding", "chunked")] if chunked and not bodiless else []
        own += [] if keeps and (chunked or bodiless) else [("Connection", "close")]
        lines = [f"HTTP/1.1 {self.status} {_reason(self.status)}"]
        lines += [f"{name}: {value}" for name, value in (*self.headers, *own)]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


AS_RECORDED = "as-recorded"
ENDS = (AS_RECORDED, *(end.value for end in Ending if end is not Ending.STALL))
"""The ends that can be asked for."""


def at_speed(exchange: Exchange, speed: float | None) -> Exchange:
    """The exchange with all times divided by `speed`; without any for None, and then nothing is waited for."""
    if speed == 1.0:
        return exchange
    if speed is None:
        return replace(exchange, timing="none", read_times=None, head_time=None, end_time=None)
    times = exchange.read_times
    return replace(
        exchange,
        read_times=None if times is None else array("q", [t if t == NO_TIME else round(t / speed) for t in times]),
        head_time=None if exchange.head_time is None else round(exchange.head_time / speed),
        end_time=None if exchange.end_time is None else round(exchange.end_time / speed),
    )


def plan_of(exchange: Exchange, framing: str, *, end: str = AS_RECORDED) -> Plan:
    """The plan for an exchange; `end` is AS_RECORDED or an Ending.

    Where a content coding was undone the coded bytes go out, as long as they are known.
    """
    coded = exchange.coded
    body, read_ends = (coded.body, coded.read_ends) if coded else (exchange.body, exchange.read_ends)
    ends = array("q", read_ends or ())
    for at in range(ends[-1] if ends else 0, len(body), PIECE):
        ends.append(min(at + PIECE, len(body)))
    head_at, times, end_at = _times(exchange, len(ends))
    http = exchange.http
    undone = exchange.coding is not None and coded is None
    trailers = tuple(_fit((name, value) for name, value in (exchange.end or {}).get("trailers") or ()))
    if http is not None:
        headers = tuple(_fit(pair for pair in http.headers if not (undone and pair[0].lower() == "content-encoding")))
    else:
        headers = (("content-type", TYPES.get(framing, "application/octet-stream")),)
    silent = http is None and not len(body) and _how(exchange) in _ENDS
    return Plan(
        status=None if silent else 200 if http is None else http.status if http.status in _FINAL else 502,
        headers=headers,
        head_at=head_at,
        body=body,
        ends=ends,
        times=times,
        end_at=end_at,
        ending=_ending(exchange) if end == AS_RECORDED else Ending(end),
        trailers=trailers,
    )


def whole_plan(data: bytes, status: int, like: Plan) -> Plan:
    """The plan for an answer that is one JSON: it comes when the stream would have been over."""
    gone = ("content-type", "content-encoding")
    kept = tuple((name, value) for name, value in like.headers if name.lower() not in gone)
    return replace(
        like,
        status=status,
        headers=(("content-type", "application/json"), *kept),
        head_at=like.end_at,
        body=MemoryBody(data),
        ends=array("q", [len(data)]),
        times=array("d", [like.end_at]),
        ending=Ending.CLEAN,
        trailers=(),
    )


_RECORDS: Mapping[Ending, dict[str, object]] = {
    Ending.CLEAN: {"how": "eof", "terminator": True, "closed_by": "server"},
    Ending.CUT: {"how": "truncated", "terminator": False, "closed_by": "server"},
    Ending.RESET: {"how": "reset", "terminator": False, "closed_by": "server"},
    Ending.STALL: {"how": "timeout", "terminator": False, "closed_by": "client"},
}
"""How an answer ends -> what a recording of it says of its end."""


def _how(exchange: Exchange) -> str:
    return str((exchange.end or {}).get("how", ""))


def _ending(exchange: Exchange) -> Ending:
    end = exchange.end or {}
    how = _how(exchange)
    if how in _ENDS:
        return _ENDS[how]
    # A client that leaves when it has read the end of the stream does not wait for the last chunk.
    cut = end.get("terminator") is False and end.get("closed_by") != "client"
    return Ending.CUT if cut else Ending.CLEAN


def recorded_end(exchange: Exchange, plan: Plan) -> dict[str, Any] | None:
    """What a recording of the answer says of its end: the words of `exchange`, unless the plan ends it otherwise."""
    if _ending(exchange) == plan.ending:
        return exchange.end
    return {**_RECORDS[plan.ending], "trailers": [], "detail": None}


def _times(exchange: Exchange, count: int) -> tuple[float, array[float], float]:
    """When head, chunks and end go out, in seconds."""
    if exchange.timing == "none":
        return 0.0, array("d", bytes(8 * count)), 0.0
    known = exchange.read_times or ()
    times = array("d")
    last = max(0, exchange.head_time or 0)
    for number in range(count):
        if number < len(known) and known[number] != NO_TIME:
            last = max(last, known[number])
        times.append(last / NS)
    first = times[0] if count else last / NS
    head_at = first if exchange.head_time is None else max(0, exchange.head_time) / NS
    return head_at, times, max(last, exchange.end_time or 0) / NS


def _fit(pairs: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Header fields that can be sent again: none that a file could use to begin a second answer."""
    found = []
    for name, value in pairs:
        odd = _NAME.fullmatch(name) is None or _CONTROL.search(value) is not None
        if not odd and name.lower() not in NOT_OURS and not has_mask(value):
            found.append((name, value))
    return found


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
