"""The gallery: a card for each shipped recording, with a thumbnail, its worst finding and who comes to harm."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.text import clip, visible
from inspector_app.ui import fonts
from inspector_app.ui.controls import HOVER, KEYBOARD, Ring
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, label, rounded
from inspector_app.ui.start.digest import FAMILIES, Digest
from inspector_app.ui.start.sketch_paint import LARGE, paint_sketch
from inspector_app.ui.start.tiles import Roving, Tile
from inspector_app.ui.theme import Look

HEIGHT, LEAST_WIDTH, GAP = 150, 240, 16
PAD = 10
THUMB = 60
HEAD = 28
PILL = 22
EVERYTHING = "All"
SUFFIX = ".rec.jsonl"
FIRST = ("empty-tool-calls", "mixed-spacing", "reasoning-details")
"""The three reports that the program is for; the others follow by name."""


def in_order(paths: Sequence[str]) -> list[str]:
    """The recordings as the gallery shows them."""
    rank = {name: place for place, name in enumerate(FIRST)}
    return sorted(paths, key=lambda path: (rank.get(_stem(path), len(FIRST)), _stem(path)))


def _stem(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].removesuffix(SUFFIX)


class Card(Tile):
    """One recording of the gallery."""

    def __init__(self, look: Look, path: str) -> None:
        super().__init__(look, path)
        self.title = _stem(path).replace("-", " ")
        self.story = ""
        self.digest: Digest | None = None
        self._describe()

    def show_about(self, title: str, story: str) -> None:
        """What the recording says of itself."""
        self.title, self.story = visible(clip(title or self.title, 80)), visible(clip(story, 400))
        self._describe()

    def show_digest(self, digest: Digest) -> None:
        """What its reading gave."""
        self.digest = digest
        self._describe()

    def _describe(self) -> None:
        digest = self.digest
        facts = "" if digest is None else f" {digest.severity} {digest.rule}. Breaks {', '.join(digest.breaks)}."
        self.describe(f"{self.title}.{facts}", self.story)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.look.theme
        with QPainter(self) as painter:
            active = self.underMouse() or self.hasFocus()
            ground = theme.mixed("bg.raised", "ink.1", HOVER / 2 if self.underMouse() else 0)
            edge = "line.strong" if self.underMouse() else "line"
            rounded(painter, self.rect(), ground, theme.color(edge), 8)
            digest = self.digest
            thumb = QRect(PAD, PAD, self.width() - 2 * PAD, THUMB)
            paint_sketch(painter, theme, thumb, None if digest is None else digest.sketch, LARGE)
            left, room = PAD + 2, self.width() - 2 * PAD - 4
            font = fonts.ui_font_for(self.title, fonts.LARGE, 600)
            draw_text(painter, left, 93, fonts.elided(font, self.title, room), font, theme.color("ink.1"))
            if digest is not None and digest.rule:
                colors = theme.meaning(digest.severity)
                draw_icon(painter, left, 102, digest.severity, colors.line, SMALL)
                wire = fonts.wire_font(fonts.SECONDARY)
                words = fonts.elided(wire, visible(digest.rule), room - SMALL - 6)
                draw_text(painter, left + SMALL + 6, 114, words, wire, colors.text)
            self._paint_foot(painter, left, room, active)
            self.show_focus(painter, self.rect(), 8)

    def _paint_foot(self, painter: QPainter, left: int, room: int, active: bool) -> None:
        theme = self.look.theme
        if active:
            font = fonts.ui_font(fonts.SECONDARY, 600)
            width = round(fonts.text_width(font, "Open"))
            accent = theme.color("accent")
            draw_text(painter, left + room - width - SMALL - 6, 135, "Open", font, accent)
            draw_icon(painter, left + room - SMALL, 124, "return", accent, SMALL)
            room -= width + SMALL + 18
        if self.digest is not None:
            font = fonts.ui_font(fonts.SECONDARY, tabular=False)
            words = fitting([visible(name) for name in self.digest.breaks], room)
            draw_text(painter, left, 135, fonts.elided(font, words, room), font, theme.color("ink.3"))


def fitting(names: Sequence[str], room: int) -> str:
    """As many names as `room` pixels hold, and how many more there are."""
    font = fonts.ui_font(fonts.SECONDARY, tabular=False)
    for shown in range(len(names), 0, -1):
        more = len(names) - shown
        words = " · ".join(names[:shown]) + (f" and {more} more" if more else "")
        if shown == 1 or fonts.text_width(font, words) <= room:
            return words
    return ""


class Pill(QAbstractButton):
    """One of the filters above the gallery."""

    def __init__(self, look: Look, words: str) -> None:
        super().__init__()
        self._look = look
        self.setText(words)
        self.setAccessibleName(words)
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(round(fonts.text_width(fonts.ui_font(fonts.SECONDARY, 500), self.text())) + 20, PILL)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in KEYBOARD:
            Ring(self._look, self)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            chosen = self.isChecked()
            fill = theme.color("sel.fill" if chosen else "bg.raised")
            if self.underMouse() and not chosen:
                fill = theme.mixed("bg.raised", "ink.1", HOVER)
            rounded(painter, self.rect(), fill, theme.color("accent" if chosen else "line"), PILL / 2)
            font = fonts.ui_font(fonts.SECONDARY, 500)
            base = fonts.baseline(0, PILL) - 1
            draw_text(painter, 10, base, self.text(), font, theme.color("ink.1" if chosen else "ink.2"))


class Gallery(QWidget):
    """Head, filters and the grid of cards. `left_above`: an arrow went up from the first row."""

    opened = Signal(str)
    pointed = Signal(object, bool)
    left_above = Signal()

    def __init__(self, look: Look, paths: Sequence[str]) -> None:
        super().__init__()
        self._look = look
        self.cards = [Card(look, path) for path in in_order(paths)]
        self.roving = Roving()
        self._columns = 1
        self._filter = EVERYTHING
        self.pills: dict[str, Pill] = {}
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout()
        self.grid = QWidget()
        self.grid.setAccessibleName("Gallery")
        self._arrange()
        for card in self.cards:
            card.setParent(self.grid)
            card.clicked.connect(lambda _, path=card.path: self.opened.emit(path))
            card.stepped.connect(lambda dx, dy, card=card: self._step(card, dx, dy))
            card.ended.connect(lambda last: self.roving.focus(len(self.roving.tiles) - 1 if last else 0))
            card.pointed.connect(lambda on, card=card: self._point(card, on))
        self._build_filters()
        self._filter_cards()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(label("Gallery", "ink.1", fonts.HEADLINE, 600))
        self._remark = label("one small recording for each defect, with what it does to real clients", "ink.2")
        self._remark.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head.addWidget(self._remark, 1)
        self._row.setSpacing(6)
        head.addLayout(self._row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        holder = QWidget()
        holder.setFixedHeight(HEAD)
        holder.setLayout(head)
        head.setContentsMargins(0, 0, 0, 0)
        column.addWidget(holder)
        column.addWidget(self.grid)

    def card_of(self, path: str) -> Card | None:
        """The card of a recording, None where it is none of the gallery's."""
        return next((card for card in self.cards if card.path == path), None)

    def show_digest(self, path: str, digest: Digest) -> None:
        """What the reading of a recording gave; the filters follow."""
        card = self.card_of(path)
        if card is not None:
            card.show_digest(digest)
            self._show_filters()
            self._filter_cards()

    def enter(self, last: bool = False) -> bool:
        """Gives the focus to a card of the first row, as an arrow does that comes from above."""
        return self.roving.focus(len(self.roving.tiles) - 1 if last else 0)

    # filters

    def _build_filters(self) -> None:
        for family in (EVERYTHING, *FAMILIES):
            pill = Pill(self._look, f"{EVERYTHING} {len(self.cards)}" if family == EVERYTHING else family)
            pill.setChecked(family == self._filter)
            pill.toggled.connect(lambda on, family=family: self.choose(family) if on else None)
            self.pills[family] = pill
            self._group.addButton(pill)
            self._row.addWidget(pill)
        self._show_filters()

    def _show_filters(self) -> None:
        present = {card.digest.family for card in self.cards if card.digest is not None}
        for family in FAMILIES:
            self.pills[family].setVisible(family in present)

    def choose(self, family: str) -> None:
        """Shows the recordings of one family, or all of them ("All")."""
        self._filter = family
        self._filter_cards()

    def _filter_cards(self) -> None:
        shown = [card for card in self.cards if self._fits(card)]
        for card in self.cards:
            card.setVisible(card in shown)
        self.roving.show(shown)
        self._place()

    def _fits(self, card: Card) -> bool:
        return self._filter == EVERYTHING or (card.digest is not None and card.digest.family == self._filter)

    # the grid

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._remark.setVisible(self.width() >= 900)
        self._place()

    def _place(self) -> None:
        width = max(self.width(), LEAST_WIDTH)
        self._columns = columns = max(1, (width + GAP) // (LEAST_WIDTH + GAP))
        size = (width - (columns - 1) * GAP) // columns
        for place, card in enumerate(self.roving.tiles):
            row, column = divmod(place, columns)
            card.setGeometry(column * (size + GAP), row * (HEIGHT + GAP), size, HEIGHT)
        rows = -(-len(self.roving.tiles) // columns)
        self.grid.setFixedHeight(max(HEIGHT, rows * (HEIGHT + GAP) - GAP))

    def _step(self, card: Card, dx: int, dy: int) -> None:
        place = self.roving.number_of(card)
        if dy < 0 and place < self._columns:
            self.left_above.emit()
            return
        wanted = place + dx + dy * self._columns
        last = len(self.roving.tiles) - 1
        if dy > 0 and wanted > last and place // self._columns < last // self._columns:
            wanted = last
        self.roving.focus(wanted)

    def _point(self, card: Card, on: bool) -> None:
        if card.hasFocus():
            self.roving.move_to(card)
        self.pointed.emit(card, on)
