"""Events that no blank line ends: the last one, which strict clients drop, and those that run into the next one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from inspector_app.core import flags as F
from inspector_app.core.json_text import parse
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Edit, changed
from inspector_app.variations._payloads import SSE, data_lines, line_end

NAME = "add-blank-lines"
TITLE = "Put the missing blank line behind each event"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})


def apply(reading: Reading) -> Exchange:
    return changed(reading.exchange, _edits(reading))


def _edits(reading: Reading) -> Iterator[Edit]:
    end = line_end(reading)
    for n in range(len(reading.events)):
        bits = reading.events.flags[n]
        if bits & F.MULTI_DATA:
            yield from _between(reading, n, end)
        if bits & F.DANGLING and not bits & F.CUT:
            last = [content for _, _, content in data_lines(reading, n)][-1:]
            if last and _is_whole(reading, last[0]):
                size = len(reading.body)
                terminated = reading.lines[reading.lines_of(n)[1] - 1].eol
                yield Edit(size, size, end if terminated else end + end)


def _between(reading: Reading, n: int, end: bytes) -> Iterator[Edit]:
    """Between two data lines that are each a whole payload."""
    found = list(data_lines(reading, n))
    if not all(_is_whole(reading, content) for _, _, content in found):
        return
    for (before, _, _), (after, _, _) in pairwise(found):
        # What stands between them begins the second event.
        at = reading.lines.starts[min(before + 1, after)]
        yield Edit(at, at, end)


def _is_whole(reading: Reading, data: bytes) -> bool:
    text = data.strip()
    if text in reading.markers:
        return True
    return text[:1] in (b"{", b"[") and parse(text).fault in (None, "surrogate", "utf8")
