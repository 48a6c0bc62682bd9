"""The window as a person meets it: open, look, choose readers, follow the selection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.resources import resource
from inspector_app.files import read_input
from inspector_app.lenses import REFERENCE, load_lenses, shipped_folder
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.picture import picture
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window

LENSES = load_lenses([shipped_folder()])


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def window(qtbot: QtBot, look: Look, kit: Kit) -> Iterator[Window]:
    window = Window(kit, LENSES, look)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    yield window
    window.close()


def opened(qtbot: QtBot, window: Window, path: str) -> RecordingPage:
    """A page whose recording is read, compared with every lens."""
    page = window.open_path(path)
    qtbot.waitUntil(
        lambda: page.session.error is not None or (page.session.complete and page.session.idle), timeout=20_000
    )
    return page


def recording(name: str) -> str:
    return str(resource("recordings", name))


REPORTS = [
    ("empty-tool-calls.rec.jsonl", "zcode-3.11", "fragmented", "1 reasoning block; ZCode 3.11 shows 149"),
    ("mixed-spacing.rec.jsonl", "wingmate-2026-06", "lost", "Wingmate 2026-06: Tool call 0 lost its id and its name"),
    ("reasoning-details.rec.jsonl", "openclaw", "failed", "OpenClaw: Reasoning is lost, then an error"),
]


@pytest.mark.parametrize(("name", "lens", "verdict", "headline"), REPORTS)
def test_the_reports_open_with_the_client_that_reads_worst(
    qtbot: QtBot, window: Window, name: str, lens: str, verdict: str, headline: str
) -> None:
    page = opened(qtbot, window, recording(name))
    assert (page.session.primary, page.session.secondary) == (REFERENCE, lens)
    assert page.verdict.words()[:2] == (verdict, headline)
    assert page.verdict.isVisibleTo(page)
    difference = page.session.difference
    assert difference is not None
    assert page.session.selection.current is not None
    assert page.session.selection.current.event == difference.first_difference.event  # type: ignore[union-attr]


def test_the_flagship_says_what_closed_the_reasoning(qtbot: QtBot, window: Window) -> None:
    page = opened(qtbot, window, recording("empty-tool-calls.rec.jsonl"))
    assert page.verdict.words()[2] == "closed by `tool_calls: []` from event 1 on"


def test_swapping_turns_the_comparison_round(qtbot: QtBot, window: Window) -> None:
    page = opened(qtbot, window, recording("empty-tool-calls.rec.jsonl"))
    qtbot.mouseClick(page.swap, Qt.MouseButton.LeftButton)
    assert (page.session.primary, page.session.secondary) == ("zcode-3.11", REFERENCE)
    assert page.session.difference.verdict == "merged"  # type: ignore[union-attr]


def test_comparing_with_none_hides_the_verdict(qtbot: QtBot, window: Window) -> None:
    page = opened(qtbot, window, recording("empty-tool-calls.rec.jsonl"))
    page.compare_with.setCurrentIndex(page.compare_with.findData(None))
    page.compare_with.activated.emit(page.compare_with.currentIndex())
    assert page.session.secondary is None
    assert not page.verdict.isVisibleTo(page)


def test_equal_readings_show_no_verdict(qtbot: QtBot, window: Window) -> None:
    page = opened(qtbot, window, recording("call-in-three-chunks.rec.jsonl"))
    page.session.choose(secondary="zcode-fixed")
    qtbot.waitUntil(lambda: page.session.right is not None)
    assert page.verdict.words() == ("", "", "")


def test_the_next_finding_key_walks_through_the_places(qtbot: QtBot, window: Window) -> None:
    page = opened(qtbot, window, recording("mixed-spacing.rec.jsonl"))
    seen = set()
    for _ in range(12):
        window.run("Next finding")
        current = page.session.selection.current
        assert current is not None
        seen.add((current.event, current.finding))
    assert {rule for _, rule in seen} >= {"sse-no-space", "tool-id-empty", "tool-name-empty"}


def test_a_block_of_the_timeline_selects_it_in_its_reading(qtbot: QtBot, window: Window) -> None:
    page = opened(qtbot, window, recording("empty-tool-calls.rec.jsonl"))
    page.timeline.block_picked.emit(40 * 2 + 1, -1)
    current = page.session.selection.current
    assert current is not None
    assert (current.reader, current.block) == ("zcode-3.11", 40)
    assert current.event == page.session.readings["zcode-3.11"].blocks[40].first_event


def test_a_dropped_file_opens(qtbot: QtBot, window: Window) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(recording("think-tags.rec.jsonl"))])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, data, button, keys))
    assert window.tabs.count() == 1
    page = window.page()
    assert page is not None
    qtbot.waitUntil(lambda: page.session.complete, timeout=10_000)
    assert page.session.reference.blocks[0].fields["form"] == "inline_tag"  # type: ignore[union-attr]


def test_a_file_that_cannot_be_read_is_said_in_place(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = opened(qtbot, window, str(tmp_path / "nowhere.sse"))
    assert page.session.error is not None
    assert "nowhere.sse" in page.session.error
    assert page.fault.isVisibleTo(page)
    assert picture(window, window.look, "", 1).width() == window.width()


@pytest.mark.parametrize(
    "content", [b"", b"<html><body>502 Bad Gateway</body></html>", b'{"error":{"message":"no"}}', b"\x00\xff" * 50]
)
def test_bodies_that_are_no_stream_are_drawn_too(qtbot: QtBot, window: Window, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "answer.sse"
    file.write_bytes(content)
    page = opened(qtbot, window, str(file))
    assert page.session.error is None
    assert page.session.reference is not None
    assert picture(window, window.look, "", 1).width() == window.width()


def test_closing_a_tab_stops_its_reading(qtbot: QtBot, window: Window) -> None:
    opened(qtbot, window, recording("mixed-spacing.rec.jsonl"))
    page = window.open_path(recording("think-tags.rec.jsonl"))
    window.close_page(1)
    assert page.session.idle
    assert window.tabs.count() == 1
    assert window.page() is not page


def test_without_a_recording_the_window_says_how_to_open_one(window: Window) -> None:
    assert window.page() is None
    assert window.stack.currentWidget() is window.start


def test_rows_appear_while_the_rest_is_read(qtbot: QtBot, look: Look, kit: Kit, tmp_path: Path) -> None:
    chunk = b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"x"}}]}\n\n'
    file = tmp_path / "long.sse"
    file.write_bytes(chunk * 30_000)
    session = Session(str(file), kit, LENSES)
    early: list[int] = []
    session.grown.connect(lambda: early.append(session.rows.events) if not session.complete else None)
    # The first time it tells that the rows of a recording before are gone.
    session.open_exchanges(read_input(str(file)))
    qtbot.waitUntil(lambda: session.complete, timeout=20_000)
    assert early[0] == 0
    assert 0 < early[1] < 30_000
    assert session.rows.events == 30_000
    session.cancel()


def test_without_times_the_axis_is_the_order_of_events(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    file = tmp_path / "plain.sse"
    file.write_bytes(
        b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"x"}}]}\n\n' * 5
    )
    page = opened(qtbot, window, str(file))
    assert page.clock is not None
    assert not page.clock.measured
    assert list(page.clock.positions) == [0, 1, 2, 3, 4]
    assert "order only" in page.status.right_words()


def test_reading_that_was_cancelled_says_so_among_the_findings(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    file = tmp_path / "long.sse"
    file.write_bytes(
        b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"x"}}]}\n\n' * 60_000
    )
    page = window.open_path(str(file))
    qtbot.waitUntil(lambda: page.session.rows.events > 0, timeout=20_000)
    assert not page.session.complete
    page.notice.cancel.click()
    assert page.findings.rows.empty[1:] == (
        "Not looked for",
        "Reading was stopped; open the file again to read all of it.",
    )
    assert page.status.right_words().startswith("reading stopped")
    assert 0 < page.session.rows.events < 60_000
