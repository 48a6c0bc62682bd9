"""Filter and mutes of the findings pane, and the literal reading one click away."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, Finding, Place
from inspector_app.lenses import LITERAL, REFERENCE
from inspector_app.report.comparison import as_markdown
from inspector_app.ui.commands import named
from inspector_app.ui.lanes import Clock, timeline_in_steps
from inspector_app.ui.mutes import Mutes
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.session import Session
from inspector_app.ui.settings import Settings
from inspector_app.ui.summary import Summary, VerdictStrip
from inspector_app.ui.theme import Look
from inspector_app.ui.views.block_bars import mended_chip as bar_chip
from inspector_app.ui.views.card_paint import mended_chip as card_chip
from inspector_app.ui.views.finding_rows import rows_of
from inspector_app.ui.views.findings import FindingsView
from tests.ui.panes_data import ZCODE, chunk, event, exchange, fragmented, kit, opened, shipped_lenses, shown

Show = Callable[[Session], FindingsView]
RULES = (
    ("end-truncated", "error"), ("tool-id-missing", "error"), ("think-tag-inline", "warning"), ("sse-crlf", "info"),
)  # fmt: skip


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the findings of a session."""

    def made(session: Session) -> FindingsView:
        view = FindingsView(session, look)
        qtbot.addWidget(view)
        view.resize(640, 360)
        with qtbot.waitActive(view):
            view.show()
            view.activateWindow()
        view.rows.setFocus()
        return view

    return made


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
    return view.head.accessibleName().removeprefix("Findings: ")


