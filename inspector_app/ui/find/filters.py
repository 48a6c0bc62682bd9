"""What helps to write a field filter: names and fields to complete, filters to choose from, those that one keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QMenu, QWidget

from inspector_app.core.field_completion import completions
from inspector_app.core.pattern import Query
from inspector_app.core.text import clip
from inspector_app.ui import fonts
from inspector_app.ui.find.words import Offer
from inspector_app.ui.settings import Settings

NAME = "filters"
KEPT = 30
SHOWN = 60
"""Characters of a filter in the menu."""
PRESETS = (
    ("Tool calls", "kind = tool"),
    ("Reasoning", "kind = reasoning"),
    ("Text", "kind = text"),
    ("Findings", "rule exists"),
    ("Errors", "severity = error"),
    ("Long waits", "gap > 1s"),
    ("Large events", "size > 4kB"),
    ("Named events", "name exists"),
)


class SavedFilters:
    """The filters that the user keeps, the last one first; without `settings` as long as the object lasts."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()

    def __call__(self) -> list[str]:
        return [text for text in self._settings.value(NAME, []) if isinstance(text, str)][:KEPT]

    def keep(self, text: str) -> None:
        """Keep a filter."""
        self._settings.put(NAME, [text, *(known for known in self() if known != text)][:KEPT])

    def forget(self, text: str) -> None:
        """Keep it no longer."""
        self._settings.put(NAME, [known for known in self() if known != text])


class Completion(QObject):
    """Offers names while a filter is typed into `field`; it is asleep until `active` is set.

    `fields` gives the paths of the recording, most useful first.
    """

    def __init__(self, field: QLineEdit, fields: Callable[[], Iterable[str]]) -> None:
        super().__init__(field)
        self.active = False
        self._field, self._fields = field, fields
        self._start = self._cursor = 0
        self._model = QStringListModel(self)
        self.completer = QCompleter(self._model, self)
        self.completer.setWidget(field)
        self.completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completer.setMaxVisibleItems(12)
        self.completer.popup().setAccessibleName("Fields and names")
        self.completer.popup().setFont(fonts.wire_font(fonts.BODY))
        self.completer.popup().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.completer.activated.connect(self._take)
        field.textEdited.connect(lambda _: self._offer())

    def _offer(self) -> None:
        field = self._field
        popup = self.completer.popup()
        self._cursor = field.cursorPosition()
        self._start, names = completions(field.text(), self._cursor, self._fields()) if self.active else (0, [])
        word = field.text()[self._start : self._cursor]
        if not word or not names or names == [word]:
            popup.hide()
            return
        self._model.setStringList(names)
        self.completer.complete()
        # Enter is for the filter as it was typed, until one of the names is chosen.
        popup.setCurrentIndex(self._model.index(-1, 0))

    def _take(self, name: str) -> None:
        field = self._field
        text = field.text()
        rest = text[self._cursor :]
        field.setText(f"{text[: self._start]}{name}{rest}" if rest else f"{text[: self._start]}{name} ")
        field.setCursorPosition(self._start + len(name) + (not rest))
        field.textEdited.emit(field.text())


def filter_menu(parent: QWidget, saved: SavedFilters, current: str, choose: Callable[[str], None]) -> QMenu:
    """The filters to choose from, and what can be done with the one that is typed."""
    menu = QMenu(parent)
    for words, text in PRESETS:
        menu.addAction(f"{words}\t{text}").triggered.connect(partial(_chosen, choose, text))
    kept = saved()
    if kept:
        menu.addSeparator()
    for text in kept:
        menu.addAction(_plain(text)).triggered.connect(partial(_chosen, choose, text))
    menu.addSeparator()
    current = current.strip()
    keep = menu.addAction("Keep this filter")
    keep.setEnabled(bool(current) and current not in kept)
    keep.triggered.connect(lambda: saved.keep(current))
    forget = menu.addAction("Forget this filter")
    forget.setEnabled(current in kept)
    forget.triggered.connect(lambda: saved.forget(current))
    return menu


def offer_menu(parent: QWidget, offers: Sequence[Offer], choose: Callable[[Query], None]) -> QMenu:
    """The queries to choose from that may have been meant."""
    menu = QMenu(parent)
    for words, query in offers:
        menu.addAction(_plain(words)).triggered.connect(partial(_asked, choose, query))
    return menu


def _asked(choose: Callable[[Query], None], query: Query, _: bool = False) -> None:
    choose(query)


def _chosen(choose: Callable[[str], None], text: str, _: bool = False) -> None:
    choose(text)


def _plain(text: str) -> str:
    """A filter as a menu shows it: neither a key nor a column of its own."""
    return clip(text, SHOWN).replace("&", "&&").replace("\t", " ")
