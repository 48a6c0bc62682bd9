"""Reading rules: in what a reader of streams can differ from the reference (dialects.md 22.2).

`ReadingRules()` is the reference, the most correct reading known. A client is the same reader with some
keys set otherwise, so a lens is data: a table of these keys. `RULES` says what each key means and takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any, Literal

from inspector_app.core.rule_keys import EXTRAS, REASONING_FIELDS, RULES, Key

__all__ = ["RULES", "Key", "ReadingRules", "differences", "from_mapping", "nearest"]


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """How one reader reads. Every default is the reference's; what a key does stands in `RULES`."""

    framing: Literal["spec", "lf-lines", "slice5", "lf-blocks"] = "spec"
    final_cr: Literal["ends", "held"] = "ends"
    space_required: bool = False
    bom: Literal["stripped", "kept"] = "stripped"
    blank_fires: frozenset[str] = frozenset()
    empty_data: Literal["skip", "parse"] = "skip"
    multi_data: Literal["join", "last", "each"] = "join"
    comment: Literal["skip", "drop-event", "end"] = "skip"
    dangling: Literal["shown", "drop", "flush"] = "shown"
    unicode_lines: bool = False
    max_line: int = 0
    not_sse: Literal["read", "nothing", "error"] = "read"
    done: Literal["exact", "prefix", "anywhere", "ignored"] = "exact"
    end_marker: Literal["optional", "error", "holds-finish"] = "optional"
    named_event: Literal["ignore", "required", "wrap", "skip"] = "ignore"
    bad_json: Literal["show", "throw", "skip", "part"] = "show"
    object_required: str = ""
    bare_error_line: Literal["raised", "ignored"] = "raised"
    error_key: Literal["shown", "part", "throw", "ignored", "ignored-if-choices", "part-unless-choices"] = "shown"
    choice: Literal["by-index", "by-position-0", "index-0-only", "merged"] = "by-index"
    delta_missing: Literal["read", "skip", "error", "error-if-finish"] = "read"
    message: Literal["ignored", "appended"] = "ignored"
    legacy_call: Literal["read", "ignored"] = "read"
    reasoning_fields: tuple[str, ...] = REASONING_FIELDS
    reasoning_pick: Literal["structured-then-first", "first", "all"] = "structured-then-first"
    reasoning_types: Literal["any", "string"] = "any"
    reasoning_join: Literal["append", "last", "last-or-null"] = "append"
    details_entries: Literal["by-index", "wire-order", "first"] = "by-index"
    reasoning_end: Literal["non-empty", "non-null-tool-calls", "key-presence"] = "non-empty"
    text_end: Literal["any", "reasoning", "never"] = "any"
    block_form: Literal["runs", "slots"] = "runs"
    text_join: Literal["append", "strip-prefix"] = "append"
    think_tags: Literal["split", "literal", "exact-delta"] = "split"
    content_types: Literal["any", "string", "js-text"] = "any"
    refusal: Literal["block", "text", "lost"] = "block"
    extras: frozenset[str] = frozenset(EXTRAS)
    tool_key: Literal["resolve", "index", "index-id", "index-name", "id", "id-change", "latest", "index-id-first"] = (
        "resolve"
    )
    index_missing: Literal["resolve", "zero", "drop", "opens"] = "resolve"
    index_not_integer: Literal["read", "part", "throw"] = "read"
    index_as_position: Literal["no", "error", "error-at-end", "drop"] = "no"
    id_policy: Literal["first", "last", "concat", "non-null-overwrite", "any-non-null-starts-new", "opening"] = "first"
    name_policy: Literal["append-unless-equal", "first", "last", "concat", "non-null-overwrite", "opening"] = (
        "append-unless-equal"
    )
    missing_id: Literal["null", "made-up", "drop-call", "ignore-until-id", "throw"] = "null"
    missing_name: Literal["null", "skip-empty", "drop-call", "throw", "skip-or-throw"] = "null"
    args_object: Literal["dump", "js-text", "drop"] = "dump"
    args_parse: Literal["json", "partial", "partial-or-text", "throw"] = "json"
    empty_args: Literal["object", "text", "drop-call"] = "object"
    finalize: Literal["end", "finish", "parsable", "next"] = "end"
    type_mismatch: Literal["drop", "open-block"] = "drop"
    missing_finish: Literal["shown", "error"] = "shown"
    missing_role: Literal["shown", "error"] = "shown"
    finish_default: str = ""
    finish_pick: Literal["first", "last", "joined"] = "first"
    finish_rewrite: Literal["no", "tool-calls"] = "no"
    finish_raises: frozenset[str] = frozenset()
    usage: Literal["last", "sum", "max", "none"] = "last"
    empty_turn: Literal["ok", "error", "error-if-silent"] = "ok"
    empty_turn_error: str = ""
    repairs: Literal["all"] | tuple[str, ...] = "all"
    skips_on: frozenset[str] = frozenset()
    parts_on: Mapping[str, str] = field(default_factory=dict, hash=False)
    stops_on: Mapping[str, str] = field(default_factory=dict, hash=False)

    def repairs_rule(self, rule: str) -> bool:
        """Whether this reader makes the repair that the finding `rule` reports."""
        return self.repairs == "all" or rule in self.repairs


