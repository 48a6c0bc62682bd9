"""The parts an analysis is put together from: framings, dialects and finding rules, found by their registries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType

from inspector_app.core.diagnosis import Rule
from inspector_app.core.registry import discover
from inspector_app.core.wrapped import names_of


@dataclass(frozen=True)
class Kit:
    """`framings` by framing name (a module may speak for several), `dialects` and `rules` by name.

    `envelopes`, by name too, are what payloads of dialects may come in (core/wrapped.py).
    """

    framings: Mapping[str, ModuleType]
    dialects: Mapping[str, ModuleType]
    rules: Mapping[str, Rule]
    envelopes: Mapping[str, ModuleType] = field(default_factory=dict)

    @cached_property
    def markers(self) -> tuple[bytes, ...]:
        """Data that ends a stream without being a payload, of all dialects; the first of each is its plain form."""
        found = [marker for module in self.dialects.values() for marker in getattr(module, "MARKERS", ())]
        return tuple(dict.fromkeys(found))

    @cached_property
    def names(self) -> dict[str, ModuleType]:
        """The dialects by every name that a stream may have; one that comes in an envelope has a further name."""
        return names_of(self.envelopes, self.dialects)

    @cached_property
    def titles(self) -> dict[str, str]:
        """What each of these names stands for, in words."""
        found = {name: module.TITLE for name, module in self.names.items()}
        for envelope in self.envelopes.values():
            own = [name for name in found if name.startswith(envelope.NAME + "/") and name not in self.dialects]
            found |= {name: f"{envelope.TITLE}: {found[name]}" for name in own}
        return dict(sorted(found.items()))

    def envelopes_in(self, framing: str) -> tuple[ModuleType, ...]:
        """The envelopes that come in a framing."""
        return tuple(envelope for envelope in self.envelopes.values() if framing in envelope.FRAMINGS)

    @cached_property
    def beginnings(self) -> dict[str, Callable[[bytes], bool]]:
        """By framing, where its lines look like no others: whether the first line of a body is one of them."""
        found = {name: getattr(module, "begins", None) for name, module in self.framings.items()}
        return {name: begins for name, begins in found.items() if begins is not None}


def load_kit(package: str = "inspector_app") -> Kit:
    """Everything the program has. Raises ValueError when a name is given twice."""
    framings: dict[str, ModuleType] = {}
    for module in discover(f"{package}.framing"):
        for name in getattr(module, "NAMES", None) or (module.NAME,):
            framings[name] = module
    spoken = {module.NAME: module for module in discover(f"{package}.dialects")}
    envelopes = {name: module for name, module in spoken.items() if hasattr(module, "INNER")}
    dialects = {name: module for name, module in spoken.items() if name not in envelopes}
    rules: dict[str, Rule] = {}
    for module in [*discover(f"{package}.findings"), *dialects.values()]:
        for rule in getattr(module, "RULES", ()):
            if rules.setdefault(rule.name, rule) is not rule:
                raise ValueError(f"{module.__name__}: a rule named {rule.name!r} exists already")
    return Kit(framings, dialects, rules, envelopes)
