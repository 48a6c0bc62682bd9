"""The window: a tab per recording, the menu, the keys, what is dropped on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from inspector_app.core.kit import Kit
from inspector_app.core.resources import resource
from inspector_app.lenses import Lens
from inspector_app.ui.controls import Button, icon_button
from inspector_app.ui.frames import EmptyPane, RecordingTabs
from inspector_app.ui.icons import app_icon
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.picture import save_picture
from inspector_app.ui.session import Session
from inspector_app.ui.theme import CHOICES, Look

TABS = 36


class Window(QMainWindow):
    """The main window. Without a recording it says how to open one."""

    def __init__(self, kit: Kit, lenses: Mapping[str, Lens], look: Look, how: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.kit, self.lenses, self.look = kit, lenses, look
        self.how = dict(how or {})
        self.setWindowTitle("Stream Inspector")
        self.setWindowIcon(app_icon())
        self.setAcceptDrops(True)
        self.resize(1600, 1000)
        self.setMinimumSize(1024, 700)
        self.tabs = RecordingTabs(look)
        self.stack = QStackedWidget()
        self.start = EmptyPane(
            look,
            "open",
            "No recording is open",
            "Open an SSE body, a curl -i output, a log of chunks or a .rec.jsonl file, or drop one anywhere here.",
            "Open a recording…",
        )
        self.stack.addWidget(self.start)
        self._menu = QMenu(self)
        self._build_actions()
        self._arrange()
        self.tabs.currentChanged.connect(self._shown)
        self.tabs.tabCloseRequested.connect(self.close_page)
        if self.start.action is not None:
            self.start.action.clicked.connect(self.ask_open)
        self._shown(-1)

    # building

    def _build_actions(self) -> None:
        self.open_action = self._action("Open…", self.ask_open, QKeySequence.StandardKey.Open)
        gallery = QMenu("Gallery", self)
        for path in sorted(resource("recordings").glob("*.rec.jsonl")):
            gallery.addAction(
                path.name.removesuffix(".rec.jsonl").replace("-", " "), partial(self.open_path, str(path))
            )
        self.picture_action = self._action("Save picture…", partial(self.ask_picture, 1), "Ctrl+Shift+S")
        self.picture2_action = self._action("Save picture at double size…", partial(self.ask_picture, 2))
        close = self._action("Close", lambda: self.close_page(self.tabs.currentIndex()), QKeySequence.StandardKey.Close)
        theme = QMenu("Theme", self)
        group = QActionGroup(self)
        for choice in CHOICES:
            action = theme.addAction(choice.capitalize(), partial(self.look.choose, choice))
            action.setCheckable(True)
            action.setChecked(choice == self.look.choice)
            group.addAction(action)
        leave = self._action("Quit", self.close, QKeySequence.StandardKey.Quit)
        self._action("Next finding", lambda: self._on_page("next"), "F8", menu=False)
        self._action("Previous finding", lambda: self._on_page("previous"), "Shift+F8", menu=False)
        self._action("Whole recording", lambda: self._on_page("fit"), "F", menu=False)
        for part in (self.open_action, gallery, None, self.picture_action, self.picture2_action, None, theme, None):
            if part is None:
                self._menu.addSeparator()
            elif isinstance(part, QMenu):
                self._menu.addMenu(part)
            else:
                self._menu.addAction(part)
        for action in (close, leave):
            self._menu.addAction(action)

    def _action(self, words: str, does: Any, keys: Any = None, menu: bool = True) -> QAction:
        action = QAction(words, self)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda *_: does())
        self.addAction(action)
        return action

    def _arrange(self) -> None:
        top = QWidget()
        top.setProperty("layer", "chrome")
        top.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        top.setFixedHeight(TABS)
        row = QHBoxLayout(top)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(4)
        self.menu_button: Button = icon_button(self.look, "list", "Menu")
        self.menu_button.clicked.connect(self._show_menu)
        plus = icon_button(self.look, "plus", "Open a recording", "Ctrl+O")
        plus.clicked.connect(self.ask_open)
        row.addWidget(self.menu_button)
        row.addWidget(self.tabs)
        row.addWidget(plus)
        row.addStretch(1)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top)
        column.addWidget(self.stack, 1)
        self.setCentralWidget(whole)

    def _show_menu(self) -> None:
        self._menu.popup(self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height() + 2)))

    # recordings

    def open_path(self, path: str, lens: str | None = None) -> RecordingPage:
        """Open a recording in a tab of its own; reading it never blocks the window."""
        session = Session(path, self.kit, self.lenses, parent=self, **self.how)
        page = RecordingPage(session, self.look)
        self.stack.addWidget(page)
        self.tabs.blockSignals(True)
        index = self.tabs.add(page.title)
        self.tabs.blockSignals(False)
        page.titled.connect(lambda words, mark: self._title(page, words, mark))
        page.open_asked.connect(self.ask_open)
        page.picture_asked.connect(self._picture_menu)
        self.tabs.setCurrentIndex(index)
        self._shown(index)
        if lens is not None:
            session.choose(lens)
        session.load()
        return page

    def page(self) -> RecordingPage | None:
        """The recording in view, None on the empty window."""
        widget = self.stack.currentWidget()
        return widget if isinstance(widget, RecordingPage) else None

    def close_page(self, index: int) -> None:
        """Close one recording."""
        page = self.stack.widget(index + 1)
        if index < 0 or not isinstance(page, RecordingPage):
            return
        page.session.cancel()
        self.stack.removeWidget(page)
        self.tabs.removeTab(index)
        page.deleteLater()
        self._shown(self.tabs.currentIndex())

    def _title(self, page: RecordingPage, words: str, mark: str) -> None:
        index = self.stack.indexOf(page) - 1
        if index >= 0:
            self.tabs.setTabText(index, words)
            self.tabs.show_mark(index, mark)

    def _shown(self, index: int) -> None:
        self.stack.setCurrentIndex(index + 1 if index >= 0 else 0)
        page = self.page()
        self.setWindowTitle(f"{page.title} – Stream Inspector" if page is not None else "Stream Inspector")
        for action in (self.picture_action, self.picture2_action):
            action.setEnabled(page is not None)

    def _on_page(self, what: str) -> None:
        page = self.page()
        if page is not None:
            {"next": page.findings.next_place, "previous": page.findings.previous_place, "fit": page.timeline.fit}[
                what
            ]()

    # files

    def ask_open(self) -> None:
        """Let the user choose recordings; the dialog does not block the window."""
        dialog = QFileDialog(self, "Open a recording")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: [self.open_path(path) for path in paths])
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _picture_menu(self) -> None:
        self.ask_picture(1)

    def ask_picture(self, scale: int = 1) -> None:
        """Let the user choose where the picture goes."""
        page = self.page()
        if page is None:
            return
        dialog = QFileDialog(self, "Save picture")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("png")
        dialog.setNameFilters(["PNG picture (*.png)"])
        dialog.selectFile(f"{page.title}.png")
        dialog.fileSelected.connect(lambda path: self.save_picture(path, scale))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save_picture(self, path: str, scale: int = 1) -> None:
        """Write the window as a PNG; a failure is said in place."""
        page = self.page()
        if page is None:
            return
        try:
            save_picture(self, self.look, self.caption(), path, scale)
        except OSError as error:
            page.notice.say(str(error))

    def caption(self) -> str:
        """What a picture shows: file, reader, comparison."""
        page = self.page()
        if page is None:
            return ""
        session = page.session
        words = [Path(session.path).name, f"read as {session.title_of(session.primary)}"]
        if session.secondary is not None:
            words.append(f"compared with {session.title_of(session.secondary)}")
        return " · ".join(words)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.open_path(url.toLocalFile())
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        for index in range(self.stack.count()):
            page = self.stack.widget(index)
            if isinstance(page, RecordingPage):
                page.session.cancel()
        super().closeEvent(event)
