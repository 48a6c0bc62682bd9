"""What stands below the last event of a live stream: lines that are no event yet, half a line, and who waits for it."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.reading import Reading
from inspector_app.core.text import number, size, visible
from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.rows import Tail
from inspector_app.ui.theme import Theme
from inspector_app.ui.views.block_names import meaning_of
from inspector_app.ui.views.fold import common_start

ROW = 22
NUMBER, WORDS, EDGE = 48, 80, 12
SHOWN = 400
"""Bytes at the end of half a line that are shown: there it goes on."""
COMPARED = 1 << 14
FOLD_FROM = 20
"""Bytes that are worth a fold."""
GHOST = (3.0, 3.0)


def has_half_line(tail: Tail) -> bool:
    """Whether half a line has waited long enough to be shown."""
    return tail.waits and tail.end > tail.start


def half_words(tail: Tail) -> str:
    """What is said of half a line."""
    return f"half a line · {bytes_of(tail.end - tail.start)} · no line end yet"


def bytes_of(count: int) -> str:
    """A number of bytes, exactly while it can be counted by eye."""
    return f"{number(count)} byte{'' if count == 1 else 's'}" if count < 100_000 else size(count)


def half_line(reading: Reading, tail: Tail) -> tuple[str, int, str]:
    """The beginning of half a line, how many bytes after it are not shown, and the rest up to where it stops.

    What the line before says too is not shown again.
    """
    head = reading.body.slice(tail.start, min(tail.end, tail.start + COMPARED))
    begin = 6 if head.startswith(b"data: ") else 0
    same = 0
    if reading.events.first_lines:
        line = reading.lines[reading.events.first_lines[-1]]
        before = reading.body.slice(line.start, min(line.end, line.start + COMPARED))
        same = common_start(head[begin:], before[begin:]) if before[:begin] == head[:begin] else 0
        # What differs is read from its key on.
        same = max(head.rfind(b"{", 0, begin + same) + 1, head.rfind(b",", 0, begin + same) + 1, begin) - begin
    hidden = same if same >= FOLD_FROM else 0
    rest = tail.start + begin + hidden
    if tail.end - rest > SHOWN:
        hidden += tail.end - rest - SHOWN
        rest = tail.end - SHOWN
    text = reading.body.slice(rest, tail.end).decode("utf-8", "replace")
    return visible(head[:begin].decode("ascii")), hidden, visible(text)


def paint_lines(painter: QPainter, theme: Theme, reading: Reading, tail: Tail, y: int, width: int, shift: int) -> None:
    """The raw lines: whole ones of the next event, then half a line with its caret and what is said of it."""
    first, last = tail.lines
    for line in range(first, last):
        place = reading.lines[line]
        text = visible(reading.body.slice(place.start, min(place.end, place.start + SHOWN)).decode("utf-8", "replace"))
        _number(painter, theme, line, y)
        if place.start == place.end:
            draw_icon(painter, WORDS - shift, y + (ROW - 12) // 2, "return", theme.color("ink.3"), 12)
        _clipped_text(painter, theme, WORDS - shift, y, text, width)
        y += ROW
    if has_half_line(tail):
        _paint_half(painter, theme, reading, tail, y, width, shift)


def _number(painter: QPainter, theme: Theme, line: int, y: int) -> None:
    font = fonts.wire_font(fonts.SECONDARY)
    words = f"{line}"
    base = fonts.baseline(y, ROW)
    draw_text(painter, NUMBER - fonts.text_width(font, words), base, words, font, theme.color("ink.3"))


def _clipped_text(painter: QPainter, theme: Theme, x: float, y: int, text: str, width: int) -> float:
    painter.save()
    painter.setClipRect(QRect(WORDS - 2, y, width - WORDS + 2, ROW))
    x += draw_text(painter, x, fonts.baseline(y, ROW), text, fonts.wire_font(fonts.BODY), theme.color("ink.1"))
    painter.restore()
    return x


def _paint_half(
    painter: QPainter, theme: Theme, reading: Reading, tail: Tail, y: int, width: int, shift: int
) -> None:
    colors = theme.meaning("warning")
    painter.fillRect(QRect(0, y, width, 2 * ROW), theme.mixed("bg.pane", "warning.fill", 0.5))
    painter.fillRect(QRect(0, y, 3, 2 * ROW), colors.line)
    _number(painter, theme, tail.lines[1], y)
    head, hidden, rest = half_line(reading, tail)
    font = fonts.wire_font(fonts.BODY)
    fold = marks.fold_width(hidden) + 6 if hidden else 0
    long = round(fonts.text_width(font, head) + fold + fonts.text_width(font, rest))
    # Where it goes on is always in view.
    left = min(WORDS - shift, max(WORDS - long, width - EDGE - 8 - long))
    painter.save()
    painter.setClipRect(QRect(WORDS - 6, y, width - WORDS + 6 - EDGE + 8, ROW))
    x = left + draw_text(painter, left, fonts.baseline(y, ROW), head, font, theme.color("ink.3"))
    if hidden:
        x += 2 + marks.fold_chip(painter, theme, round(x) + 2, y, ROW, hidden) + 4
    x += draw_text(painter, x, fonts.baseline(y, ROW), rest, font, theme.color("warning.text"))
    painter.fillRect(QRect(round(x) + 1, y + 4, 2, ROW - 8), theme.color("accent"))
    painter.restore()
    box = QRect(max(left, WORDS) - 4, y + 2, round(x) - max(left, WORDS) + 9, ROW - 4)
    rounded(painter, box, None, colors.line, 3, 1.2, (3.5, 2.5))
    y += ROW
    base = fonts.baseline(y, ROW)
    draw_icon(painter, WORDS, y + (ROW - SMALL) // 2, "hourglass", colors.line, SMALL)
    draw_text(painter, WORDS + SMALL + 6, base, half_words(tail), fonts.ui_font(fonts.BODY, 600), colors.text)
    small = fonts.ui_font(fonts.SECONDARY)
    words = f"read {number(tail.read)}" if tail.read >= 0 else ""
    draw_text(painter, width - EDGE - fonts.text_width(small, words), base, words, small, theme.color("ink.3"))


def waiting_words(tail: Tail) -> str:
    """What the next delta waits for; nothing where nobody knows that there will be one."""
    if has_half_line(tail):
        return f"waits for the end of line {tail.lines[1]}"
    return "waits for the end of its event" if tail.waits and tail.lines[0] < tail.lines[1] else ""


def paint_ghost(
    painter: QPainter, theme: Theme, event: int, words: str, y: int, places: tuple[int, int], width: int
) -> None:
    """The delta that is to come: its event's number and a dashed row. `places`: where numbers end and words begin."""
    font = fonts.wire_font(fonts.SECONDARY)
    name = f"{event}"
    base = fonts.baseline(y, ROW)
    draw_text(painter, places[0] - fonts.text_width(font, name), base, name, font, theme.color("ink.3"))
    box = QRect(places[1] - 4, y + 3, width - places[1] + 4 - EDGE, ROW - 6)
    rounded(painter, box, None, theme.color("line.strong"), 3, 1.2, GHOST)
    italic = fonts.ui_font(fonts.BODY, italic=True)
    shown = fonts.elided(italic, words, box.width() - 16)
    draw_text(painter, box.left() + 8, base, shown, italic, theme.color("ink.2"))


