"""The three reports that the project grew from, read by the reference, by the client, and by its repair."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import Lens, compare, load_lenses, shipped_folder

KIT = load_kit()
LENSES = load_lenses([shipped_folder()], dialects=KIT.dialects)


def stream(*deltas: dict[str, Any], finish: str = "stop", without_space: int = -1) -> bytes:
    """A Chat stream of these deltas; the data line of one event may go without its space."""
    chunks = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    chunks.append({"index": 0, "delta": {}, "finish_reason": finish})
    payloads = [json.dumps({"object": "chat.completion.chunk", "choices": [choice]}) for choice in chunks]
    lines = [("data:" if n == without_space else "data: ") + text for n, text in enumerate([*payloads, "[DONE]"])]
    return "".join(f"{line}\n\n" for line in lines).encode()


def read(body: bytes, lens: Lens | None = None) -> Reading:
    name, rules = (lens.name, lens.rules) if lens else ("reference", None)
    analysis = Analysis(Exchange("x.sse", "sse-body", MemoryBody(body)), KIT, rules, name, diagnose=False)
    analysis.feed(body)
    return analysis.finish()


def tool(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"tool_calls": [{"index": 0, "id": call_id, "function": {"name": name, "arguments": arguments}}]}


REASONING = [{"reasoning_content": f"step {n} ", "content": ""} for n in range(149)]
ARGUMENTS = [tool("", "", text) for text in ('{"city":', '"Ber', 'gen"}')]
STREAMS = {
    "empty tool_calls": stream(*({**delta, "tool_calls": []} for delta in REASONING), {"content": "Done."}),
    "no tool_calls": stream(*REASONING, {"content": "Done."}),
    "reasoning_details": stream(
        *({"reasoning_details": [{"type": "reasoning.text", "text": f"{n} ", "index": 0}]} for n in range(47))
    ),
    "mixed spacing": stream(tool("call_7", "get_weather", ""), *ARGUMENTS, finish="tool_calls", without_space=0),
    "empty names": stream(tool("call_7", "get_weather", ""), *ARGUMENTS, finish="tool_calls"),
}


@pytest.mark.parametrize("fixed", ["zcode-fixed", "openclaw-fixed", "wingmate-fixed"])
@pytest.mark.parametrize("name", STREAMS)
def test_a_repaired_client_reads_as_the_reference(name: str, fixed: str) -> None:
    assert compare(read(STREAMS[name]), read(STREAMS[name], LENSES[fixed])).verdict == "same"


@pytest.mark.parametrize("name, blocks", [("empty tool_calls", 149), ("no tool_calls", 1)])
def test_zcode_cuts_the_reasoning_at_every_empty_list(name: str, blocks: int) -> None:
    reference, client = read(STREAMS[name]), read(STREAMS[name], LENSES["zcode-3.11"])
    assert [block.kind for block in reference.blocks] == ["reasoning", "text"]
    assert [block.kind for block in client.blocks] == ["reasoning"] * blocks + ["text"]


def test_zcode_says_what_cut_it() -> None:
    body = STREAMS["empty tool_calls"]
    difference = compare(read(body), read(body, LENSES["zcode-3.11"]))
    assert difference.headline == "149 reasoning blocks instead of 1"
    assert difference.cause == "closed by `tool_calls: []` from event 0 on"


def test_openclaw_has_nothing_but_an_error_for_a_turn_in_reasoning_details() -> None:
    reference, client = read(STREAMS["reasoning_details"]), read(STREAMS["reasoning_details"], LENSES["openclaw"])
    assert [block.text for block in reference.blocks] == ["".join(f"{n} " for n in range(47))]
    assert client.blocks == []
    assert client.client_error == {"event": 48, "message": "incomplete turn detected: payloads=0", "part": False}
    difference = compare(reference, client)
    said = "it raises: incomplete turn detected: payloads=0"
    unread = "`reasoning_details` is not read (47 events, from event 0)"
    assert (difference.verdict, difference.headline) == ("failed", "Reasoning is lost, then an error")
    assert difference.cause == f"{unread}, so the turn is empty; {said} (event 48)"
    lacks = f"openclaw lacks 131 characters of the reasoning: {unread}"
    assert difference.first_difference == (0, f"{lacks}; it ends in an error at event 48 ({said})")
    assert difference.lacks == "131 characters of the reasoning"


CONTENT = [{"type": "text", "text": "a "}, {"type": "text", "text": "b"}]
ROUTED = {"reasoning": "so ", "reasoning_details": [{"type": "reasoning.text", "text": "so ", "index": 0}]}


@pytest.mark.parametrize(
    "deltas, rules, cause",
    [
        (
            [{"reasoning": "a"}, {"reasoning": "b"}], {"reasoning_fields": ("thinking",)},
            "`reasoning` is not read (2 events, from event 0)",
        ),
        (
            [{"content": "x"}, {"content": CONTENT}], {"content_types": "string"},
            "`content[]` is not read (1 event, from event 1)",
        ),
        ([{"content": "x"}, {"refusal": "no"}], {"refusal": "lost"}, "`refusal` is not read (1 event, from event 1)"),
        (
            [{"function_call": {"name": "f", "arguments": "{}"}}], {"legacy_call": "ignored"},
            "`function_call` is not read (1 event, from event 0)",
        ),
        # The details are not read, but what they say is, from the field beside them: not they are the loss.
        (
            [ROUTED, {"reasoning_details": [{"type": "reasoning.text", "text": "then", "index": 0}]}],
            {"reasoning_fields": ("reasoning",)}, "`reasoning_details` is not read (1 event, from event 1)",
        ),
    ],
)  # fmt: skip
def test_a_loss_names_its_unread_field(deltas: list[dict[str, Any]], rules: dict[str, Any], cause: str) -> None:
    body = stream(*deltas)
    lens = replace(LENSES["openclaw-fixed"], name="x", rules=ReadingRules(**rules))
    difference = compare(read(body), read(body, lens))
    assert (difference.verdict, difference.cause) == ("lost", cause)


@pytest.mark.parametrize(
    "name, cause",
    [
        (
            "mixed spacing",
            "line 0 is not read (no space after the colon), and an empty id and name would wipe them out too",
        ),
        ("empty names", "wiped out by an empty id and name"),
    ],
)
def test_wingmate_loses_the_id_and_the_name_of_a_call(name: str, cause: str) -> None:
    reference, client = read(STREAMS[name]), read(STREAMS[name], LENSES["wingmate-2026-06"])
    whole, broken = reference.blocks[0], client.blocks[0]
    assert [whole.fields["id"], whole.fields["name"], whole.text] == ["call_7", "get_weather", '{"city":"Bergen"}']
    assert [len(broken.fields["id"]), len(broken.fields["name"]), len(broken.text)] == [0, 0, 17]
    assert (whole.fields["executable"], broken.fields["executable"]) == (True, False)
    difference = compare(reference, client)
    assert (difference.verdict, difference.cause) == ("lost", cause)


def test_a_client_that_shows_think_tags_is_said_to_take_them_for_text() -> None:
    body = stream(*({"content": text} for text in ("<th", "ink>So.</thi", "nk>Yes.")))
    difference = compare(read(body), read(body, LENSES["cline"]))
    assert (difference.verdict, difference.headline) == ("merged", "Reasoning and text in one block")
    assert difference.cause == "the tags around the thought are read as text; the answer begins at event 2"
