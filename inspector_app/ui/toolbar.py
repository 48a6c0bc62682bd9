"""The toolbar of a page: files and pictures, whose readings are shown, the next finding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector_app.ui.controls import Button, Choice, icon_button
from inspector_app.ui.labels import label, tip
from inspector_app.ui.theme import Look
from inspector_app.ui.tool_row import Step, ToolRow

READER, LEAST_READER = 206, 112
"""Pixels of the name of a reader, and where there is no room."""


class Toolbar(ToolRow):
    """The controls, for the page to connect. Where there is no room words give way to their icons, one by one."""

    def __init__(self, look: Look) -> None:
        super().__init__("panel")
        self.open = Button(look, "Open", "open", "flat")
        self.live = Button(look, "Live", "live", "flat")
        self.proxy = Button(look, "Proxy", "proxy", "flat")
        self.picture = Button(look, "Save picture", "picture", "flat")
        self.read_as = Choice(look, "Read as", most=READER)
        self.compare_with = Choice(look, "Compare with", most=READER)
        self.swap = icon_button(look, "swap", "Swap the two readings", "X")
        self.response = Choice(look, "Response in this file")
        self.response.hide()
        self.previous_finding = icon_button(look, "chevron-up", "Previous finding", "Shift+F8")
        self.next_finding = Button(look, "Next finding", "chevron-down", "flat", keys="F8")
        self.search = icon_button(look, "search", "Find in this recording", "/")
        tip(self.open, "Open a recording", "Ctrl+O")
        tip(self.live, "Ask a provider, and record what comes", "Ctrl+L")
        tip(self.proxy, "Record what passes between a client and its provider")
        tip(self.picture, "Save picture", "Ctrl+Shift+S")
        tip(self.next_finding, "Next finding. Ctrl+F8 goes through the places of one", "F8")
        self._proxy_words = "Proxy"
        self.giving_way: list[Callable[[bool], None]] = []
        """How what others put here gives way, after the words."""
        self._words = (label("Read as", "ink.2"), label("compare with", "ink.2"))
        row = self.row
        row.addWidget(self.open)
        row.addWidget(self.live)
        row.addWidget(self.proxy)
        row.addWidget(self.picture)
        row.addSpacing(8)
        for widget in (self.response, self._words[0], self.read_as, self.swap, self._words[1], self.compare_with):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.search)
        row.addWidget(self.previous_finding)
        row.addWidget(self.next_finding)

    def add_controls(self, *controls: QWidget) -> None:
        """Put more controls before the choice of readers, such as those of a live stream."""
        before: QWidget = self.picture
        for n, control in enumerate(controls):
            self.row.insertWidget(5 + n, control)
            for part in (control, *control.findChildren(QWidget)):
                # Tab goes as the eye does, not in the order in which parts were made.
                if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.window() is self.window():
                    QWidget.setTabOrder(before, part)
                    before = part
        self.fit()

    def show_proxy(self, on: bool) -> None:
        """Whether a proxy listens."""
        self._proxy_words = "Proxy is on" if on else "Proxy"
        self.proxy.setAccessibleName(self._proxy_words)
        self.fit()

    def steps(self) -> Sequence[Step]:
        return [
            lambda roomy: self.picture.setText("Save picture" if roomy else ""),
            lambda roomy: self.proxy.setText(self._proxy_words if roomy else ""),
            lambda roomy: self.live.setText("Live" if roomy else ""),
            lambda roomy: self.open.setText("Open" if roomy else ""),
            lambda roomy: self._words[1].setVisible(roomy),
            lambda roomy: self._words[0].setVisible(roomy),
            *self.giving_way,
            self._widen_readers,
        ]

    def _widen_readers(self, roomy: bool) -> None:
        for choice in (self.read_as, self.compare_with):
            choice.limit(READER if roomy else LEAST_READER)
