"""Choices: the shape of the list and its elements, several of them, text and role given more than once."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading
from inspector_app.findings._chat import CHAT, choices, deltas, in_choices
from inspector_app.findings._several import borders
from inspector_app.findings._spots import Row, rows_where, speakers

CHAT_ONLY = frozenset({"object", "created", "model", "usage", "id"})
"""Root keys that a chunk without choices is known by."""

DELTA_TEXT = frozenset({"text.delta", "reasoning.delta", "refusal.delta", "tool.args"})

MOST_COMPARED = 1000
"""Pieces of a second text that are compared with the first."""


def _empty_list(payload: Any) -> Iterator[str]:
    if payload.get("choices") == []:
        yield "/choices"


def _null(payload: Any) -> Iterator[str]:
    if payload.get("choices") is not None or payload.get("error"):
        return
    status = payload.get("base_resp")
    fails = type(status) is dict and status.get("status_code")
    if "choices" in payload and not fails:
        yield "/choices"
    elif payload.keys() & CHAT_ONLY and "type" not in payload and not fails:
        yield ""


def _in_chat(reading: Reading, events: array[int]) -> Iterable[int]:
    return events if reading.speaks in CHAT else ()


def _delta_missing(payload: Any) -> Iterator[str]:
    for pointer, choice in choices(payload):
        if choice.get("delta") is None and choice.get("message") is None and choice.get("text") is None:
            yield pointer


def _multiple(reading: Reading, report: Report) -> None:
    if in_choices(reading):
        found = speakers(reading)
        if len(found) > 1:
            report(sorted(found.values())[1], count=len(found), detail=", ".join(map(str, sorted(found))))


def _second_text(row: Row) -> bool:
    """A row of text that is not a delta's: a message beside or after deltas, or the choice's own `text`."""
    kind, _, pointer = row
    at_choice = pointer.count("/") == 3 and pointer.endswith("/text")
    return pointer.startswith("/choices/") and (pointer.endswith("/message/content") or (kind == "noop" and at_choice))


def _delta_text(row: Row) -> bool:
    return row[0] in DELTA_TEXT and "/delta/" in row[2]


def _duplicate_text(reading: Reading, report: Report) -> None:
    found = list(rows_where(reading, _second_text))
    if not found:
        return
    spoken: dict[int, int] = {}
    for n, (_, choice, _) in rows_where(reading, _delta_text):
        spoken.setdefault(choice, n)
    # A message without a delta is the answer itself unless deltas came before it.
    hits = [(n, row) for n, row in found if row[0] == "noop" or spoken.get(row[1], n) < n]
    detail = _compared(reading, hits) if hits else ""
    for n, (_, _, pointer) in hits:
        report(n, pointer, detail=detail)


def _compared(reading: Reading, hits: list[tuple[int, Row]]) -> str:
    """Whether the second text equals the joined deltas, in words. A message holds all so far, a `text` one piece."""
    choice, pointer = hits[-1][1][1:]
    mine = [block for block in reading.blocks if block.choice == choice]
    joined = "".join(block.text for block in mine if block.kind == "text")
    if pointer.endswith("/message/content"):
        name, said = "a message", _value(reading, *hits[-1])
    else:
        pieces = [hit for hit in hits if hit[1][1] == choice]
        name, said = "a text", "".join(_value(reading, *hit) for hit in pieces[:MOST_COMPARED])
        joined = joined[: len(said)] if len(pieces) > MOST_COMPARED else joined
    tagged = any(block.fields.get("form") == "inline_tag" for block in mine)
    same = said == joined or (tagged and said.endswith(joined))
    return f"{name} that {'equals' if same else 'differs from'} the joined deltas"


def _value(reading: Reading, n: int, row: Row) -> str:
    found = next((delta.value for delta in reading.deltas(n) if delta.pointer == row[2]), "")
    return found if isinstance(found, str) else ""


def _empty_role(payload: Any) -> Iterator[str]:
    yield from (pointer + "/role" for pointer, delta in deltas(payload) if delta.get("role") == "")


def _role_again(reading: Reading, report: Report) -> None:
    roles = list(rows_where(reading, lambda row: row[0] == "role" and "/delta/" in row[2]))
    begins = borders(reading) if len(roles) > 1 else []
    known: set[tuple[int, int]] = set()
    for n, (_, choice, pointer) in roles:
        speaker = bisect_right(begins, n), 0 if reading.rules.choice == "merged" else choice
        if speaker in known:
            report(n, pointer)
        known.add(speaker)


RULES = (
    Rule(
        "choice-empty-list",
        "info",
        "event",
        "`choices` is an empty list in {count} chunk{s}.",
        "Test for an empty list before taking the first choice.",
        why="It is the normal carrier of usage, filter results and timings; an unguarded choices[0] raises on it.",
        breaks=("Langfuse-type wrappers, litellm #30485 (repaired since): IndexError",),
        shape=_empty_list,
        keys=frozenset({"choices"}),
    ),
    Rule(
        "choice-null",
        "warning",
        "event",
        "`choices` is null or absent in {count} chunk{s}.",
        "Send an empty list where there is no choice.",
        why="A loop over null fails.",
        breaks=(
            "openai-python 3.57.0 helper, openai-node 6.49.0 helper, llm 0.36: raise",
            "@ai-sdk/openai-compatible 2.0.92, @ai-sdk/openai 3.0.141: error part",
            "pydantic-ai #6900: raises",
        ),
        shape=_null,
        settle=_in_chat,
    ),
    Rule(
        "choice-delta-missing",
        "warning",
        "delta",
        "Neither delta nor message nor text stands in {count} choice{s}.",
        "Expect choices without a delta.",
        why="Azure's asynchronous filter sends them after the answer is complete, and an unguarded access fails.",
        breaks=(
            "llm 0.36: AttributeError",
            "openai-dotnet #219, qwen-code #1448: fail on the missing delta",
        ),
        shape=_delta_missing,
        keys=frozenset({"choices"}),
    ),
    Rule(
        "choice-index-counter",
        "warning",
        "stream",
        "The choice index counts the {count} chunks; it is read as one choice.",
        "Send index 0 in every chunk of the one choice.",
        why="Taken at its word, every token is an answer of its own.",
        breaks=(
            "accumulators that sort by index: one answer per token",
            "old TGI, text-generation-inference #1648: sends it",
        ),
        heuristic=True,
    ),
    Rule(
        "choice-multiple",
        "info",
        "stream",
        "The answer has {count} choices ({detail}).",
        "Sort what comes by choices[].index.",
        why="The choices come mixed, and a reader that ignores the index mixes their texts.",
        breaks=(
            "langchain #26719: texts mixed",
            "readers by place: see tool-other-choice",
        ),
        end=_multiple,
    ),
    Rule(
        "choice-duplicate-text",
        "warning",
        "delta",
        "The text comes once more in {count} chunk{s}: {detail}.",
        "Read `delta`, and ignore a `message` in a chunk that streams.",
        why="Perplexity, Together and Writer send both; a reader that takes both shows the answer twice.",
        breaks=("GoModel #1068, hermes-browser-extension #11, one-api #2406: answer shown twice",),
        end=_duplicate_text,
    ),
    Rule(
        "choice-role-repeated",
        "warning",
        "delta",
        "The role comes again, or empty, in {count} delta{s}.",
        "Send the role once per choice, in its first delta.",
        why="Joined as text it becomes assistantassistant, and an empty role fails a check of allowed values.",
        breaks=(
            "openai-python 3.57.0 helper: joins the roles",
            '@ai-sdk/openai 3.0.141: refuses ""',
            "openinterpreter #244: role unknown",
        ),
        keys=frozenset({"role"}),
        shape=_empty_role,
        end=_role_again,
    ),
)
"""The rules of this family."""
