"""What the reference makes of text, tags, refusals, media and citations (dialects.md 5.3, 6 to 8)."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.streams import bare, chunk, element, end, outcome, read, said, sse, stream, thought, tool

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
CITED = {"type": "url_citation", "url_citation": {"url": "https://a", "start_index": 0, "end_index": 1}}
CALL = tool("{}", id="c", name="f")


def half(text: str) -> str:
    """A chunk whose text is written in escapes, so that it may be half a character."""
    return json.dumps(said(text))


SHAPES: dict[str, tuple[bytes, list[str]]] = {
    "official: a role, the text, the finish, the usage": (
        stream(
            chunk({"role": "assistant", "content": "", "refusal": None}),
            *[said(text, obfuscation="x" * n) for n, text in enumerate(("He", "llo", "!"))],
            end("stop"),
            {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 3, "total_tokens": 4}},
            finish=None,
        ),
        ["T:Hello!", "finish stop"],
    ),
    "white space is kept as it came": (sse(said(" "), said("\n\n"), said("a "), said("\t")), ["T: \n\na \t"]),
    "a list with parts of many kinds": (
        sse(chunk({"content": [{"type": "text", "text": "a"}, {"type": "reference", "reference_ids": [1]}, IMAGE,
                               {"type": "text", "text": "b"}, {"type": "new", "x": 1}, "c"]})),
        ["T:a | citations=[{'type': 'reference', 'reference_ids': [1]}]", "M:", "T:bc"],
    ),
    "content is an object": (sse(chunk({"content": {"type": "text", "text": "a"}}), said("b")), ["T:ab"]),
    "text after the finish is kept": (sse(said("a"), end(), said("b"), said("c")), ["T:abc", "finish stop"]),
    "text after the end marker is kept": (stream(said("a")) + sse(said("b")), ["T:ab", "finish stop"]),
    "late text of another kind is a block of its own": (
        sse(thought("a"), end(), said("b"), thought("c")), ["R:a", "T:b", "R:c", "finish stop"]
    ),
    "a surrogate pair in two chunks": (
        sse(said("a"), half("b\ud83d"), half("\ude00c"), said("d")), ["T:ab\U0001f600cd"]
    ),
    "a pair in two chunks of a thought": (
        sse(*[json.dumps(thought(one)) for one in ("\ud83d", "\ude00")]), ["R:\U0001f600"]
    ),
    "a pair in two chunks of a refusal": (
        sse(*[json.dumps(chunk({"refusal": one})) for one in ("\ud83d", "\ude00")]), ["X:\U0001f600"]
    ),
    "a pair in two chunks inside a tag": (
        sse(said("<think>"), half("\ud83d"), half("\ude00"), said("</think>")), ["R:\U0001f600"]
    ),
    "halves that do not touch stay halves": (sse(half("\ud83d"), said("-"), half("\ude00")), ["T:\ud83d-\ude00"]),
    "growing snapshots": (sse(*map(said, ("On", "One", "One two thr"))), ["T:One two thr"]),
    "two that look like snapshots": (sse(*map(said, ("the", "there"))), ["T:thethere"]),
    "perplexity: a message grows beside the delta": (
        stream(*[{"choices": [{"index": 0, "delta": {"role": "assistant", "content": text},
                               "message": {"content": whole}}], "citations": ["u", "v"]}
                 for text, whole in (("Red", "Red"), (" fox", "Red fox"))]),
        ["T:Red fox | citations=['u', 'v']", "finish stop"],
    ),
    "a message at the end says it again": (
        sse(said("Red"), said(" fox"), bare("stop", message={"role": "assistant", "content": "Red fox"})),
        ["T:Red fox", "finish stop"],
    ),
    "the first message is only a role": (
        sse(bare(message={"role": "assistant", "content": ""}), said("Red"), bare("stop", message={"content": "Red"})),
        ["T:Red", "finish stop"],
    ),
    "nothing but messages": (
        sse(*[bare(message={"content": text}) for text in ("Red", " fox", " ran")], bare("stop")),
        ["T:Red fox ran", "finish stop"],
    ),
    "one message is the whole stream": (
        sse(bare("tool_calls", message={"content": "t", "reasoning": "r",
                                        "tool_calls": [element("{}", id="c", name="f")]})),
        ["R:r", "T:t", "C:c,f,{}", "finish tool_calls"],
    ),
    "together: text beside the delta": (
        stream(*[{"choices": [{"index": 0, "text": text, "seed": None,
                               "delta": {"token_id": 5, "content": text, "tool_calls": None}}]} for text in "ab"]),
        ["T:ab", "finish stop"],
    ),
    "a refusal": (
        stream(chunk({"role": "assistant", "content": None, "refusal": ""}),
               *[chunk({"refusal": text, "content": None}) for text in ("I ", "can", "not")]),
        ["X:I cannot", "finish stop"],
    ),
    "a refusal after some text": (stream(said("Well"), chunk({"refusal": "no"}), said("!")),
                                  ["T:Well", "X:no", "T:!", "finish stop"]),
    "audio with its transcript": (
        stream(chunk({"audio": {"id": "a1", "transcript": "Hel"}}), chunk({"audio": {"data": "AAAA"}}),
               chunk({"audio": {"transcript": "lo"}}), chunk({"audio": {"expires_at": 9}}), said("t")),
        ["M:Hello", "T:t", "finish stop"],
    ),
    "an image each": (stream(said("a"), chunk({"images": [IMAGE, IMAGE]}), said("b")),
                      ["T:a", "M:", "M:", "T:b", "finish stop"]),
    "citations that come again are one": (
        stream(*[said(text, citations=["u"], search_results=[{"url": "u"}]) for text in ("a", "b")],
               chunk({"annotations": [CITED]})),
        [f"T:ab | citations={['u', {'url': 'u'}, CITED]}", "finish stop"],
    ),
    "citations before the text": (sse({"choices": [], "citations": ["u"]}, said("a")), ["T:a | citations=['u']"]),
    "citations without any text": (sse({"choices": [], "citations": ["u"]}), ["O: | citations=['u']"]),
    "groq: tools that ran on the server": (
        sse(thought("r", "reasoning"), chunk({"executed_tools": [{"type": "search", "output": "o"}]}), said("a")),
        ["R:r", "V:", "T:a"],
    ),
}  # fmt: skip


TAGS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "a thought, then text": ([said("<think>Hm.</think>\n\nYes")], ["R:Hm.", "T:Yes"]),
    "another tag": ([said(" [THINK]Hm.[/THINK]Yes")], ["R:Hm.", "T:Yes"]),
    "white space before it": ([said("\n"), said("<think>"), said("Hm."), said("</think>"), said("Yes")],
                              ["R:Hm.", "T:Yes"]),
    "a close without an open stays text": ([said("Hm.</think>Yes")], ["T:Hm.</think>Yes"]),
    "an open without a close stays text": ([said("<think>Hm."), said(" Yes")], ["T:<think>Hm. Yes"]),
    "an open without a close, and a finish": ([said("<think>Hm."), said(" Yes"), end()],
                                             ["T:<think>Hm. Yes", "finish stop"]),
    "nothing but an open tag, and a finish": ([said("<think>"), end()], ["T:<think>", "finish stop"]),
    "an open without a close around the finish": ([said("<think>a"), end(), said("b")],
                                                  ["T:<think>ab", "finish stop"]),
    "an open without a close around a call": ([said("<think>a"), CALL, said("b"), end("tool_calls")],
                                              ["T:<think>a", "C:c,f,{}", "T:b", "finish tool_calls"]),
    "an open without a close before an error": ([said("<think>a"), {"error": {"message": "e"}}], ["T:<think>a", "E:e"]),
    "an open without a close after a thought with one": (
        [said("<think>a</think>"), CALL, said("<think>b"), end()], ["R:a", "C:c,f,{}", "T:<think>b", "finish stop"]
    ),
    "a tag in the midst is prose": ([said("Write <think>x</think>")], ["T:Write <think>x</think>"]),
    "a second open in a thought is text": ([said("<think>a<think>b</think>c")], ["R:a<think>b", "T:c"]),
    "two thoughts around a call": (
        [said("<think>a</think>"), CALL, said("<think>b</think>c")], ["R:a", "C:c,f,{}", "R:b", "T:c"]
    ),
    "after a thought of a field": ([thought("a"), said("<think>b</think>c")], ["R:a", "R:b", "T:c"]),
    "the same thought in a field and in tags": ([thought("Hm."), said("<think>Hm.</think>Yes")], ["R:Hm.", "T:Yes"]),
    "half a tag at the end": ([said("<thi")], ["T:<thi"]),
    "half a tag before a call": ([said("<thi"), CALL], ["T:<thi", "C:c,f,{}"]),
    "half a tag before a refusal": ([said("<thi"), chunk({"refusal": "no"})], ["T:<thi", "X:no"]),
    "half a tag before an image": ([said("<thi"), chunk({"images": [IMAGE]})], ["T:<thi", "M:"]),
    "half a tag before an error": ([said("<thi"), {"error": {"message": "e"}}], ["T:<thi", "E:e"]),
    "half a tag and a call that is none": ([said("<thi"), chunk({"tool_calls": [{}]}), said("nk>a</think>b")],
                                           ["R:a", "T:b"]),
    "nothing but a thought": ([said("<think>a</think>")], ["R:a"]),
    "an empty thought": ([said("<think></think>\n\nYes")], ["T:Yes"]),
    "a blank thought": ([said("<think>\n\n</think>\n\nYes")], ["R:\n\n", "T:Yes"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_the_text_of_a_real_shape(name: str) -> None:
    body, blocks = SHAPES[name]
    assert outcome(read(body)) == blocks
    assert outcome(read(body, size=1)) == blocks


@pytest.mark.parametrize("name", TAGS)
def test_inline_tags(name: str) -> None:
    payloads, blocks = TAGS[name]
    assert outcome(read(sse(*payloads))) == blocks


@given(st.sampled_from(sorted(TAGS)), st.data())
def test_tags_may_be_cut_anywhere(name: str, draws: st.DataObject) -> None:
    payloads, blocks = TAGS[name]
    cut: list[dict[str, Any]] = []
    for payload in payloads:
        text = payload["choices"][0]["delta"].get("content") if "choices" in payload else None
        if text is None:
            cut.append(payload)
            continue
        places = sorted(draws.draw(st.sets(st.integers(1, len(text)))) | {0, len(text)})
        cut += [said(text[start:stop]) for start, stop in pairwise(places)]
    assert outcome(read(sse(*cut))) == blocks


def test_a_tag_is_found_when_every_character_is_a_chunk() -> None:
    for name, (payloads, blocks) in TAGS.items():
        if all("content" in payload["choices"][0]["delta"] for payload in payloads if "choices" in payload):
            text = "".join(payload["choices"][0]["delta"]["content"] for payload in payloads if "choices" in payload)
            errors = [payload for payload in payloads if "error" in payload]
            assert outcome(read(sse(*map(said, text), *errors))) == blocks, name


@pytest.mark.parametrize(
    "payloads, rule, fires",
    [
        ([said("<think>a</think>b")], "think-tag-inline", True),
        ([said("a <think>b")], "think-tag-inline", False),
        ([said("<think>a")], "think-tag-unbalanced", True),
        ([said("a</think>b")], "think-tag-unbalanced", True),
        ([thought("a"), said("<think>a</think>b")], "reasoning-double-delivery", True),
        ([thought("x"), said("<think>a</think>b")], "reasoning-double-delivery", False),
        ([half("\ud83d"), half("\ude00")], "text-split-surrogate", True),
        ([half("\ud83d"), said("-"), half("\ude00")], "text-split-surrogate", False),
        ([*map(said, ("On", "One", "One two thr"))], "text-cumulative", True),
        ([*map(said, ("the", "there"))], "text-cumulative", False),
        ([said("a"), end(), said("b")], "finish-content-after", True),
        ([said("a"), chunk({"content": "b"}, "stop")], "finish-content-after", False),
    ],
)
def test_what_is_repaired_is_reported(payloads: list[Any], rule: str, fires: bool) -> None:
    assert (rule in {finding.rule for finding in read(sse(*payloads)).findings}) is fires


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<[◁"), max_size=6), max_size=12))
def test_the_fragments_are_what_the_deltas_say(pieces: list[str]) -> None:
    """R13: nothing is trimmed and nothing is lost, whatever the characters."""
    reading = read(sse(*[said(piece) for piece in pieces]))
    assert [fragment for block in reading.blocks for fragment in block.fragments] == list(filter(None, pieces))


HELD: dict[str, tuple[list[Any], list[tuple[str, int, int]]]] = {
    "white space before the text": ([said("\n\n"), said("a"), end()], [("\n\na", 0, 1)]),
    "what might have been a tag": ([thought("a"), said("<th"), said("e"), end()], [("a", 0, 0), ("<the", 1, 2)]),
    "white space between two thoughts": (
        [thought("a"), said("\n"), thought("b")], [("a", 0, 0), ("\n", 1, 1), ("b", 2, 2)]
    ),
    "what might have been the end of a tag": (
        [said("<think>"), said("a"), said("</th"), said("e"), said("</think>b")], [("a</the", 1, 3), ("b", 4, 4)]
    ),
    "half a tag before a call": ([said("<th"), CALL], [("<th", 0, 0), ("{}", 1, 1)]),
    "half a tag before the finish": ([said("<th"), end()], [("<th", 0, 0)]),
    "an open tag without a close": ([said("<think>"), said("a"), end()], [("<think>a", 0, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
def test_what_was_held_back_belongs_to_the_events_that_it_came_in(name: str) -> None:
    payloads, blocks = HELD[name]
    for size in (1, 1 << 20):
        reading = read(sse(*payloads), size=size)
        assert [(block.text, block.first_event, block.last_event) for block in reading.blocks] == blocks


def test_white_space_that_is_text_ends_the_thought_where_it_came() -> None:
    first = read(sse(thought("a"), said("\n"), chunk({"content": None}), said("b"))).blocks[0]
    assert (first.closed_by, first.closed_at) == ("text", 1)
