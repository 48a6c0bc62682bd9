"""What can be done, as data: the keys, the menu, the palette and the list of keys are made from the same table.

Whoever can do something offers it as `commands()`, a list of `Command`; the window joins the lists of all owners that
are in view. To add a command is one entry at its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget


def always() -> bool:
    """For what can be done at any time."""
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do.

    `words` say what, and name it: no two in view have the same. "Read as: ZCode 3.11" belongs to the family "Read as".
    `group` is the head it stands under. `keys` are portable, as "Ctrl+Shift+P", the one to show first. `needs` says
    what is missing while it is not `enabled`; without such a reason it is not shown then. `remark` stands beside the
    words, as a folder does. A `late` key goes first to the widget that has the focus, as Escape does. `menu` puts it
    into the menu, `checked` tells whether it is on.
    """

    words: str
    group: str
    does: Callable[[], object]
    keys: tuple[str, ...] = ()
    enabled: Callable[[], bool] = always
    needs: str = ""
    remark: str = ""
    late: bool = False
    menu: bool = False
    checked: Callable[[], bool] | None = None

    @property
    def family(self) -> str:
        """What comes before the colon in the words; all words where there is none."""
        return self.words.partition(": ")[0]

    def run(self) -> None:
        """Does it, if it can be done now."""
        if self.enabled():
            self.does()


Source = Callable[[], Sequence[Command]]


def shown_keys(keys: str) -> str:
    """Keys as this system writes them."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def named(commands: Iterable[Command], words: str) -> Command | None:
    """The command with these words."""
    return next((command for command in commands if command.words == words), None)


class Bindings(QObject):
    """The keys of a window. `renew` whenever other commands are in view; each key acts on what is there by then."""

    def __init__(self, window: QWidget, source: Source) -> None:
        super().__init__(window)
        self._window, self._source = window, source
        self.actions: dict[tuple[str, tuple[str, ...]], QAction] = {}

    def renew(self) -> None:
        """Binds the keys of the commands that are in view now, and lets go of the others."""
        wanted = {(command.words, command.keys) for command in self._source() if command.keys and not command.late}
        for gone in self.actions.keys() - wanted:
            action = self.actions.pop(gone)
            self._window.removeAction(action)
            # The key that changed what is in view may be the one that goes.
            action.deleteLater()
        for words, keys in wanted - self.actions.keys():
            action = QAction(words, self)
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.triggered.connect(lambda _=False, words=words: self._run(words))
            self._window.addAction(action)
            self.actions[words, keys] = action

    def _run(self, words: str) -> None:
        command = named(self._source(), words)
        if command is not None:
            command.run()

    def take(self, event: QKeyEvent) -> bool:
        """Whether a key that no widget wanted was that of a late command, which has been done then."""
        pressed = QKeySequence(event.keyCombination())
        for command in self._source():
            if command.late and any(QKeySequence(keys) == pressed for keys in command.keys) and command.enabled():
                command.does()
                return True
        return False


def fill_menu(menu: QMenu, commands: Sequence[Command]) -> None:
    """Makes the entries of a menu anew, a line between groups. Its keys are shown only: `Bindings` has them."""
    menu.clear()
    group = ""
    for command in commands:
        if not command.menu:
            continue
        if group and command.group != group:
            menu.addSeparator()
        group = command.group
        keys = f"\t{shown_keys(command.keys[0])}" if command.keys else ""
        action = menu.addAction(command.words.replace("&", "&&") + keys)
        action.setEnabled(command.enabled())
        if command.checked is not None:
            action.setCheckable(True)
            action.setChecked(command.checked())
        action.triggered.connect(lambda _=False, command=command: command.run())
