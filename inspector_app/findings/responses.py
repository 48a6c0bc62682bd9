"""OpenAI Responses: items and parts nobody announced, numbers that jump, values that disagree."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.reading import Reading

RESPONSES = frozenset({"openai-responses"})

NAMES = frozenset({"item", "part", "item_id"})
"""Keys of events that belong to an item."""


def _without_index(payload: Any) -> Iterator[str]:
    """Events of items that lack a number: which one only the shape tells."""
    if not NAMES & payload.keys() or "type" not in payload:
        return
    part = "part" in payload and "content_index" not in payload and "summary_index" not in payload
    if "output_index" not in payload or "sequence_number" not in payload or part:
        yield ""


def _of_responses(reading: Reading, events: array[int]) -> Iterable[int]:
    return events if reading.speaks in RESPONSES else ()


def _said(item: Any) -> str:
    """The text of a message item, "" for any other."""
    content = item.get("content") if type(item) is dict and item.get("type") == "message" else None
    parts = content if type(content) is list else []
    texts = (part.get("text") for part in parts if type(part) is dict)
    return "".join(text for text in texts if isinstance(text, str))


def _last_output(report: Report) -> Watcher:
    """The items of the last event against those that were streamed."""
    items: dict[Any, str | None] = {}

    def watch(seen: Seen) -> None:
        payload = seen.payload
        kind = payload.get("type") if seen.dialect in RESPONSES and type(payload) is dict else None
        if kind == "response.created":
            items.clear()
        elif kind in ("response.output_item.added", "response.output_item.done"):
            item = payload.get("item")
            index = payload.get("output_index", len(items))
            if type(index) is int:
                items[index] = _said(item) if kind.endswith("done") else items.get(index)
        elif any(delta.kind == "stream.end" for delta in seen.deltas) and kind != "response.failed":
            response = payload.get("response") if type(payload) is dict else None
            if items and type(response) is dict:
                _compare(seen, response, items, report)

    return watch


def _compare(seen: Seen, response: dict[str, Any], items: dict[Any, str | None], report: Report) -> None:
    output = response.get("output")
    listed = output if type(output) is list else []
    where = "/response/output" if "output" in response else "/response"
    if len(listed) < len(items):
        have = f"{len(listed)} of {len(items)} items" if listed else "no item"
        report(seen.n, where, detail=f"the last event has {have} of those that were streamed" if not listed else have)
        return
    for at, (_, said) in enumerate(sorted(items.items())):
        if said is not None and _said(listed[at]) != said and listed[at].get("type") == "message":
            report(seen.n, f"{where}/{at}", detail="a message has another text in the last event")


RULES = (
    Rule(
        "responses-not-announced",
        "error",
        "event",
        "{count} event{s} for an item or a part that was never added ({detail}).",
        "Send output_item.added and content_part.added before anything that belongs to them.",
        why="What comes unannounced is shown; helpers that keep items by position have no place for it.",
        breaks=(
            "openai-python 3.57.0 Responses helper: raises, it needs items in order",
            "sub2api #2875, litellm #36375: stop with an error",
        ),
    ),
    Rule(
        "responses-item-id-changes",
        "error",
        "block",
        "One item is called by different ids: {detail}.",
        "Leave an item its id; a reader should go by output_index.",
        why="GitHub Copilot makes a new id for every event; here output_index holds the item together.",
        breaks=("litellm #30072: makes an item of each event",),
    ),
    Rule(
        "responses-sequence-gap",
        "error",
        "stream",
        "The numbers of the events do not rise by one ({count} time{s}): {detail}.",
        "Number events anew when some are filtered out, or let all of them through.",
        why="Something between server and client has taken out, doubled or reordered events.",
        breaks=("GoModel #953: stops", "strict state machines: report lost events"),
    ),
    Rule(
        "responses-snapshot-mismatch",
        "error",
        "block",
        "A whole value is not what was streamed: {detail}.",
        "Put the final response together from the items that were sent.",
        why="The text on the screen changes or vanishes when the answer ends.",
        breaks=(
            "new-api #4362: shows an empty answer at the end",
            "OpenInference: knows only the last event",
            "Codex CLI: goes by output_item.done",
        ),
        kinds=frozenset({"*"}),
        watch=_last_output,
    ),
    Rule(
        "responses-done-without-delta",
        "warning",
        "block",
        "No delta brought this value, only the event that ends it: {detail}.",
        "Stream every value in one delta at least; as a client, take the value of the end.",
        why="A view that lives on deltas stays empty; LM Studio sends arguments this way.",
        breaks=("pi #2745: runs the tool with an empty object",),
    ),
    Rule(
        "responses-index-unusable",
        "warning",
        "stream",
        "{count} event{s} cannot be told apart by index: a number is missing, or counts deltas.",
        "Send all indexes, the same ones for all of a part.",
        why="None come from llama.cpp, and vLLM has counted deltas in content_index, so each token looks like a part.",
        breaks=("openai-python 3.57.0 helper, Codex CLI: raise or lose the text",),
        keys=NAMES,
        shape=_without_index,
        settle=_of_responses,
    ),
    Rule(
        "responses-summary-parts",
        "info",
        "block",
        "The summary of this thought has several parts with nothing between them.",
        "Show parts as paragraphs.",
        why="Joined as they are, the heading of one runs into the end of the other.",
        breaks=("OmniRoute #9500: runs the headings together",),
    ),
    Rule(
        "responses-encrypted-changed",
        "info",
        "block",
        "The encrypted thought is another one at its end than at its start.",
        "Send back what output_item.done holds.",
        why="That is how it should be, but the first value is of no use.",
        breaks=("clients that keep the item of output_item.added: send the wrong value back",),
    ),
)
"""The rules of this family."""
