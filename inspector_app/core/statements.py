"""What the payload of an event says: which dialect speaks for it, and its deltas (dialects.md section 3)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from types import ModuleType
from typing import Any

import orjson

from inspector_app.core.errors import body_error, error_delta
from inspector_app.core.flags import PLAIN_TEXT
from inspector_app.core.frame import Frame
from inspector_app.core.identity import answer_id
from inspector_app.core.payload import Payload
from inspector_app.core.types import Delta

_SILENT = frozenset({"noop", "absent", "role", "keepalive"})
"""Kinds of delta with which a dialect has spoken up, but said nothing yet."""


class Statements:
    """Decodes events. Each payload votes; the dialect that spoke last is active for what fits none.

    `home` is the dialect the stream began in, and `switched` tells where another one took over from it: the event and
    the name, None after an event that did not switch. `turned`: whether the active dialect is another than before.
    """

    def __init__(self, dialects: Mapping[str, ModuleType], forced: str | None) -> None:
        self._dialects = dialects
        self._forced = dialects[forced] if forced is not None else None
        self.active: ModuleType | None = self._forced
        self.home: ModuleType | None = self._forced
        self.turned = False
        self._turns: list[tuple[tuple[int, int], ModuleType]] = []
        """Where the active dialect became another one: the event, the value in it, and the dialect."""
        self._said = False
        self._text_events = frozenset[str]().union(*map(_text_events, dialects.values()))
        self.votes: Counter[str] = Counter()
        self._quiet: Counter[str] = Counter()
        """Votes of payloads that say nothing; they count where no other payload has a say."""
        self._strengths: dict[str, int] = {}
        self._voted: set[tuple[str, int]] = set()
        self.switched: tuple[int, str] | None = None

    def marked(self, frame: Frame) -> Frame:
        """The frame, with the flag of plain text where its dialect sends such under the name of the event.

        Before any dialect has spoken, the name alone may be anyone's: then an object is taken for JSON.
        """
        names = self._text_events if self.active is None else _text_events(self.active)
        if frame.data is None or frame.name not in names or (self.active is None and _is_object(frame.data)):
            return frame
        return frame._replace(flags=frame.flags | PLAIN_TEXT)

    def decode(self, payload: Payload, framing: str) -> list[Delta]:
        """The deltas of an event that is read for the first time."""
        self.switched, self.turned = None, False
        self._strengths = {}
        out: list[Delta] = []
        for number, value in enumerate(payload.values):
            strength, module = self._speaker(value, payload.name, self.active)
            if module is not None and (strength or self._forced):
                self._strengths[module.NAME] = self._strengths.get(module.NAME, 0) + max(strength, 1)
                if module is not self.active:
                    self._turn((payload.event, number), module)
            deltas = self._deltas(module, value, payload.name, framing)
            self._said = self._said or any(delta.kind not in _SILENT for delta in deltas)
            out += deltas
        return out + payload.deltas

    def vote(self, layout: int, deltas: Sequence[Delta]) -> None:
        """The event that was decoded last votes. All events of one layout vote once: most are read by plan."""
        votes = self.votes if any(delta.kind not in _SILENT for delta in deltas) else self._quiet
        for name, strength in self._strengths.items():
            if (name, layout) not in self._voted:
                self._voted.add((name, layout))
                votes[name] += strength

    @property
    def strange(self) -> bool:
        """Whether the active dialect is not the one the stream began in, and took over before this event."""
        return self.active is not self.home and not self.turned

    def _turn(self, place: tuple[int, int], module: ModuleType) -> None:
        """Another dialect speaks. One that came before all others and said nothing was the stranger itself."""
        self.turned = self.active is not None
        self.active = module
        if self.home is None:
            self.home = module
        elif module is not self.home and self._said:
            self.switched = place[0], module.NAME
        elif module is not self.home:
            self.switched = self._turns[0][0][0], self.home.NAME
            self.home = module
        self._turns.append((place, module))

    def owns(self, marker: bytes) -> bool:
        """Whether an end marker is one of the dialects that have spoken; before any has, it may be anyone's."""
        spoken = {module.NAME: module for _, module in self._turns}.values() or filter(None, [self._forced])
        found = [marker in getattr(module, "MARKERS", ()) for module in spoken]
        return any(found) or not found

    def again(self, payload: Payload, framing: str) -> list[Delta]:
        """The same deltas once more, without a vote; what came before any dialect spoke belongs to none."""
        out: list[Delta] = []
        for number, value in enumerate(payload.values):
            turn = bisect_left(self._turns, (payload.event, number), key=itemgetter(0))
            active = self._turns[turn - 1][1] if turn else None
            out += self._deltas(self._speaker(value, payload.name, active)[1], value, payload.name, framing)
        return out + payload.deltas

    def answer_id(self, value: Any) -> str | None:
        """What a payload calls the answer it belongs to, None where it does not say."""
        return answer_id(value, self.active)

    def name(self) -> str | None:
        """The dialect most payloads voted for, None before any did."""
        votes = self.votes or self._quiet
        return max(votes, key=lambda name: votes[name]) if votes else None

    def _speaker(self, value: Any, name: str | None, active: ModuleType | None) -> tuple[int, ModuleType | None]:
        """The dialect of one payload and how sure that is; the active one where the payload fits none."""
        if self._forced is not None:
            return 0, self._forced
        best = active
        strength = best.evidence(value, name) if best is not None else 0
        if strength < 2:
            # What is weak evidence for another dialect takes no event from the one that has spoken.
            least = strength if active is None else 1
            for module in self._dialects.values():
                found = module.evidence(value, name)
                if found > max(strength, least):
                    best, strength = module, found
        return strength, best

    def _deltas(self, module: ModuleType | None, value: Any, name: str | None, framing: str) -> list[Delta]:
        if module is not None:
            deltas: list[Delta] = module.decode(value, name)
            return deltas
        found = body_error(value)
        if found is not None:
            around = value if isinstance(value, dict) else None
            return [error_delta(found[0], found[1], "body" if framing == "json" else "event", around=around)]
        return [Delta("unknown", 0, "", value)]


def _text_events(module: ModuleType) -> frozenset[str]:
    names: frozenset[str] = getattr(module, "TEXT_EVENTS", frozenset())
    return names


def _is_object(data: bytes) -> bool:
    try:
        return isinstance(orjson.loads(data), dict)
    except orjson.JSONDecodeError:
        return False
