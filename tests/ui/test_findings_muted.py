"""Filter and mutes of the findings pane."""

from __future__ import annotations

import json
from array import array
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Finding, Place
from inspector_app.ui.commands import named
from inspector_app.ui.lanes import Clock, timeline_in_steps
from inspector_app.ui.mutes import Mutes
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.session import Session
from inspector_app.ui.settings import Settings
from inspector_app.ui.summary import Summary
from inspector_app.ui.theme import Look
from inspector_app.ui.views.finding_rows import rows_of
from inspector_app.ui.views.findings import FindingsView
from inspector_app.ui.views.row_states import SELECTED
from tests.ui.findings_data import Show, shown
from tests.ui.panes_data import fragmented, kit, opened

STREAMS = Path(__file__).parents[1] / "findings" / "streams"
RULES = (
    ("end-truncated", "error"), ("tool-id-missing", "error"), ("think-tag-inline", "warning"), ("sse-crlf", "info"),
)  # fmt: skip


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the findings of a session."""
    return partial(shown, qtbot, look)


@pytest.fixture
def four(qtbot: QtBot) -> Session:
    """A session without comparison that has the findings of RULES, at events 1 to 4."""
    session = opened(qtbot, fragmented(12), lenses=False)
    reading = session.reference
    assert reading is not None
    reading.findings[:] = [
        Finding(
            rule, severity, f"Message of {rule}.", f"Advice for {rule}.", 1, [Place(n, *reading.bytes_of(n))],
            array("I", [n]), heuristic=rule.startswith("think"),
        )
        for n, (rule, severity) in enumerate(RULES, 1)
    ]  # fmt: skip
    return session


def titles(view: FindingsView) -> list[str]:
    return [row.title for row in view.model.rows]


def said(view: FindingsView) -> str:
    words = view.head.accessibleName().removeprefix("Findings: ")
    return words.removesuffix(f", {view.head.muted} muted everywhere")


# filter


@pytest.mark.parametrize(
    "typed, left",
    [
        ("tool", ["tool-id-missing"]),
        ("TOOL id", ["tool-id-missing"]),
        ("advice crlf", ["sse-crlf"]),
        ("message of", [rule for rule, _ in RULES]),
        ("warning", ["think-tag-inline"]),
        ("inferred", ["think-tag-inline"]),
        ("repaired", ["tool-id-missing"]),
        ("tool crlf", []),
    ],
)
def test_words_leave_the_rows_that_have_them_all(four: Session, show: Show, typed: str, left: list[str]) -> None:
    view = show(four)
    view.head.filter.ask()
    QTest.keyClicks(view.head.filter, typed)
    assert titles(view) == left
    assert said(view) == f"{len(left)} of 4"


def test_escape_shows_all_again_and_then_leaves(four: Session, show: Show) -> None:
    view = show(four)
    view.head.filter.ask()
    QTest.keyClicks(view.head.filter, "tool")
    QTest.keyClick(view.head.filter, Qt.Key.Key_Escape)
    assert (len(titles(view)), said(view), view.head.filter.hasFocus()) == (4, "4", True)
    QTest.keyClick(view.head.filter, Qt.Key.Key_Escape)
    assert view.rows.hasFocus()


def test_an_empty_answer_names_the_words_and_clears_them(four: Session, show: Show) -> None:
    view = show(four)
    view.head.filter.setText("nothing\u202e like it")
    assert view.rows.empty[1] == "No finding matches “nothing‹U+202E› like it”"
    assert view.rows.empty[2] == "The filter hides 4 rows."
    QTest.mouseClick(view.rows.all_again, Qt.MouseButton.LeftButton)
    assert len(titles(view)) == 4
    assert not view.rows.all_again.isVisible()


def test_walking_goes_through_what_the_filter_leaves(four: Session, show: Show) -> None:
    view = show(four)
    view.head.filter.setText("missing think")
    view.head.filter.setText("i")
    view.head.filter.setText("inline")
    for _ in range(2):
        view.next_finding()
        assert four.selection.current is not None
        assert four.selection.current.finding == "think-tag-inline"


def test_a_finding_picked_elsewhere_is_shown_though_it_was_filtered_out(four: Session, show: Show) -> None:
    view = show(four)
    view.head.filter.setText("inline")
    assert view.show_finding("sse-crlf", 4)
    assert four.selection.current is not None
    assert (four.selection.current.finding, view.head.filter.words) == ("sse-crlf", "")


# mutes


def test_a_muted_rule_goes_to_the_end_and_is_counted_apart(four: Session, show: Show) -> None:
    view = show(four)
    view.next_finding()
    view.turn_mute()
    assert titles(view)[-1] == "end-truncated"
    assert view.model.rows[-1].muted
    assert said(view) == "3, 1 muted"
    assert view.rows.currentIndex().row() == 0
    assert "muted" in view.model.rows[-1].spoken()
    view.head.filter.setText("id-missing")
    assert said(view) == "1 of 3, 0 of 1 muted"
    view.show_muted()
    assert (titles(view), said(view)) == (["end-truncated"], "0 of 3, 1 of 1 muted")


def test_walking_passes_over_muted_rows_unless_they_are_all(four: Session, show: Show) -> None:
    view = show(four)
    four.mutes.mute("end-truncated")
    seen = set()
    for _ in range(6):
        view.next_place()
        assert four.selection.current is not None
        seen.add(four.selection.current.finding)
    assert seen == {rule for rule, _ in RULES} - {"end-truncated"}
    view.show_muted()
    view.next_place()
    assert four.selection.current.finding == "end-truncated"


def test_one_click_on_the_chip_unmutes(four: Session, show: Show) -> None:
    view = show(four)
    four.mutes.mute("sse-crlf")
    QApplication.processEvents()
    row = len(RULES) - 1
    view.rows.viewport().grab()
    (_, area), *_ = view.rows.delegate._areas[row]
    place = area.center() + view.rows.visualRect(view.model.index(row, 0)).topLeft()
    QTest.mouseClick(view.rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert "sse-crlf" not in four.mutes
    assert four.selection.current is None


def test_the_menu_of_a_row_mutes_it(four: Session, show: Show) -> None:
    view = show(four)
    menu = view.rows.menu_of(1)
    action = next(action for action in menu.actions() if action.text().startswith("Mute this rule"))
    action.trigger()
    assert "tool-id-missing" in four.mutes
    menu.deleteLater()


def test_commands_of_the_pane(four: Session, show: Show) -> None:
    view = show(four)
    mute, muted = (named(view.commands(), words) for words in ("Mute or unmute the rule", "Show muted rules"))
    assert mute is not None
    assert muted is not None
    view.rows.clearFocus()
    assert (mute.enabled(), muted.enabled()) == (False, False)
    view.next_finding()
    mute.run()
    assert "end-truncated" in four.mutes
    assert muted.enabled()


def test_muted_rules_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    Mutes(Settings(path)).mute("sse-crlf")
    assert json.loads(path.read_text())["muted"] == ["sse-crlf"]
    again = Mutes(Settings(path))
    assert "sse-crlf" in again
    again.mute("sse-crlf", False)
    assert "sse-crlf" not in Mutes(Settings(path))


def test_what_is_no_rule_in_the_settings_is_left_out(tmp_path: Path) -> None:
    settings = Settings()
    settings.put("muted", ["sse-crlf", 3, None])
    assert [rule in Mutes(settings) for rule in ("sse-crlf", 3, None)] == [True, False, False]


def test_another_window_hears_of_it(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    Settings(path).put("theme", "dark")
    here, there = Mutes(Settings(path)), Mutes(Settings(path))
    with qtbot.waitSignal(there.changed):
        here.mute("sse-crlf")
    assert "sse-crlf" in there


def test_a_mute_reaches_the_other_tab(qtbot: QtBot, look: Look) -> None:
    mutes = Mutes()
    sessions = [Session("a.sse", kit(), {}, mutes=mutes) for _ in range(2)]
    pages = [RecordingPage(session, look) for session in sessions]
    marks: list[str] = []
    pages[1].titled.connect(lambda _, mark: marks.append(mark))
    for page, session in zip(pages, sessions, strict=True):
        qtbot.addWidget(page)
        with qtbot.waitSignal(session.compared):
            session.open_exchanges([fragmented(12)])
    rules = {row.rule for row in pages[1].findings.model.rows}
    for rule in rules:
        mutes.mute(str(rule))
    assert all(row.muted for row in pages[1].findings.model.rows)
    assert marks[0] in ("error", "warning")
    assert marks[-1] == f"{marks[0]} muted"


def test_counts_of_the_summary_leave_muted_ones_out(look: Look, qtbot: QtBot, four: Session) -> None:
    summary = Summary(four, look)
    qtbot.addWidget(summary)
    summary.refresh()
    width = summary.counts.sizeHint().width()
    assert summary.counts.accessibleName() == "2 errors, 1 warning, 1 note"
    four.mutes.mute("end-truncated")
    assert summary.counts.accessibleName() == "1 error, 1 warning, 1 note, 1 muted"
    assert summary.counts.sizeHint().width() > width


def test_the_lane_keeps_muted_findings(four: Session) -> None:
    four.mutes.mute("tool-id-missing")
    assert four.reference is not None
    clock = Clock(four.reference)
    clock.extend()
    found = [step for step in timeline_in_steps(four, clock, True) if step is not None][-1]
    lane = next(index.lane for index in found[1] if index.lane.key == "findings")
    assert lane.note == "3, 1 muted"
    assert [(mark.rule, mark.muted) for mark in lane.marks] == [(rule, rule == "tool-id-missing") for rule, _ in RULES]


def test_rows_of_other_rules_have_no_chip(four: Session) -> None:
    assert [row.mended for row in rows_of(four)] == ["", "repaired", "inferred", ""]


def test_the_model_keeps_the_rules_while_rows_are_filtered_and_muted(
    four: Session, show: Show, qtmodeltester: ModelTester
) -> None:
    view = show(four)
    qtmodeltester.check(view.model, force_py=True)
    view.head.filter.setText("tool")
    four.mutes.mute("tool-id-missing")
    view.head.filter.clear()
    four.mutes.mute("tool-id-missing", False)


def test_after_a_mute_the_next_finding_is_selected_in_every_view_and_it_can_be_undone(
    four: Session, show: Show
) -> None:
    view = show(four)
    view.next_finding()
    view.turn_mute()
    assert four.selection.current is not None
    assert four.selection.current.finding == "tool-id-missing"
    assert view._state_of(0) == SELECTED
    assert view.head.accessibleName() == "Findings: 3, 1 muted, end-truncated muted everywhere"
    QTest.mouseClick(view.head.undo, Qt.MouseButton.LeftButton)
    assert "end-truncated" not in four.mutes
    assert (four.selection.current.finding, said(view)) == ("end-truncated", "4")
    assert not view.head.undo.isVisible()


def test_a_mute_of_another_row_leaves_the_selection(four: Session, show: Show) -> None:
    view = show(four)
    view.next_finding()
    before = four.selection.current
    view._act(2, "mute")
    assert four.selection.current == before
    assert view._state_of(0) == SELECTED
    assert view.head.undo.isVisible()
    view.next_finding()
    assert not view.head.undo.isVisible()


def test_one_severity_alone_and_all_again(four: Session, show: Show) -> None:
    view, heard = show(four), []
    view.severity_shown.connect(heard.append)
    view.turn_severity("warning")
    assert (titles(view), said(view)) == (["think-tag-inline"], "1 of 4")
    assert four.selection.current is not None
    assert four.selection.current.finding == "think-tag-inline"
    view.turn_severity("warning")
    assert len(titles(view)) == 4
    view.turn_severity("error")
    assert view.show_finding("sse-crlf")
    assert len(titles(view)) == 4
    assert heard == ["warning", "", "error", ""]


def test_a_severity_of_which_nothing_is_left_can_be_left(four: Session, show: Show) -> None:
    view = show(four)
    view.turn_severity("warning")
    four.mutes.mute("think-tag-inline")
    assert view.rows.empty[1] == "No finding matches “warning”"
    QTest.mouseClick(view.rows.all_again, Qt.MouseButton.LeftButton)
    assert len(titles(view)) == 4
