"""Everything can be reached by keys and has a name for those who do not see it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QAbstractButton, QPushButton, QScrollBar, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.ui.commands import shown_keys
from inspector_app.ui.regions import region_in, regions_of
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, window

__all__ = ["window"]

PAGES = ["start", "empty-tool-calls", "mixed-spacing", "held-back-burst"]
NO_ROLE = {QAccessible.Role.NoRole, QAccessible.Role.Client}


def shown(qtbot: QtBot, window: Window, name: str) -> QWidget:
    """The start page, or a recording with its find bar open."""
    if name == "start":
        return window.start
    page = open_in(qtbot, window, name)
    page.find.start()
    page.findings.head.filter.ask()
    return page


def can_focus(widget: QWidget) -> bool:
    policy = widget.focusPolicy()
    return policy != Qt.FocusPolicy.NoFocus and not isinstance(widget, QScrollBar) and not widget.isHidden()


@pytest.mark.parametrize("name", PAGES)
def test_all_that_takes_the_keyboard_has_a_name_and_a_role(qtbot: QtBot, window: Window, name: str) -> None:
    page = shown(qtbot, window, name)
    takers = [widget for widget in page.findChildren(QWidget) if can_focus(widget) and widget.focusProxy() is None]
    assert len(takers) > 10
    nameless = [f"{type(widget).__name__} in {type(widget.parent()).__name__}"
                for widget in takers if not widget.accessibleName()]  # fmt: skip
    assert nameless == []
    for widget in takers:
        said = QAccessible.queryAccessibleInterface(widget)
        assert said is not None
        assert said.role() not in NO_ROLE or said.text(QAccessible.Text.Name), type(widget).__name__


@pytest.mark.parametrize("name", PAGES)
def test_buttons_without_words_have_a_name_and_a_tip(qtbot: QtBot, window: Window, name: str) -> None:
    shown(qtbot, window, name)
    buttons = [
        button
        for button in window.findChildren(QAbstractButton)
        if isinstance(button, QPushButton | QToolButton) and not button.text()
    ]
    assert len(buttons) >= 2
    # Qt's own arrows of a strip of tabs have no tip.
    bare = [
        button.accessibleName() or type(button).__name__
        for button in buttons
        if not button.accessibleName() or not (button.toolTip() or isinstance(button.parent(), QTabBar))
    ]
    assert bare == []


def round_of_tab(qtbot: QtBot, window: Window, begin: QWidget) -> list[QWidget]:
    """All widgets that the Tab key goes through, from one on, once round."""
    begin.setFocus(Qt.FocusReason.TabFocusReason)
    reached: list[QWidget] = []
    while window.focusWidget() not in reached:
        reached.append(window.focusWidget())
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    return reached


@pytest.mark.parametrize("name", ["empty-tool-calls", "mixed-spacing"])
def test_tab_reaches_every_part_and_comes_round(qtbot: QtBot, window: Window, name: str) -> None:
    page = open_in(qtbot, window, name)
    order = []
    page.open_button.setFocus()
    for _ in range(80):
        region = region_in(page)
        if region is not None and region not in order:
            order.append(region)
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert order == list(regions_of(page))


def test_tab_reaches_the_strip_of_tabs_and_the_keys(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    reached = round_of_tab(qtbot, window, page.open_button)
    for widget in (window.deck.menu_button, window.tabs, window.deck.keys_button):
        assert widget in reached


def test_tab_reaches_all_of_the_start_page(qtbot: QtBot, window: Window) -> None:
    reached = round_of_tab(qtbot, window, window.deck.menu_button)
    assert window.start.gallery.roving.current in reached
    assert any(window.start.side.isAncestorOf(widget) for widget in reached)


def picture(window: Window) -> QImage:
    return window.grab().toImage()


@pytest.mark.parametrize("name", ["start", "empty-tool-calls"])
def test_whoever_has_the_keyboard_shows_it(qtbot: QtBot, window: Window, name: str) -> None:
    page = shown(qtbot, window, name)
    reached = round_of_tab(qtbot, window, window.deck.menu_button)
    blind = []
    for widget in reached:
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        with_it = picture(window)
        # Somewhere else far away, where a ring would not reach.
        other = window.deck.menu_button if widget is not window.deck.menu_button else reached[1]
        other.setFocus(Qt.FocusReason.TabFocusReason)
        without = picture(window)
        around = widget.rect().translated(widget.mapTo(window, widget.rect().topLeft())).adjusted(-6, -6, 6, 6)
        if with_it.copy(around) == without.copy(around):
            blind.append(widget.accessibleName() or type(widget).__name__)
    assert blind == []
    assert page is not None


def test_tips_say_the_keys_of_the_commands(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    keys = {command.words: shown_keys(command.keys[0]) for command in window.commands() if command.keys}
    assert keys["Next finding"] in page.next_finding.toolTip()
    assert keys["Previous finding"] in page.previous_finding.toolTip()
    for letters in ("W", "S", "A", "D", "F8", keys["Find a command…"]):
        assert letters in window.deck.keys_button.toolTip()
