"""How one block is painted along its rows: look.md, "How each fact is drawn"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from inspector_app.core.text import visible
from inspector_app.core.types import Block
from inspector_app.ui import fonts, marks
from inspector_app.ui.find.marks import Found, shown_length
from inspector_app.ui.find.paint import paint_found
from inspector_app.ui.gaps import labels_of
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import CHIP_HEIGHT, chip_width, draw_chip, draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.views.bidi import Way, draw_line, way_of
from inspector_app.ui.views.block_names import BREAK_OFF, cannot_run, end_words, icon_of, meaning_of, server_runs
from inspector_app.ui.views.words import plural

ROW = 22
INSET, PAD = 18, 12
"""From the left edge of a bar to its words, and from its title to the right edge."""
ICON = 12
WAND, CROSS, CHIP_GAP, DOTS = "wand", "close", 8, (1.5, 2.5)
CANNOT_RUN = "cannot be run"
PALE = 0.5
THIN = 0.6
"""How far the lines between fragments fade towards the fill."""
BEYOND = 40
"""Pixels outside of the view that are still painted of a long bar."""
LONGEST, LEAST = 400, 16
"""Characters of a fragment that are looked at, and pixels below which nothing of it is shown."""
LABEL = 44
"""From the name of a field to its value."""
WORDS_ROOM = 64
"""Pixels that a title leaves to the fragment beside it."""
LEAST_WORDS = 44
"""The same of a title that is a name and no more."""
TEAR = 4
"""How high the teeth of a torn edge are."""
ROOMY = 400
"""From this width on a call has room for its name beside the whole title."""


class Part(NamedTuple):
    """What one delta gave to a block: the row it stands in, its text, its event, where that event's rows end, and what
    was found in the text.
    """

    y: int
    text: str
    event: int
    event_end: int
    found: tuple[Found, ...] = ()


@dataclass(slots=True)
class Bar:
    """A block as it lies in the view. `odd` gives it the paler fill, `alone` says that it is a fragment by itself,
    `band` are the rows of the selected event in it, `sent` the lines where a missing field was sent, `sticky` the y
    below which the title must stay.
    """

    block: Block
    name: str
    rect: QRect
    parts: list[Part]
    odd: bool
    alone: bool
    selected: bool
    band: QRect | None
    sent: dict[str, int]
    sticky: int
    view_bottom: int
    guest: tuple[str, str] | None = None
    """What the first delta gave to the block above as well: text and meaning."""
    note: str = ""
    """What is said of a block that has no text."""
    mended: str = ""
    """"repaired" or "inferred" where the block is not as it came."""
    lacks: tuple[str, ...] = ()
    """The fields of a call that are missing."""


def paint_bar(painter: QPainter, theme: Theme, bar: Bar) -> None:
    """Ground, edge, selected rows, fragments, title, and what ended it."""
    rect = _clipped(bar)
    meaning = meaning_of(bar.block.kind)
    colors = theme.meaning(meaning)
    fill = theme.mixed("bg.pane", f"{meaning}.fill", PALE) if bar.odd else colors.fill
    box = rect.adjusted(0, 2, 0, -2)
    rounded(painter, box, fill, *((colors.line, 3, 1, DOTS) if bar.mended else (colors.edge if bar.alone else None, 3)))
    if bar.band is not None:
        painter.fillRect(bar.band.intersected(box), theme.color("sel.fill"))
    painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), colors.line)
    _paint_parts(painter, theme, bar, box)
    _paint_title(painter, theme, bar, box, colors.text, colors.line)
    if bar.block.kind == "tool_call":
        _paint_call(painter, theme, bar, box)
    _paint_end(painter, theme, bar, box, fill)
    if bar.selected:
        rounded(painter, box.adjusted(-1, -1, 1, 1), None, theme.color("accent"), 4, 2)


def _clipped(bar: Bar) -> QRect:
    """The bar without what lies far outside: coordinates of millions of pixels are not painted well."""
    top = max(bar.rect.top(), -BEYOND)
    bottom = min(bar.rect.top() + bar.rect.height(), bar.view_bottom + BEYOND)
    return QRect(bar.rect.left(), top, bar.rect.width(), max(1, bottom - top))


def _paint_parts(painter: QPainter, theme: Theme, bar: Bar, box: QRect) -> None:
    wire = bar.block.kind == "tool_call"
    font = fonts.wire_font(fonts.BODY) if wire else fonts.ui_font(fonts.BODY, 500 if bar.alone else 400)
    left, right = box.left() + INSET, box.right() - PAD
    titled = _title_top(bar, box)
    for part in bar.parts:
        x = left
        if bar.guest is not None and part.y == bar.rect.top():
            x += _paint_guest(painter, theme, bar.guest, x, part.y, right)
        if part.text:
            room = right - x - (_head_width(bar) + 12 if titled - ROW < part.y <= titled else 0)
            if room >= LEAST:
                text = fonts.elided(font, one_line(part.text), room)
                base, way = fonts.baseline(part.y, ROW), Way.WIRE if wire else way_of(text)
                draw_line(painter, x, base, text, font, theme.color("ink.1"), way)
                found = [
                    Found(shown_length(part.text, start, "\n"), shown_length(part.text, end, "\n"), current)
                    for start, end, current in part.found
                ]
                paint_found(painter, theme, x, part.y, ROW, text, font, found, way)
    if bar.note and not any(part.text for part in bar.parts):
        _paint_note(painter, theme, bar, left, right - _head_width(bar) - 12)
    if not bar.alone:
        meaning = meaning_of(bar.block.kind)
        edge = theme.mixed(f"{meaning}.line", f"{meaning}.fill", THIN)
        for end in sorted({part.event_end for part in bar.parts}):
            y = end - 1
            if y < box.bottom() - 4:
                painter.fillRect(QRect(left, y, box.right() - 24 - left, 1), edge)


def _paint_note(painter: QPainter, theme: Theme, bar: Bar, left: int, right: int) -> None:
    """What a block without text holds, beside its title."""
    media = bar.block.kind == "media"
    font = fonts.ui_font(fonts.BODY) if media else fonts.wire_font(fonts.BODY)
    if right - left >= LEAST:
        base, shown = fonts.baseline(_title_top(bar, bar.rect), ROW), fonts.elided(font, bar.note, right - left)
        draw_line(painter, left, base, shown, font, theme.color("ink.1"), Way.WIRE)


def has_room(bar: Bar, text: str) -> bool:
    """Whether a fragment is shown whole where no title stands beside it."""
    font = fonts.wire_font(fonts.BODY) if bar.block.kind == "tool_call" else fonts.ui_font(fonts.BODY)
    room = bar.rect.width() - INSET - PAD - (_head_width(bar) + 12 if bar.alone else 0)
    return len(text) <= LONGEST and fonts.text_width(font, one_line(text)) <= room


def _paint_guest(painter: QPainter, theme: Theme, guest: tuple[str, str], x: int, y: int, right: int) -> int:
    """What the same delta gave to the block above, in that block's colours; gives the width it takes."""
    text, meaning = guest
    colors, font = theme.meaning(meaning), fonts.ui_font(fonts.BODY)
    shown = fonts.elided(font, one_line(text), max(20, (right - x) // 3))
    width = round(fonts.text_width(font, shown)) + 8
    rounded(painter, QRect(x - 4, y + 4, width, ROW - 7), colors.fill, colors.edge, 3)
    draw_text(painter, x, fonts.baseline(y, ROW), shown, font, colors.text)
    return width + 4


def one_line(text: str) -> str:
    """The beginning of a text for one row; the end of a line is an arrow."""
    return visible(text[:LONGEST], keep="\n").replace("\n", "↵")


def _title(bar: Bar) -> str:
    """The title: the most of it that leaves the fragments some room, in narrow bars the mark alone."""
    state = " · open" if bar.block.state == "open" else " · run by the server" if server_runs(bar.block) else ""
    named = f"{bar.name} · choice {bar.block.choice}" if bar.block.choice else bar.name
    if bar.alone:
        words = [f"{named}{state}", named] if server_runs(bar.block) else [named]
    else:
        words = [f"{named} · {plural(len(bar.block.deltas), 'delta')}{state}", f"{named}{state}", named]
        if bar.block.kind == "tool_call" and bar.rect.width() < ROOMY:
            del words[0]
    room = bar.rect.width() - INSET - PAD - (0 if bar.alone else ICON + 6)
    font = fonts.ui_font(fonts.BODY, 600)
    gap = _gap_room(bar)
    left = gap + chip_width("", CROSS) + CHIP_GAP if gap else 0
    rooms = [*((title, room - max(WORDS_ROOM, left)) for title in words), (bar.name, room - max(LEAST_WORDS, left))]
    return next((title for title, least in rooms if fonts.text_width(font, title) <= least), "")


def _title_width(bar: Bar) -> int:
    title = _title(bar)
    words = round(fonts.text_width(fonts.ui_font(fonts.BODY, 600), title)) if title else 0
    return words + (0 if bar.alone else ICON) + (6 if words and not bar.alone else 0)


def _head_width(bar: Bar) -> int:
    """Title and chips."""
    chips = [chip for chip in (broken_chip(bar), mended_chip(bar)) if not chip.isEmpty()]
    return _title_width(bar) + sum(chip.width() + CHIP_GAP for chip in chips)


def broken_chip(bar: Bar) -> QRect:
    """Where it stands that a call cannot be run, left of its title; empty where it can."""
    if not cannot_run(bar.block):
        return QRect()
    right = bar.rect.right() - PAD - _title_width(bar) - CHIP_GAP
    width = chip_width(CANNOT_RUN, CROSS)
    if right - width - bar.rect.left() < INSET + max(WORDS_ROOM, _gap_room(bar)):
        width = chip_width("", CROSS)
    return QRect(right - width, _title_top(bar, bar.rect) + (ROW - CHIP_HEIGHT) // 2, width, CHIP_HEIGHT)


def _gap_room(bar: Bar) -> int:
    """What the gap of a missing name needs left of the title: that something is missing says more than any chip."""
    first = next(iter(labels_of(bar.block, bar.lacks)), None)
    return LABEL + marks.missing_width("MISSING") + 12 if first is not None and first[1] is None else 0


def mended_chip(bar: Bar) -> QRect:
    """Where the chip of a block that is not as it came stands, left of its title; empty where there is no such chip."""
    if not bar.mended:
        return QRect()
    right = bar.rect.right() - PAD - _title_width(bar) - CHIP_GAP
    broken = broken_chip(bar)
    right -= 0 if broken.isEmpty() else broken.width() + CHIP_GAP
    width = chip_width(bar.mended, WAND)
    if right - width - bar.rect.left() < INSET + WORDS_ROOM:
        width = chip_width("", WAND)
    return QRect(right - width, _title_top(bar, bar.rect) + (ROW - CHIP_HEIGHT) // 2, width, CHIP_HEIGHT)


def _title_top(bar: Bar, box: QRect) -> int:
    if bar.alone:
        return bar.rect.top()
    return min(max(bar.rect.top(), bar.sticky), bar.rect.top() + bar.rect.height() - ROW)


def _paint_title(painter: QPainter, theme: Theme, bar: Bar, box: QRect, ink: QColor, line: QColor) -> None:
    y = _title_top(bar, box)
    x = box.right() - PAD - _title_width(bar)
    for chip, said, meaning, glyph in (
        (broken_chip(bar), CANNOT_RUN, "error", CROSS), (mended_chip(bar), bar.mended, "info", WAND)
    ):  # fmt: skip
        if not chip.isEmpty():
            words = said if chip.width() > chip_width("", glyph) else ""
            draw_chip(painter, theme, chip.x(), chip.y(), words, meaning, glyph)
    if not bar.alone:
        draw_icon(painter, x, y + (ROW - ICON) // 2, icon_of(bar.block), line, ICON)
        x += ICON + 6
    draw_text(painter, x, fonts.baseline(y, ROW), _title(bar), fonts.ui_font(fonts.BODY, 600), ink)


def _paint_end(painter: QPainter, theme: Theme, bar: Bar, box: QRect, fill: QColor) -> None:
    block = bar.block
    y = bar.rect.top() + bar.rect.height() - ROW
    if "closed_on" in block.fields and bar.rect.height() >= 2 * ROW:
        ink = theme.color("error.text" if bar.selected else "ink.2")
        left = box.left() + INSET
        draw_icon(painter, left, y + (ROW - ICON) // 2 - 1, "scissors", theme.color("error.line"), ICON)
        font, base = fonts.ui_font(fonts.SECONDARY), fonts.baseline(y, ROW) - 1
        count = plural(len(block.deltas), "delta")
        width = round(fonts.text_width(font, count))
        room = box.right() - PAD - width - 8 - left - ICON - 5
        words = fonts.elided(font, f"closed by {visible(block.fields['closed_on'][:80])}", max(0, room))
        draw_text(painter, left + ICON + 5, base, words, font, ink)
        draw_text(painter, box.right() - PAD - width, base, count, font, theme.color("ink.2"))
    elif (said := end_words(block))[0]:
        words, meaning = said
        if block.state == "truncated" or words == BREAK_OFF:
            # On the very edge of the row, where no letter reaches down to it.
            torn_bottom(painter, theme, box.adjusted(0, 0, 0, 2), meaning)
        if bar.rect.height() >= 2 * ROW:
            draw_chip(painter, theme, box.right() - PAD - chip_width(words), y - 5, words, meaning)
    elif block.state == "open":
        marks.dashes(painter, box.left(), box.right(), box.bottom(), theme.meaning(meaning_of(block.kind)).line)


def torn_bottom(painter: QPainter, theme: Theme, box: QRect, meaning: str, behind: str = "bg.pane") -> None:
    """The lower edge of a block that breaks off; `behind` is what lies beyond it."""
    bottom, step = box.bottom() + 1, 8
    tear = [
        QPointF(box.left() + step * i, bottom - TEAR * (i % 2)) for i in range(max(2, box.width() // step) + 1)
    ]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(behind))
    painter.drawPolygon(QPolygonF([*tear, QPointF(box.right() + 1, bottom + 1), QPointF(box.left(), bottom + 1)]))
    painter.setPen(QPen(theme.meaning(meaning).line, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPolyline(QPolygonF(tear))
    painter.restore()


def missing_words(line: int | None, room: int) -> str:
    """What stands in the gap of a missing field, as much as there is room for."""
    if line is None:
        return "MISSING"
    longest = (f"MISSING · sent in line {line}", f"MISSING · line {line}")
    return next((words for words in longest if marks.missing_width(words) <= room), "MISSING")


def _paint_call(painter: QPainter, theme: Theme, bar: Bar, box: QRect) -> None:
    """Name and id of a call in its first two rows, as gaps where they are missing."""
    taken = {part.y for part in bar.parts if part.text}
    top = bar.rect.top()
    for place, (name, value, made_up) in enumerate(labels_of(bar.block, bar.lacks)):
        y = top + place * ROW
        if y >= top + bar.rect.height() or y + ROW < 0:
            continue
        left = box.left() + INSET
        right = box.right() - PAD - (_head_width(bar) + 12 if place == 0 else 0)
        font = fonts.ui_font(fonts.BODY)
        if y in taken:
            text = next(part.text for part in bar.parts if part.y == y)
            left += round(fonts.text_width(fonts.wire_font(fonts.BODY), one_line(text))) + 16
        draw_text(painter, left, fonts.baseline(y, ROW), name, font, theme.color("ink.2"))
        left += LABEL
        if value is None:
            words = missing_words(bar.sent.get(name), right - left)
            width = min(marks.missing_width(words), max(24, right - left))
            marks.missing_box(painter, theme, QRect(left, y + 2, width, ROW - 4), words)
        elif right - left > 16:
            wire = fonts.wire_font(fonts.BODY)
            shown = fonts.elided(wire, visible(str(value)[:LONGEST]), right - left)
            width = round(fonts.text_width(wire, shown))
            area = QRect(left - 4, y + 3, width + 8, ROW - 6)
            dotted, filled = (None, theme.color("ink.3"), 3, 1, DOTS), (theme.color("tool.fill"), None, 3)
            rounded(painter, area, *(dotted if made_up else filled))
            ink = theme.color("ink.2" if made_up else "tool.text")
            draw_text(painter, left, fonts.baseline(y, ROW), shown, wire, ink)
