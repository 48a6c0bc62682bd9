"""Streams whose reads came at chosen moments."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from inspector_app.core.analysis import Analysis
from inspector_app.core.reading import Reading
from inspector_app.core.types import NO_TIME, Exchange, Http, MemoryBody
from tests.core.streams import KIT

MS = 1_000_000


def exchange_of(reads: Sequence[tuple[float | None, bytes]], **about: object) -> Exchange:
    """An exchange of reads: milliseconds since the request (None where unknown) and bytes."""
    ends, times, size = array("q"), array("q"), 0
    for time, piece in reads:
        size += len(piece)
        ends.append(size)
        times.append(NO_TIME if time is None else round(time * MS))
    body = MemoryBody(b"".join(piece for _, piece in reads))
    exchange = Exchange("x.rec.jsonl", "recording", body, "measured", ends, times)
    for name, value in about.items():
        setattr(exchange, name, value)
    return exchange


def reading_of(reads: Sequence[tuple[float | None, bytes]], **about: object) -> Reading:
    """The whole reading of such reads."""
    analysis = Analysis(exchange_of(reads, **about), KIT)
    for piece in analysis.reading.exchange.chunks():
        analysis.feed(piece)
    return analysis.finish()


def head(*headers: tuple[str, str]) -> Http:
    """The head of an answer that went well."""
    return Http(200, list(headers))


def positions_of(reading: Reading) -> list[int]:
    """The time of every event, in ns; every read has one."""
    return [reading.time_of(n) or 0 for n in range(len(reading.events))]
