"""The pages of the detail pane beside the JSON, and how it follows the session."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Http
from inspector_app.report.outline import ledger
from inspector_app.ui.theme import Look
from inspector_app.ui.views.field_ledger import FieldLedger, pointer_of
from inspector_app.ui.views.field_model import COUNT, FILTER, FILTER_WORDS, FIRST, LAST, READ, SAMPLE, TYPES, WHERE
from tests.ui.detail_data import CTRL, DELTA, LEFT, Show, body, current, facts, page, rows, select, shown
from tests.ui.panes_data import WINGMATE, ZCODE, chunk, event, exchange, fragmented, fresh, lost_call, opened


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the details of a session."""
    return partial(shown, qtbot, look)


# the pages


def test_the_page_of_an_event(qtbot: QtBot, show: Show) -> None:
    data = b'id: 7\r\nevent: delta\nretry: 250\rdata: {"a":1}\n\ndata:{"b":2}'
    session = opened(qtbot, body(data), lenses=False)
    view = show(session)
    select(session, 0)
    found = page(view, "Event")
    assert found["event name"] == "delta"
    assert found["last event id"] == "7"
    assert found["retry"] == "250 ms"
    assert found["arrived"] == "no time was measured"
    assert found["line 3"] == 'data: {"a":1}'
    notes = [fact.note for fact in view.events.sheet.facts if fact.label.startswith("line ")]
    assert notes == ["CRLF · 5 bytes", "LF · 12 bytes", "CR · 10 bytes", "LF · 13 bytes", "LF · 0 bytes"]
    select(session, 1)
    assert facts(view)["dispatched"].startswith("no")
    assert facts(view)["flags"] == "dangling (no blank line ends it)"
    assert view.events.sheet.facts[-1].note == "no line end · 12 bytes"


