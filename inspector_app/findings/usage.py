"""Token counts: missing, sent more than once, in odd places, or at odds with themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.reading import Reading
from inspector_app.findings._chat import CHAT, choices, in_choices
from inspector_app.findings._request import asked
from inspector_app.findings._several import in_company, not_the_first
from inspector_app.findings._spots import rows_where

USAGE = frozenset({"usage"})
TOTALS = ("input", "output", "total")
"""Counts that say how much the answer cost; the others are shares of them."""

LONG = 20
"""Digits from which on a text is no count."""


def _missing(reading: Reading, report: Report) -> None:
    if getattr(reading.dialect_module, "PROMISES_USAGE", False):
        _promised(reading, report)
        return
    options = (asked(reading) or {}).get("stream_options")
    promised = isinstance(options, dict) and options.get("include_usage") is True
    whole = bool(reading.finishes) and (reading.marker is not None or reading.exchange.synthetic)
    if promised and whole and not reading.errors and in_choices(reading) and not any(_counts(reading.usage)):
        report(reading.last_event)


def _promised(reading: Reading, report: Report) -> None:
    """The dialect has usage where the answer ends, behind it, or in an event of its own that may come before; how many
    tokens came out is the least of it."""
    if reading.errors or not reading.finishes or reading.framing == "json":
        return
    end = reading.finishes[-1]
    if end["reason"] == "error":
        return
    before = reading.finishes[-2]["event"] if len(reading.finishes) > 1 else -1
    for n, _ in rows_where(reading, lambda row: row[0] == "usage"):
        for delta in reading.deltas(n) if n > before else ():
            final = n >= end["event"] or (delta.extra or {}).get("where") == "root"
            if delta.kind == "usage" and final and delta.value.get("output") is not None:
                return
    report(end["event"])


def _counts(usage: dict[str, Any] | None) -> list[int]:
    return [usage[key] for key in TOTALS if isinstance(usage[key], int)] if usage else []


def _cumulative(report: Report) -> Watcher:
    held: list[tuple[int, str]] = []
    total = 0

    def watch(seen: Seen) -> None:
        nonlocal total
        for delta in seen.deltas:
            if delta.kind == "usage" and delta.pointer == "/usage" and any(_counts(delta.value)):
                if seen.dialect in CHAT:
                    held.append((seen.n, delta.pointer))
                    total += 1
                break
        if total > 1:
            for place in held:
                report(*place)
            held.clear()

    return watch


def _conflict(reading: Reading, report: Report) -> None:
    """The last usage of each place must say the same, and no count may fall."""
    if reading.speaks not in CHAT:
        return
    last: dict[str, int] = {}
    for n, (_, _, pointer) in rows_where(reading, lambda row: row[0] == "usage"):
        last[pointer] = n
    said: dict[str, tuple[int, str]] = {}
    for pointer, n in last.items():
        counts = {key: value for key, value in _usage_at(reading, n, pointer).items() if key in TOTALS and value}
        for key, value in counts.items():
            other, place = said.setdefault(key, (value, pointer))
            if other != value:
                report(n, pointer, detail=f"{key} is {value} here and {other} in {place}")
                break


def _usage_at(reading: Reading, n: int, pointer: str) -> dict[str, Any]:
    return next((delta.value for delta in reading.deltas(n) if delta.pointer == pointer and delta.kind == "usage"), {})


def _falling(report: Report) -> Watcher:
    tops: dict[tuple[str, str], int] = {}

    def watch(seen: Seen) -> None:
        for delta in seen.deltas:
            if delta.kind == "stream.start":
                tops.clear()
            if delta.kind != "usage":
                continue
            # Where usage has one place per event, the places are those of one running count.
            place = delta.pointer if seen.dialect in CHAT else ""
            for key in TOTALS:
                value = delta.value[key] or 0
                held = tops.get((place, key), 0)
                if 0 < value < held:
                    report(seen.n, delta.pointer, detail=f"{key} falls from {held} to {value}")
                    break
                tops[place, key] = max(value, held)

    return watch


def _zeros(report: Report) -> Watcher:
    counted = False

    def watch(seen: Seen) -> None:
        nonlocal counted
        for delta in seen.deltas:
            if delta.kind == "usage":
                counts = _counts(delta.value)
                if counted and counts and not any(counts):
                    report(seen.n, delta.pointer, detail="zeros after real counts")
                counted = counted or any(counts)

    return watch


def _inconsistent(reading: Reading, report: Report) -> None:
    usage = reading.usage
    if not usage:
        return
    places = list(rows_where(reading, lambda row: row[0] == "usage"))
    n, (_, _, pointer) = places[-1] if places else (reading.last_event, ("", 0, ""))
    apart = [usage["raw"].get(key) for key in getattr(reading.dialect_module, "COUNTED_APART", ())]
    spoke = any(block.has_text for block in reading.blocks)
    odd = _oddity(usage, spoke, sum(count for count in apart if type(count) is int))
    for key, count in usage["raw"].items():
        if type(count) is str and key.endswith("tokens") and count.isdecimal() and len(count) < LONG:
            report(n, f"{pointer}/{key}", detail=f'{key} is the text "{count}", no number', case="text")
            return
    if odd:
        report(n, pointer, detail=odd)


def _oddity(usage: dict[str, Any], spoke: bool, apart: int = 0) -> str:
    """What is odd about the counts; `apart` is what the dialect has in neither input nor output."""
    given, produced, total, thought = (usage[key] for key in ("input", "output", "total", "reasoning"))
    if spoke and produced == 0:
        return "output is 0 although the answer has content"
    if None not in (given, produced, total) and total not in (given + produced, given + produced + apart):
        return f"total {total} is not input {given} plus output {produced}"
    if thought is not None and produced is not None and thought > produced + apart:
        return f"reasoning {thought} is above output {produced}"
    return ""


def _in_choice(payload: Any) -> Iterator[str]:
    yield from (pointer + "/usage" for pointer, choice in choices(payload) if choice.get("usage"))


RULES = (
    Rule(
        "usage-missing",
        "warning",
        "stream",
        "No usage came where the request or the dialect promises it.",
        "Send usage at the end of every stream; a client should not depend on it.",
        why="The cost is unknown, which is not zero.",
        breaks=(
            "anthropic-sdk-python 2.14.0 helper: AttributeError on null",
            "@anthropic-ai/sdk 1.14.0 helper: TypeError on null",
            "@ai-sdk/anthropic 3.0.140: schema error on null",
            "pi #6567: fails",
            "LiteLLM: makes an estimate",
        ),
        end=_missing,
    ),
    Rule(
        "usage-cumulative",
        "warning",
        "stream",
        "Usage comes {count} times; only the last one counts.",
        "Send usage in the last chunk only; as a client, never add it up.",
        why="Groq sends it twice, Perplexity and vLLM with continuous_usage_stats with every chunk.",
        breaks=(
            "langchain-openai 1.7.4, pydantic-ai 2.68.0: report the sum",
            "InsForge #2015, langchain #31351: count several times over",
        ),
        kinds=USAGE,
        watch=_cumulative,
        settle=in_company,
    ),
    Rule(
        "usage-conflict",
        "warning",
        "stream",
        "Two usage objects disagree: {detail}.",
        "Compute usage in one place.",
        why="What the answer cost depends on which one a client reads.",
        breaks=("clients: report different costs",),
        kinds=USAGE,
        watch=_falling,
        end=_conflict,
        settle=not_the_first("usage"),
    ),
    Rule(
        "usage-inconsistent",
        "info",
        "stream",
        "The token counts are odd: {detail}.",
        "Show counts as sent apart from those computed, and never let zeros replace them.",
        why="Some vendors, xAI for one, count reasoning apart; others end with zeros.",
        breaks=(
            "clients where the last usage wins: end with zeros",
            "cost tools: compute wrong sums",
        ),
        kinds=USAGE,
        cases={"text": "Send token counts as JSON numbers; a client can read no sum out of a text."},
        watch=_zeros,
        end=_inconsistent,
    ),
    Rule(
        "usage-in-choice",
        "warning",
        "event",
        "Usage stands inside a choice in {count} chunk{s}.",
        "Put usage at the root of the chunk.",
        why="Older Moonshot servers do so, and hardly a client looks there.",
        breaks=(
            "all but OpenLLMetry and a special case of pydantic-ai: find no usage",
            "bifrost #191: usage lost",
        ),
        keys=frozenset({"usage"}),
        shape=_in_choice,
    ),
)
"""The rules of this family."""
