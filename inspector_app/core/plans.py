"""The plans that are kept: servers send few shapes of payloads, and the last ones are the likeliest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import orjson

from inspector_app.core.counts import Counts, Steps, find_counts
from inspector_app.core.flags import HARMLESS, PLAIN_TEXT
from inspector_app.core.frame import Frame
from inspector_app.core.payload import Payload
from inspector_app.core.plan import Plan, make_plan
from inspector_app.core.types import Delta

KEPT = 8
SEARCHES = 16
"""How often the counts of payloads of one layout are looked for; where they are not found by then, they never are."""


class Plans:
    """`plan` is the one for payloads like the last one, None where that has none."""

    def __init__(self, markers: tuple[bytes, ...] = ()) -> None:
        self.plan: Plan | None = None
        self._kept: list[Plan] = []
        self._markers = markers
        self._searched: Counter[int] = Counter()

    def rival(self, data: bytes, name: str | None, count: int) -> tuple[Plan, str] | None:
        """Another plan whose payloads look like this one, with its text; it is the one for what comes next."""
        for plan in self._kept:
            if plan.name == name and plan is not self.plan and plan.looks_like(data):
                value = plan.read(data, count)
                if value:
                    self.use(plan)
                    return plan, value
        return None

    def others(self, data: bytes, name: str | None, count: int) -> Iterator[tuple[Plan, str]]:
        """Plans that fit a payload which looks like those of none, each with its text."""
        payload: Any = None
        for plan in self._kept:
            if plan.name != name:
                continue
            if payload is None and not plan.whole:
                try:
                    payload = orjson.loads(data)
                except orjson.JSONDecodeError:
                    return
            value = plan.read(data, count) if plan.whole or plan.may_be(payload) else ""
            if value:
                yield plan, value

    def use(self, plan: Plan) -> None:
        """The next event is compared with this one first."""
        self.plan = plan
        self._kept.remove(plan)
        self._kept.insert(0, plan)

    def forget(self) -> None:
        """Another dialect speaks: what was learned says nothing of how its payloads are read."""
        self.plan = None
        self._kept = []

    def learn(
        self,
        frame: Frame,
        payload: Payload,
        deltas: Sequence[Delta],
        layout: int,
        free: Iterable[tuple[Steps, str]] | None,
        module: ModuleType | None,
    ) -> None:
        """Take the plan for payloads like this one; of what is no JSON nothing is learned. `free`: places that may
        differ, None where no plan may be made. `module` is the dialect that made the deltas.
        """
        if not payload.values:
            return
        self.plan = None
        value = payload.values[0] if len(payload.values) == 1 else None
        odd = frame.flags & ~(PLAIN_TEXT | HARMLESS) or payload.fault is not None or payload.deltas
        if odd or module is None or free is None or not isinstance(value, dict | str):
            return
        plan = make_plan(deltas, value, layout, self._counts(frame.name, value, deltas, layout, module))
        if plan is None:
            return
        plan.name = frame.name
        if isinstance(value, str):
            plan.whole, plan.markers = "text" if frame.flags & PLAIN_TEXT else "json", self._markers
        else:
            counter = getattr(module, "COUNTER", None)
            plan.counter = counter if type(value.get(counter)) is int else None
            plan.expect(value, free)
        self._kept.insert(0, plan)
        del self._kept[KEPT:]
        plan.settle(self._kept)
        self.plan = plan

    def _counts(
        self, name: str | None, value: Any, deltas: Sequence[Delta], layout: int, module: ModuleType
    ) -> Counts | None:
        if self._searched[layout] >= SEARCHES or not any(delta.kind == "usage" for delta in deltas):
            return None
        self._searched[layout] += 1
        return find_counts(value, deltas, partial(module.decode, name=name))
