"""Tool calls as the tests write them: elements to fragments, readers, and what comes out."""

from __future__ import annotations

from typing import Any, NamedTuple

from inspector_app.core.calls import ABSENT, Calls, ClientError, Fragment
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
            [*stream.calls.ending()]
        except ClientError as raised:
            error = (raised.message, raised.ends)
        blocks = [block for block in stream.blocks if not any(block is dropped for dropped in stream.calls.dropped)]
        results.append(Result(blocks, stream.notes, error))
        for block in stream.blocks:
            assert len(block.fragments) == len(block.deltas)
    assert results[0] == results[1]
    return results[0]


A, B = '{"port":"Bergen"}', '{"port":"Hull"}'
