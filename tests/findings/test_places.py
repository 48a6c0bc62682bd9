"""Looking through the columns of a reading."""

from __future__ import annotations

from array import array

import pytest

from inspector_app.findings._places import FEW, first_position, last_position, positions

COLUMN = array("I", [5, 0, 1, 0, 2, 9, 1, 30, 0])


@pytest.mark.parametrize("more", [0, FEW], ids=["few values", "many values"])
def test_positions_whether_the_values_are_few_or_many(more: int) -> None:
    values = frozenset([1, 2, *range(100, 100 + more)])
    assert sorted(positions(COLUMN, values)) == [2, 4, 6]
    assert sorted(positions(COLUMN, values, 3)) == [4, 6]
    assert (first_position(COLUMN, values), last_position(COLUMN, values)) == (2, 6)
    assert first_position(COLUMN, frozenset(range(100, 101 + more))) is None
