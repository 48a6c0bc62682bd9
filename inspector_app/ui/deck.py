"""The tabs of the window and what is under them: the start page, and one page per recording or new request."""

from __future__ import annotations

import html
from collections.abc import Callable
from weakref import WeakSet

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget
from shiboken6 import isValid

from inspector_app.core.text import visible
from inspector_app.ui.controls import Button, icon_button
from inspector_app.ui.frames import RecordingTabs
from inspector_app.ui.garbage import sweep_soon
from inspector_app.ui.labels import tip
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.start import StartPage
from inspector_app.ui.theme import Look

HEIGHT = 36
START = "Start"
MOST_SWEPT = 8 << 20
"""Bytes of open recordings beside which what a closed tab leaves is looked for: 50 ms at the most."""


class Deck(QWidget):
    """Opening a recording takes the place of the start page, "+" brings it back as the first tab.

    `shown`: another page is in view. `closing(page)`: a page is about to go. `keeps(page)` says whether it lives on
    without its tab, to be added again, `may_close(page)` whether a tab may go at all now.
    """

    shown = Signal()
    closing = Signal(object)

    def __init__(self, look: Look, start: StartPage) -> None:
        super().__init__()
        self.start = start
        self.keeps: Callable[[QWidget], bool] = lambda page: False
        self.may_close: Callable[[QWidget], bool] = lambda page: True
        self._entered: WeakSet[QWidget] = WeakSet()
        """The pages that have had the keyboard: they remember where it was."""
        self.tabs = RecordingTabs(look)
        self.stack = QStackedWidget()
        self.stack.addWidget(start)
        self.menu_button = icon_button(look, "list", "Menu")
        self.keys_button = Button(look, "keys", "", "quiet", keys="?")
        tip(self.keys_button, "All keys. W and S zoom, A and D move, F fits, F8 is the next finding, Ctrl+K finds all")
        self.keys_button.setAccessibleName("All keys")
        plus = icon_button(look, "plus", "Start page", "Ctrl+T")
        top = QWidget()
        top.setProperty("layer", "chrome")
        top.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        top.setFixedHeight(HEIGHT)
        row = QHBoxLayout(top)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.menu_button)
        row.addWidget(self.tabs)
        row.addWidget(plus)
        row.addStretch(1)
        row.addWidget(self.keys_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top)
        column.addWidget(self.stack, 1)
        plus.clicked.connect(self.show_start)
        self.tabs.currentChanged.connect(self._show)
        self.tabs.tabCloseRequested.connect(self.close_tab)

    def page(self) -> RecordingPage | None:
        """The recording in view, None on the start page."""
        widget = self.stack.currentWidget()
        return widget if isinstance(widget, RecordingPage) else None

    def _sweep(self) -> None:
        """Give back what a closed tab leaves. Beside long recordings that would hold the window: then it waits."""
        if not isValid(self.stack):
            return  # All of the window goes.
        readings = [page.session.reference for page in self.pages()]
        if sum(len(reading.body) for reading in readings if reading is not None) <= MOST_SWEPT:
            sweep_soon()

    def pages(self) -> list[RecordingPage]:
        """The open recordings in the order of their tabs."""
        widgets = (self.stack.widget(index) for index in range(1, self.stack.count()))
        return [widget for widget in widgets if isinstance(widget, RecordingPage)]

    def sheet(self) -> QWidget | None:
        """The page in view, be it a recording or a new request; None on the start page."""
        widget = self.stack.currentWidget()
        return None if widget is self.start else widget

    def sheets(self) -> list[QWidget]:
        """All pages but the start page."""
        widgets = (self.stack.widget(index) for index in range(1, self.stack.count()))
        return [widget for widget in widgets if widget is not None]

    def show_start(self) -> None:
        """Show the start page; its tab is always the first."""
        if not self._offset():
            self.tabs.blockSignals(True)
            self.tabs.moveTab(self.tabs.add(START), 0)
            if self.stack.count() == 1:
                # Nothing would be left without it.
                self.tabs.setTabButton(0, QTabBar.ButtonPosition.RightSide, None)
            self.tabs.blockSignals(False)
            self.start.refresh()
        self._go_to(0)

    def add(self, page: QWidget, mark: str = "document") -> None:
        """Show a recording, or a new request, in a tab of its own; `mark` is the glyph of the tab."""
        if self.sheet() is None:
            self._remove_start()
        self.stack.addWidget(page)
        page.destroyed.connect(self._sweep)
        self.tabs.blockSignals(True)
        index = self.tabs.add(page.title, mark)  # type: ignore[attr-defined]
        self.tabs.blockSignals(False)
        if isinstance(page, RecordingPage):
            self.tabs.setTabToolTip(index, f"<qt>{html.escape(visible(page.session.path))}</qt>")
            page.titled.connect(lambda words, mark: self._title(page, words, mark))
        self.show_page(page)

    def show_page(self, page: QWidget) -> None:
        """Go to the tab of a page."""
        if self.sheet() is None:
            self._remove_start()
        self._go_to(self.tab_of(page))

    def tab_of(self, page: QWidget) -> int:
        """The number of the tab of a page."""
        return self.stack.indexOf(page) - 1 + self._offset()

    def turn(self, step: int) -> None:
        """Go to the tab at the right (1) or at the left (-1), round and round."""
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())

    def close_tab(self, index: int) -> None:
        """Close a tab; the start page comes back after the last recording, and cannot be closed while it is alone."""
        page = self.stack.widget(index - self._offset() + 1)
        if page is self.start and len(self.sheets()) and self._offset():
            self._remove_start()
        elif page is not None and page is not self.start and index >= 0:
            if not self.may_close(page):
                return
            self.closing.emit(page)
            self.tabs.blockSignals(True)
            self.stack.removeWidget(page)
            self.tabs.removeTab(index)
            self.tabs.blockSignals(False)
            if not self.keeps(page):
                page.deleteLater()
        if self.stack.count() == 1:
            self._remove_start()
            self.show_start()
        else:
            self._show(self.tabs.currentIndex())

    def _offset(self) -> int:
        """How many tabs come before that of the first recording."""
        return 1 if self.tabs.count() == self.stack.count() else 0

    def _remove_start(self) -> None:
        if self._offset():
            self.tabs.blockSignals(True)
            self.tabs.removeTab(0)
            self.tabs.blockSignals(False)

    def _go_to(self, index: int) -> None:
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(index)
        self.tabs.blockSignals(False)
        self._show(index)

    def _show(self, index: int) -> None:
        held = self.window().focusWidget()
        # A tab that has the keyboard keeps it: whoever goes from tab to tab goes on doing so.
        free = held is None or self.stack.isAncestorOf(held)
        self.stack.setCurrentIndex(max(0, index - self._offset() + 1))
        sheet = self.sheet()
        if sheet is None:
            self.start.enter()
        elif free and sheet not in self._entered and hasattr(sheet, "take_keyboard"):
            # Qt would give it to the first button of the page, which the next key would press.
            sheet.take_keyboard()
            self._entered.add(sheet)
        self.shown.emit()

    def _title(self, page: RecordingPage, words: str, mark: str) -> None:
        index = self.stack.indexOf(page) - 1 + self._offset()
        if index >= 0:
            self.tabs.setTabText(index, words)
            self.tabs.show_mark(index, mark)
