"""Long texts kept out of the fields, where stand-ins take their place: Qt lays out a line of a megabyte for seconds."""

from __future__ import annotations

import re
from typing import Any

from inspector_app.core.text import number
from inspector_app.ui.compose.json_text import Trouble

LONGEST = 10_000
"""Characters of a text in the JSON; a longer one is folded."""
LONGEST_LINE, LONGEST_TEXT = 8000, 200_000
"""Characters of a line, and of a text, that may be edited where lines are wrapped."""

_BEGIN = "⟨kept text "
_STAND_IN = re.compile(r'(?<!\\)"⟨kept text (\d+): \d+ characters⟩"')
_LOST = re.compile("[\r\u2029\ufdd0\ufdd1\ud800-\udfff]")
"""What a text field of Qt turns into something else."""


class Folds:
    """The long texts of one request, by their stand-ins; none is ever forgotten, since undo may bring it back."""

    def __init__(self) -> None:
        self._stand_ins: dict[str, str] = {}

    def fold(self, value: Any) -> Any:
        """A value fit for an editor: stand-ins for what is too long."""
        if isinstance(value, str):
            return self._stand_in(value) if len(value) > LONGEST else value
        if isinstance(value, dict):
            return {key: self.fold(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.fold(one) for one in value]
        return value

    def unfold(self, value: Any) -> Any:
        """The value with the long texts where their stand-ins are."""
        if isinstance(value, str):
            return self._stand_ins.get(value, value) if value.startswith(_BEGIN) else value
        if isinstance(value, dict):
            return {key: self.unfold(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.unfold(one) for one in value]
        return value

    def check(self, text: str) -> None:
        """Raises Trouble where a stand-in in a JSON text was changed: it would be sent instead of the text."""
        at = text.find(_BEGIN)
        while at >= 0:
            found = _STAND_IN.match(text, max(0, at - 1))
            if found is None or found[0][1:-1] not in self._stand_ins:
                words = "this stands for a long text and was changed: undo that, or replace all of it"
                raise Trouble(words, text, at)
            at = text.find(_BEGIN, found.end())

    def _stand_in(self, text: str) -> str:
        known = next((key for key, one in self._stand_ins.items() if one is text or one == text), None)
        if known is None:
            known = f"{_BEGIN}{len(self._stand_ins) + 1}: {len(text)} characters⟩"
            self._stand_ins[known] = text
        return known


def why_kept(text: str) -> str:
    """Why a text cannot be edited in a field that wraps, in words; empty where it can."""
    if len(text) > LONGEST_TEXT or max(map(len, text.split("\n"))) > LONGEST_LINE:
        return f"{number(len(text))} characters, too long to be edited here"
    if found := _LOST.search(text):
        return f"holds U+{ord(found[0]):04X}, which a field cannot keep: edit it in the JSON"
    return ""


def is_long(text: str) -> bool:
    """Whether a JSON text has a line that would hold up an editor."""
    return max(map(len, text.split("\n"))) > 2 * LONGEST
