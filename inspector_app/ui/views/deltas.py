"""The deltas: what each event says, one statement a row."""

from __future__ import annotations

import json
from typing import NamedTuple

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, visible
from inspector_app.core.types import NO_TIME
from inspector_app.ui import fonts, marks
from inspector_app.ui.find.marks import Found
from inspector_app.ui.find.paint import paint_found
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import chip_width, draw_chip, draw_text, rounded
from inspector_app.ui.live import tail_paint
from inspector_app.ui.rows import Tail
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.bidi import Way, draw_line
from inspector_app.ui.views.copies import Entry, texts_copied
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.row_view import ROW, RowView
from inspector_app.ui.views.words import kind_of, milliseconds, place_in_value, value_of

TIME, NARROW_TIME = 12, 6
"""The margin right of the times."""
MARK = 12
KEPT = 1000
"""Rows whose cut values are kept for tips."""
LONGEST_POINTER = 300
PIECES = ("tool.args", "tool.args.patch")
"""Kinds whose values are pieces of a text that is JSON only as a whole."""
NOTHING = {"comment-only": "comment, no event dispatched", "no-data": "no data, no event dispatched"}


def is_timed(reading: Reading | None) -> bool:
    """Whether any time was measured; without, the pane shows order alone."""
    times = None if reading is None else reading.exchange.read_times
    if reading is None or times is None:
        return False
    waits = not len(times) and reading.exchange.timing != "none"
    return waits or any(time != NO_TIME for time in times)


class Places(NamedTuple):
    """The right edge of event numbers, the left edges of marks, kinds and values."""

    event: int
    kind: int
    word: int
    value: int


WIDE, NARROW = Places(48, 62, 81, 162), Places(36, 42, 58, 125)
NARROW_BELOW = 300


def places_in(width: int) -> Places:
    """Where the columns stand in a pane of this width."""
    return NARROW if width < NARROW_BELOW else WIDE


def margin_in(width: int) -> int:
    """The margin right of the times in a pane of this width."""
    return NARROW_TIME if width < NARROW_BELOW else TIME


