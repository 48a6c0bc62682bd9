"""A restless user in a comparison of two recordings, and its keys."""

from __future__ import annotations

from random import Random

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.ui.pair.page import PairPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.window import Window
from tests.ui import visits
from tests.ui.pair_data import after, before, compared
from tests.ui.window_data import window

__all__ = ["window"]

PAIRS = [
    ("reasoning-details", "think-tags"),
    ("mixed-spacing", "web-page-instead"),
    ("framed-twice", "empty-tool-calls"),
]
ACTIONS = {
    visits.press: 30, visits.hover: 10, visits.wheel: 15, visits.run_command: 12, visits.menu: 4, visits.draw_line: 1,
    visits.resize: 1,
}  # fmt: skip


def click(page: PairPage, random: Random) -> None:
    widget = random.choice([one for one in visits._targets(page) if one is not page.toolbar.picture])  # type: ignore[arg-type]
    at, left = visits._place(widget, random), Qt.MouseButton.LeftButton
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        visits._mouse(widget, kind, at, left, random.choice(visits.MODIFIERS))


def select(page: PairPage, random: Random) -> None:
    side = random.choice(page.sides)
    if side.rows.events:
        side.selection.select(Selection(random.randrange(side.rows.events)), None)


@pytest.mark.parametrize("a, b", PAIRS)
def test_a_comparison_survives_a_restless_user(qtbot: QtBot, window: Window, a: str, b: str) -> None:
    paths = [str(resource("recordings", f"{name}.rec.jsonl")) for name in (a, b)]
    page = window.pairs.compare(*paths)
    qtbot.waitUntil(lambda: not page.busy, timeout=20_000)
    random = Random(a)
    for action in random.choices([*ACTIONS, click, select], [*ACTIONS.values(), 30, 8], k=500):
        if action in (click, select):
            action(page, random)
        else:
            action(window, page, random)
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog) or widget is QApplication.activePopupWidget():
                widget.close()
        QApplication.processEvents()
        if window.deck.sheet() is not page:
            # Swapped, or something else came into view.
            page = next(sheet for sheet in window.deck.sheets() if isinstance(sheet, PairPage))
            window.deck.show_page(page)
            qtbot.waitUntil(lambda page=page: not page.busy or page.stopped, timeout=20_000)
    window.grab()


def test_its_commands_have_words_and_keys_of_their_own(qtbot: QtBot, window: Window) -> None:
    compared(qtbot, window, before(), after())
    words = [command.words for command in window.commands()]
    keys = [key for command in window.commands() for key in command.keys]
    assert (len(words), len(keys)) == (len({*words}), len({*keys}))


@pytest.mark.parametrize("key, seen", [(Qt.Key.Key_B, "view"), (Qt.Key.Key_T, "align")])
def test_keys_turn_what_is_shown(qtbot: QtBot, window: Window, key: Qt.Key, seen: str) -> None:
    page = compared(qtbot, window, before(), after())
    tabs = getattr(page.toolbar, seen)
    shown = tabs.currentIndex()
    qtbot.keyClick(window, key)
    assert tabs.currentIndex() == shown + 1


def test_f6_goes_round_all_parts(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after())
    held = []
    for _ in range(6):
        qtbot.keyClick(window, Qt.Key.Key_F6)
        held.append(window.focusWidget())
    panes = [side.raw for side in page.panes.sides]
    assert held == [page.toolbar.align, *page.timelines.timelines, page.table, *panes]
