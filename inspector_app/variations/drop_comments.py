"""Comment lines, which gateways send to keep a connection alive and some clients stumble over."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core import flags as F
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Edit, changed
from inspector_app.variations._payloads import SSE

NAME = "drop-comments"
TITLE = "Leave out comment lines"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})


def apply(reading: Reading) -> Exchange:
    return changed(reading.exchange, _edits(reading))


def _edits(reading: Reading) -> Iterator[Edit]:
    starts = reading.lines.starts
    for n in range(len(reading.events)):
        bits = reading.events.flags[n]
        if bits & F.COMMENT_ONLY:
            yield Edit(*reading.bytes_of(n), b"")
            continue
        for number in range(*reading.lines_of(n)) if bits & F.COMMENT else ():
            line = reading.lines[number]
            if reading.body.slice(line.start, line.start + 1) == b":":
                end = starts[number + 1] if number + 1 < len(starts) else reading.lines.size
                yield Edit(line.start, end, b"")
