"""Every key of the window does what it says, wherever in the page the keyboard is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.lenses import REFERENCE
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.regions import region_in, regions_of
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, shown_window, window

__all__ = ["window"]

Key, Held = Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CONTROL, ALT = Held.NoModifier, Held.ShiftModifier, Held.ControlModifier, Held.AltModifier
PLACES = ["toolbar", "timeline", "raw lines", "deltas", "blocks", "findings", "detail", "reader", "tabs"]


def place(window: Window, page: RecordingPage, name: str) -> QWidget:
    """Where the keyboard can be."""
    others = {"reader": page.read_as, "tabs": window.tabs}
    return others[name] if name in others else regions_of(page)[name][1]


def press(qtbot: QtBot, window: Window, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    qtbot.keyClick(window.focusWidget() or window, key, held)


def state(page: RecordingPage) -> tuple[object, ...]:
    session = page.session
    return (page.timeline.aim, session.selection.current, session.primary, session.secondary, page.panes.reading_view)


def test_keys_of_the_timeline_work_from_everywhere(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    for name in PLACES:
        place(window, page, name).setFocus()
        assert window.focusWidget() is place(window, page, name), name
        page.timeline.fit()
        check_timeline_keys(qtbot, window, page)


def check_timeline_keys(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    timeline, whole = page.timeline, page.timeline.aim
    press(qtbot, window, Key.Key_W)
    press(qtbot, window, Key.Key_W)
    close = timeline.aim
    assert close.per_pixel == pytest.approx(whole.per_pixel / 1.6**2)
    press(qtbot, window, Key.Key_S)
    assert timeline.aim.per_pixel == pytest.approx(whole.per_pixel / 1.6)
    start = timeline.aim.start
    press(qtbot, window, Key.Key_D)
    assert timeline.aim.start > start
    press(qtbot, window, Key.Key_A)
    assert timeline.aim.start == pytest.approx(start)
    press(qtbot, window, Key.Key_F)
    assert timeline.aim == whole
    press(qtbot, window, Key.Key_F)
    assert timeline.aim.per_pixel < whole.per_pixel
    assert timeline.aim.start <= timeline._axis.position(page.session.selection.current.event) <= timeline.aim.end  # type: ignore[union-attr]


def test_t_turns_the_axis_from_everywhere_and_playback_turns_it_back(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    link = page.link
    for name in PLACES:
        place(window, page, name).setFocus()
        for in_order in (True, False):
            with qtbot.waitSignal(link.shown):
                press(qtbot, window, Key.Key_T)
            assert (link.in_order, page.timeline.axis.measured) == (in_order, not in_order), name
    link.show_in_order(True)
    player = page.playback.player
    assert player.enter()
    qtbot.waitUntil(lambda: page.session.held)
    assert (link.in_order, page.timeline.axis.measured) == (False, True)
    press(qtbot, window, Key.Key_T)
    assert not link.in_order
    player.leave()


@pytest.mark.parametrize("name", ["timeline", "raw lines", "findings", "reader"])
def test_keys_of_findings_lanes_and_readers_work_from_everywhere(qtbot: QtBot, window: Window, name: str) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    session = page.session
    place(window, page, name).setFocus()

    def after(key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> tuple[str | None, int]:
        press(qtbot, window, key, held)
        current = session.selection.current
        assert current is not None
        return current.finding, current.event

    assert after(Key.Key_F8) == ("tool-calls-empty-array", 1)
    assert after(Key.Key_F8, CONTROL) == ("tool-calls-empty-array", 2)
    assert after(Key.Key_F8, CONTROL | SHIFT) == ("tool-calls-empty-array", 1)
    assert after(Key.Key_F8)[0] == "choice-role-repeated"
    assert after(Key.Key_F8, SHIFT) == ("tool-calls-empty-array", 1)
    page.timeline.choose_lane(1)
    first = after(Key.Key_Period)[1]
    assert after(Key.Key_Period)[1] == first + 1
    assert after(Key.Key_Comma)[1] == first
    press(qtbot, window, Key.Key_X)
    assert (session.primary, session.secondary) == ("zcode-3.11", REFERENCE)
    cards = page.panes.reading_view
    press(qtbot, window, Key.Key_B)
    assert page.panes.reading_view != cards
    press(qtbot, window, Key.Key_D, CONTROL)
    assert session.selection.current.event == 1  # type: ignore[union-attr]
    press(qtbot, window, Key.Key_R, CONTROL)
    assert "zcode" in QApplication.clipboard().text().lower()


def test_escape_clears_the_selection_and_goes_back_to_the_timeline(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    for name in PLACES:
        page.session.selection.select(Selection(3), None)
        place(window, page, name).setFocus()
        press(qtbot, window, Key.Key_Escape)
        assert page.session.selection.current is None, name
        press(qtbot, window, Key.Key_Escape)
        assert window.focusWidget() is page.timeline, name


@pytest.mark.parametrize("key", [Key.Key_Question, Key.Key_F1])
def test_the_list_of_keys_opens_from_everywhere_and_gives_the_keyboard_back(
    qtbot: QtBot, window: Window, key: Qt.Key
) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    for name in PLACES:
        place(window, page, name).setFocus()
        press(qtbot, window, key)
        assert window.key_list.isVisible(), name
        press(qtbot, window, Key.Key_Escape)
        assert window.key_list.isHidden(), name
        assert window.focusWidget() is place(window, page, name)
    assert page.session.selection.current is not None


def test_f6_goes_round_through_all_parts(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    window.tabs.setFocus()
    order = []
    for _ in range(8):
        press(qtbot, window, Key.Key_F6)
        order.append(region_in(page))
    assert order == [*regions_of(page), "toolbar"]
    press(qtbot, window, Key.Key_F6, SHIFT)
    assert region_in(page) == "detail"
    assert page.detail.head.tabs.hasFocus()


def test_f6_turns_to_the_pane_that_is_behind_a_tab(qtbot: QtBot, look: Look) -> None:
    window = shown_window(qtbot, look, 1024, 700)
    page = open_in(qtbot, window, "empty-tool-calls")
    page.panes.deltas.setFocus()
    press(qtbot, window, Key.Key_F6)
    assert page.panes.blocks.isVisible()
    assert page.panes.blocks.hasFocus()
    window.close()


def test_f6_passes_parts_that_are_not_there(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = window.open_path(str(tmp_path / "nowhere.sse"))
    qtbot.waitUntil(lambda: page.session.error is not None)
    for _ in range(2):
        press(qtbot, window, Key.Key_F6)
        assert page.open_button.hasFocus()


def test_keys_for_tabs(qtbot: QtBot, window: Window) -> None:
    pages = [open_in(qtbot, window, name) for name in ("empty-tool-calls", "mixed-spacing", "think-tags")]
    for key, held, shown in (
        (Key.Key_Tab, CONTROL, 0),
        (Key.Key_PageDown, CONTROL, 1),
        (Key.Key_Backtab, CONTROL | SHIFT, 0),
        (Key.Key_PageUp, CONTROL, 2),
        (Key.Key_2, CONTROL, 1),
        (Key.Key_3, CONTROL, 2),
        (Key.Key_9, CONTROL, 2),
        (Key.Key_1, CONTROL, 0),
    ):
        press(qtbot, window, key, held)
        assert window.page() is pages[shown]
    press(qtbot, window, Key.Key_W, CONTROL)
    assert window.page() is pages[1]
    press(qtbot, window, Key.Key_T, CONTROL)
    assert window.page() is None


@pytest.mark.parametrize(("key", "held"), [(Key.Key_Slash, NONE), (Key.Key_F, CONTROL)])
def test_keys_find_from_everywhere_and_escape_closes_the_bar_first(
    qtbot: QtBot, window: Window, key: Qt.Key, held: Qt.KeyboardModifier
) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    selected = page.session.selection.current
    for name in PLACES:
        place(window, page, name).setFocus()
        press(qtbot, window, key, held)
        assert window.focusWidget() is page.find.bar.field, name
        press(qtbot, window, Key.Key_Escape)
        assert not page.find.is_open, name
    page.find.start()
    qtbot.keyClicks(page.find.bar.field, "data")
    assert page.find.bar.field.text() == "data"
    page.panes.raw.setFocus()
    for way in (NONE, SHIFT):
        before = page.session.selection.current
        press(qtbot, window, Key.Key_F3, way)
        qtbot.waitUntil(lambda before=before: not page.find.is_searching and page.session.selection.current != before)
    page.panes.raw.setFocus()
    found = page.session.selection.current
    press(qtbot, window, Key.Key_Escape)
    assert not page.find.is_open
    assert page.session.selection.current == found != selected
    press(qtbot, window, Key.Key_Escape)
    assert page.session.selection.current is None


def test_the_theme_turns_with_a_key(qtbot: QtBot, window: Window, look: Look) -> None:
    for name in ("dark", "light"):
        press(qtbot, window, Key.Key_L, CONTROL | SHIFT)
        assert look.theme.name == name


# undo


def zoomed(page: RecordingPage, window: Window, qtbot: QtBot) -> None:
    press(qtbot, window, Key.Key_W)
    press(qtbot, window, Key.Key_W)


def selected(page: RecordingPage, window: Window, qtbot: QtBot) -> None:
    press(qtbot, window, Key.Key_F8)


def swapped(page: RecordingPage, window: Window, qtbot: QtBot) -> None:
    page.swap.click()


def read_by_another(page: RecordingPage, window: Window, qtbot: QtBot) -> None:
    page.read_as.setCurrentIndex(page.read_as.findData("zcode-3.11"))
    page.read_as.activated.emit(page.read_as.currentIndex())


def turned(page: RecordingPage, window: Window, qtbot: QtBot) -> None:
    page.panes._switch.button(int(not page.panes.reading_view)).click()


def clicked_far_away(page: RecordingPage, window: Window, qtbot: QtBot) -> None:
    press(qtbot, window, Key.Key_W)
    page.history._last = ("", 0.0)
    page.session.selection.select(Selection(180), page.panes.raw)


def ordered(page: RecordingPage, window: Window, qtbot: QtBot) -> None:
    page.findings.head.ordered.emit("place")


@pytest.mark.parametrize("change", [zoomed, selected, swapped, read_by_another, turned, clicked_far_away, ordered])
def test_a_change_of_view_goes_back_and_forth_exactly(
    qtbot: QtBot, window: Window, change: Callable[[RecordingPage, Window, QtBot], None]
) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    page.panes.raw.setFocus()
    assert not page.history.can_undo
    before, order = state(page), page.findings.order
    change(page, window, qtbot)
    after, order_after = state(page), page.findings.order
    assert (before, order) != (after, order_after)
    steps = len(page.history._undo)
    assert steps == (2 if change is clicked_far_away else 1)
    for back, forth in (
        ((Key.Key_Z, CONTROL), (Key.Key_Z, CONTROL | SHIFT)),
        ((Key.Key_Left, ALT), (Key.Key_Right, ALT)),
    ):
        for _ in range(steps):
            press(qtbot, window, *back)
        assert (state(page), page.findings.order) == (before, order)
        for _ in range(steps):
            press(qtbot, window, *forth)
        assert (state(page), page.findings.order) == (after, order_after)


@pytest.mark.parametrize("name", ["empty-tool-calls", "cut-in-the-middle", "held-back-burst"])
def test_loading_is_no_change_of_view(qtbot: QtBot, window: Window, name: str) -> None:
    page = open_in(qtbot, window, name)
    assert not page.history.can_undo
    press(qtbot, window, Key.Key_Z, CONTROL)
    assert page.session.selection.current is not None


def test_undo_in_a_field_is_that_of_the_field(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    press(qtbot, window, Key.Key_W)
    view = page.timeline.aim
    field = page.findings.head.filter
    press(qtbot, window, Key.Key_F, CONTROL | SHIFT)
    assert field.isVisible()
    qtbot.keyClicks(window.focusWidget(), "fw?/.,")
    assert field.text() == "fw?/.,"
    press(qtbot, window, Key.Key_Z, CONTROL)
    assert field.text() != "fw?/.,"
    assert page.timeline.aim == view
    assert window.key_list.isHidden()


def test_readers_chosen_by_key_are_remembered_for_the_file(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    file = tmp_path / "mine.rec.jsonl"
    file.write_bytes(resource("recordings", "empty-tool-calls.rec.jsonl").read_bytes())
    page = window.open_path(str(file))
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    press(qtbot, window, Key.Key_X)
    assert window.settings.recent()[0].readers == ("zcode-3.11", REFERENCE)
    press(qtbot, window, Key.Key_Z, CONTROL)
    assert window.settings.recent()[0].readers == (REFERENCE, "zcode-3.11")


def test_a_recording_that_is_opened_has_the_keyboard_in_its_lines(qtbot: QtBot, window: Window) -> None:
    asked: list[bool] = []
    page = open_in(qtbot, window, "empty-tool-calls")
    page.open_asked.connect(lambda: asked.append(True))
    assert region_in(page) == "raw lines"
    press(qtbot, window, Key.Key_Space)
    assert page.playback.player.active
    assert not asked
    press(qtbot, window, Key.Key_Escape)
    # Each page goes on where it was left.
    page.findings.rows.setFocus()
    other = open_in(qtbot, window, "think-tags")
    assert region_in(other) == "raw lines"
    window.deck.show_page(page)
    assert region_in(page) == "findings"


def test_a_card_of_the_gallery_leads_into_the_lines(qtbot: QtBot, window: Window) -> None:
    window.deck.show_start()
    assert window.start.isAncestorOf(window.focusWidget())
    press(qtbot, window, Key.Key_Return)
    page = window.page()
    assert page is not None
    assert region_in(page) == "raw lines"
