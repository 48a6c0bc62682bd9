"""The raw lines: the bytes as they came, with what became of them and who did not read them."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QPainter, QWheelEvent
from PySide6.QtWidgets import QWidget

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, size, visible
from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import chip_width, draw_chip, draw_text
from inspector_app.ui.live import tail_paint
from inspector_app.ui.notes.gutter import gutter_words, paint_gutter
from inspector_app.ui.rows import RowMap, Tail
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.copies import Entry, rows_copied
from inspector_app.ui.views.evidence import MUTED, Evidence, Evidences
from inspector_app.ui.views.frame_text import frame_runs
from inspector_app.ui.views.line_ends import RULE, Tally, end_runs
from inspector_app.ui.views.line_paint import paint_runs, width_of
from inspector_app.ui.views.line_text import END as END_MARK
from inspector_app.ui.views.line_text import FOLD, TEXT, Run, runs_of, squeezed
from inspector_app.ui.views.pane_parts import SideBar
from inspector_app.ui.views.row_states import SELECTED, paint_state
from inspector_app.ui.views.row_view import ROW, RowView

NUMBER, MARK, WORDS = 48, 56, 80
"""The right edge of line numbers, the left edges of marks and of the bytes."""
WIDEST = 60_000
"""Pixels that a whole line can be scrolled through."""
SPOKEN = 200
MANY, SEEN = 1 << 14, 3000
"""Bytes from which a line is a long one, and those of it whose matches are all told apart."""
END = 16
"""Pixels left free behind the end of a line."""
FLAGS = {"comment-only": "comment", "dangling": "no blank line", "no-data": "no data", "not-json": "not JSON"}
"""Flags of an event that its first line shows as a chip."""
ALARMING = ("dangling", "not-json")
CHIP_GAP = 8


class RawLines(RowView):
    """The lines of the body. `whole` shows them without folds; a click on a fold, or Alt, opens one line."""

    lead = True
    name = "Raw lines"
    heads = ("line", "findings", "bytes as they came")
    copied_first = ("Copy this line", "Copy this event")

    def __init__(self, session: Session, look: Look, evidences: Evidences, parent: QWidget | None = None) -> None:
        self._loose = RowMap()
        super().__init__(session, look, evidences, parent)
        self._whole = False
        self._opened: set[int] = set()
        self._runs = lru_cache(maxsize=512)(self._make_runs)
        self._places: dict[int, list[tuple[int, int, Run]]] = {}
        self._body_evidence: Evidence | None = None
        self._tally = Tally()
        self._widest = 0
        self.side_bar = SideBar(self)
        """Whoever shows the lines puts it below them."""
        session.notes.changed.connect(self.viewport().update)

    def restart(self) -> None:
        """Another exchange is shown."""
        self._opened.clear()
        self._narrow_again()
        self.forget()

    def forget(self) -> None:
        """Readings or findings have changed."""
        self._body_evidence = None
        self._runs.cache_clear()
        self.viewport().update()

    def show_whole(self, whole: bool) -> None:
        """Folds what lines repeat, or shows all of it."""
        self._whole = whole
        self._opened.clear()
        self._narrow_again()
        self.forget()

    def column_widths(self, width: int) -> list[int]:
        return [MARK - 4, WORDS - MARK, max(width - WORDS + 4, self._widest)]

    # sideways

    def _narrow_again(self) -> None:
        self._widest = 0
        self._widen()
        self.horizontalScrollBar().setValue(0)

    def _widen(self) -> None:
        """Lines can be scrolled as far as the widest that was seen."""
        self.setColumnWidth(2, self.column_widths(self.viewport().width())[2])
        self.updateGeometries()

    def _see_width(self, right: int) -> bool:
        """Takes note of a line that ends at `right`; whether it is the widest so far."""
        wide = min(right - WORDS + END, WIDEST)
        wider = wide > max(self._widest, self.viewport().width() - WORDS + 4)
        if wider:
            self._widest = wide
        return wider

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not event.angleDelta().x():
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - event.angleDelta().y())
            return
        super().wheelEvent(event)

    # what rows hold

    def rows(self) -> RowMap:
        """The rows of events; where a body has none, as a page of HTML, its lines by themselves."""
        reference = self._session.reference
        if reference is None or not reference.ended or len(reference.events) or not len(reference.lines):
            return self._session.rows
        if len(self._loose) != len(reference.lines):
            self._loose = RowMap()
            self._loose.counts.extend([len(reference.lines)])
        return self._loose

    def _lines_of(self, reference: Reading | None, event: int) -> tuple[int, int]:
        if reference is None:
            return 0, 0
        return reference.lines_of(event) if len(reference.events) else (0, len(reference.lines))

    def _evidence(self, event: int) -> Evidence:
        reference = self._session.reference
        if reference is not None and len(reference.events):
            return self._evidences.of(event)
        if self._body_evidence is None:
            self._body_evidence = self._evidences.of_body() if reference is not None else Evidence(event)
        return self._body_evidence

    def _line_of(self, row: int) -> tuple[int, int | None]:
        """The event of a row and the line in it; None below the last line."""
        event, place = self.rows().at(row)
        first, last = self._lines_of(self._session.reference, event)
        return event, first + place if first + place < last else None

    def _make_runs(self, event: int, line: int, whole: bool) -> list[Run]:
        reference = self._session.reference
        assert reference is not None
        place = reference.lines[line]
        # In a line of many screens only the first matches are told apart, and the one that was gone to.
        seen = place.end if place.end - place.start <= MANY else place.start + SEEN
        found = self._evidences.found.in_bytes(place.start, seen) if place.start < seen else []
        if seen < place.end:
            found += [match for match in self._evidences.found.in_bytes(seen, place.end, 1) if match.current]
        make = frame_runs if reference.framing == "aws-eventstream" else runs_of
        runs = make(reference, self._evidence(event), line, whole=whole, found=found)
        return runs + end_runs(reference, line, self._tally.of(reference), RULE in self._session.mutes)

    def _shown_runs(self, event: int, line: int) -> list[Run]:
        """A line as it is painted: what is pointed at is in sight, whatever must be folded for it."""
        if self._whole or line in self._opened:
            return self._runs(event, line, True)
        return squeezed(self._runs(event, line, False), self.viewport().width() - WORDS - END, width_of)

    def cell(self, event: int, place: int, column: int) -> str:
        reference = self._session.reference
        if reference is None:
            return ""
        first, last = self._lines_of(reference, event)
        number = first + place
        if number >= last:
            return ""
        if column == 0:
            return f"{number}"
        if column == 1:
            notes = gutter_words(self._session.notes, event) if not place else []
            return ", ".join([*self._evidence(event).told.get(number, ()), *notes])
        line = reference.lines[number]
        if line.end == line.start:
            return "blank line"
        if reference.framing == "aws-eventstream":
            return clip(" ".join(run.text for run in self._runs(event, number, True)), SPOKEN)
        text = reference.body.slice(line.start, min(line.end, line.start + 4 * SPOKEN)).decode("utf-8", "replace")
        return visible(clip(text, SPOKEN))

    def copies_of_rows(self, rows: range) -> list[Entry]:
        reference = self._session.reference
        if reference is None:
            return []
        numbers = [line for row in rows if (line := self._line_of(row)[1]) is not None]
        starts = reference.lines.starts
        ends = [starts[n + 1] if n + 1 < len(starts) else reference.lines.size for n in numbers]
        return rows_copied(reference, [(starts[n], end) for n, end in zip(numbers, ends, strict=True)])

    # painting

    def paint_rows(self, painter: QPainter, first: int, last: int, top: int) -> None:
        reference = self._session.reference
        if reference is None:
            return
        for row in list(self._places):
            if not first - 200 <= row < last + 200:
                del self._places[row]
        wider = False
        for row in range(first, last):
            event, line = self._line_of(row)
            if line is not None:
                wider |= self._see_width(self._paint_line(painter, reference, event, line, row, row * ROW - top))
        if wider:
            QTimer.singleShot(0, self, self._widen)

    def paint_tail(self, painter: QPainter, tail: Tail, y: int) -> None:
        across = self.viewport().width(), self.horizontalScrollBar().value()
        if (reference := self._session.reference) is not None:
            tail_paint.paint_lines(painter, self._look.theme, reference, tail, y, *across)

    def tail_cell(self, place: int, column: int) -> str:
        return tail_paint.spoken(self._session.reference, self.rows().tail, place, column)

    def _paint_ground(self, painter: QPainter, event: int, rect: QRect) -> None:
        super()._paint_ground(painter, event, rect)
        reference, current = self._session.reference, self._session.selection.current
        if reference is None or len(reference.events) or current is None or current.start is None:
            return
        first = reference.lines.at(current.start)
        last = reference.lines.at(max(current.start, (current.end or 0) - 1))
        rows = QRect(0, rect.top() + first * ROW, rect.width(), (last + 1 - first) * ROW)
        paint_state(painter, self._look.theme, rows, SELECTED)

    def _paint_line(self, painter: QPainter, reference: Reading, event: int, line: int, row: int, y: int) -> int:
        """Paints a line, and gives where it would end if it were not scrolled sideways."""
        theme, base = self._look.theme, fonts.baseline(y, ROW)
        evidence = self._evidence(event)
        shift = self.horizontalScrollBar().value()
        chosen = event == self.selected_event()
        painter.save()
        painter.setClipRect(QRect(WORDS - 2, y, self.viewport().width() - WORDS + 2, ROW))
        x = WORDS - shift
        places = self._places[row] = []
        places_end = x
        for run in self._shown_runs(event, line):
            x += width_of(run)
            if places_end <= self.viewport().width():
                places.append((places_end, x, run))
            places_end = x
        paint_runs(painter, theme, places, y, chosen, self.viewport().width())
        if len(reference.events) and line == reference.lines_of(event)[0]:
            self._paint_flags(painter, reference, event, x, y)
        painter.restore()
        opens = not len(reference.events) or line == reference.lines_of(event)[0]
        paint_gutter(painter, theme, self._session.notes, event, opens, y, ROW)
        font = fonts.wire_font(fonts.SECONDARY)
        number = f"{line}"
        draw_text(painter, NUMBER - fonts.text_width(font, number), base, number, font, theme.color("ink.3"))
        mark = evidence.marks.get(line)
        if mark is not None:
            color = theme.color("ink.3") if mark[1] == MUTED else theme.meaning(mark[1]).line
            draw_icon(painter, MARK, y + (ROW - SMALL) // 2, mark[0], color, SMALL)
        return x + shift

    def show_bytes(self, start: int, end: int) -> None:
        """Scrolls to bytes [start, end) of what was found, down and sideways, as far as they are out of view."""
        reference, rows = self._session.reference, self.rows()
        if reference is None or not len(reference.lines) or not len(rows):
            return
        line = reference.lines.at(start)
        event = (reference.event_of_line(line) or 0) if len(reference.events) else 0
        if event >= rows.events:
            return
        self.show_row(rows.rows_of(event)[0] + line - self._lines_of(reference, event)[0])
        x, left, right = 0, -1, 0
        for run in self._shown_runs(event, line):
            before, x = x, x + width_of(run)
            if run.start < end and run.end > start and (run.start < run.end):
                left, right = before if left < 0 else left, x
        self._see_width(WORDS + x)
        self._widen()
        bar, room = self.horizontalScrollBar(), self.viewport().width() - WORDS - END
        if right <= room:
            bar.setValue(0)
        elif left < bar.value() or right > bar.value() + room:
            bar.setValue(max(0, min(left - room // 3, right - room // 2)))

    def _paint_flags(self, painter: QPainter, reference: Reading, event: int, x: int, y: int) -> None:
        flags = reference.event(event).flags if reference.events.flags[event] else ()
        chips = [(FLAGS[flag], "warning" if flag in ALARMING else "info") for flag in flags if flag in FLAGS]
        chips += self._evidence(event).chips
        theme, wide = self._look.theme, sum(chip_width(words) + CHIP_GAP for words, _ in chips)
        # Behind a line that goes on out of view nobody would see them.
        pinned = self.viewport().width() - wide - CHIP_GAP
        if chips and x > pinned:
            x = pinned
            ground = theme.color("sel.fill" if event == self.selected_event() else "bg.pane")
            painter.fillRect(QRect(x, y + 1, wide + CHIP_GAP, ROW - 2), ground)
        for words, meaning in chips:
            x += CHIP_GAP + draw_chip(painter, theme, x + CHIP_GAP, y + 2, words, meaning)

    # picking

    def words_at(self, row: int, x: int) -> str:
        event, line = self._line_of(row)
        if line is not None and x < WORDS:
            return "\n".join([*self._evidence(event).told.get(line, ()), *gutter_words(self._session.notes, event)])
        run = self._run_at(row, x)
        if run is not None and run.kind == FOLD:
            return f"{size(run.end - run.start)} that are not shown here. A click shows all of the line."
        if run is not None and run.kind == END_MARK:
            return f"This line ends in {run.text}."
        return ""

    def _run_at(self, row: int, x: int) -> Run | None:
        return next((run for left, right, run in self._places.get(row, ()) if left <= x < right), None)

    def pick(self, row: int, x: int, alone: bool) -> Selection | None:
        event, line = self._line_of(row)
        reference = self._session.reference
        if reference is None:
            return None
        if not len(reference.events) and line is not None:
            place = reference.lines[line]
            return Selection(0, line, reader=reference.reader, start=place.start, end=place.end)
        if line is None:
            return Selection(event)
        hit = self._run_at(row, x)
        if alone or (hit is not None and hit.kind == FOLD):
            self._opened ^= {line}
            self.forget()
        if hit is not None and hit.kind == TEXT and hit.pointer is not None:
            delta = None if hit.delta is None else reference.deltas_of(event)[0] + hit.delta
            start, end = reference.place(event, hit.pointer)
            return Selection(event, line, delta, hit.pointer, None, reference.reader, start, end)
        place = reference.lines[line]
        return Selection(event, line, reader=reference.reader, start=place.start, end=place.end)
