"""The bytes of the detail pane and what is copied."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.types import MemoryBody
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.views.byte_view import GRIDS, ROW, ByteView
from inspector_app.ui.views.detail import DetailView
from tests.ui.detail_data import CTRL, DELTA, LEFT, Show, body, colours, current, select, shown
from tests.ui.panes_data import WINGMATE, ZCODE, chunk, event, fragmented, lost_call, opened


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the details of a session."""
    return partial(shown, qtbot, look)


# bytes


def byte_point(view: DetailView, offset: int, text: bool = False) -> QPoint:
    assert view.json._payload is not None
    grid = view.json.bytes.grid
    row, column = divmod(offset - view.json._payload.start, grid.bytes)
    x = grid.text_x(column) if text else grid.byte_x(column)
    top = (row - view.json.bytes.verticalScrollBar().value()) * ROW
    return QPoint(round(x) + 3, top + ROW // 2)


@pytest.mark.parametrize("text", [False, True])
def test_a_click_on_a_byte_selects_its_field(qtbot: QtBot, show: Show, text: bool) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 7, f"{DELTA}/content")
    assert session.reference is not None
    start = session.reference.place(7, f"{DELTA}/reasoning_content")[0]
    QTest.mouseClick(view.json.bytes.viewport(), LEFT, pos=byte_point(view, start + 5, text))
    expected = Selection(7, line=14, pointer=f"{DELTA}/reasoning_content", start=start + 5, end=start + 6)
    assert current(session) == expected
    assert view.json.tree.current is not None
    assert view.json.tree.current.pointer == f"{DELTA}/reasoning_content"


def test_bytes_are_chosen_by_keys_and_by_dragging(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 1)
    assert session.reference is not None
    first, last = session.reference.bytes_of(1)
    shown = view.json.bytes
    shown.setFocus()
    for key, offset in (("Right", 1), ("Down", 17), ("Left", 16), ("Up", 0), ("Up", 0), ("End", last - first - 1)):
        QTest.keyClick(shown, Qt.Key[f"Key_{key}"])
        assert (current(session).start or 0) - first == offset
    QTest.keyClick(shown, Qt.Key.Key_Home)
    QTest.mousePress(shown.viewport(), LEFT, pos=byte_point(view, first + 2))
    QTest.mouseMove(shown.viewport(), byte_point(view, first + 9))
    QTest.mouseRelease(shown.viewport(), LEFT, pos=byte_point(view, first + 9))
    assert (current(session).start, current(session).end) == (first + 2, first + 10)


def test_a_click_beside_the_bytes_picks_nothing(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 7)
    before = current(session)
    for at in (QPoint(2, 10), QPoint(480, 10), QPoint(100, 395)):
        QTest.mouseClick(view.json.bytes.viewport(), LEFT, pos=at)
    assert current(session) == before


