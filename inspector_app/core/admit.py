"""What a client lets in: filters over the deltas of one event, built once from the rules that differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from inspector_app.core.rule_keys import REASONING_STRINGS
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

Pairs = list[tuple[int, Delta]]
"""Deltas with their numbers."""

Admit = Callable[[Any, int, Pairs], Pairs]


class Places(NamedTuple):
    """Where the payloads of a dialect hold what these filters go by; a dialect gives them as its `PLACES`."""

    choices: str = ""
    """The pointer of the list of choices; empty where answers have no such list."""
    parts: str = ""
    """The key of a text that may be a list of parts; empty where no text may."""
    errors: tuple[str, ...] = ()
    """Pointers of errors that are not under the usual key at the root: who looks there does not see them."""


NO_PLACES = Places()


def admission(rules: ReadingRules) -> Admit | None:
    """The filter for these rules, None when every delta is let in as it is."""
    steps = [step for key, value, step in _STEPS if getattr(rules, key) == value]
    if not steps:
        return None

    def admit(assembler: Any, n: int, pairs: Pairs) -> Pairs:
        for step in steps:
            pairs = step(assembler, n, pairs)
        return pairs

    return admit


def _position(places: Places, delta: Delta) -> str | None:
    """The place of a delta's choice in the list of choices, None for one that belongs to no choice."""
    before, found, after = delta.pointer.partition(places.choices + "/")
    return after.partition("/")[0] if places.choices and found and not before else None


def _first_position(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    return [(i, d._replace(choice=0)) for i, d in pairs if _position(assembler.places, d) in (None, "0")]


def _choice_zero(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [pair for pair in pairs if pair[1].choice == 0]


def _one_choice(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [(i, d._replace(choice=0)) for i, d in pairs]


def _bare(places: Places, pairs: Pairs) -> set[str | None]:
    """Positions of the choices that have no delta."""
    return {_position(places, d) for _, d in pairs if d.kind == "absent" and (d.extra or {}).get("field") == "delta"}


def _skip_bare(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    bare = _bare(assembler.places, pairs)
    return [pair for pair in pairs if _position(assembler.places, pair[1]) not in bare] if bare else pairs


def _fail_bare(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    if _bare(assembler.places, pairs):
        assembler.fail(n, "a choice has no delta", stop=True)
        return []
    return pairs


def _fail_bare_finish(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    bare = _bare(assembler.places, pairs)
    if bare and any(d.kind == "finish" and _position(assembler.places, d) in bare for _, d in pairs):
        return _fail_bare(assembler, n, pairs)
    return pairs


def _message_too(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [
        (i, d._replace(kind="text.delta")) if d.kind == "noop" and (d.extra or {}).get("field") == "message" else (i, d)
        for i, d in pairs
    ]


def _listed(places: Places, delta: Delta) -> bool:
    """Whether a delta is of a text that is a list of parts."""
    listed = bool(places.parts) and f"/{places.parts}/" in delta.pointer
    return listed or (delta.extra or {}).get("field") == "content_parts"


def _strings_only(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    return [pair for pair in pairs if not _listed(assembler.places, pair[1])]


def _reasoning_strings(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [pair for pair in pairs if not _is_inside(pair[1])]


def _is_inside(delta: Delta) -> bool:
    """Whether reasoning stands in an object or a list where a string should be."""
    field = (delta.extra or {}).get("field")
    if delta.kind != "reasoning.delta" or field not in REASONING_STRINGS:
        return False
    return not delta.pointer.endswith(f"/{field}") or delta.pointer.endswith(f"/{field}/{field}")


def _js_text(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    places = assembler.places
    list_of = f"/{places.parts}/"
    out: Pairs = []
    parts: dict[str, dict[str, str]] = {}
    for _, delta in pairs:
        if _listed(places, delta):
            before, _, place = delta.pointer.partition(list_of)
            plain = "/" not in place and isinstance(delta.value, str)
            parts.setdefault(before, {})[place.partition("/")[0]] = delta.value if plain else "[object Object]"
    for number, delta in pairs:
        if not _listed(places, delta):
            out.append((number, delta))
        elif delta.kind != "absent" and (texts := parts.pop(delta.pointer.partition(list_of)[0], None)):
            text = ",".join(texts.values())
            out.append((number, delta._replace(kind="text.delta", value=text, extra={"field": "content"})))
    return out


def _error_first(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    """An error part or an exception: the rest of the event is lost."""
    own = assembler.places.errors
    pairs = [pair for pair in pairs if pair[1].kind != "error" or not pair[1].pointer.startswith(own)]
    errors = [pair for pair in pairs if pair[1].kind == "error"]
    return errors[:1] if errors else pairs


def _error_unless_choices(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    if any(_position(assembler.places, d) is not None or (d.extra or {}).get("choices") for _, d in pairs):
        return [pair for pair in pairs if pair[1].kind != "error"]
    return pairs


def _part_unless_choices(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    return _error_first(assembler, n, _error_unless_choices(assembler, n, pairs))


def _integers_only(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    """One index that is no integer spoils the event."""
    for _, delta in pairs:
        index = (delta.extra or {}).get("index")
        if delta.kind in ("tool.start", "tool.args") and index is not None and type(index) is not int:
            words = f"the index of a tool call is no integer: {index!r}"
            assembler.fail(n, words, stop=assembler.rules.index_not_integer == "throw")
            return []
    return pairs


_STEPS: tuple[tuple[str, str, Admit], ...] = (
    ("error_key", "part", _error_first),
    ("error_key", "throw", _error_first),
    ("error_key", "ignored-if-choices", _error_unless_choices),
    ("error_key", "part-unless-choices", _part_unless_choices),
    ("delta_missing", "skip", _skip_bare),
    ("delta_missing", "error", _fail_bare),
    ("delta_missing", "error-if-finish", _fail_bare_finish),
    ("choice", "by-position-0", _first_position),
    ("choice", "index-0-only", _choice_zero),
    ("choice", "merged", _one_choice),
    ("message", "appended", _message_too),
    ("content_types", "string", _strings_only),
    ("content_types", "js-text", _js_text),
    ("reasoning_types", "string", _reasoning_strings),
    ("index_not_integer", "part", _integers_only),
    ("index_not_integer", "throw", _integers_only),
)
