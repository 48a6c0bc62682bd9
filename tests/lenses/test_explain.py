"""Lenses in words."""

from __future__ import annotations

from inspector_app.core.rules import RULES, from_mapping
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.lenses.explain import explain, explain_reference, reference_object


def test_a_lens_tells_only_what_it_does_otherwise() -> None:
    text = explain(load_lenses([shipped_folder()])["zcode-3.11"])
    assert '  reasoning_end = "non-null-tool-calls"  (reference: "non-empty")\n      What ends' in text
    assert "space_required" not in text


def test_the_reference_tells_every_rule_that_a_lens_can_set_and_what_it_takes() -> None:
    lines = explain_reference().split("\n")
    for key, rule in RULES.items():
        [at] = [n for n, line in enumerate(lines) if line.startswith(f"  {key} = ")]
        assert lines[at + 1].strip() == rule.meaning
        assert all(f'"{word}"' in lines[at + 2] for word in rule.values)


def test_a_lens_may_say_what_the_reference_does() -> None:
    told = reference_object()["rules"]
    assert told.keys() == RULES.keys()
    from_mapping({key: list(one["default"]) if one["takes"] in ("list", "set") else one["default"]
                  for key, one in told.items()}, "reference")  # fmt: skip
