"""What can be opened from the start page: a button that is a row or a card, and moves the focus with the arrows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractButton, QWidget

from inspector_app.core.text import visible
from inspector_app.ui.labels import rounded, tip
from inspector_app.ui.theme import Look

STEPS = {
    Qt.Key.Key_Left.value: (-1, 0),
    Qt.Key.Key_Right.value: (1, 0),
    Qt.Key.Key_Up.value: (0, -1),
    Qt.Key.Key_Down.value: (0, 1),
}
OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Tile(QAbstractButton):
    """A recording that one click, Enter or Space opens. `pointed(on)`: the pointer or the focus came or went."""

    stepped = Signal(int, int)
    ended = Signal(bool)
    pointed = Signal(bool)

    def __init__(self, look: Look, path: str) -> None:
        super().__init__()
        self.look, self.path = look, path
        self.title, self.story = "", ""
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        look.changed.connect(self.update)

    def describe(self, name: str, story: str) -> None:
        """What a screen reader says. Both may hold words of the wire."""
        self.setAccessibleName(visible(name))
        self.setAccessibleDescription(visible(story))
        tip(self, visible(story))

    def show_focus(self, painter: QPainter, rect: QRect, radius: int) -> None:
        """The ring of the tile that the keyboard would open."""
        if self.hasFocus():
            rounded(painter, rect, None, self.look.theme.color("focus"), radius, 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in STEPS:
            self.stepped.emit(*STEPS[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.ended.emit(key == Qt.Key.Key_End)
        elif key in OPENING:
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.pointed.emit(True)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.pointed.emit(False)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.pointed.emit(event.type() == QEvent.Type.HoverEnter)
        return super().event(event)


class Roving:
    """One stop of the Tab key for many tiles: the one that had the focus last."""

    def __init__(self) -> None:
        self.tiles: Sequence[Tile] = ()
        self.current: Tile | None = None

    def show(self, tiles: Sequence[Tile]) -> None:
        """Replaces the tiles; the current one stays where it is among them."""
        for tile in self.tiles:
            tile.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.tiles = tiles
        self.move_to(self.current if self.current in tiles else tiles[0] if tiles else None)

    def move_to(self, tile: Tile | None) -> None:
        """Makes a tile the stop."""
        if self.current is not None:
            self.current.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.current = tile
        if tile is not None:
            tile.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def focus(self, number: int) -> bool:
        """Gives tile `number` the focus; False where there is none."""
        if not 0 <= number < len(self.tiles):
            return False
        self.tiles[number].setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def number_of(self, tile: QWidget | None) -> int:
        """Where a tile stands, -1 for none of these."""
        return next((number for number, other in enumerate(self.tiles) if other is tile), -1)
