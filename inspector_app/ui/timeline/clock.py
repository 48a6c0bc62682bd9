"""The steps of the ruler, and moments in words."""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10

from inspector_app.core.text import THIN_SPACE

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


def moment(ns: int) -> str:
    """When something happened: 980 ms, from 1 s on 1.476 s."""
    if abs(ns) < SECOND - MILLISECOND // 2:
        return f"{_plain(ns, MILLISECOND, 1 if abs(ns) < 10 * MILLISECOND else 0)}{THIN_SPACE}ms"
    return f"{_plain(ns, SECOND, 3)}{THIN_SPACE}s"


def running(ns: int) -> str:
    """A time that runs: seconds with two decimals, from the first one on, so that its width keeps still."""
    return f"{ns // (10 * MILLISECOND) / 100:.2f}{THIN_SPACE}s"


def step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 and so on that is not less than `least`, at least 1."""
    if least <= 1:
        return 1
    power = 10 ** floor(log10(least))
    return int(next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least))


def minor(major: int) -> int:
    """The distance of the small ticks between the ruler's: ten to a step, five where the step is 5."""
    parts = 5 if str(major)[0] == "5" else 10
    return major // parts if major % parts == 0 else major


def tick(ns: int, major: int) -> str:
    """What the ruler says at a tick: ms under 1 s, then s with two decimals, or more where the step needs them."""
    if major >= SECOND:
        return f"{ns // SECOND}{THIN_SPACE}s"
    if abs(ns) < SECOND:
        return f"{_plain(ns, MILLISECOND, _decimals(major, MILLISECOND))}{THIN_SPACE}ms"
    return f"{_plain(ns, SECOND, max(2, _decimals(major, SECOND)))}{THIN_SPACE}s"


def _plain(ns: int, unit: int, decimals: int) -> str:
    return f"{Decimal(ns) / unit:.{decimals}f}"


def _decimals(major: int, unit: int) -> int:
    return max(0, -floor(log10(major / unit)))
