"""The command palette: found, chosen, done, and away again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector_app.ui.commands import Command
from inspector_app.ui.dialogs.other_words import OTHER_WORDS
from inspector_app.ui.dialogs.palette import CommandPalette
from inspector_app.ui.dialogs.palette_list import Entry, PaletteModel, entries
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, type_at, window

__all__ = ["window"]

CONTROL = Qt.KeyboardModifier.ControlModifier


def nothing() -> None:
    """Does nothing."""


COMMANDS = [
    Command("Zoom in", "Timeline", nothing, ("W",)),
    Command("Zoom out", "Timeline", nothing),
    Command("Swap", "Readers", nothing, enabled=lambda: False, needs="needs a comparison"),
    Command("Tab: 4", "Window", nothing, enabled=lambda: False),
    Command("Open recent: a.sse", "Recording", nothing, remark="/home/zoe"),
]


def words_of(found: list[Entry]) -> list[str]:
    return [entry.words for entry in found]


def test_with_nothing_typed_what_is_possible_comes_first() -> None:
    assert words_of(entries(COMMANDS, "")) == ["Zoom in", "Zoom out", "Open recent: a.sse", "Swap"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("zo", ["Zoom in", "Zoom out", "Open recent: a.sse"]),
        ("zin", ["Zoom in"]),
        ("swap", ["Swap"]),
        ("timeline", ["Zoom in", "Zoom out"]),
        ("tab 4", []),
        ("zoe", ["Open recent: a.sse"]),
        ("ioe", []),
        ("qqq", []),
    ],
)
def test_typed_letters_choose_by_words_then_by_group_and_remark(typed: str, found: list[str]) -> None:
    assert words_of(entries(COMMANDS, typed))[: len(found) or 9] == found


def test_a_row_says_all_of_it_and_a_reason_where_it_is_not_possible() -> None:
    found = {entry.command.words: entry for entry in entries(COMMANDS, "")}
    assert found["Zoom in"].spoken() == "Zoom in, Timeline, W"
    assert found["Swap"].spoken() == "Swap, needs a comparison, Readers"
    assert found["Open recent: a.sse"].spoken() == "Open recent: a.sse, /home/zoe, Recording"


def test_words_of_others_are_plain_and_short() -> None:
    entry = Entry(Command("Open recent: \x1b[31m\u202e" + "x" * 500, "Recording", nothing), True)
    assert "\x1b" not in entry.words
    assert "\u202e" not in entry.words
    assert len(entry.words) < 300


def test_the_model_keeps_the_rules_of_models(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    model = PaletteModel(owner)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for typed in ("", "zo", "qqq", ""):
        model.show(entries(COMMANDS, typed))
    possible = [bool(model.flags(model.index(row, 0)) & Qt.ItemFlag.ItemIsEnabled) for row in range(model.rowCount())]
    assert possible == [True, True, True, False]


# in the window


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("ledger", "Detail: Fields"),
        ("silence", "Detail: Timing"),
        ("headers", "Detail: HTTP"),
        ("screenshot", "Save picture…"),
        ("shortcuts", "All keys"),
        ("diff", "Compare two recordings…"),
        ("matrix", "Every client…"),
    ],
)
def test_a_command_is_found_by_other_words_for_it(qtbot: QtBot, window: Window, typed: str, first: str) -> None:
    open_in(qtbot, window, "mixed-spacing")
    assert first in words_of(entries(window._offered(), typed))[:3]


def test_other_words_are_those_of_commands(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "mixed-spacing")
    assert OTHER_WORDS.keys() <= {command.words for command in window.commands()}
    for words, others in OTHER_WORDS.items():
        own = set(words.lower().split())
        assert not own & set(others.split()), f"{words}: found by them anyway"


def palette(window: Window) -> CommandPalette:
    return window.command_palette


def chosen(window: Window) -> str:
    return str(palette(window).list.currentIndex().data())


def test_it_opens_finds_does_and_gives_the_keyboard_back(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    page.panes.raw.setFocus()
    qtbot.keyClick(page.panes.raw, Qt.Key.Key_K, CONTROL)
    assert window.focusWidget() is palette(window).field
    type_at(qtbot, window, "swap")
    assert chosen(window) == "Swap the two readings"
    assert palette(window).field.accessibleDescription() == "Swap the two readings, Readers, X"
    qtbot.keyClick(palette(window).field, Qt.Key.Key_Return)
    assert page.session.primary == "zcode-3.11"
    assert palette(window).isHidden()
    assert window.focusWidget() is page.panes.raw


@pytest.mark.parametrize("close", [Qt.Key.Key_Escape, Qt.Key.Key_K])
def test_escape_and_its_own_key_close_it(qtbot: QtBot, window: Window, close: Qt.Key) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    before = page.session.selection.current
    page.timeline.setFocus()
    qtbot.keyClick(page.timeline, Qt.Key.Key_P, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert palette(window).isVisible()
    held = CONTROL if close == Qt.Key.Key_K else Qt.KeyboardModifier.NoModifier
    qtbot.keyClick(palette(window).field, close, held)
    assert palette(window).isHidden()
    assert page.session.selection.current == before
    assert window.focusWidget() is page.timeline


def test_a_click_elsewhere_closes_it_and_one_on_a_row_does_it(qtbot: QtBot, window: Window, look: Look) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    palette(window).open()
    page.panes.raw.setFocus()
    assert palette(window).isHidden()
    palette(window).open()
    qtbot.keyClicks(palette(window).field, "theme dark")
    row = palette(window).list.visualRect(palette(window).model.index(0, 0))
    qtbot.mouseClick(palette(window).list.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert look.theme.name == "dark"
    assert palette(window).isHidden()


def test_arrows_go_round_over_what_is_possible(qtbot: QtBot, window: Window) -> None:
    palette(window).open()
    field = palette(window).field
    possible = [entry.words for entry in palette(window).model.entries if entry.possible]
    assert chosen(window) == possible[0]
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert chosen(window) == possible[-1]
    qtbot.keyClick(field, Qt.Key.Key_Down)
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert chosen(window) == possible[1]
    qtbot.keyClick(field, Qt.Key.Key_PageDown)
    assert chosen(window) == possible[14]
    qtbot.keyClick(field, Qt.Key.Key_PageUp)
    qtbot.keyClick(field, Qt.Key.Key_PageUp)
    assert chosen(window) == possible[0]


def test_what_is_not_possible_is_shown_with_the_reason_and_not_done(qtbot: QtBot, window: Window) -> None:
    palette(window).open()
    qtbot.keyClicks(palette(window).field, "save picture")
    first = palette(window).model.entries[0]
    assert (first.words, first.remark) == ("Save picture…", "needs a recording, a request or a comparison in view")
    qtbot.keyClick(palette(window).field, Qt.Key.Key_Return)
    assert palette(window).isVisible()
    row = palette(window).list.visualRect(palette(window).model.index(0, 0))
    qtbot.mouseClick(palette(window).list.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert palette(window).isVisible()


@pytest.mark.parametrize(
    ("typed", "offered", "arrives"),
    [
        ("7", ["Go to event 7", "Go to line 7", "Go to byte 7"], Selection(7)),
        ("event 7", ["Go to event 7"], Selection(7)),
        ("line 3", ["Go to line 3"], Selection(1, 3, start=391, end=392)),
        ("byte 400", ["Go to byte 400"], None),
        ("l:2", ["Go to line 2"], None),
        ("999999", [], None),
        ("seven", [], None),
        ("", [], None),
    ],
)
def test_numbers_lead_to_events_lines_and_bytes(
    qtbot: QtBot, window: Window, typed: str, offered: list[str], arrives: Selection | None
) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    page.session.selection.select(Selection(50), None)
    qtbot.keyClick(page, Qt.Key.Key_G, CONTROL)
    qtbot.keyClicks(palette(window).field, typed)
    assert words_of(palette(window).model.entries) == offered
    qtbot.keyClick(palette(window).field, Qt.Key.Key_Return)
    current = page.session.selection.current
    assert current is not None
    assert palette(window).isVisible() != bool(offered)
    if typed == "line 3":
        start = page.session.reference.lines.starts[3]  # type: ignore[union-attr]
        assert (current.line, current.start) == (3, start)
    elif typed == "byte 400":
        assert (current.event, current.start, current.end) == (1, 400, 401)
    elif arrives is not None:
        assert current == arrives


def test_recordings_and_readers_are_among_the_commands(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "empty-tool-calls")
    palette(window).open()
    qtbot.keyClicks(palette(window).field, "open example")
    assert len([words for words in words_of(palette(window).model.entries) if words.startswith("Open example: ")]) > 10
    palette(window).field.setText("compare none")
    qtbot.keyClick(palette(window).field, Qt.Key.Key_Return)
    assert window.page().session.secondary is None  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [(1024, 700), (1920, 1200)])
def test_it_stays_inside_the_window(qtbot: QtBot, window: Window, size: tuple[int, int]) -> None:
    palette(window).open()
    window.resize(*size)
    assert window.rect().contains(palette(window).geometry())
    assert abs(palette(window).geometry().center().x() - window.width() // 2) <= 1


def test_the_pages_of_the_detail_are_turned_to(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    palette(window).open()
    qtbot.keyClicks(palette(window).field, "detail http")
    qtbot.keyClick(palette(window).field, Qt.Key.Key_Return)
    assert page.detail.head.tabs.tabText(page.detail.head.tabs.currentIndex()) == "HTTP"
