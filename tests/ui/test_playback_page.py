"""Playback by hand: keys, controls, the head on the timeline, findings in the order of time, what the panes do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.ui.commands import named
from inspector_app.ui.dialogs.key_list import key_groups
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.timeline.view import LABELS, OVERVIEW
from inspector_app.ui.window import Window
from tests.ui.playback_data import SECOND, by_hand, run_for, settle
from tests.ui.window_data import open_in, window

__all__ = ["window"]

Key, NONE = Qt.Key, Qt.KeyboardModifier.NoModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
RULER = OVERVIEW + 12


@pytest.fixture
def page(qtbot: QtBot, window: Window) -> RecordingPage:
    """The recording with an empty list on every chunk: 191 events in 58 reads, read as ZCode besides."""
    return open_in(qtbot, window, "empty-tool-calls")


def press(qtbot: QtBot, window: Window, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    qtbot.keyClick(window.focusWidget() or window, key, held)


def test_keys_play_and_step_from_everywhere(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    player, clock = by_hand(qtbot, page)
    # In the list of findings Space picks the row.
    for place in (page.timeline, page.panes.raw, page.panes.blocks, page.detail.head.tabs):
        place.setFocus()
        press(qtbot, window, Key.Key_Home, CONTROL)
        settle(player)
        assert (player.active, player.event) == (True, -1)
        for key, event in ((Key.Key_BracketRight, 0), (Key.Key_BracketRight, 1), (Key.Key_BracketLeft, 0)):
            press(qtbot, window, key)
            settle(player)
            assert player.event == event
        course = player.course
        for key, offset in ((Key.Key_BraceRight, course.ends[1]), (Key.Key_BraceLeft, course.ends[0])):
            press(qtbot, window, key)
            settle(player)
            assert player.offset == offset
        press(qtbot, window, Key.Key_Greater)
        assert player.pace == 2.0
        press(qtbot, window, Key.Key_Less)
        assert player.pace == 1.0
        press(qtbot, window, Key.Key_Space)
        assert player.playing, place
        run_for(player, clock, SECOND)
        press(qtbot, window, Key.Key_Space)
        assert not player.playing
        assert player.moment == SECOND + course.times[0]
        press(qtbot, window, Key.Key_Escape)
        assert not player.active
        assert page.session.complete


def test_a_step_begins_playback_at_the_selected_event(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    page.panes.raw.setFocus()
    for key, held, event in (
        (Key.Key_BracketRight, NONE, 40), (Key.Key_BracketLeft, NONE, 39), (Key.Key_Space, SHIFT, 40),
    ):  # fmt: skip
        page.session.selection.select(Selection(40), None)
        press(qtbot, window, key, held)
        settle(player)
        assert (player.event, page.session.rows.events) == (event, event + 1)
        assert page.session.selection.current == Selection(event)
        player.leave()
        assert page.session.selection.current == Selection(event)


def test_buttons_do_what_they_say_and_follow_what_is_played(qtbot: QtBot, page: RecordingPage) -> None:
    player, clock = by_hand(qtbot, page)
    bar = page.playback.bar
    assert bar.play.isVisible()
    assert not bar.leave.isVisible()
    bar.play.click()
    assert player.playing
    assert bar.play.accessibleName() == "Pause"
    assert bar.leave.isVisible()
    run_for(player, clock, 2 * SECOND)
    bar.play.click()
    assert bar.play.accessibleName() == "Play"
    assert bar.clock.accessibleName().startswith("2.00 s of 5.89 s · event ") or bar.clock.short
    bar.pace.setCurrentIndex(0)
    bar.pace.activated.emit(0)
    assert player.pace == 0.1
    event = player.event
    bar.back.click()
    settle(player)
    assert player.event == event - 1 or player.offset < player.course.offset_at(2 * SECOND)
    bar.unit.setCurrentIndex(1)
    before = player.offset
    bar.forward.click()
    assert player.offset in player.course.ends
    assert player.offset > before
    bar.start.click()
    assert player.offset == 0
    bar.leave.click()
    assert not player.active
    assert not bar.leave.isVisible()


def test_the_next_finding_is_the_next_in_time_and_the_head_goes_just_after_it(
    qtbot: QtBot, window: Window, page: RecordingPage
) -> None:
    player, _ = by_hand(qtbot, page)
    whole = page.session.reference
    firsts = sorted({finding.events[0] for finding in whole.findings if len(finding.events)})
    assert len(firsts) > 1
    press(qtbot, window, Key.Key_Home, CONTROL)
    settle(player)
    for event in firsts:
        press(qtbot, window, Key.Key_F8)
        settle(player)
        assert player.event == event
        assert page.session.rows.events == event + 1
        assert page.session.selection.current.event == event
    assert page.notice.isHidden()
    press(qtbot, window, Key.Key_F8)
    assert player.event == firsts[-1]
    assert page.notice.words.text() == "No finding begins after the play head."
    page.previous_finding.click()
    settle(player)
    assert player.event == firsts[-2]
    assert page.notice.isHidden()
    player.seek_event(firsts[0] - 1)
    page.next_finding.click()
    settle(player)
    assert page.session.selection.current.finding is not None
    player.seek_event(firsts[-1])
    page.next_finding.click()
    assert not page.notice.isHidden()
    player.leave()
    assert page.notice.isHidden(), "it speaks of the play head, which is gone"
    press(qtbot, window, Key.Key_F8)
    assert not player.active


# the timeline


def test_the_ruler_moves_the_head_and_the_future_can_be_gone_to(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    timeline, left = page.timeline, Qt.MouseButton.LeftButton
    player.enter(SECOND)
    settle(player)
    view = timeline.view
    at = QPoint(view.x(2 * SECOND), RULER)
    qtbot.mousePress(timeline, left, pos=at)
    assert player.moment == pytest.approx(2 * SECOND, abs=view.per_pixel)
    for seconds in (3.0, 4.0, 1.5):
        qtbot.mouseMove(timeline, QPoint(view.x(seconds * SECOND), RULER))
        assert player.moment == pytest.approx(seconds * SECOND, abs=view.per_pixel)
    qtbot.mouseRelease(timeline, left, pos=QPoint(view.x(1.5 * SECOND), RULER))
    settle(player)
    assert player.moment == pytest.approx(1.5 * SECOND, abs=view.per_pixel)
    assert page.session.rows.events == player.event + 1
    assert timeline.view == view
    bars = next(index for index in timeline.lanes if index.lane.title == "Text")
    number = next(n for n, index in enumerate(timeline.lanes) if index is bars)
    assert bars.bars[0].start > player.moment
    timeline.choose_lane(number)
    timeline.step_item(1)
    settle(player)
    assert player.moment == bars.bars[0].start


def test_the_overview_takes_the_head_only_at_its_line(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    timeline, left = page.timeline, Qt.MouseButton.LeftButton
    player.enter(SECOND)
    settle(player)
    whole = timeline.view
    qtbot.mouseClick(timeline, left, pos=QPoint(whole.x(3 * SECOND), 12))
    assert player.moment == SECOND
    qtbot.mousePress(timeline, left, pos=QPoint(whole.x(SECOND) + 2, 12))
    qtbot.mouseMove(timeline, QPoint(whole.x(4 * SECOND), 12))
    qtbot.mouseRelease(timeline, left, pos=QPoint(whole.x(4 * SECOND), 12))
    assert player.moment == pytest.approx(4 * SECOND, abs=whole.per_pixel)


def test_the_head_that_is_let_go_at_the_end_marker_shows_the_whole(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    timeline, left = page.timeline, Qt.MouseButton.LeftButton
    player.enter(SECOND)
    settle(player)
    end = QPoint(timeline.view.x(player.course.length) + 4, RULER)
    qtbot.mousePress(timeline, left, pos=end)
    assert player.active
    qtbot.mouseRelease(timeline, left, pos=end)
    assert not player.active
    assert timeline._head is None


def test_lanes_say_what_had_come_and_stay_where_they_are(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    timeline = page.timeline
    names = [index.lane.key for index in timeline.lanes]
    whole = {index.lane.key: index for index in timeline.lanes}
    player.enter()
    player.seek_event(74)
    settle(player)
    past = {index.lane.key: index for index in timeline._lanes}
    assert [*past] == names
    assert past["events"].lane.note == "75"
    assert past["reads"].lane.note == str(len(page.session.exchange.read_ends))
    assert past["reasoning-0-0"].bars[0].title == "Reasoning · 74 deltas"
    assert past["reasoning-0-0"].bars[0].end == player.moment
    assert past["reasoning-0-1"].lane.badge == "74"
    assert past["text-0-0"].lane.badge == "0"
    assert max(mark.position for mark in past["findings"].marks) <= player.moment
    assert whole["reasoning-0-0"].bars[0].end > player.moment
    assert timeline._head.words == "74 · 2.57\u2009s"
    player.leave()
    assert {index.lane.key: index for index in timeline._lanes} == whole


def test_a_silence_is_as_long_as_it_had_lasted(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "half-a-minute-of-silence")
    player, _ = by_hand(qtbot, page)
    player.enter(12 * SECOND)
    settle(player)
    spans = {span.kind: span for span in page.timeline._lanes[0].lane.spans}
    assert spans["silence"].end == 12 * SECOND
    assert spans["silence"].words != next(
        span.words for span in page.timeline.lanes[0].lane.spans if span.kind == "silence"
    )
    assert "time-stall" not in {finding.rule for finding in page.session.reference.findings}


def test_the_head_is_painted_over_a_faded_future(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    before = page.timeline.grab().toImage()
    player.enter(3 * SECOND)
    settle(player)
    image, x = page.timeline.grab().toImage(), page.timeline.view.x(3 * SECOND)
    lane = next(n for n, index in enumerate(page.timeline.lanes) if index.lane.key == "text-0-0")
    y = OVERVIEW + 24 + page.timeline.view.top(lane) + 5
    bar = page.timeline.lanes[lane].bars[0]
    inside = page.timeline.view.x((bar.start + bar.end) / 2)
    accent = page.look.theme.color("accent")
    assert image.pixelColor(x, image.height() - 3) == accent
    assert image.pixelColor(inside, y).lightness() > before.pixelColor(inside, y).lightness()
    assert image.pixelColor(LABELS + 300, y - 60) != accent


# the panes


def test_panes_follow_the_head_until_somebody_scrolls(qtbot: QtBot, page: RecordingPage) -> None:
    player, clock = by_hand(qtbot, page)
    bar = page.panes.raw.verticalScrollBar()
    player.play(True)
    run_for(player, clock, 3 * SECOND)
    assert bar.value() == bar.maximum() > 0
    bar.setValue(66)
    run_for(player, clock, SECOND)
    assert bar.value() == 66
    assert player.event > 100
    player.play(False)
    player.step("event", 1)
    settle(player)
    assert bar.value() == bar.maximum()


def test_before_the_first_byte_the_panes_say_so(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    player.enter()
    settle(player)
    assert page.panes.raw.model().rowCount() == 0
    assert page.panes.raw.empty[1] == page.panes.deltas.empty[1] == "Nothing has come yet"
    assert page.session.selection.current is None
    assert not page.verdict.isVisible()
    assert page.summary._items[0].value == "0"
    player.leave()
    assert page.verdict.isVisible()
    assert page.panes.raw.model().rowCount() > 0


def test_what_has_not_come_cannot_stay_selected(qtbot: QtBot, page: RecordingPage) -> None:
    player, clock = by_hand(qtbot, page)
    page.session.selection.select(Selection(100), None)
    player.play(True)
    run_for(player, clock, SECOND)
    current = page.session.selection.current
    assert current is None or current.event < page.session.rows.events
    page.session.selection.select(Selection(3), None)
    run_for(player, clock, SECOND)
    assert page.session.selection.current == Selection(3)


def test_playback_leaves_no_steps_to_undo(qtbot: QtBot, page: RecordingPage) -> None:
    player, clock = by_hand(qtbot, page)
    steps = len(page.history._undo)
    player.play(True)
    run_for(player, clock, 2 * SECOND)
    player.play(False)
    for _ in range(3):
        player.step("read", 1)
        settle(player)
    player.leave()
    assert len(page.history._undo) == steps
    page.session.selection.select(Selection(5), None)
    assert len(page.history._undo) == steps + 1


def test_what_is_still_to_be_read_of_the_whole_goes_on_afterwards(qtbot: QtBot, window: Window) -> None:
    page = window.open_path(str(resource("recordings", "empty-tool-calls.rec.jsonl")))
    session = page.session
    qtbot.waitUntil(lambda: session.complete and page.link.settled, timeout=20_000)
    player, _ = by_hand(qtbot, page)
    was_idle = session.idle
    player.enter(SECOND)
    settle(player)
    assert session.idle
    player.leave()
    assert session.idle == was_idle
    qtbot.waitUntil(lambda: session.idle and session.right is not None, timeout=20_000)
    assert session.right.reader == "zcode-3.11"


def test_the_palette_offers_playback_where_it_can_be_done(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    for words in ("Play or pause", "Pace: 0.25×", "Step by: read", "Play head: to the start"):
        command = named(window.commands(), words)
        assert command is not None
        assert command.enabled()
    assert named(window.commands(), "Leave playback") is None
    named(window.commands(), "Pace: 0.25×").run()
    assert page.playback.player.pace == 0.25
    named(window.commands(), "Play or pause").run()
    assert named(window.commands(), "Leave playback") is not None
    page.playback.player.leave()



def test_the_list_of_keys_shows_all_four_of_the_steps(window: Window, page: RecordingPage) -> None:
    rows = {row.words: row.keys for row in key_groups(window.commands())["Playback"]}
    assert rows["Step event before … next read"] == ("[ ] { }",)
    assert rows["Pace slower … faster"] == ("< >",)
    assert rows["Play or pause"] == ("Space",)


def test_the_fields_are_those_of_what_has_come(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    fields, whole = page.detail.fields, page.session.reference
    page.detail.show_page("Fields")
    qtbot.waitUntil(lambda: fields.model.rowCount() > 0)
    everything = list(fields.model.rows)
    late = next(n for n, row in enumerate(everything) if row["first_event"] > 40)
    player.enter()
    player.seek_event(40)
    # Nothing of the whole stands there for a click until those of the part are counted.
    settle(player)
    assert not any(row["last_event"] > 40 for row in fields.model.rows)
    qtbot.waitUntil(lambda: fields.status.text().endswith("fields in 41 events"))
    assert {row["path"] for row in fields.model.rows} == {
        row["path"] for row in everything if row["first_event"] <= 40
    }
    player.seek_event(50)
    settle(player)
    qtbot.waitUntil(lambda: fields.status.text().endswith("in 51 events"))
    assert max(row["last_event"] for row in fields.model.rows) == 50
    # A row that is still in view although its event has not come leads nowhere.
    fields.model.show(everything, [[] for _ in everything], [[] for _ in everything])
    before = page.session.selection.current
    fields._lead(fields.model.index(late, 0))
    assert page.session.selection.current == before
    player.leave()
    qtbot.waitUntil(lambda: fields.status.text().endswith(f"in {len(whole.events)} events"))
    assert fields.model.rows == everything
