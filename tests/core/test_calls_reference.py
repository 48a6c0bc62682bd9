"""Fragments of tool calls to blocks, as the reference reads them (dialects.md 5.4, R15-R29)."""

from __future__ import annotations

import pytest

from inspector_app.core.calls import ABSENT
from tests.core.calls_data import MADE_UP, A, B, Element, el, read

# Deltas -> (id, name, arguments) of each call, rules that are noted.
REFERENCE_CASES: dict[str, tuple[list[list[Element]], list[tuple[str | None, str | None, str]], list[str]]] = {
    "official: two calls in pieces": (
        [[el(0, "", id="a", name="f")], [el(0, '{"x"')], [el(0, ":1}")], [el(1, "", id="b", name="g")], [el(1, "{}")]],
        [("a", "f", '{"x":1}'), ("b", "g", "{}")],
        [],
    ),
    "pieces of two calls interleaved": (
        [
            [el(0, "", id="a", name="f")],
            [el(1, "", id="b", name="g")],
            [el(0, "{")],
            [el(1, "{")],
            [el(0, "}")],
            [el(1, "}")],
        ],
        [("a", "f", "{}"), ("b", "g", "{}")],
        ["tool-args-interleaved", "tool-args-interleaved"],
    ),
    "Qwen: empty ids on continuations, empty last delta": (
        [[el(0, "", id="a", name="f")], [el(0, '{"x":', id="")], [el(0, "1}", id="")], [el(0, "", id="")]],
        [("a", "f", '{"x":1}')],
        [],
    ),
    "LM Studio: empty names on continuations": (
        [[el(0, "", id="a", name="f")], [el(0, '{"x":', name="")], [el(0, "1}", name="")]],
        [("a", "f", '{"x":1}')],
        [],
    ),
    "Mistral: whole calls, no index, no type": (
        [[el(args=A, id="a", name="f", type=ABSENT), el(args=B, id="b", name="f", type=ABSENT)]],
        [("a", "f", A), ("b", "f", B)],
        ["tool-type-missing", "tool-type-missing"],
    ),
    "Gemini: no index, a whole call per delta, then a delta with metadata only": (
        [[el(args=A, id="a", name="f")], [el(args=B, id="b", name="f")], [el()]],
        [("a", "f", A), ("b", "f", B)],
        [],
    ),
    "Gemini: no index, no id": (
        [[el(args=A, name="f")], [el(args=B, name="f")]],
        [(None, "f", A), (None, "f", B)],
        [],
    ),
    "index 0 for all, with ids": (
        [[el(0, A, id="a", name="f")], [el(0, B, id="b", name="f")], [el(0, "", id="c", name="g")], [el(0, "{}")]],
        [("a", "f", A), ("b", "f", B), ("c", "g", "{}")],
        ["tool-index-reused", "tool-index-reused"],
    ),
    "index 0 for all, without ids: other name": (
        [[el(0, A, name="f")], [el(0, B, name="g")]],
        [(None, "f", A), (MADE_UP, "g", B)],
        ["tool-args-second-root"],
    ),
    "index 0 for all, without ids: same name": (
        [[el(0, A, name="f")], [el(0, B, name="f")], [el(0, '{"z":', name="f")], [el(0, "3}")]],
        [(None, "f", A), (MADE_UP, "f", B), (MADE_UP, "f", '{"z":3}')],
        ["tool-args-second-root", "tool-args-second-root"],
    ),
    "index 0 for all, without id and name": (
        [[el(0, A, id="", name="f")], [el(0, '{"port"', id="", name="")], [el(0, ':"Hull"}', id="", name="")]],
        [("", "f", A), (MADE_UP, "", B)],
        ["tool-args-second-root"],
    ),
    "index starts at 1": (
        [[el(1, "", id="a", name="f")], [el(1, "{}")], [el(4, "{}", id="b", name="g")]],
        [("a", "f", "{}"), ("b", "g", "{}")],
        [],
    ),
    "indexes that are no integers": (
        [[el("0", "", id="a", name="f")], [el(0.0, "{")], [el("0", "}")]],
        [("a", "f", "{}")],
        [],
    ),
    "Kimi ids": (
        [
            [el(0, "", id="functions.search:0", name="search")],
            [el(0, "{}")],
            [el(1, "{}", id="functions.search:1", name="search")],
        ],
        [("functions.search:0", "search", "{}"), ("functions.search:1", "search", "{}")],
        [],
    ),
    "null where nothing is meant": (
        [[el(0, None, id="a", name="f")], [el(0, "{", id=None, name=None)], [el(0, None)], [el(0, "}")]],
        [("a", "f", "{}")],
        [],
    ),
    "id null on the second call": (
        [[el(0, A, id="a", name="f")], [el(1, B, id=None, name="f")]],
        [("a", "f", A), (None, "f", B)],
        [],
    ),
    "id, name and arguments in three deltas, empty ones between": (
        [[el(0, id="a")], [el(0, "", id="", name="")], [el(0, name="f")], [el(0, "", id="", name="")], [el(0, "{}")]],
        [("a", "f", "{}")],
        ["tool-name-late"],
    ),
    "name in the last fragment": (
        [[el(0, '{"cmd": ', id="a")], [el(0, '"sort ')], [el(0, 'list"}', name="shell")]],
        [("a", "shell", '{"cmd": "sort list"}')],
        ["tool-name-late"],
    ),
    "name in pieces": (
        [[el(0, id="a", name="get_")], [el(0, name="weather")], [el(0, "{}")]],
        [("a", "get_weather", "{}")],
        ["tool-name-late"],
    ),
    "id and name repeated": (
        [[el(0, "", id="a", name="f")], [el(0, "{", id="a", name="f")], [el(0, "}", id="a", name="f")]],
        [("a", "f", "{}")],
        ["tool-id-repeated", "tool-name-repeated"] * 2,
    ),
    "id late": (
        [[el(0, "", name="f")], [el(0, "{", id="a")], [el(0, "}")]],
        [("a", "f", "{}")],
        [],
    ),
    "id late, no index": (
        [[el(args="", name="f")], [el(id="a")], [el(args="{}")]],
        [("a", "f", "{}")],
        [],
    ),
    "name late, no index": (
        [[el(args="", id="a")], [el(name="f")], [el(args="{}")]],
        [("a", "f", "{}")],
        ["tool-name-late"],
    ),
    "only the second call has an id, both index 0": (
        [[el(0, A, name="f")], [el(0, B, id="b", name="g")]],
        [(None, "f", A), ("b", "g", B)],
        ["tool-args-second-root"],
    ),
    "another id on every fragment": (
        [[el(0, "", id="r1", name="f")], [el(0, '{"x', id="r2")], [el(0, '":1}', id="r3")]],
        [("r1", "f", '{"x":1}')],
        ["tool-id-rotated", "tool-id-rotated"],
    ),
    "another id without a name, held arguments complete": (
        [[el(0, A, id="a", name="f")], [el(0, id="b")], [el(0, B, name="g")]],
        [("a", "f", A), ("b", "g", B)],
        ["tool-index-reused", "tool-name-late"],
    ),
    "known id under another index": (
        [[el(0, "", id="a", name="f")], [el(1, "", id="b", name="g")], [el(1, "{}", id="a")], [el(1, "")]],
        [("a", "f", "{}"), ("b", "g", "")],
        ["tool-index-remapped", "tool-id-repeated"],
    ),
    "an id that came without index gets one": (
        [[el(args="", id="a", name="f")], [el(0, "{", id="a")], [el(0, "}")]],
        [("a", "f", "{}")],
        ["tool-id-repeated"],
    ),
    "arguments without index go to the latest": (
        [
            [el(args="", id="a", name="f")],
            [el(args="{")],
            [el(args="}")],
            [el(args="", id="b", name="g")],
            [el(args="{}")],
        ],
        [("a", "f", "{}"), ("b", "g", "{}")],
        [],
    ),
    "several without index in one delta, continued by position": (
        [
            [el(args="", id="a", name="f"), el(args="", id="b", name="g")],
            [el(args='{"x":'), el(args='{"y":')],
            [el(args="1}"), el(args="2}")],
        ],
        [("a", "f", '{"x":1}'), ("b", "g", '{"y":2}')],
        ["tool-args-interleaved", "tool-args-interleaved"],
    ),
    "start and fragment of one call in one delta": (
        [[el(args="", id="a", name="f"), el(args="{")], [el(args="}")]],
        [("a", "f", "{}")],
        [],
    ),
    "growing arguments": (
        [[el(0, "", id="a", name="f")], [el(0, '{"q')], [el(0, '{"q":"owl')], [el(0, '{"q":"owl","max":5}')]],
        [("a", "f", '{"q":"owl","max":5}')],
        ["tool-args-repeated"],
    ),
    "the whole arguments again at the end": (
        [[el(0, "", id="a", name="f")], [el(0, '{"x":')], [el(0, "1}")], [el(0, '{"x":1}', name="f")], [el(0, "")]],
        [("a", "f", '{"x":1}')],
        ["tool-args-repeated", "tool-name-repeated"],
    ),
    "the same arguments three times under a known id": (
        [[el(0, A, id="a", name="f")], [el(0, A, id="a")], [el(0, A, id="a")]],
        [("a", "f", A)],
        ["tool-args-repeated", "tool-id-repeated", "tool-args-repeated", "tool-id-repeated"],
    ),
    "a copy and then another call": (
        [[el(0, A, name="f")], [el(0, A)], [el(0, "\n")], [el(0, B, name="f")]],
        [(None, "f", A), (MADE_UP, "f", B)],
        ["tool-args-repeated", "tool-args-second-root"],
    ),
    "a placeholder before the arguments": (
        [[el(0, "{}", id="a", name="f")], [el(0, '{"x":')], [el(0, "1}")], [el(0, B)]],
        [("a", "f", '{"x":1}'), (MADE_UP, None, B)],
        ["tool-args-second-root", "tool-args-second-root"],
    ),
    "a placeholder in one fragment with what follows": (
        [[el(0, '{}{"x":1}', id="a", name="f")]],
        [("a", "f", '{"x":1}')],
        ["tool-args-second-root"],
    ),
    "the placeholder alone": ([[el(0, "{}", id="a", name="f")]], [("a", "f", "{}")], []),
    "the placeholder twice": (
        [[el(0, "{}", id="a", name="f")], [el(0, "{}")]],
        [("a", "f", "{}")],
        ["tool-args-repeated"],
    ),
    "second roots inside the fragments, the last one cut": (
        [[el(0, '{"a"', id="a", name="f")], [el(0, ':1}{"b":2} {"c"')], [el(0, ":")]],
        [("a", "f", '{"a":1}'), (MADE_UP, None, '{"b":2} '), (MADE_UP, None, '{"c":')],
        ["tool-args-second-root", "tool-args-second-root"],
    ),
    "arrays as roots": (
        [[el(0, "[1]", id="a", name="f")], [el(0, "[2]")]],
        [("a", "f", "[1]"), (MADE_UP, None, "[2]")],
        ["tool-args-second-root"],
    ),
    "other text behind the arguments is no second root": (
        [[el(0, '{"a":1}', id="a", name="f")], [el(0, " and {so on")]],
        [("a", "f", '{"a":1} and {so on')],
        [],
    ),
    "objects inside arrays are no second root": (
        [[el(0, "[", id="a", name="f")], [el(0, "{}")], [el(0, ",")], [el(0, '{"x":"}"}')], [el(0, "]")]],
        [("a", "f", '[{},{"x":"}"}]')],
        [],
    ),
    "a brace inside a string is no second root": (
        [[el(0, '{"x":"}', id="a", name="f")], [el(0, "{")], [el(0, '\\"}')], [el(0, '{"}')]],
        [("a", "f", '{"x":"}{\\"}{"}')],
        [],
    ),
    "arguments as an object": (
        [[el(0, {"command": "ls -l", "at": ["é", None]}, id="a", name="shell")]],
        [("a", "shell", '{"command":"ls -l","at":["é",null]}')],
        [],
    ),
    "an object that grows": (
        [[el(0, {"x": "a"}, id="a", name="f")], [el(0, {"x": "ab"})], [el(0, {"x": "ab", "y": [1]})]],
        [("a", "f", '{"x":"ab","y":[1]}')],
        ["tool-args-repeated"],
    ),
    "an object, then a different one": (
        [[el(0, {"x": 1}, name="f")], [el(0, {"x": 2}, name="f")]],
        [(None, "f", '{"x":1}'), (MADE_UP, "f", '{"x":2}')],
        ["tool-args-second-root"],
    ),
    "an empty object, then one with content": (
        [[el(0, {}, id="a", name="f")], [el(0, {"x": 1})]],
        [("a", "f", '{"x":1}')],
        ["tool-args-second-root"],
    ),
    "no arguments": ([[el(0, "", id="a", name="f")], [el(0, "")]], [("a", "f", "")], []),
    "elements that say nothing open nothing": (
        [[el(0, "", id="", name="")], [el()], [el(0, None, id=None)]],
        [],
        [],
    ),
    "free text of a custom tool": (
        [[el(0, A, id="a", name="f", type="custom")], [el(0, B)]],
        [("a", "f", A + B)],
        [],
    ),
    "half a character at the end of a fragment": (
        [[el(0, '{"x":"\ud83d', id="a", name="f")], [el(0, "")], [el(0, '\ude00"}')]],
        [("a", "f", '{"x":"\U0001f600"}')],
        ["text-split-surrogate"],
    ),
    "half a character that stays alone": (
        [[el(0, '{"x":"\ud83d', id="a", name="f")], [el(0, "-")], [el(0, '\ude00"}')]],
        [("a", "f", '{"x":"\ud83d-\ude00"}')],
        [],
    ),
}


@pytest.mark.parametrize("deltas, calls, rules", REFERENCE_CASES.values(), ids=REFERENCE_CASES)
def test_reference(
    deltas: list[list[Element]], calls: list[tuple[str | None, str | None, str]], rules: list[str]
) -> None:
    result = read(deltas)
    assert (result.calls, result.rules) == (calls, rules)
