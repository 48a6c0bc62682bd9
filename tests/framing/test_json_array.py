"""A JSON array that arrives piece by piece: elements, separators, lines, and what breaks them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.frame import Frame, Note
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.framing import json_array

LINE = b'{"candidates":[{"content":{"parts":[{"text":"a ]}, {"}]}}]}'


class Read:
    """Everything that the framing makes of a body, fed in reads of some sizes, the last one repeating."""

    def __init__(self, body: bytes, *sizes: int) -> None:
        self.lines, self.events = Lines(), Events()
        reader = json_array.create(ReadingRules(), self.lines, self.events)
        self.frames: list[bytes | Frame] = []
        at = number = 0
        while at < len(body):
            size = sizes[min(number, len(sizes) - 1)] if sizes else len(body)
            self.frames += reader.feed(body[at : at + size])
            at, number = at + size, number + 1
        self.early = len(self.frames)
        self.frames += reader.close()
        self.notes, self.marker = list(reader.notes), reader.marker
        self.body = body

    @property
    def data(self) -> list[bytes]:
        return [frame.data or b"" if isinstance(frame, Frame) else frame for frame in self.frames]

    @property
    def rows(self) -> list[bytes]:
        return [self.body[line.start : line.end] + line.eol for line in map(self.lines.__getitem__, self.numbers)]

    @property
    def numbers(self) -> range:
        return range(len(self.lines))

    def all(self) -> tuple[Any, ...]:
        lines, events = self.lines, self.events
        columns = (lines.starts, lines.eols, events.first_lines, events.flags, events.data_starts, events.data_ends)
        return self.frames, list(map(list, columns)), lines.size, self.notes, self.marker


ELEMENTS: list[tuple[bytes, list[bytes]]] = [
    (b'[{"a":1},{"a":2}]', [b'{"a":1}', b'{"a":2}']),
    (b'\xef\xbb\xbf \r\n[{"a":1}\r\n,\r\n{"a":2}\r\n]\r\n', [b'{"a":1}', b'{"a":2}']),
    (b"[" + LINE + b", " + LINE + b"]", [LINE, LINE]),
    (b'[{"a":"\\"]},{"},{"b":"\\\\"}]', [b'{"a":"\\"]},{"}', b'{"b":"\\\\"}']),
    (b'[{"a":1}, 7 ,"x]",null,[1,[2]],true]', [b'{"a":1}', b"7", b'"x]"', b"null", b"[1,[2]]", b"true"]),
    (b'[{"a":1}{"a":2}]', [b'{"a":1}', b'{"a":2}']),
    (b'[{"a":1},,{"a":2},]', [b'{"a":1}', b'{"a":2}']),
    (b'[{"a":1}][{"a":2}]', [b'{"a":1}', b'{"a":2}']),
    (b'[{"a":1}]\nupstream gone\n{"error":1}', [b'{"a":1}', b"upstream gone", b'{"error":1}']),
    (b'[{"a":1},\noops there\n,{"a":2}]', [b'{"a":1}', b"oops there", b'{"a":2}']),
    (b'[{"a":1},{"a":', [b'{"a":1}', b'{"a":']),
    (b'[{"a":1},{"a":"x\\', [b'{"a":1}', b'{"a":"x\\']),
    (b'[{"a":1}', [b'{"a":1}']),
    (b'[{"a":1}, nul ', [b'{"a":1}', b"nul"]),
    (b'[{"a":1}},{"a":2}]', [b'{"a":1}', b"}", b'{"a":2}']),
    (b'[{"a":' + b"[" * 512 + b"]" * 512 + b'},{"a":2}]', [b'{"a":' + b"[" * 512 + b"]" * 512 + b"}", b'{"a":2}']),
    (b"[]", []),
    (b"[", []),
    (b"", []),
]


@pytest.mark.parametrize(("body", "elements"), ELEMENTS)
def test_elements_are_events_whatever_the_reads(body: bytes, elements: list[bytes]) -> None:
    whole = Read(body)
    assert whole.data == elements
    for sizes in ((1,), (2,), (3,), (7,), (len(body) - 1, 1)):
        assert Read(body, *sizes).all() == whole.all()
    starts, ends = whole.events.data_starts, whole.events.data_ends
    assert [body[start:end] for start, end in zip(starts, ends, strict=True)] == elements


@pytest.mark.parametrize("at", [1, 5, 9])
def test_an_element_is_there_as_soon_as_it_is_complete(at: int) -> None:
    lines, events = Lines(), Events()
    reader = json_array.create(ReadingRules(), lines, events)
    body = b'[{"ab":12}'
    assert reader.feed(body[:at]) == []
    assert reader.feed(body[at:]) == [b'{"ab":12}']
    assert lines.starts[events.first_lines[0]] == 0


def test_a_word_waits_for_what_ends_it() -> None:
    assert Read(b"[{},12", 5, 1).early == 1
    assert Read(b"[{},12,", 5, 1).early == 2


@pytest.mark.parametrize(
    ("body", "rows", "firsts"),
    [
        (b'[{"a":1},{"a":2} ,{"a":3}]\n', [b'[{"a":1},', b'{"a":2} ,', b'{"a":3}]\n'], [0, 1, 2]),
        (b'[{\n"a":1}\n,\n{"a":2}\n]\n', [b"[{\n", b'"a":1}\n', b",\n", b'{"a":2}\n', b"]\n"], [0, 3]),
        (b'[\r\n{"a":1}\r\n,{"a":2},\r\n7]', [b"[\r\n", b'{"a":1}\r\n', b',{"a":2},\r\n', b"7]"], [0, 2, 3]),
        (b'[{"a":1}\r,{"a":2}\r\r]', [b'[{"a":1}\r', b',{"a":2}\r', b"\r", b"]"], [0, 1]),
        (b'[{"a":1},{\n"a":2}]', [b'[{"a":1},', b"{\n", b'"a":2}]'], [0, 1]),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_lines_are_cut_only_between_elements(body: bytes, rows: list[bytes], firsts: list[int], size: int) -> None:
    read = Read(body, size)
    assert read.rows == rows
    assert list(read.events.first_lines) == firsts


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        (b'[{"a":1}\n,{"a":2}]', []),
        (b'[{"a":1}{"a":2}]', [Note("json-invalid", 1, 8, 9, "no comma before element 1")]),
        (b'[{"a":1},,{"a":2}]', [Note("json-invalid", 1, 10, 11, "2 commas before element 1")]),
        (b'[,{"a":1}]', [Note("json-invalid", 0, 2, 3, "a comma before element 0")]),
        (b'[{"a":1},]', [Note("json-invalid", 0, 9, 10, "comma before ']'")]),
        (b'[{"a":1},', [Note("frame-cut", 0, 9, 9, "the array is not closed")]),
        (b'[{"a":1}][{"a":2}', [Note("frame-cut", 1, 17, 17, "the array is not closed")]),
    ],
)
def test_what_is_wrong_between_elements_is_noted(body: bytes, notes: list[Note]) -> None:
    assert Read(body).notes == notes
    assert Read(body, 1).notes == notes


def test_the_closing_bracket_is_the_end_marker() -> None:
    assert Read(b'[{"a":1},{"a":2}]').marker == ("]", 1)
    assert Read(b'[{"a":1}][{"a":2}]').marker == ("]", 0)
    assert Read(b'[{"a":"]"}').marker is None


def test_a_long_element_in_many_reads_is_kept_whole() -> None:
    element = json.dumps({"data": "x\\" * 20_000, "more": [{}] * 50}).encode()
    read = Read(b"[" + element + b",\n" + element + b"]", 1, 1, 999)
    assert read.data == [element, element]


PIECES = st.sampled_from(
    [
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"\\",
        b",",
        b"\n",
        b"\r",
        b" ",
        b"7",
        b'{"a":1}',
        b'{"b":[{"c":"}]"}]}',
        b"\xef\xbb\xbf",
    ]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=40), st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_any_cut_of_anything_gives_the_same(pieces: list[bytes], sizes: list[int]) -> None:
    body = b"[" + b"".join(pieces)
    whole = Read(body)
    assert Read(body, *sizes).all() == whole.all()
    assert b"".join(whole.rows) == body
    assert sorted(set(whole.events.first_lines)) == list(whole.events.first_lines)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6), st.sampled_from([None, 1, 3]), st.booleans(), st.integers(1, 40))
def test_elements_of_any_array_are_its_values(values: list[Any], indent: int | None, plain: bool, size: int) -> None:
    body = json.dumps(values, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    read = Read(body, size)
    assert [json.loads(data.decode("utf-8", "surrogatepass")) for data in read.data] == values
    assert read.notes == []
    assert read.marker is not None
