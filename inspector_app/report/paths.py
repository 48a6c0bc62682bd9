"""Ledger paths, step by step."""

from __future__ import annotations

import re

STEP: re.Pattern[str] = re.compile(r'\.?[^.\[\]]+|\[\]|\["(?:[^"\\]|\\.)*"\]')
"""One step of a ledger path."""


def above(path: str) -> str:
    """The path of the object that a key stands in, the path itself where that is the whole payload."""
    steps = STEP.findall(path)
    return "".join(steps[:-1]) or path
