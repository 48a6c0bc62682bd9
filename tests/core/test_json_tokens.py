"""Where values end and which tokens they have, against the standard parser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.json_tokens import blank_end, scan, string_end, tokens, unquote

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda below: st.lists(below, max_size=5) | st.dictionaries(st.text(), below, max_size=5),
    max_leaves=20,
)
INDENTS = st.sampled_from([None, 0, 3])


@given(VALUES, INDENTS, st.booleans(), st.binary(max_size=4))
def test_a_value_ends_where_the_standard_parser_ends_it(
    value: Any, indent: int | None, ascii: bool, tail: bytes
) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii).encode()
    result = scan(data + b"]" + tail, 0)
    assert (result.end, result.done, result.odd) == (len(data), True, -1)


@pytest.mark.parametrize("count", [499, 500, 501, 2000])
@pytest.mark.parametrize(
    "opening, part, closing",
    [
        (b"[", b"1, ", b"2]"),
        (b"[", b'"a" ,', b"null]"),
        (b"{", b'"a": true,\n', b'"b":[]}'),
        (b"[[],", b"-1.5e3,", b"{}]"),
        (b'"', rb"\n", b'"'),
        (b'"', rb"\u00e4x", b'"'),
    ],
)
def test_long_runs_are_read_to_their_end(opening: bytes, part: bytes, closing: bytes, count: int) -> None:
    data = opening + part * count + closing
    assert scan(data, 0)[:2] == (len(data), True)
    assert scan(data[:-1], 0)[:2] == (len(data) - 1, False)


@pytest.mark.parametrize(
    "data, end, in_string",
    [
        (b'{"a":1,}', 7, False),
        (b"[1,]", 3, False),
        (b"[,1]", 1, False),
        (b"[1 2]", 3, False),
        (b"[1}", 2, False),
        (b'{"a" 1}', 5, False),
        (b"{1:2}", 1, False),
        (b"{,}", 1, False),
        (b'{"a":}', 5, False),
        (b'{"a":1 "b":2}', 7, False),
        (b"[01]", 2, False),
        (b"[1.]", 3, False),
        (b"[1.e3]", 3, False),
        (b"[-]", 2, False),
        (b"[+1]", 1, False),
        (b"[1e+]", 4, False),
        (b"[tru]", 4, False),
        (b"[truex]", 5, False),
        (b"[nul", 4, False),
        (b'["a\tb"]', 3, True),
        (b'["\\q"]', 3, True),
        (b'["\\u12g4"]', 6, True),
        (b'["a', 3, True),
        (b'["\\u12', 6, True),
        (b"['a']", 1, False),
        (b"\xef\xbb\xbf1", 0, False),
    ],
)
def test_a_broken_value_is_left_at_the_first_wrong_byte(data: bytes, end: int, in_string: bool) -> None:
    result = scan(data, 0)
    assert (result.end, result.done, result.in_string) == (end, False, in_string)


@pytest.mark.parametrize("data, odd", [(b"[NaN]", 1), (b"[1,-Infinity,NaN]", 3), (b'{"a": Infinity}', 6)])
def test_words_that_only_lenient_parsers_know_pass_and_are_reported(data: bytes, odd: int) -> None:
    assert scan(data, 0)[:3] == (len(data), True, odd)


def test_brackets_beyond_the_depth_are_not_entered() -> None:
    assert scan(b"[[[1]]]", 0, 3)[:2] == (7, True)
    deep = scan(b"[[[1]]]", 0, 2)
    assert (deep.end, deep.done, deep.deep) == (2, False, True)
    assert scan(b"[" * 100_000, 0)[:2] == (100_000, False)


def test_tokens_tell_keys_from_strings_and_skip_commas_and_colons() -> None:
    data = b' {"a" : ["b\\"", -1.5, NaN], "c":{}} true'
    kinds = [(chr(kind), data[start:end]) for kind, start, end in tokens(data)]
    assert kinds == [
        ("{", b"{"),
        (":", b'"a"'),
        ("[", b"["),
        ('"', b'"b\\""'),
        ("w", b"-1.5"),
        ("w", b"NaN"),
        ("]", b"]"),
        (":", b'"c"'),
        ("{", b"{"),
        ("}", b"}"),
        ("}", b"}"),
        ("w", b"true"),
    ]


@pytest.mark.parametrize("data, count", [(b"", 0), (b'["a', 1), (b"[1, @]", 2), (b'["a\n"]', 1)])
def test_tokens_end_where_there_is_none(data: bytes, count: int) -> None:
    assert len(list(tokens(data))) == count


@given(st.text())
def test_a_string_literal_says_what_the_standard_parser_says(text: str) -> None:
    for literal in (json.dumps(text).encode(), json.dumps(text, ensure_ascii=False).encode()):
        assert string_end(literal + b'"', 0) == (len(literal), True)
        assert unquote(literal) == text


def test_bytes_that_are_not_utf8_are_replaced_in_a_literal() -> None:
    assert unquote(b'"a\xff"') == "a\ufffd"
    assert unquote(b'"\\n\xff"') == "\n\ufffd"


def test_blanks_are_those_of_json() -> None:
    assert blank_end(b" \t\r\n\x0b1", 0) == 4
