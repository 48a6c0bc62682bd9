"""Any rules on any stream: nothing raises, reads do not matter, and every delta is found again in the bytes."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.rules import RULES
from tests.core.streams import KIT, bare, chunk, data, element, outcome, read, rules_of

ID, NAME, ARGS = (
    ("", "a", "b", None, ...),
    ("", "f", "g", None, ...),
    ("", "{", "}", "{}", '{"x":1}', {"x": 1}, None, ...),
)
TEXTS = st.sampled_from(["", "a", "ab", " ", "<think>", "</think>", "<thi", "nk>", "\ud83d", "\ude00", "\u2028", None])
ELEMENTS = st.builds(
    lambda args, **labels: element(args, **labels),
    st.sampled_from(ARGS),
    index=st.sampled_from([0, 1, 2, "0", 1.0, None, ...]),
    id=st.sampled_from(ID),
    name=st.sampled_from(NAME),
)
ENTRIES = st.fixed_dictionaries(
    {"type": st.sampled_from(["reasoning.text", "reasoning.summary"])},
    optional={"text": TEXTS, "summary": TEXTS, "signature": TEXTS, "data": TEXTS, "index": st.sampled_from([0, 1, 2])},
)
BLOCKS = st.fixed_dictionaries({"thinking": TEXTS}, optional={"signature": TEXTS, "data": TEXTS})
PARTS = st.sampled_from([{"type": "text", "text": "p"}, {"type": "thinking", "thinking": "q"}, "r", {"text": ""}, None])
DELTAS = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["assistant", ""]),
        "content": TEXTS | st.lists(PARTS, max_size=2),
        "reasoning_content": TEXTS | st.sampled_from([{"text": "o"}, [], {}]),
        "reasoning": TEXTS,
        "reasoning_opaque": TEXTS,
        "reasoning_details": st.lists(ENTRIES, max_size=2),
        "thinking_blocks": st.lists(BLOCKS, max_size=2),
        "refusal": TEXTS,
        "tool_calls": st.none() | st.lists(ELEMENTS, max_size=2),
        "function_call": st.sampled_from([None, {}, {"name": "f"}, {"arguments": "{}"}]),
        "images": st.just([{"type": "image_url"}]),
        "audio": st.just({"id": "x", "transcript": "t"}),
        "citations": st.just(["u"]),
    },
)
FINISH = st.sampled_from([None, None, None, None, "stop", "length", ""])
USAGE = {"prompt_tokens": 1, "completion_tokens": 2}
CHUNKS = st.builds(
    chunk,
    DELTAS,
    FINISH,
    st.sampled_from([0, 0, 0, 1, 2]),
    id=st.sampled_from(["1", "1", "1", "2", ""]),
    usage=st.sampled_from([None, None, USAGE]),
)
WHOLE = st.builds(bare, FINISH, message=st.just({"content": "m"}))
ERRORS = st.sampled_from([{"error": "e"}, {"error": {"message": "m"}, "choices": []}, {"choices": None}])
PAYLOADS = st.builds(data, CHUNKS | WHOLE | ERRORS) | st.sampled_from(["[DONE]", "{no", "", "data: {}", "{}{}"])
LINES = st.sampled_from([": c", "id: 7", "id:", "event: e", "event: error", "retry: 1", "x", '{"error":"u"}', "[DONE]"])
EVENTS = st.builds(lambda lines, payload, end: "".join([*lines, payload, end]),
    st.lists(LINES.map(lambda line: line + "\n"), max_size=1),
    st.builds(lambda start, text: start + text, st.sampled_from(["data: ", "data: ", "data: ", "data:"]), PAYLOADS),
    st.sampled_from(["\n\n", "\n\n", "\n\n", "\n", "\r\n\r\n", "\n\n\n", "\r\r"]),
)  # fmt: skip
BODIES = st.lists(st.tuples(EVENTS, st.integers(1, 4)), max_size=6).map(
    lambda events: "".join([event * times for event, times in events] * 2).encode("utf-8", "replace")
)
"""Events come again, at once and later, so that they are read by plan."""


def _values(key: str) -> st.SearchStrategy[Any]:
    rule = RULES[key]
    match rule.shape:
        case "choice":
            return st.sampled_from(rule.values)
        case "flag":
            return st.booleans()
        case "number":
            return st.sampled_from([0, 100])
        case "text":
            return st.just("text")
        case "table":
            return st.dictionaries(st.sampled_from(sorted(KIT.rules)), st.just("told"), max_size=3)
    words = rule.values or (sorted(KIT.rules) if key == "skips_on" else ("length", "stop"))
    lists = st.lists(st.sampled_from(words), unique=True, max_size=4)
    return lists | st.just("all") if rule.shape == "repairs" else lists


RULE_SETS = st.sets(st.sampled_from(sorted(RULES)), max_size=6).flatmap(
    lambda keys: st.fixed_dictionaries({key: _values(key) for key in sorted(keys)})
)


@given(BODIES, RULE_SETS)
def test_the_short_way_reads_as_the_long_way(body: bytes, rules: dict[str, Any]) -> None:
    short = read(body, rules_of(**rules))
    with patch("inspector_app.core.plans.make_plan", return_value=None):
        long = read(body, rules_of(**rules))
    assert outcome(short) == outcome(long)
    assert list(short.events.layouts) == list(long.events.layouts)
    assert list(short.delta_blocks) == list(long.delta_blocks)
    for one, other in zip(short.blocks, long.blocks, strict=True):
        assert (one.fragments, one.deltas, one.spans) == (other.fragments, other.deltas, other.spans)
        assert (one.first_event, one.last_event, one.fields) == (other.first_event, other.last_event, other.fields)
        assert (one.state, one.closed_by, one.closed_at) == (other.state, other.closed_by, other.closed_at)


@given(BODIES, RULE_SETS, st.sampled_from([1, 2, 7]))
def test_reads_do_not_matter_and_every_delta_is_found_again(body: bytes, rules: dict[str, Any], size: int) -> None:
    whole, cut = read(body, rules_of(**rules)), read(body, rules_of(**rules), size)
    assert outcome(cut) == outcome(whole)
    assert list(cut.events.layouts) == list(whole.events.layouts)
    for reading in (whole, cut):
        for n in range(len(reading.events)):
            rows = reading.layouts[reading.events.layouts[n]].rows
            assert [(delta.kind, delta.choice, delta.pointer) for delta in reading.deltas(n)] == list(rows)
    for block in whole.blocks:
        assert len(block.fragments) == len(block.deltas)
        assert block.state != "open"
        assert whole.blocks[block.n] is block
        for number in block.deltas:
            assert number < whole.delta_count
