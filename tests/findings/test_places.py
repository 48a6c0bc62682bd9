"""Looking through the columns of a reading, and through its text in pieces."""

from __future__ import annotations

from array import array
from types import SimpleNamespace

import pytest

from inspector_app.core.types import Block
from inspector_app.findings import _spots
from inspector_app.findings._places import first_position, flagged, last_position, positions
from inspector_app.findings._spots import pieces_of, standing

LAYOUTS = {5: [0], 0: [1, 3, 8], 1: [2, 6], 2: [4], 9: [5], 30: [7]}
READING = SimpleNamespace(events_by_layout=lambda: {number: array("I", places) for number, places in LAYOUTS.items()})


def test_positions_of_some_layouts() -> None:
    wanted = frozenset([1, 2, 100])
    assert sorted(positions(READING, wanted)) == [2, 4, 6]  # type: ignore[arg-type]
    assert sorted(positions(READING, wanted, 3)) == [4, 6]  # type: ignore[arg-type]
    assert (first_position(READING, wanted), last_position(READING, wanted)) == (2, 6)  # type: ignore[arg-type]
    assert first_position(READING, frozenset([100])) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("flag", "unless", "wanted"), [(1, 0, [0, 2, 5]), (1, 2, [0, 5]), (3, 0, [0, 2, 4, 5]), (8, 0, []), (2, 1, [4])]
)
def test_events_with_a_flag_and_without_another(flag: int, unless: int, wanted: list[int]) -> None:
    groups = {1: array("I", [0, 5]), 3: array("I", [2]), 2: array("I", [4])}
    reading = SimpleNamespace(raised=3, events_by_flags=lambda: groups)
    assert list(flagged(reading, flag, unless)) == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize("cut", range(13))
def test_a_word_is_found_wherever_its_text_is_cut(cut: int) -> None:
    text = "so </think>."
    found = [*standing([text[:cut], text[cut:]], ("</think>", "</thought>"))]
    assert found[-1]
    assert not any(standing([text[:cut], text[cut + 1 :]], ("</think>",))) or cut not in range(3, 11)


def test_no_word_is_found_where_none_stands() -> None:
    assert not any(standing(["<th", "", "ink", ">"], ("</think>",)))
    assert not any(standing([], ("</think>",)))


def test_text_comes_in_pieces_of_many_fragments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_spots, "TOGETHER", 3)
    blocks = [
        Block(0, "text", 0, 0, 0, fragments=["a", "b", "c", "d", "e"]),
        Block(1, "text", 0, 0, 0),
        Block(2, "text", 0, 0, 0, fragments=["x"], override="yz"),
    ]
    pieces = [*pieces_of(blocks)]
    assert "".join(pieces) == "abcdeyz"
    assert len(pieces) > 1
