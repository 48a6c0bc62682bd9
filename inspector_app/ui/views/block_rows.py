"""The blocks along the rows that built them: one column for each chosen reading."""

from __future__ import annotations

import json
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, visible
from inspector_app.core.types import Block
from inspector_app.ui.live import tail_paint
from inspector_app.ui.rows import Tail
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.block_bars import Bar, Part, has_room, mended_chip, one_line, paint_bar
from inspector_app.ui.views.block_names import meaning_of
from inspector_app.ui.views.card_layout import RESULTS, shortened
from inspector_app.ui.views.copies import BLOCK_FIRST, Entry, texts_copied
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.failures import (
    failed_events,
    failure_words,
    nothing_words,
    paint_failed_block,
    paint_never_read,
    skipped_words,
    stopped_event,
)
from inspector_app.ui.views.media_view import MediaView
from inspector_app.ui.views.row_view import ROW, RowView
from inspector_app.ui.views.sides import Side
from inspector_app.ui.views.words import value_of

LEFT_SHARE = 0.54
MARGIN, RIGHT_MARGIN = 8, 12
SPOKEN = 200
MANY = 2000
"""Blocks whose notes are kept."""


class Column(NamedTuple):
    """One reading's part of the pane."""

    side: Side
    left: int
    width: int


def columns_of(sides: list[Side], width: int, share: float = LEFT_SHARE) -> list[Column]:
    """Where each reading stands in a pane of this width."""
    if len(sides) < 2:
        return [Column(side, 0, width) for side in sides]
    first = round(width * share)
    return [Column(sides[0], 0, first), Column(sides[1], first, width - first)]


