"""What an answer says of itself: id, model, creation time, and who seems to have sent it (R34)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from inspector_app.core.counts import Steps
from inspector_app.core.diagnosis import Diagnosis
from inspector_app.core.reading import Reading
from inspector_app.core.types import Delta


def keys_of(payload: dict[str, Any], module: ModuleType) -> Iterable[str]:
    """Every key that rules ask for by name: those of the root, and further ones where the dialect says `keys`."""
    own: Callable[[dict[str, Any]], Iterable[str]] | None = getattr(module, "keys", None)
    return payload if own is None else own(payload)


def answer_id(payload: Any, module: ModuleType | None) -> str | None:
    """What a payload calls its answer: what `answer_id` of the dialect says, else the `id` of its table META."""
    own = getattr(module, "answer_id", None)
    if own is not None:
        found = own(payload)
    else:
        path = getattr(module, "META", {}).get("id", ()) if module is not None else ("id",)
        found = _at(payload, path) if path else None
    return found if isinstance(found, str) and found else None


class Identity:
    """Fills `meta` and `provider` of a reading. Where a dialect has what, says its table META."""

    def __init__(self, reading: Reading, diagnosis: Diagnosis) -> None:
        self.reading = reading
        self.diagnosis = diagnosis
        self._held: dict[str, Any] = {}
        self._drifted: set[str] = set()
        self._asked: set[frozenset[str]] = set()

    def take(self, n: int, payload: dict[str, Any], module: ModuleType | None) -> None:
        """The first value of each that is not empty wins for display; a change is reported once."""
        places: dict[str, tuple[str, ...]] = getattr(module, "META", {})
        for key, path in places.items():
            value = payload.get(path[0]) if len(path) == 1 else _at(payload, path)
            if not value or key in self._drifted or type(value) in (dict, list):
                continue
            self.reading.meta.setdefault(key, value)
            held = self._held.setdefault(key, value)
            if value != held:
                self.diagnosis.note("meta-id-drift", n, "/" + "/".join(path), None, f"{key} {held} became {value}")
                self._drifted.add(key)
        if self.reading.provider is None and module is not None:
            keys = frozenset(keys_of(payload, module))
            if keys not in self._asked:
                self._asked.add(keys)
                self.reading.provider = module.provider(payload)

    def start_anew(self) -> None:
        """Another answer begins, with a name of its own."""
        self._held = {}

    def is_unmarked(self, module: ModuleType | None) -> bool:
        """Whether there can be no end marker."""
        return self.reading.exchange.synthetic or not hasattr(module, "END_MARKER")

    def free(
        self, payload: dict[str, Any], module: ModuleType | None, deltas: Sequence[Delta]
    ) -> list[tuple[Steps, str]] | None:
        """Where values need not be compared: padding, metadata whose change has been reported, logprobs. None where
        ids change and the one of a payload like this may tell that another answer begins: each has to be looked at.
        """
        if module is None:
            return []
        telling = self.is_unmarked(module) or any(delta.kind == "role" for delta in deltas)
        if telling and "id" in self._drifted:
            return None
        padding: frozenset[str] = getattr(module, "PADDING", frozenset())
        found: list[tuple[Steps, str]] = [((), key) for key in payload if key in padding]
        places: dict[str, tuple[str, ...]] = getattr(module, "META", {})
        for key in self._drifted & places.keys():
            *steps, last = places[key]
            holder = _at(payload, steps)
            if type(holder) is dict and last in holder:
                found.append((tuple(steps), last))
        if hasattr(module, "unheeded"):
            found += module.unheeded(payload)
        return found


def _at(value: Any, path: Iterable[str]) -> Any:
    """What stands at the end of a way through objects, None where it leads nowhere."""
    for key in path:
        value = value.get(key) if type(value) is dict else None
    return value
