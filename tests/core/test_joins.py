"""When fragments are growing snapshots of one text."""

from __future__ import annotations

import pytest

from inspector_app.core.joins import is_cumulative


@pytest.mark.parametrize(
    ("fragments", "found", "where_sure"),
    [
        (["On", "On the", "On the quay."], True, True),
        (["On", "", "On the", "On the quay."], True, True),
        (["On", "On the quay."], False, True),
        (["A", "AB", "ABC"], False, True),
        (["Yes.", "Yes."], False, True),
        (["On", "On the", "Of the quay."], False, False),
        (["On the quay."], False, False),
        (["", ""], False, False),
    ],
)
def test_snapshots(fragments: list[str], found: bool, where_sure: bool) -> None:
    assert is_cumulative(fragments) is found
    assert is_cumulative(fragments, sure=True) is where_sure
