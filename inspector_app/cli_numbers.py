"""Numbers on a command line: each is of a kind, and a wrong one is told in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import nan

LONGEST = 18
"""Digits that a number may have."""


def whole(what: str, most: float = 10.0**LONGEST) -> Callable[[str], int]:
    """A reader of whole numbers from 0 to `most`; `what` names them."""

    def read(text: str) -> int:
        if not text.isdecimal() or len(text) > LONGEST or int(text) > most:
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}")
        return int(text)

    return read


def decimal(what: str, least: float, most: float) -> Callable[[str], float]:
    """A reader of numbers from `least` to `most`; `what` names them."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = nan
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}")
        return number

    return read


port = whole("port from 0 to 65535", 65535)
