"""Verdicts on two readings built by hand."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.types import Block
from inspector_app.lenses import compare
from tests.lenses.readings import block, call, compared, reading, reasoning, text

WORDS = [f"word{n} " for n in range(149)]


def test_the_fragmented_reasoning_of_the_first_report() -> None:
    pieces = [reasoning(word, at=n, closed=("tool_call", n)) for n, word in enumerate(WORDS, 1)]
    difference = compared(
        [reasoning(*WORDS), text("Done.", at=150)],
        [*pieces, text("Done.", at=150)],
        reader="zcode-3.11",
    )
    assert difference.headline == "149 reasoning blocks instead of 1"
    assert difference.cause == "closed by `tool_calls: []` from event 1 on"
    chars = sum(map(len, WORDS)) + 5
    assert difference.to_json() == {
        "schema": "stream-inspector/diff/1",
        "a": "a",
        "b": "zcode-3.11",
        "verdict": "fragmented",
        "first_difference": {
            "event": 1,
            "why": "zcode-3.11 ends the reasoning block at event 1 because of `tool_calls: []`, where a goes on",
        },
        "blocks": {"a": 2, "b": 150},
        "chars": {"a": chars, "b": chars},
    }


def test_the_empty_turn_of_the_second_report() -> None:
    message = "incomplete turn detected: payloads=0"
    difference = compared([reasoning(*WORDS[:47])], [], client_error={"event": 48, "message": message})
    assert difference.verdict == "failed"
    lacks = "b lacks 319 characters of the reasoning: from event 1 on"
    why = f"{lacks}; it ends in an error at event 48 (it raises: {message})"
    assert difference.first_difference == (1, why)
    assert difference.headline == "0 blocks instead of 1, then an error"
    assert difference.cause == f"it raises: {message}"
    assert difference.error == (48, message)
    assert difference.blocks == (1, 0)


def test_the_skipped_line_of_the_third_report() -> None:
    whole = call("", '{"city":', '"Ber', 'gen"}', at=8, id="call_7", name="get_weather", executable=True)
    rest = call('{"city":', '"Ber', 'gen"}', at=9, id="", name="", executable=False)
    cause = "line 16 is not read (no space after the colon)"
    difference = compared(
        [text("Wait."), whole], [text("Wait."), rest], unread={7: "elsewhere", 8: "no space after the colon"}
    )
    assert difference.verdict == "lost"
    assert difference.headline == "Tool call 0 lost its id and its name"
    assert difference.cause == cause
    assert difference.first_difference == (8, f"b lacks the id and the name of tool call 0: {cause}")
    assert difference.chars == (22, 22)


def test_all_that_is_lost_is_told_not_only_the_first() -> None:
    whole = [reasoning("Hm."), text("Hello", at=3), call("{}", at=5)]
    unread = dict.fromkeys((1, 3, 5), "no space after the colon")
    difference = compared(whole, [], unread=unread)
    cause = "line 2 is not read (no space after the colon), nor are 2 others"
    lacks = "3 characters of the reasoning, 5 characters of the text and tool call 0"
    assert (difference.headline, difference.cause) == ("All 3 blocks are lost", cause)
    assert difference.lacks == lacks
    assert difference.first_difference == (1, f"b lacks {lacks}: {cause}")
    some = compared(whole, [text("Hello", at=3)], unread={1: "no space after the colon", 5: "no space after the colon"})
    assert (some.headline, some.lacks) == ("Reasoning is lost", "3 characters of the reasoning and tool call 0")
    assert some.cause == "line 2 is not read (no space after the colon), nor is 1 other"
    failed = compared(whole, [], unread=unread, client_error={"event": 9, "message": "empty"})
    assert (failed.headline, failed.lacks) == ("All 3 blocks are lost, then an error", lacks)


CASES: dict[str, tuple[list[Block], list[Block], str, int | None, str, str]] = {
    # a, b, verdict, event, headline, cause
    "nothing": ([], [], "same", None, "", ""),
    "equal": ([reasoning("x"), call("{}")], [reasoning("x"), call("{}")], "same", None, "", ""),
    "cut into other deltas": ([text("a", "bc")], [text("ab", "c")], "same", None, "", ""),
    "null and empty ids are one": ([call("{}", id=None)], [call("{}", id="")], "same", None, "", ""),
    "reasoning lost": (
        [reasoning("x", at=3), text("y")],
        [text("y")],
        "lost",
        3,
        "Reasoning is lost",
        "from event 3 on",
    ),
    "lost reasoning whose words the answer also says": (
        [reasoning("Paris", at=3), text("It is Paris.")],
        [text("It is Paris.")],
        "lost",
        3,
        "Reasoning is lost",
        "from event 3 on",
    ),
    "a delta lost in the middle": (
        [text("one ", "two ", "three", at=4)],
        [text("one ", "three", at=4)],
        "lost",
        5,
        "Text is 4 characters short",
        "from event 5 on",
    ),
    "the end lost": (
        [text("one", "two", "!")],
        [text("one", "two")],
        "lost",
        3,
        "Text is 1 character short",
        "from event 3 on",
    ),
    "a second choice lost": (
        [text("x"), text("y", at=2, choice=1)],
        [text("x")],
        "lost",
        2,
        "Text of choice 1 is lost",
        "from event 2 on",
    ),
    "a call lost": (
        [call('{"a":1}'), call('{"b":2}', at=5, id="c2")],
        [call('{"a":1}')],
        "lost",
        5,
        "Tool call 1 is lost",
        "from event 5 on",
    ),
    "one of two equal calls lost": (
        [call("{}"), call("{}", at=5)],
        [call("{}")],
        "lost",
        5,
        "Tool call 1 is lost",
        "from event 5 on",
    ),
    "all calls lost": ([call("{}"), call("[]", at=5)], [], "lost", 1, "2 tool calls are lost", "from event 1 on"),
    "arguments lost": (
        [call('{"a"', ":1}")],
        [call('{"a"')],
        "lost",
        2,
        "Tool call 0: arguments 3 characters short",
        "from event 2 on",
    ),
    "an id wiped out": (
        [call("{}", at=2)],
        [call("{}", at=2, id="")],
        "lost",
        2,
        "Tool call 0 lost its id",
        "wiped out by an empty id",
    ),
    "a name that never came": (
        [call("{}", at=2)],
        [call("{}", at=2, name=None)],
        "lost",
        2,
        "Tool call 0 lost its name",
        "from event 2 on",
    ),
    "media lost": ([block("media", "", at=7)], [], "lost", 7, "1 media block is lost", "from event 7 on"),
    "an error swallowed": ([block("error", "quota", at=7)], [], "lost", 7, "1 error block is lost", "from event 7 on"),
    "two runs in one block": (
        [reasoning("a"), text("x", at=2), reasoning("b", at=3)],
        [reasoning("ab"), text("x", at=2)],
        "merged",
        3,
        "1 reasoning block instead of 2",
        "reasoning begins anew at event 3",
    ),
    "think tags left in the text": (
        [reasoning("why", at=1), text("so", at=4)],
        [text("<think>why</think>so")],
        "merged",
        4,
        "Reasoning and text in one block",
        "text begins anew at event 4",
    ),
    "two calls glued": (
        [call('{"a":1}'), call('{"b":2}', at=5, id="c2")],
        [call('{"a":1}{"b":2}')],
        "merged",
        5,
        "1 tool call instead of 2",
        "tool call begins anew at event 5",
    ),
    "two choices in one block": (
        [text("one", at=1), text("two", at=6, choice=1)],
        [text("onetwo")],
        "merged",
        6,
        "Text of 2 choices in one block",
        "text begins anew at event 6",
    ),
    "borders moved": (
        [text("ab"), text("c", at=4)],
        [text("a"), text("bc", at=4)],
        "merged",
        4,
        "Text is cut elsewhere",
        "text begins anew at event 4",
    ),
    "split once at a real tool call": (
        [text("a", "b", at=1), call("{}", at=2)],
        [text("a", at=1, closed=("tool_call", 2)), call("{}", at=2), text("b", at=3)],
        "fragmented",
        2,
        "2 text blocks instead of 1",
        "closed by a tool call at event 2",
    ),
    "split for no known cause": (
        [text("a", "b", "c")],
        [text("a"), text("b", at=2), text("c", at=3)],
        "fragmented",
        2,
        "3 text blocks instead of 1",
        "from event 2 on",
    ),
    "split by the finish reason": (
        [text("a", "b")],
        [text("a", closed=("finish", 1)), text("b", at=2)],
        "fragmented",
        1,
        "2 text blocks instead of 1",
        "closed by the finish reason at event 1",
    ),
    "fragmented and a little longer": (
        [reasoning(*WORDS)],
        [*(reasoning(word, at=n) for n, word in enumerate(WORDS, 1)), reasoning("!", at=150)],
        "fragmented",
        2,
        "150 reasoning blocks instead of 1",
        "from event 2 on",
    ),
    "one call split": (
        [call('{"a"', ":1}")],
        [call('{"a"'), call(":1}", at=2, id="x")],
        "fragmented",
        2,
        "2 tool calls instead of 1",
        "at event 2",
    ),
    "text read twice": (
        [text("ab")],
        [text("abab", at=1)],
        "altered",
        1,
        "Text is 2 characters longer",
        "from event 1 on",
    ),
    "other text of the same length": (
        [text("a", "b")],
        [text("a", "x")],
        "altered",
        2,
        "Text reads otherwise",
        "from event 2 on",
    ),
    "words of the script engine for a list": (
        [text("hi")],
        [text("[object Object]")],
        "altered",
        1,
        "Text reads otherwise",
        "from event 1 on",
    ),
    "a refusal as answer": (
        [block("refusal", "No.", at=3)],
        [text("No.", at=3)],
        "altered",
        3,
        "Refusal is read as text",
        "from event 3 on",
    ),
    "an id doubled": (
        [call("{}")],
        [call("{}", id="c1c1")],
        "altered",
        1,
        "Tool call 0 has another id",
        "from event 1 on",
    ),
    "a name doubled": (
        [call("{}")],
        [call("{}", name="ff")],
        "altered",
        1,
        "Tool call 0 has another name",
        "from event 1 on",
    ),
    "other arguments": (
        [call('{"a":1}')],
        [call("[object Object]")],
        "altered",
        1,
        "Tool call 0 has other arguments",
        "from event 1 on",
    ),
    "a call that cannot run": (
        [call("", executable=True)],
        [call("", executable=False)],
        "altered",
        1,
        "Tool call 0 cannot be run",
        "from event 1 on",
    ),
    "a call of the server that no client has to run": (
        [call("print(1)", tool_kind="server", executable=True)],
        [call("print(1)", tool_kind="server", executable=False)],
        "same",
        None,
        "",
        "",
    ),
    "one call more": (
        [call("{}")],
        [call("{}"), call("1", at=9, id="x")],
        "altered",
        9,
        "2 tool calls instead of 1",
        "from event 9 on",
    ),
    "a signature not kept": (
        [reasoning("x", signature="s")],
        [reasoning("x")],
        "altered",
        1,
        "Reasoning with no signature",
        "from event 1 on",
    ),
    "an empty block more": (
        [],
        [reasoning("", encrypted="e", at=5)],
        "altered",
        5,
        "1 reasoning block instead of 0",
        "from event 5 on",
    ),
    "one media block more": (
        [block("media", "")],
        [block("media", ""), block("media", "", at=8)],
        "altered",
        8,
        "2 media blocks instead of 1",
        "from event 8 on",
    ),
    "another error": (
        [block("error", "x", at=8)],
        [block("error", "y", at=8)],
        "altered",
        8,
        "Other error",
        "from event 8 on",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_verdict_place_headline_and_cause(case: str) -> None:
    a, b, *expected = CASES[case]
    difference = compared(a, b)
    event = difference.first_difference.event if difference.first_difference else None
    assert [difference.verdict, event, difference.headline, difference.cause] == expected
    assert len(difference.headline.split()) <= 8


def test_an_unread_event_of_another_framing_is_no_cause() -> None:
    difference = compared([text("one ", "two")], [text("one ")], unread={2: "no blank line"}, last_event=7)
    assert difference.cause == "from event 2 on"


def test_an_unread_event_that_brought_something_else_is_no_cause() -> None:
    a = text("one ", "two")
    a.deltas[1], a.last_event = 4, 4
    assert compared([a], [text("one ")], unread={3: "no blank line"}).cause == "from event 4 on"


def test_a_text_read_otherwise_than_joined_has_no_place_inside() -> None:
    a = text("ab", "abc", at=4)
    a.override = "abc"
    assert compared([a], [text("ab", at=4)]).first_difference == (4, "b lacks 1 character of the text: from event 4 on")


def test_names_for_two_files() -> None:
    difference = compare(reading(text("x")), reading(), ("one.sse", "two.sse"))
    assert (difference.a, difference.b) == ("one.sse", "two.sse")
    assert difference.first_difference == (1, "two.sse lacks 1 character of the text: from event 1 on")


@pytest.mark.parametrize(
    "mine, theirs, verdict, event, headline",
    [
        (None, {"event": 7, "message": "m"}, "failed", 7, "The same reading ends in an error"),
        ({"event": 7, "message": "m"}, {"event": 7, "message": "m"}, "same", None, ""),
        ({"event": 9, "message": "m"}, {"event": 7, "message": "m"}, "failed", 7, "The same reading ends in an error"),
        (None, {"event": 7, "message": "m", "part": True}, "same", None, ""),
        ({"event": 7, "message": "m"}, None, "altered", 7, "No error ends this reading"),
    ],
)
def test_errors(mine: Any, theirs: Any, verdict: str, event: int | None, headline: str) -> None:
    difference = compare(reading(text("x"), reader="a", client_error=mine), reading(text("x"), client_error=theirs))
    first = difference.first_difference
    assert (difference.verdict, first and first.event, difference.headline) == (verdict, event, headline)


def test_the_worst_difference_counts_before_the_earliest() -> None:
    difference = compared([text("a", at=1), reasoning("b", at=5)], [text("x", at=1)])
    assert (difference.verdict, difference.headline) == ("lost", "Reasoning is lost")
