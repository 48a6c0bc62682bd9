"""Every reading rule of the assembler: a stream, what the reference reads, what a client with the rule reads (22.2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.rules import RULES
from inspector_app.lenses import compare
from tests.core.streams import KIT, bare, chunk, element, end, outcome, read, rules_of, said, sse, stream, thought, tool

LATER = {"type_mismatch"}
"""Rules about dialects that are not read yet."""

Row = tuple[dict[str, Any], bytes, list[str], list[str]]

ERROR = {"error": {"message": "broken", "code": 502}}
BESIDE = said("b", **ERROR)
SUMMARY = {"type": "reasoning.summary", "summary": "s"}


def details(*texts: str, start: int = 0, **more: Any) -> dict[str, Any]:
    """`reasoning_details` with these texts, indexes counted from `start` downwards."""
    entries = [{"type": "reasoning.text", "text": text, "index": start - n} for n, text in enumerate(texts)]
    return chunk({"reasoning_details": entries} | more)


def usage(*counts: int) -> bytes:
    chunks = [said("a", usage={"prompt_tokens": 2, "completion_tokens": count}) for count in counts]
    return stream(*chunks)


def counted(reading: Any) -> str:
    held = reading.usage or {}
    return f"usage {held.get('input')} {held.get('output')}"


ANSWER: list[Row] = [
    # how it ends
    ({"end_marker": "error"}, sse(said("a"), end()), ["T:a", "finish stop"],
     ["T:a", "finish stop", "raises at 1: the stream ended without its end marker"]),
    ({"end_marker": "holds-finish"}, sse(said("a"), end()), ["T:a", "finish stop"], ["T:a"]),
    ({"end_marker": "holds-finish"}, stream(said("a")), ["T:a", "finish stop"], ["T:a", "finish stop"]),
    ({"missing_finish": "error"}, stream(said("a"), finish=None), ["T:a"],
     ["T:a", "raises at 1: the stream ended without a finish reason"]),
    ({"missing_role": "error"}, stream(chunk({"role": "assistant", "content": "a"})), ["T:a", "finish stop"],
     ["T:a", "finish stop"]),
    ({"missing_role": "error"}, stream(said("a")), ["T:a", "finish stop"],
     ["T:a", "finish stop", "raises at 2: missing role for choice 0"]),
    ({"missing_finish": "error", "end_marker": "holds-finish"}, sse(said("a"), end()), ["T:a", "finish stop"],
     ["T:a", "raises at 1: the stream ended without a finish reason"]),
    ({"finish_default": "unknown"}, stream(said("a"), finish=None), ["T:a"], ["T:a", "finish unknown"]),
    ({"finish_default": "unknown"}, stream(end("length")), ["finish length"], ["finish length"]),
    ({"finish_pick": "last"}, stream(said("a"), end("length")), ["T:a", "finish length"], ["T:a", "finish stop"]),
    ({"finish_pick": "joined"}, stream(said("a"), end("length")), ["T:a", "finish length"],
     ["T:a", "finish lengthstop"]),
    ({"finish_rewrite": "tool-calls"}, stream(tool("{}", id="c", name="f")), ["C:c,f,{}", "finish stop"],
     ["C:c,f,{}", "finish tool_calls"]),
    ({"finish_rewrite": "tool-calls"}, stream(said("a")), ["T:a", "finish stop"], ["T:a", "finish stop"]),
    ({"finish_raises": ["length"]}, stream(said("a"), finish="length"), ["T:a", "finish length"],
     ["T:a", "finish length", "raises at 2: finish reason length"]),
    ({"empty_turn": "error", "empty_turn_error": "nothing: {payloads}"}, stream(thought(""), end()), ["finish stop"],
     ["finish stop", "raises at 3: nothing: 0"]),
    ({"empty_turn": "error-if-silent"}, sse(end()), ["finish stop"], ["finish stop"]),
    ({"empty_turn": "error-if-silent", "named_event": "required", "empty_turn_error": "silence"}, sse(end()),
     ["finish stop"], ["raises at 0: silence"]),
    ({"empty_turn": "error"}, stream(said("a")), ["T:a", "finish stop"], ["T:a", "finish stop"]),
    # errors
    ({"error_key": "throw"}, sse(said("a"), BESIDE, said("c")), ["T:ab", "E:broken", "T:c"],
     ["T:a", "E:broken", "raises at 1: broken"]),
    ({"error_key": "part"}, sse(said("a"), BESIDE, said("c")), ["T:ab", "E:broken", "T:c"],
     ["T:ac", "E:broken", "part at 1: broken"]),
    ({"error_key": "ignored"}, sse(said("a"), BESIDE, ERROR, said("c")), ["T:ab", "E:broken", "E:broken", "T:c"],
     ["T:abc"]),
    ({"error_key": "ignored-if-choices"}, sse(said("a"), BESIDE, ERROR, said("c")),
     ["T:ab", "E:broken", "E:broken", "T:c"], ["T:ab", "E:broken", "T:c"]),
    ({"error_key": "ignored-if-choices"}, sse(said("a"), {"choices": []} | ERROR), ["T:a", "E:broken"], ["T:a"]),
    ({"error_key": "part-unless-choices"}, sse(said("a"), BESIDE, ERROR, said("c")),
     ["T:ab", "E:broken", "E:broken", "T:c"], ["T:abc", "E:broken", "part at 2: broken"]),
    ({"error_key": "throw"}, sse(said("a", base_resp={"status_code": 2, "status_msg": "full"})), ["T:a", "E:full"],
     ["T:a"]),
    # choices
    ({"choice": "by-position-0"}, sse(said("a", index=1), said("b"), said("c", index=1)), ["1/T:ac", "T:b"], ["T:abc"]),
    ({"choice": "by-position-0"}, sse({"choices": [{"index": n, "delta": {"content": str(n)}} for n in (1, 0)]}),
     ["1/T:1", "T:0"], ["T:1"]),
    ({"choice": "index-0-only"}, sse(said("a", index=1), said("b"), said("c", index=1)), ["1/T:ac", "T:b"], ["T:b"]),
    ({"choice": "merged"}, sse({"choices": [{"index": n, "delta": {"content": str(n)}} for n in (1, 0)]}),
     ["1/T:1", "T:0"], ["T:10"]),
    ({"delta_missing": "skip"}, sse(said("a"), bare("stop")), ["T:a", "finish stop"], ["T:a"]),
    ({"delta_missing": "error"}, sse(said("a"), bare(), said("b")), ["T:ab"],
     ["T:a", "raises at 1: a choice has no delta"]),
    ({"delta_missing": "error-if-finish"}, sse(said("a"), bare(), said("b"), bare("stop")), ["T:ab", "finish stop"],
     ["T:ab", "raises at 3: a choice has no delta"]),
    ({"delta_missing": "skip"}, sse(said("a"), bare("stop", message={"content": "a"})), ["T:a", "finish stop"],
     ["T:a"]),
    ({"message": "appended"}, sse({"choices": [{"delta": {"content": "a"}, "message": {"content": "A"}}]}), ["T:a"],
     ["T:aA"]),
    ({"message": "appended"}, sse(said("a"), bare("stop", message={"content": "A"})), ["T:a", "finish stop"],
     ["T:aA", "finish stop"]),
    # what counts as content
    ({"content_types": "string"}, sse(chunk({"content": [{"type": "text", "text": "a"}]}), said("b")), ["T:ab"],
     ["T:b"]),
    ({"content_types": "js-text"}, sse(chunk({"content": [{"type": "text", "text": "a"}, {"x": 1}]}), said("b")),
     ["T:ab"], ["T:[object Object],[object Object]b"]),
    ({"content_types": "js-text"}, sse(chunk({"content": ["a", {"type": "text", "text": "b"}]})), ["T:ab"],
     ["T:a,[object Object]"]),
    ({"refusal": "text"}, sse(said("a"), chunk({"refusal": "no"})), ["T:a", "X:no"], ["T:ano"]),
    ({"refusal": "lost"}, sse(said("a"), chunk({"refusal": "no"})), ["T:a", "X:no"], ["T:a"]),
    ({"legacy_call": "ignored"}, stream(chunk({"function_call": {"name": "f", "arguments": "{}"}})),
     ["C:-,f,{}", "finish stop"], ["finish stop"]),
    ({"extras": ["opaque", "citations"]}, sse(thought("a", thinking_blocks=[{"thinking": "", "signature": "S"}])),
     ["R:a | signature=S"], ["R:a"]),
    ({"extras": ["signature", "citations"]}, sse(thought("a", "reasoning_text", reasoning_opaque="O")),
     ["R:a | opaque=O"], ["R:a"]),
    ({"extras": ["signature", "opaque"]}, sse(said("a", citations=["u"])), ["T:a | citations=['u']"], ["T:a"]),
    ({"extras": ["signature"], "reasoning_fields": ["reasoning"]},
     sse(details("a", reasoning="b"), chunk({"reasoning_details": [{"type": "reasoning.text", "signature": "S"}]})),
     ["R:ab | signature=S"], ["R:b | signature=S"]),
]  # fmt: skip

RUNS: list[Row] = [
    # reasoning: which field
    ({"reasoning_fields": ["reasoning"]}, sse(thought("a"), thought("b", "reasoning")), ["R:ab"], ["R:b"]),
    ({"reasoning_pick": "first", "reasoning_fields": ["reasoning", "reasoning_content"]},
     sse(thought("a", reasoning="b"), thought("c", reasoning="")), ["R:abc"], ["R:bc"]),
    ({"reasoning_types": "string"}, sse(thought("a"), thought([{"text": "b"}]), thought({"text": "c"}, "reasoning")),
     ["R:abc"], ["R:a"]),
    ({"reasoning_types": "string"}, sse(details("a"), thought({"thinking": "b"}, "thinking"), thought("c", "thinking")),
     ["R:abc"], ["R:ac"]),
    ({"reasoning_pick": "all"}, sse(thought("a", reasoning="a")), ["R:a"], ["R:aa"]),
    ({"reasoning_join": "last", "block_form": "slots"}, sse(thought("a"), thought("b"), thought(None), said("t")),
     ["R:ab", "T:t"], ["R:b", "T:t"]),
    ({"reasoning_join": "last", "block_form": "slots"},
     sse(thought("a"), thought("b"), *[thought("", content="t")] * 3), ["R:ab", "T:ttt"], ["T:ttt"]),
    ({"reasoning_join": "last-or-null"}, sse(thought("a"), chunk({"reasoning_content": None, "content": "b"})),
     ["R:a", "T:b"], ["T:b"]),
    ({"reasoning_join": "last"}, sse(thought("a"), thought("", "reasoning")), ["R:a"], ["R:a"]),
    ({"details_entries": "wire-order"}, sse(details("c", "b", "a", start=2)), ["R:abc"], ["R:cba"]),
    ({"details_entries": "first"}, sse(details("c", "b", start=1), details("", "x")), ["R:bcx"], ["R:c"]),
    ({"details_entries": "first"}, sse(*[details("", "x")] * 4, thought("t", thinking_blocks=[{"thinking": "t"}])),
     ["R:xxxxt"], ["R:t"]),
    ({"details_entries": "first"}, sse(chunk({"thinking_blocks": [{"thinking": "a"}, {"thinking": "b"}]})), ["R:ab"],
     ["R:ab"]),
    # reasoning: where it ends
    ({"reasoning_end": "non-null-tool-calls"}, sse(*[thought(t, tool_calls=[]) for t in "abc"]), ["R:abc"],
     ["R:a", "R:b", "R:c"]),
    ({"reasoning_end": "non-null-tool-calls"}, sse(*[thought(t, tool_calls=None, content="") for t in "abc"]),
     ["R:abc"], ["R:abc"]),
    ({"reasoning_end": "non-null-tool-calls"}, sse(*[thought(t, tool_calls=[element("", index=0)]) for t in "ab"]),
     ["R:ab"], ["R:a", "R:b"]),
    ({"reasoning_end": "key-presence"}, sse(*[thought(t, content=None) for t in "abc"]), ["R:abc"],
     ["R:a", "R:b", "R:c"]),
    ({"reasoning_end": "key-presence"}, sse(*[thought(t, role="assistant") for t in "abc"]), ["R:abc"], ["R:abc"]),
    ({"reasoning_end": "key-presence"}, sse(*[thought(t, function_call={}) for t in "ab"]), ["R:ab"], ["R:a", "R:b"]),
    # text
    ({"text_end": "reasoning"}, sse(said("a"), tool("{}", id="c", name="f"), said("b"), thought("r"), said("d")),
     ["T:a", "C:c,f,{}", "T:b", "R:r", "T:d"], ["T:ab", "C:c,f,{}", "R:r", "T:d"]),
    ({"text_end": "reasoning"}, sse(said("a"), chunk({"images": [{"type": "image_url"}]}), chunk({"refusal": "no"}),
     said("b")), ["T:a", "M:", "X:no", "T:b"], ["T:ab", "M:", "X:no"]),
    ({"text_end": "never"}, sse(said("a"), tool("{}", id="c", name="f"), said("b"), thought("r"), said("d")),
     ["T:a", "C:c,f,{}", "T:b", "R:r", "T:d"], ["T:abd", "C:c,f,{}", "R:r"]),
    ({"block_form": "slots"}, sse(thought("r"), said("a"), thought("s"), chunk({"refusal": "no"}), said("b")),
     ["R:r", "T:a", "R:s", "X:no", "T:b"], ["R:rs", "T:ab", "X:no"]),
    ({"block_form": "slots"}, sse(chunk({"reasoning_details": [SUMMARY]}), thought("r"), said("a")),
     ["R:s", "R:r", "T:a"], ["R:sr", "T:a"]),
    ({"text_join": "strip-prefix"}, sse(*map(said, ("the", "there", " end", " end"))), ["T:thethere end end"],
     ["T:there end"]),
    # tags
    ({"think_tags": "literal"}, sse(said("<think>a</think>b")), ["R:a", "T:b"], ["T:<think>a</think>b"]),
    ({"think_tags": "exact-delta"}, sse(*map(said, ("<think>", "a", "b", "</think>", "c", "d", "e", "<think>", "f"))),
     ["R:ab", "T:cde<think>f"], ["R:ab", "T:cde", "R:f"]),
    ({"think_tags": "exact-delta"}, sse(*map(said, ("<thi", "nk>", "a", "</think>"))), ["R:a"], ["T:<think>a</think>"]),
    # repairs
    ({"repairs": []}, sse(*map(said, ("Se", "See the", "See the owl"))), ["T:See the owl"], ["T:SeSee theSee the owl"]),
    ({"repairs": []}, sse(*[json.dumps(said(half)) for half in "\ud83d\ude00"]),
     ["T:\U0001f600"], ["T:\ud83d\ude00"]),
    ({"repairs": []}, sse(*[said(t, index=n) for n, t in enumerate("abc")]), ["T:abc"], ["T:a", "1/T:b", "2/T:c"]),
    ({"repairs": []}, sse(chunk({"role": "assistant", "content": ""}, id="1"), *[said("a", id="1")] * 3,
     chunk({"role": "assistant", "content": ""}, id="2"), *[said("b", id="2")] * 3), ["T:aaa", "T:bbb"], ["T:aaabbb"]),
]  # fmt: skip

ONE = tool("", id="a", name="f")
TWO = tool('{"x":1}', id="b", name="f")
MORE = tool('{"y":2}')

CALLS: list[Row] = [
    # which call
    ({"tool_key": "index", "repairs": []}, sse(ONE, TWO), ["C:a,f,", "C:b,f,{\"x\":1}"], ['C:a,f,{"x":1}']),
    ({"tool_key": "index-id", "repairs": []}, sse(tool("{}", id="a", name="f"), TWO, tool("{}", id="a")),
     ["C:a,f,{}", 'C:b,f,{"x":1}'], ["C:a,f,{}{}", 'C:b,f,{"x":1}']),
    ({"tool_key": "index-id", "repairs": []}, sse(tool("{", id="a", name="f"), tool("}", id="r")), ["C:a,f,{}"],
     ["C:a,f,{", "C:r,-,}"]),
    ({"tool_key": "index-name", "repairs": []}, sse(tool('{"x":1}', id="a", name="f"), tool('{"y":2}', name="g")),
     ['C:a,f,{"x":1}', 'C:*,g,{"y":2}'], ['C:a,f,{"x":1}', 'C:-,g,{"y":2}']),
    ({"tool_key": "id", "repairs": []},
     sse(tool("{", id="a", name="f"), tool("{", id="b", name="g", index=1), tool("}")),
     ["C:a,f,{}", "C:b,g,{"], ["C:a,f,{", "C:b,g,{}"]),
    ({"tool_key": "id-change", "repairs": []}, sse(ONE, tool("{}", id="b", name="g", index=1), tool("{}", id="a")),
     ["C:a,f,{}", "C:b,g,{}"], ["C:a,f,", "C:b,g,{}", "C:a,-,{}"]),
    ({"tool_key": "latest", "repairs": []}, sse(ONE, tool("{", id="b", name="g", index=1), tool("}", index=0)),
     ["C:a,f,}", "C:b,g,{"], ["C:a,f,", "C:b,g,{}"]),
    ({"tool_key": "index-id-first", "repairs": []}, sse(ONE, tool("[", id="b", name="g"), tool("]"), tool("x", id="b")),
     ["C:a,f,", "C:b,g,[]x"], ["C:a,f,]", "C:b,g,[x"]),
    # the index
    ({"index_missing": "zero"}, sse(ONE, tool("{}", id="a", index=...)), ["C:a,f,{}"], ["C:a,f,{}"]),
    ({"index_missing": "zero", "tool_key": "index", "repairs": []},
     sse(*[tool("{}", id=i, name="f", index=...) for i in "ab"]), ["C:a,f,{}", "C:b,f,{}"], ["C:a,f,{}{}"]),
    ({"index_missing": "drop"}, sse(tool("{}", id="a", name="f", index=...)), ["C:a,f,{}"], []),
    ({"index_missing": "opens", "tool_key": "index"}, sse(tool("{", id="a", name="f", index=...), tool("}", index=...)),
     ["C:a,f,{}"], ["C:a,f,{", "C:-,-,}"]),
    ({"index_not_integer": "part"}, sse(chunk({"content": "a", "tool_calls": [element("{}", index="0", id="a")]}),
     said("b")), ["T:a", "C:a,-,{}", "T:b"], ["T:b", "part at 0: the index of a tool call is no integer: '0'"]),
    ({"index_not_integer": "throw"}, sse(said("a"), tool("{}", index=0.0, id="a"), said("b")),
     ["T:a", "C:a,-,{}", "T:b"], ["T:a", "raises at 1: the index of a tool call is no integer: 0.0"]),
    ({"index_as_position": "error"}, sse(tool("{", index=1, id="a", name="f"), tool("}", index=1)), ["C:a,f,{}"],
     ["C:a,f,{", "raises at 0: IndexError: list index out of range"]),
    ({"index_as_position": "error-at-end"}, sse(tool("{", index=1, id="a", name="f"), tool("}", index=1)),
     ["C:a,f,{}"], ["C:a,f,{}", "raises at 1: TypeError: the list of tool calls has a hole"]),
    ({"index_as_position": "drop"}, sse(tool("{", index=1, id="a", name="f"), tool("}", index=1)), ["C:a,f,{}"],
     ["C:a,f,{"]),
    # id and name
    ({"id_policy": "last", "tool_key": "index"}, sse(tool("{", id="a", name="f"), tool("}", id="b")), ["C:a,f,{}"],
     ["C:b,f,{}"]),
    ({"id_policy": "concat"}, sse(tool("{", id="a", name="f"), tool("}", id="a")), ["C:a,f,{}"], ["C:aa,f,{}"]),
    ({"id_policy": "non-null-overwrite"}, sse(tool("{", id="a", name="f"), tool("}", id="")), ["C:a,f,{}"],
     ["C:,f,{}"]),
    ({"id_policy": "non-null-overwrite"}, sse(tool("{", id="a", name="f"), tool("}", id=None)), ["C:a,f,{}"],
     ["C:a,f,{}"]),
    ({"id_policy": "any-non-null-starts-new"}, sse(tool("{", id="a", name="f"), tool("}", id="")), ["C:a,f,{}"],
     ["C:a,f,{", "C:,-,}"]),
    ({"id_policy": "opening"}, sse(tool("{", name="f"), tool("}", id="a")), ["C:a,f,{}"], ["C:-,f,{}"]),
    ({"id_policy": "opening", "tool_key": "index"}, sse(tool("{", id="a", name="f"), tool("}", id="b")), ["C:a,f,{}"],
     ["C:a,f,{}"]),
    ({"name_policy": "opening"}, sse(tool("{", id="a"), tool("}", name="f")), ["C:a,f,{}"], ["C:a,-,{}"]),
    ({"name_policy": "opening"}, sse(tool("{", id="a", name="f"), tool("}", name="g")), ["C:a,fg,{}"], ["C:a,f,{}"]),
    ({"name_policy": "first"}, sse(tool("{", id="a", name="get_"), tool("}", name="x")), ["C:a,get_x,{}"],
     ["C:a,get_,{}"]),
    ({"name_policy": "last"}, sse(tool("{", id="a", name="get_"), tool("}", name="x")), ["C:a,get_x,{}"], ["C:a,x,{}"]),
    ({"name_policy": "concat"}, sse(tool("{", id="a", name="f"), tool("}", name="f")), ["C:a,f,{}"], ["C:a,ff,{}"]),
    ({"name_policy": "non-null-overwrite"}, sse(tool("{", id="a", name="f"), tool("}", name="")), ["C:a,f,{}"],
     ["C:a,,{}"]),
    ({"missing_id": "made-up"}, sse(tool("{}", name="f")), ["C:-,f,{}"], ["C:*,f,{}"]),
    ({"missing_id": "drop-call"}, sse(tool("{}", name="f", id=""), said("a")), ["C:,f,{}", "T:a"], ["T:a"]),
    ({"missing_id": "ignore-until-id"}, sse(tool("{", name="f"), tool("}", id="a")), ["C:a,f,{}"], ["C:a,-,}"]),
    ({"missing_name": "skip-empty"}, sse(tool("[", id="a", name=""), tool("{}]", name="f")), ["C:a,f,[{}]"],
     ["C:-,f,{}]"]),
    ({"missing_name": "skip-empty", "tool_key": "index-name"},
     sse(tool("[", id="a"), tool("1", name=""), tool("{}", name="f")), ["C:a,f,[1{}"], ["C:-,f,{}"]),
    ({"missing_name": "drop-call"}, sse(tool("{}", id="a"), said("a")), ["C:a,-,{}", "T:a"], ["T:a"]),
    ({"missing_id": "throw"}, sse(tool("{}", name="f", id=None), said("a")), ["C:-,f,{}", "T:a"],
     ["raises at 0: a tool call begins without its id"]),
    ({"missing_id": "throw"}, sse(tool("{", name="f", id=""), tool("}")), ["C:,f,{}"], ["C:,f,{}"]),
    ({"missing_name": "throw"}, sse(tool("{", id="a"), tool("}", name="f")), ["C:a,f,{}"],
     ["raises at 0: a tool call begins without its name"]),
    ({"missing_name": "throw"}, sse(tool("{", id="a", name=""), tool("}")), ["C:a,,{}"], ["C:a,,{}"]),
    ({"missing_name": "skip-or-throw"}, sse(tool("{", id="a", name=""), tool("}")), ["C:a,,{}"],
     ["raises at 1: a tool call begins without its name"]),
    # arguments
    ({"args_object": "js-text"}, sse(tool({"x": 1}, id="a", name="f")), ['C:a,f,{"x":1}'], ["C:a,f,[object Object]"]),
    ({"args_object": "drop"}, sse(tool({"x": 1}, id="a", name="f")), ['C:a,f,{"x":1}'], ["C:a,f,"]),
    ({"args_parse": "partial"}, sse(tool('}{"x":', id="a", name="f")), ['C:a,f,}{"x":'],
     ['C:a,f,}{"x":', "raises at 0: the arguments do not parse as JSON: "]),
    ({"args_parse": "partial-or-text"}, sse(tool('}{"x":', id="a", name="f")), ['C:a,f,}{"x":'], ['C:a,f,}{"x":']),
    ({"args_parse": "throw"}, sse(tool("{", id="a", name="f"), said("a")), ["C:a,f,{", "T:a"],
     ["C:a,f,{", "T:a", "raises at 1: the arguments do not parse as JSON: unexpected end of data at character 1"]),
    ({"args_parse": "throw"}, sse(tool("{}", id="a", name="f")), ["C:a,f,{}"], ["C:a,f,{}"]),
    ({"empty_args": "drop-call"}, sse(ONE, said("a")), ["C:a,f,", "T:a"], ["T:a"]),
    ({"finalize": "finish"}, sse(tool("{", id="a", name="f"), end("tool_calls"), tool("}")),
     ["C:a,f,{}", "finish tool_calls"], ["C:a,f,{", "finish tool_calls"]),
    ({"finalize": "parsable"}, sse(tool("{}", id="a", name="f"), tool(" ")), ["C:a,f,{} "], ["C:a,f,{}"]),
    ({"finalize": "next"}, sse(tool("{", id="a", name="f"), tool("{}", id="b", name="g", index=1), tool("}")),
     ["C:a,f,{}", "C:b,g,{}"], ["C:a,f,{", "C:b,g,{}"]),
    # repairs
    ({"repairs": []}, sse(tool("{", id="a", name="f"), tool("}", id="r")), ["C:a,f,{}"], ["C:a,f,{", "C:r,-,}"]),
    ({"repairs": []}, sse(tool("{}", id="a", name="f"), MORE), ['C:a,f,{"y":2}'], ['C:a,f,{}{"y":2}']),
    ({"repairs": []}, sse(TWO, tool('{"x":1}')), ['C:b,f,{"x":1}'], ['C:b,f,{"x":1}{"x":1}']),
    ({"repairs": []}, sse(TWO, MORE), ['C:b,f,{"x":1}', 'C:*,-,{"y":2}'], ['C:b,f,{"x":1}{"y":2}']),
]  # fmt: skip

NULL = {"choices": None}
EMPTY = tool({"x": 1}, id="a", name="f")

ON: list[Row] = [
    ({"skips_on": ["choice-null"]}, sse(said("a"), NULL | {"usage": {"prompt_tokens": 1}}, said("b")), ["T:ab"],
     ["T:ab"]),
    ({"skips_on": ["tool-args-object"]}, sse(said("a"), EMPTY, said("b")), ["T:a", 'C:a,f,{"x":1}', "T:b"], ["T:ab"]),
    ({"parts_on": {"tool-args-object": "no schema"}}, sse(said("a"), EMPTY, said("b")),
     ["T:a", 'C:a,f,{"x":1}', "T:b"], ["T:a", 'C:a,f,{"x":1}', "T:b", "part at 1: no schema"]),
    ({"parts_on": {"tool-args-object": "no schema"}, "skips_on": ["tool-args-object"]},
     sse(said("a"), EMPTY, said("b")),
     ["T:a", 'C:a,f,{"x":1}', "T:b"], ["T:ab", "part at 1: no schema"]),
    ({"stops_on": {"choice-null": "TypeError"}}, sse(said("a"), NULL, said("b")), ["T:ab"],
     ["T:a", "raises at 1: TypeError"]),
    ({"stops_on": {"tool-args-object": "no"}, "skips_on": ["tool-args-object"]}, sse(said("a"), EMPTY, said("b")),
     ["T:a", 'C:a,f,{"x":1}', "T:b"], ["T:a", "raises at 1: no"]),
    ({"parts_on": {"choice-null": "first"}, "stops_on": {"tool-args-object": "second"}},
     sse(said("a"), NULL, EMPTY, said("b")), ["T:a", 'C:a,f,{"x":1}', "T:b"],
     ["T:a", 'C:a,f,{"x":1}', "part at 1: first"]),
    ({"stops_on": {"finish-conflict": "two reasons"}}, sse(said("a"), end("length"), end("stop"), said("b")),
     ["T:ab", "finish length"], ["T:a", "finish length", "raises at 2: two reasons"]),
    ({"stops_on": {"choice-null": "TypeError"}, "framing": "lf-blocks", "repairs": []},
     sse(said("a"), said("b")).replace(b"\n", b"\r\n") + sse(NULL, said("c")), ["T:abc"], ["raises at 0: TypeError"]),
]  # fmt: skip

ROWS = [*ANSWER, *RUNS, *CALLS, *ON]


@pytest.mark.parametrize("rules, body, reference, client", ROWS)
def test_a_rule_of_the_assembler(rules: dict[str, Any], body: bytes, reference: list[str], client: list[str]) -> None:
    assert outcome(read(body)) == reference
    found = outcome(read(body, rules_of(**rules)))
    if client and client[-1].endswith(": "):
        found[-1] = found[-1][: len(client[-1])]
    assert found == client


@pytest.mark.parametrize("mode, counts", [("last", "2 4"), ("max", "2 5"), ("sum", "6 12"), ("none", "None None")])
def test_usage_is_counted_as_the_client_counts(mode: str, counts: str) -> None:
    rules = rules_of() if mode == "last" else rules_of(usage=mode)
    assert counted(read(usage(3, 5, 4), rules)) == f"usage {counts}"


def test_a_sum_counts_one_report_once() -> None:
    report = {"prompt_tokens": 2, "completion_tokens": 3}
    assert (
        counted(read(stream(said("a", usage=report, x_groq={"usage": report})), rules_of(usage="sum"))) == "usage 2 3"
    )


@pytest.mark.parametrize("mode, ready", [("object", True), ("text", False)])
def test_empty_arguments_are_an_object_or_a_text(mode: str, ready: bool) -> None:
    rules = rules_of() if mode == "object" else rules_of(empty_args=mode)
    (call,) = read(stream(ONE), rules).blocks
    assert (call.fields["executable"], call.fields["arguments_json"]) == (ready, {} if ready else None)


def test_partial_arguments_are_enough_for_a_partial_parser() -> None:
    body = stream(tool('{"a":1,"b":tr', id="a", name="f"))
    reference, client = read(body).blocks[0], read(body, rules_of(args_parse="partial")).blocks[0]
    assert (reference.fields["arguments_json"], client.fields["arguments_json"]) == (None, {"a": 1})


@pytest.mark.parametrize(
    "delta, mode, cause",
    [
        ({"tool_calls": []}, "non-null-tool-calls", "tool_calls: []"),
        ({"tool_calls": [{}]}, "non-null-tool-calls", "tool_calls: [{…}]"),
        ({"function_call": {}}, "key-presence", "function_call: {}"),
        ({"content": None}, "key-presence", "content: null"),
        ({"content": ""}, "key-presence", 'content: ""'),
    ],
)
def test_the_key_that_cut_a_thought_is_named(delta: dict[str, Any], mode: str, cause: str) -> None:
    body = sse(*[thought(text, **delta) for text in "abc"])
    difference = compare(read(body), read(body, rules_of(reasoning_end=mode)))
    assert (difference.headline, difference.cause) == (
        "3 reasoning blocks instead of 1",
        f"closed by `{cause}` from event 0 on",
    )


LEDGER: list[tuple[str, dict[str, Any]]] = [
    ("choices[].delta.content[].text", {"content_types": "string"}),
    ("choices[].delta.refusal", {"refusal": "lost"}),
    ("choices[].delta.function_call.arguments", {"legacy_call": "ignored"}),
    ("choices[].delta.reasoning_content[].text", {"reasoning_types": "string"}),
    ("choices[].delta.reasoning_opaque", {"extras": ["signature"]}),
    ("choices[].delta.annotations[].type", {"extras": ["signature"]}),
    ("search_results[].url", {"extras": []}),
    ("choices[].delta.reasoning_details[].text", {"reasoning_fields": ["reasoning"]}),
    ("choices[].delta.reasoning_details[].signature", {"reasoning_fields": ["reasoning"], "extras": []}),
    ("usage.prompt_tokens", {"usage": "none"}),
    ("x_groq.usage.prompt_tokens", {"usage": "sum"}),
    ("error.message", {"error_key": "ignored"}),
    ("base_resp.status_code", {"error_key": "throw"}),
]


@pytest.mark.parametrize("path, rules", LEDGER)
def test_a_field_is_read_by_the_reference_and_not_by_this_client(path: str, rules: dict[str, Any]) -> None:
    module = KIT.dialects["openai-chat"]
    assert module.reads(path, rules_of())
    assert not module.reads(path, rules_of(**rules))


@pytest.mark.parametrize(
    "path", ["choices[].delta.contents", "choices[].delta.foo", "obfuscation", "errors", "x_groq.id"]
)
def test_a_field_that_nobody_reads(path: str) -> None:
    assert not KIT.dialects["openai-chat"].reads(path, rules_of())


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("rules, body", [(row[0], row[1]) for row in ROWS])
def test_reads_do_not_matter_to_a_client(rules: dict[str, Any], body: bytes, size: int) -> None:
    assert outcome(read(body, rules_of(**rules), size)) == outcome(read(body, rules_of(**rules)))


@pytest.mark.parametrize("rules, body", [(row[0], row[1]) for row in ROWS])
def test_what_a_client_is_not_known_to_do_it_does_as_the_reference(rules: dict[str, Any], body: bytes) -> None:
    assert outcome(read(body, rules_of())) == outcome(read(body))


def test_every_value_has_a_row() -> None:
    shown = {(key, value) for rules, *_ in ROWS for key, value in rules.items() if isinstance(value, str)}
    shown |= {("usage", value) for value in ("sum", "max", "none")} | {("empty_args", "text")}
    for key, rule in RULES.items():
        if key not in LATER and rule.stage != "F":
            assert key == "usage" or any(key in rules for rules, *_ in ROWS), key
            if rule.shape == "choice":
                assert {(key, value) for value in rule.values[1:]} <= shown
