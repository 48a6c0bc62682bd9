"""Fragments of tool calls to blocks: the reference (dialects.md 5.4, R15-R29) and readers that differ (22.2, 22.3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.calls import ABSENT, Calls, ClientError, Fragment, outcome
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block

REFERENCE = ReadingRules()

OPENAI_PYTHON = ReadingRules(
    tool_key="index", index_as_position="error", id_policy="concat", name_policy="concat", empty_args="text", repairs=()
)
OPENAI_NODE = ReadingRules(
    tool_key="index", index_missing="drop", index_as_position="error-at-end", id_policy="last", name_policy="last",
    missing_id="made-up", args_object="js-text", empty_args="text", repairs=(),
)  # fmt: skip
AI_SDK = ReadingRules(
    tool_key="index-name", index_not_integer="part", name_policy="first", missing_id="made-up",
    missing_name="skip-empty", repairs=(),
)  # fmt: skip
PYDANTIC_AI = ReadingRules(
    tool_key="index", id_policy="last", name_policy="concat", missing_id="made-up", empty_args="text", repairs=()
)
LITELLM = ReadingRules(
    tool_key="index", index_missing="zero", id_policy="last", name_policy="last", missing_id="drop-call", repairs=()
)
PANEL = ReadingRules(
    tool_key="index", index_missing="zero", id_policy="non-null-overwrite", name_policy="concat", args_object="drop",
    empty_args="text", repairs=(),
)  # fmt: skip
CLIENTS = {
    "openai-python": OPENAI_PYTHON,
    "openai-node": OPENAI_NODE,
    "ai-sdk": AI_SDK,
    "pydantic-ai": PYDANTIC_AI,
    "litellm": LITELLM,
    "panel": PANEL,
}

MADE_UP = "(made up)"

Element = dict[str, Any]


def el(
    index: Any = ABSENT, args: Any = ABSENT, *, id: Any = ABSENT, name: Any = ABSENT, type: Any = "function"
) -> Element:
    """An element of `tool_calls`; what is not given is not on the wire."""
    return {"index": index, "arguments": args, "id": id, "name": name, "type": type}


class Result(NamedTuple):
    blocks: list[Block]
    notes: list[tuple[str, int, int | None]]
    """Rule, event, block."""
    error: tuple[str, bool] | None

    @property
    def calls(self) -> list[tuple[str | None, str | None, str]]:
        """Id (or that it was made up), name and arguments of each call."""
        return [
            (MADE_UP if "id_made_up" in b.fields else b.fields["id"], b.fields["name"], b.text) for b in self.blocks
        ]

    @property
    def rules(self) -> list[str]:
        return [rule for rule, _, _ in self.notes]


class Stream:
    """One choice: `deltas` takes arrays of elements as the assembler does, each from an event of its own."""

    def __init__(self, rules: ReadingRules = REFERENCE, tools: tuple[str, ...] = (), fast: bool = True) -> None:
        self.blocks: list[Block] = []
        self.notes: list[tuple[str, int, int | None]] = []
        self.calls = Calls(rules, 0, self.open, self.note, tools)
        self.fast = fast
        self.event = 0
        self.numbers = 0
        self.given: list[tuple[int, Any]] = []
        """Delta number and wire arguments, in order."""

    def open(self, event: int) -> Block:
        block = Block(len(self.blocks), "tool_call", 0, event, event)
        self.blocks.append(block)
        return block

    def note(self, rule: str, event: int, pointer: str, block: Block | None, detail: str) -> None:
        assert pointer.startswith("/choices/0/delta/")
        self.notes.append((rule, event, None if block is None else block.n))

    def number(self, arguments: Any = None) -> int:
        self.numbers += 1
        self.given.append((self.numbers - 1, arguments))
        return self.numbers - 1

    def delta(self, elements: list[Element]) -> list[Block | None]:
        found = []
        for position, element in enumerate(elements):
            starts = element["id"] is not ABSENT or element["name"] is not ABSENT or element["arguments"] is ABSENT
            start_delta = self.number() if starts else None
            args_delta = None if element["arguments"] is ABSENT else self.number(element["arguments"])
            block = None
            if self.fast and not starts and args_delta is not None:
                block = self.calls.same(self.event, element["index"], element["arguments"], args_delta)
            if block is None:
                pointer = f"/choices/0/delta/tool_calls/{position}"
                fragment = Fragment(
                    event=self.event, pointer=pointer, position=position, count=len(elements),
                    start_delta=start_delta, args_delta=args_delta,
                    kind="custom" if element["type"] == "custom" else "function", **element,
                )  # fmt: skip
                block = self.calls.fragment(fragment)
            found.append(block)
        self.event += 1
        return found


def read(deltas: list[list[Element]], rules: ReadingRules = REFERENCE, tools: tuple[str, ...] = ()) -> Result:
    """Read a choice whole; with the short way and without it the answer must be the same."""
    results = []
    for fast in (True, False):
        stream = Stream(rules, tools, fast)
        error = None
        try:
            for elements in deltas:
                stream.delta(elements)
            stream.calls.end()
        except ClientError as raised:
            error = (raised.message, raised.ends)
        blocks = [block for block in stream.blocks if not any(block is dropped for dropped in stream.calls.dropped)]
        results.append(Result(blocks, stream.notes, error))
        for block in stream.blocks:
            assert len(block.fragments) == len(block.deltas)
    assert results[0] == results[1]
    return results[0]


A, B = '{"port":"Bergen"}', '{"port":"Hull"}'

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


def alike(calls: list[tuple[str | None, str | None, str]], *clients: str) -> dict[str, Any]:
    """The same reading for these clients, all if none is named."""
    return dict.fromkeys(clients or CLIENTS, calls)


# What the measured clients make of the tool rows of dialects.md 22.3, as far as tool keys say it.
GLUED = A + B
ROWS: dict[str, tuple[list[list[Element]], dict[str, Any]]] = {
    "index missing, one call per chunk": (
        [[el(args=A, id="a", name="f")], [el(args=B, id="b", name="f")]],
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", A), ("b", "f", B)],
            "pydantic-ai": [("a", "f", A), ("b", "f", B)],
            "litellm": [("b", "f", GLUED)],
            "panel": [("b", "ff", GLUED)],
        },
    ),
    "index missing, two in one delta": (
        [[el(args=A, id="a", name="f"), el(args=B, id="b", name="f")]],
        # LiteLLM counts within the delta here; `zero` is the nearest value of the key.
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", A), ("b", "f", B)],
            "pydantic-ai": [("a", "f", A), ("b", "f", B)],
        },
    ),
    "index missing, args fragmented": (
        [[el(args="", id="a", name="f")], [el(args='{"x":')], [el(args="1}")]],
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", '{"x":1}')],
            "pydantic-ai": [("a", "f", '{"x":1}')],
            "litellm": [("a", "f", '{"x":1}')],
        },
    ),
    "index missing, second of two calls fragmented": (
        [[el(args=A, id="a", name="f")], [el(args="", id="b", name="g")], [el(args=B)]],
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", A), ("b", "g", "")],
            "pydantic-ai": [("a", "f", A), ("b", "g", B)],
        },
    ),
    "same index, new id": (
        [[el(0, A, id="a1", name="f")], [el(0, B, id="a2", name="f")]],
        {
            "openai-python": [("a1a2", "ff", GLUED)],
            "openai-node": [("a2", "f", GLUED)],
            "ai-sdk": [("a1", "f", A), ("a2", "f", B)],
            "pydantic-ai": [("a2", "ff", GLUED)],
            "litellm": [("a2", "f", GLUED)],
        },
    ),
    "same index, new id, in fragments": (
        [[el(0, "", id="a1", name="f")], [el(0, A)], [el(0, "", id="a2", name="f")], [el(0, B)]],
        {"ai-sdk": [("a1", "f", GLUED)]},
    ),
    "index starts at 1": (
        [[el(1, "", id="a", name="f")], [el(1, "{}")]],
        {
            "openai-python": ("IndexError: list index out of range", True),
            "openai-node": ("TypeError: the list of tool calls has a hole", True),
            "ai-sdk": [("a", "f", "{}")],
            "pydantic-ai": [("a", "f", "{}")],
            "litellm": [("a", "f", "{}")],
        },
    ),
    'index is "0"': (
        [[el("0", "{}", id="a", name="f")]],
        {
            "openai-python": [("a", "f", "{}")],
            "openai-node": [("a", "f", "{}")],
            "ai-sdk": ("the index of a tool call is no integer: '0'", False),
            "pydantic-ai": [("a", "f", "{}")],
            "litellm": [("a", "f", "{}")],
        },
    ),
    "id repeated": (
        [[el(0, "{", id="a1", name="f")], [el(0, "}", id="a1")]],
        {
            "openai-python": [("a1a1", "f", "{}")],
            "openai-node": [("a1", "f", "{}")],
            "ai-sdk": [("a1", "f", "{}")],
            "pydantic-ai": [("a1", "f", "{}")],
            "litellm": [("a1", "f", "{}")],
        },
    ),
    "id changes per fragment": (
        [[el(0, "{", id="r1", name="f")], [el(0, "}", id="r2")]],
        {
            "openai-python": [("r1r2", "f", "{}")],
            "openai-node": [("r2", "f", "{}")],
            "ai-sdk": [("r1", "f", "{}")],
            "pydantic-ai": [("r2", "f", "{}")],
            "litellm": [("r2", "f", "{}")],
        },
    ),
    "id never given": (
        [[el(0, "{", name="f")], [el(0, "}")]],
        {
            "openai-python": [(None, "f", "{}")],
            "openai-node": [(MADE_UP, "f", "{}")],
            "ai-sdk": [(MADE_UP, "f", "{}")],
            "pydantic-ai": [(MADE_UP, "f", "{}")],
            "litellm": [],
        },
    ),
    "name repeated": (
        [[el(0, "{", id="a", name="f")], [el(0, "}", name="f")]],
        {
            "openai-python": [("a", "ff", "{}")],
            "openai-node": [("a", "f", "{}")],
            "ai-sdk": [("a", "f", "{}")],
            "pydantic-ai": [("a", "ff", "{}")],
            "litellm": [("a", "f", "{}")],
        },
    ),
    "name late": (
        [[el(0, "{", id="a")], [el(0, "}", name="f")]],
        alike([("a", "f", "{}")]),
    ),
    "args object": (
        [[el(0, {"x": 1}, id="a", name="f")]],
        {
            "openai-python": [("a", "f", '{"x":1}')],
            "openai-node": [("a", "f", "[object Object]")],
            "pydantic-ai": [("a", "f", '{"x":1}')],
            "litellm": [("a", "f", '{"x":1}')],
            "panel": [("a", "f", "")],
        },
    ),
    "{} then an object in the same call": (
        [[el(0, "{}", id="a", name="f")], [el(0, '{"x":1}')]],
        alike([("a", "f", '{}{"x":1}')]),
    ),
    "second root, no id": (
        [[el(0, A, id="a", name="f")], [el(0, B)]],
        alike([("a", "f", GLUED)]),
    ),
    "empty ids and names on continuations": (
        [[el(0, "{", id="a", name="f")], [el(0, "}", id="", name="")]],
        alike([("a", "f", "{}")]) | {"panel": [("", "f", "{}")]},
    ),
    "growing arguments": (
        [[el(0, '{"q', id="a", name="f")], [el(0, '{"q":1}')]],
        alike([("a", "f", '{"q{"q":1}')]),
    ),
    "id null on the second call": (
        [[el(0, A, id="a", name="f")], [el(1, B, id=None, name="f")]],
        alike([("a", "f", A), (MADE_UP, "f", B)])
        | alike([("a", "f", A), (None, "f", B)], "openai-python", "panel")
        | {"litellm": [("a", "f", A)]},
    ),
}


@pytest.mark.parametrize(
    "client, deltas, expected",
    [
        pytest.param(client, deltas, expected, id=f"{client}: {row}")
        for row, (deltas, cells) in ROWS.items()
        for client, expected in cells.items()
    ],
)
def test_measured_clients(client: str, deltas: list[list[Element]], expected: Any) -> None:
    result = read(deltas, CLIENTS[client])
    assert (result.calls if isinstance(expected, list) else result.error) == expected
    assert isinstance(expected, tuple) or result.error is None


PARALLEL = [[el(0, "{", id="a", name="f")], [el(1, "{", id="b", name="g")], [el(0, "}")]]
BACK = [[el(0, "{", id="a", name="f")], [el(1, "{", id="b", name="g")], [el(0, "}", id="a")]]
REUSED = [[el(0, "{", id="a", name="f")], [el(0, "{", id="b", name="g")], [el(0, "}")]]
LATE_ID = [[el(0, "{", name="f")], [el(0, "}", id="a")]]
LATE_NAME = [[el(0, "", id="a")], [el(0, "{}", name="f")]]
EMPTY_ID = [[el(0, "{", id="a", name="f")], [el(0, "}", id="", name="")]]
NO_NAME = [[el(0, "{}", id="a")], [el(1, "{}", id="b", name="g")]]
AFTER = [[el(0, A, id="a", name="f")], [el(0, "x")], [el(1, B, id="b", name="g")], [el(0, "y")]]

# What the keys do that no measured client sets: rules, deltas, calls.
KEY_CASES: dict[str, tuple[dict[str, Any], list[list[Element]], list[tuple[str | None, str | None, str]]]] = {
    "index-id: a new id opens a call": ({"tool_key": "index-id"}, REUSED, [("a", "f", "{"), ("b", "g", "{}")]),
    "index-id: a late id does not": ({"tool_key": "index-id"}, LATE_ID, [("a", "f", "{}")]),
    "index-id: a known id at the index of another": (
        {"tool_key": "index-id"},
        [*REUSED, [el(0, "}", id="a")]],
        [("a", "f", "{}"), ("b", "g", "{}")],
    ),
    "index-name: several calls at the index": (
        {"tool_key": "index-name"},
        [*REUSED[:2], [el(0, "lost")], [el(0, "}", name="f")]],
        [("a", "f", "{}"), ("b", "g", "{")],
    ),
    "id: the index says nothing": ({"tool_key": "id"}, PARALLEL, [("a", "f", "{"), ("b", "g", "{}")]),
    "id: found again": ({"tool_key": "id"}, BACK, [("a", "f", "{}"), ("b", "g", "{")]),
    "id-change: back again is a change": (
        {"tool_key": "id-change"},
        BACK,
        [("a", "f", "{"), ("b", "g", "{"), ("a", None, "}")],
    ),
    "id-change: a first id is none": ({"tool_key": "id-change"}, LATE_ID, [("a", "f", "{}")]),
    "latest: no id": ({"tool_key": "latest"}, PARALLEL, [("a", "f", "{"), ("b", "g", "{}")]),
    "latest: every id opens": (
        {"tool_key": "latest"},
        [[el(0, "{", id="a", name="f")], [el(0, "}", id="a")]],
        [("a", "f", "{"), ("a", None, "}")],
    ),
    "any id starts a call, an empty one too": (
        {"tool_key": "index", "id_policy": "any-non-null-starts-new"},
        [*EMPTY_ID, [el(0, "!", id=None)]],
        [("a", "f", "{"), ("", "", "}!")],
    ),
    "an empty id and name overwrite": (
        {"id_policy": "non-null-overwrite", "name_policy": "non-null-overwrite"},
        EMPTY_ID,
        [("", "", "{}")],
    ),
    "null overwrites nothing": (
        {"id_policy": "non-null-overwrite", "name_policy": "non-null-overwrite"},
        [[el(0, "{}", id="a", name="f")], [el(0, "", id=None, name=None)]],
        [("a", "f", "{}")],
    ),
    "the first name": ({"name_policy": "first"}, [[el(0, id="a", name="f")], [el(0, "", name="g")]], [("a", "f", "")]),
    "the last id": ({"id_policy": "last"}, EMPTY_ID, [("a", "f", "{}")]),
    "lost until the id": ({"missing_id": "ignore-until-id"}, LATE_ID, [("a", None, "}")]),
    "a call without an id is lost": (
        {"missing_id": "drop-call"},
        [*PARALLEL, [el(2, "{}", id="", name="h")]],
        [
            ("a", "f", "{}"),
            ("b", "g", "{"),
        ],
    ),
    "an empty id is no id": ({"missing_id": "made-up"}, [[el(0, "{}", id="", name="f")]], [(MADE_UP, "f", "{}")]),
    "an empty name opens nothing": (
        {"missing_name": "skip-empty"},
        [[el(0, "{}", id="a", name="")], *NO_NAME[1:]],
        [("b", "g", "{}")],
    ),
    "a call waits for its name": ({"missing_name": "skip-empty"}, LATE_NAME, [("a", "f", "{}")]),
    "a call that waited in vain": ({"missing_name": "skip-empty"}, NO_NAME, [("b", "g", "{}")]),
    "a call without a name is lost": ({"missing_name": "drop-call"}, NO_NAME, [("b", "g", "{}")]),
    "a call without arguments is lost": (
        {"empty_args": "drop-call"},
        [[el(0, "", id="a", name="f")], [el(1, "{}", id="b", name="g")]],
        [("b", "g", "{}")],
    ),
    "closed as soon as the arguments parse": (
        {"finalize": "parsable", "repairs": ()},
        [*AFTER, [el(2, '{"x":', id="c", name="h")], [el(2, "1")], [el(2, "}")], [el(2, "z")]],
        [("a", "f", A), ("b", "g", B), ("c", "h", '{"x":1}')],
    ),
    "closed by the next call": (
        {"finalize": "next", "repairs": ()},
        AFTER,
        [("a", "f", A + "x"), ("b", "g", B)],
    ),
    "never closed": ({"repairs": ()}, AFTER, [("a", "f", A + "xy"), ("b", "g", B)]),
    "beyond the list: the start counts, the rest is lost": (
        {"tool_key": "index", "index_as_position": "drop"},
        [[el(1, "{", id="a", name="f")], [el(1, "x")], [el(0, "{}", id="b", name="g")], [el(1, "}")]],
        [("a", "f", "{}"), ("b", "g", "{}")],
    ),
    "a hole that is filled is none": (
        {"tool_key": "index", "index_as_position": "error-at-end"},
        [[el(1, "{}", id="b", name="g")], [el(0, "{}", id="a", name="f")]],
        [("b", "g", "{}"), ("a", "f", "{}")],
    ),
    "a list as arguments, in JavaScript": (
        {"args_object": "js-text"},
        [[el(0, [1], name="f")]],
        [(None, "f", "[object Object]")],
    ),
    "a number as arguments": ({"args_object": "js-text"}, [[el(0, 5, name="f")]], [(None, "f", "5")]),
    "no repair of snapshots": (
        {"repairs": ("tool-args-second-root",)},
        [[el(0, '{"q', id="a", name="f")], [el(0, '{"q":1}')]],
        [("a", "f", '{"q{"q":1}')],
    ),
    "no repair of copies": (
        {"repairs": ("tool-args-second-root",)},
        [[el(0, A, id="a", name="f")], [el(0, A)]],
        [("a", "f", A + A)],
    ),
    "no repair of rotated ids": (
        {"repairs": ()},
        [[el(0, "{", id="r1", name="f")], [el(0, "}", id="r2")]],
        [("r1", "f", "{"), ("r2", None, "}")],
    ),
    "no repair of cut characters": (
        {"repairs": ()},
        [[el(0, "\ud83d", id="a", name="f")], [el(0, "\ude00")]],
        [("a", "f", "\ud83d" + "\ude00")],
    ),
}


@pytest.mark.parametrize("rules, deltas, calls", KEY_CASES.values(), ids=KEY_CASES)
def test_keys(
    rules: dict[str, Any], deltas: list[list[Element]], calls: list[tuple[str | None, str | None, str]]
) -> None:
    result = read(deltas, ReadingRules(**rules))
    assert (result.calls, result.error) == (calls, None)


@pytest.mark.parametrize("index", ["0", 0.0, "x", True])
def test_an_index_that_is_no_integer_ends_the_reading(index: Any) -> None:
    stream = Stream(ReadingRules(index_not_integer="throw"))
    stream.delta([el(0, "{", id="a", name="f")])
    stream.delta([el(0, "}")])
    with pytest.raises(ClientError, match="no integer") as raised:
        stream.delta([el(index, "{")])
    assert raised.value.ends
    assert [block.text for block in stream.blocks] == ["{}"]


@pytest.mark.parametrize(
    "args, error",
    [('{"a": tru', None), ('{"a":1}{"b":2}', None), ("", None), ('{"a": }x', "ValueError"), ("x", "ValueError")],
)
def test_partial_arguments_that_even_so_do_not_parse(args: str, error: str | None) -> None:
    result = read([[el(0, args, id="a", name="f")]], ReadingRules(args_parse="partial", repairs=()))
    assert result.calls == [("a", "f", args)]
    assert (result.error or ("",))[0].partition(":")[0] == (error or "")


def test_a_finish_reason_closes_calls_only_where_the_reader_says_so() -> None:
    for rules, text in ((REFERENCE, "{ }"), (ReadingRules(finalize="finish"), "{ ")):
        stream = Stream(rules)
        stream.delta([el(0, "{", id="a", name="f")])
        stream.delta([el(0, " ")])
        stream.calls.finish(1)
        (block,) = stream.delta([el(0, "}")])
        assert stream.blocks[0].text == text
        assert (block is None) == (text == "{ ")


@pytest.mark.parametrize(
    "tools, name", [((), "get_weather"), (("get_weather",), "get_weather"), (("weather",), "weather")]
)
def test_the_tool_list_of_the_request_decides_between_piece_and_replacement(tools: tuple[str, ...], name: str) -> None:
    result = read([[el(0, id="a", name="get_")], [el(0, "{}", name="weather")]], tools=tools)
    assert result.calls == [("a", name, "{}")]
    assert result.rules == ["tool-name-late"]


def legacy(stream: Stream, name: Any, arguments: Any) -> Block | None:
    start = None if name is ABSENT else stream.number()
    args = None if arguments is ABSENT else stream.number()
    stream.event += 1
    return stream.calls.legacy(
        Fragment(
            stream.event, "/choices/0/delta/function_call", 0, 1, ABSENT, ABSENT, name, arguments, ABSENT, start, args
        )
    )


def test_a_function_call_is_one_call_without_id() -> None:
    stream = Stream()
    legacy(stream, "add", None)
    legacy(stream, ABSENT, '{"a":2}')
    legacy(stream, "add", '{"a":3}')
    stream.calls.end()
    (block,) = stream.blocks
    assert (block.text, block.fields["name"], block.fields["id"]) == ('{"a":2}{"a":3}', "add", None)
    assert (block.first_event, block.last_event, list(block.deltas)) == (1, 3, [0, 1, 2, 3, 4])
    assert [rule for rule, _, _ in stream.notes] == ["tool-name-repeated"]
    assert "id_made_up" not in block.fields


@pytest.mark.parametrize("missing_id", ["made-up", "drop-call"])
def test_a_function_call_needs_no_id(missing_id: Any) -> None:
    stream = Stream(ReadingRules(missing_id=missing_id))
    legacy(stream, "add", "{}")
    stream.calls.end()
    assert not stream.calls.dropped
    assert "id_made_up" not in stream.blocks[0].fields


def test_a_function_call_is_closed_by_the_finish_reason_too() -> None:
    stream = Stream(ReadingRules(finalize="finish"))
    legacy(stream, "add", "{")
    stream.calls.finish(1)
    assert legacy(stream, ABSENT, "}") is None
    assert stream.blocks[0].text == "{"


def test_fields_keep_what_the_wire_says() -> None:
    stream = Stream()
    stream.delta([el("3", "", id="a", name="f"), el(4, "x", id="b", name="g", type="custom")])
    assert [block.fields for block in stream.blocks] == [
        {"id": "a", "name": "f", "index": 3, "tool_kind": "function", "type": "function"},
        {"id": "b", "name": "g", "index": 4, "tool_kind": "custom", "type": "custom"},
    ]


def test_blocks_know_their_deltas_and_events() -> None:
    stream = Stream()
    stream.delta([el(0, "", id="a", name="f")])
    stream.delta([el(0, '{"x"')])
    stream.delta([el(0, ":1")])
    stream.delta([el(0, "}", id="")])
    (block,) = stream.blocks
    assert list(block.deltas) == [0, 1, 2, 3, 4, 5]
    assert block.fragments == ["", "", '{"x"', ":1", "", "}"]
    assert (block.first_event, block.last_event) == (0, 3)


def test_a_second_root_takes_its_part_of_a_delta_along() -> None:
    stream = Stream()
    stream.delta([el(0, '{"a":', id="a", name="f")])
    stream.delta([el(0, '1}{"b":2}{"c"')])
    stream.delta([el(0, ":3}")])
    stream.calls.end()
    pieces = [(b.fragments, list(b.deltas), b.spans, b.first_event, b.last_event) for b in stream.blocks]
    assert pieces == [
        (["", '{"a":', "1}"], [0, 1, 2], {2: (0, 2)}, 0, 1),
        (['{"b":2}'], [2], {0: (2, 9)}, 1, 1),
        (['{"c"', ":3}"], [2, 3], {0: (9, 13)}, 1, 2),
    ]
    assert stream.notes == [("tool-args-second-root", 1, 1), ("tool-args-second-root", 1, 2)]


def test_the_second_half_of_a_character_takes_the_first_along() -> None:
    stream = Stream()
    stream.delta([el(0, '{"x":"a\ud83d', id="a", name="f")])
    stream.delta([el(0, '\ude00"}')])
    (block,) = stream.blocks
    assert block.fragments == ["", '{"x":"a', '\U0001f600"}']
    assert block.spans == {1: (0, 7)}
    assert stream.notes == [("text-split-surrogate", 0, 0)]


def test_the_call_at_a_position_of_the_last_array() -> None:
    stream = Stream()
    blocks = stream.delta([el(0, A, id="a", name="f"), el(1, B, id="b", name="g")])
    assert [stream.calls.at_position(n) for n in (0, 1, 2)] == [*blocks, None]
    stream.delta([el(1)])
    assert [stream.calls.at_position(n) for n in (0, 1)] == [blocks[1], None]


def test_an_id_is_made_up_once_and_gives_way_to_a_real_one() -> None:
    stream = Stream(ReadingRules(missing_id="made-up"))
    for args in (A, B, '{"z":1}'):
        stream.delta([el(0, args, name="f")])
    stream.delta([el(0, "", id="late")])
    stream.calls.end()
    made_up = [block.fields.get("id_made_up") for block in stream.blocks]
    assert made_up[2] is None
    assert None not in made_up[:2]
    assert len(set(made_up)) == 3
    assert [block.fields["id"] for block in stream.blocks] == [None, None, "late"]


def test_completeness_is_tested_only_when_due(monkeypatch: pytest.MonkeyPatch) -> None:
    tested: list[str] = []

    def parses(text: str) -> bool:
        tested.append(text)
        return True

    monkeypatch.setattr("inspector_app.core.call_keys.parses", parses)
    stream = Stream()
    stream.delta([el(0, "[", id="", name="f")])
    for _ in range(500):
        stream.delta([el(0, "{}", id="")])
        stream.delta([el(0, ",")])
    assert tested == []
    stream.delta([el(1, "{}", name="g")])
    for _ in range(500):
        stream.delta([el(1, "{}", id="")])
        stream.delta([el(1, " ", id="")])
    assert len(tested) == 1
    assert [len(block.fragments) for block in stream.blocks] == [1502, 2002]


class Counted(list[str]):
    """Counts the fragments that are looked at."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        Counted.looks += len(found) if isinstance(at, slice) else 1
        return found

    def __iter__(self) -> Iterator[str]:
        Counted.looks += len(self)
        return super().__iter__()


