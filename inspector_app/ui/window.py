"""The window: the start page and a tab per recording, the menu, the keys, what is dropped on it."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMenu,
    QWidget,
)

from inspector_app.core.kit import Kit
from inspector_app.core.resources import resource
from inspector_app.core.text import clip, visible
from inspector_app.core.types import Exchange, InputFault
from inspector_app.lenses import Lens
from inspector_app.live.capture import conditions_of
from inspector_app.live.providers import Provider
from inspector_app.live.request import Outgoing
from inspector_app.ui.asides import Asides
from inspector_app.ui.commands import Bindings, Command, fill_menu, named
from inspector_app.ui.compose.opening import Composing
from inspector_app.ui.compose.page import ComposePage
from inspector_app.ui.compose.picture import can_be_drawn, caption_of, fill_without_secrets
from inspector_app.ui.deck import Deck
from inspector_app.ui.dialogs.key_list import KeyList
from inspector_app.ui.dialogs.palette import CommandPalette
from inspector_app.ui.dialogs.picture_dialog import PictureDialog
from inspector_app.ui.find.everywhere import Everywhere
from inspector_app.ui.find.filters import SavedFilters
from inspector_app.ui.icons import app_icon
from inspector_app.ui.intake import can_take, intake, local_paths
from inspector_app.ui.live.begin import folder_of, live_session
from inspector_app.ui.live.part import LivePart
from inspector_app.ui.live.session import Capturing, LiveSession
from inspector_app.ui.mutes import Mutes
from inspector_app.ui.notes.keeping import Keeping
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.page_commands import jumps
from inspector_app.ui.pair.opening import Pairs
from inspector_app.ui.pair.page import PairPage
from inspector_app.ui.paste import name_at, pasted
from inspector_app.ui.proxy.desk import Proxying
from inspector_app.ui.replay.desk import Replaying
from inspector_app.ui.scenes import show_at_least
from inspector_app.ui.session import Session
from inspector_app.ui.settings import Settings
from inspector_app.ui.start import StartPage
from inspector_app.ui.studio import USUAL, Picture, Studio, Wish
from inspector_app.ui.theme import Look
from inspector_app.ui.window_commands import commands_of
from inspector_app.ui.window_state import (
    Memory,
    is_remembered,
    restore_page,
    restore_readers,
    restore_window,
    save_page,
    save_window,
)

Drawable = RecordingPage | ComposePage | PairPage
"""What a picture can be made of."""
LEAST = 920, 560
"""Less than the 1024 by 700 at which all is in view: a screen of 2560 by 1440 has no more at 250 per cent."""

CLOSING_S = 1.5
"""How long a window that is closed waits for recordings to be closed."""


class Window(QMainWindow):
    """The main window. Without `settings` nothing is remembered from one window to the next."""

    def __init__(
        self,
        kit: Kit,
        lenses: Mapping[str, Lens],
        look: Look,
        how: Mapping[str, Any] | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__()
        self.kit, self.look = kit, look
        self.lenses = dict(lenses)
        """All that the sessions of this window read as; the editor of lenses adds to them."""
        self.how = dict(how or {})
        self.settings = settings or Settings()
        self.mutes = Mutes(self.settings, self)
        self._live: list[Capturing] = []
        """Captures that may not have ended, those of closed tabs as well."""
        self.setWindowTitle("Stream Inspector")
        self.setWindowIcon(app_icon())
        self.setAcceptDrops(True)
        self.resize(1600, 1000)
        self.setMinimumSize(*LEAST)
        gallery = [str(path) for path in resource("recordings").glob("*.rec.jsonl")]
        self.start = StartPage(kit, lenses, look, self.settings, gallery)
        self.deck = Deck(look, self.start)
        self.composing = Composing(self)
        self.tabs, self.stack = self.deck.tabs, self.deck.stack
        self.proxying, self.replaying = Proxying(self), Replaying(self)
        self.studio = Studio(self, look, self._copy_of, self._clean_of)
        self.asides = Asides(self)
        self.keeping = Keeping(self)
        self.everywhere = Everywhere(self)
        self.pairs = Pairs(self)
        self.setCentralWidget(self.deck)
        self._menu = QMenu(self)
        self.bindings = Bindings(self, self.commands)
        self.command_palette = CommandPalette(look, self._offered, self._jumps, self)
        self.key_list = KeyList(look, self.commands, self)
        self._menu.aboutToShow.connect(lambda: fill_menu(self._menu, self.commands()))
        self.deck.menu_button.clicked.connect(self._show_menu)
        self.deck.keys_button.clicked.connect(self.key_list.open)
        self.deck.shown.connect(self._shown)
        self.deck.closing.connect(self._closing)
        self.start.opened.connect(self.show_path)
        self.start.open_asked.connect(self.ask_open)
        self.start.paste_asked.connect(self.paste)
        self.start.live_asked.connect(self.composing.compose)
        self.start.proxy_asked.connect(self.proxying.show)
        self.start.say(self.settings.note)
        self.deck.show_start()
        restore_window(self, self.settings)

    # building

    def commands(self) -> list[Command]:
        """All that can be done now: by the window and by what it shows."""
        page = self._drawable()
        return [*commands_of(self), *(page.commands() if page is not None else [])]

    def _offered(self) -> list[Command]:
        """For the palette: what the page in view can do comes first."""
        page = self._drawable()
        return [*(page.commands() if page is not None else []), *commands_of(self)]

    def _jumps(self, typed: str) -> list[Command]:
        page = self.page()
        return jumps(page, typed) if page is not None else []

    def run(self, words: str) -> None:
        """Do the command with these words, if there is one now."""
        command = named(self.commands(), words)
        if command is not None:
            command.run()

    def _show_menu(self) -> None:
        button = self.deck.menu_button
        self._menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))

    # pages

    def page(self) -> RecordingPage | None:
        """The recording in view, None on the start page."""
        return self.deck.page()

    def close_page(self, index: int) -> None:
        """Close a tab."""
        self.deck.close_tab(index)

    def _closing(self, page: Drawable) -> None:
        if not isinstance(page, RecordingPage):
            page.close_work()
            return
        page.session.cancel()
        self.keeping.close(page)
        save_page(page, self.settings)

    def _shown(self) -> None:
        page = self._drawable()
        self.setWindowTitle(f"{page.title} – Stream Inspector" if page is not None else "Stream Inspector")
        self.bindings.renew()

    # recordings

    def open_path(self, path: str, lens: str | None = None) -> RecordingPage:
        """Open a recording in a tab of its own; reading it never blocks the window."""
        session = Session(path, self.kit, self.lenses, mutes=self.mutes, parent=self, **self.how)
        page = self._add_page(session)
        if is_remembered(path):
            if lens is None:
                restore_readers(session, self.settings)
            Memory(page, self.settings)
        if lens is not None:
            session.choose(lens)
        session.load()
        return page

    def open_paths(self, paths: Sequence[str], lens: str | None = None) -> None:
        """Open several recordings, and those in folders; what was left out is said in place."""
        taken = intake(paths)
        for path in taken.paths:
            self.open_path(path, lens)
        if taken.note:
            self.say(taken.note)

    def show_path(self, path: str) -> None:
        """Go to the tab of a recording that is open, else open it."""
        for page in self.deck.pages():
            same = Path(page.session.path).absolute() == Path(path).absolute() and page.session.error is None
            if same and page.session.notes.is_current():
                self.deck.show_page(page)
                return
        self.open_path(path)

    def _add_page(self, session: Session, name: str = "") -> RecordingPage:
        page = RecordingPage(session, self.look)
        # With the tab goes all that was read for it.
        session.setParent(page)
        page.name = name
        page.find.bar.saved = SavedFilters(self.settings)
        restore_page(page, self.settings)
        page.open_asked.connect(self.ask_open)
        page.picture_asked.connect(self.ask_picture)
        page.commands_changed.connect(self.bindings.renew)
        page.toolbar.live.clicked.connect(lambda: self.compose())
        self.proxying.serve(page)
        self.asides.serve(page)
        self.keeping.serve(page)
        self.deck.add(page)
        return page

    def paste(self) -> None:
        """Open what the clipboard holds: files, a stream, a curl -i output, JSON lines."""
        # An empty clipboard has no data at all on some systems.
        self._take(QApplication.clipboard().mimeData() or QMimeData())

    def _take(self, data: QMimeData) -> None:
        paths = local_paths(data)
        if paths:
            self.open_paths(paths)
            return
        if self.composing.take(data):
            return
        now = datetime.now()
        try:
            self.open_exchanges(pasted(data.text(), now), name_at(now))
        except InputFault as fault:
            self.say(str(fault))

    def open_exchanges(self, exchanges: list[Exchange], name: str) -> RecordingPage:
        """Open what is in memory already under a name, with a number where that name is taken."""
        taken = {page.session.path for page in self.deck.pages()}
        free = next(title for n in count(1) if (title := name if n == 1 else f"{name} ({n})") not in taken)
        session = Session(free, self.kit, self.lenses, mutes=self.mutes, parent=self, **self.how)
        page = self._add_page(session)
        session.open_exchanges(exchanges)
        return page

    def compose(self, provider: Provider | None = None, request: Mapping[str, Any] | None = None) -> ComposePage:
        """Show a new request, for a provider, or to send one of a recording again."""
        return self.composing.compose(provider, request)

    def go_live(self, provider: Provider, request: Outgoing, *, redirects: bool = False) -> RecordingPage | None:
        """Send a request and show what comes in a tab of its own while it is recorded; `redirects` are followed.

        None where no recording can be made: nothing is sent then, and why is said in place.
        """
        model = provider.model or "stream"
        conditions = conditions_of(provider, redirects=redirects)
        try:
            session = live_session(
                request, conditions, (provider.name, model), folder_of(self.settings), self.kit, self.lenses,
                mutes=self.mutes, parent=self, **self.how,
            )  # fmt: skip
        except OSError as error:
            self.say(f"Nothing was sent: no recording can be made in {folder_of(self.settings)}: {error.strerror}")
            return None
        return self.follow(session, provider.name, model)

    def follow(self, session: LiveSession, *words: str) -> RecordingPage:
        """Show a stream as it comes in a tab of its own, named after whom it is asked of, and the model."""
        name = " · ".join(visible(clip(word.rpartition("/")[2], 40)) for word in words if word)
        page = self._add_page(session, name)
        Memory(page, self.settings)
        LivePart(page, session)
        self._live = [one for one in self._live if not one.join(0.0)]
        self._live.append(session.capture)
        session.begin()
        return page

    def say(self, words: str) -> None:
        """One line where the user looks: a fault of the program or of what was given to it."""
        page = self._drawable()
        if page is None:
            self.start.say(words)
        elif not isinstance(page, RecordingPage):
            page.say(words)
        elif page.session.complete or page.session.error is not None:
            page.notice.say(words)
        else:
            # Until then the place belongs to the progress.
            page.session.read.connect(lambda: page.notice.say(words), Qt.ConnectionType.SingleShotConnection)

    def choose_theme(self, choice: str) -> None:
        """Set the theme, and remember it."""
        self.look.choose(choice)
        self.settings.put("theme", choice)

    # files

    def ask_open(self) -> None:
        """Let the user choose recordings; the dialog does not block the window."""
        dialog = QFileDialog(self, "Open a recording")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self.open_paths)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # pictures

    def ask_picture(self) -> None:
        """Let the user choose what a picture shows and how, in a dialog beside the window."""
        page = self._drawable()
        if page is not None:
            dialog = PictureDialog(self.look, self.studio, page, self)
            dialog.saved.connect(lambda wish, path: self.save_picture(path, wish, page))
            dialog.copied.connect(lambda wish: self.copy_picture(wish, page))
            self.deck.shown.connect(dialog.close)
            dialog.show()

    def save_picture(self, path: str, wish: Wish = USUAL, page: Drawable | None = None) -> None:
        """Write a picture of a page, else of the one in view, when it is ready; where it went is said in place."""
        page = page or self._drawable()

        def save(picture: Picture) -> None:
            try:
                picture.save(path)
            except OSError as error:
                self.say(str(error))
            else:
                if page is not None:
                    page.notice.tell(f"Picture saved: {visible(path)}")

        self._picture(wish, page, save)

    def copy_picture(self, wish: Wish = USUAL, page: Drawable | None = None) -> None:
        """Put a picture of a page, else of the one in view, on the clipboard when it is ready."""
        page = page or self._drawable()

        def copy(picture: Picture) -> None:
            QApplication.clipboard().setMimeData(picture.for_clipboard())
            if page is not None:
                page.notice.tell("Picture copied to the clipboard")

        self._picture(wish, page, copy)

    def _picture(self, wish: Wish, page: Drawable | None, deliver: Any) -> None:
        page = page or self._drawable()
        if page is not None:
            page.notice.withdraw()
            self.studio.make(page, wish, deliver)

    def _drawable(self) -> Drawable | None:
        sheet = self.deck.sheet()
        return sheet if isinstance(sheet, Drawable) else None

    def _copy_of(self, page: RecordingPage, exchange: Exchange) -> tuple[Window, RecordingPage]:
        """A window that nobody sees with another exchange on a page like this one."""
        settings = Settings()
        settings.put("panes", self.settings.value("panes", {}))
        settings.put("muted", self.settings.value("muted", []))
        save_page(page, settings)
        window = Window(self.kit, self.lenses, self.look, self.how, settings)
        show_at_least(window, self.size(), self.size())
        copy = window.open_exchanges([exchange], page.session.path)
        copy.session.choose(page.session.primary, page.session.secondary)
        return window, copy

    def unseen(self) -> Window:
        """A window of this size that nobody sees, for what a picture shows otherwise than this one does."""
        window = Window(self.kit, self.lenses, self.look, self.how)
        show_at_least(window, self.size(), self.size())
        return window

    def _clean_of(self, page: Any, always: bool) -> Generator[bool, None, tuple[QWidget | None, str]]:
        """The same of a page that has secrets in it and is no recording, and the caption of its picture."""
        if isinstance(page, PairPage):
            return (yield from self.pairs.clean_of(page, always))
        if not always and can_be_drawn(page):
            return None, caption_of(page, False)
        window = self.unseen()
        fill_without_secrets(window.compose(), page)
        return window, caption_of(page, True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.bindings.take(event):
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if can_take(event.mimeData()):
            event.acceptProposedAction()
            self.start.show_drag(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.start.show_drag(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.start.show_drag(False)
        self._take(event.mimeData())
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.keeping.may_close_window():
            event.ignore()
            return
        for page in self.deck.pages():
            self._closing(page)
        self.composing.close()
        self.pairs.close()
        self.proxying.close()
        self.replaying.close()
        self.start.shelf.run(False)
        save_window(self, self.settings)
        # Every stream is cancelled by now; their recordings are closed beside each other.
        until = time.monotonic() + CLOSING_S
        for capture in self._live:
            capture.join(max(0.0, until - time.monotonic()))
        self.proxying.join(max(0.0, until - time.monotonic()))
        self.keeping.join(until)
        super().closeEvent(event)
