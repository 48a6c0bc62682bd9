"""Whether a body ended as its framing does, when it is too long to be kept whole."""

from __future__ import annotations

import json

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.live import ending
from inspector_app.live.ending import Ending

KIT = load_kit()
PARTS = [{"text": f"word {n}", "more": [{"a": 1}, {"b": "}, {"}]} for n in range(4)]
ELEMENT = {"candidates": [{"content": {"parts": PARTS}}]}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("size", [7, 100])
def test_the_bracket_that_closes_an_array_is_known_from_its_last_bytes(
    monkeypatch: pytest.MonkeyPatch, indent: int | None, size: int
) -> None:
    monkeypatch.setattr(ending, "TAIL", 1500)
    body = json.dumps([ELEMENT] * 20, indent=indent).encode()
    for cut in range(0, 500, 7):
        end = Ending(None)
        for at in range(0, len(body) - cut, size):
            end.feed(body[at : min(at + size, len(body) - cut)])
        assert end.is_complete(KIT) == (cut == 0), cut
