"""OpenAI Responses: items of every kind, values of their ends, and the deviations of compatible servers."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.dialects.openai_responses import decode
from tests.dialects.events import event, read_text, rules_of, texts, told


class Stream:
    """Events with their sequence numbers."""

    def __init__(self) -> None:
        self.text = ""
        self.number = 0

    def __call__(self, kind: str, **fields: Any) -> Stream:
        self.text += event(kind, **fields, sequence_number=self.number)
        self.number += 1
        return self

    def item(self, at: int, added: dict[str, Any], done: dict[str, Any] | None = None) -> Stream:
        """An item that has nothing between its start and its end."""
        self("response.output_item.added", output_index=at, item=added)
        return self("response.output_item.done", output_index=at, item=added if done is None else done)

    def pieces(self, kind: str, values: list[str], **fields: Any) -> Stream:
        for value in values:
            self(f"response.{kind}.delta", delta=value, **fields)
        return self

    def ended(self, status: str = "completed", output: list[Any] | None = None, **more: Any) -> Stream:
        usage = {"input_tokens": 5, "output_tokens": 6, "total_tokens": 11}
        response = {"id": "resp_1", "object": "response", "status": status, "output": output or [], "usage": usage}
        return self(f"response.{status}", response=response | more)


def begun(name: str = "resp_1") -> Stream:
    response = {"id": name, "object": "response", "created_at": 1, "status": "in_progress", "model": "demo"}
    return Stream()("response.created", response=response | {"output": []})


MESSAGE = {"id": "msg_1", "type": "message", "status": "in_progress", "role": "assistant", "content": []}
PART = {"type": "output_text", "text": "", "annotations": []}
CALL = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "tides", "arguments": ""}


def message(text: str, **more: Any) -> dict[str, Any]:
    return MESSAGE | {"status": "completed", "content": [PART | {"text": text}]} | more


def say(stream: Stream, at: int, *values: str, value: str | None = None, **where: Any) -> Stream:
    """A message item with one part."""
    place = {"item_id": "msg_1", "output_index": at, "content_index": 0} | where
    stream("response.output_item.added", output_index=at, item=MESSAGE)
    stream("response.content_part.added", **place, part=PART)
    stream.pieces("output_text", list(values), **place)
    whole = "".join(values) if value is None else value
    stream("response.output_text.done", **place, text=whole)
    stream("response.content_part.done", **place, part=PART | {"text": whole})
    return stream("response.output_item.done", output_index=at, item=message(whole))


def call(stream: Stream, at: int, *values: str, value: str | None = None) -> Stream:
    whole = "".join(values) if value is None else value
    stream("response.output_item.added", output_index=at, item=CALL)
    stream.pieces("function_call_arguments", list(values), item_id="fc_1", output_index=at)
    stream("response.function_call_arguments.done", item_id="fc_1", output_index=at, arguments=whole)
    return stream("response.output_item.done", output_index=at, item=CALL | {"arguments": whole})


def think(stream: Stream, at: int, *parts: list[str]) -> Stream:
    item = {"id": "rs_1", "type": "reasoning", "summary": []}
    stream("response.output_item.added", output_index=at, item=item)
    for number, values in enumerate(parts):
        place = {"item_id": "rs_1", "output_index": at, "summary_index": number}
        stream("response.reasoning_summary_part.added", **place, part={"type": "summary_text", "text": ""})
        stream.pieces("reasoning_summary_text", values, **place)
        stream("response.reasoning_summary_text.done", **place, text="".join(values))
    summary = [{"type": "summary_text", "text": "".join(values)} for values in parts]
    return stream("response.output_item.done", output_index=at, item=item | {"summary": summary})


OUTPUT = [
    {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Look it up."}]},
    message("At nine."),
    CALL | {"arguments": '{"port":"Bergen"}'},
]
WHOLE = (
    call(say(think(begun(), 0, ["Look ", "it up."]), 1, "At ", "nine."), 2, '{"port":', '"Bergen"}')
    .ended(output=OUTPUT)
    .text
)


def test_a_whole_answer() -> None:
    reading = read_text(WHOLE)
    assert told(reading) == [
        ("reasoning", "Look it up.", "complete", "explicit"),
        ("text", "At nine.", "complete", "explicit"),
        ("tool_call", '{"port":"Bergen"}', "complete", "explicit"),
    ]
    thought, _, tool = reading.blocks
    assert thought.fields["form"] == "summary"
    assert (tool.fields["id"], tool.fields["name"], tool.fields["tool_kind"]) == ("call_1", "tides", "function")
    assert tool.fields["executable"]
    assert (reading.dialect, reading.marker, reading.clean) == ("openai-responses", "response.completed", True)
    assert [(entry["raw"], entry["reason"]) for entry in reading.finishes] == [("completed", "tool_calls")]
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"], reading.usage["total"]) == (5, 6, 11)
    assert reading.meta == {"id": "resp_1", "model": "demo", "created": 1}
    assert rules_of(reading) == set()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_reads_do_not_matter(size: int) -> None:
    whole, cut = read_text(WHOLE), read_text(WHOLE, size=size)
    assert told(cut) == told(whole)
    assert [list(block.deltas) for block in cut.blocks] == [list(block.deltas) for block in whole.blocks]
    assert list(cut.delta_blocks) == list(whole.delta_blocks)


def test_the_short_way_and_the_long_way_agree() -> None:
    """Many deltas alike are read by plan; padding, numbers and logprobs may differ in each."""
    words = [f"w{number} " for number in range(60)]
    stream = begun()("response.output_item.added", output_index=0, item=MESSAGE)
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    stream("response.content_part.added", **place, part=PART)
    for number, word in enumerate(words):
        logprobs = [{"token": word, "logprob": -number}] if number % 7 == 3 else []
        stream("response.output_text.delta", **place, delta=word, logprobs=logprobs, obfuscation="x" * (number % 5 + 1))
    stream("response.output_item.done", output_index=0, item=message("".join(words)))
    reading = read_text(stream.ended(output=[message("".join(words))]).text)
    assert texts(reading) == [("text", "".join(words))]
    assert rules_of(reading) == set()
    lost = stream.text.split("\n\n")
    del lost[30]
    found = read_text("\n\n".join(lost))
    assert texts(found) == [("text", "".join(words))]
    assert {"responses-sequence-gap", "responses-snapshot-mismatch"} <= rules_of(found)


SEARCH = {"id": "ws_1", "type": "web_search_call", "status": "in_progress"}
CODE = {"id": "ci_1", "type": "code_interpreter_call", "code": "", "outputs": None}
IMAGE = {"id": "ig_1", "type": "image_generation_call", "status": "in_progress"}
SHELL = {"id": "sh_1", "type": "shell_call", "call_id": "call_s", "action": {"commands": []}}


@pytest.mark.parametrize(
    "stream, blocks",
    [
        (
            begun().item(0, SEARCH, SEARCH | {"action": {"type": "search", "query": "tide"}}),
            [("tool_call", '{"type":"search","query":"tide"}')],
        ),
        (
            begun()("response.output_item.added", output_index=0, item=CODE).pieces(
                "code_interpreter_call_code", ["print(", "1)"], item_id="ci_1", output_index=0
            )("response.code_interpreter_call_code.done", item_id="ci_1", output_index=0, code="print(1)")(
                "response.output_item.done",
                output_index=0,
                item=CODE | {"code": "print(1)", "outputs": [{"logs": "1"}]},
            ),
            [("tool_call", "print(1)"), ("tool_result", "")],
        ),
        (
            begun()("response.output_item.added", output_index=0, item=IMAGE)(
                "response.image_generation_call.partial_image",
                output_index=0,
                item_id="ig_1",
                partial_image_index=0,
                partial_image_b64="aW1n",
            )("response.output_item.done", output_index=0, item=IMAGE | {"result": "aW1hZ2U="}),
            [("tool_call", ""), ("media", "")],
        ),
        (
            begun()("response.output_item.added", output_index=0, item=SHELL)
            .pieces("shell_call_command", ["ls ", "-l"], output_index=0, command_index=0)
            .pieces("shell_call_command", ["pwd"], output_index=0, command_index=1)(
                "response.output_item.done",
                output_index=0,
                item=SHELL | {"action": {"commands": ["ls -l", "pwd"]}},
            ),
            [("tool_call", "ls -lpwd")],
        ),
        (
            begun().item(
                0, {"id": "so", "type": "shell_call_output", "call_id": "call_s", "output": [{"stdout": "a"}]}
            ),
            [("tool_result", "")],
        ),
        (
            begun()(
                "response.output_item.added", output_index=0, item={"type": "custom_tool_call", "name": "n"}
            ).pieces("custom_tool_call_input", ["free ", "text"], output_index=0)(
                "response.custom_tool_call_input.done", output_index=0, input="free text"
            ),
            [("tool_call", "free text")],
        ),
        (begun().item(0, {"id": "ml", "type": "mcp_list_tools", "tools": [{"name": "a"}]}), [("other", "")]),
        (begun().item(0, {"id": "c", "type": "compaction", "encrypted_content": "eA=="}), [("other", "")]),
        (begun().item(0, {"id": "h", "type": "hologram", "size": 3}), [("other", "")]),
        (begun().item(0, {"id": "rs_1", "type": "reasoning", "summary": []}), []),
        (
            begun().item(0, {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "eA=="}),
            [("reasoning", "")],
        ),
        (
            begun()("response.output_item.added", output_index=0, item=MESSAGE)(
                "response.content_part.added", output_index=0, content_index=0, part={"type": "refusal", "refusal": ""}
            ).pieces("refusal", ["No, ", "sorry."], output_index=0, content_index=0)(
                "response.refusal.done", output_index=0, content_index=0, refusal="No, sorry."
            ),
            [("refusal", "No, sorry.")],
        ),
    ],
)
def test_items_of_every_kind(stream: Stream, blocks: list[tuple[str, str]]) -> None:
    assert texts(read_text(stream.ended().text)) == blocks


def test_a_server_call_without_a_name_goes_by_its_type() -> None:
    [tool] = read_text(begun().item(0, SEARCH).ended().text).blocks
    assert (tool.fields["name"], tool.fields["id"], tool.fields["tool_kind"]) == ("web_search_call", "ws_1", "builtin")


def test_summary_parts_are_one_block() -> None:
    reading = read_text(say(think(begun(), 0, ["**Plan** ", "look"], ["**Check** it"]), 1, "Nine.").ended().text)
    assert texts(reading)[0] == ("reasoning", "**Plan** look**Check** it")
    assert "responses-summary-parts" in rules_of(reading)
    assert "reasoning-interleaved" not in rules_of(reading)


def test_plain_and_summary_reasoning_of_one_item_are_two_blocks() -> None:
    stream = begun()(
        "response.output_item.added", output_index=0, item={"id": "rs_1", "type": "reasoning", "summary": []}
    )
    stream.pieces("reasoning_text", ["In full."], output_index=0, content_index=0)
    stream.pieces("reasoning_summary_text", ["In short."], output_index=0, summary_index=0)
    reading = read_text(stream.ended().text)
    assert [(block.text, block.fields["form"]) for block in reading.blocks] == [
        ("In full.", "raw"),
        ("In short.", "summary"),
    ]


@pytest.mark.parametrize(
    "stream, blocks, rule",
    [
        (call(begun(), 0, value='{"a":1}'), [("tool_call", '{"a":1}')], "responses-done-without-delta"),
        (say(begun(), 0, value="One."), [("text", "One.")], "responses-done-without-delta"),
        (say(begun(), 0, "One ", value="Two."), [("text", "Two.")], "responses-snapshot-mismatch"),
        (
            begun()("response.output_item.done", output_index=0, item=message("One.")),
            [("text", "One.")],
            "responses-not-announced",
        ),
        (
            begun().pieces("output_text", ["One ", "two."], output_index=0, content_index=0, item_id="msg_1"),
            [("text", "One two.")],
            "responses-not-announced",
        ),
    ],
)
def test_values_and_starts_that_are_missing(stream: Stream, blocks: list[tuple[str, str]], rule: str) -> None:
    reading = read_text(stream.ended().text)
    assert texts(reading) == blocks
    assert rule in rules_of(reading)


def test_an_item_goes_by_its_index_when_its_ids_change() -> None:
    stream = begun()("response.output_item.added", output_index=0, item=MESSAGE | {"id": "enc_1"})
    place = {"output_index": 0, "content_index": 0}
    stream("response.content_part.added", **place, item_id="enc_2", part=PART)
    for number, word in enumerate(("One ", "two ", "three.")):
        stream("response.output_text.delta", **place, item_id=f"enc_{number + 3}", delta=word)
    stream("response.output_item.done", output_index=0, item=message("One two three.", id="enc_9"))
    reading = read_text(stream.ended(output=[message("One two three.")]).text)
    assert texts(reading) == [("text", "One two three.")]
    assert "responses-item-id-changes" in rules_of(reading)


def test_an_item_goes_by_its_id_or_by_order_without_an_index() -> None:
    bare = WHOLE
    for key in ("output_index", "content_index"):
        for number in range(3):
            bare = bare.replace(f'"{key}":{number},', "")
    assert texts(read_text(bare)) == texts(read_text(WHOLE))
    for name in ("msg_1", "fc_1", "rs_1"):
        bare = bare.replace(f'"item_id":"{name}",', "").replace(f'"id":"{name}",', "")
    assert texts(read_text(bare)) == texts(read_text(WHOLE))


def test_an_index_that_counts_deltas_makes_one_part() -> None:
    stream = begun()("response.output_item.added", output_index=0, item=MESSAGE)
    for number, word in enumerate(("One ", "two ", "three ", "four.")):
        stream("response.output_text.delta", output_index=0, content_index=number, item_id="msg_1", delta=word)
    reading = read_text(stream.ended().text)
    assert texts(reading) == [("text", "One two three four.")]
    assert "responses-index-unusable" in rules_of(reading)


def test_a_replay_says_nothing_twice() -> None:
    parts = WHOLE.split("\n\n")
    again = "\n\n".join(parts[:7] + parts[3:7] + parts[7:])
    reading = read_text(again)
    assert texts(reading) == texts(read_text(WHOLE))
    assert "responses-sequence-gap" in rules_of(reading)


@pytest.mark.parametrize(
    "status, more, raw, reason",
    [
        ("completed", {}, "completed", "stop"),
        ("incomplete", {"incomplete_details": {"reason": "max_output_tokens"}}, "incomplete", "length"),
        ("incomplete", {"incomplete_details": {"reason": "content_filter"}}, "incomplete", "content_filter"),
        ("failed", {"error": {"code": "server_error", "message": "Broke"}}, "failed", "error"),
        ("cancelled", {}, "cancelled", "cancelled"),
    ],
)
def test_how_a_response_ends(status: str, more: dict[str, Any], raw: str, reason: str) -> None:
    reading = read_text(say(begun(), 0, "One.").ended(status, [message("One.")], **more).text)
    assert [(entry["raw"], entry["reason"]) for entry in reading.finishes] == [(raw, reason)]
    assert reading.marker == f"response.{status}"
    assert reading.clean == (status != "failed")


@pytest.mark.parametrize("nested", [False, True])
def test_errors_in_both_forms(nested: bool) -> None:
    told_error = {"code": "rate_limit", "message": "Wait", "param": None}
    fields = {"error": told_error | {"type": "rate_limit_error"}} if nested else told_error
    reading = read_text(begun()("error", **fields).text)
    assert reading.errors[0]["message"] == "Wait"
    assert reading.errors[0]["code"] == "rate_limit"
    assert ("error-shape" in rules_of(reading)) == nested


def test_what_only_the_last_event_holds_is_read() -> None:
    reading = read_text(begun().ended(output=OUTPUT).text)
    assert texts(reading) == texts(read_text(WHOLE))


def test_a_response_that_was_not_streamed() -> None:
    document = {"object": "response", "id": "resp_1", "status": "completed", "output": OUTPUT}
    kinds = [delta.kind for delta in decode(document)]
    assert kinds == ["reasoning.end", "reasoning.end", "text.end", "tool.end", "finish"]


def test_one_number_for_all_events_loses_nothing() -> None:
    stream = say(begun(), 0, "ha ", "ha ", "ha.").ended(output=[message("ha ha ha.")])
    same = stream.text
    for number in range(stream.number, 0, -1):
        same = same.replace(f'"sequence_number":{number}}}', '"sequence_number":0}')
    reading = read_text(same)
    assert texts(reading) == [("text", "ha ha ha.")]
    assert "responses-sequence-gap" in rules_of(reading)
    assert "responses-snapshot-mismatch" not in rules_of(reading)


def test_parts_of_a_summary_may_come_in_turns() -> None:
    stream = begun()(
        "response.output_item.added", output_index=0, item={"id": "rs_1", "type": "reasoning", "summary": []}
    )
    for number, word in ((0, "One "), (1, "Two "), (0, "and "), (1, "or ")):
        stream.pieces("reasoning_summary_text", [word], output_index=0, summary_index=number)
    for number, whole in ((0, "One and "), (1, "Two more")):
        stream("response.reasoning_summary_text.done", output_index=0, summary_index=number, text=whole)
    reading = read_text(stream.ended().text)
    assert texts(reading) == [("reasoning", "One Two moreand ")]


STARTS_WITH_INPUT = [
    ({"type": "mcp_approval_request", "name": "shorten", "arguments": '{"url":"x"}'}, '{"url":"x"}'),
    ({"type": "web_search_call", "name": "web_search", "arguments": '{"query":"x"}'}, '{"query":"x"}'),
    ({"type": "image_generation_call", "revised_prompt": "a cat at sea"}, "a cat at sea"),
]


@pytest.mark.parametrize(("item", "said"), STARTS_WITH_INPUT, ids=[item["type"] for item, _ in STARTS_WITH_INPUT])
@pytest.mark.parametrize("cut", [True, False])
def test_what_a_call_is_called_with_is_read_where_it_stands_first(item: dict[str, Any], said: str, cut: bool) -> None:
    """A stream that breaks off behind the start of the item has said it all the same."""
    whole = {"id": "x_1", "status": "in_progress"} | item
    text = event("response.output_item.added", sequence_number=1, output_index=0, item=whole)
    if not cut:
        text += event("response.output_item.done", sequence_number=2, output_index=0, item=whole)
    assert [(block.kind, block.text) for block in read_text(text).blocks] == [("tool_call", said)]
