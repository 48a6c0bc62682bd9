"""Made-up recordings for the timeline, after the three reports: small blocks, a call without its name, no times."""

from __future__ import annotations

import random
from array import array

from inspector_app.ui.timeline import Axis, Bar, Lane, Mark, Span

MS = 1_000_000
WORDS = [
    "Fetch",
    "ends",
    "after",
    "four",
    "minutes",
    ",",
    "so",
    "the",
    "network",
    "is",
    "not",
    "reached",
    "before",
    "noon",
]


def flagship() -> tuple[Axis, list[Lane]]:
    """149 reasoning blocks for one reader, one for the other; then a text; four bursts of events."""
    draw = random.Random(7)
    events, at = array("q"), 389.0
    for number in range(149):
        events.append(round(at * MS))
        at += draw.choice((22, 24, 26, 28, 28, 30, 34, 38))
        if number in (37, 77, 112):
            at += 130
    at += 60
    for _ in range(41):
        events.append(round(at * MS))
        at += draw.choice((26, 28, 30, 32))
    events.append(round((at - 10) * MS))
    reads = array("q", [time for number, time in enumerate(events) if number % 3 == 0])
    end = events[-1] + 15 * MS
    reasoning, text = list(events[:149]), list(events[150:188])
    words = [WORDS[number % len(WORDS)] + " " for number in range(149)]
    small = [
        Bar(
            time, time, f"Reasoning {number + 1}", "reasoning", number, [time], [number], [words[number]],
            closed_early=True,
        )
        for number, time in enumerate(reasoning)
    ]  # fmt: skip
    one = Bar(
        reasoning[0], reasoning[-1], "Reasoning 1 · 149 deltas · 707 chars", "reasoning", -1, reasoning,
        list(range(149)), words,
    )  # fmt: skip
    answer = Bar(
        text[0], text[-1], "Text 1 · 38 deltas · 166 chars", "text", 149, text, list(range(150, 188)), words,
    )  # fmt: skip
    marks = [
        Mark(events[0], "error", "ZCode 3.11 reads it fragmented", 149, 1, icon="scissors"),
        Mark(events[4], "warning", "tool-calls-empty-array", 188, 0, end=events[187]),
        Mark(events[187], "warning", "choice-role-repeated", 1, 188),
        Mark(events[190], "info", "meta-all-fields", 1, 190),
    ]
    lanes = [
        Lane("reads", "Reads", "64", ticks=reads, spans=[Span(0, events[0], "wait", "waiting 389\u2009ms")]),
        Lane("events", "Events", "191", ticks=events),
        Lane("zcode", "Reasoning", "ZCode 3.11", "149", "error", "reasoning", bars=small),
        Lane("reference", "Reasoning", "Reference", "1", "info", "reasoning", bars=[one]),
        Lane("text", "Text", "both", "1", "info", "text", bars=[answer]),
        Lane("findings", "Findings", "5", icon="filter", marks=marks),
    ]
    return Axis(True, (0, end), events, end, "[DONE]"), lanes


def missing_tool() -> tuple[Axis, list[Lane]]:
    """A call whose id and name one reader never saw, beside the reader that did."""
    times = [618, 658, 700, 742, 784, 826, 868, 910, 980, 1100, 1170, 1250, 1330, 1371, 1376]
    events = array("q", [time * MS for time in times])
    text = events[1:8]
    call = events[8:12]
    lanes = [
        Lane("reads", "Reads", "9", ticks=events[::2], spans=[Span(0, events[0], "wait", "waiting 618\u2009ms")]),
        Lane("events", "Events", "15", ticks=events, unread=[8]),
        Lane("text", "Text", "both", "1", "info", "text", bars=[
            Bar(text[0], text[-1], "Text 1 · 7 deltas · 43 chars", "text", 0, text, range(1, 8), WORDS[:7])]),
        Lane("wingmate", "Tool call", "Wingmate 2026-06", "1", "error", "tool", bars=[
            Bar(call[0], call[-1], "arguments only · 17 chars", "tool", 1, call[1:], range(9, 12),
                ['{"city":', '"Ber', 'gen"}'], missing=("id", "name"))]),
        Lane("reference", "Tool call", "Reference", "1", "info", "tool", bars=[
            Bar(call[0], call[-1], "get_weather · 17 chars", "tool", -1, call, range(8, 12),
                ["get_weather", '{"city":', '"Ber', 'gen"}'])]),
        Lane("findings", "Findings", "6", icon="filter", marks=[
            Mark(call[0], "error", "tool-name-missing", 1, 8, icon="brackets"),
            Mark(call[1], "warning", "tool-id-empty", 3, 9), Mark(events[13], "info", "meta-all-fields", 1, 13)]),
    ]  # fmt: skip
    end = 1380 * MS
    return Axis(True, (0, end), events, end, "[DONE]"), lanes


