"""The detail pane: what is selected, from its JSON down to its bytes and out to the request that asked for it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector_app.lenses import REFERENCE
from inspector_app.ui.commands import Command
from inspector_app.ui.notes.list import NotesPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.detail_head import HEAD, DetailHead
from inspector_app.ui.views.event_view import EventPage, RequestPage, event_page, read_page
from inspector_app.ui.views.fields_view import FieldsPage
from inspector_app.ui.views.json_page import JsonPage
from inspector_app.ui.views.timing_view import TimingPage

Page = JsonPage | EventPage | RequestPage | FieldsPage | TimingPage | NotesPage


class DetailView(QWidget):
    """The pane. Only the page in view is filled; `show_page` turns to one by its name."""

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.json = JsonPage(session, look, self)
        self.events = event_page(session, look)
        self.reads = read_page(session, look)
        self.request = RequestPage(session, look)
        self.fields = FieldsPage(session, look, self)
        self.timing = TimingPage(session, look, self)
        self.notes = NotesPage(session, look)
        self._pages: dict[str, Page] = {
            "JSON and bytes": self.json,
            "Event": self.events,
            "Read": self.reads,
            "HTTP": self.request,
            "Fields": self.fields,
            "Timing": self.timing,
            "Notes": self.notes,
        }
        self.head = DetailHead(look, tuple(self._pages))
        self._stack = QStackedWidget()
        for page in self._pages.values():
            self._stack.addWidget(page)
        for sheet in (self.events, self.reads):
            sheet.led.connect(self._lead)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self._stack)
        self.head.tabs.currentChanged.connect(self._turn)
        self.head.copy.clicked.connect(self._copy)
        for signal in (session.read, session.compared):
            signal.connect(self.refresh)
        session.grown.connect(self._grown)
        session.selection.changed.connect(self._selected)
        self.refresh()

    def commands(self) -> list[Command]:
        """What can be done here from anywhere in the window."""
        return [Command(f"Detail: {name}", "Go to", partial(self.show_page, name)) for name in self._pages]

    def show_page(self, name: str) -> None:
        """Turn to a page."""
        self.head.tabs.setCurrentIndex(list(self._pages).index(name))

    @property
    def _page(self) -> Page:
        return list(self._pages.values())[self._stack.currentIndex()]

    def refresh(self) -> None:
        """Work everything out again: what was read, or which readings are chosen, has changed."""
        session = self._session
        names = [name for name in (session.primary, session.secondary) if name is not None]
        clients = [session.short_title_of(name) for name in names if name != REFERENCE]
        self.head.legend.show_clients(clients or ["Reference"] if session.reference is not None else [])
        for page in self._pages.values():
            page.forget()
        self._show(session.selection.current)

    def _grown(self) -> None:
        """The last event may have gone on; nothing else changes while data is read."""
        current, reference = self._session.selection.current, self._session.reference
        if current is None or reference is None or current.event >= reference.last_event - 1:
            self.refresh()

    def _selected(self, selection: Selection | None, origin: object) -> None:
        if origin is not self:
            self._show(selection)

    def _turn(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self._show(self._session.selection.current)

    def _show(self, selection: Selection | None) -> None:
        page = self._page
        self.head.legend.show_words(page is self.json)
        page.show_selection(selection)

    def _lead(self, selection: Selection) -> None:
        self._session.selection.select(selection, self)

    def _copy(self) -> None:
        self._page.menu().popup(self.head.copy.mapToGlobal(QPoint(0, HEAD - 2)))