@pytest.mark.parametrize(
    "element",
    [
        lambda n: el(0, "{ tok"),
        lambda n: el(0, "} tok", id=f"r{n}"),
        lambda n: el(0, "}", name="f"),
        lambda n: el(0, "\udc00 \ud800", id=""),
        lambda n: el(args="{}", name=f"f{n}"),
    ],
)
def test_cost_is_linear(element: Callable[[int], Element]) -> None:
    for rules in (REFERENCE, AI_SDK, ReadingRules(finalize="parsable")):
        stream = Stream(rules)
        stream.delta([el(0, '["', id="a", name="f")])
        stream.blocks[0].fragments = Counted(stream.blocks[0].fragments)
        Counted.looks = 0
        for n in range(1000):
            stream.delta([element(n)])
        assert Counted.looks <= 4 * stream.numbers


# What a call can be used for.


@pytest.mark.parametrize(
    "text, name, broke_off, rules, expected",
    [
        ('{"x":1}', "f", False, {}, ({"x": 1}, True)),
        ('{"x":1}', "f", True, {}, ({"x": 1}, False)),
        ('{"x":1}', "", False, {}, ({"x": 1}, False)),
        ('{"x":1}', None, False, {}, ({"x": 1}, False)),
        ("", "f", False, {}, ({}, True)),
        ("", "f", False, {"empty_args": "text"}, (None, False)),
        ('{"x":', "f", False, {}, (None, False)),
        ('{"x":', "f", False, {"args_parse": "partial"}, ({}, True)),
        ('{"x": }', "f", False, {"args_parse": "partial"}, (None, False)),
        ("null", "f", False, {}, (None, True)),
    ],
)
def test_outcome(
    text: str, name: str | None, broke_off: bool, rules: dict[str, Any], expected: tuple[Any, bool]
) -> None:
    block = Block(0, "tool_call", 0, 0, 0, fragments=[text], fields={"name": name, "tool_kind": "function"})
    got = outcome(block, ReadingRules(**rules), broke_off)
    assert (got["arguments_json"], got["executable"]) == expected


