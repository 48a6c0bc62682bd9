"""What lies beyond the edge of the raw lines, and panes that have little to show."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.pattern import Query
from inspector_app.core.search import Search
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui import fonts
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.views.pane_parts import ColumnHead, Pane, Word
from inspector_app.ui.views.panes import Panes
from inspector_app.ui.views.raw import WORDS
from inspector_app.ui.views.row_view import ROW
from tests.ui.panes_data import ZCODE, Show, chunk, click, event, exchange, fragmented, opened, selected, shown


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the panes of a session in a window of a size."""
    return partial(shown, qtbot, look)


def test_a_body_without_events_shows_its_lines(qtbot: QtBot, show: Show) -> None:
    page = b"<html>\n<body>Bad Gateway</body>\n</html>\n"
    panes = show(opened(qtbot, Exchange("page", "text-body", MemoryBody(page)), lenses=False))
    assert panes.raw.model().rowCount() == 3
    assert panes.raw.model().data(panes.raw.model().index(1, 2)) == "<body>Bad Gateway</body>"
    assert panes.deltas.model().rowCount() == 0
    panes.grab()
    click(panes.raw, 1, WORDS + 4)
    assert (selected(panes).line, selected(panes).start, selected(panes).end) == (1, 7, 31)
    picture = panes.raw.viewport().grab().toImage()
    chosen = panes.raw._look.theme.color("sel.fill").rgb()
    assert [picture.pixel(400, row * ROW + 10) == chosen for row in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    "body, raw, deltas",
    [
        (b"", "No lines", "No deltas"),
        (b"<html>\n<body>Bad Gateway</body>\n</html>\n", "", "No deltas"),
    ],
)
def test_a_pane_without_rows_says_so(qtbot: QtBot, show: Show, body: bytes, raw: str, deltas: str) -> None:
    panes = show(opened(qtbot, Exchange("page", "text-body", MemoryBody(body)), lenses=False))
    assert panes.raw.accessibleDescription().startswith(raw)
    assert bool(raw) == bool(panes.raw.accessibleDescription())
    assert panes.deltas.accessibleDescription().startswith(deltas)
    assert not panes._delta_bar.isVisible()
    assert not panes._block_bar.isVisible()


def test_a_smaller_pane_keeps_the_selected_event_in_view(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(40)), height=500)
    panes.raw.select_event(18)
    before = panes.raw.verticalScrollBar().value()
    panes.resize(1600, 160)
    first, last = panes.raw.rows().rows_of(18)
    top = panes.raw.verticalScrollBar().value()
    assert top > before
    assert top <= first * ROW
    assert last * ROW <= top + panes.raw.viewport().height()


def test_shift_with_an_arrow_reads_on_in_whole_lines(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented()))
    panes.show_whole_lines(True)
    panes.grab()
    qtbot.waitUntil(lambda: panes.raw.horizontalScrollBar().maximum() > 500)
    QTest.keyClick(panes.raw, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert panes.raw.horizontalScrollBar().value() == 120
    QTest.keyClick(panes.raw, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert panes.raw.horizontalScrollBar().value() == 0


def test_lines_can_be_read_to_their_end_and_no_further(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented()))
    panes.show_whole_lines(True)
    panes.grab()
    bar = panes.raw.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 500)
    bar.setValue(bar.maximum())
    panes.grab()
    ends = [places[-1][1] for places in panes.raw._places.values() if places]
    assert panes.raw.viewport().width() - 40 < max(ends) < panes.raw.viewport().width()
    bar.setValue(0)
    panes.grab()
    left = panes.raw._places[4][0][0]
    panes.raw.horizontalScrollBar().setValue(300)
    panes.grab()
    assert panes.raw._places[4][0][0] == left - 300


@pytest.mark.parametrize("width", [1600, 1280])
def test_what_ends_a_block_is_in_sight_whatever_must_be_folded(qtbot: QtBot, show: Show, width: int) -> None:
    panes = show(opened(qtbot, fragmented(), *ZCODE), width=width)
    panes.grab()
    for number in range(1, 6):
        placed = panes.raw._places[panes.raw.rows().rows_of(number)[0]]
        right, run = next((right, run) for _, right, run in placed if run.under == "cut")
        assert right <= panes.raw.viewport().width()
        assert run.text == '"tool_calls":[]'
        assert [part.start for _, _, part in placed[1:]] == [part.end for _, _, part in placed[:-1]]


