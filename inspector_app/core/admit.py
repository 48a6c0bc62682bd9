"""What a client lets in: filters over the deltas of one event, built once from the rules that differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

Pairs = list[tuple[int, Delta]]
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
    listed = [pair for pair in pairs if _listed(pair[1])]
    for pair in pairs:
        if listed and pair is listed[0]:
            parts = {d.pointer.partition("/content/")[2].partition("/")[0] for _, d in listed}
            text = ",".join(["[object Object]"] * len(parts))
            out.append((pair[0], pair[1]._replace(kind="text.delta", value=text, extra={"field": "content"})))
        elif not _listed(pair[1]):
            out.append(pair)
    return out


def _error_first(_: Any, n: int, pairs: Pairs) -> Pairs:
    """An error part or an exception: the rest of the event is lost."""
    errors = [pair for pair in pairs if pair[1].kind == "error"]
    return errors[:1] if errors else pairs


def _error_unless_choices(_: Any, n: int, pairs: Pairs) -> Pairs:
    if any(_position(d) is not None for _, d in pairs):
        return [pair for pair in pairs if pair[1].kind != "error"]
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
)
