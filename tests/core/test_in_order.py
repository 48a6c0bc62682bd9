"""Columns of event numbers in order, each once; long ones in pieces."""

from __future__ import annotations

import random
from array import array

import pytest

from inspector_app.core import in_order as module
from inspector_app.core.in_order import in_order, mark, marked, ordering, rising, sorting

CHANCE = random.Random(3)
COLUMNS = {
    "none": [],
    "one": [7],
    "rises": [*range(40)],
    "runs": [*range(0, 60, 2), *range(1, 60, 2)],
    "each twice": [*range(30), *range(30)],
    "falls": [*range(50, 0, -1)],
    "by chance": [CHANCE.randrange(500) for _ in range(90)],
    "equal neighbours": [1, 2, 2, 3],
    "falls between two pieces": [*range(8, 16), *range(8)],
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("piece", [1, 8, 1 << 16])
def test_a_column_comes_in_order_with_each_event_once(name: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AT_ONCE", piece)
    events = array("I", COLUMNS[name])
    assert in_order(events) == array("I", sorted(set(COLUMNS[name])))
    assert events == array("I", COLUMNS[name]), "the column itself stays as it came"


def test_a_long_column_is_ordered_with_a_rest_after_each_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 10)
    assert len([*ordering(array("I", range(100)))]) >= 100 / 10
    assert len([*ordering(array("I", range(100, 0, -1)))]) >= 2 * 100 / 10


@pytest.mark.parametrize(
    ("column", "strictly", "wanted"),
    [([1, 2, 3, 4], True, True), ([1, 2, 2, 4], True, False), ([1, 2, 2, 4], False, True), ([2, 1], False, False)],
)
def test_whether_a_column_rises_is_told_piece_by_piece(
    column: list[int], strictly: bool, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 2)
    assert all(rising(column, strictly)) is wanted


def test_a_table_grows_to_the_place_that_is_marked() -> None:
    there = bytearray()
    for places in ([3, 1], [], [6]):
        mark(there, places)
    assert (len(there), marked(there, 0, 4), marked(there, 2, 99)) == (7, array("I", [1, 3]), array("I", [3, 6]))


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("together", [1, 5, 4096])
def test_places_are_sorted_by_what_stands_there(name: str, together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 8)
    monkeypatch.setattr(module, "TOGETHER", together)
    column = COLUMNS[name]
    *_, found = sorting(column)
    assert list(found) == sorted(range(len(column)), key=column.__getitem__)
