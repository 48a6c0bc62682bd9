"""Places in a JSON value: to look, to put and to take out. A value is never changed; what changes is a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Path = tuple[str | int, ...]


class _Nothing:
    def __bool__(self) -> bool:
        return False


NOTHING = _Nothing()
"""What `look` gives where there is nothing; `None` is the null of JSON."""


def look(value: Any, path: Path) -> Any:
    """What stands at a place, NOTHING where there is no such place."""
    for step in path:
        if isinstance(step, int):
            if not isinstance(value, list) or not 0 <= step < len(value):
                return NOTHING
            value = value[step]
        elif isinstance(value, Mapping) and step in value:
            value = value[step]
        else:
            return NOTHING
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """The value with `new` at a place; what is not there is made, what does not fit the place gives way."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        items = list(value) if isinstance(value, list) else []
        if step == len(items):
            items.append({})
        items[step] = put(items[step], rest, new)
        return items
    members = dict(value) if isinstance(value, Mapping) else {}
    members[step] = put(members.get(step, {}), rest, new)
    return members


def without(value: Any, path: Path) -> Any:
    """The value without what stands at a place; tables that are empty then go too."""
    if look(value, path) is NOTHING or not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return [*value[:step], *([without(value[step], rest)] if rest else []), *value[step + 1 :]]
    below = without(value[step], rest) if rest else NOTHING
    if below is NOTHING or (below == {} and value[step] != {}):
        return {key: one for key, one in value.items() if key != step}
    return {key: below if key == step else one for key, one in value.items()}


def leaves(value: Any, before: Path = ()) -> list[tuple[Path, Any]]:
    """Every place of a table that holds no table with members, and what it holds."""
    if not isinstance(value, Mapping) or not value:
        return [(before, value)]
    return [leaf for key, one in value.items() for leaf in leaves(one, (*before, key))]
