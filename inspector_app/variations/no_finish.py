"""The finish reason does not come: a client that takes the last text for the end calls a broken answer complete."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Edit, changed
from inspector_app.variations._middle import CONTENT
from inspector_app.variations._payloads import BY_LINES, payload_of

NAME = "no-finish"
TITLE = "Leave out the finish reason"
SORT = TROUBLE
KEEPS_MEANING = False
FRAMINGS = BY_LINES


def unfit(reading: Reading) -> str:
    return "" if reading.finishes else "needs a stream with a finish reason"


def apply(reading: Reading) -> Exchange:
    return changed(reading.exchange, _edits(reading))


def _edits(reading: Reading) -> Iterator[Edit]:
    """An event that says nothing else is left out; in one that does the reason becomes null."""
    for n in sorted({finish["event"] for finish in reading.finishes}):
        deltas = reading.deltas(n)
        payload = payload_of(reading, n)
        if payload is None or payload.root is None or not any(delta.kind in CONTENT for delta in deltas):
            yield Edit(*reading.bytes_of(n), b"")
            continue
        for delta in deltas:
            node = payload.root.at(delta.pointer) if delta.kind == "finish" else None
            if node is not None:
                yield payload.edit(node.start, node.end, b"null")
