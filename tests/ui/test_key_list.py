"""The list of all keys: complete, in columns, over the window and away again."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from pytestqt.qtbot import QtBot

from inspector_app.ui.commands import Command, shown_keys
from inspector_app.ui.dialogs.key_list import AROUND, EDGE, VIEW_KEYS, Row, in_columns, key_groups
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, window

__all__ = ["window"]


def nothing() -> None:
    """Does nothing."""


def test_commands_of_a_family_are_one_row_and_those_without_keys_none() -> None:
    commands = [
        Command("Zoom in", "Timeline", nothing, ("W", "Ctrl+Up", "Ctrl+Plus")),
        Command("Theme: dark", "Theme", nothing),
        *(Command(f"Tab: {n}", "Window", nothing, (f"Ctrl+{n}",)) for n in range(1, 10)),
        Command("Head: to here", "Play", nothing, ("Shift+Space",)),
        Command("Head: to the start", "Play", nothing, ("Ctrl+Home",)),
        Command("Pace: slower", "Play", nothing, ("<",)),
        Command("Pace: faster", "Play", nothing, (">",)),
    ]
    groups = key_groups(commands)
    assert groups["Timeline"] == [Row(("W", "Ctrl+Up"), "Zoom in")]
    assert groups["Window"] == [Row(("Ctrl+1 … Ctrl+9",), "Tab 1 … 9")]
    assert groups["Play"] == [
        Row(("Shift+Space",), "Head to here"),
        Row(("Ctrl+Home",), "Head to the start"),
        Row(("< >",), "Pace slower … faster"),
    ]
    assert "Theme" not in groups
    assert {group for group, _, _ in VIEW_KEYS} <= groups.keys()


@pytest.mark.parametrize(
    ("heights", "counts"),
    [([], []), ([5], [1]), ([5, 5, 5], [1, 1, 1]), ([9, 2, 2, 2, 9], [1, 3, 1]), ([1, 1, 1, 1, 1, 1], [2, 2, 2])],
)
def test_columns_are_as_low_as_can_be(heights: list[int], counts: list[int]) -> None:
    assert in_columns(heights, 3) == counts


def test_every_key_of_the_window_is_said(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "empty-tool-calls")
    window.run("All keys")
    said = window.key_list.accessibleDescription()
    for command in window.commands():
        if command.keys and ": " not in command.words:
            assert f"{shown_keys(command.keys[0])}" in said
            assert command.words in said


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1200)])
def test_all_of_it_fits_into_the_window(qtbot: QtBot, window: Window, size: tuple[int, int]) -> None:
    open_in(qtbot, window, "empty-tool-calls")
    window.run("All keys")
    window.resize(*size)
    shown = window.key_list
    assert shown.geometry() == window.rect()
    high = shown._row_height()
    card = shown.card()
    assert shown.rect().adjusted(AROUND, AROUND, -AROUND, -AROUND).contains(card)
    assert card.top() + 44 + shown._tallest(high) - 12 + EDGE <= card.bottom() + 1
    places = shown.places()
    assert [row for rows in shown._groups.values() for row in rows] == [row for row, _ in places]
    assert all(card.contains(rect) for _, rect in places)
    assert not any(one.intersects(other) for (_, one), (_, other) in pairwise(places))


@pytest.mark.parametrize("size", [(920, 560), (1024, 700)])
def test_a_low_window_scrolls_to_the_last_row(qtbot: QtBot, window: Window, size: tuple[int, int]) -> None:
    open_in(qtbot, window, "empty-tool-calls")
    window.resize(*size)
    window.run("All keys")
    shown = window.key_list
    below = max(rect.bottom() for _, rect in shown.places())
    assert below > shown.card().bottom()
    qtbot.keyClick(shown, Qt.Key.Key_PageDown)
    assert max(rect.bottom() for _, rect in shown.places()) == shown.card().bottom() - EDGE
    qtbot.keyClick(shown, Qt.Key.Key_PageUp)
    assert max(rect.bottom() for _, rect in shown.places()) == below


@pytest.mark.parametrize("how", ["escape", "click", "key", "button", "elsewhere"])
def test_it_goes_away(qtbot: QtBot, window: Window, how: str) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    window.deck.keys_button.click()
    shown = window.key_list
    assert shown.isVisible()
    assert window.focusWidget() is shown
    if how == "escape":
        qtbot.keyClick(shown, Qt.Key.Key_Escape)
    elif how == "click":
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    elif how == "key":
        qtbot.keyClicks(shown, "?")
    elif how == "button":
        window.deck.keys_button.click()
    else:
        page.panes.raw.setFocus()
    assert shown.isHidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_lies_on_a_card_in_the_theme(qtbot: QtBot, window: Window, look: Look, theme: str) -> None:
    look.choose(theme)
    window.run("All keys")
    image = window.key_list.grab(QRect(window.rect())).toImage()
    card = window.key_list.card()
    assert image.pixelColor(card.left() + 10, card.top() + 10) == look.theme.color("bg.raised")
    assert image.pixelColor(4, 4) != look.theme.color("bg.raised")
