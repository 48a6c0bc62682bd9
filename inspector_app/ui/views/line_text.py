"""One raw line as the pane shows it: runs of text with what they mean, folds, and what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import visible
from inspector_app.ui.find.marks import Found
from inspector_app.ui.views.evidence import Evidence, Range
from inspector_app.ui.views.fold import folds

TEXT, FOLD, MISSING, RETURN, END = "text", "fold", "missing", "return", "end"

SHORT, WHOLE = 400, 4096
"""Bytes of one run that are decoded: while folded, and when the whole line is wanted."""
ENOUGH = 3000
"""Bytes of a line behind which nothing more is shown while folded, whatever it means."""
BEGINNING = 80
"""Pixels of a value that are its beginning."""
SQUEEZED = 6
"""Bytes that are worth a fold where room is short."""
MATCH, CURRENT = 1, 2
UNDERLINES = ("cut", "error", "unread", "warning")
"""From the most important one."""


class Run(NamedTuple):
    """A piece of a line: bytes [start, end) of the body.

    `kind` is TEXT (`text` is ready for display), FOLD (bytes not shown), MISSING (`text` names what is not there),
    RETURN (a blank line) or END (the end of the line, which `text` names). `ink` is a role of the theme, `fill` a
    meaning, `under` one of UNDERLINES; both may be empty.
    `found` is MATCH for what was looked for, CURRENT for the match that was gone to.
    """

    kind: str
    start: int
    end: int
    text: str = ""
    ink: str = "ink.2"
    fill: str = ""
    under: str = ""
    pointer: str | None = None
    delta: int | None = None
    found: int = 0


def runs_of(
    reading: Reading, evidence: Evidence, number: int, *, whole: bool = False, found: Sequence[Found] = ()
) -> list[Run]:
    """Line `number` of the event that `evidence` is about. `whole` folds nothing; what was `found` is never folded."""
    line = reading.lines[number]
    if line.end == line.start:
        return [Run(RETURN, line.start, line.end, ink="ink.3")]
    content = reading.body.slice(line.start, line.end)
    before = b"" if whole else _before(reading, evidence.event, number)
    return text_runs(reading, evidence, Text(content, line.start, _payload(content)), before, whole=whole, found=found)


class Text(NamedTuple):
    """Bytes of the body that begin at `offset`, and where in them the payload begins."""

    content: bytes
    offset: int
    begin: int


def text_runs(
    reading: Reading, evidence: Evidence, text: Text, before: bytes, *, whole: bool, found: Sequence[Found]
) -> list[Run]:
    """The runs of a line, or of a part of one, folded where the text `before` says the same."""
    content, offset, begin = text
    size = len(content)
    ranges = [item for item in evidence.ranges if item.start < offset + size and item.end > offset]
    hits = [
        Found(max(a, offset), min(b, offset + size), now) for a, b, now in found if a < offset + size and b > offset
    ]
    marked: list[Range | Found] = [*ranges, *hits]
    cuts = _borders(offset, size, marked, begin)
    folded: list[tuple[int, int]] = []
    if not whole:
        kept = _joined((max(0, item.start - offset), min(size, item.end - offset)) for item in marked)
        folded = folds(content, before, begin, _payload(before), kept)
        cuts = sorted({*cuts, *(edge for fold in folded for edge in fold)})
    runs: list[Run] = []
    shown = 0
    for start, end in pairwise(cuts):
        if start == begin == 5 and evidence.no_space:
            runs.append(Run(MISSING, offset + start, offset + start, "no space"))
        if any(at <= start and end <= to for at, to in folded):
            _fold(runs, offset + start, offset + end)
            continue
        match = _match(hits, offset + start)
        limit = WHOLE if whole else SHORT if match else max(0, min(SHORT, ENOUGH - shown))
        made = _text(reading, evidence, content, offset, start, end, ranges, begin, limit)
        runs += [run._replace(found=match) for run in made] if match else made
        shown += min(limit, end - start)
    return runs


def squeezed(runs: list[Run], room: int, width_of: Callable[[Run], int]) -> list[Run]:
    """The same line with more folded, where something marked would else lie beyond `room` pixels: first what nobody
    points at, then the keys of values too, last the names of headers. What is behind the last mark, or behind the
    match that was gone to, stays as it is. In a line without marks the beginning of its first value is what must be
    seen.
    """
    last = max((n for n, run in enumerate(runs) if run.found == CURRENT), default=-1)
    if last < 0:
        last = max((n for n, run in enumerate(runs) if run.under), default=-1)
    seen = room
    if last < 0:
        last, seen = next((n for n, run in enumerate(runs) if run.fill), -1), BEGINNING

    def reach(shown: list[Run]) -> int:
        return sum(map(width_of, shown[:-1])) + min(width_of(shown[-1]), seen)

    if last < 0 or reach(runs[: last + 1]) <= room:
        return runs
    for inks in (("ink.2",), ("ink.1", "ink.2"), ("ink.1", "ink.2", "ink.3")):
        out: list[Run] = []
        end = 0
        for n, run in enumerate(runs):
            plain = run.kind == TEXT and not run.fill and not run.under and not run.found and run.ink in inks
            # The value of a header says what the payload is; its name is known from all the other lines.
            header = n == 0 and run.ink == "ink.3" and run.text[:1] == ":"
            plain = plain and (run.ink == "ink.2" or run.pointer is not None or header)
            # The name of a field is where a line begins; a payload that does so has none.
            inside = n < last and (n > 0 or run.text[:1] in ("{", "[") or header)
            least = 1 if out and out[-1].kind == FOLD and n + 1 < last else SQUEEZED
            if inside and (run.kind == FOLD or (plain and run.end - run.start >= least)):
                _fold(out, run.start, run.end)
            else:
                out.append(run)
            end = len(out) if n == last else end
        if reach(out[:end]) <= room:
            break
    return out


def _text(
    reading: Reading,
    evidence: Evidence,
    content: bytes,
    offset: int,
    start: int,
    end: int,
    ranges: list[Range],
    begin: int,
    limit: int,
) -> list[Run]:
    ink, fill, under, pointer, delta = _look(
        [item for item in ranges if item.start < offset + end and item.end > offset + start]
    )
    if evidence.unread is not None:
        if start >= begin:
            ink, fill, under = "ink.3", "", under or "unread"
        elif evidence.no_space and content[:5] == b"data:":
            ink = "error.text"
    elif ink == "ink.2" and start < begin == len(content):
        ink = "ink.3"
    shown = end if end <= start + limit else _whole_characters(content, start, start + limit)
    out = []
    if shown > start:
        text = visible(content[start:shown].decode("utf-8", "replace"))
        out.append(Run(TEXT, offset + start, offset + shown, text, ink, fill, under, pointer, delta))
    if shown < end:
        _fold(out, offset + shown, offset + end)
    return out


def _look(ranges: list[Range]) -> tuple[str, str, str, str | None, int | None]:
    """Ink, fill and underline where these ranges lie over each other."""
    ink, fill, pointer, delta = "ink.2", "", None, None
    whats = {item.what for item in ranges}
    under = next((what for what in UNDERLINES if what in whats), "")
    for item in ranges:
        if item.what == "value":
            fill = item.meaning
            ink = f"{fill}.text" if fill else "ink.1"
        elif item.what == "key" and not fill:
            ink = "ink.1"
        if item.delta is not None or pointer is None:
            pointer = item.pointer
        delta = item.delta if item.delta is not None else delta
    if under:
        ink = "error.text" if under == "cut" else f"{under}.text"
    return ink, fill if under != "cut" else "", under, pointer, delta


def _match(hits: list[Found], at: int) -> int:
    """What byte `at` is a part of: MATCH, CURRENT, or 0 for neither."""
    return max((CURRENT if hit.current else MATCH for hit in hits if hit.start <= at < hit.end), default=0)


def _fold(runs: list[Run], start: int, end: int) -> None:
    """Adds a fold, or makes the last one longer."""
    if runs and runs[-1].kind == FOLD and runs[-1].end == start:
        runs[-1] = runs[-1]._replace(end=end)
    else:
        runs.append(Run(FOLD, start, end))


def _payload(content: bytes) -> int:
    """Where the value of a `data:` line begins, or that behind the code of a line; 0 where a line is the payload
    itself, its end where there is none.
    """
    if content[:5] == b"data:":
        return 6 if content[5:6] == b" " else 5
    if content[:1] in (b"{", b"["):
        return 0
    return 2 if content[1:2] == b":" and content[2:3] in (b"{", b"[", b'"') else len(content)


def _borders(offset: int, size: int, ranges: Sequence[Range | Found], begin: int) -> list[int]:
    edges = {0, begin, size}
    for item in ranges:
        edges |= {min(size, max(0, item.start - offset)), min(size, max(0, item.end - offset))}
    return sorted(edges)


def _joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _before(reading: Reading, event: int, number: int) -> bytes:
    """The line of the event before that stands in the same place; nothing where that is no line of its kind."""
    if event == 0:
        return b""
    place = number - reading.lines_of(event)[0]
    first, last = reading.lines_of(event - 1)
    if first + place >= last:
        return b""
    line = reading.lines[first + place]
    return reading.body.slice(line.start, line.end) if line.end - line.start <= 1 << 16 else b""


def _whole_characters(content: bytes, start: int, end: int) -> int:
    """`end`, moved back so that no character is cut in two."""
    at = end
    while at < len(content) and at > start and end - at < 4 and content[at] & 0xC0 == 0x80:
        at -= 1
    return at
