"""The table of commands: no key means two things, keys, menu and owners agree."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.ui.commands import Bindings, Command, fill_menu, named, shown_keys
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, type_at, window

__all__ = ["window"]

GALLERY = [None, "empty-tool-calls", "held-back-burst"]
"""The start page, a comparison, a recording that all read alike."""


@pytest.mark.parametrize("name", GALLERY)
def test_no_key_means_two_things(qtbot: QtBot, window: Window, name: str | None) -> None:
    if name is not None:
        open_in(qtbot, window, name)
    keys = Counter(QKeySequence(key).toString() for command in window.commands() for key in command.keys)
    assert "" not in keys
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("name", GALLERY)
def test_words_with_keys_are_unique_and_every_command_has_a_group(
    qtbot: QtBot, window: Window, name: str | None
) -> None:
    if name is not None:
        open_in(qtbot, window, name)
    commands = window.commands()
    words = Counter(command.words for command in commands if command.keys)
    assert [one for one, count in words.items() if count > 1] == []
    assert all(command.group and command.words == command.words.strip() for command in commands)


def test_keys_follow_the_page_in_view(qtbot: QtBot, window: Window) -> None:
    assert "Next finding" not in {words for words, _ in window.bindings.actions}
    first = open_in(qtbot, window, "empty-tool-calls")
    second = open_in(qtbot, window, "mixed-spacing")
    before = first.timeline.aim
    type_at(qtbot, window, "w")
    assert second.timeline.aim != second.timeline._whole
    assert first.timeline.aim == before
    window.close_page(1)
    window.close_page(0)
    assert "Next finding" not in {words for words, _ in window.bindings.actions}


class Owner(QWidget):
    """Something with a field and commands."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.able = True
        self.field = QLineEdit()
        self.other = QWidget()
        self.other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(self)
        column.addWidget(self.field)
        column.addWidget(self.other)
        self.bindings = Bindings(self, self.commands)
        self.bindings.renew()

    def commands(self) -> list[Command]:
        """One of each sort."""
        return [
            Command("Letter", "Keys", lambda: self.done.append("letter"), ("W", "Ctrl+W")),
            Command("Mark", "Keys", lambda: self.done.append("mark"), ("?",)),
            Command("Sometimes", "Other", lambda: self.done.append("sometimes"), ("F8",), lambda: self.able, "no"),
            Command("Back", "Other", lambda: self.done.append("back"), ("Esc",), late=True),
            Command("On: a & b", "Menu", lambda: self.done.append("on"), menu=True, checked=lambda: self.able),
            Command("Off", "Menu again", lambda: self.done.append("off"), ("Ctrl+O",), lambda: False, menu=True),
        ]

    def keyPressEvent(self, event) -> None:
        if not self.bindings.take(event):
            super().keyPressEvent(event)


@pytest.fixture
def owner(qtbot: QtBot) -> Owner:
    made = Owner()
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.other.setFocus()
    return made


def test_each_key_does_what_its_command_says(qtbot: QtBot, owner: Owner) -> None:
    qtbot.keyClicks(owner.other, "w?")
    qtbot.keyClick(owner.other, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(owner.other, Qt.Key.Key_F8)
    qtbot.keyClick(owner.other, Qt.Key.Key_Escape)
    assert owner.done == ["letter", "mark", "letter", "sometimes", "back"]


def test_a_command_that_is_not_possible_does_nothing(qtbot: QtBot, owner: Owner) -> None:
    owner.able = False
    qtbot.keyClick(owner.other, Qt.Key.Key_F8)
    assert owner.done == []


def test_letters_are_typed_into_a_field(qtbot: QtBot, owner: Owner) -> None:
    owner.field.setFocus()
    qtbot.keyClicks(owner.field, "ww?")
    assert (owner.field.text(), owner.done) == ("ww?", [])


def test_keys_that_are_renewed_are_bound_once(qtbot: QtBot, owner: Owner) -> None:
    for _ in range(3):
        owner.bindings.renew()
    qtbot.keyClicks(owner.other, "w")
    assert owner.done == ["letter"]


def test_the_menu_shows_keys_state_and_lines_between_groups(owner: Owner) -> None:
    menu = QMenu(owner)
    for _ in range(2):
        fill_menu(menu, owner.commands())
    on, line, off = menu.actions()
    assert (on.text(), on.isCheckable(), on.isChecked(), on.isEnabled()) == ("On: a && b", True, True, True)
    assert line.isSeparator()
    assert (off.text(), off.isEnabled(), off.isCheckable()) == (f"Off\t{shown_keys('Ctrl+O')}", False, False)
    on.trigger()
    assert owner.done == ["on"]


def test_the_menu_of_the_window_is_made_of_the_table(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "mixed-spacing")
    window._menu.aboutToShow.emit()
    words = [action.text().partition("\t")[0] for action in window._menu.actions() if not action.isSeparator()]
    assert words == [command.words for command in window.commands() if command.menu]
    assert {"Open…", "Save picture…", "Theme: dark", "All keys", "Quit"} <= set(words)


def test_a_command_is_found_by_its_words(owner: Owner) -> None:
    found = named(owner.commands(), "On: a & b")
    assert found is not None
    assert (found.family, found.group) == ("On", "Menu")
    assert named(owner.commands(), "on") is None


def test_what_the_menu_and_the_counts_of_findings_do_is_in_the_palette(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "cut-in-the-middle")
    window.run("Copy finding")
    assert QApplication.clipboard().text().startswith("error: frame-cut, once")
    window.run("Findings: warnings alone, or all")
    assert {row.severity for row in page.findings.model.rows} == {"warning"}
    window.run("Findings: warnings alone, or all")
    assert len(page.findings.model.rows) > 2
    menu = page.findings.rows.menu_of(0)
    others = {"Copy rule name", "Mute this rule"}  # the same row in fewer words, and "Mute or unmute the rule"
    entries = {action.text().partition("\t")[0] for action in menu.actions() if not action.isSeparator()}
    assert entries - others <= {command.words for command in window.commands()}
    menu.deleteLater()
