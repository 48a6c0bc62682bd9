"""Readers of a recording in words for people: their names, and what is said where a fault of ours ends a reading."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_app.core.text import clip, number
from inspector_app.lenses import LITERAL, REFERENCE, Lens

BUILT_IN = {REFERENCE: "Reference", LITERAL: "Literal"}
"""Reader that is no lens -> its name for people."""
LONGEST_FAULT = 120


def title_of(reader: str, lenses: Mapping[str, Lens]) -> str:
    """A reader's name."""
    if reader in BUILT_IN:
        return BUILT_IN[reader]
    lens = lenses.get(reader)
    return lens.title if lens is not None else reader


def short_title_of(reader: str, lenses: Mapping[str, Lens]) -> str:
    """A reader's name where space is short: ZCode 3.11, openai-python-helper-3.57."""
    if reader in BUILT_IN:
        return BUILT_IN[reader]
    lens = lenses.get(reader)
    if lens is None or lens.kind != "client":
        return reader
    word, (first, _, rest) = lens.title.replace(",", "").split()[0], reader.partition("-")
    return f"{word} {rest}".strip() if word.lower() == first else lens.title.partition(",")[0]


def stuck_words(path: str, events: int | None, error: Exception) -> str:
    """What is said where `error`, a fault of ours, ends a reading after so many events, None for a comparison."""
    what = "the comparison" if events is None else f"the reading, after {number(events)} events"
    fault = clip(f"{type(error).__name__}: {error}", LONGEST_FAULT)
    return f"{path}: a fault of this program ended {what} ({fault}); please report it with the recording"
