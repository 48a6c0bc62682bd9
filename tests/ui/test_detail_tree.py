"""The JSON tree of the detail pane: what it shows, how it folds, where it leads."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.views import json_tree
from inspector_app.ui.views.json_nodes import DEPTH, NODES
from inspector_app.ui.views.json_tree import CHEVRON, INDENT
from tests.ui.detail_data import DELTA, LEFT, Show, body, current, rows, select, shown
from tests.ui.panes_data import WINGMATE, ZCODE, chunk, event, fragmented, lost_call, opened


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the details of a session."""
    return partial(shown, qtbot, look)


def test_the_tree_of_an_event(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 7)
    assert rows(view) == [
        "event 7",
        'id: "chatcmpl-1"',
        'object: "chat.completion.chunk"',
        "created: 1764431702",
        "choices: 1 item",
        "0: 4 keys",
        "index: 0",
        "delta: 3 keys",
        'reasoning_content: "Fetch "',
        'content: ""',
        "tool_calls: []",
        "logprobs: null",
        "finish_reason: null",
    ]


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"data: [DONE]\n\n", ["event 0", "[DONE]"]),
        (b": ping\n\n", ["event 0", "no data: comment only"]),
        (b'data: {"a":1}{"a":2}\n\n', ["event 0", "2 values", "value 0: 1 key", "a: 1", "value 1: 1 key", "a: 2"]),
        (b'data: {"a":NaN}\n\n', ["event 0", "NaN is not JSON", "a: NaN"]),
        (b'data: {"a":1.0,"b":[1e3],"c":0.10}\n\n', ["event 0", "a: 1.0", "b: 1 item", "0: 1e3", "c: 0.10"]),
        (b'data: {"a":12345678901234567890123}\n\n', ["event 0", "a: 12345678901234567890123"]),
        (b"data: 7\n\n", ["event 0", "value 0: 7"]),
        (b'data: {"a":"x\xe2\x80\xaey\\n"}\n\n', ["event 0", 'a: "x‹U+202E›y\\n"']),
        (b'data: {"x.y":{"":[]}}\n\n', ["event 0", "x.y: 1 key", '"": []']),
    ],
)
def test_payloads_of_every_kind(qtbot: QtBot, show: Show, data: bytes, expected: list[str]) -> None:
    session = opened(qtbot, body(data), lenses=False)
    view = show(session)
    select(session, 0)
    shown = [row for row in rows(view) if row]
    assert shown == expected


def test_what_is_no_json_is_shown_as_it_came_with_the_reason(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, body(b'data: {"a":tru}\n\n'), lenses=False)
    view = show(session)
    select(session, 0)
    assert session.reference is not None
    assert rows(view) == ["event 0", session.reference.payload_faults[0], '{"a":tru}']