def test_shift_and_the_wheel_go_sideways_and_show_a_bar(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented()))
    panes.show_whole_lines(True)
    panes.grab()
    qtbot.waitUntil(lambda: panes.raw.horizontalScrollBar().maximum() > 500)
    pane = panes.raw.parentWidget()
    assert isinstance(pane, Pane)
    pane.hovered.emit(True)
    assert panes.raw.side_bar.isVisible()
    middle = QPointF(panes.raw.viewport().rect().center())
    turn = QWheelEvent(
        middle, panes.raw.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ShiftModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(panes.raw.viewport(), turn)
    assert panes.raw.horizontalScrollBar().value() == panes.raw.side_bar.value() == 120
    QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))
    assert not panes.raw.side_bar.isVisible()


def test_what_was_selected_before_a_pane_is_shown_is_in_view(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, fragmented(60))
    panes = Panes(session, look)
    qtbot.addWidget(panes)
    session.selection.select(Selection(40), None)
    panes.resize(1600, 350)
    with qtbot.waitExposed(panes):
        panes.show()
    top = panes.raw.verticalScrollBar().value()
    first, last = panes.raw.rows().rows_of(40)
    assert top <= first * ROW
    assert last * ROW <= top + panes.raw.viewport().height()


def test_a_byte_that_is_no_character_is_shown_and_not_folded(qtbot: QtBot, show: Show) -> None:
    body = b"\x91\xa0x: \x83 y\n\n" + event(chunk({"content": "a"}))
    panes = show(opened(qtbot, Exchange("junk", "sse-body", MemoryBody(body)), lenses=False))
    panes.grab()
    runs = [run for _, _, run in panes.raw._places[0]]
    assert {run.kind for run in runs} == {"text"}
    assert "".join(run.text for run in runs).count("\ufffd") == 3


def test_a_torn_end_is_shown_and_not_folded(qtbot: QtBot, show: Show) -> None:
    whole = [event(chunk({"content": word})) for word in ("a", "b")]
    body = b"".join(whole) + whole[1][: whole[1].index(b'"b"') + 1]
    panes = show(opened(qtbot, Exchange("cut", "sse-body", MemoryBody(body)), lenses=False))
    panes.grab()
    *_, last = panes.raw._places[panes.raw.rows().rows_of(2)[0]]
    assert (last[2].text, last[2].under) == ('"content":"', "error")


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (
            [chunk({"reasoning_details": [{"type": "reasoning.text", "text": "x"}]})],
            "It does not read reasoning_details.",
        ),
        ([b"data: " + chunk({"content": "x"})] * 3, "The payloads are framed twice."),
    ],
)
def test_a_reader_without_blocks_has_a_reason(qtbot: QtBot, show: Show, events: list[bytes], why: str) -> None:
    read = exchange([*map(event, events), event(chunk({}, "stop")), event(b"[DONE]")])
    panes = show(opened(qtbot, read, "reference", "openclaw"))
    side = panes._evidences.sides[1]
    assert not side.reading.blocks
    assert panes.blocks._nothing(side) == ("OpenClaw shows nothing", why)


def test_the_scroll_bar_sideways_covers_no_row(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(40), *ZCODE))
    panes.grab()
    qtbot.waitUntil(lambda: panes.raw.horizontalScrollBar().maximum() > 0)
    bar, rows = panes.raw.side_bar, panes.raw.viewport()
    kept = rows.height()
    bar.hover(True)
    QApplication.processEvents()
    assert rows.height() == kept, "its room is kept before the pointer comes, too"
    qtbot.waitUntil(lambda: bar.mapToGlobal(QPoint(0, 0)).y() >= rows.mapToGlobal(QPoint(0, rows.height())).y())
    assert bar.height() > 4
    before = rows.height()
    bar.hover(False)
    QApplication.processEvents()
    assert rows.height() == before
    assert len({view.viewport().height() for view in (panes.raw, panes.deltas, panes.blocks)}) == 1
    panes.blocks.verticalScrollBar().setValue(panes.blocks.verticalScrollBar().maximum())
    assert {view.verticalScrollBar().value() for view in (panes.raw, panes.deltas)} == {
        panes.blocks.verticalScrollBar().maximum()
    }


