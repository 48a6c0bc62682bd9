"""Rules about the JSON of payloads; the places come from where payloads are parsed."""

from __future__ import annotations

from collections.abc import Iterable

from inspector_app.core.diagnosis import Rule
from inspector_app.core.reading import Reading
from inspector_app.findings._places import is_plain_text


def _meant_as_json(reading: Reading, events: Iterable[int]) -> Iterable[int]:
    return events if reading.dialect_module is not None else [n for n in events if not is_plain_text(reading, n)]


RULES = (
    Rule(
        "json-invalid",
        "error",
        "event",
        "What should be JSON is not, in {count} place{s}: {detail}.",
        "Leave the writing of JSON to a library, and close an event before you write the next.",
        why="Here most clients end the stream, and the rest leave the event out and say nothing.",
        breaks=(
            "openai-python 3.57.0 and what is built on its decoder, openai-node 6.49.0, Zed, Continue: raise",
            "@ai-sdk/openai-compatible 2.0.92: error part, then goes on",
            "Codex (Chat): leaves the event out",
        ),
        under=("frame-aws-crc",),
        settle=_meant_as_json,
    ),
    Rule(
        "json-multiple-roots",
        "error",
        "event",
        "More than one JSON value in {count} payload{s} ({detail}); each was read.",
        "End every event with a blank line before the next one begins.",
        why="A blank line is missing, or two writers share one line, and a strict parser loses all of the values.",
        breaks=("every client that was run: the event fails",),
    ),
    Rule(
        "json-duplicate-key",
        "warning",
        "event",
        "{count} repeated key{s} within one object, first {detail}.",
        "Build objects from maps instead of joining text.",
        why="Which value counts depends on the parser: some take the first, some the last.",
        breaks=("parsers differ: two clients read two values",),
    ),
)
