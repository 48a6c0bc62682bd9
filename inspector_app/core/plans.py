"""The plans that are kept: servers send few shapes of payloads, and the last ones are the likeliest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import orjson

from inspector_app.core.frame import Frame
from inspector_app.core.payload import Payload
from inspector_app.core.plan import Plan, Steps, make_plan
from inspector_app.core.types import Delta

KEPT = 8


class Plans:
    """`plan` is the one for payloads like the last one, None where that has none."""

    def __init__(self) -> None:
        self.plan: Plan | None = None
        self._kept: list[Plan] = []

    def others(self, data: bytes, name: str | None, count: int) -> Iterator[tuple[Plan, str]]:
        """Other plans that fit a payload, each with its text."""
        try:
            payload = orjson.loads(data)
        except orjson.JSONDecodeError:
            return
        for plan in self._kept:
            if plan is not self.plan and plan.name == name and plan.may_be(payload):
                value = plan.read(data, count)
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
        counter: str | None,
    ) -> None:
        """Take the plan for payloads like this one. `free`: places that may differ, None where no plan may be made."""
        self.plan = None
        value = payload.values[0] if len(payload.values) == 1 else None
        if frame.flags or payload.fault is not None or payload.deltas or type(value) is not dict or free is None:
            return
        self.plan = plan = make_plan(deltas, value, layout)
        if plan is not None:
            plan.name = frame.name
            if counter is not None and type(value.get(counter)) is int:
                plan.counter = counter
            plan.expect(value, free)
            self._kept = [plan, *self._kept][:KEPT]
