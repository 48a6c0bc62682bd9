"""What a client lets in: filters over the deltas of one event, built once from the rules that differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

Pairs = list[tuple[int, Delta]]
"""Deltas with their numbers."""

Admit = Callable[[Any, int, Pairs], Pairs]


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


def _position(delta: Delta) -> str | None:
    parts = delta.pointer.split("/", 3)
    return parts[2] if len(parts) > 2 and parts[1] == "choices" else None


def _first_position(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [(i, d._replace(choice=0)) for i, d in pairs if _position(d) in (None, "0")]


def _choice_zero(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [pair for pair in pairs if pair[1].choice == 0]


def _one_choice(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [(i, d._replace(choice=0)) for i, d in pairs]


def _bare(pairs: Pairs) -> set[str | None]:
    """Positions of the choices that have no delta."""
    return {_position(d) for _, d in pairs if d.kind == "absent" and (d.extra or {}).get("field") == "delta"}


def _skip_bare(_: Any, n: int, pairs: Pairs) -> Pairs:
    bare = _bare(pairs)
    return [pair for pair in pairs if _position(pair[1]) not in bare] if bare else pairs


def _fail_bare(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    if _bare(pairs):
        assembler.fail(n, "a choice has no delta", stop=True)
        return []
    return pairs


def _fail_bare_finish(assembler: Any, n: int, pairs: Pairs) -> Pairs:
    bare = _bare(pairs)
    if bare and any(d.kind == "finish" and _position(d) in bare for _, d in pairs):
        return _fail_bare(assembler, n, pairs)
    return pairs


def _message_too(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [
        (i, d._replace(kind="text.delta")) if d.kind == "noop" and (d.extra or {}).get("field") == "message" else (i, d)
        for i, d in pairs
    ]


def _listed(delta: Delta) -> bool:
    return (delta.extra or {}).get("field") == "content_parts" or "/content/" in delta.pointer


def _strings_only(_: Any, n: int, pairs: Pairs) -> Pairs:
    return [pair for pair in pairs if not _listed(pair[1])]


def _js_text(_: Any, n: int, pairs: Pairs) -> Pairs:
    out: Pairs = []
    parts: dict[str, dict[str, str]] = {}
    for _, delta in pairs:
        if _listed(delta):
            before, _, place = delta.pointer.partition("/content/")
            plain = "/" not in place and isinstance(delta.value, str)
            parts.setdefault(before, {})[place.partition("/")[0]] = delta.value if plain else "[object Object]"
    for number, delta in pairs:
        if not _listed(delta):
            out.append((number, delta))
        elif delta.kind != "absent" and (texts := parts.pop(delta.pointer.partition("/content/")[0], None)):
            text = ",".join(texts.values())
            out.append((number, delta._replace(kind="text.delta", value=text, extra={"field": "content"})))
    return out


_OWN_ERRORS = ("/base_resp", "/x_groq", "/choices")
"""Where vendors put errors of their own; who looks for an error key at the root does not see them."""


def _error_first(_: Any, n: int, pairs: Pairs) -> Pairs:
    """An error part or an exception: the rest of the event is lost."""
    pairs = [pair for pair in pairs if pair[1].kind != "error" or not pair[1].pointer.startswith(_OWN_ERRORS)]
    errors = [pair for pair in pairs if pair[1].kind == "error"]
    return errors[:1] if errors else pairs


def _error_unless_choices(_: Any, n: int, pairs: Pairs) -> Pairs:
    if any(_position(d) is not None or (d.extra or {}).get("choices") for _, d in pairs):
        return [pair for pair in pairs if pair[1].kind != "error"]
    return pairs


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
    ("delta_missing", "skip", _skip_bare),
    ("delta_missing", "error", _fail_bare),
    ("delta_missing", "error-if-finish", _fail_bare_finish),
    ("choice", "by-position-0", _first_position),
    ("choice", "index-0-only", _choice_zero),
    ("choice", "merged", _one_choice),
    ("message", "appended", _message_too),
    ("content_types", "string", _strings_only),
    ("content_types", "js-text", _js_text),
    ("index_not_integer", "part", _integers_only),
    ("index_not_integer", "throw", _integers_only),
)
