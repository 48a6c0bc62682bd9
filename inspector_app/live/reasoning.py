"""How much a model is told to think, as a level of its provider and as members of a body: each from the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from inspector_app.live.providers import Provider
from inspector_app.live.request import merged

Leaf = tuple[tuple[str, ...], Any]


def with_level(provider: Provider, body: Mapping[str, Any], level: str) -> dict[str, Any]:
    """A copy of a body at a level of reasoning; an empty level leaves it to the provider.

    Whatever another level had put in goes, all else stays. Raises KeyError for a level that the provider has not.
    """
    levels = provider.knows.reasoning.levels
    bare: dict[str, Any] = deepcopy(dict(body))
    for one in levels.values():
        for path, _ in _leaves(one):
            _take_out(bare, path)
    return merged(bare, levels[level]) if level else bare


def level_of(provider: Provider, body: Mapping[str, Any]) -> str:
    """The level of reasoning that a body asks for; empty when it is none of the provider's."""
    fitting = [
        (len(leaves), level)
        for level, one in provider.knows.reasoning.levels.items()
        if (leaves := list(_leaves(one))) and all(_at(body, path) == value for path, value in leaves)
    ]
    # `on` is a part of `high`, where a provider has both: the one that says most is meant.
    most = max((count for count, _ in fitting), default=0)
    return next((level for count, level in fitting if count == most), "")


def _leaves(table: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[Leaf]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _at(body: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        if not isinstance(body, Mapping) or step not in body:
            return _at  # Equal to nothing that a body can hold.
        body = body[step]
    return body


def _take_out(body: dict[str, Any], path: tuple[str, ...]) -> None:
    step, *rest = path
    if step not in body:
        return
    if not rest:
        del body[step]
    elif isinstance(body[step], dict):
        _take_out(body[step], tuple(rest))
        if not body[step]:
            del body[step]
