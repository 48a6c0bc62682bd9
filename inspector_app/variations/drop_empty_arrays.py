"""Empty lists such as `tool_calls: []`, which some clients take for the end of a block."""

from __future__ import annotations

import re

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR
from inspector_app.variations._drop import FIELDS, without
from inspector_app.variations._payloads import BY_LINES

NAME = "drop-empty-arrays"
TITLE = "Leave out fields that are an empty list"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES
ARGUMENT = FIELDS

_SIGN = re.compile(rb"\[\s*\]")


def apply(reading: Reading, argument: str = "") -> Exchange:
    # At the root stands the list of choices itself: it is empty beside the usage, and every client looks for it.
    return without(NAME, reading, _SIGN, argument, lambda node: "." not in node.path)
