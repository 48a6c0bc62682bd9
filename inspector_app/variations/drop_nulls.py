"""Fields that are null, which some clients take for a value."""

from __future__ import annotations

import re

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR
from inspector_app.variations._drop import FIELDS, without
from inspector_app.variations._payloads import BY_LINES

NAME = "drop-nulls"
TITLE = "Leave out fields that are null"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES
ARGUMENT = FIELDS

_SIGN = re.compile(rb"null")


def apply(reading: Reading, argument: str = "") -> Exchange:
    return without(NAME, reading, _SIGN, argument)