class BlockRows(RowView):
    """The aligned view of the blocks."""

    lines_between = False
    name = "Blocks"
    heads = ("chosen reading", "compared reading")
    copied_first = BLOCK_FIRST

    def __init__(self, session: Session, look: Look, evidences: Evidences, parent: QWidget | None = None) -> None:
        super().__init__(session, look, evidences, parent)
        self._media = MediaView()
        self._notes: dict[int, tuple[Block, int, str]] = {}

    def column_widths(self, width: int) -> list[int]:
        return [round(width * LEFT_SHARE), width - round(width * LEFT_SHARE)]

    def columns(self) -> list[Column]:
        """The readings' columns as they are now."""
        return columns_of(self._evidences.sides, self.viewport().width())

    def cell(self, event: int, place: int, column: int) -> str:
        sides = self._evidences.sides
        n, text = self._given(sides[column], event, place) if column < len(sides) else (-1, "")
        if n < 0:
            return ""
        name = self._evidences.index_of(sides[column]).names[n]
        return f"{name}: {clip(visible(text[: 4 * SPOKEN]), SPOKEN)}"

    def _given(self, side: Side, event: int, place: int) -> tuple[int, str]:
        """The block that the delta of a row went into (-1 for none), and what it gave to it."""
        first, last = side.reference.deltas_of(event)
        number = side.own_delta(event, place) if first + place < last else None
        if number is None or number >= len(side.reading.delta_blocks):
            return -1, ""
        n = side.reading.delta_blocks[number]
        index, fragments = self._evidences.index_of(side), side.reading.blocks[n].fragments if n >= 0 else []
        return n, "".join(fragments[i] for i in index.fragment_range(n, number, number)) if n >= 0 else ""

    def copies_of_rows(self, rows: range) -> list[Entry]:
        sides, current = self._evidences.sides, self._session.selection.current
        reader = current.reader if current is not None else None
        side = next((side for side in sides if side.reading.reader == reader), sides[0] if sides else None)
        if side is None:
            return []
        given = (self._given(side, *self._session.rows.at(row))[1] for row in rows)
        return texts_copied("fragment", [text for text in given if text])

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Paints all of it again: titles of long blocks stay in view while the rows move."""
        super().scrollContentsBy(dx, dy)
        self.viewport().update()

    # painting

    def paint_rows(self, painter: QPainter, first: int, last: int, top: int) -> None:
        theme = self._look.theme
        columns = self.columns()
        for column in columns:
            if column.left:
                painter.fillRect(QRect(column.left, 0, 1, self.viewport().height()), theme.color("line"))
            painter.save()
            painter.setClipRect(QRect(column.left, 0, column.width, self.viewport().height()))
            for bar in self._bars(column, first, last, top):
                paint_bar(painter, theme, bar)
            alone = len(columns) > 1 and self._session.complete and not column.side.reading.blocks
            if alone and column.side.reading.client_error is None:
                area = QRect(column.left, 0, column.width, self.viewport().height())
                paint_empty(painter, self._look, area, "unread", *self._nothing(column.side))
            self._paint_rest(painter, column, top)
            self._paint_failure(painter, column, top)
            painter.restore()

    def _paint_rest(self, painter: QPainter, column: Column, top: int) -> None:
        """What comes behind the event at which a client stopped."""
        rows = self._session.rows
        stop = stopped_event(column.side, rows.events) if self._session.complete else None
        if stop is None:
            return
        begin, end = rows.rows_of(stop)[1], rows.rows_of(rows.events - 1)[1]
        width = column.width - MARGIN - RIGHT_MARGIN
        area = QRect(column.left + MARGIN, begin * ROW - top, width, (end - begin) * ROW)
        paint_never_read(painter, self._look.theme, area, stop + 1, self.viewport().height())

    def paint_tail(self, painter: QPainter, tail: Tail, y: int) -> None:
        if tail.block < 0:
            return
        column = self.columns()[0]
        blocks, width = column.side.reading.blocks, column.width - MARGIN - RIGHT_MARGIN
        if tail.block < len(blocks):
            rect = QRect(column.left + MARGIN, y, width, ROW)
            tail_paint.paint_next(painter, self._look.theme, blocks[tail.block].kind, rect)

    def tail_cell(self, place: int, column: int) -> str:
        tail = self.rows().tail
        here = tail is not None and tail.block >= 0 and (place, column) == (0, 0)
        return "open, next fragment appears here" if here else ""

    def _nothing(self, side: Side) -> tuple[str, str]:
        """What is said where a reading has no block at all: that it shows nothing, and why."""
        return f"{self._session.short_title_of(side.reading.reader)} shows nothing", nothing_words(side)

    def _paint_failure(self, painter: QPainter, column: Column, top: int) -> None:
        """The error that a client ends in: in the last row of the event at which it does, or, if it shows nothing
        until then, along all that it should have shown.
        """
        side, rows = column.side, self._session.rows
        if side.reading.client_error is None or not rows.events:
            return
        first, last = failed_events(side, rows.events)
        begin, end = rows.rows_of(first)[0], rows.rows_of(last)[1]
        nothing = self._session.complete and not side.reading.blocks
        words = failure_words(side), skipped_words(side) if nothing else ""
        begin = begin if nothing else end - 1
        width = column.width - MARGIN - RIGHT_MARGIN
        rect = QRect(column.left + MARGIN, begin * ROW - top, width, (end - begin) * ROW)
        paint_failed_block(painter, self._look.theme, rect, words, self.viewport().height())

    def _bars(self, column: Column, first: int, last: int, top: int) -> list[Bar]:
        """The bars in view of one reading."""
        rows, side = self._session.rows, column.side
        index = self._evidences.index_of(side)
        span = self._own_deltas(side, rows.at(first)[0], rows.at(last - 1)[0])
        numbers = list(index.over(*span)) if span is not None else []
        room = column.width - MARGIN - RIGHT_MARGIN
        bars = []
        extents = {n: self._extent(side, n) for n in numbers}
        after: dict[int, int] = {}
        for n in reversed(numbers):
            begin, end = extents[n]
            following = after.get(index.lanes[n])
            if following is not None:
                extents[n] = begin, min(end, max(following, begin + 1))
            after[index.lanes[n]] = begin
        for n in numbers:
            begin, end = extents[n]
            lanes = index.lanes_beside(n)
            width = room // lanes
            left = column.left + MARGIN + index.lanes[n] * width
            rect = QRect(left, begin * ROW - top, width - (4 if lanes > 1 else 0), (end - begin) * ROW)
            bars.append(self._bar(side, n, rect, begin, end, first, last, top))
            bars[-1].guest = self._guest(side, n, numbers)
        return bars

    def _guest(self, side: Side, n: int, numbers: list[int]) -> tuple[str, str] | None:
        """Text and meaning of what the first delta of block n gave to the block above: `twice.</think>Go`."""
        index, blocks = self._evidences.index_of(side), side.reading.blocks
        for other in numbers:
            shared = index.lasts[other] == index.firsts[n] and index.lanes[other] == index.lanes[n]
            if other != n and shared and index.firsts[other] < index.firsts[n]:
                place = len(blocks[other].deltas) - 1
                text = blocks[other].fragments[place] if 0 <= place < len(blocks[other].fragments) else ""
                return (text, meaning_of(blocks[other].kind)) if text else None
        return None

    def _bar(self, side: Side, n: int, rect: QRect, begin: int, end: int, first: int, last: int, top: int) -> Bar:
        index, block = self._evidences.index_of(side), side.reading.blocks[n]
        parts = [
            part._replace(y=part.y * ROW - top, event_end=part.event_end * ROW - top)
            for part in self._parts(side, n, max(begin, first), min(end, last))
        ]
        alone = len(block.deltas) <= 1 or "closed_on" in block.fields
        return Bar(
            block,
            index.names[n],
            rect,
            parts,
            odd=n % 2 == 1 or not alone,
            alone=alone,
            selected=self._outlined(side, block, begin, end),
            band=self._band(begin, end, top, rect),
            sent=self.sent_elsewhere(side, block),
            sticky=-top % ROW,
            view_bottom=self.viewport().height(),
            note=self._note(side.reading, block),
            mended=self._session.mended(side.reading).get(n, ""),
            lacks=self._evidences.lacks(side, block),
        )

    def _note(self, reading: Reading, block: Block) -> str:
        """What is said of a block that has no text: of media their format and size, of a result what it holds."""
        if block.kind == "media":
            return self._media.of(reading, block).words
        held = block.fields.get("result") if block.kind in RESULTS else None
        if held is None or held == "":
            return ""
        known = self._notes.get(id(block))
        if known is None or known[:2] != (block, len(block.deltas)):
            if len(self._notes) > MANY:
                self._notes.clear()
            text = held if isinstance(held, str) else json.dumps(shortened(held), ensure_ascii=False, default=str)
            known = self._notes[id(block)] = block, len(block.deltas), one_line(text)
        return known[2]

    def _parts(self, side: Side, n: int, first: int, last: int) -> list[Part]:
        """The fragments of a block that stand in rows [first, last); `y` is the row."""
        if first >= last:
            return []
        rows, index, block = self._session.rows, self._evidences.index_of(side), side.reading.blocks[n]
        span = self._own_deltas(side, rows.at(first)[0], rows.at(last - 1)[0])
        parts = []
        for i in index.fragment_range(n, *span) if span is not None else ():
            event, place = side.place_of(block.deltas[i])
            if event >= rows.events:
                continue  # read already, but not shown before the next tick
            row = rows.rows_of(event)[0] + place
            if first <= row < last:
                fragment = block.fragments[i] if i < len(block.fragments) else ""
                if not fragment and block.override is not None:
                    fragment = _patched(side.reference, event, place)
                found = self._evidences.found.in_fragment(side.reading.reader, n, i)
                parts.append(Part(row, fragment, event, rows.rows_of(event)[1], tuple(found)))
        return parts

    def _own_deltas(self, side: Side, first: int, last: int) -> tuple[int, int] | None:
        """The delta numbers [from, to] of a reading that stand in the reference's events first to last."""
        start, end = side.own_event(first), side.own_event(last)
        if start is None:
            return None
        if end is None:
            end = len(side.reading.events) - 1
        begin = side.reading.deltas_of(start)[0]
        return begin, max(side.reading.deltas_of(end)[1] - 1, begin)

    def _extent(self, side: Side, n: int) -> tuple[int, int]:
        """The rows [first, last) of a block: from its first fragment to the end of its last event."""
        index, rows = self._evidences.index_of(side), self._session.rows
        known = side.reading.delta_count
        event, place = side.place_of(index.firsts[n]) if index.firsts[n] < known else (rows.events - 1, 0)
        event = min(event, rows.events - 1)
        first, after = rows.rows_of(event)
        begin = min(first + place, after - 1)
        last = side.place_of(index.lasts[n])[0] if index.lasts[n] < known else event
        return begin, max(begin + 1, rows.rows_of(min(last, rows.events - 1))[1])

    def _outlined(self, side: Side, block: Block, begin: int, end: int) -> bool:
        current, event = self._session.selection.current, self.selected_event()
        if current is None or event is None:
            return False
        if current.block is not None and current.reader == side.reading.reader:
            return current.block == block.n
        first, last = self._session.rows.rows_of(event)
        return first <= begin and end <= last

    def _band(self, begin: int, end: int, top: int, rect: QRect) -> QRect | None:
        """The selected event's rows across a block that goes beyond them."""
        event = self.selected_event()
        if event is None:
            return None
        first, last = self._session.rows.rows_of(event)
        if last <= begin or first >= end or (first <= begin and end <= last):
            return None
        first, last = max(first, begin), min(last, end)
        return QRect(rect.left(), first * ROW - top, rect.width(), (last - first) * ROW)

    def words_at(self, row: int, x: int) -> str:
        """What there may be no room for: a fragment that is cut, and why a client gave up."""
        column = next((c for c in self.columns() if c.left <= x < c.left + c.width), None)
        if column is None or row >= len(self._session.rows):
            return ""
        for bar in self._bars(column, row, row + 1, 0):
            if bar.rect.left() <= x <= bar.rect.right():
                text = next((part.text for part in bar.parts if part.y == row * ROW), "")
                return "" if has_room(bar, text) else clip(one_line(text), SPOKEN)
        said = failure_words(column.side), skipped_words(column.side)
        nothing = self._session.complete and not column.side.reading.blocks
        return "\n".join(filter(None, said)) if said[0] and nothing else ""

    def sent_elsewhere(self, side: Side, block: Block) -> dict[str, int]:
        """Field of a call that is missing here -> the line in which another reading found it."""
        return sent_elsewhere(self._evidences, side, block)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._on_mended(event.position().toPoint()):
            self._session.show_literal()
        else:
            super().mousePressEvent(event)

    def _on_mended(self, at: QPoint) -> bool:
        """Whether a place lies in the chip of a block that is not as it came."""
        top = self.verticalScrollBar().value()
        row = (at.y() + top) // ROW
        if not self._session.mended(self._session.reference) or row >= len(self._session.rows):
            return False
        bars = (bar for column in self.columns() for bar in self._bars(column, row, row + 1, top))
        return any(mended_chip(bar).contains(at) for bar in bars)

    def pick(self, row: int, x: int, alone: bool) -> Selection | None:
        event, place = self._session.rows.at(row)
        column = next((c for c in self.columns() if c.left <= x < c.left + c.width), None)
        if column is None:
            return Selection(event)
        side = column.side
        for bar in self._bars(column, row, row + 1, self.verticalScrollBar().value()):
            if bar.rect.left() <= x <= bar.rect.right():
                own = side.own_delta(event, place)
                pointer = None
                if own is not None and len(self._evidences.index_of(side).fragment_range(bar.block.n, own, own)):
                    deltas = self._session.reference.deltas(event)
                    pointer = deltas[place].pointer if place < len(deltas) else None
                else:
                    own = None
                return Selection(event, None, own, pointer, bar.block.n, side.reading.reader)
        return Selection(event)


