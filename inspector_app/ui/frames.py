"""What holds panes together: splitters, tabs, the head of a pane and what stands in an empty one."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QSplitterHandle, QTabBar, QVBoxLayout, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.controls import Button, icon_button
from inspector_app.ui.icons import SIZE, SMALL, draw_icon, icon
from inspector_app.ui.labels import label
from inspector_app.ui.theme import MEANINGS, Look

SPLITTER, GRIP = 4, 26
PANE_HEAD, PAGE_EDGE = 28, 16
CLOSE = 12
LEAST_TAB = 136
"""Pixels to which the tabs of recordings shrink before they are scrolled through."""


class _Handle(QSplitterHandle):
    def __init__(self, look: Look, splitter: QSplitter) -> None:
        super().__init__(splitter.orientation(), splitter)
        self._look = look
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.chrome"))
            if self.orientation() == Qt.Orientation.Vertical:
                painter.fillRect(QRect(0, 0, self.width(), 1), theme.color("line"))
                painter.fillRect(QRect((self.width() - GRIP) // 2, 1, GRIP, 2), theme.color("line.strong"))
            else:
                painter.fillRect(QRect(0, 0, 1, self.height()), theme.color("line"))


class Splitter(QSplitter):
    """Panes side by side or one above the other, with a handle of 4 px between them."""

    def __init__(self, look: Look, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self._look = look
        self.setHandleWidth(SPLITTER)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self._look, self)


class RecordingTabs(QTabBar):
    """The tab of each open recording, with the mark of its worst finding."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._marks: dict[int, str] = {}
        self.setProperty("strip", "recordings")
        self.setAccessibleName("Recordings")
        self.setFont(fonts.ui_font(fonts.BODY, 500, tabular=False))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setIconSize(QSize(SMALL, SMALL))
        self.setElideMode(Qt.TextElideMode.ElideRight)
        look.changed.connect(self._colour)

    def minimumSizeHint(self) -> QSize:
        # Qt keeps room for scroll buttons even beside a single tab.
        return super().minimumSizeHint().boundedTo(self.sizeHint())

    def minimumTabSizeHint(self, index: int) -> QSize:
        # Qt takes the name cut after two letters: wider than a short one, and of a long one it says nothing.
        whole = self.tabSizeHint(index)
        return QSize(min(whole.width(), LEAST_TAB), whole.height())

    def add(self, name: str, mark: str = "document") -> int:
        """Adds a tab and gives its number. `mark` is a glyph; one that is named like a meaning has its colour, unless
        "muted" follows; "record" is a stream that is live.
        """
        number = self.addTab(name)
        close = icon_button(self._look, "close", f"Close {name}", "Ctrl+W", size=CLOSE)
        close.setFixedSize(20, 20)
        # Its keys do the same from everywhere; between tabs and toolbar it would only be in the way.
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(lambda: self.tabCloseRequested.emit(self._number_of(close)))
        self.setTabButton(number, QTabBar.ButtonPosition.RightSide, close)
        self.show_mark(number, mark)
        return number

    def show_mark(self, number: int, mark: str) -> None:
        """Changes the mark of a tab."""
        self.setTabData(number, mark)
        self._colour()

    def _number_of(self, close: Button) -> int:
        side = QTabBar.ButtonPosition.RightSide
        return next(number for number in range(self.count()) if self.tabButton(number, side) is close)

    def _colour(self) -> None:
        theme = self._look.theme
        for number in range(self.count()):
            mark, _, muted = self.tabData(number).partition(" ")
            color = theme.meaning(mark).line if mark in MEANINGS else theme.color("ink.2")
            color = theme.meaning("error").line if mark == "record" else color
            color = theme.color("ink.3") if muted else color
            glyph = QIcon()
            for dots in (1, 2):
                glyph.addPixmap(icon(mark, color, SMALL, dots))
            self.setTabIcon(number, glyph)


def pane_tabs(names: list[str], name: str) -> QTabBar:
    """The tabs in the head of a pane; `name` is what a screen reader says."""
    made = QTabBar()
    made.setProperty("strip", "pane")
    made.setAccessibleName(name)
    made.setFont(fonts.ui_font(fonts.BODY, 500, tabular=False))
    made.setDrawBase(False)
    made.setExpanding(False)
    for words in names:
        made.addTab(words)
    return made


class PaneHead(QWidget):
    """The head of a pane: its title, a remark beside it, and what was added at the right."""

    def __init__(self, title: str, remark: str = "") -> None:
        super().__init__()
        self.setFixedHeight(PANE_HEAD)
        self.setProperty("layer", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.remark = label(remark, "ink.3")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(PAGE_EDGE, 0, 8, 0)
        self._row.setSpacing(8)
        self._row.addWidget(label(title, "ink.1", fonts.BODY, 600))
        self._row.addWidget(self.remark)
        self._row.addStretch()

    def add(self, widget: QWidget) -> None:
        """Adds something at the right end."""
        self._row.addWidget(widget)


class EmptyPane(QWidget):
    """What a pane shows when it has nothing: a mark, one bold line, one line why, and at most one action."""

    def __init__(
        self, look: Look, icon_name: str, title: str, reason: str, action: str = "", meaning: str = ""
    ) -> None:
        super().__init__()
        self._look, self._icon, self._ink = look, icon_name, f"{meaning}.line" if meaning else "ink.3"
        column = QVBoxLayout(self)
        column.setSpacing(6)
        column.addStretch()
        column.addSpacing(SIZE + 12)
        for words, ink, weight in ((title, "ink.1", 600), (reason, "ink.2", 400)):
            shown = label(words, ink, fonts.BODY, weight)
            shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
            shown.setWordWrap(True)
            column.addWidget(shown)
        self.action = Button(look, action, "", "link") if action else None
        if self.action is not None:
            column.addWidget(self.action, alignment=Qt.AlignmentFlag.AlignCenter)
        column.addStretch()
        self._title = column.itemAt(2).widget()
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            top = self._title.geometry().top() - SIZE - 8
            draw_icon(painter, (self.width() - SIZE) // 2, top, self._icon, self._look.theme.color(self._ink))
