"""Output items of the Responses API: what their start, their end and the last event say of them (section 9.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.errors import is_filled, type_of
from inspector_app.core.types import Delta

CALLS = {
    "function_call": ("function", "arguments"),
    "custom_tool_call": ("custom", "input"),
    "mcp_call": ("mcp", "arguments"),
    "mcp_approval_request": ("mcp", "arguments"),
    "web_search_call": ("builtin", "action"),
    "file_search_call": ("builtin", "queries"),
    "code_interpreter_call": ("builtin", "code"),
    "image_generation_call": ("builtin", "prompt"),
    "computer_call": ("builtin", "action"),
    "local_shell_call": ("builtin", "action"),
    "shell_call": ("builtin", ""),
    "apply_patch_call": ("builtin", ""),
    "tool_search_call": ("builtin", "arguments"),
    "program": ("builtin", "code"),
}
"""Item types that are calls: their kind, and the key of what they are called with."""

STREAMED = frozenset(
    {"function_call", "custom_tool_call", "mcp_call", "code_interpreter_call", "shell_call", "apply_patch_call"}
)
"""Calls whose input comes in deltas; the others bring it in their end by design."""

RESULTS = {"mcp_call": "output", "file_search_call": "results", "code_interpreter_call": "outputs"}
"""Where a call that ran on the server has its result."""

STATES = frozenset({"compaction", "mcp_list_tools", "mcp_approval_response", "additional_tools"})
"""Item types that are neither said nor called: they tell what the server has or did."""


def key_of(payload: dict[str, Any]) -> Any:
    """What an item is known by: its output_index, else its id (R43); None where the wire says neither."""
    index = payload.get("output_index")
    if type(index) is int:
        return index
    item = payload.get("item")
    name = payload.get("item_id") or (item.get("id") if type(item) is dict else None)
    return name if isinstance(name, str) and name else None


def _extra(item: dict[str, Any], key: Any, family: str) -> dict[str, Any]:
    return {"key": None if key is None else (key, family), "item": key, "item_id": item.get("id")}


def item_added(out: list[Delta], item: Any, base: str, payload: dict[str, Any]) -> None:
    """The start of an item."""
    if type(item) is not dict:
        out.append(Delta("unknown", 0, base, item if base else payload))
        return
    key = key_of(payload)
    kind = type_of(item)
    if kind == "message":
        role = item.get("role")
        if isinstance(role, str) and role:
            out.append(Delta("role", 0, base + "/role", role))
    elif kind == "reasoning":
        extra = _extra(item, key, "reasoning")
        out.append(Delta("reasoning.start", 0, base, None, extra))
        if is_filled(item.get("encrypted_content")):
            out.append(Delta("reasoning.encrypted", 0, base + "/encrypted_content", item["encrypted_content"], extra))
    elif kind in CALLS:
        _call_start(out, item, kind, base, key)
    elif kind.endswith("_output"):
        extra = _extra(item, key, "result") | {"id": item.get("call_id"), "name": kind}
        out.append(Delta("tool.result", 0, base, item, extra))
    elif kind in STATES:
        extra = _extra(item, key, "state") | {"block": "other", "starts": True, "resumes": True, "name": kind}
        out.append(Delta("state", 0, base, item, extra))
    else:
        out.append(Delta("unknown", 0, base, item, _extra(item, key, "unknown") | {"starts": True, "resumes": True}))
    if not out:
        out.append(Delta("noop", 0, base, item))


def _labels(item: dict[str, Any], kind: str) -> dict[str, Any]:
    """Id, name and kind of a call; results must use `call_id`, where there is one."""
    found: dict[str, Any] = {"kind": CALLS[kind][0], "type": kind, "name": item.get("name") or kind}
    name = item["call_id"] if item.get("call_id") else item.get("id")
    return found | ({"id": name} if name is not None else {})


def _input_key(item: dict[str, Any], kind: str) -> str:
    """The key of what a call is called with; some servers use that of functions, and pictures have theirs revised."""
    names = ("arguments", CALLS[kind][1], "revised_prompt")
    return next((name for name in names if isinstance(item.get(name), str) and item[name]), CALLS[kind][1])


def _call_start(out: list[Delta], item: dict[str, Any], kind: str, base: str, key: Any) -> None:
    extra = _extra(item, key, "call") | _labels(item, kind)
    place = base + "/name" if item.get("name") else base + "/type"
    out.append(Delta("tool.start", 0, place, extra["name"], extra))
    name = _input_key(item, kind)
    if name and is_filled(item.get(name)):
        held = _extra(item, key, "call") | {"kind": CALLS[kind][0], "mode": "start"}
        out.append(Delta("tool.args", 0, f"{base}/{name}", item[name], held))


def item_done(out: list[Delta], item: Any, base: str, key: Any, more: dict[str, Any]) -> None:
    """The end of an item, with all that it holds. `more` goes into each statement."""
    kind = type_of(item)
    if type(item) is not dict:
        out.append(Delta("unknown", 0, base, item))
    elif kind == "message":
        content = item.get("content")
        for at, part in enumerate(content if type(content) is list else ()):
            own = {"key": None if key is None else (key, at), "nth": at}
            extra = {"item": key, "item_id": item.get("id")} | own | more
            part_ends(out, part, f"{base}/content/{at}", extra)
    elif kind == "reasoning":
        _reasoning_end(out, item, base, _extra(item, key, "reasoning") | more)
    elif kind in CALLS:
        _call_end(out, item, kind, base, key, more)
    elif kind.endswith("_output"):
        extra = _extra(item, key, "result") | {"id": item.get("call_id"), "name": kind, "complete": True} | more
        where = base + "/output" if "output" in item else base
        out.append(Delta("tool.result", 0, where, item.get("output", item), extra | {"resumes": True}))
    else:
        said = "state" if kind in STATES else "unknown"
        extra = _extra(item, key, said) | more
        block = {"block": "other", "starts": True, "resumes": True, "name": kind}
        out.append(Delta(said, 0, base, item, extra | block))
    if not out:
        out.append(Delta("noop", 0, base, item))


def part_ends(out: list[Delta], part: Any, base: str, extra: dict[str, Any]) -> None:
    """The end of a part of a message: text or refusal with their value, and citations."""
    kind = type_of(part)
    extra = {key: value for key, value in extra.items() if key != "run"}
    if type(part) is dict and kind in ("output_text", "text", "refusal"):
        name = "refusal" if kind == "refusal" else "text"
        out.append(
            Delta("text.end", 0, f"{base}/{name}" if name in part else base, part.get(name), extra | {"block": name})
        )
        citations = part.get("annotations")
        for at, citation in enumerate(citations if type(citations) is list else ()):
            if is_filled(citation):
                out.append(Delta("citation", 0, f"{base}/annotations/{at}", citation, extra))
        if part.get("logprobs"):
            out.append(Delta("logprobs", 0, base + "/logprobs", part["logprobs"]))
    elif is_filled(part):
        out.append(Delta("unknown", 0, base, part))


def _reasoning_end(out: list[Delta], item: dict[str, Any], base: str, extra: dict[str, Any]) -> None:
    for name, form in (("summary", "summary"), ("content", "raw")):
        parts = item.get(name)
        texts = [part.get("text") if type(part) is dict else None for part in parts] if type(parts) is list else []
        if form == "raw" and len(texts) > 1:
            # Plain parts are one thought; only together they are what the deltas said.
            joined = "".join(text for text in texts if isinstance(text, str))
            out.append(Delta("reasoning.end", 0, f"{base}/{name}", joined, extra | {"form": form, "keeps_open": True}))
            continue
        for at, text in enumerate(texts):
            if isinstance(text, str) and text:
                own = {"form": form, "keeps_open": True} | ({"part": at} if form == "summary" else {})
                out.append(Delta("reasoning.end", 0, f"{base}/{name}/{at}/text", text, extra | own))
    if is_filled(item.get("encrypted_content")):
        out.append(Delta("reasoning.encrypted", 0, base + "/encrypted_content", item["encrypted_content"], extra))
    out.append(Delta("reasoning.end", 0, base, None, extra))


def _call_end(out: list[Delta], item: dict[str, Any], kind: str, base: str, key: Any, more: dict[str, Any]) -> None:
    extra = _extra(item, key, "call") | _labels(item, kind) | more
    if kind not in STREAMED:
        extra["alone"] = True
    special = _ENDS.get(kind)
    if special is not None:
        special(out, item, base, extra)
    else:
        name = _input_key(item, kind)
        value = item.get(name) if name else None
        where = f"{base}/{name}" if name in item else base
        out.append(Delta("tool.end", 0, where, value if is_filled(value) or value == "" else None, extra))
    result = RESULTS.get(kind, "")
    for name in (result, "error"):
        if name and is_filled(item.get(name)):
            about = _extra(item, key, "result") | {"id": extra.get("id"), "name": kind, "complete": True} | more
            out.append(Delta("tool.result", 0, f"{base}/{name}", item[name], about))
    if kind == "image_generation_call" and is_filled(item.get("result")):
        image = _extra(item, key, "media") | {"media": "image", "starts": True, "resumes": True} | more
        out.append(Delta("media.delta", 0, base + "/result", item["result"], image | {"mode": "replace"}))


def _shell_end(out: list[Delta], item: dict[str, Any], base: str, extra: dict[str, Any]) -> None:
    action = item.get("action")
    commands = action.get("commands") if type(action) is dict else None
    for at, command in enumerate(commands if type(commands) is list else ()):
        own = extra | {"part": at, "keeps_open": True}
        out.append(Delta("tool.end", 0, f"{base}/action/commands/{at}", command, own))
    out.append(Delta("tool.end", 0, base, None, extra))


def _patch_end(out: list[Delta], item: dict[str, Any], base: str, extra: dict[str, Any]) -> None:
    operation = item.get("operation")
    if type(operation) is dict and isinstance(operation.get("diff"), str):
        out.append(Delta("tool.end", 0, base + "/operation/diff", operation["diff"], extra))
    else:
        out.append(
            Delta("tool.end", 0, base + "/operation" if is_filled(operation) else base, operation or None, extra)
        )


_ENDS: dict[str, Callable[[list[Delta], dict[str, Any], str, dict[str, Any]], None]] = {
    "shell_call": _shell_end,
    "apply_patch_call": _patch_end,
}
"""Calls whose input is not the value of one key."""


def items_whole(out: list[Delta], response: dict[str, Any], base: str) -> None:
    """The items of a whole response: they count where the stream brought none (R32)."""
    items = response.get("output")
    for at, item in enumerate(items if type(items) is list else ()):
        inner: list[Delta] = []
        item_done(inner, item, f"{base}/output/{at}", at, {"whole": True, "item_id": None})
        out += [one if one.extra else one._replace(extra={"whole": True}) for one in inner]
