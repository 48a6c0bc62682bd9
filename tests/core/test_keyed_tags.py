"""Reasoning tags in the text of blocks with a key are thoughts, as they are in Chat (dialects.md 8.1)."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.reading import Reading
from inspector_app.core.rules import from_mapping
from tests.dialects.events import event, read_text, rules_of

START = event("message_start", message={"id": "m", "type": "message", "role": "assistant", "content": []})
END = event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 1}) + event("message_stop")


def block(index: int, kind: str, *deltas: dict[str, Any], **fields: Any) -> str:
    start = event("content_block_start", index=index, content_block={"type": kind} | fields)
    said = "".join(event("content_block_delta", index=index, delta=delta) for delta in deltas)
    return start + said + event("content_block_stop", index=index)


def text(index: int, *texts: str) -> str:
    return block(index, "text", *({"type": "text_delta", "text": one} for one in texts), text="")


def thinking(index: int, said: str) -> str:
    return block(index, "thinking", {"type": "thinking_delta", "thinking": said}, thinking="")


TOOL = block(1, "tool_use", {"type": "input_json_delta", "partial_json": "{}"}, id="t1", name="f", input={})


def told(reading: Reading) -> list[tuple[str, str | None, str]]:
    return [(one.kind, one.fields.get("form"), one.text) for one in reading.blocks if one.kind != "tool_call"]


THOUGHT = ("reasoning", "inline_tag", "So.")
STREAMS: dict[str, tuple[str, list[tuple[str, str | None, str]]]] = {
    "a tag at the start": (text(0, "<think>So.</think>\n\nYes", "!"), [THOUGHT, ("text", None, "Yes!")]),
    "a thought and no text": (text(0, "<think>", "So.", "</think>"), [THOUGHT]),
    "a tag in pieces": (text(0, "\n<th", "ink>S", "o.</thi", "nk> Ye", "s"), [THOUGHT, ("text", None, "Yes")]),
    "a tag in a later text": (text(0, "No: <think>x</think>"), [("text", None, "No: <think>x</think>")]),
    "a tag behind a call": (
        text(0, "First.") + TOOL + text(2, "<think>So.</think>Yes"),
        [("text", None, "First."), THOUGHT, ("text", None, "Yes")],
    ),
    "a tag in the text behind a text": (
        text(0, "First.") + text(1, "<think>So.</think>Yes"),
        [("text", None, "First."), ("text", None, "<think>So.</think>Yes")],
    ),
    "a tag that never closes": (text(0, "<think>So.", " Yes"), [("text", None, "<think>So. Yes")]),
    "what a thought of its own said": (
        thinking(0, "So.") + text(1, "<think>So.</think>Yes"),
        [("reasoning", "raw", "So."), ("text", None, "Yes")],
    ),
}


@pytest.mark.parametrize(("parts", "wanted"), STREAMS.values(), ids=list(STREAMS))
@pytest.mark.parametrize("size", [1 << 20, 1])
def test_what_stands_between_tags_is_a_thought(
    parts: str, wanted: list[tuple[str, str | None, str]], size: int
) -> None:
    reading = read_text(START + parts + END, size=size)
    assert told(reading) == wanted
    assert [one.n for one in reading.blocks] == list(range(len(reading.blocks)))


def test_each_delta_leads_to_the_block_it_fed() -> None:
    reading = read_text(START + text(0, "<think>", "So", ".</think>", "Yes", "!") + END)
    thought, answer = reading.blocks
    numbers = {n: reading.event_of_delta(n) for n in range(reading.delta_count)}
    assert [numbers[n] for n in thought.deltas] == [3, 4]
    assert [numbers[n] for n in answer.deltas] == [5, 6]
    fed = {numbers[n]: held for n, held in enumerate(reading.delta_blocks) if held >= 0}
    assert {event: fed.get(event) for event in (2, 3, 4, 5, 6)} == {2: None, 3: 0, 4: 0, 5: 1, 6: 1}
    assert (thought.first_event, thought.last_event, thought.state, thought.closed_by) == (3, 4, "complete", "explicit")
    assert thought.spans == {1: (0, 1)}
    assert answer.first_event == 5


def test_tags_are_told() -> None:
    assert "think-tag-inline" in rules_of(read_text(START + STREAMS["a tag at the start"][0] + END))
    assert "think-tag-inline" not in rules_of(read_text(START + STREAMS["a tag in a later text"][0] + END))
    never = read_text(START + STREAMS["a tag that never closes"][0] + END)
    assert "think-tag-unbalanced" in rules_of(never)
    assert never.blocks[0].fields["likely_reasoning"] == "So. Yes"
    copied = read_text(START + STREAMS["what a thought of its own said"][0] + END)
    assert "reasoning-double-delivery" in rules_of(copied)


def test_a_client_that_splits_no_tags_has_them_in_its_text() -> None:
    rules = from_mapping({"think_tags": "literal"}, "test")
    reading = read_text(START + STREAMS["a tag at the start"][0] + END, rules)
    assert told(reading) == [("text", None, "<think>So.</think>\n\nYes!")]


def test_the_end_of_a_part_is_compared_with_what_was_sent() -> None:
    """R44: the whole value of Responses has the tags, too."""
    place = {"item_id": "i", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": []}
    whole = "<think>So.</think>Yes"
    body = event("response.created", sequence_number=0, response={"id": "r", "output": []})
    body += event("response.content_part.added", sequence_number=1, part=part, **place)
    body += event("response.output_text.delta", sequence_number=2, delta="<think>So.</th", **place)
    body += event("response.output_text.delta", sequence_number=3, delta="ink>Yes", **place)
    body += event("response.output_text.done", sequence_number=4, text=whole, **place)
    body += event("response.content_part.done", sequence_number=5, part=part | {"text": whole}, **place)
    body += event("response.completed", sequence_number=6, response={"id": "r", "status": "completed", "output": []})
    reading = read_text(body)
    assert told(reading) == [THOUGHT, ("text", None, "Yes")]
    assert "responses-snapshot-mismatch" not in rules_of(reading)
