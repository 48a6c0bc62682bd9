"""Finds the modules of a room, so that a new dialect, format or family of rules is one new file."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def discover(package_name: str) -> list[ModuleType]:
    """The modules of a package in the order of their names; helpers (`_name.py`) are left out.

    Raises ValueError when two of them have the same NAME: which one counts would be chance.
    """
    package = importlib.import_module(package_name)
    names = sorted(found.name for found in pkgutil.iter_modules(package.__path__) if not found.name.startswith("_"))
    modules = [importlib.import_module(f"{package_name}.{name}") for name in names]
    owners: dict[str, ModuleType] = {}
    for module in modules:
        name = getattr(module, "NAME", None)
        if name is not None and (other := owners.setdefault(name, module)) is not module:
            raise ValueError(f"{other.__name__} and {module.__name__} have the same NAME {name!r}")
    return modules
