"""The parts an analysis is put together from: framings, dialects and finding rules, found by their registries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from inspector_app.core.diagnosis import Rule
from inspector_app.core.registry import discover


@dataclass(frozen=True)
class Kit:
    """`framings` by framing name (a module may speak for several), `dialects` and `rules` by name."""

    framings: Mapping[str, ModuleType]
    dialects: Mapping[str, ModuleType]
    rules: Mapping[str, Rule]

    @cached_property
    def markers(self) -> tuple[bytes, ...]:
        """Data that ends a stream without being a payload, of all dialects; the first of each is its plain form."""
        found = [marker for module in self.dialects.values() for marker in getattr(module, "MARKERS", ())]
        return tuple(dict.fromkeys(found))

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
    dialects = {module.NAME: module for module in discover(f"{package}.dialects")}
    rules: dict[str, Rule] = {}
    for module in [*discover(f"{package}.findings"), *dialects.values()]:
        for rule in getattr(module, "RULES", ()):
            if rules.setdefault(rule.name, rule) is not rule:
                raise ValueError(f"{module.__name__}: a rule named {rule.name!r} exists already")
    return Kit(framings, dialects, rules)