_RULE_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")


def from_mapping(mapping: Mapping[str, Any], where: str) -> ReadingRules:
    """The reading rules that a lens gives, the reference's wherever it is silent.

    `where` names the file for the error. Raises ValueError with one line that names the key, the value
    and what is allowed.
    """
    given: dict[str, Any] = {}
    for key, value in mapping.items():
        rule = RULES.get(key)
        if rule is None:
            raise ValueError(f"{where}: unknown rule {key!r}{nearest(key, RULES)}")
        try:
            given[key] = _value(key, rule, value)
        except ValueError as error:
            raise ValueError(f"{where}: {key} = {_shown(value)}: {error}") from None
    return ReadingRules(**given)


def differences(rules: ReadingRules) -> dict[str, Any]:
    """What differs from the reference: key -> value as a lens file would give it (words, lists, tables)."""
    different: dict[str, Any] = {}
    for entry in fields(ReadingRules):
        value = getattr(rules, entry.name)
        if value == getattr(_REFERENCE, entry.name):
            continue
        if isinstance(value, frozenset):
            value = sorted(value)
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        different[entry.name] = value
    return different


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint to put behind an unknown word: the known one that was probably meant, or nothing."""
    names = sorted(known)
    begun = [name for name in names if word and name.startswith(word)]
    close = begun or get_close_matches(word, names, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _value(key: str, rule: Key, value: Any) -> Any:
    if rule.shape == "choice":
        if value not in rule.values:
            raise ValueError(f"not allowed{_hint(value, rule.values)}")
        return value
    if rule.shape == "flag":
        return _typed(value, bool, "true or false")
    if rule.shape == "number":
        if type(value) is not int or value < 0:
            raise ValueError("must be a whole number, 0 or more")
        return value
    if rule.shape == "text":
        return _text(key, _typed(value, str, "a text"))
    if rule.shape == "table":
        table = _typed(value, dict, "a table of rule name = error text")
        for name, text in table.items():
            _check_rule_name(name)
            _typed(text, str, f"a table of rule name = error text; the text of {name!r} is none")
        return dict(table)
    if rule.shape == "repairs" and value == "all":
        return value
    words = _words(value, '"all" or a list of rule names' if rule.shape == "repairs" else "a list of texts")
    for word in words:
        if rule.values and word not in rule.values:
            raise ValueError(f"{word!r} is not allowed{_hint(word, rule.values)}")
        if key == "skips_on":
            _check_rule_name(word)
    return frozenset(words) if rule.shape == "set" else words


def _text(key: str, text: str) -> str:
    for place in re.findall(r"\{[^{}]*\}?|\}", text) if key == "empty_turn_error" else ():
        if place != "{payloads}":
            raise ValueError(f"{place!r} cannot be filled in; only {{payloads}} can")
    return text


def _words(value: Any, what: str) -> tuple[str, ...]:
    words: list[Any] = _typed(value, list, what)
    for word in words:
        _typed(word, str, what)
    if len(set(words)) != len(words):
        raise ValueError("an item stands in it twice")
    return tuple(words)


def _typed(value: Any, kind: type, what: str) -> Any:
    if type(value) is not kind:
        raise ValueError(f"must be {what}")
    return value


def _check_rule_name(name: str) -> None:
    if not _RULE_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no rule name")


def _hint(word: Any, values: tuple[str, ...]) -> str:
    """What is allowed instead: all of it if that is short, else the nearest."""
    return nearest(str(word), values) if len(values) > 10 else f"; allowed: {', '.join(map(repr, values))}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


_REFERENCE = ReadingRules()
