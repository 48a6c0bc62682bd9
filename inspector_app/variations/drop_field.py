"""One field, wherever it stands: would it work if the gateway stopped sending it?"""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Argument
from inspector_app.variations._json import is_at, removed
from inspector_app.variations._paths import field_of
from inspector_app.variations._payloads import BY_LINES, edited

NAME = "drop-field"
TITLE = "Leave out a field"
SORT = REPAIR
KEEPS_MEANING = False
FRAMINGS = BY_LINES
ARGUMENT = Argument("FIELD", "the field's name, or the end of its path, as delta.reasoning", "role")


def apply(reading: Reading, argument: str = "") -> Exchange:
    field = field_of(NAME, argument, "delta.reasoning")
    return edited(
        reading,
        lambda payload: [
            payload.edit(start, end, b"")
            for root in payload.roots
            for start, end in removed(root, lambda node: is_at(node, field))
        ],
    )
