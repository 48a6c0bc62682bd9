"""What the timeline is given of a recording: lanes, the gaps of a client, bursts, and only true tears."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.core.text import THIN_SPACE
from inspector_app.core.types import Block, Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.ui import block_lanes
from inspector_app.ui.commands import named
from inspector_app.ui.lanes import Clock, events_note, timeline_in_steps
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Axis, Lane, LaneIndex, Timeline
from inspector_app.ui.timeline.commands import TURN_AXIS
from inspector_app.ui.timeline.hit import Hit, event_of
from inspector_app.ui.timeline.overlay import tip_lines
from inspector_app.ui.timeline.page import label_of, label_words
from inspector_app.ui.timeline.ruler import flag_words, scale
from inspector_app.ui.timeline.view import LANE, TOP, events_in, fitted
from inspector_app.ui.timeline_link import TimelineLink
from tests.core.timed import MS, exchange_of
from tests.ui.panes_data import WINGMATE, ZCODE, chunk, event, exchange, fragmented, lost_call, opened


def test_comments_are_counted_beside_the_events(qtbot: QtBot) -> None:
    said = [event(chunk({"content": word})) for word in ("a", "b")]
    session = opened(qtbot, exchange([b": ping\n\n", *said, b": ping\n\n", event(b"[DONE]")]), "reference", None)
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    *_, found = timeline_in_steps(session, clock, True)
    assert found is not None
    lane = next(index.lane for index in found[1] if index.lane.key == "events")
    assert (lane.note, len(lane.ticks)) == ("3 + 2 comments", 5)
    assert events_note(Counter(session.reference.events.flags[:2])) == "1 + 1 comment"


def timeline(session: Session) -> tuple[Axis, dict[str, LaneIndex]]:
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    *rests, found = timeline_in_steps(session, clock, True)
    assert found is not None
    assert not any(rests)
    names = (f"{index.lane.title} {index.lane.note if index.lane.badge else ''}".strip() for index in found[1])
    return found[0], dict(zip(names, found[1], strict=True))


def of_gallery(qtbot: QtBot, name: str) -> Session:
    (read,) = read_input(str(resource("recordings", f"{name}.rec.jsonl")))
    return opened(qtbot, read)


def test_what_a_call_lacks_is_drawn_from_where_the_other_reading_got_it(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), "reference", WINGMATE[0])
    axis, lanes = timeline(session)
    bar = lanes["Tool 0 Wingmate 2026-06"].bars[0]
    assert (bar.missing, bar.start, bar.gap_event) == (("name", "id"), axis.position(3), 3)
    assert bar.fragments[0] == axis.position(4)
    assert lanes["Tool 0 Reference"].bars[0].start == bar.start
    assert event_of(lanes["Tool 0 Wingmate 2026-06"], Hit(0, "bar", 0, -1)) == 3


def test_a_reader_that_shows_nothing_has_a_gap_and_no_blank(qtbot: QtBot) -> None:
    session = of_gallery(qtbot, "reasoning-details")
    _, lanes = timeline(session)
    lost, whole = lanes["Reasoning OpenClaw"], lanes["Reasoning Reference"]
    (gap,) = lost.bars
    assert (gap.missing, gap.start, gap.end) == (("reasoning",), whole.bars[0].start, whole.bars[0].end)
    assert (lost.lane.badge, lost.lane.badge_meaning) == ("0", "error")
    assert (whole.lane.badge, whole.lane.badge_meaning) == ("1", "info")


@pytest.mark.parametrize("readers", [("reference", "zcode-3.11"), ZCODE])
def test_the_badge_of_the_client_is_the_red_one(qtbot: QtBot, readers: tuple[str, str]) -> None:
    _, lanes = timeline(opened(qtbot, fragmented(), *readers))
    badges = {title: index.lane.badge_meaning for title, index in lanes.items() if title.startswith("Reasoning")}
    assert badges == {"Reasoning Reference": "info", "Reasoning ZCode 3.11": "error"}
    assert [mark.icon for mark in lanes["Findings"].marks if mark.rule == "comparison"] == ["scissors"]


def test_events_that_a_chosen_reader_skips_are_hatched_on_either_side(qtbot: QtBot) -> None:
    for readers in (WINGMATE, WINGMATE[::-1]):
        _, lanes = timeline(opened(qtbot, lost_call(), *readers))
        assert list(lanes["Events"].lane.unread) == [3]


TORN = [
    ("cut-in-the-middle", True, "truncated"),
    ("error-after-200", False, "[DONE]"),
    ("web-page-instead", False, ""),
    ("empty-tool-calls", False, "[DONE]"),
]


@pytest.mark.parametrize(("name", "torn", "words"), TORN)
def test_only_a_stream_that_was_cut_is_torn(qtbot: QtBot, name: str, torn: bool, words: str) -> None:
    axis, _ = timeline(of_gallery(qtbot, name))
    assert (axis.truncated, axis.end_words) == (torn, words)


def choices(*told: tuple[int, str]) -> list[bytes]:
    said = ({"object": "text_completion", "choices": [{"index": index, "text": text}]} for index, text in told)
    return [*(event(json.dumps(payload).encode()) for payload in said), event(b"[DONE]")]


CROSSED = ((0, "The "), (1, "Low "), (0, "tide"), (1, "water"))
MANY = {f"Text choice {n}": ["x"] for n in range(11)}


@pytest.mark.parametrize(
    ("told", "lanes"),
    [
        (CROSSED, {"Text choice 0": ["The tide"], "Text choice 1": ["Low water"]}),
        (CROSSED[1::2], {"Text": ["Low water"]}),
        (tuple((n, "x") for n in range(14)), {**MANY, "Text choice 11 and on": ["x"] * 3}),
    ],
)
def test_each_choice_has_a_lane(qtbot: QtBot, told: tuple[tuple[int, str], ...], lanes: dict[str, list[str]]) -> None:
    session = opened(qtbot, exchange(choices(*told)), "reference", None, lenses=False)
    assert session.reference is not None
    blocks = session.reference.blocks
    _, found = timeline(session)
    texts = {title: [blocks[bar.block // 2].text for bar in index.bars] for title, index in found.items()}
    assert {title: said for title, said in texts.items() if title.startswith("Text")} == lanes
    assert {index.lane.meaning for title, index in found.items() if title in lanes} == {"text"}


CUT_CALLS = [('{"city":"Ber', "truncated"), ('{"city":"Bergen"}', "closed"), ('{"city":}', "closed")]


@pytest.mark.parametrize(("code", "midway"), [("12", False), ('{"query":"low ti', True), ('{"query":"low"}', False)])
def test_code_that_the_server_runs_does_not_end_midway(code: str, midway: bool) -> None:
    fields = {"tool_kind": "server", "name": "run", "executable": False, "arguments_json": None}
    block = Block(0, "tool_call", 0, 0, 0, "complete", "explicit", 0, [code], fields=fields)
    assert block_lanes._ends_midway(block) is midway


@pytest.mark.parametrize(("arguments", "state"), CUT_CALLS)
def test_a_call_whose_arguments_end_midway_is_cut_in_its_lane(qtbot: QtBot, arguments: str, state: str) -> None:
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": arguments}}
    read = exchange([event(chunk({"tool_calls": [call]})), event(chunk({}, "length")), event(b"[DONE]")])
    _, lanes = timeline(opened(qtbot, read, lenses=False))
    (bar,) = lanes["Tool 0 find"].bars
    assert bar.state == state


def test_one_json_error_is_not_torn(qtbot: QtBot, tmp_path: Path) -> None:
    body = b'{"error":{"message":"no","type":"invalid_request_error","code":"expired"}}'
    axis, _ = timeline(opened(qtbot, Exchange("error.json", "json-body", MemoryBody(body))))
    assert not axis.truncated


@pytest.mark.parametrize(
    ("body", "empty"), [(b"", True), (b"<html><p>Bad Gateway</p></html>", True), (b"data: {}\n\n", False)]
)
def test_an_axis_without_events_is_empty(qtbot: QtBot, body: bytes, empty: bool) -> None:
    axis, _ = timeline(opened(qtbot, Exchange("body", "sse-body", MemoryBody(body))))
    assert axis.empty is empty


def test_what_came_at_once_has_its_chip(qtbot: QtBot) -> None:
    axis, lanes = timeline(of_gallery(qtbot, "held-back-burst"))
    (burst,) = (span for span in lanes["Reads"].lane.spans if span.kind == "burst")
    assert burst.words == "61 in 2 reads"
    assert (burst.start, burst.end) == (axis.position(1), axis.position(61))


@pytest.mark.parametrize(
    ("end", "drawn"),
    [
        (6_720, [("wait", 1020, 6720, "no byte for 5.70 s")]),
        (31_020, [("silence", 1020, 31_020, "30.00 s")]),
        (2_010, []),
        (None, []),
    ],
)
def test_the_silence_before_the_end_is_drawn_as_far_as_it_was_measured(
    qtbot: QtBot, end: int | None, drawn: list[tuple[str, int, int, str]]
) -> None:
    stopped = {"how": "cancelled", "closed_by": "client"}
    at = None if end is None else end * MS
    reads = [(1000 + 10 * n, event(chunk({"content": f"word {n} "}))) for n in range(3)]
    _, lanes = timeline(opened(qtbot, exchange_of(reads, end=stopped, end_time=at)))
    waiting, *found = lanes["Reads"].lane.spans
    assert waiting.start == 0
    assert [(one.kind, one.start // MS, one.end // MS, one.words.replace(THIN_SPACE, " ")) for one in found] == drawn
    waits = [(one.start // MS, one.end // MS) for one in lanes["Waits"].lane.spans]
    assert waits == [(0, 1000), *([] if end is None else [(1020, end)])]


def test_a_stream_that_flows_has_none(qtbot: QtBot) -> None:
    _, lanes = timeline(opened(qtbot, fragmented()))
    assert [span.kind for span in lanes["Reads"].lane.spans] == ["wait"]


def test_the_count_of_findings_and_its_marks_agree(qtbot: QtBot) -> None:
    session = of_gallery(qtbot, "mixed-spacing")
    _, lanes = timeline(session)
    findings = lanes["Findings"].lane
    assert findings.note == "4, and 1 comparison"
    assert [mark.rule for mark in findings.marks].count("comparison") == 1
    assert len(findings.marks) == 5
    session.choose(secondary=None)
    _, lanes = timeline(session)
    assert (lanes["Findings"].lane.note, len(lanes["Findings"].marks)) == ("4", 4)


LABELLED = [
    (Lane("t", "Tool 0", "Wingmate 2026-06", "1", icon="tool"), False),
    (Lane("t", "Tool 11", "Wingmate 2026-06", "1", icon="tool"), False),
    (Lane("f", "Findings", "5, and 1 comparison", icon="filter"), False),
    (Lane("w", "Waits", "from 100\u2009ms, 12 bursts", icon="clock"), False),
    (Lane("r", "Reasoning", "A client of a very long name", "1 049", icon="reasoning"), True),
]


@pytest.mark.parametrize(("lane", "cut"), LABELLED)
def test_a_label_names_its_reader_in_full_or_in_its_tip(qapp: QApplication, lane: Lane, cut: bool) -> None:
    label = label_of(lane)
    assert label.cut is cut
    assert label.icon or not cut
    assert label.icon or lane.key != "w", "in line with the others"
    assert (label.title == lane.title, label.note == lane.note) == (True, not cut)
    assert label_words(lane) == (f"{lane.title} {lane.note} {lane.badge}" if cut else "")


def test_the_tip_of_a_label_has_what_is_cut(qtbot: QtBot, look: Look) -> None:
    made = Timeline(look)
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.set_data(Axis(False, (0, 4)), [lane for lane, _ in LABELLED])
    with qtbot.waitExposed(made):
        made.show()
    qtbot.mouseMove(made, QPoint(60, TOP + 4 * LANE + 8))
    qtbot.waitUntil(lambda: "A client of a very long name" in made.toolTip())
    qtbot.mouseMove(made, QPoint(60, TOP + 8))
    qtbot.waitUntil(lambda: made.toolTip() == "")


# picking


def linked(qtbot: QtBot, look: Look, session: Session) -> tuple[Timeline, TimelineLink]:
    made = Timeline(look)
    qtbot.addWidget(made)
    link = TimelineLink(session, made)
    link._grown()
    with qtbot.waitSignal(link.shown):
        link.refresh()
    return made, link


def test_a_delta_of_a_bar_selects_its_value_in_that_reading(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, fragmented(), "reference", "zcode-3.11")
    made, _ = linked(qtbot, look, session)
    made.block_picked.emit(2 * 2 + 1, 3)
    current = session.selection.current
    assert current is not None
    assert (current.event, current.block, current.reader) == (3, 2, "zcode-3.11")
    assert current.pointer == "/choices/0/delta/reasoning_content"
    assert session.reference is not None
    assert session.reference.body.slice(current.start or 0, current.end or 0) == b'"reasoning_content":"after "'


def test_the_gap_of_a_call_selects_the_line_that_was_not_read(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, lost_call(), "reference", WINGMATE[0])
    made, _ = linked(qtbot, look, session)
    n = next(block.n for block in session.readings[WINGMATE[0]].blocks if block.kind == "tool_call")
    made.block_picked.emit(n * 2 + 1, 3)
    assert session.selection.current == Selection(3, block=n, reader=WINGMATE[0])


def test_a_gap_of_a_whole_block_selects_the_block_that_the_other_reading_has(qtbot: QtBot, look: Look) -> None:
    session = of_gallery(qtbot, "reasoning-details")
    made, _ = linked(qtbot, look, session)
    _, lanes = timeline(session)
    made.block_picked.emit(lanes["Reasoning OpenClaw"].bars[0].block, 2)
    current = session.selection.current
    assert current is not None
    assert (current.event, current.block, current.reader) == (2, 0, "reference")


def test_an_event_that_is_not_there_has_no_play_head(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, Exchange("page", "text-body", MemoryBody(b"<html>\n</html>\n")))
    made, _ = linked(qtbot, look, session)
    session.selection.select(Selection(0, line=0, start=0, end=6), None)
    assert made._event is None
    made.event_picked.emit(0)
    assert session.selection.current == Selection(0, line=0, start=0, end=6)


def test_many_blocks_are_put_together_in_steps(qtbot: QtBot) -> None:
    read = exchange([event(chunk({"reasoning_content": "x", "tool_calls": []})) for _ in range(900)], timed=False)
    session = opened(qtbot, read, "reference", "zcode-3.11")
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    *rests, found = timeline_in_steps(session, clock, True)
    assert len(rests) > 8
    assert found is not None
    assert len(found[1][2].bars) == 900


def test_the_ruler_counts_only_events_that_are_there(qtbot: QtBot) -> None:
    axis, _ = timeline(opened(qtbot, exchange([event(chunk({"content": "x"}))] * 3, timed=False)))
    assert [words for _, words in scale(axis, fitted(axis, 1372))] == ["0", "1", "2"]


# the axis in order


def shown_words(made: Timeline) -> str:
    """What the timeline says in words that tell of time or order."""
    return " ".join(words for _, words in scale(made.axis, made.view)) + made.accessibleDescription()


def test_the_axis_turns_to_the_order_of_events_and_back(qtbot: QtBot, look: Look) -> None:
    made, link = linked(qtbot, look, of_gallery(qtbot, "empty-tool-calls"))
    made.resize(1400, 260)
    turn = named(made.commands(), TURN_AXIS)
    assert turn is not None
    assert turn.keys == ("T",)
    times = link.clock
    with qtbot.waitSignal(link.shown):
        turn.run()
    assert link.in_order
    assert link.clock is times  # what else shows times goes on to show them
    assert not made.axis.measured
    assert [index.lane.key for index in made.lanes][:2] == ["events", "reasoning-0-0"]
    small = made.lanes[2]
    assert (len(small.bars), len(set(small.starts))) == (149, 149)
    made.set_selection(58)
    assert "order only" in shown_words(made)
    assert THIN_SPACE not in shown_words(made)
    assert tip_lines(made.axis, small, Hit(2, "bar", 57, 0), None)[3] == "Reasoning  closed too early"
    with qtbot.waitSignal(link.shown):
        turn.run()
    assert made.axis.measured
    assert f"2.048{THIN_SPACE}s" in flag_words(made.axis, 58)


def test_an_event_without_a_time_is_given_none(qtbot: QtBot) -> None:
    said = [event(chunk({"content": word})) for word in ("a", "b", "c")]
    session = opened(qtbot, exchange_of([(10, said[0]), (None, said[1]), (30, said[2])]), "reference", None)
    axis, lanes = timeline(session)
    assert [flag_words(axis, n) for n in range(3)] == [f"0 · 10{THIN_SPACE}ms", "1 · no time", f"2 · 30{THIN_SPACE}ms"]
    whens = [tip_lines(axis, lanes["Events"], Hit(0, "tick", n), None)[3] for n in range(3)]
    assert [words.split("  ")[0] for words in whens] == [f"10{THIN_SPACE}ms", "no time", f"30{THIN_SPACE}ms"]


def test_what_was_in_sight_stays_when_the_axis_turns(qtbot: QtBot, look: Look) -> None:
    made, link = linked(qtbot, look, of_gallery(qtbot, "empty-tool-calls"))
    made.resize(1400, 260)
    made._look_at(made.view.zoomed(made.view.x(made.axis.position(58)), 8, made._whole, 1))
    before = events_in(made.axis, made.view)
    made.show_found([])
    link.show_found([58])
    for measured in (False, True):
        with qtbot.waitSignal(link.shown):
            link.show_in_order(not measured)
        first, last = events_in(made.axis, made.view) or (0, 0)
        assert before is not None
        assert (abs(first - before[0]) <= 4, abs(last - before[1]) <= 4) == (True, True)
        assert list(made._found) == [made.axis.position(58)]


def test_a_recording_without_times_is_in_order_already(qtbot: QtBot, look: Look) -> None:
    read = exchange([event(chunk({"content": "x"}))] * 3, timed=False)
    made, link = linked(qtbot, look, opened(qtbot, read))
    turn = named(made.commands(), TURN_AXIS)
    assert turn is not None
    assert not turn.enabled()
    turn.run()
    assert not link.in_order
