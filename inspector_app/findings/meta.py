"""Rules across dialects: what a stream says about itself, and what this reader could not take."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading
from inspector_app.core.text import clip
from inspector_app.findings._generations import closed_by_marker, start_pointer, starts
from inspector_app.findings._places import NO_PAYLOAD, layouts_where, positions

PART = re.compile(r"/(?:content|reasoning_details|content_block|delta|item|part|step|output)(?:/\d+)?\Z")
"""Where an unknown statement is an event or a part of a kind that nobody knows; elsewhere it is an extra key."""

FILTERS = ("content_filter_results", "content_filter_result", "content_filter_offsets", "content_filter_raw")
PROMPT_FILTERS = ("prompt_filter_results", "prompt_annotations")

FILLED = frozenset(
    {
        *("role", "content", "refusal", "tool_calls", "function_call", "audio", "images", "annotations"),
        *("reasoning_content", "reasoning", "reasoning_details", "reasoning_text", "thinking", "thinking_blocks"),
    }
)
"""Keys of a delta that serializers write although they are empty."""
ALL_FIELDS_DELTAS = 4
ALL_FIELDS_KEYS = 3


def _spliced(reading: Reading, report: Report) -> None:
    for n, ended in starts(reading):
        if not ended:
            report(n, start_pointer(reading, n))


def _within_one_answer(reading: Reading, events: Iterable[int]) -> Iterable[int]:
    """A new id at the start of another answer is no drift."""
    own = {n for n, _ in starts(reading)}
    own.update(first + at for first, last in closed_by_marker(reading)[1:] for at in range(last - first + 1))
    return [n for n in events if n not in own]


def _unknown(reading: Reading, report: Report) -> None:
    for entry in reading.finishes:
        if entry["reason"] is None:
            report(entry["event"], entry["pointer"], detail=f"finish reason {clip(str(entry['raw']), 60)}")
    layouts = layouts_where(reading, lambda row: row[0] == "unknown" and _is_part(row[2]))
    for n in sorted(positions(reading, layouts)):
        # What is no JSON has no type, and a whole body of it takes long to decode again.
        for delta in reading.deltas(n) if not reading.events.flags[n] & F.NOT_JSON else ():
            kind = delta.value.get("type") if delta.kind == "unknown" and isinstance(delta.value, dict) else None
            if isinstance(kind, str) and kind and _is_part(delta.pointer):
                what = "part" if delta.pointer else "event"
                report(n, delta.pointer or "/type", detail=f"{what} of type {clip(kind, 60)}")


def _is_part(pointer: str) -> bool:
    return not pointer or PART.search(pointer) is not None


def _choices(payload: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    choices = payload.get("choices")
    for position, choice in enumerate(choices if isinstance(choices, list) else ()):
        if isinstance(choice, dict):
            yield position, choice


def _filter_data(payload: Any) -> Iterator[str]:
    """Filter data of a chunk, the first of it."""
    for key in PROMPT_FILTERS:
        if payload.get(key):
            yield "/" + key
            return
    for position, choice in _choices(payload):
        for key in FILTERS:
            if choice.get(key):
                yield f"/choices/{position}/{key}"
                return


def _empty_fields(payload: Any) -> Iterator[str]:
    """A delta with three or more empty keys; whether that is the habit of the stream is settled at its end."""
    for position, choice in _choices(payload):
        delta = choice.get("delta")
        if isinstance(delta, dict):
            empty = sum(1 for key, value in delta.items() if not value and value is not False and key in FILLED)
            if empty >= ALL_FIELDS_KEYS:
                yield f"/choices/{position}/delta"
                return


def _habit(reading: Reading, events: Iterable[int]) -> Iterable[int]:
    """The deltas with empty fields, when they are four or more and most of all; the first chunk says nothing."""
    hits = array("I", events)
    if len(hits) < ALL_FIELDS_DELTAS:
        return ()
    deltas, first = _with_delta(reading)
    if hits[0] == first:
        hits = hits[1:]
    return hits if len(hits) >= ALL_FIELDS_DELTAS and 2 * len(hits) > deltas - 1 else ()


def _with_delta(reading: Reading) -> tuple[int, int | None]:
    """How many events have a delta, and the first of them; where a layout does not tell, the payload is asked."""
    told = {}
    for layout in reading.layouts.all:
        empty = any(rule == "meta-all-fields" for rule, _ in layout.hits)
        told[layout.number] = empty or any("/delta" in pointer for _, _, pointer in layout.rows)
    flags = reading.events.flags
    found = []
    for number, places in reading.events_by_layout().items():
        if told[number]:
            found.append(places)
            continue
        for n in places:
            payload = reading.payload(n) if not flags[n] & NO_PAYLOAD and n != reading.marker_event else None
            if isinstance(payload, dict) and any(isinstance(c.get("delta"), dict) for _, c in _choices(payload)):
                found.append(array("I", [n]))
    return sum(map(len, found)), min((places[0] for places in found), default=None)


RULES = (
    Rule(
        "meta-dialect-switch",
        "error",
        "event",
        "{count} event{s} of another dialect ({detail}).",
        "Translate every event of a stream, its errors too.",
        why="The base URL is wrong or a router made a mistake; a client of the one dialect loses events of the other.",
        breaks=("Vercel AI SDK, Responses provider: raises on Chat chunks",),
    ),
    Rule(
        "meta-generation-spliced",
        "error",
        "event",
        "Another answer begins before the first has ended, {count} time{s}.",
        "Do not try again inside a stream of which a byte is out already.",
        why="A gateway started over in the middle, so a client glues the texts of two answers together.",
        breaks=(
            "anthropic-sdk-python 2.14.0 helper: glues the texts and adds an empty block",
            "@anthropic-ai/sdk 1.14.0 helper: throws",
            "@ai-sdk/anthropic 3.0.140: error part",
        ),
        end=_spliced,
    ),
    Rule(
        "meta-delta-after-close",
        "warning",
        "event",
        "{count} delta{s} for a block that had ended ({detail}).",
        "Send the end of a block behind everything that belongs to it.",
        why="The delta is added all the same and counts as late; other readers lose it or report an error.",
        breaks=("Claude Code: Content block not found",),
    ),
    Rule(
        "meta-unknown-value",
        "info",
        "event",
        "{count} value{s} this program does not know, first {detail}.",
        "Pass over types you do not know; a gateway maps reasons of a vendor and keeps the original beside.",
        why="A new feature, or an extra of a gateway; a decoder with a closed list of values ends here.",
        breaks=(
            "koog #1866: ends at a keepalive event",
            "typed SDK decoders (Rust, Go enums): fail at an unknown finish reason",
            "@ai-sdk/anthropic 3.0.140: schema error part, then goes on",
        ),
        end=_unknown,
    ),
    Rule(
        "meta-id-drift",
        "info",
        "stream",
        "The answer changes how it calls itself: {detail}.",
        "Give every chunk the id, model and time that the first one had.",
        why="The id no longer tells which chunks belong together; SGLang (created), Groq (ids) and xAI do this.",
        breaks=("clients that group by id: several answers out of one",),
        settle=_within_one_answer,
    ),
    Rule(
        "meta-filter-data",
        "info",
        "event",
        "{count} event{s} with results of a content filter.",
        "Leave such events out when you look for text, id or model.",
        why="Azure sends them with id and model empty, and some of them after the finish.",
        breaks=("readers that take id and model from the first chunk: get empty ones",),
        keys=frozenset({*FILTERS, *PROMPT_FILTERS}),
        shape=_filter_data,
    ),
    Rule(
        "meta-all-fields",
        "info",
        "stream",
        "{count} delta{s} carry three or more empty fields.",
        "Drop empty fields before you write a chunk.",
        why="The sender writes out all that its type has, so empty lists, ids, names and reasoning are to be expected.",
        breaks=("clients that ask whether a key is there: see tool-calls-empty-array, tool-id-empty, reasoning-empty",),
        shape=_empty_fields,
        settle=_habit,
    ),
    Rule(
        "meta-limit-reached",
        "warning",
        "event",
        "Beyond a limit of this program the bytes are shown as they are: {detail}.",
        "What lies beyond was not judged; cut the recording into smaller parts to have all of it read.",
        why="What lies beyond the limit was not judged, and other parsers have limits of their own.",
        breaks=(
            "orjson 3.13: raises above depth 1024",
            "Python 3.11 json: RecursionError near depth 1000, ValueError above 4300 digits",
        ),
    ),
)
