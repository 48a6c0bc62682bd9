"""The recordings that were open last, a row each, with what is known of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.text import clip, duration, size, visible
from inspector_app.ui import fonts
from inspector_app.ui.controls import HOVER, Button
from inspector_app.ui.icons import SMALL as ICON
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import draw_text, label, rounded
from inspector_app.ui.settings import Recent
from inspector_app.ui.start.digest import SEVERITIES, Digest
from inspector_app.ui.start.sketch_paint import SMALL, paint_sketch
from inspector_app.ui.start.tiles import Roving, Tile
from inspector_app.ui.theme import Look

HEIGHT = 36
FEW = 5
EDGE = 12
THUMB = (96, 28)
NAME = EDGE + THUMB[0] + 14
WHEN, COUNT = 17, 44
"""From the right edge to the end of the last column; how wide a count is."""
ROOMY, NARROW = (218, 151, 413), (118, 0, 322)
"""From the right edge: where size and duration end and where the counts begin; a narrow row has no duration."""
NARROW_BELOW = 900
SOURCE_FROM, DIALECT_FROM = 300, 480
"""Pixels for words from which provider and model, and the dialect, have a column."""
SHARES = (0.44, 0.36, 0.2)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def when(opened: datetime, now: datetime) -> str:
    """When a recording was opened, in the words that people use."""
    days = (now.date() - opened.date()).days
    if days == 0:
        return f"today {opened:%H:%M}"
    if days == 1:
        return "yesterday"
    if 1 < days < 7:
        return DAYS[opened.weekday()]
    date = f"{opened.day} {MONTHS[opened.month - 1]}"
    return date if opened.year == now.year else f"{date} {opened.year}"


class Row(Tile):
    """One recording."""

    forgotten = Signal()

    def __init__(self, look: Look, recent: Recent, digest: Digest | None, now: datetime) -> None:
        super().__init__(look, recent.path)
        self.title = visible(clip(recent.path.replace("\\", "/").rpartition("/")[2] or recent.path, 120))
        self.story = visible(clip(recent.path, 400))
        self.opened = when(datetime.fromtimestamp(recent.opened), now)
        self.digest = digest
        self.fault = ""
        self.last = False
        self.setFixedHeight(HEIGHT)
        self._describe()

    def show_digest(self, digest: Digest) -> None:
        """What a new reading of the file gave."""
        self.digest, self.fault = digest, ""
        self._describe()

    def show_fault(self, words: str) -> None:
        """The file cannot be read any more."""
        self.fault = words
        self.story = visible(clip(words, 400))
        self._describe()

    def _describe(self) -> None:
        digest = self.digest
        facts = [self.title, f"opened {self.opened}"]
        if self.fault:
            facts.append("cannot be read")
        elif digest is not None:
            facts += [digest.source, digest.dialect, size(digest.size)]
            facts += [f"{count} {word}s" for word, count in zip(("error", "warning", "note"), digest.counts) if count]
        self.describe(", ".join(filter(None, facts)), self.story)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(NAME + NARROW[2], HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.look.theme
        with QPainter(self) as painter:
            if self.hasFocus():
                rounded(painter, self.rect(), theme.color("sel.soft"), None, 6)
            elif self.underMouse():
                painter.fillRect(self.rect().adjusted(1, 1, -1, -1), theme.veil("ink.1", HOVER))
            if not self.last and not self.hasFocus():
                painter.fillRect(QRect(1, HEIGHT - 1, self.width() - 2, 1), theme.color("line.soft"))
            digest = self.digest
            thumb = QRect(EDGE, (HEIGHT - THUMB[1]) // 2, *THUMB)
            paint_sketch(painter, theme, thumb, None if digest is None else digest.sketch, SMALL)
            end = self._paint_facts(painter)
            self._paint_words(painter, end - NAME - 16)
            self.show_focus(painter, self.rect(), 6)

    def _paint_words(self, painter: QPainter, room: int) -> None:
        theme, base, digest = self.look.theme, fonts.baseline(0, HEIGHT), self.digest
        parts: list[tuple[str, str, int]] = [(self.title, "ink.3" if self.fault else "ink.1", 600)]
        if self.fault:
            parts.append(("cannot be read", "error.text", 400))
        elif digest is not None and room >= SOURCE_FROM:
            parts.append((digest.source, "ink.2", 400))
            if room >= DIALECT_FROM:
                parts.append((digest.dialect, "ink.3", 400))
        shares = SHARES[: len(parts)]
        x = NAME
        for (words, ink, weight), share in zip(parts, shares):
            width = round(room * share / sum(shares))
            font = fonts.ui_font(fonts.BODY, weight, tabular=False)
            shown = fonts.elided(font, visible(words), width - 12)
            draw_text(painter, x, base, shown, font, theme.color(ink))
            x += width

    def _paint_facts(self, painter: QPainter) -> int:
        """The columns at the right; gives where they begin."""
        theme, base, digest = self.look.theme, fonts.baseline(0, HEIGHT), self.digest
        font = fonts.ui_font(fonts.BODY)
        size_edge, duration_edge, counts = NARROW if self.width() < NARROW_BELOW else ROOMY
        took = "—" if digest is None or digest.duration is None else duration(digest.duration)
        large = "—" if digest is None else size(digest.size)
        for words, edge in ((self.opened, WHEN), (large, size_edge), (took, duration_edge)):
            if edge:
                x = self.width() - edge - fonts.text_width(font, words)
                draw_text(painter, x, base, words, font, theme.color("ink.2"))
        begin = self.width() - counts
        strong = fonts.ui_font(fonts.BODY, 600)
        for place, severity in enumerate(SEVERITIES):
            count = 0 if digest is None else digest.counts[place]
            if count:
                x, colors = begin + place * COUNT, theme.meaning(severity)
                draw_icon(painter, x, (HEIGHT - ICON) // 2, severity, colors.line, ICON)
                draw_text(painter, x + ICON + 4, base, f"{count}", strong, colors.text)
        return begin

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.forgotten.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open", self.click)
        menu.addAction("Remove from this list", self.forgotten.emit)
        menu.popup(event.globalPos())


class _Link(Button):
    """Words that end where the rows below end."""

    def _pad(self) -> int:
        return 0


class _Frame(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            rounded(painter, self.rect(), theme.color("bg.raised"), theme.color("line"), 6)


class RecentList(QWidget):
    """Head and rows. `left_below`: an arrow went down from the last row."""

    opened = Signal(str)
    pointed = Signal(object, bool)
    forgotten = Signal(str)
    left_below = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.roving = Roving()
        self.rows: list[Row] = []
        self._all = False
        self.more = _Link(look, "", "", "link")
        self.more.clicked.connect(self._show_more)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(label("Recent", "ink.1", fonts.HEADLINE, 600))
        head.addStretch(1)
        head.addWidget(self.more)
        holder = QWidget()
        holder.setFixedHeight(28)
        holder.setLayout(head)
        self._frame = _Frame(look)
        self._frame.setAccessibleName("Recent recordings")
        self._frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._column = QVBoxLayout(self._frame)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(holder)
        column.addWidget(self._frame)

    def show_recent(self, entries: Sequence[tuple[Recent, Digest | None]], now: datetime) -> None:
        """Replaces the rows; the list hides while there are none."""
        held = self.roving.current
        for row in self.rows:
            self._column.removeWidget(row)
            # It may still lose the focus, and would be taken for the row that the keyboard is on.
            row.blockSignals(True)
            row.deleteLater()
        self.rows = [Row(self._look, recent, digest, now) for recent, digest in entries]
        for row in self.rows:
            self._column.addWidget(row)
            row.clicked.connect(lambda _, path=row.path: self.opened.emit(path))
            row.stepped.connect(lambda dx, dy, row=row: self._step(row, dx + dy))
            row.ended.connect(lambda last: self.roving.focus(len(self.roving.tiles) - 1 if last else 0))
            row.pointed.connect(lambda on, row=row: self._point(row, on))
            row.forgotten.connect(lambda path=row.path: self.forgotten.emit(path))
        self.roving.current = None if held is None else self.row_of(held.path)
        self._show_few()
        self.setVisible(bool(self.rows))

    def row_of(self, path: str) -> Row | None:
        """The row of a recording."""
        return next((row for row in self.rows if row.path == path), None)

    def enter(self, last: bool = False) -> bool:
        """Gives the focus to the first or the last row."""
        return self.roving.focus(len(self.roving.tiles) - 1 if last else 0)

    def _show_more(self) -> None:
        self._all = not self._all
        self._show_few()

    def _show_few(self) -> None:
        shown = self.rows if self._all else self.rows[:FEW]
        for row in self.rows:
            row.setVisible(row in shown)
            row.last = row is shown[-1]
        self.roving.show(shown)
        self.more.setVisible(len(self.rows) > FEW)
        words = f"Only the last {FEW}" if self._all else f"All {len(self.rows)} recordings"
        self.more.setText(words)
        self.more.setAccessibleName(words)
        self.more.updateGeometry()
        self._frame.setFixedHeight(len(shown) * HEIGHT)

    def _step(self, row: Row, by: int) -> None:
        place = self.roving.number_of(row) + by
        if place >= len(self.roving.tiles):
            self.left_below.emit()
        else:
            self.roving.focus(place)

    def _point(self, row: Row, on: bool) -> None:
        if row.hasFocus():
            self.roving.move_to(row)
        self.pointed.emit(row, on)
