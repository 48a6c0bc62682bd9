"""Buttons, choices and fields: sizes of look.md, names for screen readers, a ring for the keyboard, both themes."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSplitter, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.ui.controls import Button, Choice, Ring, SearchField, SeverityCounts, icon_button
from inspector_app.ui.frames import EmptyPane, PaneHead, RecordingTabs, Splitter, pane_tabs
from inspector_app.ui.theme import Look


@pytest.fixture
def page(qtbot: QtBot, look: Look) -> QWidget:
    """A shown window with room for a row of controls."""
    made = QWidget()
    made.setProperty("layer", "panel")
    QHBoxLayout(made).setContentsMargins(16, 8, 16, 8)
    qtbot.addWidget(made)
    made.resize(640, 60)
    made.show()
    return made


def put(page: QWidget, *widgets: QWidget) -> None:
    for widget in widgets:
        page.layout().addWidget(widget)
        widget.show()
    page.layout().activate()
    page.grab()


def pixel(widget: QWidget, x: int, y: int) -> QColor:
    return widget.grab().toImage().pixelColor(x, y)


@pytest.mark.parametrize("kind", ["raised", "flat", "primary", "link"])
def test_buttons_are_28_px_high_and_named(kind: str, page: QWidget, look: Look) -> None:
    button = Button(look, "Open", "open", kind, "Ctrl O")
    put(page, button)
    assert button.height() == 28
    assert button.accessibleName() == "Open"
    assert button.sizeHint().width() > Button(look, "Open", "open", kind).sizeHint().width()


def test_a_primary_button_is_filled_and_follows_the_theme(page: QWidget, look: Look) -> None:
    button = Button(look, "Go live", "live", "primary")
    put(page, button)
    assert pixel(button, 4, 14) == look.theme.color("accent")
    look.choose("dark")
    assert pixel(button, 4, 14) == look.theme.color("accent")
    button.setEnabled(False)
    assert pixel(button, 4, 14) != look.theme.color("accent")


def test_a_button_of_an_icon_alone_has_a_tip_and_a_name(qtbot: QtBot, look: Look) -> None:
    button = icon_button(look, "step-back", "To the start", "Home")
    qtbot.addWidget(button)
    assert (button.accessibleName(), button.toolTip()) == ("To the start", "<qt>To the start (Home)</qt>")
    assert (button.sizeHint().width(), button.sizeHint().height()) == (28, 28)


def test_a_button_can_change_its_icon(page: QWidget, look: Look) -> None:
    button = Button(look, "Play", "play")
    put(page, button)
    before = button.grab().toImage()
    button.show_icon("pause")
    assert button.grab().toImage() != before


@pytest.mark.parametrize("reason, rings", [(Qt.FocusReason.TabFocusReason, 1), (Qt.FocusReason.MouseFocusReason, 0)])
def test_the_keyboard_shows_a_ring_outside_of_a_control(
    reason: Qt.FocusReason, rings: int, page: QWidget, look: Look, qtbot: QtBot
) -> None:
    button, choice = Button(look, "Open"), Choice(look, "Read as")
    choice.addItem("Reference")
    put(page, button, choice)
    page.activateWindow()
    for control in (button, choice):
        control.setFocus(reason)
        found = [ring for ring in page.findChildren(Ring) if ring.isVisible()]
        assert len(found) == rings
        for ring in found:
            assert ring.geometry() == control.geometry().adjusted(-4, -4, 4, 4)
            assert pixel(page, ring.x() + ring.width() // 2, ring.y()) == look.theme.color("focus")
            control.resize(control.width() + 10, control.height())
            assert ring.width() == control.width() + 8
        control.clearFocus()
        assert not [ring for ring in page.findChildren(Ring) if ring.isVisible()]


def test_a_choice_has_room_for_its_widest_words(page: QWidget, look: Look) -> None:
    choice = Choice(look, "Read as")
    choice.addItems(["Reference", "ZCode 3.11 of a long name"])
    put(page, choice)
    wide = choice.width()
    assert (choice.height(), choice.accessibleName()) == (28, "Read as")
    before = choice.grab().toImage()
    choice.setCurrentIndex(1)
    put(page)
    assert choice.width() == wide
    assert choice.grab().toImage() != before


def test_the_search_field_shows_its_key_until_something_is_typed(page: QWidget, look: Look, qtbot: QtBot) -> None:
    field = SearchField(look, "Find in text, JSON, paths", "/")
    put(page, field)
    assert (field.height(), field.accessibleName()) == (28, "Find in text, JSON, paths")
    cap = QRect(field.width() - 24, 0, 20, 28)
    shown = field.grab(cap).toImage()
    qtbot.keyClicks(field, "tool")
    assert field.grab(cap).toImage() != shown


def test_counts_say_what_was_picked(page: QWidget, look: Look, qtbot: QtBot) -> None:
    counts = SeverityCounts(look)
    counts.show_counts(0, 12, 3)
    put(page, counts)
    assert counts.accessibleName() == "0 errors, 12 warnings, 3 notes"
    with qtbot.waitSignal(counts.picked) as picked:
        qtbot.mouseClick(counts, Qt.MouseButton.LeftButton, pos=QPoint(counts.width() - 5, 10))
    assert picked.args == ["info"]


def test_a_count_of_nothing_picks_nothing(page: QWidget, look: Look, qtbot: QtBot) -> None:
    counts = SeverityCounts(look)
    counts.show_counts(0, 2, 1)
    put(page, counts)
    with qtbot.assertNotEmitted(counts.picked):
        qtbot.mouseClick(counts, Qt.MouseButton.LeftButton, pos=QPoint(5, 10))


def test_counts_are_picked_with_the_keyboard_too(page: QWidget, look: Look, qtbot: QtBot) -> None:
    counts = SeverityCounts(look)
    counts.show_counts(0, 2, 1)
    put(page, counts)
    seen: list[str] = []
    counts.picked.connect(seen.append)
    for key in ("Return", "Right", "Space", "Right", "Left", "Left", "Return"):
        qtbot.keyClick(counts, Qt.Key[f"Key_{key}"])
    assert seen == ["warning", "info", "warning"]
    counts.show_counts(0, 0, 0)
    assert counts.focusPolicy() == Qt.FocusPolicy.NoFocus


@pytest.mark.parametrize("orientation", [Qt.Orientation.Vertical, Qt.Orientation.Horizontal])
def test_a_splitter_has_a_handle_of_4_px(orientation: Qt.Orientation, qtbot: QtBot, look: Look) -> None:
    splitter = Splitter(look, orientation)
    qtbot.addWidget(splitter)
    for _ in range(2):
        splitter.addWidget(QWidget())
    splitter.resize(200, 200)
    splitter.show()
    handle = splitter.handle(1)
    assert isinstance(splitter, QSplitter)
    assert min(handle.width(), handle.height()) == 4
    colors = {
        handle.grab().toImage().pixelColor(x, y).name() for x in range(handle.width()) for y in range(handle.height())
    }
    assert look.theme.color("bg.chrome").name() in colors
    assert (look.theme.color("line.strong").name() in colors) is (orientation == Qt.Orientation.Vertical)


def test_tabs_of_recordings_close_with_a_named_button(qtbot: QtBot, look: Look) -> None:
    tabs = RecordingTabs(look)
    qtbot.addWidget(tabs)
    assert [tabs.add("glm-5.2", "warning"), tabs.add("mixed.sse", "error"), tabs.add("Start")] == [0, 1, 2]
    tabs.removeTab(0)
    close = tabs.tabButton(0, QTabBar.ButtonPosition.RightSide)
    assert close.accessibleName() == "Close mixed.sse"
    with qtbot.waitSignal(tabs.tabCloseRequested) as closed:
        qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert closed.args == [0]
    before = tabs.tabIcon(0).pixmap(14).toImage()
    tabs.show_mark(0, "info")
    assert tabs.tabIcon(0).pixmap(14).toImage() != before


def test_a_theme_change_repaints_the_marks_of_tabs(qtbot: QtBot, look: Look) -> None:
    tabs = RecordingTabs(look)
    qtbot.addWidget(tabs)
    tabs.add("mixed.sse", "error")
    before = tabs.tabIcon(0).pixmap(14).toImage()
    look.choose("dark")
    assert tabs.tabIcon(0).pixmap(14).toImage() != before


def test_the_tabs_of_a_pane_are_named(qtbot: QtBot, look: Look) -> None:
    tabs = pane_tabs(["JSON and bytes", "Event"], "Detail")
    qtbot.addWidget(tabs)
    assert (tabs.count(), tabs.accessibleName()) == (2, "Detail")


def test_the_head_of_a_pane_is_28_px_high(page: QWidget, look: Look) -> None:
    head = PaneHead("Raw lines", "382")
    button = icon_button(look, "filter", "Filter the lines")
    head.add(button)
    put(page, head)
    assert head.height() == 28
    assert head.remark.text() == "382"
    assert button.geometry().right() > head.width() - 16
    assert pixel(head, 4, 27) == look.theme.color("line")


def test_an_empty_pane_says_why_and_offers_one_action(qtbot: QtBot, look: Look) -> None:
    pane = EmptyPane(look, "tool", "No tool call", "The answer holds text only.", "Show all blocks")
    qtbot.addWidget(pane)
    pane.resize(300, 200)
    pane.show()
    assert pane.action.text() == "Show all blocks"
    middle = pane.grab(QRect(142, 40, 16, 60)).toImage()
    assert any(middle.pixelColor(x, y) != middle.pixelColor(0, 0) for x in range(16) for y in range(60))
    assert EmptyPane(look, "tool", "Nothing", "Nothing came.").action is None


def test_the_count_that_is_shown_alone_is_marked(page: QWidget, look: Look) -> None:
    counts = SeverityCounts(look)
    counts.show_counts(0, 2, 1)
    put(page, counts)
    before = counts.grab().toImage()
    counts.show_chosen("warning")
    assert counts.grab().toImage() != before
    assert counts.accessibleDescription() == "only warnings are shown"
    counts.show_chosen("")
    assert counts.grab().toImage() == before
    assert counts.accessibleDescription() == ""


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="Qt names a combo box by its current words elsewhere")
def test_a_screen_reader_hears_what_a_choice_is_of(qtbot: QtBot, look: Look) -> None:
    choice = Choice(look, "Read as")
    qtbot.addWidget(choice)
    choice.addItem("Reference")
    said = QAccessible.queryAccessibleInterface(choice)
    assert said.text(QAccessible.Text.Name) == "Reference"
    assert said.text(QAccessible.Text.Description) == "Read as"


@pytest.mark.parametrize("name", ["split", "iiiii", "abcdef", "a"])
def test_a_short_name_has_its_whole_tab(qtbot: QtBot, look: Look, name: str) -> None:
    tabs = RecordingTabs(look)
    qtbot.addWidget(tabs)
    tabs.add(name)
    tabs.show()
    tabs.resize(tabs.sizeHint())
    QApplication.processEvents()
    assert not [button for button in tabs.findChildren(QToolButton) if button.isVisible()]


def test_names_stay_readable_in_a_full_strip_of_tabs(qtbot: QtBot, look: Look) -> None:
    tabs = RecordingTabs(look)
    qtbot.addWidget(tabs)
    for number in range(14):
        tabs.add(f"a-recording-with-a-long-name-{number}")
    tabs.resize(1000, 36)
    tabs.show()
    QApplication.processEvents()
    assert min(tabs.tabRect(number).width() for number in range(14)) >= 136
    assert [button for button in tabs.findChildren(QToolButton) if button.isVisible()]
