"""Drops members of payloads by what they hold."""

from __future__ import annotations

import re
from collections.abc import Callable

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import Argument
from inspector_app.variations._json import Node, is_at, removed
from inspector_app.variations._paths import field_of
from inspector_app.variations._payloads import edited

FIELDS = Argument(
    "FIELD,…", "only these fields, by name or path; all of them where it is empty", "content", "all fields"
)


def without(
    variation: str,
    reading: Reading,
    sign: re.Pattern[bytes],
    fields: str,
    spared: Callable[[Node], bool] = lambda node: False,
) -> Exchange:
    """The exchange without the members whose whole text is `sign`; `spared` ones stay unless they are named."""
    names = [field_of(variation, name, FIELDS.example) for name in fields.split(",") if name.strip()]

    def leaves(data: bytes, node: Node) -> bool:
        if node.name is None or sign.fullmatch(data, node.start, node.end) is None:
            return False
        return any(is_at(node, name) for name in names) if names else not spared(node)

    return edited(
        reading,
        lambda payload: [
            payload.edit(start, end, b"")
            for root in (payload.roots if sign.search(payload.data) else ())
            for start, end in removed(root, lambda node: leaves(payload.data, node))
        ],
    )
