"""Lines of one character, a colon and a JSON value: the data stream of AI SDK 3 and 4 (dialects.md section 16).

The character says what the value is, so it is the name of the event; the dialect knows the names. Lines end at LF, CR
LF is tolerated. A line of any other form is an event without a name, whose data is all of it.
"""

from __future__ import annotations

import re

from inspector_app.core.frame import Frame
from inspector_app.core.json_text import is_prefix, loads
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.framing.ndjson import Ndjson

NAME = "coded-lines"
TITLE = "lines of a code and a JSON value (AI SDK data stream)"
_LINE = re.compile(rb"([0-9a-z]):")
_FIRST = re.compile(rb'(?:[03g]:(?=")|[28]:(?=\[)|[1679a-fh-l]:(?=\{)|[45]:(?=[\[{]))')
"""How a body may begin: a code, and the first character of a value of its type."""


def begins(line: bytes) -> bool:
    """Whether a line, the first of a body, is one of such a stream; the end of the data may have cut it."""
    found = _FIRST.match(line)
    if found is None:
        return False
    text = line[found.end() :]
    try:
        loads(text.decode())
    except ValueError:
        return is_prefix(text)
    return True


class CodedLines(Ndjson):
    """Each line that is not blank is an event; a blank line belongs to the event before."""

    def _frame(self, payload: bytes, flags: int, start: int) -> Frame:
        found = _LINE.match(payload)
        code = None if found is None else found[1].decode()
        skip = 0 if found is None else found.end()
        events = self.events
        if code is not None:
            events.names[len(events.flags) - 1] = code
        events.data_starts.append(start + skip)
        events.data_ends.append(start + len(payload))
        return Frame(flags, code, payload[skip:])


def create(rules: ReadingRules, lines: Lines, events: Events, name: str = NAME) -> CodedLines:
    """A reader for one body."""
    return CodedLines(lines, events)
