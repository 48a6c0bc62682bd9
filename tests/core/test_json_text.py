"""Faults of payloads with their places, prefixes, and duplicate keys; the standard parser is the judge."""

from __future__ import annotations

import json
import math
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.core import json_text
from inspector_app.core.json_text import (
    DEPTH_LIMIT,
    duplicate_keys,
    is_prefix,
    loads,
    parse,
    quotes,
    strings,
    valid_to,
)
from inspector_app.core.pointer import escape

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda below: st.lists(below, max_size=5) | st.dictionaries(st.text(), below, max_size=5),
    max_leaves=20,
)
INDENTS = st.sampled_from([None, 1])
JSON_LIKE = st.lists(
    st.sampled_from(
        [*'{}[]",:\\ \n-+.01eEtnuf', "null", "true", '"a"', '"a":', "\\u00", "\\ud83d", "NaN", "Infinity", "é", "\x01"]
    ),
    max_size=12,
).map("".join)


def strict(text: str) -> Any:
    """What the standard parser reads, without the words it adds to JSON."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


def reads(text: str) -> bool:
    try:
        strict(text)
    except ValueError:
        return False
    return True


TAILS = [
    body + rest
    for body in [
        *("", "0", '"', '0"', '00"', '000"', '0000"', 'n"', '"":0', ":0", "}", "]"),
        *("rue", "ue", "e", "alse", "lse", "se", "ull", "ll", "l"),
    ]
    for rest in ("", ":0")
]


def can_go_on(text: str) -> bool:
    """Whether some text behind this one makes it JSON, found by trying."""
    closing: list[str] = []
    quoted = escaped = False
    for character in text:
        if quoted:
            quoted = escaped or character != '"'
            escaped = not escaped and character == "\\"
        elif character == '"':
            quoted = True
        elif character in "{[":
            closing.append("}" if character == "{" else "]")
        elif character in "}]" and closing:
            closing.pop()
    after = "".join(reversed(closing))
    return any(reads(text + tail + after[skip:]) for tail in TAILS for skip in (0, 1))


@pytest.mark.parametrize(
    "data, fault, at, values",
    [
        (b'{"a":1}', None, -1, [{"a": 1}]),
        (b" [1]\n  ", None, -1, [[1]]),
        (b"18446744073709551617", None, -1, [18446744073709551617]),
        (b"1" * 400, None, -1, [int("1" * 400)]),
        (b"", "invalid", 0, []),
        (b"  ", "invalid", 2, []),
        (b"[DONE]", "invalid", 1, []),
        (b'{"a":1,}', "invalid", 7, []),
        (b'{"a":1} x', "invalid", 8, []),
        (b'{"a":1}{"b":', "invalid", 7, []),
        (b'{"a":"b\nc"}', "invalid", 7, []),
        (b'{"a":nope}', "invalid", 6, []),
        (b'{"a":NaN,"b":', "invalid", 5, []),
        (b"[-Infinity", "invalid", 2, []),
        (b"01", "invalid", 1, []),
        (b"truefalse", "invalid", 4, []),
        (b"\xef\xbb\xbf{}", "invalid", 0, []),
        (b'{"a":1}{"b":2}', "roots", 7, [{"a": 1}, {"b": 2}]),
        (b'{"a":1}\n\n[2] 3', "roots", 9, [{"a": 1}, [2], 3]),
        (b'"a""b"', "roots", 3, ["a", "b"]),
        (b'{"a":"\\ud83d"} 18446744073709551617', "roots", 15, [{"a": "\ud83d"}, 18446744073709551617]),
        (b'{"a":', "cut", 5, []),
        (b'{"a":"\\ud8', "cut", 10, []),
        (b'{"a":"\xe4\xbd', "cut", 8, []),
        (b"[1.", "cut", 3, []),
        (b"nul", "cut", 3, []),
        (b'{"a":"x\\\\\\ud83d"}', "surrogate", 9, [{"a": "x\\\ud83d"}]),
        (b'["\\ud83d\\ude00\\uDE00"]', "surrogate", 14, [["😀\ude00"]]),
        (b'{"\\ud83d":"\\\\ud83d"}', "surrogate", 2, [{"\ud83d": "\\ud83d"}]),
        (b"[1, -Infinity]", "nonstandard", 4, [[1, -math.inf]]),
        (b"Infinity {}", "nonstandard", 0, [math.inf, {}]),
        (b'{"a":"\xff\\ud83d"}', "utf8", 6, [{"a": "\ufffd\ud83d"}]),
        (b'["\xed\xa0\xbd"]', "utf8", 2, [["\ufffd\ufffd\ufffd"]]),
        (b'["1e999",1e999]', "limit", 9, []),
        (b"[0.5, " + b"7" * 4301 + b"]", "limit", 6, []),
    ],
)
def test_a_payload_is_read_and_its_fault_placed(data: bytes, fault: str | None, at: int, values: list[Any]) -> None:
    parsed = parse(data)
    assert (parsed.fault, parsed.at, parsed.values) == (fault, at, values)
    assert bool(parsed.detail) == (fault is not None)


def test_nan_is_read_as_lenient_parsers_read_it() -> None:
    parsed = parse(b'{"a":NaN}')
    assert (parsed.fault, parsed.at, parsed.detail) == ("nonstandard", 5, "NaN is not JSON")
    assert math.isnan(parsed.values[0]["a"])


@pytest.mark.parametrize(
    "data, detail",
    [
        (b'{"a":1,\n}', "comma before '}'"),
        (b"{'a':1}", 'unexpected "\'"'),
        (b'["a\tb"]', "raw control character U+0009 in a string"),
        (b'["a\\qb"]', r"wrong escape \q in a string"),
        (b'["\\u12\xc3\xa4"]', r"wrong escape \u12ä in a string"),
        (b"{} {]", "'{' after the end of the value"),
        (b'{"a":"b', "cut inside a string"),
        (b'{"a":', "cut before the end of the value"),
        (b"[1][2][3]", "3 values"),
        (b'"\\ud83dx"', r"\ud83d has no other half"),
        (b'"\xff"', "byte 0xFF is not UTF-8"),
    ],
)
def test_a_fault_says_what_it_is(data: bytes, detail: str) -> None:
    assert parse(data).detail == detail


@pytest.mark.parametrize(
    "data, limits, at, detail",
    [
        (b'["' + b"a" * 20 + b'"]', {"limit": 20}, 20, "24 bytes, limit 20"),
        (b"[[[1]]]", {"depth": 2}, 2, "nested deeper than 2"),
        (b'{"a":{"b":[]}}', {"depth": 2}, 10, "nested deeper than 2"),
        (b"[" * 257 + b"]" * 257, {}, 256, "nested deeper than 256"),
        (b"[" * 200_000, {}, 256, "nested deeper than 256"),
        (b"[1e400]", {}, 1, "a number of 5 characters that no parser holds"),
    ],
)
def test_a_limit_names_itself_and_its_place(data: bytes, limits: dict[str, int], at: int, detail: str) -> None:
    assert parse(data, **limits) == ([], "limit", at, detail)


def test_a_payload_of_more_values_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "ROOTS_LIMIT", 3)
    assert parse(b"1 2 3").values == [1, 2, 3]
    assert parse(b"1 2 3 4 5")[:3] == ([], "limit", 6)


def nesting(value: Any) -> int:
    depth = 0
    while isinstance(value, list | dict):
        depth += 1
        value = next(iter(value.values() if isinstance(value, dict) else value), None)
    return depth


@pytest.mark.parametrize("depth", [100, DEPTH_LIMIT])
def test_what_the_fast_parser_takes_by_depth_the_slow_one_takes(depth: int) -> None:
    opening = (b"[" * (depth // 2)) + b'{"a":' * (depth // 2)
    closing = b"}" * (depth // 2) + b"]" * (depth // 2)
    assert nesting(parse(opening + b"1" + closing).values[0]) == depth
    slow = parse(opening + b'"\\udc00"' + closing)
    assert (slow.fault, nesting(slow.values[0])) == ("surrogate", depth)
    assert nesting(loads((opening + b"18446744073709551617" + closing).decode())) == depth


def test_a_raised_depth_is_reached_without_recursion() -> None:
    parsed = parse(b"[" * 100_000 + b'{"a":"b"}' + b"]" * 100_000, depth=200_000)
    assert (parsed.fault, nesting(parsed.values[0])) == (None, 100_001)
    # Level by level, so that the end of the test does not recurse either.
    value = parsed.values.pop()
    while isinstance(value, list):
        value = value.pop()
    assert value == {"a": "b"}


@given(VALUES, INDENTS)
def test_both_decoders_build_the_same_value(value: Any, indent: int | None) -> None:
    assert json_text._build(json.dumps([value], indent=indent)) == [value]


@given(st.binary())
@example(b'"\\u')
@example(b"-")
@example(b'{"\xff":[')
def test_parse_takes_anything(data: bytes) -> None:
    assert parse(data).fault in (None, "invalid", "roots", "cut", "surrogate", "nonstandard", "utf8", "limit")


@given(JSON_LIKE)
def test_a_payload_without_fault_is_what_the_standard_parser_reads(text: str) -> None:
    parsed = parse(text.encode())
    assert (parsed.fault in (None, "surrogate")) == reads(text)
    if parsed.fault is None:
        assert parsed.values == [strict(text)]
    if parsed.fault in ("invalid", "cut"):
        assert parsed.values == []
        assert (parsed.fault == "cut") == is_prefix(text)


@given(JSON_LIKE)
def test_the_valid_part_is_the_longest_that_can_go_on(text: str) -> None:
    end = valid_to(text)
    assert can_go_on(text[:end])
    assert end == len(text) or not can_go_on(text[: end + 1])


@given(VALUES, INDENTS, st.booleans(), st.data())
def test_every_proper_prefix_is_one(value: Any, indent: int | None, ascii: bool, data: st.DataObject) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    for size in range(1, len(text)):
        assert is_prefix(text[:size]), text[:size]
    assert parse(text.encode()[: data.draw(st.integers(0, len(text.encode())))]).fault in (None, "cut", "invalid")
    at = data.draw(st.integers(0, len(text)))
    broken = f"{text[:at]}\x01{text[at:]}"
    assert valid_to(broken) == at
    assert valid_to(broken.encode()) == len(text[:at].encode())
    assert not is_prefix(broken)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", False),
        (" \n", False),
        ("{}", False),
        ('"a"', False),
        ("true", False),
        ("12", True),
        ("12 ", False),
        ("-", True),
        (' {"a"', True),
        ('{"a": tru', True),
        ('{"a":1}{', False),
        ("[NaN,", False),
        ('"\ud83d', True),
        (b'"\xe4\xbd', True),
        ("[" * 100_000, True),
        ("x", False),
    ],
)
def test_what_counts_as_a_prefix(text: str | bytes, expected: bool) -> None:
    assert is_prefix(text) is expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ('{"a":1} \n', 9),
        ('{"a":1} {"b":2}', 8),
        ('{"ä":"\ud83d"}x', 9),
        ("[NaN]", 1),
        ("[-Infinity]", 2),
        ("  ", 2),
    ],
)
def test_how_far_text_is_valid(text: str, expected: int) -> None:
    assert valid_to(text) == expected


@pytest.mark.parametrize(
    "text, value",
    [
        ('{"a": 1}', {"a": 1}),
        ("{}", {}),
        ('"\\ud83d"', "\ud83d"),
        ('["\ud83d", 12345678901234567890123]', ["\ud83d", 12345678901234567890123]),
        ("-0.5e1", -5.0),
    ],
)
def test_arguments_are_read_exactly(text: str, value: Any) -> None:
    assert loads(text) == value


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "from character 0"),
        ('{"a":1}{"b":2}', "from character 7"),
        ('{"a":"é", "b":tru', "from character 17"),
        ("[NaN]", "from character 1"),
        ("[" * 257 + "]" * 257, "nested deeper than 256"),
        ("[1e999]", "beyond the range"),
        ("9" * 4301, "4300"),
    ],
)
def test_arguments_that_are_not_json_raise_value_error(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        loads(text)


@given(VALUES, INDENTS)
def test_arguments_agree_with_the_standard_parser(value: Any, indent: int | None) -> None:
    assert loads(json.dumps(value, indent=indent)) == value


DOCUMENTS = st.recursive(
    st.none() | st.integers(0, 9) | st.text(alphabet='ab"\\é', max_size=3),
    lambda below: (
        st.lists(below, max_size=4)
        | st.lists(st.tuples(st.sampled_from(["a", "b", "a/b", "é", '"', "\\"]), below), max_size=4).map(tuple)
    ),
    max_leaves=12,
)
"""Values whose objects are tuples of pairs, so a key can come twice."""


def written(document: Any, ascii: bool) -> str:
    if isinstance(document, tuple):
        pairs = (f"{json.dumps(key, ensure_ascii=ascii)} : {written(value, ascii)}" for key, value in document)
        return "{" + ",".join(pairs) + "}"
    if isinstance(document, list):
        return "[" + " , ".join(written(value, ascii) for value in document) + "]"
    return json.dumps(document, ensure_ascii=ascii)


def repeats(document: Any, path: str = "") -> list[str]:
    """Pointers of the keys that come again, in the order of the text."""
    if isinstance(document, list):
        return [found for n, value in enumerate(document) for found in repeats(value, f"{path}/{n}")]
    found = []
    seen = set()
    for key, value in document if isinstance(document, tuple) else ():
        pointer = f"{path}/{escape(key)}"
        found += [pointer] * (key in seen)
        seen.add(key)
        found += repeats(value, pointer)
    return found


@given(DOCUMENTS, st.booleans())
@example((("a", (("a", "x"), ("a", 1))), ("a", [(("b", 1), ("b", 2))])), True)
def test_duplicate_keys_are_found_where_they_were_built_in(document: Any, ascii: bool) -> None:
    data = written(document, ascii).encode()
    expected = repeats(document)
    found = duplicate_keys(data)
    assert [pointer for pointer, _, _ in found] == expected
    for pointer, start, end in found:
        assert escape(json.loads(data[start:end])) == pointer.rpartition("/")[2]
    assert (quotes(data) != 2 * strings(orjson.loads(data))) == bool(expected)


def test_keys_are_equal_when_they_say_the_same() -> None:
    data = b'{"a":1,"\\u0061":2}'
    assert duplicate_keys(data) == [("/a", 7, 15)]
    assert quotes(data) != 2 * strings(orjson.loads(data))


def test_duplicate_keys_of_several_roots_and_of_broken_text() -> None:
    assert duplicate_keys(b'{"a":1} {"a":1}') == []
    assert duplicate_keys(b'{"a":1,"a":2}]{"b":1,"b":1}') == [("/a", 7, 10)]
    assert duplicate_keys(b'["a":1,"a":2]') == []


def test_duplicate_keys_stop_at_the_most_that_is_wanted() -> None:
    assert len(duplicate_keys(b"{" + b'"a":1,' * 20 + b'"a":1}', most=5)) == 5


@pytest.mark.parametrize(
    "data, count",
    [(b'{"a":"b"}', 4), (rb'["\"", "\\", "\\\""]', 6), (rb'"\\\\"', 2), (b"[1]", 0)],
)
def test_quotes_that_delimit_strings(data: bytes, count: int) -> None:
    assert quotes(data) == count
    assert count == 2 * strings(orjson.loads(data))
