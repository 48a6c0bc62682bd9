"""Plans: how every chunk of one shape reads, once one of them has been read the long way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import itemgetter
from types import ModuleType
from typing import Any

from inspector_app.core.assembler import KINDS
from inspector_app.core.json_text import strings
from inspector_app.core.types import Delta

STATIC = frozenset({"absent", "noop", "unknown", "padding", "role", "logprobs", "filter", "stream.meta", "progress"})
"""Kinds that may stand beside the one text of a plan: the assembler heeds at most their emptiness."""


@dataclass(slots=True)
class Plan:
    """Chunks of one shape say one text of `kind`, found at key `field` of the shape's holder.

    `layout` and `rows` are those of the deltas, the text is the one at `offset`; `name` is the wire field of
    reasoning. `quotes` is the number of quotes of such a chunk when no key stands twice. `meta` picks the values
    of `meta_keys` that must not change. `empties` are its empty keys, which some readers act on.
    """

    kind: str
    layout: int
    rows: int
    offset: int
    field: str
    name: str
    quotes: int
    meta: Callable[[Any], Any] | None
    meta_keys: tuple[str, ...]
    empties: tuple[Delta, ...]

    def watch(self, keys: Iterable[str]) -> None:
        """Compare these metadata keys from now on."""
        self.meta_keys = tuple(keys)
        self.meta = itemgetter(*self.meta_keys) if self.meta_keys else None


def make_plan(
    module: ModuleType | None, value: Any, deltas: list[Delta], layout: int, meta_keys: Iterable[str]
) -> tuple[Any, Plan] | None:
    """The key of a payload's shape and its plan; None where chunks of this shape may read differently."""
    shaped = module.shape(value) if module is not None and hasattr(module, "shape") else None
    if shaped is None or module is None:
        return None
    key, holder = shaped
    shown = [delta for delta in deltas if delta.kind != "absent"]
    texts = [delta for delta in shown if delta.kind in KINDS]
    if len(texts) != 1 or not module.static(value):
        return None
    text = texts[0]
    field = text.pointer.rpartition("/")[2]
    if holder.get(field) is not text.value or any(d.kind not in STATIC and d is not text for d in deltas):
        return None
    plan = Plan(
        text.kind,
        layout,
        len(shown),
        shown.index(text),
        field,
        (text.extra or {}).get("field", ""),
        2 * strings(value),
        None,
        (),
        tuple(delta for delta in deltas if delta.kind in ("absent", "noop")),
    )
    plan.watch(name for name in module.META if name in value and name in meta_keys)
    return key, plan
