"""Byte ranges of values and characters, against a naive walk of the parsed value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.core import pointer as module
from inspector_app.core.pointer import Span, escape, flatten, locate, spans, text_bytes

CHUNK = (
    b'{"id":"x", "choices" : [ {"index":0,"delta":{"content":"a\\"b","tool_calls":[]}},\n'
    b'{"delta":{"reasoning_content":"\xc3\xa9"}}], "a/b": {"~": null}, "": 7}'
)


@pytest.fixture(scope="module", params=[module.LONG, -1], ids=["walked", "parsed"], autouse=True)
def long(request: pytest.FixtureRequest) -> Iterator[None]:
    """Short values are walked over, long ones are skipped by the parser; what is found must be the same."""
    usual, module.LONG = module.LONG, request.param
    yield
    module.LONG = usual


@pytest.mark.parametrize(
    "pointer, key, value",
    [
        ("", b"", CHUNK),
        ("/id", b'"id"', b'"x"'),
        ("/choices/0/delta/content", b'"content"', b'"a\\"b"'),
        ("/choices/0/delta/tool_calls", b'"tool_calls"', b"[]"),
        ("/choices/1", b"", b'{"delta":{"reasoning_content":"\xc3\xa9"}}'),
        ("/choices/1/delta/reasoning_content", b'"reasoning_content"', b'"\xc3\xa9"'),
        ("/a~1b", b'"a/b"', b'{"~": null}'),
        ("/a~1b/~0", b'"~"', b"null"),
        ("/", b'""', b"7"),
    ],
)
def test_a_pointer_leads_to_key_and_value(pointer: str, key: bytes, value: bytes) -> None:
    span = locate(CHUNK, pointer)
    assert span is not None
    assert CHUNK[span.start : span.end] == value
    assert CHUNK[span.key_start : span.key_end] == key
    assert (span.key_start < 0) == (key == b"")


@pytest.mark.parametrize(
    "pointer",
    [
        "/nothing",
        "/choices/2",
        "/choices/00",
        "/choices/-",
        "/choices/-1",
        "/id/0",
        "/choices/0/delta/content/a",
        "id",
        "/a/b",
    ],
)
def test_a_pointer_that_leads_nowhere(pointer: str) -> None:
    assert locate(CHUNK, pointer) is None


@pytest.mark.parametrize(
    "data, pointer, expected",
    [
        (b'{"a":1,"a":2}', "/a", Span(7, 10, 11, 12)),
        (b'{"a":{"b":1},"a":{"c":2}}', "/a/b", None),
        (b'{"a":{"b":1},"a":3}', "/a/b", None),
        (b'{"a":{"b":1,"b":2},"\\u0061":{"b":3}}', "/a/b", Span(29, 32, 33, 34)),
        (b'[{"a":1,"a":2}]', "/0/a", Span(8, 11, 12, 13)),
    ],
)
def test_of_equal_keys_the_last_counts(data: bytes, pointer: str, expected: Span | None) -> None:
    assert locate(data, pointer) == expected


@pytest.mark.parametrize(
    "data, pointer, value",
    [
        (b'{"a":[1,{"b":"c"},{"d":', "/a/1/b", b'"c"'),
        (b'{"a":[1,{"b":"c"},{"d":', "/a", None),
        (b'{"a":"b', "/a", None),
        (b'{"a', "/a", None),
        (b'{"a":', "/a", None),
        (b'{"a":12', "/a", None),
        (b'{"a":"b"', "/a", b'"b"'),
        (b'[{"x":1,"a":tru', "/0/a", None),
        (b'{"a":{"b":', "/a/b", None),
        (b"", "", None),
        (b"  ", "", None),
        (b"{x:1}", "/x", None),
    ],
)
def test_in_cut_text_what_is_whole_is_found(data: bytes, pointer: str, value: bytes | None) -> None:
    span = locate(data, pointer)
    assert (None if span is None else data[span.start : span.end]) == value


def test_the_root_can_be_chosen() -> None:
    data = b' {"a":1}\n{"a":2} "x"'
    found = [locate(data, "/a", root) for root in range(4)]
    assert found == [Span(2, 5, 6, 7), Span(10, 13, 14, 15), None, None]
    assert locate(data, "", 2) == Span(-1, -1, 17, 20)
    assert locate(data, "", 3) is None


KEYS = st.sampled_from(["a", "b", "", "a/b", "~", "~1", "é", '"', "\\", "0", "\ud800", "x y"])
DOCUMENTS = st.recursive(
    st.none() | st.integers(0, 99) | st.floats(0, 1) | st.text(max_size=3),
    lambda below: st.lists(below, max_size=4) | st.lists(st.tuples(KEYS, below), max_size=4).map(tuple),
    max_leaves=15,
)
"""Values whose objects are tuples of pairs, so a key can come twice."""


def written(document: Any, gap: str) -> str:
    if isinstance(document, tuple):
        pairs = (f"{json.dumps(key)}{gap}:{written(value, gap)}" for key, value in document)
        return "{" + gap + ",".join(pairs) + "}"
    if isinstance(document, list):
        return "[" + f",{gap}".join(written(value, gap) for value in document) + gap + "]"
    return json.dumps(document, ensure_ascii=False)


def walked(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    yield pointer, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from walked(below, f"{pointer}/{escape(key)}")
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from walked(below, f"{pointer}/{index}")


def all_pointers(document: Any, pointer: str = "") -> Iterator[str]:
    """Pointers that lead somewhere when earlier keys are not overwritten."""
    yield pointer
    if isinstance(document, tuple):
        for key, below in document:
            yield from all_pointers(below, f"{pointer}/{escape(key)}")
    elif isinstance(document, list):
        for index, below in enumerate(document):
            yield from all_pointers(below, f"{pointer}/{index}")


@given(DOCUMENTS, st.sampled_from(["", " ", "\n\t"]))
@example((("a", (("a", 1),)), ("a", (("b", [1]), ("b", [])))), "")
def test_locate_agrees_with_a_walk_of_the_value(document: Any, gap: str) -> None:
    data = written(document, gap).encode()
    expected = dict(walked(json.loads(data)))
    pointers = set(all_pointers(document))
    found = spans(data, pointers)
    assert found.keys() == expected.keys()
    for pointer in pointers:
        assert locate(data, pointer) == found.get(pointer)
    for pointer, span in found.items():
        assert json.loads(data[span.start : span.end]) == expected[pointer]
        if span.key_start >= 0:
            assert escape(json.loads(data[span.key_start : span.key_end])) == pointer.rpartition("/")[2]
            assert data[span.key_end : span.start].strip() == b":"


def test_deep_pointers_need_no_recursion() -> None:
    data = b"[" * 5000 + b'{"a":1}' + b"]" * 5000
    assert locate(data, "/0" * 5000 + "/a") == Span(5001, 5004, 5005, 5006)


ONE_CHARACTER = st.characters(exclude_categories=["Cs"], exclude_characters='"\\').filter(lambda c: c >= " ").flatmap(
    lambda c: st.sampled_from([c.encode(), json.dumps(c)[1:-1].encode()])
) | st.sampled_from([rb"\n", rb"\"", rb"\\", rb"\/", rb"\uD83D\u0041", rb"\udc00", b"\xff"])


@given(st.lists(ONE_CHARACTER, max_size=8), st.integers(1, 90), st.data())
def test_bytes_of_characters(parts: list[bytes], repeat: int, data: st.DataObject) -> None:
    # A lone high half and the letter behind it are two characters in one part.
    units = [
        unit for part in parts for unit in ((part[:6], part[6:]) if part == rb"\uD83D\u0041" else (part,))
    ] * repeat
    literal = b'"' + b"".join(units) + b'"'
    lengths = [0]
    for unit in units:
        lengths.append(lengths[-1] + len(unit))
    first = data.draw(st.integers(0, len(units)))
    last = data.draw(st.integers(first, len(units)))
    assert text_bytes(b"xx" + literal, 2, 2 + len(literal), first, last) == (3 + lengths[first], 3 + lengths[last])


@pytest.mark.parametrize(
    "body, count",
    [
        (b"\xed\xa0\x80", 3),
        (b"\xe2\x82", 1),
        (b"\xf0\x9f\x98", 1),
        (b"\xf4\x90\x80\x80", 4),
        (b"\xe0\x80", 2),
        (b"\xc3(", 2),
    ],
)
def test_pieces_of_broken_characters(body: bytes, count: int) -> None:
    assert len(body.decode("utf-8", "replace")) == count
    ends = [text_bytes(b'"' + body + b'"', 0, len(body) + 2, n, n + 1)[1] - 1 for n in range(count)]
    assert [len(body[:end].decode("utf-8", "replace")) for end in ends] == [n + 1 for n in range(count)]
    assert ends[-1] == len(body)


@given(st.binary(max_size=30), st.data())
def test_bytes_that_are_not_utf8_count_as_their_replacements(raw: bytes, data: st.DataObject) -> None:
    body = raw.replace(b'"', b"").replace(b"\\", b"")
    text = body.decode("utf-8", "replace")
    at = data.draw(st.integers(0, len(text)))
    start, end = text_bytes(b'"' + body + b'"', 0, len(body) + 2, at, len(text))
    assert (body[: start - 1] + body[start - 1 : end - 1]) == body
    assert body[: start - 1].decode("utf-8", "replace") == text[:at]


def test_characters_behind_the_end_are_its_end() -> None:
    assert text_bytes(b'"ab"', 0, 4, 1, 9) == (2, 3)
    assert text_bytes(b'"\xc3\xa9"', 0, 4, 5, 9) == (3, 3)
    assert text_bytes(b'"' + "é".encode() * 300 + b'"', 0, 602, 299, 700) == (599, 601)


def test_ledger_paths() -> None:
    value = {
        "id": "x",
        "choices": [
            {"delta": {"content": None, "reasoning_details": [{"text": "a"}, {"text": "b"}], "tool_calls": []}}
        ],
        "usage": {},
        "a.b": {"": 1, "c[]": 2, "x y": 3},
        "é": [[1], []],
    }
    assert list(flatten(value)) == [
        ("id", "x"),
        ("choices[].delta.content", None),
        ("choices[].delta.reasoning_details[].text", "a"),
        ("choices[].delta.reasoning_details[].text", "b"),
        ("choices[].delta.tool_calls", []),
        ("usage", {}),
        ('["a.b"][""]', 1),
        ('["a.b"]["c[]"]', 2),
        ('["a.b"]["x y"]', 3),
        ("é[][]", 1),
        ("é[]", []),
    ]


@pytest.mark.parametrize(
    "value, expected", [(5, [("", 5)]), ([], [("", [])]), ([1, {"a": 2}], [("[]", 1), ("[].a", 2)])]
)
def test_ledger_paths_of_other_roots(value: Any, expected: list[tuple[str, Any]]) -> None:
    assert list(flatten(value)) == expected


def test_ledger_paths_need_no_recursion() -> None:
    value: Any = 1
    for _ in range(3000):
        value = [value]
    assert list(flatten(value)) == [("[]" * 3000, 1)]
