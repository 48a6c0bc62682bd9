"""Every rule against its own streams, and the whole catalogue against what it promises."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.diagnosis import shape_of
from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, Finding
from inspector_app.files import read_input

STREAMS = Path(__file__).parent / "streams"
KIT = load_kit()
RULES = sorted(KIT.rules)
FILES = sorted(path for path in STREAMS.glob("*/*-*"))

FAMILIES = (
    *("http", "body", "sse", "json", "frame", "end", "finish", "error", "reasoning", "think", "tool", "text", "choice"),
    *("usage", "time", "meta", "file", "anthropic", "responses", "gemini", "ollama", "cohere", "bedrock"),
)

HEURISTIC = {
    *("tool-id-rotated", "tool-args-second-root", "text-cumulative", "reasoning-delta-repeated", "tool-markup-leak"),
    *("choice-index-counter", "error-swallowed", "time-burst"),
}


@cache
def whole(path: Path) -> tuple[int, list[Finding]]:
    """How long the body of the first exchange of a file is, and its findings, fed whole."""
    exchange = read_input(str(path))[0]
    return len(exchange.body), findings(exchange)


def findings(exchange: Exchange, size: int | None = None) -> list[Finding]:
    analysis = Analysis(exchange, KIT)
    for start in range(0, len(exchange.body), size or 1 << 20):
        analysis.feed(exchange.body.slice(start, start + (size or 1 << 20)))
    return analysis.finish().findings


@cache
def catalogue() -> dict[str, dict[str, object]]:
    rows = (Path(__file__).parents[3] / "shared" / "findings.jsonl").read_text("utf-8").splitlines()
    return {row["rule"]: row for row in map(json.loads, rows)}


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", FILES, ids=label)
def test_a_rule_speaks_where_it_should_and_nowhere_else(path: Path) -> None:
    word = path.name.partition("-")[0]
    assert word in ("fires", "silent")
    found = [finding for finding in whole(path)[1] if finding.rule == path.parent.name]
    assert bool(found) == (word == "fires")


def with_other_values(value: Any) -> Any:
    """A payload of the same shape: the same keys, types and emptiness, and nothing else the same."""
    if isinstance(value, dict):
        return {key: with_other_values(member) for key, member in value.items()}
    if isinstance(value, list):
        return [with_other_values(member) for member in value]
    if isinstance(value, bool) or not value:
        return value
    return "other" if isinstance(value, str) else type(value)(7)


BY_SHAPE = [name for name in RULES if KIT.rules[name].shape is not None]


@pytest.mark.parametrize("name", BY_SHAPE)
def test_a_rule_by_shape_asks_for_no_value(name: str) -> None:
    asked, seen = KIT.rules[name].shape, 0
    assert asked is not None
    for path in (STREAMS / name).iterdir():
        (exchange, *_) = read_input(str(path))
        for line in exchange.body.slice(0, len(exchange.body)).splitlines():
            try:
                payload = json.loads(line[line.find(b"{") :])
            except ValueError:
                continue
            other = with_other_values(payload)
            assert shape_of(other) == shape_of(payload)
            found = sorted(asked(payload))
            assert sorted(asked(other)) == found
            seen += len(found)
    assert seen


@pytest.mark.parametrize("path", [path for path in FILES if path.name.startswith("fires")], ids=label)
def test_a_finding_has_words_and_places(path: Path) -> None:
    length, found = whole(path)
    rule = KIT.rules[path.parent.name]
    for finding in found:
        if finding.rule != rule.name:
            continue
        assert (finding.severity, finding.heuristic) == (rule.severity, rule.heuristic)
        assert finding.advice in (rule.advice, *rule.cases.values())
        assert finding.message
        assert not re.search(r"\{(count|detail|s)\}|: [.;)]|\(\)", finding.message)
        assert finding.count >= 1
        assert len(finding.places) == min(finding.count, 20) or finding.count > len(finding.places) >= 1
        for event, start, end in finding.places:
            assert 0 <= start <= end <= length
            assert event in finding.events or not len(finding.events)


@pytest.mark.parametrize("path", FILES, ids=label)
def test_reads_do_not_matter(path: Path) -> None:
    size = 1 if path.stat().st_size < 10_000 else 997
    assert findings(read_input(str(path))[0], size) == whole(path)[1]


@pytest.mark.parametrize("name", RULES)
def test_a_rule_has_words_and_streams(name: str) -> None:
    rule = KIT.rules[name]
    for words in (rule.message, rule.advice, rule.why, *rule.cases.values()):
        assert words
        assert words[0].isupper() or words[0] in "{`"
    assert all(words.endswith(".") for words in (rule.advice, *rule.cases.values()))
    assert rule.why.endswith(".")
    assert rule.severity in ("error", "warning", "info")
    assert rule.scope in ("line", "event", "delta", "block", "stream", "read")
    # "client version: what happens"
    assert all(re.match(r".+: .+", entry) for entry in rule.breaks)
    words_of_files = {path.name.partition("-")[0] for path in FILES if path.parent.name == name}
    assert words_of_files == {"fires", "silent"}


def test_every_folder_of_streams_is_a_rule() -> None:
    assert {path.name for path in STREAMS.iterdir() if path.is_dir()} <= set(RULES)


def test_a_consequence_names_rules_that_are_no_consequence_of_it() -> None:
    for rule in KIT.rules.values():
        for cause in rule.under:
            assert cause in KIT.rules
            assert rule.name not in KIT.rules[cause].under


def test_rules_that_infer_say_so() -> None:
    inferring = HEURISTIC | {name for name in RULES if name.startswith("think-")}
    assert [name for name in sorted(inferring & set(RULES)) if not KIT.rules[name].heuristic] == []


def test_the_catalogue_is_complete(shared: Path) -> None:
    wanted = {name for name in catalogue() if name.partition("-")[0] in FAMILIES}
    assert wanted <= set(RULES)


@pytest.mark.parametrize("name", RULES)
def test_severity_and_scope_are_those_of_the_catalogue(shared: Path, name: str) -> None:
    rule, row = KIT.rules[name], catalogue().get(name)
    if row is None:
        pytest.skip("a rule that the catalogue does not have yet")
    assert (rule.severity, rule.scope) == (row["severity"], row["scope"])
    assert bool(rule.breaks) == bool(row["breaks"])


@pytest.mark.parametrize("name", RULES)
def test_words_are_our_own(shared: Path, name: str) -> None:
    rule, row = KIT.rules[name], catalogue().get(name)
    if row is None:
        pytest.skip("a rule that the catalogue does not have yet")
    theirs = runs(f"{row['trigger']} {row['why']} {row['advice']}")
    assert not runs(f"{rule.message}") & theirs
    assert not runs(f"{rule.advice}") & theirs
    assert not runs(f"{rule.why}") & theirs


def runs(text: str, length: int = 8) -> set[tuple[str, ...]]:
    """Every run of eight words."""
    words = re.findall(r"[\w']+", text.lower())
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}
