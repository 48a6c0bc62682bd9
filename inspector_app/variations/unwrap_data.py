"""Events that a gateway framed a second time: `data: data: {…}`."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core import flags as F
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Edit, changed
from inspector_app.variations._payloads import SSE, data_lines

NAME = "unwrap-data"
TITLE = "Take off the second data: of events that are framed twice"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})


def apply(reading: Reading) -> Exchange:
    return changed(reading.exchange, _edits(reading))


def _edits(reading: Reading) -> Iterator[Edit]:
    for n in range(len(reading.events)):
        if not reading.events.flags[n] & F.DOUBLE_WRAPPED:
            continue
        for _, at, content in data_lines(reading, n):
            inner = content.lstrip(b" ")
            if inner.startswith(b"data:"):
                rest = inner[5:].removeprefix(b" ")
                yield Edit(at, at + len(content) - len(rest), b"")
