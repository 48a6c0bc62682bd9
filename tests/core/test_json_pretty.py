"""Indented JSON is the same JSON, byte for byte between the breaks."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.json_pretty import DEEPEST, count_values, indented

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_what_python_would_print(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    expected = json.dumps(value, ensure_ascii=ascii_only, indent=2).encode("utf-8", "surrogatepass")
    assert indented(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        (b'{"a":1.0,"a":1e400}', b'{\n  "a": 1.0,\n  "a": 1e400\n}'),
        (b" [ ] ", b"[]"),
        (b'{"a":1}\n{"b":[]}', b'{\n  "a": 1\n}\n{\n  "b": []\n}'),
        (b'"\\u00e9\xff"', b'"\\u00e9\xff"'),
        (b"", None),
        (b'{"a":', None),
        (b"[DONE]", None),
        (b"{} x", None),
        (b"[" * (DEEPEST + 2) + b"]" * (DEEPEST + 2), None),
    ],
)
def test_every_byte_stays(text: bytes, expected: bytes | None) -> None:
    assert indented(text) == expected


@pytest.mark.parametrize("text, count", [(b" {} ", 1), (b"1 2", 2), (b"1,2", 0), (b"", 0), (b"{}x", 0), (b"[1", 0)])
def test_values_are_counted_only_where_there_is_nothing_else(text: bytes, count: int) -> None:
    assert count_values(text) == count
