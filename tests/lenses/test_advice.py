"""Why a client reads otherwise, and what to do about it on either side."""

from __future__ import annotations

import re
from typing import Any

import pytest

from inspector_app.core.rule_keys import REPAIRS
from inspector_app.core.rules import RULES
from inspector_app.lenses import VERDICTS, compare, load_lenses, shipped_folder
from inspector_app.lenses.advice import ON_FINDINGS, advise
from inspector_app.lenses.advice_words import BY_RULE, BY_VERDICT, FOR_CLIENT, Advice
from inspector_app.lenses.run import read_as
from tests.core.streams import KIT, bare, chunk, end, read, said, sse, stream, thought, tool

LENSES = load_lenses([shipped_folder()])
SENTENCE = re.compile(r"[A-Z][^\n]*\.")
DETAILS = stream(chunk({"reasoning_details": [{"type": "reasoning.text", "text": "r", "index": 0}]}))
WIPED = stream(tool("{", id="c", name="f"), tool("}", id="", name=""), finish="tool_calls")


def advice(name: str, body: bytes) -> Advice | None:
    reference = read(body)
    return advise(LENSES[name], reference, compare(reference, read_as(LENSES[name], reference, KIT)), KIT)


def test_every_rule_has_a_sentence_for_each_side() -> None:
    named = {*ON_FINDINGS, "repairs", "empty_turn_error"}
    assert set(BY_RULE) == set(RULES) - named
    assert set(BY_VERDICT) == set(VERDICTS) - {"same"}
    acted_on = {rule for lens in LENSES.values() for key in ON_FINDINGS for rule in getattr(lens.rules, key)}
    assert set(FOR_CLIENT) <= {*REPAIRS, *acted_on}
    sentences = [words for pair in (*BY_RULE.values(), *BY_VERDICT.values()) for words in pair]
    assert [words for words in (*sentences, *FOR_CLIENT.values()) if not SENTENCE.fullmatch(words)] == []


CASES: list[tuple[str, bytes, Any]] = [
    ("zcode-3.11", stream(*(thought(text, tool_calls=[]) for text in "abc")), "reasoning_end"),
    ("openclaw", DETAILS, "reasoning_fields"),
    ("litellm-1.110", DETAILS, "reasoning_fields"),
    ("wingmate-2026-06", WIPED.replace(b"data: ", b"data:", 1), "space_required, name_policy, id_policy"),
    ("wingmate-2026-06", WIPED, "name_policy, id_policy"),
    ("litellm-1.110", sse(said("a")), "missing_finish"),
    ("llm", stream(said("a"), bare()), "delta_missing"),
    ("openai-python-helper-3.57", stream(said("a"), tool("{}", index=..., id="c", name="f")), "tool-index-missing"),
    ("langchain-openai-1.7", stream(tool({"x": 1}, id="c", name="f")), "tool-args-object"),
    ("litellm-1.110", stream(tool("{}", id="c", name="f"), tool("{}", id="c", name="f")), "tool-args-repeated"),
    ("google-genai-3.6", sse(said("a"), end()), None),
]


@pytest.mark.parametrize("name, body, rule", CASES)
def test_the_rule_that_makes_the_difference_is_found(name: str, body: bytes, rule: str | None) -> None:
    found = advice(name, body)
    assert (found and found.rule) == rule
    if found is not None:
        assert SENTENCE.fullmatch(found.client)
        assert SENTENCE.fullmatch(found.gateway)


def test_what_reads_right_needs_no_advice() -> None:
    assert advice("zcode-3.11", stream(said("a"))) is None
