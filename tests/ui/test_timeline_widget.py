"""The timeline under hand and key: what is picked, what is shown, what it says of itself."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.ui.commands import Bindings
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Axis, Lane, Timeline
from inspector_app.ui.timeline.view import LABELS, LANE, OVERVIEW, TOP
from tests.ui import timeline_data

Open = Callable[..., Timeline]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def timeline(qtbot: QtBot, look: Look) -> Open:
    """Shows a recording of `timeline_data` in a timeline of a size."""

    def show(recording: str = "flagship", height: int = TOP + 6 * LANE) -> Timeline:
        made = Timeline(look)
        qtbot.addWidget(made)
        made.resize(1600, height)
        Bindings(made, made.commands).renew()
        with qtbot.waitActive(made):
            made.show()
            made.activateWindow()
        axis, lanes = getattr(timeline_data, recording)()
        made.set_data(axis, lanes, lambda event: (f"/choices/{event}", "bytes 1 – 2"))
        made.setFocus()
        return made

    return show


def place(shown: Timeline, lane: int, position: int) -> QPoint:
    return QPoint(shown.view.x(position) + 1, TOP + lane * LANE + 11)


def wheel(
    shown: Timeline, x: int, y: int, turn: int, sideways: int = 0, held: Qt.KeyboardModifier | None = None
) -> None:
    event = QWheelEvent(
        QPointF(x, y), QPointF(shown.mapToGlobal(QPoint(x, y))), QPoint(), QPoint(sideways, turn),
        Qt.MouseButton.NoButton, held or Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(shown, event)


def picture(shown: Timeline) -> QImage:
    return shown.grab().toImage()


def test_a_click_on_a_block_picks_it_and_its_event(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    times = timeline_data.flagship()[0].events
    with qtbot.waitSignal(shown.block_picked) as picked:
        qtbot.mouseClick(shown, LEFT, pos=place(shown, 2, times[37]))
    assert picked.args == [37, 37]
    with qtbot.waitSignal(shown.block_picked) as picked:
        qtbot.mouseClick(shown, LEFT, pos=place(shown, 3, times[37]))
    assert picked.args == [-1, 37]


def test_a_receiver_may_take_the_block_alone(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    blocks: list[int] = []
    shown.block_picked.connect(lambda block: blocks.append(block))
    qtbot.mouseClick(shown, LEFT, pos=place(shown, 2, timeline_data.flagship()[0].events[5]))
    assert blocks == [5]


def test_a_click_on_a_tick_picks_its_event(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline("missing_tool")
    with qtbot.waitSignal(shown.event_picked) as picked:
        qtbot.mouseClick(shown, LEFT, pos=place(shown, 1, timeline_data.missing_tool()[0].events[8]))
    assert picked.args == [8]


def test_a_click_on_a_mark_picks_its_finding(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline("missing_tool")
    with qtbot.waitSignal(shown.finding_picked) as picked:
        qtbot.mouseClick(shown, LEFT, pos=place(shown, 5, timeline_data.missing_tool()[0].events[9]))
    assert picked.args == ["tool-id-empty", 9]


@pytest.mark.parametrize("recording", ["missing_tool", "untimed"])
def test_a_click_on_the_ruler_picks_the_nearest_event(recording: str, timeline: Open, qtbot: QtBot) -> None:
    shown = timeline(recording)
    axis = getattr(timeline_data, recording)()[0]
    with qtbot.waitSignal(shown.event_picked) as picked:
        qtbot.mouseClick(shown, LEFT, pos=QPoint(shown.view.x(axis.position(5)) + 3, OVERVIEW + 10))
    assert picked.args == [5]


def test_a_drag_moves_and_picks_nothing(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    shown.zoom(8)
    before = shown.view
    with qtbot.assertNotEmitted(shown.block_picked), qtbot.assertNotEmitted(shown.event_picked):
        qtbot.mousePress(shown, LEFT, pos=QPoint(800, TOP + 60))
        qtbot.mouseMove(shown, QPoint(700, TOP + 60))
        qtbot.mouseRelease(shown, LEFT, pos=QPoint(700, TOP + 60))
    assert shown.view.start == pytest.approx(before.start + 100 * before.per_pixel)
    assert shown.view.per_pixel == before.per_pixel


@pytest.mark.parametrize("held", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_the_wheel_zooms_at_the_pointer(held: Qt.KeyboardModifier, timeline: Open) -> None:
    shown = timeline()
    under = shown.view.position(900)
    wheel(shown, 900, TOP + 20, 240, held=held)
    assert shown.view.position(900) == pytest.approx(under)
    closer = shown.view.per_pixel
    wheel(shown, 900, TOP + 20, -120, held=held)
    assert shown.view.per_pixel > closer


def test_the_wheel_moves_sideways(timeline: Open) -> None:
    shown = timeline()
    shown.zoom(4)
    before = shown.view
    wheel(shown, 900, TOP + 20, 0, sideways=-120)
    assert shown.view.start > before.start
    wheel(shown, 900, TOP + 20, 120, held=Qt.KeyboardModifier.ShiftModifier)
    assert shown.view.start == pytest.approx(before.start)


def test_keys_zoom_move_and_show_all(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    whole = shown.view
    qtbot.keyClicks(shown, "ww")
    close = shown.view
    assert close.per_pixel == pytest.approx(whole.per_pixel / 1.6**2)
    qtbot.keyClicks(shown, "d")
    assert shown.view.start > close.start
    qtbot.keyClicks(shown, "a")
    assert shown.view.start == pytest.approx(close.start)
    qtbot.keyClick(shown, Qt.Key.Key_End)
    assert shown.view.end == pytest.approx(whole.end)
    qtbot.keyClick(shown, Qt.Key.Key_Home)
    assert shown.view.start == whole.start
    qtbot.keyClicks(shown, "s")
    assert shown.view.per_pixel > close.per_pixel
    qtbot.keyClicks(shown, "f")
    assert shown.view == whole


def test_the_labels_say_which_keys_there_are(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    qtbot.mouseMove(shown, QPoint(40, 16))
    assert "W and S" in shown.toolTip()
    qtbot.mouseMove(shown, QPoint(900, TOP + 20))
    assert shown.toolTip() == ""


def test_a_selected_block_fills_the_view_after_the_whole(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    whole = shown.aim
    bar = max((bar for lane in shown._lanes for bar in lane.bars), key=lambda bar: bar.end - bar.start)
    shown.set_selection(1, bar.block)
    qtbot.keyClicks(shown, "f")
    assert (bar.end - bar.start) / shown.aim.per_pixel == pytest.approx(whole.width * 0.8)
    assert shown.aim.start <= bar.start < bar.end <= shown.aim.end
    qtbot.keyClicks(shown, "f")
    assert shown.aim == whole


def test_a_person_who_looks_elsewhere_is_announced_and_the_selection_is_not(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    ways: list[str] = []
    views: list[object] = []
    shown.leaving.connect(ways.append)
    shown.leaving.connect(lambda _: views.append(shown.aim))
    whole = shown.aim
    qtbot.keyClicks(shown, "wd")
    wheel(shown, 900, TOP + 20, 120)
    qtbot.mousePress(shown, LEFT, pos=QPoint(900, TOP + 120))
    qtbot.mouseMove(shown, QPoint(800, TOP + 120))
    qtbot.mouseMove(shown, QPoint(700, TOP + 120))
    qtbot.mouseRelease(shown, LEFT, pos=QPoint(700, TOP + 120))
    qtbot.keyClicks(shown, "f")
    assert ways == ["zoom", "pan", "zoom", "drag", "fit"]
    assert views[0] == whole
    shown.zoom(8)
    shown.set_selection(150)
    assert len(ways) == 5
    shown.show_view(views[3])  # type: ignore[arg-type]
    assert shown.aim == views[3]


def test_keys_walk_through_a_lane(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    events: list[int] = []
    shown.block_picked.connect(lambda block, event: events.append(event))
    shown.event_picked.connect(events.append)
    qtbot.keyClick(shown, Qt.Key.Key_Down)
    qtbot.keyClicks(shown, "..,")
    assert events == [0, 1, 0]
    for _ in range(3):
        qtbot.keyClick(shown, Qt.Key.Key_Down)
    qtbot.keyClicks(shown, "...,")
    assert events[3:] == [150, 151, 152, 151]


def test_a_key_with_control_is_left_to_the_window(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    before = shown.view
    qtbot.keyClick(shown, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert shown.view == before


def test_the_window_of_the_overview_is_dragged_and_sized(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    whole = shown.view
    qtbot.mousePress(shown, LEFT, pos=QPoint(LABELS + whole.width, 16))
    qtbot.mouseMove(shown, QPoint(LABELS + whole.width // 2, 16))
    qtbot.mouseRelease(shown, LEFT, pos=QPoint(LABELS + whole.width // 2, 16))
    assert shown.view.start == whole.start
    assert shown.view.per_pixel == pytest.approx(whole.per_pixel / 2, rel=0.01)
    qtbot.mousePress(shown, LEFT, pos=QPoint(LABELS + 100, 16))
    qtbot.mouseMove(shown, QPoint(LABELS + 300, 16))
    qtbot.mouseRelease(shown, LEFT, pos=QPoint(LABELS + 300, 16))
    assert whole.x(shown.view.start) == LABELS + 200
    qtbot.mouseDClick(shown, LEFT, pos=QPoint(LABELS + 300, 16))
    assert shown.view == whole


def test_a_click_beside_the_window_of_the_overview_goes_there(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    whole = shown.view
    shown.zoom(8, LABELS)
    qtbot.mouseClick(shown, LEFT, pos=QPoint(1200, 16))
    middle = (shown.view.start + shown.view.end) / 2
    assert whole.x(middle) == pytest.approx(1200, abs=1)


def test_a_selection_shows_a_play_head_and_comes_into_sight(timeline: Open, look: Look) -> None:
    shown = timeline()
    shown.zoom(20, LABELS)
    shown.set_selection(160, 149)
    position = timeline_data.flagship()[0].events[160]
    assert shown.view.start < position < shown.view.end
    assert picture(shown).pixelColor(shown.view.x(position), TOP + 2) == look.theme.color("accent")
    shown.set_selection(None)
    assert picture(shown).pixelColor(shown.view.x(position), TOP + 2) != look.theme.color("accent")


def test_the_play_head_passes_under_the_title_of_a_block(timeline: Open, look: Look) -> None:
    shown = timeline()
    shown.set_selection(20)
    x = shown.view.x(timeline_data.flagship()[0].events[20])
    image, accent = picture(shown), look.theme.color("accent")
    title = TOP + 3 * LANE + 5
    assert image.pixelColor(x, title) != accent
    assert image.pixelColor(x, TOP + 4 * LANE + 12) == accent


def test_a_label_of_the_ruler_gives_way_to_the_flag(timeline: Open, look: Look) -> None:
    shown = timeline()
    second = shown.view.x(1_000_000_000)
    box = (second + 12, OVERVIEW + 2, 12, 14)
    blank = look.theme.color("bg.panel")

    def inked() -> bool:
        image = shown.grab().toImage().copy(*box)
        return any(
            image.pixelColor(x, y) not in (blank, look.theme.color("accent")) for x in range(12) for y in range(14)
        )

    assert inked()
    times = timeline_data.flagship()[0].events
    near = max(event for event, time in enumerate(times) if shown.view.x(time) < second - 30)
    shown.set_selection(near)
    assert not inked()


def test_hovering_outlines_and_explains(timeline: Open, qtbot: QtBot, look: Look) -> None:
    shown = timeline("missing_tool")
    before = picture(shown)
    qtbot.mouseMove(shown, place(shown, 2, timeline_data.missing_tool()[0].events[3]))
    qtbot.waitUntil(lambda: shown.cursor().shape() == Qt.CursorShape.PointingHandCursor)
    assert picture(shown) != before
    QApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    assert picture(shown) == before


def test_without_times_there_are_no_seconds(timeline: Open) -> None:
    shown = timeline("untimed")
    shown.set_selection(7)
    assert "order only" in shown.accessibleDescription()
    assert "event 7" in shown.accessibleDescription()
    assert " s" not in shown.accessibleDescription().replace("order only", "").replace("lanes", "")


def test_it_says_what_is_selected(timeline: Open) -> None:
    shown = timeline()
    assert shown.accessibleName() == "Timeline"
    shown.set_selection(37, -1)
    assert "event 37 · 1.3" in shown.accessibleDescription()
    assert "Reasoning 1" in shown.accessibleDescription()


def test_the_keyboard_sees_which_lane_it_acts_on(timeline: Open, look: Look, qtbot: QtBot) -> None:
    shown = timeline()
    ring = look.theme.color("focus")
    assert picture(shown).pixelColor(100, TOP + 2) == ring
    qtbot.keyClick(shown, Qt.Key.Key_Down)
    assert picture(shown).pixelColor(100, TOP + LANE + 2) == ring
    shown.clearFocus()
    assert picture(shown).pixelColor(100, TOP + LANE + 2) != ring


def test_lanes_that_have_no_room_can_be_scrolled_to(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline(height=TOP + 2 * LANE)
    blocks: list[int] = []
    shown.block_picked.connect(lambda block: blocks.append(block))
    for _ in range(2):
        qtbot.keyClick(shown, Qt.Key.Key_Down)
    wheel(shown, 50, TOP + 10, 120)
    wheel(shown, 50, TOP + 10, -120)
    qtbot.mouseClick(shown, LEFT, pos=place(shown, 1, timeline_data.flagship()[0].events[9]))
    assert blocks == [9]


def test_the_theme_changes_at_run_time(timeline: Open, look: Look) -> None:
    shown = timeline()
    light = picture(shown)
    assert light.pixelColor(300, TOP + LANE + 2) == look.theme.color("bg.pane")
    look.choose("dark")
    dark = picture(shown)
    assert dark.pixelColor(300, TOP + LANE + 2) == look.theme.color("bg.pane")
    look.choose("light")
    assert picture(shown) == light


def test_a_recording_that_grows_stays_whole_or_where_it_was(timeline: Open) -> None:
    shown = timeline()
    axis, lanes = timeline_data.flagship()
    longer = Axis(True, (0, 2 * axis.span[1]), axis.events, 2 * axis.span[1])
    shown.set_data(longer, lanes)
    assert shown.view.end > longer.span[1]
    shown.zoom(10, LABELS)
    close = shown.view
    shown.set_data(axis, lanes)
    assert (shown.view.start, shown.view.per_pixel) == (close.start, close.per_pixel)
    shown.set_data(
        Axis(True, (0, 1000), array("q", [0, 1000]), 1000), [Lane("events", "Events", ticks=array("q", [0]))]
    )
    assert shown.view.end < 2000


def test_a_wider_window_shows_the_whole_again(timeline: Open) -> None:
    shown = timeline()
    shown.resize(1000, shown.height())
    assert shown.view.width == 1000 - LABELS - 16
    assert shown.view.end > timeline_data.flagship()[0].end
    shown.zoom(4)
    close = shown.view
    shown.resize(1300, shown.height())
    assert shown.view.per_pixel == close.per_pixel


def test_it_paints_before_there_is_anything(qtbot: QtBot, look: Look) -> None:
    shown = Timeline(look)
    qtbot.addWidget(shown)
    shown.resize(600, 200)
    Bindings(shown, shown.commands).renew()
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    qtbot.keyClicks(shown, "ws.,f")
    qtbot.mouseClick(shown, LEFT, pos=QPoint(400, TOP + 10))
    qtbot.mouseClick(shown, LEFT, pos=QPoint(400, OVERVIEW + 10))
    assert picture(shown).pixelColor(300, TOP + 20) == look.theme.color("bg.pane")
    assert shown.sizeHint().height() == TOP + 3 * LANE


def test_motion_glides_to_the_same_view(
    timeline: Open, look: Look, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    shown = timeline()
    shown.zoom(4)
    arrived = shown.view
    shown.fit()
    monkeypatch.setattr(Look, "motion", property(lambda _: True))
    shown.zoom(2)
    shown.zoom(2)
    assert shown.view != arrived
    qtbot.waitUntil(lambda: shown.view == arrived)
