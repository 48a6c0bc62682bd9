"""The findings pane: which rows there are, where they lead, what they say."""

from __future__ import annotations

from array import array
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.lenses.advice_words import BY_RULE
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.finding_paint import HEIGHT, follows_words
from inspector_app.ui.views.finding_rows import COLUMNS, Row, edges, rows_of, runs, stop, stops
from inspector_app.ui.views.findings import FindingsView
from inspector_app.ui.views.row_states import LEFT_BEHIND, LINKED, PLAIN, SELECTED
from tests.ui.findings_data import Show, finding, shown, told
from tests.ui.panes_data import WINGMATE, ZCODE, chunk, event, exchange, fragmented, fresh, lost_call, opened


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the findings of a session."""
    return partial(shown, qtbot, look)


def current(session: Session) -> Selection:
    assert session.selection.current is not None
    return session.selection.current


def states(view: FindingsView) -> list[str]:
    return [view._state_of(n) for n in range(len(view.model.rows))]


# rows


@pytest.mark.parametrize(
    "read, readers, title, message, drawn",
    [
        (
            fragmented(12), ZCODE, "ZCode 3.11 reads it fragmented",
            "12 reasoning blocks instead of 1, closed by `tool_calls: []` from event 1 on",
            ("scissors", "×12", "event 1"),
        ),
        (
            fragmented(12), ZCODE[::-1], "ZCode 3.11 reads it fragmented",
            "12 reasoning blocks instead of 1, closed by `tool_calls: []` from event 1 on",
            ("scissors", "×12", "event 1"),
        ),
        (
            lost_call(), WINGMATE, "Wingmate 2026-06 loses a tool call",
            (
                "line 6 is not read (no space after the colon), and an empty id and name would wipe them out too: "
                "tool call 0 lost its id and its name"
            ),
            ("brackets", "1", "event 3"),
        ),
    ],
)  # fmt: skip
def test_the_comparison_is_the_first_row(
    qtbot: QtBot, read: Exchange, readers: tuple[str, str], title: str, message: str, drawn: tuple[str, str, str]
) -> None:
    first = rows_of(opened(qtbot, read, *readers))[0]
    assert (first.title, first.message, first.rule) == (title, message, None)
    assert (first.icon, first.counted, first.where) == drawn


def test_the_comparison_says_what_comes_of_it_and_how_that_is_known(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    view = show(session)
    advice = " ".join(
        dict.fromkeys(BY_RULE[rule][1] for rule in ("space_required", "name_policy", "id_policy"))
    )  # each of the three alone would lose the call again
    words = f"Wingmate 2026-06 lacks the id and the name of tool call 0. For whoever sends it: {advice}"
    # What would help is tried beside the interface.
    qtbot.waitUntil(lambda: view.model.rows[0].advice == words)
    first = view.model.rows[0]
    lens = session.lenses["wingmate-2026-06"]
    assert first.known == f"{lens.title}: {lens.summary} Known by report: {lens.source}"
    closed = view.rows.visualRect(view.model.index(0, 0)).height()
    view.rows.picked.emit(0)
    assert view.rows.visualRect(view.model.index(0, 0)).height() > closed == HEIGHT


def test_a_long_cause_comes_before_what_it_causes(qtbot: QtBot) -> None:
    details = [{"type": "reasoning.text", "text": "so ", "index": 0}]
    stream = exchange([event(chunk({"reasoning_details": details})), event(chunk({}, "stop")), event(b"[DONE]")])
    session = opened(qtbot, stream, "reference", "openclaw")
    first = rows_of(session)[0]
    assert first.message == (
        "`reasoning_details` is not read (1 event, from event 0), so the turn is empty; it raises: "
        "incomplete turn detected: payloads=0 (event 2): reasoning is lost, then an error"
    )
    assert "OpenClaw openclaw" not in first.title


def test_what_follows_from_a_consequence_stands_under_the_first_cause(qtbot: QtBot) -> None:
    session = told(
        qtbot,
        [
            ("finish-missing", [3], "error", "end-truncated"),
            ("frame-cut", [3], "error"),
            ("end-truncated", [3], "error", "frame-cut"),
        ],
    )
    assert [(row.title, row.follows) for row in rows_of(session)] == [
        ("frame-cut", ""), ("end-truncated", "frame-cut"), ("finish-missing", "end-truncated"),
    ]  # fmt: skip


def test_equal_readings_have_no_row_of_comparison(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(4), "reference", "zcode-fixed")
    assert session.difference is not None
    assert all(row.rule is not None for row in rows_of(session))


def test_a_consequence_stands_below_its_cause(qtbot: QtBot) -> None:
    session = told(
        qtbot,
        [
            ("end-marker-missing", [3], "error", "end-truncated"),
            ("sse-comment", [1], "error", "not-raised"),
            ("end-truncated", [3], "error"),
            ("finish-missing", [3], "error", "end-truncated"),
        ],
    )
    rows = [(row.title, row.follows) for row in rows_of(session)]
    assert rows == [
        ("sse-comment", ""),
        ("end-truncated", ""),
        ("end-marker-missing", "end-truncated"),
        ("finish-missing", "end-truncated"),
    ]


def test_causes_in_a_circle_keep_their_rows(qtbot: QtBot) -> None:
    session = told(qtbot, [("one", [1], "error", "two"), ("two", [2], "error", "one")])
    assert {row.title for row in rows_of(session)} == {"one", "two"}


def test_rows_by_place(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("late", [5], "error"), ("early", [1], "info")])
    view = show(session)
    assert [row.title for row in view.model.rows] == ["late", "early"]
    view.head.ordered.emit("place")
    assert [row.title for row in view.model.rows] == ["early", "late"]


def test_a_rule_about_lines_names_the_line(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    rows = {row.title: row for row in rows_of(session)}
    assert rows["sse-no-space"].where == "line 6"
    assert rows["tool-id-empty"].where.startswith("event ")


def test_text_of_the_wire_is_made_visible(qtbot: QtBot) -> None:
    session = told(qtbot, [("rule", [1])])
    assert session.reference is not None
    session.reference.findings[0] = replace(session.reference.findings[0], message="a\u202eb <b>x</b>\n")
    assert rows_of(session)[0].message == "a‹U+202E›b <b>x</b>␊"


def test_what_a_row_says_to_a_screen_reader(qtbot: QtBot) -> None:
    session = told(qtbot, [("end-truncated", [7], "error"), ("finish-missing", [3, 4], "error", "end-truncated")])
    first, second = rows_of(session)
    assert first.spoken() == ("error: end-truncated, once, first at event 7. end-truncated fired. Mend end-truncated.")
    assert "2 times" in second.spoken()
    assert "follows from end-truncated" in second.spoken()


# where the places lie


def row(events: list[int]) -> Row:
    return Row("rule", "rule", "", "info", "info", len(events), array("I", events), (), "")


@pytest.mark.parametrize(
    "count, events, expected",
    [
        (1, [0], [(0, 1)]),
        (2, [0, 1], [(0, 1), (COLUMNS - 1, COLUMNS)]),
        (120, [0, 1, 2], [(0, 3)]),
        (1200, list(range(1200)), [(0, COLUMNS)]),
        (1200, [], []),
    ],
)
def test_runs_of_places_without_times(qtbot: QtBot, count: int, events: list[int], expected: list) -> None:
    body = [event(chunk({"content": "a"})) for _ in range(count)]
    session = opened(qtbot, exchange(body, timed=False), lenses=False)
    assert session.reference is not None
    assert runs(edges(session.reference), row(events).events) == expected


def test_places_lie_in_time_where_it_was_measured(qtbot: QtBot) -> None:
    read = exchange([event(chunk({"content": "a"})) for _ in range(4)])
    read.read_times = array("q", [500, 510, 520, 1000])
    session = opened(qtbot, read, lenses=False)
    assert session.reference is not None
    columns = edges(session.reference)
    assert runs(columns, [0, 1, 2]) == [(59, 62)]
    assert runs(columns, [3]) == [(COLUMNS - 1, COLUMNS)]


# walking


def test_choosing_a_row_selects_its_first_place(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), "reference", None)
    view = show(session)
    at = [row.title for row in view.model.rows].index("tool-calls-empty-array")
    with qtbot.waitSignal(session.selection.changed):
        QTest.mouseClick(view.rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, at * HEIGHT + 10))
    reference = session.reference
    assert reference is not None
    place = reference.place(1, "/choices/0/delta/tool_calls")
    expected = Selection(
        1, pointer="/choices/0/delta/tool_calls", start=place[0], end=place[1], finding="tool-calls-empty-array"
    )
    assert current(session) == expected
    assert states(view)[at] == SELECTED


def test_the_comparison_leads_to_the_field_that_cut(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    QTest.mouseClick(view.rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 10))
    assert (current(session).event, current(session).pointer) == (1, "/choices/0/delta/tool_calls")


def test_all_places_of_all_findings_one_after_the_other(qtbot: QtBot, show: Show) -> None:
    many = list(range(2, 32))
    session = told(qtbot, [("many", many, "error"), ("one", [40], "info")])
    view = show(session)
    seen = []
    for _ in range(32):
        view.next_place()
        seen.append((current(session).finding, current(session).event))
    assert seen == [*(("many", n) for n in many), ("one", 40), ("many", 2)]
    view.previous_place()
    assert (current(session).finding, current(session).event) == ("one", 40)
    view.previous_place()
    assert (current(session).finding, current(session).event) == ("many", 31)


def test_walking_back_begins_at_the_end(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("first", [2], "error"), ("last", [40, 41], "info")])
    view = show(session)
    view.previous_place()
    assert (current(session).finding, current(session).event) == ("last", 41)


def test_events_beyond_the_kept_places_are_places_too(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(40), lenses=False)
    found = next(row for row in rows_of(session) if row.title == "tool-calls-empty-array")
    assert (len(found.places), stops(found)) == (20, 42)
    assert session.reference is not None
    late = stop(session, found, 35)
    assert (late.event, late.start) == (36, session.reference.place(36, found.pointer)[0])


def test_nothing_to_walk_through(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [])
    view = show(session)
    view.next_place()
    assert session.selection.current is None


# the one selection


def test_rows_that_hold_the_selected_event_are_linked(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("one", [2, 9], "error"), ("two", [9], "info"), ("three", [10], "info")])
    view = show(session)
    session.selection.select(Selection(9), None)
    assert states(view) == [LINKED, LINKED, PLAIN]
    view.next_place()
    assert states(view) == [SELECTED, PLAIN, PLAIN]
    session.selection.select(Selection(10), None)
    assert states(view) == [LEFT_BEHIND, PLAIN, LINKED]


def test_a_finding_picked_elsewhere_is_the_current_row(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("one", [2], "error"), ("two", [9, 12], "info")])
    view = show(session)
    session.selection.select(Selection(12, finding="two"), None)
    assert states(view) == [PLAIN, SELECTED]
    view.next_place()
    assert (current(session).finding, current(session).event) == ("one", 2)


def test_a_row_stays_chosen_when_findings_are_added(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("one", [2], "error")])
    view = show(session)
    view.next_place()
    assert session.reference is not None
    session.reference.findings.insert(0, finding(session, "before", [1], "error"))
    session.compared.emit()
    assert [row.title for row in view.model.rows] == ["before", "one"]
    assert states(view) == [PLAIN, SELECTED]


def test_a_new_recording_is_filled_in_as_it_is_read(qtbot: QtBot, show: Show) -> None:
    session = fresh()
    view = show(session)
    assert view.model.rowCount() == 0
    with qtbot.waitSignal(session.compared):
        session.open_exchanges([fragmented(12)])
    assert view.model.rows[0].title == "ZCode 3.11 reads it fragmented"
    assert view.head.accessibleName().endswith("and 1 comparison")


# keys, words, picture


def test_keys_choose_rows(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("one", [2], "error"), ("two", [9], "info")])
    view = show(session)
    strokes = ("Return", "one"), ("Down", "two"), ("Up", "one"), ("End", "two"), ("Home", "one")
    for key, rule in ((Qt.Key[f"Key_{name}"], rule) for name, rule in strokes):
        QTest.keyClick(view.rows, key)
        assert current(session).finding == rule
    session.selection.select(Selection(30), None)
    QTest.keyClick(view.rows, Qt.Key.Key_Space)
    assert current(session).finding == "one"


def test_a_letter_moves_nothing(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("one", [2], "error"), ("two", [9], "info")])
    view = show(session)
    QTest.keyClick(view.rows, Qt.Key.Key_T)
    assert session.selection.current is None


def test_the_chosen_row_opens_to_show_the_advice(qtbot: QtBot, show: Show) -> None:
    session = told(qtbot, [("one", [2], "error"), ("two", [9], "info")])
    assert session.reference is not None
    session.reference.findings[1] = replace(session.reference.findings[1], advice="Leave `it` out of the stream. " * 4)
    view = show(session)
    view.next_place()
    assert view.rows.rowHeight(0) > HEIGHT
    assert view.rows.rowHeight(1) == HEIGHT
    view.next_place()
    assert view.rows.rowHeight(0) == HEIGHT
    assert view.rows.rowHeight(1) > HEIGHT
    tall = view.rows.rowHeight(1)
    view.resize(160, 360)
    QApplication.processEvents()
    assert view.rows.rowHeight(1) > tall


@pytest.mark.parametrize(("message", "taller"), [("Short.", False), ("word " * 60, True), ("x" * 300, True)])
def test_the_chosen_row_has_room_for_all_of_its_message(qtbot: QtBot, show: Show, message: str, taller: bool) -> None:
    session = told(qtbot, [("a-rule", [3], "warning", None), ("b-rule", [4], "warning", None)])
    assert session.reference is not None
    session.reference.findings[1].message = message
    view = show(session)
    view._make_current(0)
    usual = view.rows.rowHeight(0)
    view._make_current(1)
    assert (view.rows.rowHeight(1) > usual) is taller
    assert view.rows.rowHeight(0) == HEIGHT
    view.grab()


def test_who_breaks_is_told(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(4), lenses=False)
    found = next(row for row in rows_of(session) if row.title == "tool-calls-empty-array")
    assert found.breaks
    assert all(word in found.breaks for word in session.kit.rules["tool-calls-empty-array"].breaks)


def test_the_finding_is_copied_in_words(qtbot: QtBot, show: Show) -> None:
    view = show(told(qtbot, [("one", [2], "error")]))
    view.next_place()
    QTest.keyClick(view.rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == view.model.rows[0].spoken()


def test_nothing_to_report(qtbot: QtBot, show: Show) -> None:
    view = show(told(qtbot, []))
    assert view.rows.accessibleDescription() == "Nothing to report No rule fired on 65 events."
    grounds = set(_pixels(view.rows.viewport().grab().toImage()))
    assert len(grounds) > 1


def _pixels(image: QImage) -> list[int]:
    return [image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rows_are_drawn_in_the_colours_of_their_severity(qtbot: QtBot, look: Look, show: Show, theme: str) -> None:
    view = show(told(qtbot, [("bad", [2], "error"), ("odd", [9], "warning"), ("new", [12], "info")]))
    look.choose(theme)
    QApplication.processEvents()
    image = view.rows.viewport().grab().toImage()
    for number, severity in enumerate(("error", "warning", "info")):
        line = look.theme.meaning(severity).line.rgb()
        inside = {image.pixel(x, number * HEIGHT + y) for x in range(400, 600) for y in range(8, 16)}
        assert line in inside
    assert image.pixel(300, 4) == look.theme.color("bg.pane").rgb()


def test_where_a_finding_follows_from_leaves_room_for_the_name(look: Look) -> None:
    assert follows_words("frame-cut", 200) == "follows from frame-cut"
    assert follows_words("frame-cut", 90) == "from frame-cut"


def test_the_model_keeps_the_rules_of_models(qtbot: QtBot, qtmodeltester: ModelTester, show: Show) -> None:
    session = told(qtbot, [("one", [2], "error"), ("two", [9], "info")])
    view = show(session)
    qtmodeltester.check(view.model, force_py=True)
    assert session.reference is not None
    session.reference.findings.clear()
    view.refresh()
