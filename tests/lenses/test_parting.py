"""Where two sequences part: what stands between the ranges is the same, and little is called different."""

from __future__ import annotations

from random import Random

import pytest

from inspector_app.lenses.parting import parted


def kept(a: list[str], ranges: list[tuple[int, int, int, int]], side: int) -> list[str]:
    out, at = [], 0
    for one in ranges:
        out += a[at : one[side]]
        at = one[side + 1]
    return out + a[at:]


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_is_the_same(seed: int) -> None:
    random = Random(seed)
    words = [f"w{n}" for n in range(random.choice((3, 30, 3000)))]
    a = [random.choice(words) for _ in range(random.randrange(900))]
    b = list(a)
    for _ in range(random.randrange(30)):
        at = random.randrange(len(b) + 1)
        b[at : at + random.randrange(4)] = [random.choice(words) for _ in range(random.randrange(5))]
    ranges = list(parted(a, b))
    assert kept(a, ranges, 0) == kept(b, ranges, 2)
    assert ranges == sorted(ranges)
    assert all(i < j or k < m for i, j, k, m in ranges)


def test_each_change_in_a_long_text_is_told_by_itself() -> None:
    random = Random(1)
    a = [f"{random.randrange(40)}" for _ in range(100_000)]
    b = [*a[:30_000], *["new"] * 5000, *a[30_000:60_000], "other", *a[60_001:90_000], *a[90_010:]]
    assert list(parted(a, b)) == [
        (30_000, 30_000, 30_000, 35_000),
        (60_000, 60_001, 65_000, 65_001),
        (90_000, 90_010, 95_000, 95_000),
    ]


@pytest.mark.parametrize("a, b", [("", ""), ("", "abc"), ("abc", ""), ("abc", "abc"), ("x" * 500, "y" * 500)])
def test_the_edges(a: str, b: str) -> None:
    assert list(parted(a, b)) == ([] if a == b else [(0, len(a), 0, len(b))])