class Deltas(RowView):
    """The deltas of the reference, with those marked that a chosen reader does not read."""

    name = "Deltas"
    heads = ("event", "kind", "value", "milliseconds")
    copied_first = ("Copy value",)

    def __init__(self, session: Session, look: Look, evidences: Evidences, parent: QWidget | None = None) -> None:
        super().__init__(session, look, evidences, parent)
        self._cut: dict[int, str] = {}
        """Row -> a value that there was no room for."""

    def column_widths(self, width: int) -> list[int]:
        at, time = places_in(width), 36 + margin_in(width)
        return [at.kind - 4, at.value - at.kind, max(0, width - at.value - time + 4), time]

    def cell(self, event: int, place: int, column: int) -> str:
        reference = self._session.reference
        if reference is None:
            return ""
        deltas = reference.deltas(event)
        if column == 0:
            return f"{event}" if place == 0 else ""
        if place >= len(deltas):
            return ""
        if column == 1:
            unread = place in self._evidences.of(event).skipped
            return kind_of(deltas[place]).word + (", not read" if unread else "")
        if column == 2:
            return value_of(deltas[place])[0]
        return self._time(reference, event) if place == 0 else ""

    def copies_of_rows(self, rows: range) -> list[Entry]:
        reference = self._session.reference
        if reference is None:
            return []
        values = []
        for event, place in map(self._session.rows.at, rows):
            deltas = reference.deltas(event)
            if place < len(deltas):
                value = deltas[place].value
                values.append(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
        return texts_copied("value", values)

    def _time(self, reference: Reading, event: int) -> str:
        """The milliseconds since the event before that says something, nothing where a time is not known."""
        time = reference.time_of(event)
        before = event - 1
        while before >= 0 and event - before < 100 and not reference.layouts[reference.events.layouts[before]].rows:
            before -= 1
        earlier = reference.time_of(before) if before >= 0 else None
        return "" if time is None or earlier is None else milliseconds(time - earlier)

    # painting

    def paint_rows(self, painter: QPainter, first: int, last: int, top: int) -> None:
        reference = self._session.reference
        if reference is None:
            return
        if len(self._cut) > KEPT:
            self._cut.clear()
        rows = self._session.rows
        for row in range(first, last):
            event, place = rows.at(row)
            self._paint_delta(painter, reference, event, place, row * ROW - top)

    def paint_tail(self, painter: QPainter, tail: Tail, y: int) -> None:
        words, width = tail_paint.waiting_words(tail), self.viewport().width()
        if words:
            at = places_in(width)
            tail_paint.paint_ghost(
                painter, self._look.theme, self._session.rows.events, words, y, (at.event, at.kind), width
            )

    def tail_cell(self, place: int, column: int) -> str:
        tail = self.rows().tail
        return tail_paint.waiting_words(tail) if tail is not None and (place, column) == (0, 2) else ""

    def _paint_delta(self, painter: QPainter, reference: Reading, event: int, place: int, y: int) -> None:
        theme, base, width = self._look.theme, fonts.baseline(y, ROW), self.viewport().width()
        at = places_in(width)
        evidence = self._evidences.of(event)
        if place == 0:
            chosen = event == self.selected_event()
            font = fonts.wire_font(fonts.SECONDARY, 600 if chosen else 400)
            number = f"{event}"
            ink = theme.color("ink.1" if chosen else "ink.3")
            draw_text(painter, at.event - fonts.text_width(font, number), base, number, font, ink)
        if place >= len(evidence.deltas):
            if place == 0:
                self._paint_nothing(painter, reference, event, base)
            return
        delta = evidence.deltas[place]
        if place not in evidence.values:
            evidence.values[place] = value_of(delta)
        kind, (value, empty) = kind_of(delta), evidence.values[place]
        unread = place in evidence.skipped
        icon_ink, word_ink = (
            (theme.meaning(kind.meaning).line, theme.meaning(kind.meaning).text)
            if kind.meaning
            else (theme.color("ink.2"), theme.color("ink.1"))
        )
        draw_icon(painter, at.kind, y + (ROW - MARK) // 2, kind.icon, icon_ink, MARK)
        word_font = fonts.ui_font(fonts.BODY)
        word = fonts.elided(word_font, kind.word, at.value - at.word - 4)
        draw_text(painter, at.word, base, word, word_font, word_ink)
        right = width - margin_in(width)
        if unread:
            draw_icon(painter, right - MARK, y + (ROW - MARK) // 2, "unread", theme.color("unread.line"), MARK)
            right -= MARK + 5
        elif place == 0 and (time := self._time(reference, event)):
            font = fonts.wire_font(fonts.SECONDARY)
            right -= round(fonts.text_width(font, time))
            draw_text(painter, right, base, time, font, theme.color("ink.3"))
            right -= 8
        found = [
            Found(place_in_value(delta, start), place_in_value(delta, end), current)
            for start, end, current in self._evidences.found.in_delta(reference.deltas_of(event)[0] + place)
        ]
        piece = delta.kind in PIECES and not unread
        row = self._session.rows.rows_of(event)[0] + place
        if self._paint_value(painter, value, empty, unread, at.value, right, y, found, piece):
            self._cut[row] = value
        else:
            self._cut.pop(row, None)

    def _paint_value(
        self,
        painter: QPainter,
        value: str,
        empty: bool,
        unread: bool,
        left: int,
        right: int,
        y: int,
        found: list[Found],
        piece: bool,
    ) -> bool:
        """Paints a value; whether it had to be cut. A chip gives way before it."""
        theme, base = self._look.theme, fonts.baseline(y, ROW)
        font = fonts.wire_font(fonts.BODY)
        chip = chip_width("empty") + 8 if empty else 0
        if fonts.text_width(font, value) > right - left - chip:
            chip = 0
        shown = fonts.elided(font, value, max(0, right - left - chip))
        width = round(fonts.text_width(font, shown))
        if unread:
            marks.unread_underline(painter, theme, left, left + width, base + 3)
        elif piece and shown:
            # A piece of JSON as it came: on a ground of its own, so that nobody takes its quotes for ours.
            rounded(painter, QRect(left - 2, y + 3, width + 4, ROW - 6), theme.color("tool.fill"), None, 2)
        ink = theme.color("ink.3" if unread else "tool.text" if piece else "ink.1")
        draw_line(painter, left, base, shown, font, ink, Way.WIRE)
        paint_found(painter, theme, left, y, ROW, shown, font, found, Way.WIRE)
        if chip:
            draw_chip(painter, theme, left + width + 8, y + 2, "empty", "warning")
        elif empty and not unread:
            marks.underline(painter, theme, left, left + width, base + 3, "warning")
        return shown != value

    def _paint_nothing(self, painter: QPainter, reference: Reading, event: int, base: int) -> None:
        words = [NOTHING[flag] for flag in reference.event(event).flags if flag in NOTHING]
        if event == reference.marker_event:
            words = [f"end marker {reference.marker}"]
        if words:
            font = fonts.ui_font(fonts.BODY, italic=True)
            x = places_in(self.viewport().width()).kind
            draw_text(painter, x, base, words[0], font, self._look.theme.color("ink.3"))

    def words_at(self, row: int, x: int) -> str:
        event, place = self.rows().at(row)
        evidence = self._evidences.of(event)
        told = [self._cut[row]] if row in self._cut and x >= places_in(self.viewport().width()).value else []
        told += [f"not read by {' and '.join(evidence.readers)}"] if place in evidence.skipped else []
        return "\n".join(filter(None, [*told, visible(clip(self._pointer_of(event, place) or "", LONGEST_POINTER))]))

    def _pointer_of(self, event: int, place: int) -> str | None:
        """Where in its payload a delta was read from; None for a row without one."""
        reference = self._session.reference
        deltas = reference.deltas(event) if reference is not None and event < len(reference.events) else []
        return deltas[place].pointer if place < len(deltas) else None

    def pick(self, row: int, x: int, alone: bool) -> Selection | None:
        event, place = self._session.rows.at(row)
        reference = self._session.reference
        if reference is None:
            return None
        first, last = reference.deltas_of(event)
        if first + place >= last:
            return Selection(event)
        pointer = reference.deltas(event)[place].pointer
        start, end = reference.place(event, pointer)
        return Selection(event, None, first + place, pointer, None, reference.reader, start, end)
