"""Empty texts such as `content: ""` beside reasoning, or `name: ""` behind the first piece of a call."""

from __future__ import annotations

import re

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR
from inspector_app.variations._drop import FIELDS, without
from inspector_app.variations._payloads import BY_LINES

NAME = "drop-empty-strings"
TITLE = "Leave out fields that are an empty text"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES
ARGUMENT = FIELDS

_SIGN = re.compile(rb'""')


def apply(reading: Reading, argument: str = "") -> Exchange:
    # At the root stands what some dialects are known by, as `response` in Ollama's.
    return without(NAME, reading, _SIGN, argument, lambda node: "." not in node.path)
