"""The reports that a page copies, and the facts of the summary that need words."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.session import Session
from inspector_app.ui.summary import Summary, items_of
from inspector_app.ui.theme import Look
from tests.ui.panes_data import WINGMATE, chunk, event, exchange, fragmented, lost_call, opened


def page_of(qtbot: QtBot, look: Look, session: Session) -> RecordingPage:
    page = RecordingPage(session, look)
    qtbot.addWidget(page)
    QApplication.clipboard().clear()
    return page


def command(page: RecordingPage, words: str) -> None:
    [found] = [one for one in page.commands() if one.words == words]
    assert found.enabled()
    found.does()


def test_copy_report_copies_the_comparison(qtbot: QtBot, look: Look) -> None:
    page = page_of(qtbot, look, opened(qtbot, lost_call(), *WINGMATE))
    command(page, "Copy report")
    told = QApplication.clipboard().text()
    assert told.startswith("**Wingmate, build of 29 June 2026**")
    assert "- finding `sse-no-space`" in told
    assert page.verdict.copy.text() == "Copied"


def test_without_a_comparison_it_copies_the_findings(qtbot: QtBot, look: Look) -> None:
    page = page_of(qtbot, look, opened(qtbot, fragmented(4), lenses=False))
    command(page, "Copy report")
    told = QApplication.clipboard().text()
    assert told.startswith("**stream.sse**: ")
    assert "### `tool-calls-empty-array`" in told


def test_the_findings_can_be_copied_beside_a_comparison_without_the_muted(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    page = page_of(qtbot, look, session)
    session.mutes.mute("tool-id-empty", True)
    command(page, "Copy report of the findings")
    told = QApplication.clipboard().text()
    assert "### `sse-no-space`" in told
    assert "### `tool-id-empty`" not in told


@pytest.mark.parametrize(
    "before, value", [(b"", "2"), (b": a\n\n: b\n\n", "2 + 2 comments"), (b"event: x\n\n", "2 + 1 without data")]
)
def test_comments_are_no_events_of_the_summary(qtbot: QtBot, look: Look, before: bytes, value: str) -> None:
    body = before + event(chunk({"content": "Hi"})) + event(b"[DONE]")
    session = opened(qtbot, Exchange("x.sse", "sse-body", MemoryBody(body)), lenses=False)
    assert [item.value for item in items_of(session) if item.label == "events"] == [value]
    summary = Summary(session, look)
    qtbot.addWidget(summary)
    for _ in range(2):
        summary.refresh()
        assert f"events {value}" in summary.accessibleName()


def test_the_time_to_the_first_token_has_a_tip(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, exchange([event(chunk({"content": "Hi"})), event(b"[DONE]")]), lenses=False)
    summary = Summary(session, look)
    qtbot.addWidget(summary)
    summary.resize(1200, 32)
    summary.refresh()
    summary.grab()
    tips = {summary.tip_at(x) for x in range(1200)}
    assert any(words.startswith("Time to first token") for words in tips)
    assert summary.tip_at(1190) == ""


def test_a_report_names_no_folder(qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    made = lost_call()
    made.name = str(tmp_path / "x.sse")
    page = page_of(qtbot, look, opened(qtbot, made, *WINGMATE))
    page.copy_report()
    assert str(tmp_path) not in QApplication.clipboard().text()


def test_a_narrow_summary_drops_what_is_fine_before_a_fault(qtbot: QtBot, look: Look) -> None:
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "find", "arguments": '{"a":,}'}}
    body = [event(chunk({"content": "Hi"})), event(chunk({"tool_calls": [call]})), event(b"[DONE]")]
    summary = Summary(opened(qtbot, exchange(body), lenses=False), look)
    qtbot.addWidget(summary)
    summary.refresh()
    full = [item.label for item in summary._fitting(2000)]
    assert "tool calls" in full
    for width in range(220, 1200, 40):
        kept = [item.label for item in summary._fitting(width)]
        assert "tool calls" in kept
        fine = [label for label in kept if label != "tool calls"]
        assert fine == [label for label in full if label != "tool calls"][: len(fine)]