def test_outcome_of_a_custom_tool() -> None:
    block = Block(0, "tool_call", 0, 0, 0, fragments=["print(1)"], fields={"name": "run", "tool_kind": "custom"})
    assert outcome(block, REFERENCE, False) == {"arguments_json": None, "executable": True}
    assert outcome(block, REFERENCE, True) == {"arguments_json": None, "executable": False}


# Any wire.

ELEMENTS = st.builds(
    el,
    st.sampled_from([ABSENT, None, 0, 1, 7, "0", 1.0, "x", True]),
    st.sampled_from(
        [
            ABSENT,
            None,
            "",
            "{",
            "}",
            "{}",
            '{"a":1}',
            '{"a":2}',
            '"',
            "{}}",
            " ",
            "\ud83d",
            "\ude00",
            {},
            {"a": 1},
            [2],
            3,
        ]
    ),
    id=st.sampled_from([ABSENT, None, "", "a", "b", 5]),
    name=st.sampled_from([ABSENT, None, "", "f", "g", {}]),
    type=st.sampled_from([ABSENT, None, "function", "custom"]),
)
RULES = st.builds(
    ReadingRules,
    tool_key=st.sampled_from(["resolve", "index", "index-id", "index-name", "id", "id-change", "latest"]),
    index_missing=st.sampled_from(["resolve", "zero", "drop"]),
    index_not_integer=st.sampled_from(["read", "part", "throw"]),
    index_as_position=st.sampled_from(["no", "error", "error-at-end", "drop"]),
    id_policy=st.sampled_from(["first", "last", "concat", "non-null-overwrite", "any-non-null-starts-new"]),
    name_policy=st.sampled_from(["append-unless-equal", "first", "last", "concat", "non-null-overwrite"]),
    missing_id=st.sampled_from(["null", "made-up", "drop-call", "ignore-until-id"]),
    missing_name=st.sampled_from(["null", "skip-empty", "drop-call"]),
    args_object=st.sampled_from(["dump", "js-text", "drop"]),
    args_parse=st.sampled_from(["json", "partial"]),
    empty_args=st.sampled_from(["object", "text", "drop-call"]),
    finalize=st.sampled_from(["end", "finish", "parsable", "next"]),
    repairs=st.sampled_from(["all", ()]),
)
DELTAS = st.lists(st.lists(ELEMENTS, min_size=1, max_size=3), max_size=12)


