"""A server may compress what it sends, though few do while they stream: each write has to be readable by itself."""

from __future__ import annotations

import zlib
from array import array
from dataclasses import replace

from inspector_app.core.reading import Reading
from inspector_app.core.types import Coded, Exchange, Http, MemoryBody
from inspector_app.variations._change import TROUBLE

NAME = "gzip"
TITLE = "Compress the body with gzip, each write by itself"
SORT = TROUBLE
KEEPS_MEANING = True

_TYPES = {"sse": "text/event-stream", "ndjson": "application/x-ndjson", "json": "application/json"}


def apply(reading: Reading) -> Exchange:
    exchange = reading.exchange
    maker = zlib.compressobj(wbits=31)
    known = list(exchange.read_ends or ())
    out = bytearray()
    ends: array[int] = array("q")
    start = 0
    for end in [*known, *([len(exchange.body)] if not known or known[-1] < len(exchange.body) else [])]:
        out += maker.compress(exchange.body.slice(start, end)) + maker.flush(zlib.Z_SYNC_FLUSH)
        ends.append(len(out))
        start = end
    out += maker.flush()
    ends[-1] = len(out)
    http = exchange.http or Http(200, [("content-type", _TYPES.get(reading.framing, "application/octet-stream"))])
    gone = ("content-encoding", "content-length")
    headers = [(name, value) for name, value in http.headers if name.lower() not in gone]
    return replace(
        exchange,
        http=replace(http, headers=[*headers, ("content-encoding", "gzip")]),
        coding="gzip",
        coded=Coded(MemoryBody(bytes(out)), ends),
        notes=[],
    )
