"""Tool calls of dialects in which an id is no duty: Gemini and Ollama native."""

from __future__ import annotations

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading

NATIVE = frozenset({"gemini", "ollama-chat", "ollama-generate"})
"""Dialects whose calls may come without an id."""


def _without_id(reading: Reading, report: Report) -> None:
    if reading.speaks not in NATIVE:
        return
    for block in reading.blocks:
        if block.kind == "tool_call" and block.fields["tool_kind"] == "function" and not block.fields["id"]:
            report(block.first_event, block=block, detail=block.fields["name"] or "no name")


RULES = (
    Rule(
        "tool-call-without-id",
        "info",
        "block",
        "A call has no id ({detail}); the one shown is made up.",
        "Give each call an id of your own and keep it for the result.",
        why="It is legal here, but two calls to one tool can only be told apart by their order.",
        breaks=("AgenticCrawler #113, omnigent #28: mix up the results of calls to one tool",),
        end=_without_id,
    ),
)
"""The rules of this family."""
