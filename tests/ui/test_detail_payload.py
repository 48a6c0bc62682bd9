"""Where the parts of a payload lie, and what they are to the chosen readers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from inspector_app.core.json_text import parse
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.session import Session
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.field_marks import FieldMarks
from inspector_app.ui.views.payload_map import Payload, pointer_at
from tests.ui.panes_data import WINGMATE, ZCODE, chunk, event, fragmented, lost_call, opened


def body(data: bytes) -> Exchange:
    return Exchange("stream.sse", "sse-body", MemoryBody(data))


def payload(qtbot: QtBot, data: bytes, n: int = 0) -> Payload:
    session = opened(qtbot, body(data), lenses=False)
    assert session.reference is not None
    return Payload(session.reference, n)


WIDE = b'data: {"choices":\ndata: [{"index":0,\r\nid: 7\ndata:"delta":{"content":"a b"}}]}\n\n'


@pytest.mark.parametrize(
    "data, root, pointer, expected",
    [
        (b'data: {"a":{"b":[1,22]}}\n\n', 0, "/a/b/1", b"22"),
        (b'data: {"a":{"b":[1,22]}}\n\n', 0, "/a", b'"a":{"b":[1,22]}'),
        (b'data: {"a":1}\n\n', 0, "/nowhere", b'data: {"a":1}\n\n'),
        (b'data: {"a":1}\n\n', 0, "", b'data: {"a":1}\n\n'),
        (WIDE, 0, "/choices/0/delta/content", b'"content":"a b"'),
        (WIDE, 0, "/choices/0/index", b'"index":0'),
        (WIDE, 0, "/choices/0", b'{"index":0,\r\nid: 7\ndata:"delta":{"content":"a b"}}'),
        (b'data: {"a":1}{"a":2}\n\n', 1, "/a", b'"a":2'),
        (b'data: {"a":1}{"a":2}\n\n', 0, "/a", b'"a":1'),
        (b'data: data: {"a":1}\n\n', 0, "/a", b'"a":1'),
        (b'\xef\xbb\xbfdata: {"a":1}\n\n', 0, "/a", b'"a":1'),
        (b'event: x\ndata:{"a":"\xc3\xa9"}\n\n', 0, "/a", b'"a":"\xc3\xa9"'),
    ],
)
def test_the_place_of_a_value(qtbot: QtBot, data: bytes, root: int, pointer: str, expected: bytes) -> None:
    found = payload(qtbot, data)
    start, end = found.place(root, pointer)
    assert data[start:end] == expected


@pytest.mark.parametrize(
    "at, expected",
    [
        (b'"a"', (0, "/a")),
        (b":{", (0, "/a")),
        (b'"b"', (0, "/a/b")),
        (b"[", (0, "/a/b")),
        (b"1,", (0, "/a/b/0")),
        (b",22", (0, "/a/b/1")),
        (b"22", (0, "/a/b/1")),
        (b"]", (0, "/a/b")),
        (b"},", (0, "/a")),
        (b'"x/y"', (0, "/x~1y")),
        (b'"second"', (1, "/second")),
        (b"data: ", None),
    ],
)
def test_the_value_of_a_byte(qtbot: QtBot, at: bytes, expected: tuple[int, str] | None) -> None:
    data = b'data: {"a":{"b":[1,22]},"x/y":3}\ndata: {"second":4}\n\n'
    assert payload(qtbot, data).pointer_at(data.index(at)) == expected


def test_a_byte_between_two_data_lines_belongs_to_no_other_field(qtbot: QtBot) -> None:
    found = payload(qtbot, WIDE)
    assert found.pointer_at(WIDE.index(b'"delta"')) == (0, "/choices/0/delta")
    assert found.pointer_at(WIDE.index(b'"a b"')) == (0, "/choices/0/delta/content")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(values, st.booleans())
def test_every_byte_of_a_value_leads_to_it_or_to_what_is_in_it(value: object, spaced: bool) -> None:
    text = json.dumps(value, indent=1 if spaced else None).encode()
    for at in range(len(text)):
        found = pointer_at(text, at)
        assert found is not None
        root, pointer = found
        assert root == 0
        inner = value
        for part in pointer.split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            inner = inner[int(part)] if isinstance(inner, list) else inner[part]  # type: ignore[index]


@pytest.mark.parametrize(
    "data, values, fault",
    [
        (b'data: {"a":1}\n\n', [{"a": 1}], ""),
        (b"data: not json\n\n", [], "not JSON from byte 0 on"),
        (b'data: {"a":1}{"a":2}\n\n', [{"a": 1}, {"a": 2}], "2 values"),
        (b'data: {"a":NaN}\n\n', [{"a": pytest.approx(float("nan"), nan_ok=True)}], "NaN is not JSON"),
        (b'data: data: {"a":1}\n\n', [{"a": 1}], "framed twice: read from inside"),
        (b": only a comment\n\n", [], ""),
        (b"data:\n\n", [], ""),
    ],
)
def test_values_and_fault(qtbot: QtBot, data: bytes, values: list, fault: str) -> None:
    found = payload(qtbot, data)
    assert found.values == values
    expected = fault if fault != "not JSON from byte 0 on" else parse(b"not json").detail
    assert found.fault == expected


def test_the_clipboard_gets_what_came(qtbot: QtBot) -> None:
    found = payload(qtbot, b'data: {"a":[1.0,{"b":"\\u00e9"}]}\n\n')
    assert found.json(0, "/a") == b'[1.0,{"b":"\\u00e9"}]'
    assert found.value(0, "/a/1/b") == "é"


# what a field is to the readers


def marks(session: Session, n: int) -> FieldMarks:
    evidences = Evidences(session)
    evidences.forget()
    return FieldMarks(session, evidences, n)


DELTA = "/choices/0/delta"


def test_a_field_names_its_block_and_what_it_ended(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE)
    found = marks(session, 7).by_pointer
    assert found[f"{DELTA}/reasoning_content"][:2] == ("reasoning", "Reasoning 7")
    assert found[f"{DELTA}/content"].remark == "nothing to show"
    assert found[f"{DELTA}/tool_calls"] == ("error", "ends Reasoning 7", True)


def test_what_only_the_compared_reader_ended_says_so(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(12), *ZCODE[::-1])
    found = marks(session, 7).by_pointer
    assert found[f"{DELTA}/reasoning_content"].remark == "Reasoning 1"
    assert found[f"{DELTA}/tool_calls"].remark == "ends Reasoning 7 for ZCode 3.11"


def test_id_and_name_of_a_call_have_its_colours(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE[::-1])
    found = marks(session, 3).by_pointer
    for pointer in ("id", "function/name"):
        assert found[f"{DELTA}/tool_calls/0/{pointer}"][:2] == ("tool", "Tool call 0")


@pytest.mark.parametrize(
    "path, value, readers",
    [
        ("choices[].delta.content", "a", []),
        ("object", "chat.completion.chunk", ["ZCode 3.11"]),
        ("choices", [{"delta": {"content": "a"}}], []),
        ("choices", [], ["ZCode 3.11"]),
        ("other_usage", {"a": {"b": 1}}, ["ZCode 3.11"]),
    ],
)
def test_who_does_not_read_a_field(qtbot: QtBot, path: str, value: object, readers: list[str]) -> None:
    session = opened(qtbot, fragmented(4), *ZCODE)
    assert marks(session, 2).readers("/" + path, path, value) == readers


def test_nothing_of_a_skipped_event_is_read(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    skipped, usual = marks(session, 3), marks(session, 1)
    assert skipped.unread == "no space after the colon"
    assert skipped.readers("/id", "id", "x") == ["Wingmate 2026-06"]
    assert usual.unread is None
    assert usual.readers("/id", "id", "x") == []


def test_the_reference_alone_is_asked_where_no_client_is_chosen(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(4), "reference", None)
    assert marks(session, 2).readers("/object", "object", "x") == ["Reference"]


def test_an_event_without_payload_has_no_marks(qtbot: QtBot) -> None:
    session = opened(qtbot, body(event(chunk({"content": "a"})) + b": ping\n\n"), lenses=False)
    assert marks(session, 1).by_pointer == {}