def ends_shown(panes: Panes, row: int) -> list[tuple[str, str]]:
    return [(run.text, run.fill) for _, _, run in panes.raw._places[row] if run.kind == "end"]


@pytest.mark.parametrize(
    ("ends", "marks", "head"),
    [
        ((b"\n", b"\n"), [[], []], "4"),
        ((b"\r\n", b"\r\n"), [[], []], "4, lines end in CR LF"),
        ((b"\n", b"\r\n"), [[("LF", "")], [("CR LF", "warning")]], "4, mixed line ends"),
        ((b"\r\n", b"\r"), [[("CR LF", "")], [("CR", "warning")]], "4, mixed line ends"),
        ((b"\r", b"\r"), [[("CR", "warning")], [("CR", "warning")]], "4, lines end in CR"),
    ],
)
def test_the_ends_of_lines_are_marked_where_they_are_mixed_or_unusual(
    qtbot: QtBot, show: Show, ends: tuple[bytes, bytes], marks: list[list[tuple[str, str]]], head: str
) -> None:
    body = b"".join(event(chunk({"content": "a"})).replace(b"\n", end) for end in ends)
    panes = show(opened(qtbot, Exchange("ends", "sse-body", MemoryBody(body)), lenses=False))
    panes.show_whole_lines(False)
    panes.grab()
    assert [ends_shown(panes, row) for row in (1, 3)] == marks
    assert panes._raw_head.remark.text() == head


def test_a_muted_rule_makes_the_marks_of_line_ends_quiet(qtbot: QtBot, show: Show) -> None:
    body = event(chunk({"content": "a"})) + event(chunk({"content": "b"})).replace(b"\n", b"\r\n")
    session = opened(qtbot, Exchange("ends", "sse-body", MemoryBody(body)), lenses=False)
    panes = show(session)
    session.mutes.mute("sse-unusual-line-ends")
    panes.grab()
    assert ends_shown(panes, 3) == [("CR LF", "")]


def test_a_match_in_what_closed_a_block_moves_no_character(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(), *ZCODE)
    panes = show(session, 2400)
    panes.show_whole_lines(True)

    def places() -> list[tuple[str, int, int]]:
        panes.grab()
        return [(run.text, left, right) for left, right, run in panes.raw._places[4]]

    before = places()
    search = Search(Query("tool_calls", False, False, "everything"), session.reference, [session.reference])
    for _ in search.steps():
        pass
    panes.found.search = search
    panes.raw.forget()
    found = places()
    assert "".join(text for text, _, _ in found) == "".join(text for text, _, _ in before)
    assert found[-1][2] == pytest.approx(before[-1][2], abs=2)
    assert all(one[2] == other[1] for one, other in pairwise(found))


@pytest.mark.parametrize(("width", "whole"), [(400, True), (250, False), (120, False)])
def test_the_name_of_a_column_ends_before_what_stands_at_its_right(look: Look, width: int, whole: bool) -> None:
    head = ColumnHead(look)
    head.resize(width, 22)
    name = "anthropic-sdk-typescript node-1"
    head.show_words([Word(name, 16, False, "ink.2", 600), Word("0 calls can be run", width - 16, True)])
    (left, shown), (right, count) = head.placed()
    font = fonts.ui_font_for(shown, fonts.SECONDARY, 600)
    assert (left, count, shown == name) == (16, "0 calls can be run", whole)
    assert left + fonts.text_width(font, shown) <= max(left, right)


def test_a_line_that_is_found_whole_is_shown_from_its_beginning(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented()))
    panes.show_whole_lines(True)
    panes.grab()
    reading = panes.raw._session.reference
    assert reading is not None
    start, end = reading.bytes_of(3)
    panes.raw.show_bytes(end - 12, end - 4)
    assert panes.raw.horizontalScrollBar().value() > 0
    panes.raw.horizontalScrollBar().setValue(23)
    panes.raw.show_bytes(start, end)
    assert panes.raw.horizontalScrollBar().value() == 0


def test_the_tip_of_a_delta_says_where_it_was_read_from(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(), lenses=False))
    first = panes.deltas.rows().rows_of(1)[0]
    assert panes.deltas.words_at(first, 20) == "/choices/0/delta/reasoning_content"
    assert panes.deltas.words_at(first + 1, 20) == "/choices/0/delta/tool_calls"
    last = panes.deltas.rows().rows_of(15)[0]
    assert panes.deltas.words_at(last + 1, 20) == ""
