"""A value for another one, as a finish reason that a client does not know for one that it knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from inspector_app.core.json_tokens import ARRAY, OBJECT
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Argument, ArgumentFault, Edit
from inspector_app.variations._json import is_at
from inspector_app.variations._paths import field_of
from inspector_app.variations._payloads import BY_LINES, Payload, edited

NAME = "map-value"
TITLE = "Send another value of a field"
SORT = REPAIR
KEEPS_MEANING = False
FRAMINGS = BY_LINES
ARGUMENT = Argument(
    "FIELD=OLD:NEW",
    "the field's name or the end of its path, the value that it has and the one to send; null, true and numbers are "
    "written as they are, a text without quotes",
    "finish_reason=end_turn:stop",
)


def apply(reading: Reading, argument: str = "") -> Exchange:
    field, sign, values = (part.strip() for part in argument.partition("="))
    old, colon, new = values.partition(":")
    if not (field and sign and colon):
        raise ArgumentFault(f"{NAME} needs {ARGUMENT.form}, as {ARGUMENT.example}; this is {argument!r}")
    field = field_of(NAME, field, ARGUMENT.example)
    before, after = _value(old), json.dumps(_value(new), ensure_ascii=False).encode("utf-8", "surrogatepass")

    def edits(payload: Payload) -> Iterator[Edit]:
        for node in (node for root in payload.roots for node in root.walk()):
            literal = payload.data[node.start : node.end]
            if node.kind in (OBJECT, ARRAY) or literal == after or not is_at(node, field):
                continue
            held = json.loads(literal.decode("utf-8", "replace"))
            # True is 1 for Python, and for no client.
            if type(held) is type(before) and held == before:
                yield payload.edit(node.start, node.end, after)

    return edited(reading, edits)


def _value(text: str) -> Any:
    """What a user means: JSON where it is a word, a number or a quoted text, else the text itself."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, dict | list) else value
