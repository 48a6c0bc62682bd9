"""A level of reasoning goes into a body, is found there again, and leaves no trace when another is chosen."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.live.providers import Provider, load_presets
from inspector_app.live.reasoning import level_of, with_level

PRESETS = load_presets()
PAIRS = [(name, level) for name, preset in PRESETS.items() for level in preset.knows.reasoning.levels]
BODY: dict[str, Any] = {"model": "m", "generationConfig": {"temperature": 1}, "output_config": {"format": "x"}}


@pytest.mark.parametrize("name, level", PAIRS)
def test_every_level_of_every_preset_is_found_again_and_taken_out_again(name: str, level: str) -> None:
    preset = PRESETS[name]
    asked = with_level(preset, BODY, level)
    assert level_of(preset, asked) == level
    assert asked != BODY
    for other in preset.knows.reasoning.levels:
        assert with_level(preset, asked, other) == with_level(preset, BODY, other)
    assert with_level(preset, asked, "") == BODY


@pytest.mark.parametrize("name", ["openai", "custom"])
def test_a_body_that_says_nothing_has_no_level(name: str) -> None:
    assert level_of(PRESETS[name], BODY) == ""


@pytest.mark.parametrize("body", [{"reasoning_effort": "none of these"}, {"reasoning_effort": None}, {"reasoning": 1}])
def test_what_is_no_level_of_the_provider_is_told_from_one(body: dict[str, Any]) -> None:
    assert level_of(PRESETS["openai"], body) == ""
    assert level_of(PRESETS["openai-responses"], body) == ""


def test_a_member_of_another_kind_is_left_alone() -> None:
    assert with_level(PRESETS["gemini"], {"generationConfig": "x"}, "") == {"generationConfig": "x"}


def test_a_level_that_the_provider_has_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_level(Provider("x", dialect="openai-chat"), {}, "high")
