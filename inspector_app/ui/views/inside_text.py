"""What an envelope holds, as a line of the raw pane shows it: the text that its base64 stands for, in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inspector_app.core.reading import Reading
from inspector_app.core.wrapped import Stretch
from inspector_app.ui.find.marks import Found
from inspector_app.ui.views.evidence import Evidence
from inspector_app.ui.views.line_text import FOLD, Run, Text, text_runs

LARGEST = 1 << 16
"""Bytes of the payload before that are compared."""


def inside_runs(
    reading: Reading, evidence: Evidence, n: int, payload: tuple[int, int], found: Sequence[Found]
) -> list[Run] | None:
    """The payload of event `n`, bytes [start, end) of the body; None where it is no envelope.

    What is around the base64 is folded, unless it was looked for: then all is shown as it came.
    """
    inside = reading.inside(n)
    if inside is None:
        return None
    begin, end = inside.start, inside.span(0, len(inside.data))[1]
    if any(hit.start < hit.end and (payload[0] <= hit.start < begin or end < hit.end <= payload[1]) for hit in found):
        return None
    own = replace(evidence, ranges=_moved(inside, begin, end, evidence.ranges))
    hits = _moved(inside, begin, end, found)
    runs = text_runs(reading, own, Text(inside.data, 0, 0), _before(reading, n), whole=False, found=hits)
    moved = [run._replace(start=_point(inside, run.start), end=_point(inside, run.end)) for run in runs]
    out: list[Run] = []
    for run in (Run(FOLD, payload[0], begin), *moved, Run(FOLD, end, payload[1])):
        if out and out[-1].kind == run.kind == FOLD:
            out[-1] = out[-1]._replace(end=run.end)
        else:
            out.append(run)
    return out


def _moved(inside: Stretch, begin: int, end: int, ranges: Sequence) -> list:
    """The ranges that lie in the base64, as ranges of what it stands for."""
    own = []
    for item in ranges:
        if item.start < end and item.end > begin:
            start, last = inside.within(max(item.start, begin), min(item.end, end))
            own.append(item._replace(start=start, end=last))
    return own


def _point(inside: Stretch, at: int) -> int:
    """Where in the body a byte begins; the end of one is where the next begins, so that runs join."""
    return inside.span(at, at)[0] if at < len(inside.data) else inside.span(0, at)[1]


def _before(reading: Reading, n: int) -> bytes:
    """What the event before holds."""
    inside = reading.inside(n - 1) if n else None
    return inside.data if inside is not None and len(inside.data) <= LARGEST else b""
