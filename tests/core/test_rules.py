"""Reading rules: the table agrees with the class and with the specification, and a wrong value is one clear line."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.rule_keys import REASONING_FIELDS, REPAIRS
from inspector_app.core.rules import RULES, ReadingRules, differences, from_mapping

REFERENCE = ReadingRules()
SAMPLES = {"flag": True, "number": 4096, "text": "a text", "set": [], "table": {"usage-missing": "KeyError"}}


def another(key: str) -> Any:
    """A value of the key that is not the reference's, as a lens file gives it."""
    rule = RULES[key]
    if rule.shape == "choice":
        return rule.values[1]
    if rule.shape in ("list", "repairs"):
        return [rule.values[0]]
    if rule.shape == "set" and getattr(REFERENCE, key) == frozenset():
        return [rule.values[0]] if rule.values else ["sse-comment"]
    return SAMPLES[rule.shape]


def test_the_table_has_the_keys_of_the_class_in_their_order() -> None:
    assert list(RULES) == [entry.name for entry in fields(ReadingRules)]


def test_the_first_value_of_a_choice_is_the_reference() -> None:
    choices = {key: rule.values[0] for key, rule in RULES.items() if rule.shape == "choice"}
    assert choices == {key: getattr(REFERENCE, key) for key in choices}


def test_every_meaning_is_one_line_that_ends() -> None:
    assert [key for key, rule in RULES.items() if not re.fullmatch(r"[A-Z][^\n]*\.", rule.meaning)] == []


ADDED_KEYS = {"missing_role", "object_required", "reasoning_types"}
ADDED = {
    "error_key": ["part-unless-choices"], "reasoning_join": ["last-or-null"],
    "tool_key": ["index-id-first"],
    "text_end": ["never"], "index_missing": ["opens"], "id_policy": ["opening"], "name_policy": ["opening"],
    "missing_id": ["throw"], "missing_name": ["throw", "skip-or-throw"], "args_parse": ["partial-or-text", "throw"],
    "finish_pick": ["joined"], "empty_turn": ["error-if-silent"],
}  # fmt: skip
"""Values that clients needed which were run later than the specification was written."""


def specified(shared: Path) -> dict[str, tuple[str, list[str]]]:
    """Key -> stage and the words in its column of values, from the specification."""
    text = (shared / "dialects.md").read_text("utf-8")
    table = text[text.index("### 22.2") : text.index("`skips_on`, `parts_on` and `stops_on` name")]
    rows = re.findall(r"^\| `(\w+)` \| ([FA, ]+) \| (.*?) \| ", table, re.MULTILINE)
    return {key: (stage.replace(", ", ""), re.findall(r"`([^`]*)`", values)) for key, stage, values in rows}


def test_keys_stages_and_values_are_those_of_the_specification(shared: Path) -> None:
    rows = specified(shared)
    known = {key: rule for key, rule in RULES.items() if key not in ADDED_KEYS}
    assert {key: stage for key, (stage, _) in rows.items()} == {key: rule.stage for key, rule in known.items()}
    choices = {key: list(rule.values) for key, rule in known.items() if rule.shape == "choice"}
    assert {key: [*rows[key][1], *ADDED.get(key, [])] for key in choices} == choices


def test_repairs_are_findings(shared: Path) -> None:
    catalogue = (shared / "findings.jsonl").read_text("utf-8").splitlines()
    assert set(REPAIRS) <= {json.loads(row)["rule"] for row in catalogue}


def test_the_rules_of_every_measured_client_are_understood(shared: Path) -> None:
    text = (shared / "dialects.md").read_text("utf-8")
    clients = re.findall(r"^- `([\w.-]+)`: `(.*?)`$", text, re.MULTILINE)
    assert len(clients) == 10
    for name, rules in clients:
        given_rules = tomllib.loads(f"rules = {{ {rules} }}")["rules"]
        plain = {key: sorted(v) if RULES[key].shape == "set" else v for key, v in given_rules.items()}
        assert differences(from_mapping(given_rules, name)) == plain


def test_no_rules_are_the_reference() -> None:
    rules = from_mapping({}, "x.toml")
    assert rules == REFERENCE
    assert hash(rules) == hash(REFERENCE)
    assert differences(rules) == {}


@pytest.mark.parametrize("key", RULES)
def test_each_key_alone_comes_back_as_its_only_difference(key: str) -> None:
    value = another(key)
    rules = from_mapping({key: value}, "x.toml")
    assert rules != REFERENCE
    assert differences(rules) == {key: value}


@given(st.lists(st.sampled_from(sorted(RULES)), unique=True))
def test_differences_are_what_was_given(keys: list[str]) -> None:
    mapping = {key: another(key) for key in keys}
    assert differences(from_mapping(mapping, "x.toml")) == mapping


