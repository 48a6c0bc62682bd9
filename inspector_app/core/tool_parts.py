"""The fragments of tool calls in one event, and what they do to the run beside them."""

from __future__ import annotations

from inspector_app.core.admit import Pairs
from inspector_app.core.calls import ABSENT, Fragment
from inspector_app.core.runs import Runs
from inspector_app.core.think import start_anew


def take_tools(runs: Runs, n: int, pairs: Pairs) -> None:
    """Give the elements of `tool_calls` to their calls: start and arguments of one element are one fragment."""
    elements: dict[tuple[int, str], Pairs] = {}
    for pair in pairs:
        extra = pair[1].extra or {}
        element = extra.get("element", pair[1].pointer.rpartition("/")[0])
        elements.setdefault((pair[1].choice, element), []).append(pair)
    for (index, pointer), parts in elements.items():
        _element(runs, n, index, pointer, parts)
    if runs.rules.reasoning_end != "non-empty":
        _end_reasoning(runs, n, pairs)


def _element(runs: Runs, n: int, index: int, pointer: str, parts: Pairs) -> None:
    choice = runs.choice(index)
    start = next((number for number, delta in parts if delta.kind == "tool.start"), None)
    args = next((pair for pair in parts if pair[1].kind == "tool.args"), None)
    extra = parts[0][1].extra or {}
    legacy = extra.get("legacy", False)
    if start is None and args is not None and not legacy and choice.run is None:
        # The commonest fragment: more arguments for the call that had the last ones.
        same = choice.calls.same(n, extra.get("index"), args[1].value, args[0])
        if same is not None:
            runs.delta_blocks[args[0]] = same.n
            runs.late(choice, n, "arguments")
            return
    if legacy and runs.rules.legacy_call == "ignored":
        return
    arguments = ABSENT if args is None else args[1].value
    fragment = Fragment(
        n,
        pointer,
        extra.get("position", 0),
        extra.get("count", 1),
        extra.get("id", ABSENT),
        extra.get("index", ABSENT),
        extra.get("name", ABSENT),
        arguments,
        extra.get("type", ABSENT),
        start,
        None if args is None else args[0],
        extra.get("kind", "function"),
    )
    if any(value not in (ABSENT, None, "") for value in (fragment.id, fragment.name, arguments)):
        # Held text stands before the call; an element that says nothing stands before nothing.
        start_anew(runs, choice, n)
    block = choice.calls.legacy(fragment) if legacy else choice.calls.fragment(fragment)
    if block is None:
        return
    for number, _ in parts:
        if runs.delta_blocks[number] < 0:
            runs.delta_blocks[number] = block.n
    runs.late(choice, n, "arguments")
    start_anew(runs, choice, n)
    runs.close(choice, "tool_call", n)
    choice.last = block


def _end_reasoning(runs: Runs, n: int, pairs: Pairs) -> None:
    """For readers that look at the key alone, an element that resolves to no call ends the reasoning too (R5)."""
    for _, delta in pairs:
        choice = runs.choice(delta.choice)
        legacy = bool(delta.extra and delta.extra.get("legacy"))
        if choice.run is not None and choice.run.kind == "reasoning":
            if not legacy:
                runs.close(choice, "tool_call", n, "tool_calls: [{…}]")
            elif runs.rules.reasoning_end == "key-presence":
                runs.close(choice, "tool_call", n, "function_call: {…}")