def _patched(reference: Reading, event: int, place: int) -> str:
    """What a delta said that puts its value somewhere into the arguments instead of going on with them."""
    deltas = reference.deltas(event)
    said = deltas[place] if place < len(deltas) else None
    return value_of(said)[0] if said is not None and said.kind == "tool.args.patch" else ""


def sent_elsewhere(evidences: Evidences, side: Side, block: Block) -> dict[str, int]:
    """Field of a call that is missing in this reading -> the line in which another reading found it."""
    found: dict[str, int] = {}
    if block.kind != "tool_call" or (block.fields.get("id") and block.fields.get("name")):
        return found
    for other in evidences.sides:
        if other is side:
            continue
        for theirs in other.reading.blocks:
            if theirs.kind != "tool_call" or theirs.choice != block.choice:
                continue
            if not _same_call(other, theirs, side, block):
                continue
            for name in ("id", "name"):
                if not block.fields.get(name) and theirs.fields.get(name):
                    found.setdefault(name, other.reference.lines_of(other.shown_event(theirs.first_event))[0])
    return found


def _same_call(other: Side, theirs: Block, side: Side, block: Block) -> bool:
    first, last = side.shown_event(block.first_event), side.shown_event(block.last_event)
    return other.shown_event(theirs.first_event) <= last and other.shown_event(theirs.last_event) >= first