@given(DELTAS, RULES)
def test_the_short_way_never_changes_the_answer(deltas: list[list[Element]], rules: ReadingRules) -> None:
    read(deltas, rules)


@given(DELTAS)
def test_the_reference_loses_no_text(deltas: list[list[Element]]) -> None:
    stream = Stream()
    for elements in deltas:
        stream.delta(elements)
    stream.calls.end()
    fed: dict[int, str] = {}
    for block in sorted(stream.blocks, key=lambda block: block.n):
        for delta, fragment in zip(block.deltas, block.fragments, strict=True):
            fed[delta] = fed.get(delta, "") + fragment
    wire = {number: args for number, args in stream.given if isinstance(args, str)}
    # A whole character stands where its second half came.
    sizes = {number: len(text) for number, text in fed.items() if number in wire}
    lost = sum(map(len, wire.values())) - sum(sizes.values())
    assert lost == [rule for rule, _, _ in stream.notes].count("text-split-surrogate")


@given(
    st.lists(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.booleans())), min_size=1, max_size=4),
    st.data(),
)
def test_official_calls_survive_any_cut(arguments: list[dict[str, Any]], data: st.DataObject) -> None:
    stream = Stream()
    for n, value in enumerate(arguments):
        text = json.dumps(value)
        cuts = sorted(data.draw(st.sets(st.integers(1, len(text) - 1), max_size=8)))
        stream.delta([el(n, "", id=f"call_{n}", name="f")])
        for start, end in pairwise([0, *cuts, len(text)]):
            stream.delta([el(n, text[start:end])])
    stream.calls.end()
    assert [outcome(block, REFERENCE, False)["arguments_json"] for block in stream.blocks] == arguments
    assert all(block.override is None for block in stream.blocks)
    assert stream.notes == []
