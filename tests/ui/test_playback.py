"""Playback shows at any moment what a fresh reading of the bytes up to then says, however the head got there."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import inf

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from inspector_app.core.diagnosis import Rule
from inspector_app.core.resources import resource
from inspector_app.core.types import Finding
from inspector_app.lenses import LITERAL, REFERENCE
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.playback.course import Course
from inspector_app.ui.playback.known import _so_far
from inspector_app.ui.playback.part import Part
from inspector_app.ui.playback.player import RHYTHMS, SPEEDS
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from tests.ui.panes_data import ZCODE, fragmented, kit, lost_call, opened, shipped_lenses
from tests.ui.playback_data import MS, SECOND, by_hand, facts, prefix_of, run_for, settle, shown, wanted
from tests.ui.window_data import open_in, window

__all__ = ["window"]

GALLERY = sorted(path.name.removesuffix(".rec.jsonl") for path in resource("recordings").glob("*.rec.jsonl"))


@pytest.fixture
def page(qtbot: QtBot, look: Look) -> Iterator[RecordingPage]:
    """A page of 13 events, 20 ms apart, compared with the reader that cuts its reasoning."""
    yield from made(qtbot, look, opened(qtbot, fragmented(), *ZCODE))


@pytest.fixture
def untimed(qtbot: QtBot, look: Look) -> Iterator[RecordingPage]:
    """The same without times."""
    yield from made(qtbot, look, opened(qtbot, fragmented(timed=False), *ZCODE))


def made(qtbot: QtBot, look: Look, session: Session) -> Iterator[RecordingPage]:
    page = RecordingPage(session, look)
    qtbot.addWidget(page)
    page.resize(1280, 800)
    page.show()
    session.grown.emit()
    session.read.emit()
    session.compared.emit()
    qtbot.waitUntil(lambda: page.link.settled and session.idle)
    yield page


def whole_of(page: RecordingPage) -> Course:
    course = page.playback.player.course
    assert course is not None
    return course


# the readings at the head


@pytest.mark.parametrize("name", GALLERY)
def test_a_part_at_every_read_is_a_fresh_reading_of_these_bytes(qtbot: QtBot, window, name: str) -> None:
    session = open_in(qtbot, window, name).session
    assert session.reference is not None
    names = [name for name in (session.primary, session.secondary, LITERAL) if name is not None]
    course = Course(session.reference, True)
    part = Part(course, names, kit(), shipped_lenses(), session.how)
    assert len(course.ends) == len(session.exchange.read_ends)
    for end in course.ends:
        for _ in part.advance(end):
            pass
        part.settle(course.moment_of(end), 0)
        events = len(part.reference.events)
        for reader in dict.fromkeys((REFERENCE, *names)):
            fresh = prefix_of(session.reference, reader, end, session.how)
            assert facts(part.readings[reader]) == facts(fresh), (reader, end)
        assert part.rows.events == events
        assert all(finding.events[-1] < events for finding in part.reference.findings)
    assert events == len(session.reference.events) or course.ends[-1] < course.size or part.rows.tail is not None


def test_a_part_holds_the_reads_that_had_come_and_the_one_that_had_come_in_part(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented())
    assert session.reference is not None
    course = Course(session.reference, True)
    part = Part(course, [], kit(), {}, session.how)
    ends = course.ends
    for offset, reads in ((ends[1] - 7, [ends[0], ends[1] - 7]), (ends[1], [ends[0], ends[1]]),
                          (ends[2] + 1, [ends[0], ends[1], ends[2], ends[2] + 1])):  # fmt: skip
        for _ in part.advance(offset):
            pass
        assert list(part.exchange.read_ends or ()) == reads
        assert list(part.exchange.read_times or ()) == [20 * MS * (n + 1) for n in range(len(reads))]
        assert len(part.exchange.body) == offset
        assert part.exchange.body.slice(0, 1 << 30) == session.reference.body.slice(0, offset)


@given(targets=st.lists(st.integers(0, 1000), min_size=1, max_size=6))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_wherever_the_head_was_before_it_shows_what_had_come(page: RecordingPage, qtbot: QtBot, targets: list[int]
                                                             ) -> None:  # fmt: skip
    player = page.playback.player
    if not player.active:
        by_hand(qtbot, page)
        player.enter()
        settle(player)
    course = whole_of(page)
    for target in targets:
        offset = course.size * target // 1000
        player._seek(course.moment_of(offset), offset)
        if target % 3:
            settle(player)
    settle(player)
    assert shown(page.session) == wanted(course.reading, page.session, offset)
    assert page.session.rows.events == len(page.session.reference.events)


def test_findings_are_known_from_the_event_that_shows_them_and_those_of_the_end_at_the_end(
    qtbot: QtBot, page: RecordingPage
) -> None:
    session, (player, _) = page.session, by_hand(qtbot, page)
    whole = session.reference
    player.enter()
    counts = []
    for event in range(len(whole.events)):
        player.seek_event(event)
        settle(player)
        counts.append({finding.rule: (finding.count, finding.message) for finding in session.reference.findings})
    assert counts[0] == {}
    assert counts[1]["tool-calls-empty-array"][0] == 1
    assert counts[4]["tool-calls-empty-array"] == (4, "`tool_calls` is an empty list in 4 deltas.")
    known = {finding.rule: (finding.count, finding.message) for finding in whole.findings}
    assert counts[-1] == known
    assert {row.rule for row in page.findings.model.rows} == set(known)


def test_what_only_the_end_shows_is_not_known_before(qtbot: QtBot, window) -> None:
    page = open_in(qtbot, window, "cut-in-the-middle")
    session, (player, _) = page.session, by_hand(qtbot, page)
    rules, whole = session.kit.rules, session.reference
    late = {finding.rule for finding in whole.findings if rules[finding.rule].scope == "stream"}
    assert "end-truncated" in late
    player.enter()
    player.seek_event(len(whole.events) - 2)
    settle(player)
    known = {finding.rule for finding in session.reference.findings}
    assert not known & late
    assert known == {row.rule for row in page.findings.model.rows}
    player.leave()
    assert late < {row.rule for row in page.findings.model.rows}


def test_a_finding_that_names_its_call_goes_on_to_name_it() -> None:
    rule = Rule("r", "error", "block", "{call} is wrong", "mend it")
    whole = Finding("r", "error", "call 3 (look) is wrong", "mend it", 2, [], array("I", [1, 4]), block=5)
    before = _so_far(whole, 1, rule, blocks=6)
    assert (before.message, before.count, list(before.events)) == ("call 3 (look) is wrong", 1, [1])


def test_a_silence_is_told_once_it_is_over(qtbot: QtBot, window) -> None:
    page = open_in(qtbot, window, "half-a-minute-of-silence")
    session, (player, _) = page.session, by_hand(qtbot, page)
    (stall,) = [finding for finding in session.reference.findings if finding.rule == "time-stall"]
    player.enter()
    told = []
    for event in (stall.events[0] - 1, stall.events[0]):
        player.seek_event(event)
        settle(player)
        told.append("time-stall" in {row.rule for row in page.findings.model.rows})
    assert told == [False, True]


# the clock


def test_it_plays_at_the_pace_of_its_own_times(qtbot: QtBot, page: RecordingPage) -> None:
    player, clock = by_hand(qtbot, page)
    player.turn()
    assert (player.playing, player.event, player.moment) == (True, -1, 0)
    for pace, passed, moment in ((1.0, 45, 45), (0.5, 40, 65), (2.0, 40, 145), (0.25, 40, 155)):
        player.set_pace(pace)
        run_for(player, clock, passed * MS)
        assert player.moment == moment * MS
        assert player.event == moment // 20 - 1
        assert page.session.rows.events == player.event + 1
    player.turn()
    run_for(player, clock, SECOND)
    assert (player.moment, player.playing) == (155 * MS, False)
    player.turn()
    run_for(player, clock, 20 * MS)
    assert player.moment == 160 * MS


def test_at_the_end_the_whole_recording_is_shown_again(qtbot: QtBot, page: RecordingPage) -> None:
    player, clock = by_hand(qtbot, page)
    session, whole = page.session, page.session.reference
    before = (session.rows, session.left, session.right, session.difference)
    player.play(True)
    run_for(player, clock, 100 * MS)
    assert session.held
    assert session.reference is not whole
    assert not session.complete
    run_for(player, clock, 10 * SECOND)
    assert not player.active
    assert not player.playing
    assert not session.held
    assert session.complete
    assert (session.rows, session.left, session.right, session.difference) == before
    assert session.reference is whole
    assert page.timeline.lanes is page.timeline._lanes


def test_without_times_it_plays_at_a_rhythm_and_says_no_time(qtbot: QtBot, untimed: RecordingPage) -> None:
    player, clock = by_hand(qtbot, untimed)
    assert player.paces == RHYTHMS
    assert player.pace == 20.0
    player.play(True)
    run_for(player, clock, 200 * MS, 50 * MS)
    assert player.event == 3
    words = untimed.playback.bar.clock._words
    assert "rhythm invented" in words
    assert " s" not in words.replace("event", "")
    player.set_pace(5.0)
    run_for(player, clock, 400 * MS, 50 * MS)
    assert player.event == 5
    assert untimed.timeline._head is not None
    assert (untimed.timeline._head.position, untimed.timeline._head.words) == (5.5, "5")
    assert not untimed.timeline.axis.measured


@pytest.mark.parametrize("pace", [SPEEDS[0], inf])
def test_no_step_reads_for_longer_than_it_may(qtbot: QtBot, page: RecordingPage, monkeypatch, pace: float) -> None:
    player, clock = by_hand(qtbot, page)
    monkeypatch.setattr("inspector_app.ui.playback.part.PIECE", 64)
    player.enter()
    settle(player)
    player.set_pace(pace)
    player.play(True)
    # Each look at the clock takes 3 ms: a step looks at it between two pieces, and stops after the third.
    clock.look = 3 * MS
    sizes = []
    while player.active and len(sizes) < 20:
        before = player._part.offset
        player.tick()
        sizes.append(player._part.offset - before if player._part is not None else 0)
    assert max(sizes) <= 4 * 64
    if pace == inf:
        assert sum(sizes) > 20 * 64 or not player.active


def test_as_fast_as_possible_the_head_is_where_it_has_been_read_to(qtbot: QtBot, page: RecordingPage, monkeypatch
                                                                   ) -> None:  # fmt: skip
    player, clock = by_hand(qtbot, page)
    monkeypatch.setattr("inspector_app.ui.playback.part.PIECE", 512)
    player.enter()
    settle(player)
    player.set_pace(inf)
    player.play(True)
    clock.look = 9 * MS
    seen = []
    while player.active and len(seen) < 1000:
        clock.now += 40 * MS
        player.tick()
        if player._part is not None:
            assert player.offset == player._part.offset
            seen.append(player.offset)
            assert shown(page.session) == wanted(whole_of(page).reading, page.session, player.offset)
    assert not player.active
    assert seen == sorted(seen)
    assert len(set(seen)) > 3


def test_a_pause_stops_where_it_has_been_read_to(qtbot: QtBot, page: RecordingPage, monkeypatch) -> None:
    player, clock = by_hand(qtbot, page)
    monkeypatch.setattr("inspector_app.ui.playback.part.PIECE", 512)
    player.set_pace(inf)
    player.play(True)
    clock.look = 9 * MS
    for _ in range(4):
        clock.now += 40 * MS
        player.tick()
    player.play(False)
    settle(player)
    assert 0 < player.offset < whole_of(page).size
    assert shown(page.session) == wanted(whole_of(page).reading, page.session, player.offset)


# going


def test_steps_go_by_event_and_by_read_and_stop_at_both_ends(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    player.enter()
    settle(player)
    player.step("event", -1)
    assert player.event == -1
    for by in ("event", "read"):
        for event in (0, 1, 2):
            player.step(by, 1)
            settle(player)
            assert (player.event, page.session.rows.events, player.moment) == (event, event + 1, 20 * MS * (event + 1))
            assert page.session.selection.current.event == event
        for event in (1, 0, -1):
            player.step(by, -1)
            settle(player)
            assert (player.event, page.session.rows.events) == (event, event + 1)
        assert page.session.selection.current is None
    player.seek(10 * SECOND)
    settle(player)
    assert player.active
    assert player.event == len(whole_of(page).reading.events) - 1
    player.step("event", 1)
    assert not player.active


def test_a_step_from_within_an_event_goes_to_its_ends(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    player.enter()
    course = whole_of(page)
    for step, event in ((1, 3), (-1, 2)):
        inside = course.end_of(4) - 5
        player._seek(course.moment_of(inside), inside)
        settle(player)
        assert player.event == 2
        assert page.session.rows.tail.end - page.session.rows.tail.start > 0
        assert page.session.rows.tail.waits
        player.step("event", step)
        assert (player.event, player.offset) == (event, course.end_of(event + 1))


def test_what_is_asked_for_last_is_shown_and_nothing_between(qtbot: QtBot, page: RecordingPage, monkeypatch) -> None:
    player, clock = by_hand(qtbot, page)
    monkeypatch.setattr("inspector_app.ui.playback.part.PIECE", 64)
    player.enter(200 * MS)
    settle(player)
    clock.look = 9 * MS
    events = []
    player.shown.connect(lambda *_: events.append(page.session.rows.events))
    for moment in (120, 60, 180, 100):
        player.seek(moment * MS)
        player.tick()
    settle(player)
    assert events == [5]
    assert page.session.reference is page.session.readings[REFERENCE]


def test_going_forward_keeps_the_rows_and_going_back_makes_new_ones(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    player.enter(100 * MS)
    settle(player)
    rows = page.session.rows
    player.seek(200 * MS)
    settle(player)
    assert page.session.rows is rows
    player.seek(40 * MS)
    settle(player)
    assert page.session.rows is not rows
    assert page.panes.raw.model().rowCount() == len(page.session.rows) + page.session.rows.tail.rows


# other readers


def test_readers_that_are_chosen_read_up_to_the_head(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    session, whole = page.session, page.session.reference
    player.enter(100 * MS)
    settle(player)
    for primary, secondary in ((ZCODE[0], REFERENCE), (REFERENCE, None), (REFERENCE, LITERAL)):
        page.choose_readers(primary, secondary)
        assert not session.held
        assert session.reference is whole
        qtbot.waitUntil(lambda: session.idle and page.link.settled)
        settle(player)
        assert session.held
        assert (session.left.reader, session.right and session.right.reader) == (primary, secondary)
        assert shown(session) == wanted(whole, session, whole_of(page).offset_at(100 * MS))
        assert session.difference is None


def test_another_response_ends_playback(qtbot: QtBot, page: RecordingPage) -> None:
    player, _ = by_hand(qtbot, page)
    session = page.session
    session.exchanges = [session.exchange, lost_call()]
    player.enter(100 * MS)
    settle(player)
    page.choose_response(1)
    player.tick()
    assert not player.active
    assert not session.held
    qtbot.waitUntil(lambda: session.complete and session.idle)
    assert session.exchange is session.exchanges[1]


@pytest.mark.parametrize("name", ["web-page-instead", "framed-twice"])
def test_it_can_be_played_only_where_there_is_something_to_play(qtbot: QtBot, window, name: str) -> None:
    page = open_in(qtbot, window, name)
    player, clock = by_hand(qtbot, page)
    assert player.can_play
    player.play(True)
    run_for(player, clock, 30 * SECOND, 200 * MS)
    assert not player.active
    page.session.reference.exchange.body = type(page.session.reference.exchange.body)(b"")
    assert not player.can_play
    assert not player.enter()