def test_the_page_of_an_event_says_who_does_not_read_it(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    view = show(session)
    select(session, 3)
    assert page(view, "Event")["Wingmate 2026-06"] == "does not read it: no space after the colon"


def test_a_line_leads_to_itself(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(4), *ZCODE)
    view = show(session)
    select(session, 2)
    page(view, "Event")
    row = next(n for n, fact in enumerate(view.events.sheet.facts) if fact.label == "line 4")
    view.events.setCurrentIndex(view.events.sheet.index(row, 0))
    QTest.mouseClick(view.events.viewport(), LEFT, pos=view.events.visualRect(view.events.currentIndex()).center())
    assert (current(session).event, current(session).line) == (2, 4)


def test_the_page_of_a_read(qtbot: QtBot, show: Show) -> None:
    read = exchange([event(chunk({"content": "a"})), event(chunk({"content": "b"})) + event(b"[DONE]")[:8]])
    session = opened(qtbot, read, lenses=False)
    view = show(session)
    select(session, 1)
    found = page(view, "Read")
    assert found["arrived"] == "40\u2009ms after the request"
    assert found["gap"] == "20\u2009ms after the read before"
    assert [label for label in found if label.startswith("event ")] == ["event 1", "event 2"]


def test_reads_that_were_not_recorded(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(4, timed=False), lenses=False)
    view = show(session)
    select(session, 1)
    assert page(view, "Read") == {}
    assert view.reads.accessibleDescription().startswith("Reads were not recorded")


def test_the_page_of_the_request_masks_what_is_secret(qtbot: QtBot, show: Show) -> None:
    read = fragmented(4)
    read.request = {
        "method": "POST",
        "url": "https://host/v1?key=abc123",
        "headers": [["Authorization", "Bearer secret"], ["accept", "text/event-stream"]],
        "body": {"model": "m", "messages": [{"role": "user", "content": "hello"}]},
    }
    read.http = Http(200, [("Set-Cookie", "session=secret"), ("content-type", "text/event-stream")])
    read.end = {"how": "done", "terminator": True, "detail": None}
    session = opened(qtbot, read, lenses=False)
    view = show(session)
    select(session, 1)
    found = page(view, "HTTP")
    text = " ".join([*found, *found.values()])
    assert "secret" not in text
    assert "abc123" not in text
    assert found["accept"] == "text/event-stream"
    assert found["Authorization"].startswith("<redacted")
    assert found["terminator"] == "yes"
    values = [fact.value for fact in view.request.sheet.facts]
    assert "HTTP/1.1 200" in values
    assert '  "model": "m",' in values
    view.request.selectAll()
    QTest.keyClick(view.request, Qt.Key.Key_C, CTRL)
    assert "secret" not in QGuiApplication.clipboard().text()


def test_no_request_is_known(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(4), lenses=False)
    view = show(session)
    assert page(view, "HTTP") == {}
    assert view.request.accessibleDescription().startswith("No request is known")


def test_a_long_line_is_copied_whole(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, body(event(chunk({"content": "x" * 5000}))), lenses=False)
    view = show(session)
    select(session, 0)
    page(view, "Event")
    row = next(n for n, fact in enumerate(view.events.sheet.facts) if fact.label == "line 0")
    view.events.setCurrentIndex(view.events.sheet.index(row, 0))
    QTest.keyClick(view.events, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == f"data: {chunk({'content': 'x' * 5000}).decode()}"
    assert len(view.events.sheet.index(row, 0).data()) < 700


# the fields

READABLE = [COUNT, FIRST, LAST, TYPES, SAMPLE, READ]


def test_the_fields_of_a_stream(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 1)
    view.show_page("Fields")
    qtbot.waitUntil(lambda: view.fields.model.rowCount() > 0)
    cells = {
        view.fields.model.index(row, 0).data(): [view.fields.model.index(row, column).data() for column in READABLE]
        for row in range(view.fields.model.rowCount())
    }
    assert cells["choices[].delta.reasoning_content"] == ["12", "1", "12", "string", '"Fetch "', "read"]
    assert cells["object"][-1] == "not by ZCode 3.11"
    assert view.fields.status.text() == "11 fields in 17 events"


def test_a_field_leads_to_where_it_first_came(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    view.show_page("Fields")
    qtbot.waitUntil(lambda: view.fields.model.rowCount() > 0)
    rows = [row["path"] for row in view.fields.model.rows]
    index = view.fields.model.index(rows.index("choices[].delta.reasoning_content"), 0)
    QTest.mouseClick(view.fields.table.viewport(), LEFT, pos=view.fields.table.visualRect(index).center())
    assert (current(session).event, current(session).pointer) == (1, f"{DELTA}/reasoning_content")


def test_pieces_of_the_ledger_make_the_whole(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(qtbot, lost_call(), lenses=False)
    assert session.reference is not None
    monkeypatch.setattr("inspector_app.ui.views.field_ledger.PIECE", 2)
    found = FieldLedger(session.reference)
    assert list(found.steps()) == [2, 4, 6, 8]
    whole = [{key: value for key, value in row.items() if key != "read"} for row in ledger(session.reference)]
    assert list(found.rows.values()) == whole


def test_the_ledger_tells_where_a_field_is(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(qtbot, fragmented(12), lenses=False)
    assert session.reference is not None
    shares = {}
    for cells in (256, 8):
        monkeypatch.setattr("inspector_app.ui.views.field_ledger.CELLS", cells)
        found = FieldLedger(session.reference)
        assert list(found.steps()) == [17]
        shares[cells] = found.stretches("choices[].delta.reasoning_content")
    assert shares == {256: [(1 / 17, 13 / 17)], 8: [(0.0, 16 / 17)]}
    assert found.grain == 4


def test_one_click_filters_by_a_field(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), lenses=False)
    view = show(session)
    view.show_page("Fields")
    qtbot.waitUntil(lambda: view.fields.model.rowCount() > 0)
    rows = [row["path"] for row in view.fields.model.rows]
    index = view.fields.model.index(rows.index("choices[].delta.reasoning_content"), FILTER)
    with qtbot.waitSignal(view.fields.filter_asked) as asked:
        QTest.mouseClick(view.fields.table.viewport(), LEFT, pos=view.fields.table.visualRect(index).center())
    assert asked.args == ["choices[].delta.reasoning_content exists"]


def test_a_long_stream_is_looked_through_at_its_beginning(
    qtbot: QtBot, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.views.field_ledger.LIMIT", 10)
    session = opened(qtbot, fragmented(12), lenses=False)
    view = show(session)
    view.show_page("Fields")
    qtbot.waitUntil(lambda: view.fields.model.rowCount() > 0)
    assert view.fields.status.text() == "10 fields in the first 10 of 17 events"


@pytest.mark.parametrize(
    "path, expected",
    [("a", "/a"), ("a[].b", "/a/1/b"), ("", ""), ("c", None), ("x/y", "/x~1y"), ('a["x.y"]', None)],
)
def test_the_first_pointer_of_a_path(path: str, expected: str | None) -> None:
    assert pointer_of({"a": [{}, {"b": 1}], "x/y": 2}, path) == expected


def test_the_model_of_the_fields_keeps_the_rules(qtbot: QtBot, qtmodeltester: ModelTester, show: Show) -> None:
    session = opened(qtbot, fragmented(4), *ZCODE)
    view = show(session)
    view.show_page("Fields")
    qtbot.waitUntil(lambda: view.fields.model.rowCount() > 0)
    qtmodeltester.check(view.fields.model, force_py=True)
    qtmodeltester.check(view.request.sheet, force_py=True)


def test_fields_wait_until_all_has_been_read(qtbot: QtBot, show: Show) -> None:
    session = fresh(lenses=False)
    view = show(session)
    view.show_page("Fields")
    words: list[str] = []
    session.grown.connect(lambda: words.append(view.fields.status.text()))
    with qtbot.waitSignal(session.compared):
        session.open_exchanges([fragmented(4)])
    assert not any("fields in" in said for said in words)
    qtbot.waitUntil(lambda: view.fields.status.text().endswith("fields in 9 events"))


# following the session


def test_nothing_is_open_yet(qtbot: QtBot, show: Show) -> None:
    session = fresh()
    view = show(session)
    for name in ("JSON and bytes", "Event", "Read", "HTTP", "Fields"):
        view.show_page(name)
    assert view.json.copies() == {}
    with qtbot.waitSignal(session.compared):
        session.open_exchanges([fragmented(4)])
    view.show_page("JSON and bytes")
    select(session, 2)
    assert rows(view)[0] == "event 2"


def test_another_comparison_changes_the_marks_and_not_the_place(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), "reference", None)
    view = show(session)
    select(session, 7, f"{DELTA}/tool_calls")
    assert view.json.tree.current is not None
    assert view.json.tree.current.mark.remark == "nothing to show"
    session.choose("zcode-3.11", "reference")
    assert view.json.tree.current.pointer == f"{DELTA}/tool_calls"
    assert view.json.tree.current.mark.remark == "ends Reasoning 7"


def test_tabs_are_chosen_by_keys(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(4), *ZCODE)
    view = show(session)
    select(session, 1)
    view.head.tabs.setFocus()
    QTest.keyClick(view.head.tabs, Qt.Key.Key_Right)
    assert facts(view)["event name"] == "message"


def test_every_page_offers_its_copies(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(4), *ZCODE)
    view = show(session)
    select(session, 1)
    for name in ("JSON and bytes", "Event", "Read", "HTTP", "Fields"):
        view.show_page(name)
        menu = view._page.menu()
        assert menu.actions()
        assert all(action.text().startswith(("Copy", FILTER_WORDS)) for action in menu.actions())
        menu.deleteLater()


def test_the_columns_of_the_fields_give_the_paths_their_room(qtbot: QtBot, show: Show) -> None:
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    session = opened(qtbot, exchange([event(chunk({"tool_calls": [call]})), event(chunk({}, "stop"))]))
    view = show(session)
    view.show_page("Fields")
    table = view.fields.table
    qtbot.waitUntil(lambda: view.fields.model.rowCount() > 0)
    longest = "choices[].delta.tool_calls[].function.arguments"
    at = next(n for n, row in enumerate(view.fields.model.rows) if row["path"] == longest)
    wanted = table._delegate.width_of(view.fields.model.index(at, 0))
    view.resize(1400, 400)
    qtbot.waitUntil(lambda: table.columnWidth(0) >= wanted)
    table.viewport().grab()
    assert not table._delegate.cut
    view.resize(560, 400)
    qtbot.waitUntil(lambda: table.columnWidth(0) < wanted)
    table.viewport().grab()
    assert (at, 0) in table._delegate.cut


def test_a_narrow_page_leaves_out_where_fields_stand_and_keeps_samples_readable(qtbot: QtBot, show: Show) -> None:
    view = show(opened(qtbot, fragmented(), *ZCODE))
    view.show_page("Fields")
    qtbot.waitUntil(lambda: view.fields.model.rowCount() > 0)
    table = view.fields.table
    hidden = {}
    for width in (600, 1200):
        view.resize(width, 300)
        qtbot.waitUntil(lambda width=width: table.viewport().width() > width - 40)
        hidden[width] = table.isColumnHidden(WHERE)
        assert table.columnWidth(SAMPLE) > 48
        qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert hidden == {600: True, 1200: False}
