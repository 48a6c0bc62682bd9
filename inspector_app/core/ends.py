"""What ends an answer or counts it: finish reasons, usage, errors."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from inspector_app.core.keyed import close_open, end_step
from inspector_app.core.runs import Runs
from inspector_app.core.think import release
from inspector_app.core.types import Block, Delta

OWN_TOOLS = frozenset({"function", "custom"})
"""Kinds of calls that the client has to run; the others run on the server."""


def _finish(runs: Runs, n: int, number: int, delta: Delta) -> None:
    choice = runs.choice(delta.choice)
    extra = delta.extra or {}
    if extra.get("of_step") and _goes_on(runs, delta.choice):
        return
    reason = extra.get("reason")
    if "with_calls" in extra and any(block.choice == delta.choice for block in to_run(runs.blocks[runs.settled :])):
        reason = extra["with_calls"]
    entry = {"choice": delta.choice, "raw": delta.value, "reason": reason, "event": n}
    entry["pointer"] = delta.pointer
    runs.finishes.append(entry)
    release(runs, choice, n)
    runs.close(choice, "finish", n)
    choice.calls.finish(n)
    if choice.finished is None:
        choice.finished = n


def _goes_on(runs: Runs, choice: int) -> bool:
    """Whether all calls so far are the server's, so that a reason that speaks of calls ends a step and no answer."""
    calls = [block for block in runs.blocks[runs.settled :] if block.kind == "tool_call" and block.choice == choice]
    return bool(calls) and not to_run(calls)


def to_run(blocks: Iterable[Block]) -> list[Block]:
    """The calls that the client has to run: no server does, and the stream brings no result of them."""
    held = list(blocks)
    answered = {block.fields.get("id") for block in held if block.kind == "tool_result"} - {None}
    calls = [block for block in held if block.kind == "tool_call" and block.fields.get("tool_kind") in OWN_TOOLS]
    return [block for block in calls if block.fields.get("id") not in answered]


def _step_end(runs: Runs, n: int, number: int, delta: Delta) -> None:
    end_step(runs, n, (delta.extra or {}).get("closes", ()))


def _usage(runs: Runs, n: int, number: int, delta: Delta) -> None:
    """Snapshots: the last value that is not null wins field by field, zeros never replace a count (R35)."""
    mode = runs.rules.usage
    extra = delta.extra or {}
    if mode == "none" or (mode == "sum" and extra.get("where") != "root"):
        # Who adds up counts no report twice, and the root is where all look.
        return
    held = runs.usage or dict.fromkeys(delta.value)
    for key, value in delta.value.items():
        if value is None:
            continue
        old = held.get(key)
        if mode == "sum":
            held[key] = (old or 0) + value
        elif mode == "max":
            held[key] = max(old or 0, value)
        elif value or not old:
            held[key] = value
    raw: dict[str, Any] = held.get("raw") or {}
    said = extra.get("raw") or {}
    held["raw"] = raw | {key: value for key, value in said.items() if value or (value is not None and not raw.get(key))}
    runs.usage = held


def _error(runs: Runs, n: int, number: int, delta: Delta) -> None:
    value = delta.value
    mode = runs.rules.error_key
    if mode == "ignored":
        return
    message = value.get("message")
    part = mode.startswith("part")
    if part or mode == "throw":
        text = message if isinstance(message, str) else "error in the stream"
        runs.fail(n, text, stop=mode == "throw")
    in_choice = (delta.extra or {}).get("where") == "in_choice"
    for choice in runs.choices.values():
        # A client that makes a part of it goes on where it was.
        if not part and (not in_choice or choice.number == delta.choice):
            release(runs, choice, n)
            runs.close(choice, "error", n)
            close_open(runs, choice, "error", n)
    said = {key: value.get(key) for key in ("type", "code", "message")}
    runs.errors.append({"event": n} | said)
    block = runs.block("error", delta.choice, n)
    block.state, block.closed_by, block.closed_at = "complete", "explicit", n
    block.fields |= said
    block.fragments.append(message if isinstance(message, str) else "")
    runs.feed(block, n, number)


def is_over(runs: Runs, module: ModuleType | None, marker: str | None) -> bool:
    """Whether what was said has its end: a reason for each choice. Where a dialect has no reasons, an answer is over
    when the data is, or with one of `ENDS_WITHOUT_FINISH` if the dialect names any.
    """
    choices = runs.choices.values()
    if module is not None and not hasattr(module, "FINISH"):
        ends = getattr(module, "ENDS_WITHOUT_FINISH", None)
        return ends is None or marker in ends
    return bool(choices) and all(choice.finished is not None for choice in choices)


HANDLERS = {"finish": _finish, "usage": _usage, "error": _error, "step.end": _step_end}
"""What each kind of delta does: (runs, event, delta number, delta)."""