def test_a_megabyte_is_read_only_where_it_is_in_sight(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, body(event(chunk({"content": "x" * 1_000_000, "tool_calls": []}))), lenses=False)
    view = show(session)
    select(session, 0, f"{DELTA}/tool_calls")
    asked: list[int] = []

    class Counting(MemoryBody):
        def slice(self, start: int, end: int) -> bytes:
            asked.append(end - start)
            return super().slice(start, end)

    assert session.reference is not None
    start, end = session.reference.bytes_of(0)
    view.json.bytes.show_bytes(Counting(session.reference.body.slice(0, end)), start, end, ())
    view.json.bytes.verticalScrollBar().setValue(30_000)
    view.json.bytes.viewport().grab()
    assert max(asked) <= 16 * (view.json.bytes.viewport().height() // ROW + 2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_values_and_cuts_are_drawn_in_their_colours(qtbot: QtBot, look: Look, show: Show, theme: str) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    look.choose(theme)
    select(session, 7, f"{DELTA}/tool_calls")
    QApplication.processEvents()
    for part in (view.json.bytes.viewport(), view.json.tree.viewport()):
        found = colours(part.grab().toImage())
        for role in ("reasoning.fill", "error.fill", "error.line"):
            assert look.theme.color(role).rgb() in found
    assert look.theme.color("accent").rgb() in colours(view.json.tree.viewport().grab().toImage())


def test_a_missing_space_is_marked_where_it_is_missing(qtbot: QtBot, look: Look, show: Show) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    view = show(session)
    select(session, 3)
    assert session.reference is not None
    start = session.reference.bytes_of(3)[0]
    marks = [mark for mark in view.json.bytes._highlights if mark.style in ("cut", "caret")]
    assert [(mark.start - start, mark.end - start, mark.style) for mark in marks] == [(0, 5, "cut"), (5, 5, "caret")]
    found = colours(view.json.bytes.viewport().grab().toImage())
    assert look.theme.color("error.line").rgb() in found


# the clipboard


@pytest.mark.parametrize(
    "pointer, expected",
    [
        (f"{DELTA}/content", {"Copy value": "é\u202e", "Copy value as JSON": '"\\u00e9\u202e"'}),
        (f"{DELTA}/content", {"Copy JSON Pointer": f"{DELTA}/content", "Copy path": "choices[0].delta.content"}),
        (f"{DELTA}/n", {"Copy value": "1.50", "Copy value as JSON": "1.50"}),
        ("/choices/0/index", {"Copy bytes as hex": b'"index":0'.hex(" ")}),
    ],
)  # fmt: skip
def test_what_is_copied_comes_from_the_store(qtbot: QtBot, show: Show, pointer: str, expected: dict[str, str]) -> None:
    text = '{"choices":[{"index":0,"delta":{"content":"\\u00e9\u202e","n":1.50}}]}'
    session = opened(qtbot, body(event(text.encode())), lenses=False)
    view = show(session)
    select(session, 0, pointer)
    for what, copied in expected.items():
        view.json.copy(what)
        assert QGuiApplication.clipboard().text() == copied


def test_the_copy_key_takes_the_value_or_the_bytes(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 1, f"{DELTA}/reasoning_content")
    QTest.keyClick(view.json.tree, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "Fetch "
    view.json.bytes.setFocus()
    QTest.keyClick(view.json.bytes, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == b'"reasoning_content":"Fetch "'.hex(" ")


def test_the_data_of_an_event_is_copied_where_no_field_is_chosen(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, body(b"data: not\ndata: json\n\n"), lenses=False)
    view = show(session)
    select(session, 0)
    assert view.json.copies() == {
        "Copy payload as sent": "not\njson",
        "Copy bytes as hex": b"data: not\ndata: json\n\n".hex(" "),
    }


@pytest.mark.parametrize(("width", "count"), [(700, 16), (400, 12), (300, 8), (200, 8)])
def test_a_narrow_pane_has_fewer_bytes_in_a_row_and_their_text_in_sight(
    qtbot: QtBot, look: Look, width: int, count: int
) -> None:
    view = ByteView(look)
    qtbot.addWidget(view)
    view.resize(width, 200)
    view.show_bytes(MemoryBody(bytes(range(256))), 0, 256, ())
    view.show()
    assert view.grid.bytes == count
    assert (view.horizontalScrollBar().maximum() == 0) is (width > 200)
    for text in (False, True):
        x = (view.grid.text_x if text else view.grid.byte_x)(count - 1)
        assert view.offset_at(QPoint(round(x) + 2, ROW + 10)) == 2 * count - 1
    view.grab()


def test_the_first_row_stays_when_rows_become_shorter(qtbot: QtBot, look: Look) -> None:
    view = ByteView(look)
    qtbot.addWidget(view)
    view.resize(700, 200)
    view.show_bytes(MemoryBody(bytes(4096)), 0, 4096, ())
    view.show()
    view.verticalScrollBar().setValue(30)
    view.resize(300, 200)
    assert view.verticalScrollBar().value() * view.grid.bytes == 30 * 16
    assert [grid.bytes for grid in GRIDS] == [16, 12, 8]
