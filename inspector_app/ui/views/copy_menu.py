"""The copy key and the menu of a view: what copies.py offers, as actions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from inspector_app.core.text import encodable
from inspector_app.ui.commands import Command
from inspector_app.ui.session import Session
from inspector_app.ui.views.copies import WORDS, Entry, copies, group_of

GROUP = "Copy"
NOTHING = "needs a selection that has it"


def put(entry: Entry) -> None:
    """Put a text on the clipboard; half a surrogate pair, which no clipboard can hold, is U+FFFD."""
    QGuiApplication.clipboard().setText(encodable(entry.text()))


def copy_menu(owner: QWidget, entries: Sequence[Entry]) -> QMenu:
    """The menu of these entries. The first one shows the copy key; what cannot be copied says why."""
    menu = QMenu(owner)
    menu.setAccessibleName(GROUP)
    key = QKeySequence(QKeySequence.StandardKey.Copy).toString(QKeySequence.SequenceFormat.NativeText)
    menu.aboutToHide.connect(menu.deleteLater)
    for number, entry in enumerate(entries):
        if number and group_of(entry.words) != group_of(entries[number - 1].words):
            menu.addSeparator()
        remark = entry.fault or entry.loss
        words = f"{entry.words} ({remark})" if remark else entry.words
        action = menu.addAction(f"{words}\t{key}" if number == 0 and not entry.fault else words)
        action.setEnabled(not entry.fault)
        action.triggered.connect(lambda _=False, entry=entry: put(entry))
    return menu


def pop_up(owner: QWidget, entries: Sequence[Entry], at: QPoint) -> None:
    """Show the menu of `owner` at a place of its own coordinates, if there is anything to copy."""
    if entries and QApplication.activePopupWidget() is None:  # a system may tell of the Menu key in two ways
        copy_menu(owner, entries).popup(owner.mapToGlobal(at))


def copy_first(owner: QWidget, entries: Sequence[Entry], at: QPoint) -> None:
    """Copy the first entry; where it cannot be copied as text the menu says so and offers the others."""
    if entries and entries[0].fault:
        pop_up(owner, entries, at)
    elif entries:
        put(entries[0])


def by_keyboard(event: QContextMenuEvent) -> bool:
    """Whether the Menu key or Shift+F10 asks for a menu: then it is about the selection, not about a place."""
    return event.reason() == QContextMenuEvent.Reason.Keyboard


def is_menu_key(event: QKeyEvent) -> bool:
    """Whether a key asks for the menu of the selection: not every system makes a context menu event of it."""
    shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    return event.key() == Qt.Key.Key_Menu or (event.key() == Qt.Key.Key_F10 and bool(shifted))


def copy_commands(session: Session) -> list[Command]:
    """Every copy as a command, for the selection as it is by then."""
    asked: list[tuple[object, list[Entry]]] = []

    def entries() -> list[Entry]:
        reference = session.reference
        state = (session.selection.current, reference, len(reference.events) if reference else 0, session.primary)
        if not asked or asked[0][0] != state:
            asked[:] = [(state, copies(session, session.selection.current))]
        return [entry for entry in asked[0][1] if not entry.fault]

    def entry(words: str) -> Entry | None:
        return next((entry for entry in entries() if entry.words == words), None)

    def copy(words: str) -> None:
        found = entry(words)
        if found is not None:
            put(found)

    def command(words: str) -> Command:
        return Command(words, GROUP, lambda: copy(words), enabled=lambda: entry(words) is not None, needs=NOTHING)

    key = QKeySequence(QKeySequence.StandardKey.Copy).toString(QKeySequence.SequenceFormat.PortableText)
    selected = Command(
        "Copy what is selected", GROUP, lambda: put(entries()[0]), (key,), lambda: bool(entries()), NOTHING, late=True
    )
    return [selected, *map(command, WORDS)]