def test_giving_the_reference_its_own_value_is_no_difference() -> None:
    mapping = {"reasoning_end": "non-empty", "repairs": "all", "extras": ["citations", "opaque", "signature"]}
    assert differences(from_mapping(mapping, "x.toml")) == {}


@pytest.mark.parametrize(
    "mapping, line",
    [
        ({"reasoning_ends": "x"}, "unknown rule 'reasoning_ends'; did you mean 'reasoning_end'?"),
        ({"zzz": 1}, "unknown rule 'zzz'"),
        (
            {"reasoning_end": "never"},
            "reasoning_end = 'never': not allowed; allowed: 'non-empty', 'non-null-tool-calls', 'key-presence'",
        ),
        (
            {"reasoning_end": 3},
            "reasoning_end = 3: not allowed; allowed: 'non-empty', 'non-null-tool-calls', 'key-presence'",
        ),
        ({"space_required": 1}, "space_required = 1: must be true or false"),
        ({"space_required": "true"}, "space_required = 'true': must be true or false"),
        ({"max_line": -1}, "max_line = -1: must be a whole number, 0 or more"),
        ({"max_line": True}, "max_line = True: must be a whole number, 0 or more"),
        ({"max_line": 1.0}, "max_line = 1.0: must be a whole number, 0 or more"),
        ({"finish_default": 0}, "finish_default = 0: must be a text"),
        (
            {"empty_turn_error": "{blocks}"},
            "empty_turn_error = '{blocks}': '{blocks}' cannot be filled in; only {payloads} can",
        ),
        ({"empty_turn_error": "a { b"}, "empty_turn_error = 'a { b': '{ b' cannot be filled in; only {payloads} can"),
        ({"blank_fires": ["data"]}, "blank_fires = ['data']: 'data' is not allowed; allowed: 'event', 'id', 'retry'"),
        ({"blank_fires": ["id", "id"]}, "blank_fires = ['id', 'id']: an item stands in it twice"),
        ({"blank_fires": "id"}, "blank_fires = 'id': must be a list of texts"),
        ({"finish_raises": [1]}, "finish_raises = [1]: must be a list of texts"),
        (
            {"reasoning_fields": ["reason"]},
            "reasoning_fields = ['reason']: 'reason' is not allowed; allowed: "
            + ", ".join(map(repr, REASONING_FIELDS)),
        ),
        ({"repairs": "none"}, "repairs = 'none': must be \"all\" or a list of rule names"),
        (
            {"repairs": ["tool-id-rotates"]},
            "repairs = ['tool-id-rotates']: 'tool-id-rotates' is not allowed; did you mean 'tool-id-rotated'?",
        ),
        ({"skips_on": ["No Rule"]}, "skips_on = ['No Rule']: 'No Rule' is no rule name"),
        ({"stops_on": ["choice-null"]}, "stops_on = ['choice-null']: must be a table of rule name = error text"),
        ({"stops_on": {"x": "y"}}, "stops_on = {'x': 'y'}: 'x' is no rule name"),
        (
            {"parts_on": {"no-key": 1}},
            "parts_on = {'no-key': 1}: must be a table of rule name = error text; the text of 'no-key' is none",
        ),
    ],
)
def test_a_wrong_rule_is_one_line_with_file_key_value_and_what_is_allowed(mapping: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=r"^x\.toml: ") as fault:
        from_mapping(mapping, "x.toml")
    assert str(fault.value) == f"x.toml: {line}"


def test_a_long_value_is_clipped_in_the_error() -> None:
    with pytest.raises(ValueError, match="not allowed") as fault:
        from_mapping({"framing": "x" * 5000}, "x.toml")
    assert len(str(fault.value)) < 200


@pytest.mark.parametrize(
    "repairs, rule, made",
    [
        ("all", "tool-id-rotated", True),
        ([], "tool-id-rotated", False),
        (["tool-id-rotated"], "tool-id-rotated", True),
        (["tool-id-rotated"], "text-cumulative", False),
    ],
)
def test_which_repairs_a_reader_makes(repairs: Any, rule: str, made: bool) -> None:
    assert from_mapping({"repairs": repairs}, "x").repairs_rule(rule) is made


def test_rules_cannot_be_changed_and_do_not_follow_the_table_they_came_from() -> None:
    table = {"choice-null": "TypeError"}
    rules = from_mapping({"stops_on": table}, "x")
    table["usage-missing"] = "KeyError"
    assert rules.stops_on == {"choice-null": "TypeError"}
    with pytest.raises(FrozenInstanceError):
        rules.framing = "slice5"  # type: ignore[misc]
