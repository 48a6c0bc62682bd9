"""Index, id, name and type of tool calls: missing, empty, repeated, changed, or used twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.reading import Reading
from inspector_app.core.text import clip
from inspector_app.core.types import Block
from inspector_app.findings._chat import CHAT, elements, functions
from inspector_app.findings._request import call_ids
from inspector_app.findings._several import behind
from inspector_app.findings._spots import first_spot

TOOL_KEYS = frozenset({"tool_calls"})
TOOLS = frozenset({"tool.start", "tool.args"})


def _calls(reading: Reading) -> Iterator[Block]:
    yield from (block for block in reading.blocks if block.kind == "tool_call")


def _index_missing(payload: Any) -> Iterator[str]:
    # A whole message numbers its calls by their place.
    yield from (pointer for pointer, element in elements(payload, whole=False) if element.get("index") is None)


def _not_sequential(report: Report) -> Watcher:
    known: set[tuple[int, int]] = set()
    tops: dict[int, int] = {}

    def watch(seen: Seen) -> None:
        told: set[str] = set()
        for delta in seen.deltas:
            extra = delta.extra or {}
            index, element = extra.get("index"), extra.get("element", "")
            if delta.kind not in TOOLS or index is None or element in told or "key" in extra:
                continue
            told.add(element)
            if type(index) is not int:
                report(seen.n, f"{element}/index", detail=_no_integer(index), case="type")
                continue
            if (delta.choice, index) in known:
                continue
            wanted = tops.get(delta.choice, -1) + 1
            known.add((delta.choice, index))
            tops[delta.choice] = max(index, wanted - 1)
            if index != wanted:
                report(seen.n, f"{element}/index", detail=f"{index} where {wanted} was due")

    return watch


def _no_integer(index: Any) -> str:
    return f'"{clip(index, 20)}" is a text' if isinstance(index, str) else f"{clip(repr(index), 20)} is no integer"


def _id_missing(reading: Reading, report: Report) -> None:
    if reading.speaks in CHAT:
        for block in _calls(reading):
            if not block.fields["id"] and "legacy" not in block.fields:
                report(*first_spot(reading, block), block=block, detail=_named(block))


def _name_missing(reading: Reading, report: Report) -> None:
    for block in _calls(reading):
        if not block.fields["name"]:
            report(*first_spot(reading, block), block=block)


def _named(block: Block) -> str:
    return f" of {block.fields['name']}" if block.fields["name"] else ""


def _id_empty(payload: Any) -> Iterator[str]:
    yield from (f"{pointer}/id" for pointer, element in elements(payload) if element.get("id") == "")


def _name_empty(payload: Any) -> Iterator[str]:
    yield from (f"{pointer}/name" for pointer, holder, _ in functions(payload) if holder.get("name") == "")


def _id_duplicate(reading: Reading, report: Report) -> None:
    known = call_ids(reading)
    for block in _calls(reading):
        call_id = block.fields["id"]
        if call_id and call_id in known:
            report(*first_spot(reading, block), detail=repr(call_id))
        known.add(call_id)


RULES = (
    Rule(
        "tool-index-missing",
        "error",
        "delta",
        "The index is missing from {count} fragment{s} of tool calls.",
        "Number the calls 0, 1, 2 in the order in which they start, in every fragment.",
        why="The index is what official accumulators sort fragments by; without it calls vanish or run together.",
        breaks=(
            "openai-python 3.57.0 helper: TypeError",
            "openai-node 6.49.0 helper: loses the calls without a word",
            "@ai-sdk/openai 3.0.141: schema error",
            "openai-agents 0.24.0, LiteLLM 1.110.2: merge the calls",
            "llm 0.36: JSON error",
            "langchain-openai 1.7.4: right for whole calls, broken for fragments",
            "Zed, the opencode fork: fail",
            "OpenInference: drops the calls",
            "Go clients: take it for 0",
        ),
        keys=TOOL_KEYS,
        shape=_index_missing,
    ),
    Rule(
        "tool-index-reused",
        "error",
        "delta",
        "Another call starts on an index that is taken ({detail}).",
        "Give each call an index of its own.",
        why="A client that sorts by index glues two calls into one whose arguments are no JSON.",
        breaks=(
            "openai-python 3.57.0 helper, openai-node 6.49.0 helper, pydantic-ai 2.68.0: merge the calls",
            "LiteLLM 1.110.2, openai-agents 0.24.0, llm 0.36: merge the calls",
            "@ai-sdk/openai-compatible 2.0.41: loses the second call",
            "Roo Code, fantasy, OpenLLMetry: merge the calls",
            "plexus #691, dynamo #4723: parallel calls melt",
        ),
        settle=behind("tool.start"),
    ),
    Rule(
        "tool-index-not-sequential",
        "warning",
        "stream",
        "The calls are not numbered with the integers 0, 1, 2 ({detail}).",
        "Renumber the calls of each choice from 0, as JSON integers.",
        why="Clients that take the index for a place in a list run past its end; typed ones want an integer.",
        breaks=(
            "openai-python 3.57.0 helper: IndexError when the first is 1",
            "openai-node 6.49.0 helper: TypeError when the first is 1",
            "avante.nvim #2794, vercel/ai #18333: fail when the first is 1",
            '@ai-sdk/openai-compatible 2.0.92, @ai-sdk/openai 3.0.141: schema error for "0"',
            "Zed, Go clients: refuse a string",
        ),
        kinds=TOOLS,
        cases={"type": "Send the index as a JSON integer: 0, not \"0\" or 0.0."},
        watch=_not_sequential,
    ),
    Rule(
        "tool-index-remapped",
        "warning",
        "delta",
        "A known call comes back under another index ({detail}).",
        "Let a call keep its id and its index to the end.",
        why="The id tells that it is one call; who sorts by index makes two of it.",
        breaks=("clients that sort by index: split the call",),
    ),
    Rule(
        "tool-id-missing",
        "error",
        "block",
        "The call{detail} never got an id.",
        "Send the id with the first fragment; a reader that invents one must show it as invented.",
        why="No result can be tied to this call, so the next request is turned down.",
        breaks=(
            "LiteLLM 1.110.2: drops the call",
            "openai-agents 0.24.0: empty call_id",
            "langchain-openai 1.7.4: id None",
            "@ai-sdk/openai-compatible 2.0.41: raises",
            "Roo Code: ignores fragments until an id comes",
            "sglang #7048: the next request fails",
        ),
        end=_id_missing,
    ),
    Rule(
        "tool-id-empty",
        "warning",
        "delta",
        'The id is "" in {count} fragment{s}.',
        "Leave the id out of fragments that continue a call.",
        why="Alibaba's Qwen sends it, also through OpenRouter: clients that assign lose the id, others see a new call.",
        breaks=(
            "ruby_llm: opens a call per fragment",
            "opencode #37841: id lost",
        ),
        keys=TOOL_KEYS | {"message"},
        shape=_id_empty,
    ),
    Rule(
        "tool-id-repeated",
        "warning",
        "delta",
        "The id of a call is repeated in {count} later fragment{s}.",
        "Send the id once, in the first fragment.",
        why="Accumulators that join strings build call_1call_1 of it, others begin the call anew.",
        breaks=(
            "openai-python 3.57.0 helper: doubles the id",
            "OpenInference: doubles the id",
            "ruby_llm: throws away the arguments so far",
        ),
    ),
    Rule(
        "tool-id-rotated",
        "error",
        "delta",
        "The id of a call changes in its midst ({detail}).",
        "Keep one id for the whole call.",
        why="Clients that go by the id make a call of each fragment.",
        breaks=(
            "openai-python 3.57.0 helper: joins the ids",
            "langchain-openai 1.7.4: splits off an invalid call",
            "Codex legacy, VS Code readers: go by the id and split the call",
        ),
        heuristic=True,
    ),
    Rule(
        "tool-id-duplicate",
        "warning",
        "stream",
        "The id {detail} belongs to more than one call.",
        "Make ids that are unique in the whole conversation.",
        why="Kimi numbers its calls afresh in every turn; results are then tied to the wrong call.",
        breaks=("clients that tie results by id alone: mix them up",),
        end=_id_duplicate,
    ),
    Rule(
        "tool-name-missing",
        "error",
        "block",
        "A call never got a name.",
        "Send the name with the first fragment.",
        why="Without a name there is no tool to run.",
        breaks=(
            "@ai-sdk/openai 3.0.141, @ai-sdk/openai-compatible 2.0.41: raise at its first fragment",
            "llm 0.36: name None",
            "all others: nothing to run",
        ),
        end=_name_missing,
    ),
    Rule(
        "tool-name-empty",
        "warning",
        "delta",
        'The name is "" in {count} fragment{s}.',
        "Leave the name out of fragments that continue a call.",
        why="LM Studio and GLM models at Mistral send it; clients that assign end up with a nameless call.",
        breaks=("LM Studio tracker #649, opencode #37841: an unnamed tool is called",),
        keys=TOOL_KEYS | {"message"},
        shape=_name_empty,
    ),
    Rule(
        "tool-name-repeated",
        "warning",
        "delta",
        "The name of a call, {detail}, is repeated in {count} later fragment{s}.",
        "Send the name once, in the first fragment.",
        why="Accumulators that join strings build get_weatherget_weather of it, and no such tool exists.",
        breaks=(
            "openai-python 3.57.0 helper, langchain-openai 1.7.4, pydantic-ai 2.68.0: double the name",
            "hermes-agent #11984: unknown tool",
        ),
    ),
    Rule(
        "tool-name-late",
        "warning",
        "block",
        "The name of a call came late or in pieces ({detail}).",
        "Send the whole name with the first fragment.",
        why="The call cannot be shown before that; of several pieces clients keep the first, the last or none.",
        breaks=(
            "@ai-sdk/openai 3.0.141, @ai-sdk/openai-compatible 2.0.41: raise when the first fragment has no name",
            "llm 0.36: name None when it comes late",
            "openai-node 6.49.0, Roo Code: keep the last piece",
            "openai-python 3.57.0, langchain-openai 1.7.4, pydantic-ai 2.68.0: join the pieces",
            "vercel/ai #14722, continue #5849, vllm #44907: no usable name",
        ),
    ),
    Rule(
        "tool-type-missing",
        "warning",
        "delta",
        "The type is missing at the start of {count} call{s}.",
        'Send type "function" in the first fragment of each call.',
        why="Strict validation insists on it; Mistral leaves it out.",
        breaks=("openai-node 6.49.0 helper: complains of the missing type",),
    ),
)
"""The rules of this family that are about what a call is called."""
