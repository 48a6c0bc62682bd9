"""What is said of a client that ends in an error or shows nothing, where its blocks would stand."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core import flags as F
from inspector_app.core.text import clip, number, visible
from inspector_app.core.types import Block
from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.views.sides import Side, not_read
from inspector_app.ui.views.words import plural

ROW = 22
ICON, LEFT, PAD = 12, 28, 12
WEIGHT, LINES = 500, 3
LONGEST = 400
BEYOND = 40
"""Pixels outside of the view that are still painted of a long block."""


def failure_words(side: Side) -> str:
    """The error that a client ends in, with the event: "error, event 52: incomplete turn"; empty without one."""
    error = side.reading.client_error
    if error is None:
        return ""
    message = visible(clip(str(error["message"]), LONGEST)).replace("\n", " ")
    return f"error, event {number(side.shown_event(error['event']))}: {message}"


def skipped_words(side: Side) -> str:
    """What a reader passed over: "49 deltas not read: reasoning_details"; empty where it read everything."""
    missed = not_read(side.reference, [side.reading])
    if not missed:
        return ""
    field = next(_fields(side), "")
    return f"{plural(missed, 'delta')} not read" + (f": {field}" if field else "")


def error_blocks(side: Side) -> list[Block]:
    """The error that a client ends in, as if it were a block; it has no number."""
    error = side.reading.client_error
    if error is None:
        return []
    event, words = error["event"], [f"event {number(side.shown_event(error['event']))}: {error['message']}"]
    skipped = skipped_words(side)
    return [Block(-1, "error", 0, event, event, "complete", fragments=words + [f"\n{skipped}"] * bool(skipped))]


def nothing_words(side: Side) -> str:
    """Why a reading has no block at all."""
    reference = side.reference
    for block in reference.blocks[:1]:
        event = reference.event_of_delta(_first_delta(side, block))
        if reference.events.flags[event] & F.DOUBLE_WRAPPED:
            return "The payloads are framed twice."
        if event in reference.payload_faults:
            return "The payloads are no plain JSON."
        field = next(_fields(side), "")
        if field:
            return f"It does not read {field}."
    return "It made no block of this."


def _first_delta(side: Side, block: Block) -> int:
    return block.deltas[0] if len(block.deltas) else side.reference.deltas_of(block.first_event)[0]


def _fields(side: Side) -> Iterator[str]:
    """The fields of the reference's blocks of which a reader made none, from the first on."""
    reference = side.reference
    for block in reference.blocks[:20]:
        number_ = _first_delta(side, block)
        event = reference.event_of_delta(number_)
        place = number_ - reference.deltas_of(event)[0]
        delta = reference.deltas(event)[place]
        field = (delta.extra or {}).get("field")
        if field and not side.reads(event, place, delta.kind):
            yield visible(str(field))


def failed_events(side: Side, count: int) -> tuple[int, int]:
    """The events [from, to], of `count`, along which a client shows nothing and then fails: from where the
    reference's first block begins.
    """
    error = side.reading.client_error
    last = min(side.shown_event(error["event"]) if error is not None else count - 1, count - 1)
    first = min((block.first_event for block in side.reference.blocks[:1]), default=last)
    return min(first, last), last


def stopped_event(side: Side, count: int) -> int | None:
    """The event, of `count`, after which a client reads no further; None where it reads all or nothing more comes."""
    reading = side.reading
    if reading.stopped_at is None or not len(reading.events) or not count:
        return None
    event = side.shown_event(min(reading.stopped_at, len(reading.events) - 1))
    return event if event < count - 1 else None


def paint_never_read(painter: QPainter, theme: Theme, area: QRect, event: int, bottom: int) -> None:
    """The rest of the stream behind where a client stopped: hatched, with a word at its top that stays in view."""
    top, below = max(area.top(), -BEYOND), min(area.top() + area.height(), bottom + BEYOND)
    if below <= max(top, 0):
        return
    marks.hatch(painter, QRect(area.left(), top, area.width(), below - top), theme.veil("unread.line", 0.28), 8)
    words, font = f"never read, from event {number(event)} on", fonts.ui_font(fonts.SECONDARY, WEIGHT)
    y = min(max(area.top(), 0), area.top() + area.height() - ROW)
    shown = fonts.elided(font, words, area.width() - LEFT - PAD)
    patch = QRect(area.left(), y + 2, LEFT + round(fonts.text_width(font, shown)) + 8, ROW - 4)
    rounded(painter, patch, theme.color("unread.fill"), theme.color("unread.line"), 3)
    draw_icon(painter, area.left() + 8, y + (ROW - ICON) // 2, "unread", theme.color("unread.line"), ICON)
    draw_text(painter, area.left() + LEFT, fonts.baseline(y, ROW), shown, font, theme.color("unread.text"))


def paint_failed_block(painter: QPainter, theme: Theme, rect: QRect, words: tuple[str, str], bottom: int) -> None:
    """A block that should be there: hatched as all that is missing, with the error and what was not read on top of it.

    The words stay in view while the block is; the view ends at `bottom`.
    """
    top, below = max(rect.top(), -BEYOND), min(rect.top() + rect.height(), bottom + BEYOND)
    ground = QRect(rect.left(), top + 2, rect.width(), max(1, below - top - 4))
    rounded(painter, ground, theme.meaning("error").fill, None, 3)
    marks.hatch(painter, ground.adjusted(2, 2, -2, -2), theme.veil("error.line", 0.35))
    rounded(painter, ground, None, theme.color("error.line"), 3, 1.2, (4.5, 2.5))
    high = rect.height() > ROW
    error = _wrapped(words[0], rect.width() - LEFT - PAD) if high else [words[0]]
    lines = [*error, *([words[1]] if words[1] else [])]
    top = min(max(rect.top(), 0), rect.top() + rect.height() - ROW * len(lines))
    box = QRect(rect.left(), top + 2, rect.width(), ROW * len(lines) - 3)
    colors = theme.meaning("error")
    rounded(painter, box, theme.color("bg.pane"), None, 3)
    rounded(painter, box, colors.fill, colors.line, 3)
    for place, line in enumerate(lines):
        y = top + place * ROW
        meaning = "error" if place < len(error) else "unread"
        if place in (0, len(error)):
            ink = theme.color(f"{meaning}.line")
            draw_icon(painter, box.left() + 8, y + (ROW - ICON) // 2, meaning, ink, ICON)
        font = fonts.ui_font(fonts.BODY, WEIGHT)
        shown = fonts.elided(font, line, box.width() - LEFT - PAD)
        draw_text(painter, box.left() + LEFT, fonts.baseline(y, ROW), shown, font, theme.color(f"{meaning}.text"))


def _wrapped(words: str, room: int) -> list[str]:
    """An error in at most LINES lines, broken at blanks; the last one holds the rest."""
    font, lines = fonts.ui_font(fonts.BODY, WEIGHT), [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(lines) < LINES and fonts.text_width(font, longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
