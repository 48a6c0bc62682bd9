"""A field under another name, as `reasoning` for a client that reads `reasoning_content`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Argument, Edit
from inspector_app.variations._json import Node, is_at
from inspector_app.variations._paths import renaming
from inspector_app.variations._payloads import BY_LINES, Payload, edited
from inspector_app.variations._reasoning import string_fields, taken

NAME = "rename-field"
TITLE = "Give a field another name"
SORT = REPAIR
KEEPS_MEANING = False
FRAMINGS = BY_LINES
ARGUMENT = Argument(
    "FROM=TO",
    "the field's name or the end of its path, and its new name, alone or with the same parents; an object that has one "
    "of that name already is left",
    "reasoning=reasoning_content",
)


def suggest(reading: Reading, rules: ReadingRules) -> str:
    """The field that holds the reasoning as a string, under the name that this reader wants."""
    sent, wanted = string_fields(reading), taken(rules)
    return f"{sent[0]}={wanted[0]}" if sent and wanted and not set(sent) & set(wanted) else ""


def apply(reading: Reading, argument: str = "") -> Exchange:
    before, after = renaming(NAME, argument, ARGUMENT.form, ARGUMENT.example)
    name = json.dumps(after, ensure_ascii=False).encode("utf-8", "surrogatepass")

    def edits(payload: Payload) -> Iterator[Edit]:
        for node in (node for root in payload.roots for node in root.walk()):
            yield from (payload.edit(child.name_start, child.name_end, name) for child in _renamed(node, before, after))

    return edited(reading, edits)


def _renamed(node: Node, before: str, after: str) -> list[Node]:
    if node.member(after) is not None:
        return []
    return [child for child in node.children if is_at(child, before)]