def paint_next(painter: QPainter, theme: Theme, kind: str, rect: QRect) -> None:
    """Below a block that is open: where its next fragment will appear."""
    colors = theme.meaning(meaning_of(kind))
    box = rect.adjusted(0, 0, 0, -2)
    rounded(painter, box, theme.mixed("bg.pane", f"{meaning_of(kind)}.fill", 0.35), colors.line, 3, 1.2, (3.5, 2.5))
    painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), colors.line)
    base = fonts.baseline(rect.top() - 1, ROW)
    x = box.left() + 18
    x += round(draw_text(painter, x, base, "open", fonts.ui_font(fonts.BODY, 600), colors.text)) + 6
    words = fonts.elided(fonts.ui_font(fonts.BODY), "next fragment appears here", box.right() - x - 8)
    draw_text(painter, x, base, words, fonts.ui_font(fonts.BODY), theme.color("ink.2"))


def spoken(reading: Reading | None, tail: Tail | None, place: int, column: int) -> str:
    """The raw lines below the last event for screen readers: row number `place` there."""
    if reading is None or tail is None:
        return ""
    line = tail.lines[0] + place
    if line < tail.lines[1]:
        start, end, _ = reading.lines[line]
        text = visible(reading.body.slice(start, min(end, start + SHOWN)).decode("utf-8", "replace"))
        return (f"{line}", "", text)[column]
    if line == tail.lines[1] and has_half_line(tail):
        head, hidden, rest = half_line(reading, tail)
        return (f"{line}", half_words(tail), f"{head}{rest}" if not hidden else f"{head}… {rest}")[column]
    return ""
