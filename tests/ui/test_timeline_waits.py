"""The lane of waits and bursts: which stand out, how they are drawn and picked, and events that came at one time."""

from __future__ import annotations

from array import array

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from inspector_app.core.reading import Reading
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Axis, Lane, LaneIndex, Timeline
from inspector_app.ui.timeline.hit import Hit, hit
from inspector_app.ui.timeline.overlay import tip_lines
from inspector_app.ui.timeline.view import LABELS, LANE, TOP
from inspector_app.ui.timeline.waits import WAITS
from inspector_app.ui.waits_lane import crowds_of, waits_lane
from tests.core.streams import DONE, said, sse
from tests.core.timed import MS, positions_of, reading_of


def lane_of(reading: Reading) -> Lane | None:
    found = [lane for lane in waits_lane(reading, array("q", positions_of(reading))) if lane is not None]
    assert len(found) <= 1
    return found[0] if found else None


def words_at(*times: float) -> Reading:
    """One word in a read at each time."""
    return reading_of([(time, sse(said("word "))) for time in times])


@pytest.mark.parametrize(
    ("times", "spans", "note"),
    [
        ((10, 20, 30, 130, 140), [(30, 130)], "from 100 ms"),
        ((10, 20, 30, 129.9, 140), None, ""),
        ((150, 160, 170, 500, 510), [(0, 150), (170, 500)], "from 100 ms"),
        ((10, 110, 210, 310, 900), [(310, 900)], "from 500 ms"),
        ((10, 20, 30, 31_000, 31_010), [(30, 31_000)], "from 100 ms"),
    ],
)
def test_waits_stand_out_that_are_long_for_this_stream(
    times: tuple[float, ...], spans: list[tuple[int, int]] | None, note: str
) -> None:
    lane = lane_of(words_at(*times))
    if spans is None:
        assert lane is None
        return
    assert lane is not None
    assert [(span.start // MS, span.end // MS) for span in lane.spans] == spans
    assert list(lane.ticks or ()) == [span.end for span in lane.spans]
    assert lane.note.replace("\u2009", " ") == note


@pytest.mark.parametrize(
    ("times", "end", "spans"),
    [
        ((10, 20, 30, 40), 5740, [(40, 5740)]),
        ((10, 20, 30, 130, 140), 640, [(30, 130), (140, 640)]),
        ((10, 20, 30, 40), 130, []),
        ((10, 20, 30, 40), None, []),
        ((10,), 5710, [(10, 5710)]),
        ((10, None), 5710, []),
    ],
)
def test_the_silence_before_the_end_is_a_wait(
    times: tuple[float | None, ...], end: int | None, spans: list[tuple[int, int]]
) -> None:
    at = None if end is None else end * MS
    reading = reading_of([(time, sse(said("word "))) for time in times], end={"how": "cancelled"}, end_time=at)
    lane = lane_of(reading)
    found = [] if lane is None else [(span.start // MS, span.end // MS) for span in lane.spans]
    assert found == spans
    if lane is not None:
        assert list(lane.ticks or ()) == [span.end for span in lane.spans]


def test_reads_without_a_time_are_no_wait() -> None:
    assert lane_of(reading_of([(10, sse(said("a"))), (None, sse(said("b"))), (900, sse(said("c")))])) is None


@pytest.mark.parametrize(
    ("counts", "crowds"),
    [([1] * 20 + [14], [(20, 14)]), ([1] * 20 + [9], []), ([12] * 5, []), ([61], [(0, 61)]), ([1, 30, 1], [])],
)
def test_a_burst_is_a_crowd_for_this_stream(counts: list[int], crowds: list[tuple[int, int]]) -> None:
    positions = array("q", [moment for moment, count in enumerate(counts) for _ in range(count)])
    assert [crowd for crowd in crowds_of(positions) if crowd is not None] == crowds


def shown_lane(qtbot: QtBot, look: Look, reading: Reading) -> Timeline:
    lane = lane_of(reading)
    assert lane is not None
    positions = array("q", positions_of(reading))
    events = Lane("events", "Events", ticks=positions)
    made = Timeline(look)
    qtbot.addWidget(made)
    made.resize(1600, TOP + 2 * LANE)
    made.set_data(Axis(True, (0, positions[-1]), positions, positions[-1]), [events, lane])
    return made


def burst() -> Reading:
    crowd = (700, sse(*[said("x")] * 14))
    return reading_of([*((t, sse(said("w "))) for t in range(10, 410, 10)), crowd, (900, sse(said("e"), DONE))])


def test_a_wait_and_a_burst_are_told_and_lead_to_their_event(qtbot: QtBot, look: Look) -> None:
    shown = shown_lane(qtbot, look, burst())
    middle = QPoint(shown.view.x(550 * MS), TOP + LANE + 12)
    found = hit(shown.lanes, shown.view, middle.x(), middle.y(), 0)
    assert found == Hit(1, "tick", 0)
    told = [words.replace("\u2009", " ") for words in tip_lines(shown.axis, shown.lanes[1], found, None)[1:4]]
    assert told == ["wait of 300 ms", "event 40", "400 ms to 700 ms"]
    with qtbot.waitSignal(shown.event_picked) as picked:
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=middle)
    assert picked.args == [40]
    at = QPoint(shown.view.x(700 * MS), TOP + LANE + 12)
    mark = hit(shown.lanes, shown.view, at.x(), at.y(), 0)
    assert mark is not None
    assert tip_lines(shown.axis, shown.lanes[1], mark, None)[1] == "14 events at once"
    with qtbot.waitSignal(shown.event_picked) as picked, qtbot.assertNotEmitted(shown.finding_picked):
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=at)
    assert picked.args == [40]


def test_the_keys_go_from_wait_to_wait(qtbot: QtBot, look: Look) -> None:
    shown = shown_lane(qtbot, look, burst())
    shown.choose_lane(1)
    events: list[int] = []
    shown.event_picked.connect(events.append)
    for step in (1, 1, -1):
        shown.step_item(step)
    assert events == [40, 54, 40]


def test_waits_are_drawn_between_ends_and_as_ticks_where_they_are_short(qtbot: QtBot, look: Look) -> None:
    shown = shown_lane(qtbot, look, burst())
    strong, base = look.theme.color("line.strong"), TOP + LANE + 12
    image = shown.grab().toImage()
    for time in (400, 700, 900):
        assert image.pixelColor(shown.view.x(time * MS), base - 3) == strong
    shown = shown_lane(qtbot, look, words_at(*[n * 10 + (n // 50) * 1000 for n in range(2000)]))
    image = shown.grab().toImage()
    drawn = [x for x in range(LABELS, 1580) if image.pixelColor(x, base) == strong]
    assert len(drawn) > 39


def test_events_of_one_time_are_one_tick_that_says_how_many(qtbot: QtBot, look: Look) -> None:
    shown = shown_lane(qtbot, look, burst())
    told = tip_lines(shown.axis, shown.lanes[0], Hit(0, "tick", 45), None)
    assert told[3].endswith("14 at this time")
    reads = Lane("reads", "Reads", ticks=array("q", [1, 5]), events=array("I", [2, 9]))
    index = LaneIndex(reads, Axis(True, (0, 9)))
    assert tip_lines(Axis(True, (0, 9)), index, Hit(0, "tick", 0), None)[3].endswith("3 events")
    assert tip_lines(Axis(True, (0, 9)), index, Hit(0, "tick", 1), None)[3].endswith("7 events")
    assert shown.lanes[1].lane.key == WAITS
