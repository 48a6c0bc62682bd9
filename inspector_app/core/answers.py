"""Several answers in one bare body, such as a log of a conversation: where each begins, and each by itself.

Only what has no envelope is taken apart. What came as one HTTP response, or was recorded as one, is one exchange,
whatever it holds. An answer that begins before the one before it is over stays with it (meta-generation-spliced).
"""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

from inspector_app.core.analysis import Analysis
from inspector_app.core.flags import COMMENT_ONLY
from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Body, Exchange

LOOKED = 1 << 18
"""Bytes of a body that are read to find its answers. Of a longer one so many at its start and its end are read first:
mostly they show that it holds one answer only."""

_DOCUMENTS = ("json", "json-array", "html", "text", "none")
"""Framings of one document, which is one answer."""


class PartBody:
    """The bytes [start, end) of a body, as a body."""

    def __init__(self, body: Body, start: int, end: int) -> None:
        self._body = body
        self._start = start
        self._end = end

    def __len__(self) -> int:
        return self._end - self._start

    def slice(self, start: int, end: int) -> bytes:
        return self._body.slice(self._start + start, min(self._start + end, self._end))


def is_bare(exchange: Exchange) -> bool:
    """Whether an exchange is nothing but a body, which may hold several answers."""
    return exchange.http is None and exchange.read_ends is None and exchange.source is None


def apart(exchange: Exchange, kit: Kit) -> list[Exchange]:
    """The answers of an exchange in their order, each as an exchange; the exchange itself where it holds one."""
    if not is_bare(exchange):
        return [exchange]
    if len(exchange.body) > LOOKED and not _may_hold_more(exchange, kit):
        return [exchange]
    reading = _read(exchange, kit)
    if not reading.follows or reading.framing in _DOCUMENTS:
        return [exchange]
    starts = [0, *(_start(reading, n) for n in reading.follows)]
    ends = [*starts[1:], len(exchange.body)]
    return [
        _part(exchange, start, end, framing=reading.framing, number=number, count=len(starts))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def _start(reading: Reading, n: int) -> int:
    """Where the bytes of the answer begin that event n begins: comments before it are those of a server at work."""
    while reading.events.flags[n - 1] & COMMENT_ONLY:
        n -= 1
    return reading.bytes_of(n)[0]


def _part(
    exchange: Exchange, start: int, end: int, *, framing: str | None, number: int = 0, count: int = 1
) -> Exchange:
    last = end == len(exchange.body)
    faults = [
        fault._replace(at=fault.at - start, end=min(fault.end, end) - start)
        for fault in exchange.faults
        if start <= fault.at < end or (last and fault.at >= end)
    ]
    body = PartBody(exchange.body, start, end)
    return replace(exchange, body=body, framing=framing, faults=faults, number=number, count=count)


def _read(exchange: Exchange, kit: Kit) -> Reading:
    analysis = Analysis(exchange, kit, diagnose=False)
    for piece in exchange.chunks():
        analysis.feed(piece)
    return analysis.finish()


def _may_hold_more(exchange: Exchange, kit: Kit) -> bool:
    """False for a long body that cannot hold a second answer: no other start is announced, or its last event belongs to
    the answer that the first one belongs to.
    """
    body = exchange.body
    head = Analysis(_part(exchange, 0, LOOKED, framing=exchange.framing), kit, diagnose=False)
    head.feed(body.slice(0, LOOKED))
    reading, module = head.reading, head.statements.active
    if module is None or reading.framing in _DOCUMENTS:
        return False
    starting = {one.number for one in reading.layouts.all if any(kind == "stream.start" for kind, _, _ in one.rows)}
    begun = [n for n, number in enumerate(reading.events.layouts) if number in starting]
    if begun:
        word = _announcement(reading, module, begun[0])
        return len(begun) > 1 or word is None or _stands_in(body, word, reading.bytes_of(begun[0])[1])
    first = next(filter(None, (_answer_id(head, n) for n in range(len(reading.events)))), None)
    return first is None or first != _last_id(exchange, reading.framing, kit)


def _announcement(reading: Reading, module: ModuleType, n: int) -> bytes | None:
    """The word by which the event that starts an answer can be found again, None where it has none."""
    payload = reading.payload(n)
    key = getattr(module, "NAMED_BY", None)
    word = payload.get(key) if isinstance(payload, dict) and isinstance(key, str) else reading.events.names.get(n)
    return word.encode("utf-8", "replace") if isinstance(word, str) and word else None


def _stands_in(body: Body, word: bytes, start: int) -> bool:
    size = 1 << 20
    return any(word in body.slice(at, at + size + len(word)) for at in range(start, len(body), size))


def _answer_id(analysis: Analysis, n: int) -> str | None:
    return analysis.statements.answer_id(analysis.reading.payload(n))


def _last_id(exchange: Exchange, framing: str, kit: Kit) -> str | None:
    """The answer to which the last event belongs that says so, None where none near the end does."""
    start = len(exchange.body) - LOOKED
    data = exchange.body.slice(start, len(exchange.body))
    start += data.find(b"\n") + 1
    tail = _part(exchange, start, len(exchange.body), framing=framing)
    analysis = Analysis(tail, kit, diagnose=False)
    analysis.feed(tail.body.slice(0, len(tail.body)))
    return next(filter(None, (_answer_id(analysis, n) for n in range(len(analysis.reading.events) - 1, -1, -1))), None)