def two_calls() -> Exchange:
    """Two calls that use index 0 both."""
    events = [event(chunk({"role": "assistant", "content": ""}))]
    for name in ("find", "read"):
        call = {"index": 0, "id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": ""}}
        events.append(event(chunk({"tool_calls": [call]})))
        events.append(event(chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"a":1}'}}]})))
    return exchange([*events, event(chunk({}, "tool_calls")), event(b"[DONE]")])


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
    assert summary.counts.accessibleName() == "2 errors, 1 warnings, 1 notes"
    four.mutes.mute("end-truncated")
    assert summary.counts.accessibleName() == "1 errors, 1 warnings, 1 notes, 1 muted"
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


# the literal reading


def test_the_literal_reading_stands_beside_the_reference(qtbot: QtBot, look: Look, show: Show) -> None:
    session = opened(qtbot, two_calls(), *ZCODE[::-1])
    view, strip = show(session), VerdictStrip(session, look)
    qtbot.addWidget(strip)
    with qtbot.waitSignal(session.compared, check_params_cb=lambda: session.literal is not None):
        view.show_literal()
    assert (session.primary, session.secondary) == (REFERENCE, LITERAL)
    assert strip.words()[0] == LITERAL
    assert strip.words()[1] == "2 tool calls; literally 1"
    assert "without the repair of tool-index-reused" in strip.words()[2]
    first = view.model.rows[0]
    assert (first.title, first.severity, first.icon, first.rule) == ("Literal reading", "info", "wand", None)
    assert LITERAL not in session.differences
    view.show_literal()
    assert session.secondary is None


def test_where_nothing_is_repaired_it_says_so(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, fragmented(4), lenses=False)
    strip = VerdictStrip(session, look)
    qtbot.addWidget(strip)
    session.show_literal()
    qtbot.waitUntil(lambda: session.literal is not None)
    assert strip.words() == (LITERAL, "Literally the same", "the reference repairs nothing here")
    assert not strip.isHidden()
    assert strip.first.isHidden()


def test_equal_blocks_with_another_finish_are_told_apart(qtbot: QtBot, look: Look) -> None:
    body = exchange([event(chunk({"content": "Yes."})), event(chunk({}, "stop"))[:-1]])
    session = opened(qtbot, body, lenses=False)
    session.show_literal()
    qtbot.waitUntil(lambda: session.literal is not None)
    strip = VerdictStrip(session, look)
    qtbot.addWidget(strip)
    assert strip.words()[1:] == (
        "The same blocks; finish literally none, not stop",
        "without the repair of sse-unterminated-event",
    )


def test_it_is_offered_but_never_chosen_by_itself(qtbot: QtBot) -> None:
    session = opened(qtbot, two_calls())
    assert session.secondary != LITERAL
    assert session.usable_lenses()[0].name == LITERAL
    assert session.short_title_of(LITERAL) == session.title_of(LITERAL) == "Literal"
    assert LITERAL not in shipped_lenses()


def test_a_report_of_it_gives_no_command_that_is_not_there(qtbot: QtBot) -> None:
    session = opened(qtbot, two_calls())
    session.show_literal()
    qtbot.waitUntil(lambda: session.literal is not None)
    assert session.story is not None
    assert "stream-inspector diff" not in as_markdown(session.story, "x.sse")


def test_the_chip_of_a_repair_shows_it(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, two_calls(), "reference", None)
    view = show(session)
    row = next(n for n, row in enumerate(view.model.rows) if row.title == "tool-index-reused")
    view.rows.scrollTo(view.model.index(row, 0))
    view.rows.viewport().grab()
    assert view.model.rows[row].mended == "repaired"
    (action, area), *_ = view.rows.delegate._areas[row]
    assert action == "literal"
    place = area.center() + view.rows.visualRect(view.model.index(row, 0)).topLeft()
    QTest.mouseClick(view.rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert session.secondary == LITERAL
    qtbot.waitUntil(lambda: session.literal is not None)


def test_the_opened_row_offers_it(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, two_calls(), "reference", None)
    view = show(session)
    assert view.show_finding("tool-index-reused")
    view.rows.viewport().grab()
    row = view.rows.delegate.opened
    assert [action for action, _ in view.rows.delegate._areas[row]] == ["literal", "literal"]


def snapshots() -> Exchange:
    """A text of which each delta repeats all before it: one block, mended by what was inferred."""
    words = ("The tide ", "turns ", "at ", "four.")
    texts = ["".join(words[: n + 1]) for n in range(len(words))]
    return exchange([*(event(chunk({"content": text})) for text in texts), event(chunk({}, "stop")), event(b"[DONE]")])


@pytest.mark.parametrize("aligned", [True, False])
def test_the_chip_of_a_block_shows_it(qtbot: QtBot, look: Look, aligned: bool) -> None:
    session = opened(qtbot, snapshots(), "reference", None)
    assert session.reference is not None
    assert session.mended(session.reference) == {0: "inferred"}
    panes = shown(qtbot, look, session)
    panes.show_reading_view(not aligned)
    QApplication.processEvents()
    if aligned:
        view = panes.blocks
        (bar,) = view._bars(view.columns()[0], 0, 1, 0)
        place = bar_chip(bar)
    else:
        view = panes.cards
        stack = view._stacks[0]
        place = card_chip(stack.cards[0]).translated(stack.column.left + 12, stack.tops[0])
    assert not place.isEmpty()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert session.secondary == LITERAL
    qtbot.waitUntil(lambda: session.literal is not None)
    assert session.right is not None
    assert session.mended(session.right) == {}


def test_a_click_beside_the_chip_selects(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, snapshots(), "reference", None)
    panes = shown(qtbot, look, session)
    panes.show_reading_view(True)
    QTest.mouseClick(panes.cards.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 20))
    assert session.secondary is None
    assert session.selection.current is not None


@pytest.mark.parametrize(
    "body, mended",
    [
        (two_calls(), {1: "repaired"}),
        (fragmented(4), {}),
        (exchange([event(chunk({"content": text})) for text in ("<think>", "a", "</think>", "b")]), {0: "inferred"}),
    ],
)
def test_blocks_that_are_not_as_they_came(qtbot: QtBot, body: Exchange, mended: dict[int, str]) -> None:
    session = opened(qtbot, body, lenses=False)
    assert session.reference is not None
    assert session.mended(session.reference) == mended


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