def untimed() -> tuple[Axis, list[Lane]]:
    """A body without times: events in order, and a last block that was cut."""
    events = array("q", range(24))
    lanes = [
        Lane("events", "Events", "24", ticks=events, hollow=True, unread=[20]),
        Lane("reasoning", "Reasoning", "1", icon="reasoning", bars=[
            Bar(1, 8, "Reasoning 1 · 8 deltas", "reasoning", 0, range(1, 9), range(1, 9), WORDS)]),
        Lane("text", "Text", "1", icon="text", bars=[
            Bar(9, 15, "Text 1 · 7 deltas", "text", 1, range(9, 16), range(9, 16), WORDS)]),
        Lane("tool", "Tool 0", "get_weather", icon="tool", bars=[
            Bar(16, 19, "get_weather · 17 chars", "tool", 2, range(16, 20), range(16, 20), WORDS, repaired=True),
            Bar(21, 23, "Tool 1", "tool", 3, range(21, 24), range(21, 24), WORDS, state="truncated")]),
        Lane("unread", "Reasoning", "OpenClaw", icon="unread", bars=[
            Bar(1, 8, "Reasoning 1, not read", "unread", 4, range(1, 9), range(1, 9), WORDS)]),
        Lane("findings", "Findings", "2", icon="filter", marks=[
            Mark(20, "warning", "tool-calls-empty-array", 4, 20), Mark(21, "error", "end-truncated", 1, 23)]),
    ]  # fmt: skip
    return Axis(False, (0, 23), end=24, end_words="[DONE]"), lanes


def states() -> tuple[Axis, list[Lane]]:
    """Silence, encrypted reasoning, a block still open, a stream that was cut."""
    events = array("q", [number * 100 * MS for number in range(4, 20)] + [5000 * MS + n * 100 * MS for n in range(9)])
    lanes = [
        Lane("reads", "Reads", "25", ticks=events, weights=[40 * (n % 7 + 1) for n in range(25)],
             spans=[Span(0, events[0], "wait", "waiting 400\u2009ms"),
                    Span(events[15], events[16], "silence", "3.1\u2009s")]),
        Lane("reasoning", "Reasoning", "1 and 2", icon="reasoning", bars=[
            Bar(events[0], events[5], "Reasoning 1", "reasoning", 0, events[:6], range(6), WORDS, state="redacted"),
            Bar(events[6], events[9], "Reasoning 2", "reasoning", 1, events[6:10], range(6, 10), WORDS,
                closed_early=True),
            Bar(events[10], events[15], "Refusal 1", "refusal", 2, events[10:16], range(10, 16), WORDS)]),
        Lane("text", "Text", "cut", icon="text", bars=[
            Bar(events[16], events[24], "Text 1 · 9 deltas", "text", 3, events[16:], range(16, 25), WORDS,
                state="truncated")]),
        Lane("tool", "Tool 0", "open", icon="tool", bars=[
            Bar(events[16], events[20], "find_ferry", "tool", 4, events[16:21], range(16, 21), WORDS, state="open")]),
    ]  # fmt: skip
    return Axis(True, (0, events[-1]), events, events[-1] + 30 * MS, "truncated", truncated=True), lanes
