"""The head of the detail pane: its tabs, who reads what, and the button that copies."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTabBar, QToolButton, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.icons import SIZE, SMALL, draw_icon
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.theme import Look
from inspector_app.ui.views.row_states import paint_focus

HEAD = 28
GAP = 22
"""Between the words of two tabs."""


class Tabs(QTabBar):
    """Words in a row; the chosen one is stronger and underlined."""

    def __init__(self, look: Look, names: tuple[str, ...]) -> None:
        super().__init__()
        self._look = look
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setFixedHeight(HEAD)
        self.setAccessibleName("Details")
        for name in names:
            self.addTab(name)
        look.changed.connect(self.update)

    def tabSizeHint(self, index: int) -> QSize:
        words = fonts.text_width(fonts.ui_font(fonts.BODY, 600), self.tabText(index))
        return QSize(round(words) + GAP, HEAD)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            for index in range(self.count()):
                rect = self.tabRect(index)
                chosen = index == self.currentIndex()
                font = fonts.ui_font(fonts.BODY, 600 if chosen else 400)
                under = rect.contains(self.mapFromGlobal(self.cursor().pos()))
                ink = theme.color("ink.1" if chosen or under else "ink.2")
                left = rect.left() + GAP // 2
                width = draw_text(painter, left, fonts.baseline(0, HEAD), self.tabText(index), font, ink)
                if chosen:
                    painter.fillRect(QRect(left, HEAD - 2, round(width), 2), theme.color("accent"))
                    if self._look.focused(self):
                        paint_focus(painter, theme, rect.adjusted(2, 2, -2, -3))


class Legend(QWidget):
    """What tick and barred eye mean at the moment. It gives way before the tabs do."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._words = ""
        self._wanted = True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEAD)
        look.changed.connect(self.update)

    def show_clients(self, clients: list[str]) -> None:
        """The readers that the barred eye is about; none shows nothing."""
        self._words = f"not read by {' or '.join(clients)}" if clients else ""
        self.setAccessibleName(f"Tick: read. Barred eye: {self._words}." if clients else "")
        self.update()

    def show_words(self, wanted: bool) -> None:
        """Whether the page in view has such marks."""
        self._wanted = wanted
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._words or not self._wanted:
            return
        theme, font = self._look.theme, fonts.ui_font(fonts.SECONDARY)
        parts = (("check", "read", "ink.2"), ("unread", self._words, "unread.line"))
        widths = [SMALL + 6 + round(fonts.text_width(font, words)) for _, words, _ in parts]
        at = self.width() - sum(widths) - 16
        if at < 0:
            return
        with QPainter(self) as painter:
            for (name, words, ink), width in zip(parts, widths):
                draw_icon(painter, at, (HEAD - SMALL) // 2, name, theme.color(ink), SMALL)
                draw_text(painter, at + SMALL + 6, fonts.baseline(0, HEAD) - 1, words, font, theme.color("ink.2"))
                at += width + 16


class CopyButton(QToolButton):
    """A glyph that opens the actions that copy."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Copy")
        tip(self, "Copy value, pointer, JSON or bytes")
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(28, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            if self.isEnabled() and (self.underMouse() or self._look.focused(self)):
                painter.fillRect(self.rect(), theme.veil("ink.1", 0.06))
            ink = theme.color("ink.2" if self.isEnabled() else "ink.off")
            draw_icon(painter, (self.width() - SIZE) // 2, (self.height() - SIZE) // 2, "copy", ink)


class DetailHead(QWidget):
    """Tabs at the left, legend and copy at the right."""

    def __init__(self, look: Look, names: tuple[str, ...]) -> None:
        super().__init__()
        self._look = look
        self.setFixedHeight(HEAD)
        self.tabs = Tabs(look, names)
        self.legend = Legend(look)
        self.copy = CopyButton(look)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(5, 0, 6, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.legend, 1)
        layout.addWidget(self.copy)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(QRect(0, HEAD - 1, self.width(), 1), theme.color("line"))
