"""How a card is painted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from inspector_app.core.text import number, visible
from inspector_app.ui import fonts, marks
from inspector_app.ui.find.marks import Found
from inspector_app.ui.find.paint import paint_found
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import CHIP_HEIGHT, chip_width, draw_chip, draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.views.bidi import draw_line
from inspector_app.ui.views.block_bars import missing_words, torn_bottom
from inspector_app.ui.views.block_names import end_words, icon_of, is_torn, meaning_of, server_runs
from inspector_app.ui.views.card_layout import (
    BOX_PAD,
    FIELD,
    FOOT,
    FOOT_LINE,
    FOOT_MARK,
    FRAME,
    HEAD,
    LEFT,
    LINE,
    RIGHT,
    VALUE,
    Card,
    Field,
)
from inspector_app.ui.views.media_view import NOUNS, Shown

ICON = 12
LONGEST = 300
DOTS = (1.5, 2.5)
BY_SERVER = "run by the server"


def paint_card(
    painter: QPainter, theme: Theme, card: Card, x: int, y: int, view: QRect, selected: bool, fragment: int,
    found: Sequence[Found] = (), picture: QImage | None = None,
) -> None:
    """Paints a card with its top left corner at (x, y), as far as it lies in `view`; `fragment` is lit, -1 for none;
    `found` are matches in its text, `picture` is what its media show.
    """
    rect = QRect(x, y, card.width, card.height)
    colors = theme.meaning(meaning_of(card.block.kind))
    rounded(painter, rect, theme.color("bg.pane"), None, 6)
    painter.save()
    painter.setClipRect(QRect(x, y, card.width, HEAD), Qt.ClipOperation.IntersectClip)
    rounded(painter, QRect(x, y, card.width, HEAD + 8), colors.fill, None, 6)
    painter.restore()
    rounded(painter, rect, None, *((colors.line, 6, 1, DOTS) if card.mended else (colors.edge, 6)))
    painter.save()
    painter.setClipRect(QRect(x, y, 3, card.height), Qt.ClipOperation.IntersectClip)
    rounded(painter, QRect(x, y, 12, card.height), colors.line, None, 6)
    painter.restore()
    _paint_head(painter, theme, card, x, y)
    at = y + HEAD + 5
    for entry in card.fields:
        _paint_field(painter, theme, card, entry, x, at)
        at += FIELD
    if card.arguments:
        base = fonts.baseline(at, FIELD)
        draw_text(painter, x + LEFT, base, "arguments", fonts.ui_font(fonts.BODY), theme.color("ink.2"))
        draw_text(painter, x + VALUE, base, card.arguments, fonts.ui_font(fonts.BODY), theme.color("ink.2"))
    if card.media is not None:
        _paint_media(painter, theme, card, card.media, picture, x, y)
    if card.flow is not None:
        _paint_text(painter, theme, card, x, y, view, fragment, found)
    _paint_citations(painter, theme, card, x, y)
    if card.opaque:
        _paint_opaque(painter, theme, card, x, y)
    if card.foot:
        _paint_foot(painter, theme, card, x, y)
    if is_torn(card.block):
        torn_bottom(painter, theme, rect, end_words(card.block)[1], "bg.alt")
    if selected:
        rounded(painter, rect.adjusted(-2, -2, 2, 2), None, theme.color("accent"), 7, 2)


def _paint_head(painter: QPainter, theme: Theme, card: Card, x: int, y: int) -> None:
    block, base = card.block, fonts.baseline(y, HEAD)
    colors = theme.meaning(meaning_of(block.kind))
    right = x + card.width - 8
    for (words, meaning, icon), place in chip_places(card):
        draw_chip(painter, theme, x + place.x(), y + place.y(), words, meaning, icon, weight=600)
        right = x + place.x() - 6
    draw_icon(painter, x + LEFT - 1, y + (HEAD - ICON) // 2, icon_of(block), colors.line, ICON)
    font = fonts.ui_font(fonts.BODY, 600)
    at = x + 34 + draw_text(painter, x + 34, base, card.name, font, colors.text) + 10
    meta = fonts.elided(fonts.ui_font(fonts.BODY), card.meta, max(0, int(right - at)))
    draw_text(painter, at, base, meta, fonts.ui_font(fonts.BODY), theme.color("ink.2"))


def _chips(card: Card) -> list[tuple[str, str, str]]:
    """The chips at the right of a head, from the right."""
    block, fields = card.block, card.block.fields
    out = []
    if server_runs(block):
        out.append((BY_SERVER, "tool", ""))
    elif "executable" in fields and block.state != "open":
        out.append(("can be run", "tool", "check") if fields["executable"] else ("cannot be run", "error", "close"))
    if block.state == "truncated":
        out.append((*end_words(block), ""))
    if card.mended:
        out.append((card.mended, "info", "wand"))
    return out


def chip_places(card: Card) -> Iterator[tuple[tuple[str, str, str], QRect]]:
    """The chips of a head and where each stands in its card, from the right; narrow cards leave out the last."""
    right = card.width - 8
    name = 34 + fonts.text_width(fonts.ui_font(fonts.BODY, 600), card.name)
    for chip in _chips(card):
        width = chip_width(chip[0], chip[2], weight=600)
        right -= width
        if right < name:
            return
        yield chip, QRect(right, (HEAD - CHIP_HEIGHT) // 2, width, CHIP_HEIGHT)
        right -= 6


def mended_chip(card: Card) -> QRect:
    """Where the chip "repaired" or "inferred" stands in its card; empty where there is none."""
    return next((place for chip, place in chip_places(card) if chip[0] == card.mended), QRect())


def field_at(card: Card, y: int) -> str | None:
    """The value of a call that stands at a height of its card, None for none."""
    place = (y - HEAD - 5) // FIELD
    return card.fields[place].value if 0 <= place < len(card.fields) else None


def has_room(card: Card, value: str) -> bool:
    """Whether a value of a call is shown whole."""
    room = card.width - VALUE - RIGHT - 12
    return len(value) <= LONGEST and fonts.text_width(fonts.wire_font(fonts.BODY), visible(value)) <= room


def _paint_field(painter: QPainter, theme: Theme, card: Card, entry: Field, x: int, y: int) -> None:
    base = fonts.baseline(y, FIELD)
    draw_text(painter, x + LEFT, base, entry.name, fonts.ui_font(fonts.BODY), theme.color("ink.2"))
    room = card.width - VALUE - RIGHT
    if entry.value is None:
        words = missing_words(entry.sent, room)
        marks.missing_box(painter, theme, QRect(x + VALUE, y + 3, room, FIELD - 6), words)
        return
    wire = fonts.wire_font(fonts.BODY)
    shown = fonts.elided(wire, visible(str(entry.value)[:LONGEST]), room - 12)
    width = round(fonts.text_width(wire, shown)) + 12
    colors = theme.meaning(meaning_of(card.block.kind))
    area = QRect(x + VALUE, y + 5, width, FIELD - 10)
    rounded(painter, area, *((None, theme.color("ink.3"), 3, 1, DOTS) if entry.made_up else (colors.fill, None, 3)))
    draw_text(painter, x + VALUE + 6, base, shown, wire, theme.color("ink.2") if entry.made_up else colors.text)


def _paint_text(
    painter: QPainter, theme: Theme, card: Card, x: int, y: int, view: QRect, fragment: int, found: Sequence[Found]
) -> None:
    flow = card.flow
    assert flow is not None
    top, left = y + card.text_top, x + LEFT
    lines = len(flow.lines) + (1 if flow.left_out else 0)
    if card.boxed:
        box = QRect(left, top, card.width - LEFT - RIGHT, lines * LINE + 12)
        rounded(painter, box, theme.color("bg.panel"), theme.color("line.soft"), 4)
        top, left = top + 6, left + BOX_PAD
    shown = card.lines_in(y, view)
    lit = flow.range_of(fragment) if fragment >= 0 else (0, 0)
    for number_ in shown:
        line_y = top + number_ * LINE
        start, end = flow.lines[number_]
        if lit[0] < end and lit[1] > start:
            for from_x, to_x in flow.boxes(number_, *lit):
                area = QRect(round(left + from_x) - 1, line_y + 1, round(to_x - from_x) + 2, LINE - 2)
                rounded(painter, area, theme.color("sel.fill"), None, 2)
        way, base, ink = flow.way(number_), fonts.baseline(line_y, LINE), theme.color("ink.1")
        draw_line(painter, left + flow.left_of(number_), base, flow.line(number_), flow.font, ink, way)
        here = [Found(max(a, start) - start, min(b, end) - start, now) for a, b, now in found if a < end and b > start]
        paint_found(
            painter, theme, left + flow.left_of(number_), line_y, LINE, flow.line(number_), flow.font, here, way
        )
    if flow.left_out and shown.stop == len(flow.lines):
        words = f"… +{number(flow.left_out)} characters, all of them in the rows"
        base = fonts.baseline(top + shown.stop * LINE, LINE)
        draw_text(painter, left, base, words, fonts.ui_font(fonts.BODY, italic=True), theme.color("ink.3"))


def _paint_media(
    painter: QPainter, theme: Theme, card: Card, media: Shown, picture: QImage | None, x: int, y: int
) -> None:
    """The picture in its frame, smaller in narrow cards; what cannot be shown says so."""
    top, left = y + card.media_top, x + LEFT
    words = media.why and f"{NOUNS.get(str(card.block.fields.get('media')), 'The picture')} {media.why}."
    if not media.room.isEmpty():
        room = card.width - LEFT - RIGHT - 2 * FRAME
        size = media.room
        if size.width() > room:
            size = size.scaled(QSize(max(1, room), size.height()), Qt.AspectRatioMode.KeepAspectRatio)
        frame = QRect(left, top, max(size.width(), 1) + 2 * FRAME, max(size.height(), 1) + 2 * FRAME)
        rounded(painter, frame, theme.color("bg.sunken"), theme.color("line.soft"), 4)
        if picture is None or picture.isNull():
            words = "The picture cannot be decoded."
        else:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(frame.adjusted(FRAME, FRAME, -FRAME, -FRAME), picture)
            painter.restore()
        left, top = left + frame.width() + (10 if words else 0), top + FRAME
    if words:
        font = fonts.ui_font(fonts.BODY, italic=True)
        room = x + card.width - RIGHT - left
        draw_text(painter, left, fonts.baseline(top, LINE), fonts.elided(font, words, room), font, theme.color("ink.3"))


def _paint_citations(painter: QPainter, theme: Theme, card: Card, x: int, y: int) -> None:
    font = fonts.ui_font(fonts.SECONDARY)
    for place, words in enumerate(card.citations):
        top = y + card.citations_top + place * LINE
        draw_icon(painter, x + LEFT, top + (LINE - ICON) // 2, "citation", theme.meaning("info").line, ICON)
        shown = fonts.elided(font, words, card.width - LEFT - ICON - 6 - RIGHT)
        draw_text(painter, x + LEFT + ICON + 6, fonts.baseline(top, LINE), shown, font, theme.color("ink.2"))


def _paint_opaque(painter: QPainter, theme: Theme, card: Card, x: int, y: int) -> None:
    top = y + card.foot_top - FIELD
    meaning = meaning_of(card.block.kind)
    marks.redacted(painter, theme, QRect(x + LEFT - 9, top, 140, FIELD - 6), meaning)
    base = fonts.baseline(top, FIELD - 6)
    draw_text(painter, x + LEFT + 110, base, card.opaque, fonts.ui_font(fonts.SECONDARY), theme.color("ink.2"))


def _paint_foot(painter: QPainter, theme: Theme, card: Card, x: int, y: int) -> None:
    top = y + card.foot_top
    painter.fillRect(QRect(x + 3, top, card.width - 4, 1), theme.color("line.soft"))
    base, at = fonts.baseline(top, FOOT), x + LEFT
    font, ink = fonts.ui_font(fonts.SECONDARY), theme.color("ink.2")
    if card.foot_kind in ("lengths", "broken"):
        ink = theme.color("error.text")
    elif card.foot_kind == "cut":
        draw_icon(painter, at, top + (FOOT - ICON) // 2, "scissors", theme.color("error.line"), ICON)
        at += FOOT_MARK
    elif card.foot_kind == "torn" and not card.block.fields.get("cancelled"):
        ink = theme.color("error.text")
    for line in card.foot_lines:
        draw_text(painter, at, base, fonts.elided(font, line, card.width - RIGHT - (at - x)), font, ink)
        base += FOOT_LINE
