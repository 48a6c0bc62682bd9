"""Clients that read one choice, or take certain errors only, go by where the dialect holds them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from inspector_app.core.admit import NO_PLACES, Places, admission
from inspector_app.core.types import Delta
from tests.core.streams import rules_of

HERE = Places(choices="/answers", parts="pieces", errors=("/trouble",))


def admitted(places: Places, rules: dict[str, Any], *deltas: Delta) -> list[Delta]:
    admit = admission(rules_of(**rules))
    assert admit is not None
    assembler = SimpleNamespace(places=places, fail=lambda *_, **__: None)
    return [delta for _, delta in admit(assembler, 0, list(enumerate(deltas)))]


FIRST = Delta("text.delta", 4, "/answers/0/text", "a")
SECOND = Delta("text.delta", 5, "/answers/10/text", "b")
LIKE_CHAT = Delta("text.delta", 6, "/choices/1/delta/content", "c")
USAGE = Delta("usage", 0, "/usage", {})
LISTED = Delta("text.delta", 0, "/answers/0/pieces/0/text", "d")
OWN = Delta("error", 0, "/trouble/1", {"message": "m"})
USUAL = Delta("error", 0, "/error", {"message": "m"})

ROWS: list[tuple[Places, dict[str, Any], list[Delta], list[Delta]]] = [
    (HERE, {"choice": "by-position-0"}, [FIRST, SECOND, USAGE], [FIRST._replace(choice=0), USAGE]),
    (HERE, {"choice": "by-position-0"}, [LIKE_CHAT], [LIKE_CHAT._replace(choice=0)]),
    (NO_PLACES, {"choice": "by-position-0"}, [FIRST, SECOND], [FIRST._replace(choice=0), SECOND._replace(choice=0)]),
    (HERE, {"content_types": "string"}, [FIRST, LISTED], [FIRST]),
    (NO_PLACES, {"content_types": "string"}, [FIRST, LISTED], [FIRST, LISTED]),
    (HERE, {"error_key": "throw"}, [FIRST, OWN], [FIRST]),
    (HERE, {"error_key": "throw"}, [FIRST, USUAL], [USUAL]),
    (NO_PLACES, {"error_key": "throw"}, [FIRST, OWN], [OWN]),
    (HERE, {"error_key": "ignored-if-choices"}, [FIRST, USUAL], [FIRST]),
    (HERE, {"error_key": "ignored-if-choices"}, [LIKE_CHAT, USUAL], [LIKE_CHAT, USUAL]),
]


@pytest.mark.parametrize(("places", "rules", "deltas", "wanted"), ROWS)
def test_a_client_goes_by_the_places_of_the_dialect(
    places: Places, rules: dict[str, Any], deltas: list[Delta], wanted: list[Delta]
) -> None:
    assert admitted(places, rules, *deltas) == wanted
