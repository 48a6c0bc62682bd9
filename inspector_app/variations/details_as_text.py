"""The text of `reasoning_details`, a list of objects, in a field that clients read as a string."""

from __future__ import annotations

import json
from collections.abc import Iterator

from inspector_app.core.json_tokens import ARRAY, OBJECT, STRING
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Argument, Edit
from inspector_app.variations._json import Node, index_of, removed
from inspector_app.variations._paths import field_of
from inspector_app.variations._payloads import BY_LINES, Payload, edited
from inspector_app.variations._reasoning import DETAILS, has_details, taken

NAME = "details-as-text"
TITLE = "Send the text of reasoning_details as a string"
SORT = REPAIR
KEEPS_MEANING = False
"""The entries' own borders go, and a reader may end a block at one."""
FRAMINGS = BY_LINES
ARGUMENT = Argument(
    "FIELD",
    "the field that gets the text; the list stays beside it where an entry holds more than text",
    "reasoning_content",
    "reasoning_content",
)

_MORE = ("signature", "data")
_NOTHING = (b"null", b'""')


def suggest(reading: Reading, rules: ReadingRules) -> str:
    """The field in which this reader looks for the reasoning."""
    wanted = taken(rules)
    return wanted[0] if wanted and DETAILS not in rules.reasoning_fields and has_details(reading) else ""


def apply(reading: Reading, argument: str = "") -> Exchange:
    name = field_of(NAME, argument or ARGUMENT.example, ARGUMENT.example).rpartition(".")[2]
    return edited(reading, lambda payload: _edits(payload, name))


def _edits(payload: Payload, name: str) -> Iterator[Edit]:
    data = payload.data
    if b'"reasoning_details"' not in data:
        return
    for node in (node for root in payload.roots for node in root.walk()):
        details = node.member(DETAILS)
        if details is None or details.kind != ARRAY:
            continue
        held, texts = node.member(name), [_text(data, entry) for entry in _ordered(data, details)]
        if not any(texts) or (held is not None and data[held.start : held.end] not in _NOTHING):
            continue
        literal = b'"' + b"".join(texts) + b'"'
        member = json.dumps(name, ensure_ascii=False).encode() + b":" + literal
        stays = not all(texts) or any(_holds_more(data, entry) for entry in details.children)
        if held is not None:
            yield payload.edit(held.start, held.end, literal)
            cut = () if stays else removed(node, lambda child, gone=details: child is gone)  # type: ignore[misc]
            yield from (payload.edit(start, end, b"") for start, end in cut)
        elif stays:
            yield payload.edit(details.name_start, details.name_start, member + b",")
        else:
            yield payload.edit(details.name_start, details.end, member)


def _ordered(data: bytes, details: Node) -> list[Node]:
    """The entries by their index where each has one, as the reference reads them."""
    indexes = [index_of(data, entry) for entry in details.children]
    known = [index for index in indexes if index is not None]
    if len(known) < len(indexes):
        return details.children
    return [details.children[place] for place in sorted(range(len(known)), key=lambda place: known[place])]


def _text(data: bytes, entry: Node) -> bytes:
    """What an entry says, as it stands in its string, so that no escape is written anew."""
    if entry.kind == STRING:
        return data[entry.start + 1 : entry.end - 1]
    if entry.kind != OBJECT:
        return b""
    held = (entry.member(key) for key in ("text", "summary"))
    return b"".join(data[one.start + 1 : one.end - 1] for one in held if one is not None and one.kind == STRING)


def _holds_more(data: bytes, entry: Node) -> bool:
    held = (entry.member(key) for key in _MORE)
    return any(one is not None and data[one.start : one.end] not in _NOTHING for one in held)
