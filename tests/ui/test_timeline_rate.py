"""The lane of the rate: its numbers, its height, which gives way first, and what it leads to."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.ui.lanes import Clock, timeline_in_steps
from inspector_app.ui.live.lanes import LiveLanes
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Axis, Lane, LaneIndex, Timeline
from inspector_app.ui.timeline.hit import hit
from inspector_app.ui.timeline.overlay import tip_lines
from inspector_app.ui.timeline.rate import (
    LEAST_RATE,
    RATE_LANE,
    SECOND,
    TALLEST_RATE,
    Curve,
    guide,
    points,
    rounded_rate,
    window_of,
    window_words,
)
from inspector_app.ui.timeline.view import LABELS, LANE, TOP, View
from inspector_app.ui.timeline_link import TimelineLink
from tests.core.streams import DONE, end, said, sse, thought
from tests.core.timed import exchange_of
from tests.ui.panes_data import opened

MS = 1_000_000
MEANINGS = ("reasoning", "text")
Entry = tuple[int, int, int]


def curve_of(entries: list[Entry], window: int = SECOND, weights: tuple[float, float] = (1, 1)) -> Curve:
    """A curve of (time in ms, number of the meaning, amount)."""
    sums = [
        array("q", accumulate((size if code == kind else 0 for _, code, size in entries), initial=0)) for kind in (0, 1)
    ]
    times = [ms * MS for ms, _, _ in entries]
    until = (times[-1] if times else 0) + SECOND
    codes = [code for _, code, _ in entries]
    return Curve(times, codes, MEANINGS, (sums[0], sums[1]), weights, "tokens/s", "", window, until)


def answer(usage: bool = True) -> Exchange:
    """Twenty thoughts of five characters, one each 100 ms, then as many words, and 120 tokens of them all."""
    reads = [(100 * n, sse(thought("abcd "))) for n in range(1, 21)]
    reads += [(100 * n, sse(said("word "))) for n in range(21, 41)]
    last = {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 120, "total_tokens": 121}}
    return exchange_of([*reads, (4200, sse(end(), *([last] if usage else []), DONE))])


def lanes_of(qtbot: QtBot, exchange: Exchange) -> tuple[Axis, list[LaneIndex]]:
    session = opened(qtbot, exchange, lenses=False)
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    *_, found = timeline_in_steps(session, clock, True)
    assert found is not None
    return found


# numbers


@pytest.mark.parametrize(
    "ms, window",
    [(0, 10), (39, 10), (80, 20), (1999, 200), (2000, 500), (3999, 500), (4000, 1000), (3_600_000, 1000)],
)
def test_the_window_is_a_second_or_shorter_for_a_short_stream(ms: int, window: int) -> None:
    assert window_of(5 * MS, (5 + ms) * MS) == window * MS


@pytest.mark.parametrize("ns, words", [(SECOND, "1 s"), (500 * MS, "500 ms"), (10 * MS, "10 ms")])
def test_a_window_in_words(ns: int, words: str) -> None:
    assert window_words(ns).replace("\u2009", " ") == words


@pytest.mark.parametrize(
    "highest, apart", [(0, 1), (47, 25), (50, 25), (51, 30), (117, 60), (1, 0.5), (0.3, 0.15), (9500, 5000), (2, 1)]
)
def test_the_second_line_is_round_and_not_below_the_curve(highest: float, apart: float) -> None:
    assert guide(highest) == pytest.approx(apart)


@pytest.mark.parametrize("value, words", [(47.4, "47"), (2.46, "2.5"), (3.0, "3"), (0.314, "0.31"), (12_345, "12 345")])
def test_a_rate_in_words(value: float, words: str) -> None:
    assert rounded_rate(value).replace("\u2009", " ") == words


@pytest.mark.parametrize(
    "ms, rate", [(99, 0), (100, 4), (499, 4), (500, 10), (1099, 10), (1100, 6), (1499, 6), (1500, 0), (1600, 1)]
)
def test_the_rate_is_what_came_in_the_window_that_ends_there(ms: int, rate: float) -> None:
    curve = curve_of([(100, 0, 4), (500, 1, 6), (1600, 1, 1)])
    assert curve.rate(ms * MS) == rate


def test_shorter_windows_and_weights_are_counted_by_the_second() -> None:
    curve = curve_of([(100, 0, 4), (150, 1, 6)], window=100 * MS, weights=(0.5, 2))
    assert curve.rate(160 * MS) == pytest.approx((4 * 0.5 + 6 * 2) * 10)
    assert [curve.meaning_at(ms * MS) for ms in (0, 100, 149, 150, 999)] == ["reasoning"] * 3 + ["text"] * 2


ENTRIES = st.lists(st.tuples(st.integers(0, 9000), st.integers(0, 1), st.integers(1, 50)), min_size=1, max_size=60)


@given(entries=ENTRIES.map(sorted), start=st.integers(0, 8000), per_pixel=st.integers(1, 2000))
def test_a_point_is_the_sum_over_its_window_and_the_pixels_bound_the_points(
    entries: list[Entry], start: int, per_pixel: int
) -> None:
    curve = curve_of(entries)
    view = View(start * MS, per_pixel * MS / 100, 300)
    found = list(points(curve, view))
    assert len(found) <= view.width / 2 + 3
    window = max(SECOND, 2 * view.per_pixel)
    for point in found:
        # A pixel stands for all positions that are rounded to it.
        near = [view.position(point.x) + part * view.per_pixel for part in (-0.5, 0, 0.5)]
        low = sum(size for ms, _, size in entries if near[2] - window < ms * MS <= near[0])
        high = sum(size for ms, _, size in entries if near[0] - window < ms * MS <= near[2])
        assert low - 0.01 <= point.rate * window / SECOND <= high + 0.01
    assert all(before.x < after.x for before, after in pairwise(found[:-1]))


def test_far_out_nothing_falls_between_two_points() -> None:
    curve = curve_of([(1_800_000, 0, 40)], window=10 * MS)
    curve.until = 3_600_000 * MS
    view = View(0, 3_600_000 * MS / 1000, 1000)
    found = [point.rate for point in points(curve, view) if point.rate]
    assert found == [pytest.approx(40 * SECOND / (2 * view.per_pixel))]


def test_a_point_costs_the_same_whatever_has_come() -> None:
    asked = []

    class Times(list[int]):
        def __getitem__(self, place: int) -> int:  # type: ignore[override]
            asked.append(place)
            return super().__getitem__(place)

    count = 1 << 17
    curve = curve_of([])
    curve.times, curve.codes = Times(range(0, count * MS, MS)), bytes(count)
    curve.sums, curve.until = (range(count + 1), [0] * (count + 1)), count * MS
    view = View(0, count * MS / 1000, 1000)
    found = list(points(curve, view))
    assert found[250].rate == 1000
    # `bisect_right` of a list subclass asks for at most the binary logarithm of its length, and one more.
    assert 0 < len(asked) <= len(found) * 3 * 19
    assert bisect_right(curve.times, 5) == 1


# lanes


def test_the_lane_stands_between_reads_and_events_and_counts_tokens(qtbot: QtBot) -> None:
    axis, lanes = lanes_of(qtbot, answer())
    assert [index.lane.key for index in lanes][:3] == ["reads", "rate", "events"]
    lane = lanes[1].lane
    assert (lane.title, lane.note.replace("\u2009", " ")) == ("Tokens/s", "500 ms window")
    curve = lane.curve
    assert curve is not None
    # 120 tokens over 200 characters: 0.6 each; five deltas of five characters in half a second.
    assert curve.rate(2000 * MS) == pytest.approx(0.6 * 25 * 2)
    assert curve.told(2000 * MS) == ("30 tokens/s", "usage over 200 characters")
    assert curve.until == axis.span[1] == 4200 * MS


def test_without_usage_characters_are_shown_and_tokens_are_a_guess(qtbot: QtBot) -> None:
    _, lanes = lanes_of(qtbot, answer(usage=False))
    lane = lanes[1].lane
    assert lane.title == "Chars/s"
    assert lane.curve is not None
    assert lane.curve.told(2000 * MS) == ("50 characters/s", "about 12 tokens/s, 4 characters each")


@pytest.mark.parametrize("gone", ["times", "words"])
def test_without_times_or_words_there_is_no_lane(qtbot: QtBot, gone: str) -> None:
    exchange = answer() if gone == "times" else exchange_of([(5, sse(end(), DONE))])
    if gone == "times":
        exchange.timing = "none"
    _, lanes = lanes_of(qtbot, exchange)
    assert "rate" not in [index.lane.key for index in lanes]


def test_a_live_stream_has_the_lane_up_to_now(qtbot: QtBot) -> None:
    session = opened(qtbot, answer(), lenses=False)
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    made = LiveLanes(session, session.reference)
    for now in (4300 * MS, 4400 * MS):
        *_, found = made.in_steps(clock, now)
        assert found is not None
        assert [index.lane.key for index in found[1]][:3] == ["reads", "rate", "events"]
        curve = found[1][1].lane.curve
        assert curve is not None
        assert curve.until == now < found[0].span[1]


def test_choices_of_a_live_stream_have_lanes_of_their_own(qtbot: QtBot) -> None:
    events = [
        {"object": "chat.completion.chunk", "choices": [{"index": choice, "delta": {"content": word}}]}
        for choice, word in ((0, "one "), (1, "eins "), (0, "two"), (1, "zwei"))
    ]
    reads = [(at, b"data: " + json.dumps(event).encode() + b"\n\n") for at, event in enumerate(events, 1)]
    session = opened(qtbot, exchange_of(reads), lenses=False)
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    *_, found = LiveLanes(session, session.reference).in_steps(clock, 4300 * MS)
    assert found is not None
    lanes = [index.lane for index in found[1] if index.lane.key.startswith("text")]
    assert [(lane.title, lane.note, len(lane.bars)) for lane in lanes] == [
        ("Text", "choice 0", 1),
        ("Text", "choice 1", 1),
    ]


# heights


def timeline_of(qtbot: QtBot, look: Look, height: int, tallest: int = LANE) -> Timeline:
    session = opened(qtbot, answer(), lenses=False)
    made = Timeline(look)
    qtbot.addWidget(made)
    link = TimelineLink(session, made)
    if tallest > LANE:
        made.let_grow(tallest)
    made.resize(1200, height)
    with qtbot.waitSignal(link.shown):
        link.refresh()
    made.show()
    return made


COUNT = 6
"""Reads, rate, events, reasoning, text, findings."""
OTHERS = (COUNT - 1) * LANE


@pytest.mark.parametrize(
    "room, height",
    [
        (OTHERS + RATE_LANE, RATE_LANE),
        (OTHERS + RATE_LANE + 200, RATE_LANE),
        (OTHERS + 40, 40),
        (OTHERS + LEAST_RATE, LEAST_RATE),
        (OTHERS + LEAST_RATE - 1, 0),
        (OTHERS - 20, 0),
    ],
)
def test_the_lane_of_the_rate_gives_way_first(qtbot: QtBot, look: Look, room: int, height: int) -> None:
    made = timeline_of(qtbot, look, TOP + room)
    view = made.view
    assert len(made.lanes) == COUNT
    assert [view.height(number) for number in range(COUNT)] == [LANE, height, LANE, LANE, LANE, LANE]
    assert made.sizeHint().height() == TOP + OTHERS + RATE_LANE
    assert made._scroll.maximum() == max(0, OTHERS + height - room)


def test_alone_it_is_twice_as_high_as_the_others(qtbot: QtBot, look: Look) -> None:
    made = timeline_of(qtbot, look, TOP + 900, tallest=44)
    assert (made.view.lane, made.view.height(1)) == (44, TALLEST_RATE)
    made.resize(1200, TOP + 7 * 30)
    assert (made.view.lane, made.view.height(1)) == (30, 60)


def test_keys_pass_the_lane_that_is_not_there(qtbot: QtBot, look: Look) -> None:
    made = timeline_of(qtbot, look, TOP + OTHERS)
    keys = [Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up]
    found = []
    for key in keys:
        qtbot.keyClick(made, key)
        found.append(made.lanes[made._lane].lane.key)
    assert found == ["events", "reasoning-0-0", "events", "reads"]


@given(
    lane=st.integers(24, 72),
    tall=st.integers(-1, 6),
    extra=st.integers(-72, 72),
    count=st.integers(1, 8),
    y=st.integers(0, 700),
)
def test_every_height_belongs_to_the_lane_that_is_there(lane: int, tall: int, extra: int, count: int, y: int) -> None:
    view = View(0, 1, 100, lane=lane, tall=tall, extra=max(extra, -lane) if tall >= 0 else 0)
    number = view.lane_at(y)
    assert view.top(number) <= y < view.top(number) + view.height(number)
    assert view.top(count) == sum(view.height(number) for number in range(count))


# the lane itself


def test_a_click_on_the_curve_selects_the_event_there(qtbot: QtBot, look: Look) -> None:
    made = timeline_of(qtbot, look, 400)
    picked: list[int] = []
    made.event_picked.connect(picked.append)
    at = QPoint(made.view.x(2500 * MS), TOP + made.view.top(1) + 20)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=at)
    assert picked == [24]


def test_the_tip_tells_the_rate_and_how_it_was_counted(qtbot: QtBot, look: Look) -> None:
    made = timeline_of(qtbot, look, 400)
    at = (made.view.x(2500 * MS), TOP + made.view.top(1) + 20)
    found = hit(made.lanes, made.view, *at, 0)
    assert found is not None
    _, head, event, second, (counted, _) = tip_lines(made.axis, made.lanes[1], found, None)
    assert (head, event, counted) == ("30 tokens/s", "event 24", "usage over 200 characters")
    assert "500\u2009ms window" in second


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_curve_has_the_colours_of_what_came(qtbot: QtBot, look: Look, theme: str) -> None:
    look.choose(theme)
    made = timeline_of(qtbot, look, 400)
    image: QImage = made.grab().toImage()
    base = TOP + made.view.top(1) + made.view.height(1) - 6
    for ms, meaning in ((1500, "reasoning"), (3500, "text")):
        color = image.pixelColor(made.view.x(ms * MS), base)
        assert color == look.theme.mixed("bg.pane", f"{meaning}.fill", 0.8)
    assert image.pixelColor(made.view.x(4250 * MS), base) != look.theme.mixed("bg.pane", "text.fill", 0.8)


def test_the_lane_is_labelled_in_its_middle(qtbot: QtBot, look: Look) -> None:
    made = timeline_of(qtbot, look, 400)
    image: QImage = made.grab().toImage()
    ground = look.theme.color("bg.panel")
    top, height = TOP + made.view.top(1), made.view.height(1)
    written = [y for y in range(top, top + height - 1) if any(image.pixelColor(x, y) != ground for x in range(38, 120))]
    assert abs((written[0] + written[-1]) / 2 - (top + height / 2)) <= 2
    assert written[-1] - written[0] < 16


def test_selecting_elsewhere_marks_the_lanes_below_at_their_own_height(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, answer(), lenses=False)
    made = Timeline(look)
    qtbot.addWidget(made)
    link = TimelineLink(session, made)
    made.resize(1200, 400)
    with qtbot.waitSignal(link.shown):
        link.refresh()
    session.selection.select(Selection(25, block=1, reader="reference"), None)
    image: QImage = made.grab().toImage()
    top, accent = TOP + made.view.top(4), look.theme.color("accent")
    x = made.view.x(3000 * MS)
    assert [y - top for y in range(TOP, 400) if image.pixelColor(x, y) == accent] == [2, 3, 20, 21]


@pytest.mark.parametrize(("event", "under"), [(0, True), (25, False)])
def test_the_play_head_passes_under_the_numbers(qtbot: QtBot, look: Look, event: int, under: bool) -> None:
    session = opened(qtbot, answer(), lenses=False)
    made = Timeline(look)
    qtbot.addWidget(made)
    link = TimelineLink(session, made)
    made.resize(1200, 400)
    with qtbot.waitSignal(link.shown):
        link.refresh()
    session.selection.select(Selection(event), None)
    assert link.clock is not None
    image: QImage = made.grab().toImage()
    x, accent = made.view.x(link.clock.positions[event]), look.theme.color("accent")
    assert (x < LABELS + 28) == under
    top = TOP + made.view.top(1)
    here = [image.pixelColor(x, y) == accent for y in range(top + 4, top + made.view.height(1) - 4)]
    assert any(here) != under
    assert image.pixelColor(x, top + made.view.height(1) + 2) == accent


def test_lanes_without_a_curve_are_as_they_were(qtbot: QtBot, look: Look) -> None:
    made = Timeline(look)
    qtbot.addWidget(made)
    made.resize(1200, 300)
    made.set_data(Axis(True, (0, SECOND), [MS], SECOND), [Lane("reads", "Reads", ticks=array("q", [MS]))] * 3)
    assert (made.view.tall, made.view.extra, made.sizeHint().height()) == (-1, 0, TOP + 3 * LANE)
    assert made.view.x(0) == LABELS
