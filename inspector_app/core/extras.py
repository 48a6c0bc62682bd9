"""What stands beside the text: signatures, opaque reasoning, media, citations, results of server tools."""

from __future__ import annotations

from inspector_app.core.runs import STRUCTURED, Choice, Runs
from inspector_app.core.think import release, start_anew
from inspector_app.core.types import Block, Delta


def _signature(runs: Runs, n: int, number: int, delta: Delta) -> None:
    """Opaque values belong to the latest reasoning block, or to their call; they never reopen a block (R9)."""
    extra = delta.extra or {}
    choice = runs.choice(delta.choice)
    copilot = extra.get("mode") == "append"
    if ("opaque" if copilot else "signature") not in runs.rules.extras:
        return
    if extra.get("of") == "part" and choice.last is not None and choice.last.kind in ("text", "media"):
        block = choice.last
    elif "position" in extra:
        block = choice.calls.at_position(extra["position"]) or _holder(runs, choice, n)
    else:
        block = _holder(runs, choice, n)
    key = "opaque" if copilot else "signature"
    held = block.fields.get(key)
    if held is not None and copilot:
        block.fields[key] = held + delta.value
    elif held is not None and held != delta.value and not copilot:
        block.fields.setdefault("signatures", [held]).append(delta.value)
        block.fields[key] = delta.value
    else:
        block.fields[key] = delta.value
    runs.delta_blocks[number] = block.n
    block.last_event = max(block.last_event, n)
    if choice.run is block and extra.get("field") in STRUCTURED:
        choice.signed = True


def _holder(runs: Runs, choice: Choice, n: int) -> Block:
    block = choice.reasoning
    if block is None or block.n in runs.dropped:
        block = choice.reasoning = runs.block("reasoning", choice.number, n)
        block.fields["form"] = "raw"
        block.state = "complete"
        block.closed_by, block.closed_at = "explicit", n
        start_anew(runs, choice, n)
    return block


def _opaque(runs: Runs, n: int, number: int, delta: Delta) -> None:
    key = delta.kind.partition(".")[2]
    choice = runs.choice(delta.choice)
    if "opaque" not in runs.rules.extras:
        return
    if key == "redacted":
        runs.close(choice, "reasoning", n)
        choice.reasoning = None
    block = _holder(runs, choice, n)
    held = block.fields.get(key)
    before = held if isinstance(held, list) else [held]
    block.fields[key] = delta.value if held is None else [*before, delta.value]
    runs.delta_blocks[number] = block.n
    block.last_event = max(block.last_event, n)


def _media(runs: Runs, n: int, number: int, delta: Delta) -> None:
    choice = runs.choice(delta.choice)
    extra = delta.extra or {}
    runs.late(choice, n, "media")
    release(runs, choice, n)
    last = choice.last
    same = last is not None and last.kind == "media" and extra.get("media") == "audio" == last.fields.get("media")
    if same and last is not None:
        block = last
    else:
        runs.close(choice, "media", n)
        block = runs.block("media", choice.number, n)
        block.fields["media"] = extra.get("media")
        block.state, block.closed_by, block.closed_at = "complete", "explicit", n
        choice.last = block
    transcript = delta.value.get("transcript") if isinstance(delta.value, dict) else None
    block.fragments.append(transcript if isinstance(transcript, str) else "")
    runs.feed(block, n, number)


def _citation(runs: Runs, n: int, number: int, delta: Delta) -> None:
    choice = runs.choice(delta.choice)
    if "citations" not in runs.rules.extras:
        return
    held = choice.citations if choice.text is None else choice.text.fields.setdefault("citations", [])
    if delta.value not in held:
        held.append(delta.value)
    if choice.text is not None:
        runs.delta_blocks[number] = choice.text.n


def _tool_result(runs: Runs, n: int, number: int, delta: Delta) -> None:
    choice = runs.choice(delta.choice)
    start_anew(runs, choice, n)
    runs.close(choice, "tool_call", n)
    block = runs.block("tool_result", choice.number, n)
    block.fields["result"] = delta.value
    block.state, block.closed_by, block.closed_at = "complete", "explicit", n
    block.fragments.append("")
    runs.feed(block, n, number)


HANDLERS = {
    "reasoning.signature": _signature,
    "reasoning.encrypted": _opaque,
    "reasoning.redacted": _opaque,
    "media.delta": _media,
    "citation": _citation,
    "tool.result": _tool_result,
}
"""What each kind of delta does to the blocks: (runs, event, delta number, delta)."""