def test_a_skipped_event_says_who_skips_it_and_why(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    view = show(session)
    select(session, 3)
    assert rows(view)[0] == "event 3, not read by Wingmate 2026-06: no space after the colon"
    top = view.json.tree.json.index(0, 0)
    spoken = view.json.tree.json.index(0, 0, top).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == 'id: "chatcmpl-1", not read by Wingmate 2026-06'


def test_the_legend_names_the_chosen_clients(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    assert "not read by ZCode 3.11" in view.head.legend.accessibleName()
    session.choose("openclaw", "zcode-3.11")
    assert "not read by OpenClaw or ZCode 3.11" in view.head.legend.accessibleName()


def test_a_field_picked_elsewhere_is_the_current_row(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 7, f"{DELTA}/tool_calls")
    node = view.json.tree.current
    assert node is not None
    assert (node.pointer, node.mark.remark, view.json.tree.exact) == (f"{DELTA}/tool_calls", "ends Reasoning 7", True)
    assert session.reference is not None
    assert view.json.bytes.selected == session.reference.place(7, f"{DELTA}/tool_calls")


def test_bytes_picked_elsewhere_lead_to_their_field(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    assert session.reference is not None
    start, end = session.reference.place(7, f"{DELTA}/content")
    session.selection.select(Selection(7, start=start, end=end), None)
    assert view.json.tree.current is not None
    assert view.json.tree.current.pointer == f"{DELTA}/content"


def test_keys_walk_through_the_fields(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 7)
    for _ in range(9):
        QTest.keyClick(view.json.tree, Qt.Key.Key_Down)
    assert session.reference is not None
    start, end = session.reference.place(7, f"{DELTA}/content")
    assert current(session) == Selection(7, pointer=f"{DELTA}/content", start=start, end=end)
    assert view.json.bytes.selected == (start, end)


def test_the_chevron_folds(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 7)
    tree = view.json.tree
    choices = tree.json.index(3, 0, tree.json.index(0, 0))
    assert tree.isExpanded(choices)
    at = QPoint(INDENT + CHEVRON, tree.visualRect(choices).center().y())
    QTest.mouseClick(tree.viewport(), LEFT, pos=at)
    assert not tree.isExpanded(choices)
    assert current(session).pointer is None
    select(session, 7, f"{DELTA}/content")
    assert tree.isExpanded(choices)


def big_list(count: int) -> bytes:
    return event(chunk({"content": "a", "many": list(range(count))}))


def test_only_so_many_nodes_are_made(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, body(big_list(3 * NODES)), lenses=False)
    view = show(session)
    select(session, 0)
    tree = view.json.tree
    assert len(tree.json.nodes) < 1000
    select(session, 0, f"{DELTA}/many/1500")
    assert tree.current is not None
    assert tree.current.pointer == f"{DELTA}/many/1500"
    select(session, 0, f"{DELTA}/many/11000")
    assert tree.current.pointer == f"{DELTA}/many"
    assert not tree.exact
    assert len(tree.json.nodes) <= NODES + 10
    many = tree.currentIndex()
    assert tree.json.index(tree.json.rowCount(many) - 1, 0, many).data().endswith("more: see the bytes")


def test_a_row_for_the_rest_makes_more(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, body(big_list(300)), lenses=False)
    view = show(session)
    select(session, 0)
    tree = view.json.tree
    many = tree.json.reach(0, f"{DELTA}/many")
    tree.expand(many)
    last = tree.json.index(tree.json.rowCount(many) - 1, 0, many)
    assert last.data() == "100 more of 300"
    tree.setCurrentIndex(last)
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert tree.json.rowCount(many) == 300
    assert current(session).pointer == f"{DELTA}/many/200"


def test_deep_and_long_values_are_clipped(qtbot: QtBot, show: Show) -> None:
    deep = b'{"a":' * (DEPTH + 20) + b"1" + b"}" * (DEPTH + 20)
    session = opened(qtbot, body(b"data: " + deep + b'\n\ndata: {"b":"' + b"x" * 1_000_000 + b'"}\n\n'), lenses=False)
    view = show(session)
    select(session, 0, "/a" * DEPTH)
    assert view.json.tree.current is not None
    assert view.json.tree.current.depth == DEPTH
    assert "see the bytes" in view.json.tree.current.shown
    select(session, 1)
    assert rows(view)[1].endswith("… +999\u2009800 characters")
    assert len(rows(view)[1]) < 300


def test_the_model_keeps_the_rules_of_models(qtbot: QtBot, qtmodeltester: ModelTester, show: Show) -> None:
    session = opened(qtbot, body(big_list(250) + event(b"[DONE]")), lenses=False)
    view = show(session)
    select(session, 0)
    qtmodeltester.check(view.json.tree.json, force_py=True)
    select(session, 0, f"{DELTA}/many/230")
    select(session, 1)
    session.selection.select(None, None)
    assert view.json.tree.json.rowCount() == 0


@pytest.mark.parametrize("width", [240, 330, 420, 700])
def test_a_key_is_never_cut_and_what_is_cut_stands_in_the_tip(qtbot: QtBot, show: Show, width: int) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    view = show(session)
    select(session, 7, f"{DELTA}/tool_calls")
    tree = view.json.tree
    tree.setFixedWidth(width)
    drawn: list[str] = []
    usual = json_tree.draw_text

    def draw(painter: QPainter, x: float, base: float, text: str, font: QFont, color: QColor) -> float:
        drawn.append(text)
        return usual(painter, x, base, text, font, color)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_tree, "draw_text", draw)
        tree.viewport().grab()
    assert "tool_calls" in drawn
    told = tree._cut.get(QPersistentModelIndex(tree.currentIndex()), "")
    assert ("ends Reasoning 7" in told) != ("ends Reasoning 7" in drawn)
