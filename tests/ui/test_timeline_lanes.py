"""Lanes that are pinned, hidden and told in another unit: what is shown of them, and that it is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from inspector_app.ui.settings import Settings
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline, hit
from inspector_app.ui.timeline.view import LABELS, LANE, TOP
from inspector_app.ui.timeline_lanes import LaneChoice, name_of
from inspector_app.ui.timeline_link import TimelineLink
from inspector_app.ui.window import Window
from tests.core.streams import DONE, end, said, sse, thought, tool
from tests.core.timed import exchange_of
from tests.ui.panes_data import opened
from tests.ui.window_data import open_in, window

__all__ = ["window"]


@pytest.fixture
def linked(qtbot: QtBot, look: Look) -> tuple[Timeline, TimelineLink]:
    """Reads, rate, events, reasoning, text, a call and findings, in a timeline with room for three lanes."""
    reads = [(n * 20.0, sse(thought("think "))) for n in range(1, 9)]
    reads += [(200 + n * 20.0, sse(said("word "))) for n in range(9)]
    reads += [(500.0, sse(tool("{}", id="c", name="find"))), (520.0, sse(end("tool_calls"), DONE))]
    session = opened(qtbot, exchange_of(reads, end_time=521_000_000), lenses=False)
    made = Timeline(look)
    qtbot.addWidget(made)
    link = TimelineLink(session, made)
    made.resize(1200, TOP + 3 * LANE + 10)
    link.refresh()
    qtbot.waitUntil(lambda: link.settled)
    return made, link


def keys(shown: Timeline) -> list[str]:
    return [index.lane.key for index in shown.lanes]


@pytest.mark.parametrize(
    ("key", "name"), [("reads", "reads"), ("text-0-1", "text-0"), ("tool_call-3-0", "tool_call-3"), ("x-1", "x-1")]
)
def test_a_lane_has_one_name_for_both_readers(key: str, name: str) -> None:
    assert name_of(key) == name


def test_pinned_lanes_come_first_in_the_order_of_pinning(linked: tuple[Timeline, TimelineLink]) -> None:
    shown, link = linked
    before = keys(shown)
    link.choice.pin("text-0-0")
    link.choice.pin("events")
    assert keys(shown) == ["text-0-0", "events", *(key for key in before if key not in ("text-0-0", "events"))]
    link.choice.pin("text-0-0", False)
    assert keys(shown)[0] == "events"
    link.choice.pin("events", False)
    assert keys(shown) == before
    assert not any(index.lane.pinned for index in shown.lanes)


def test_a_pinned_lane_stays_where_it_is_while_the_others_scroll(
    linked: tuple[Timeline, TimelineLink], qtbot: QtBot
) -> None:
    shown, link = linked
    link.choice.pin("findings")
    label = shown.grab().toImage().copy(0, TOP, LABELS, LANE - 1)
    shown._scroll.setValue(3 * LANE)
    assert shown.scrolled > 0
    image = shown.grab().toImage()
    assert image.copy(0, TOP, LABELS, LANE - 1) == label
    at = [hit.lane_at(shown.view, y, shown.scrolled, len(shown.lanes)) for y in (TOP + 3, TOP + LANE + 3)]
    assert at[0] == 0
    assert at[1] == shown.view.lane_at(LANE + 3 + shown.scrolled)
    below = shown.lanes[at[1] or 0].lane.key
    qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(20, TOP + LANE + 3))
    assert shown.lanes[shown._lane].lane.key == below


def test_choosing_a_lane_below_brings_it_under_the_pinned_ones(linked: tuple[Timeline, TimelineLink]) -> None:
    shown, link = linked
    link.choice.pin("reads")
    for number in [*range(len(shown.lanes)), *reversed(range(len(shown.lanes)))]:
        shown.choose_lane(number)
        if shown._lane == number and number:
            top = shown.view.row(number, shown.scrolled)
            assert shown.view.ceiling <= top
            assert top + shown.view.height(number) <= shown.height() - TOP


def test_hidden_lanes_are_left_out_and_it_says_so(linked: tuple[Timeline, TimelineLink], look: Look) -> None:
    shown, link = linked
    before = keys(shown)
    plain = shown.grab().toImage().copy(30, TOP - 20, 160, 18)
    link.choice.hide("reads")
    link.choice.hide("text-0-1")
    assert keys(shown) == [key for key in before if key not in ("reads", "text-0-0")]
    assert shown.hidden == 2
    assert shown.grab().toImage().copy(30, TOP - 20, 160, 18) != plain
    link.choice.show_all()
    assert (keys(shown), shown.hidden) == (before, 0)


def test_all_lanes_stay_where_none_would_be_left(linked: tuple[Timeline, TimelineLink]) -> None:
    shown, link = linked
    before = keys(shown)
    for key in before:
        link.choice.hide(key)
    assert keys(shown) == before


def test_the_menu_of_a_label_pins_hides_shows_and_counts(linked: tuple[Timeline, TimelineLink]) -> None:
    shown, link = linked
    shown.resize(1200, TOP + 12 * LANE)
    shown.grab()  # Only what is painted has the size that it was given.
    menus = next(child for child in shown.children() if hasattr(child, "lane_menu"))

    def act(lane: str, words: str) -> None:
        place = TOP + shown.view.row(keys(shown).index(lane), shown.scrolled) + 5
        next(action for action in menus.lane_menu(place).actions() if action.text() == words).trigger()

    act("rate", "Pin this lane to the top")
    assert keys(shown)[0] == "rate"
    act("rate", "Let this lane go")
    assert keys(shown)[0] != "rate"
    act("events", "Hide this lane")
    assert "events" not in keys(shown)
    shows = [action.text() for action in menus.lane_menu(TOP - 5).actions() if action.text()]
    assert shows[0].startswith("Show: Events")
    next(action for action in menus.lane_menu(TOP - 5).actions() if action.text() == shows[0]).trigger()
    assert "events" in keys(shown)
    act("rate", "Count characters, not tokens")
    assert link.choice.characters


def test_the_choice_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    first = LaneChoice()
    first.remember(Settings(path))
    first.pin("text-0-0")
    first.hide("reads")
    first.count_characters(True)
    again = LaneChoice()
    again.remember(Settings(path))
    assert (again.pinned, again.hidden, again.characters) == (["text-0"], ["reads"], True)
    settings = Settings(path)
    settings.put("lanes", {"pinned": [1, "rate"], "hidden": "reads", "characters": "yes"})
    again.remember(settings)
    assert (again.pinned, again.hidden, again.characters) == (["rate"], [], False)


def test_commands_arrange_the_lane_of_the_keys_and_a_rate_is_told_in_characters(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "two-finish-reasons")
    timeline = page.timeline
    rate = next(index for index in timeline.lanes if index.lane.key == "rate")
    assert rate.lane.title == "Tokens/s"
    page.link.choice.count_characters(True)
    qtbot.waitUntil(lambda: next(i for i in timeline.lanes if i.lane.key == "rate").lane.title == "Chars/s")
    timeline.choose_lane(keys(timeline).index("events"))
    window.run("Pin the lane to the top, or let it go")
    assert keys(timeline)[0] == "events"
    timeline.choose_lane(keys(timeline).index("reads"))
    window.run("Hide the lane")
    assert "reads" not in keys(timeline)
    window.run("Show all lanes")
    assert "reads" in keys(timeline)


def test_the_findings_stay_at_the_bottom_and_a_selected_event_brings_its_lane(
    linked: tuple[Timeline, TimelineLink], qtbot: QtBot
) -> None:
    shown, _ = linked
    shown.resize(1200, TOP + 5 * LANE)
    shown.show()
    view, last = shown.view, len(shown.lanes) - 1
    assert shown.lanes[last].lane.key == "findings"
    assert (view.foot, view.floor) == (last, 4 * LANE)
    for down in (0, LANE, shown._scroll.maximum()):
        shown._scroll.setValue(down)
        assert view.row(last, shown.scrolled) == 4 * LANE
        assert hit.lane_at(view, TOP + 4 * LANE + 3, shown.scrolled, last + 1) == last
    for event, kind in ((0, "reasoning"), (17, "tool_call"), (9, "text")):
        shown.set_selection(event)
        number = next(n for n, key in enumerate(keys(shown)) if key.startswith(kind))
        top = view.row(number, shown.scrolled)
        assert view.ceiling <= top <= view.floor - view.height(number)
    before = shown.scrolled
    shown.set_selection(10)
    assert shown.scrolled == before


def test_a_call_with_broken_arguments_says_so_on_its_bar(qtbot: QtBot, look: Look) -> None:
    calls = [tool('{"a":1}', id="c", name="find"), tool('{"a":,}', id="d", name="find", index=1)]
    reads = [(100.0 + 40 * n, sse(call)) for n, call in enumerate(calls)] + [(900.0, sse(end("tool_calls"), DONE))]
    session = opened(qtbot, exchange_of(reads, end_time=901_000_000), lenses=False)
    made = Timeline(look)
    qtbot.addWidget(made)
    made.resize(1200, 400)
    link = TimelineLink(session, made)
    link.refresh()
    qtbot.waitUntil(lambda: link.settled)
    lanes = [(n, index) for n, index in enumerate(made.lanes) if index.lane.key.startswith("tool_call")]
    assert [index.bars[0].fault for _, index in lanes] == ["", "no JSON"]
    image, red = made.grab().toImage(), look.theme.meaning("error").line
    for number, index in lanes:
        row = TOP + made.view.row(number, 0)
        pixels = (image.pixelColor(made.view.x(index.starts[0]) + 1, y) for y in range(row, row + LANE))
        assert (red in pixels) is bool(index.bars[0].fault)
