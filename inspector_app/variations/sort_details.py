"""Entries of `reasoning_details` that stand in another order than their indexes say."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.json_tokens import ARRAY
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Edit
from inspector_app.variations._json import index_of
from inspector_app.variations._payloads import BY_LINES, Payload, edited

NAME = "sort-details"
TITLE = "Put the entries of each reasoning_details into the order of their index"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES


def apply(reading: Reading) -> Exchange:
    return edited(reading, _edits)


def _edits(payload: Payload) -> Iterator[Edit]:
    if b'"reasoning_details"' not in payload.data:
        return
    for node in (node for root in payload.roots for node in root.walk()):
        if node.name != "reasoning_details" or node.kind != ARRAY:
            continue
        indexes = [index_of(payload.data, entry) for entry in node.children]
        if any(index is None for index in indexes):
            continue
        order = sorted(range(len(indexes)), key=lambda place: (indexes[place], place))
        for place, taken in enumerate(order):
            if place != taken:
                here, there = node.children[place], node.children[taken]
                yield payload.edit(here.start, here.end, payload.data[there.start : there.end])
