"""How the runs of a raw line are painted, and how wide each is: no blank is put between the characters of the wire."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.joiners import cut_before
from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.views.bidi import pieces
from inspector_app.ui.views.line_text import CURRENT, END, FOLD, MISSING, RETURN, TEXT, Run

ROW, RETURN_WIDTH = 22, 12
GAP = 3
END_GAP, END_PAD, END_HEIGHT = 6, 4, 14
"""Before the mark of a line end, inside it at each side, and its height."""
PART = 200
"""Characters that are measured and drawn at once."""

Placed = tuple[int, int, Run]
"""The left edge of a run, its right edge, the run."""


def width_of(run: Run) -> int:
    """How far a run reaches. The characters of the wire take their own width and no more."""
    if run.kind == RETURN:
        return RETURN_WIDTH
    if run.kind == MISSING:
        return marks.missing_width(run.text) + 2 * GAP
    if run.kind == FOLD:
        return GAP + marks.fold_width(run.end - run.start)
    if run.kind == END:
        return END_GAP + 2 * END_PAD + round(fonts.text_width(fonts.wire_font(fonts.SMALL), run.text))
    return _text_width(run.text)


def paint_runs(painter: QPainter, theme: Theme, placed: list[Placed], y: int, chosen: bool, limit: int) -> None:
    """Paints runs in the row at `y`: first what lies under their characters, then these up to `limit`, then the box
    around the match that was gone to. `chosen`: the row is selected.
    """
    for closed, group in groupby(placed, key=lambda place: place[2].under == "cut"):
        if closed and chosen:
            parts = [*group]
            box = QRect(parts[0][0] - 2, y + 2, parts[-1][1] - parts[0][0] + 4, ROW - 4)
            marks.cut_box(painter, theme, box)
    current: QRect | None = None
    for left, right, run in placed:
        _paint_run(painter, theme, run, left, y, chosen, limit)
        if run.found == CURRENT:
            part = QRect(left - 2, y + 2, right - left + 4, ROW - 3)
            current = part if current is None else current.united(part)
    if current is not None:
        rounded(painter, current, None, theme.color("accent"), 3, 2)


def _paint_run(painter: QPainter, theme: Theme, run: Run, x: int, y: int, chosen: bool, limit: int) -> None:
    if run.kind == RETURN:
        draw_icon(painter, x, y + (ROW - RETURN_WIDTH) // 2, "return", theme.color("ink.3"), RETURN_WIDTH)
    elif run.kind == MISSING:
        box = QRect(x + GAP, y + 3, marks.missing_width(run.text), ROW - 6)
        marks.missing_box(painter, theme, box, run.text)
    elif run.kind == FOLD:
        marks.fold_chip(painter, theme, x + GAP // 2, y, ROW, run.end - run.start)
    elif run.kind == END:
        _paint_end(painter, theme, run, x + END_GAP, y)
    elif run.kind == TEXT:
        _paint_text(painter, theme, run, x, y, chosen, limit)


def _paint_end(painter: QPainter, theme: Theme, run: Run, x: int, y: int) -> None:
    """A small mark that names the end of a line; a warning where it is not the usual one."""
    box = QRect(x, y + (ROW - END_HEIGHT) // 2, width_of(run) - END_GAP, END_HEIGHT)
    colors = theme.meaning(run.fill) if run.fill else None
    rounded(painter, box, colors.fill if colors else None, colors.edge if colors else theme.color("line"), 3)
    font = fonts.wire_font(fonts.SMALL, 600 if run.fill else 400)
    draw_text(painter, x + END_PAD, fonts.baseline(y, ROW) - 1, run.text, font, theme.color(run.ink))


def _paint_text(painter: QPainter, theme: Theme, run: Run, x: int, y: int, chosen: bool, limit: int) -> None:
    base, font, width = fonts.baseline(y, ROW), fonts.wire_font(fonts.BODY), _text_width(run.text)
    if run.found:
        rounded(painter, QRect(x - 1, y + 3, width + 2, ROW - 5), theme.color("find.fill"), None, 2)
    elif run.fill:
        rounded(painter, QRect(x - 1, y + 3, width + 2, ROW - 5), theme.meaning(run.fill).fill, None, 2)
    if run.under == "unread":
        marks.unread_underline(painter, theme, x, x + width, base + 3)
    elif run.under and not (run.under == "cut" and chosen):
        marks.underline(painter, theme, x, x + width, base + 3, "error" if run.under == "cut" else run.under)
    at = float(x)
    for part in _parts(run.text):
        if at > limit:
            break
        at += draw_text(painter, at, base, part, font, theme.color("ink.1" if run.found else run.ink))


def _parts(text: str) -> Iterator[str]:
    """A text in pieces that Qt measures and draws quickly."""
    for piece in pieces(text):
        at = 0
        while at < len(piece):
            end = cut_before(piece, at + PART, at) if at + PART < len(piece) else len(piece)
            yield piece[at:end]
            at = end


def _text_width(text: str) -> int:
    font = fonts.wire_font(fonts.BODY)
    return round(sum(fonts.text_width(font, part) for part in _parts(text)))
