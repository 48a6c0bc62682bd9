"""The command palette: a few letters find everything that can be done, and do it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QVBoxLayout, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.commands import Command, Source
from inspector_app.ui.controls import SearchField
from inspector_app.ui.dialogs.held import Held
from inspector_app.ui.dialogs.palette_list import ROW, Entry, PaletteDelegate, PaletteModel, entries
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import Look

WIDTH, TOP, MARGIN = 640, 64, 8
ROWS = 13
FOOT = 24
FIND, GO = "Find a command, a reader or a recording", "Go to: event number, “line 30” or “byte 4096”"
HINT = "↑ ↓ choose   Enter do   Esc close"
NO_COMMAND, NO_PLACE = "No command fits.", "No such place in this recording."
STEPS = {
    Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Backtab: -1, Qt.Key.Key_Tab: 1,
    Qt.Key.Key_PageUp: -ROWS, Qt.Key.Key_PageDown: ROWS,
}  # fmt: skip


class CommandPalette(QWidget):
    """A list over the upper middle of its window. `jumps` gives the places that what was typed leads to."""

    def __init__(self, look: Look, source: Source, jumps: Callable[[str], list[Command]], window: QWidget) -> None:
        super().__init__(window)
        self._look, self._source, self._jumps = look, source, jumps
        self._places_only = False
        self._before: Held | None = None
        self.field = SearchField(look, FIND)
        self.model = PaletteModel(self)
        self.list = QListView()
        self._dress_list()
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, FOOT)
        column.setSpacing(MARGIN)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.setAccessibleName("Command palette")
        self.field.textChanged.connect(self._refresh)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._run)
        window.installEventFilter(self)
        look.changed.connect(self.update)
        self.hide()

    def _dress_list(self) -> None:
        self.list.setModel(self.model)
        self.list.setItemDelegate(PaletteDelegate(self._look, self.list))
        self.list.setAccessibleName("Commands")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setStyleSheet("background: transparent")
        self._look.changed.connect(self.list.viewport().update)

    def open(self, places_only: bool = False) -> None:
        """Shows the palette with nothing typed; closes it where it is open. `places_only`: to go to an event."""
        if self.isVisible():
            self.dismiss()
            return
        self._places_only = places_only
        self._before = Held(self.window())
        hint = GO if places_only else FIND
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(hint)
        self.field.clear()
        self._refresh()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def dismiss(self) -> None:
        """Closes the palette; the keyboard goes back to where it was."""
        before, self._before = self._before, None
        if before is not None and self.field.hasFocus():
            before.give_back(self.field)
        self.hide()

    def _refresh(self) -> None:
        typed = self.field.text()
        commands = [] if self._places_only else self._source()
        jumps = [Entry(command, True) for command in self._jumps(typed)]
        self.model.show([*jumps, *entries(commands, typed)])
        self._choose(next((n for n, entry in enumerate(self.model.entries) if entry.possible), -1))
        self.list.scrollToTop()
        self._place()

    def _place(self) -> None:
        window = self.parentWidget()
        assert window is not None
        width = min(WIDTH, window.width() - 8 * MARGIN)
        above = MARGIN + self.field.sizeHint().height() + MARGIN
        room = (window.height() - TOP - above - FOOT - MARGIN) // ROW
        rows = max(1, min(len(self.model.entries), ROWS, room))
        self.list.setFixedHeight(rows * ROW)
        self.setGeometry((window.width() - width) // 2, TOP, width, above + rows * ROW + FOOT)
        self.update()

    # choosing

    def _choose(self, row: int) -> None:
        index = self.model.index(row, 0) if row >= 0 else QModelIndex()
        self.list.setCurrentIndex(index)
        # The field keeps the keyboard, so it says what Enter would do.
        self.field.setAccessibleDescription(self.model.entries[row].spoken() if row >= 0 else self._nothing())

    def _nothing(self) -> str:
        return NO_PLACE if self._places_only else NO_COMMAND

    def _step(self, step: int) -> None:
        """To another row that is possible; one by one they go round."""
        possible = [n for n, entry in enumerate(self.model.entries) if entry.possible]
        if not possible:
            return
        row = self.list.currentIndex().row()
        at = possible.index(row) if row in possible else -1
        target = (at + step) % len(possible) if abs(step) == 1 else min(max(at + step, 0), len(possible) - 1)
        self._choose(possible[target])

    def _run(self, index: QModelIndex) -> None:
        entry: Entry | None = index.data(Qt.ItemDataRole.UserRole)
        if entry is not None and entry.possible:
            self.dismiss()
            entry.command.run()

    # the widget

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.field:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._place()
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take(event)
        if event.type() == QEvent.Type.FocusOut and self.window().focusWidget() is not self.field:
            self.dismiss()
        return False

    def _take(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in STEPS:
            self._step(STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            return False
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            rounded(painter, self.rect(), theme.color("bg.raised"), theme.color("line.strong"), 8)
            base = fonts.baseline(self.height() - FOOT, FOOT) - 1
            draw_text(painter, 2 * MARGIN + 4, base, HINT, fonts.ui_font(fonts.SECONDARY), theme.color("ink.3"))
            if not self.model.entries:
                base = fonts.baseline(self.list.y(), ROW)
                words = self._nothing() if self.field.text() or not self._places_only else ""
                draw_text(painter, 2 * MARGIN + 4, base, words, fonts.ui_font(fonts.BODY), theme.color("ink.2"))
