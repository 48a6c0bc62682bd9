"""xAI's gRPC chat, as logs of its chunks in JSON (section 7.8; the service's own chat.proto).

`outputs` are what Chat calls choices, but a turn with tools of the server has one per step: the thoughts and calls of
the model, the result of a tool, the answer. Which of both the index counts only the request says, so blocks go by
index, and all are of one choice. A log has the names of the proto file, or the same in camel case.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

NAME = "xai-grpc"
TITLE = "xAI chat over gRPC, as JSON"
META = {"id": ("id",), "model": ("model",)}
BY_DESIGN = frozenset({"choice-role-repeated", "usage-cumulative"})
"""Each chunk has the role, and the counts so far."""
COUNTED_APART = ("reasoning_tokens",)

FINISH = {
    "reason_stop": "stop",
    "reason_tool_calls": "tool_calls",
    "reason_max_len": "length",
    "reason_max_context": "length",
    "reason_time_limit": "length",
}
"""Finish reasons of the proto file."""

_Payload = dict[str, Any]
_FACTS = ("system_fingerprint", "debug_output", "output_files", "service_tier", "settings")
_ROOT = frozenset({"id", "outputs", "created", "model", "usage", "citations", "error", *_FACTS})
_OUTPUT = frozenset({"delta", "message", "index", "finish_reason", "logprobs"})
_SAID = frozenset({"content", "reasoning_content", "role", "tool_calls", "encrypted_content", "citations"})
_CALL = frozenset({"id", "type", "status", "function", "index", "error_message"})
_COST = "cost_in_usd_ticks"
_COUNTS = {
    "input": "prompt_tokens",
    "output": "completion_tokens",
    "reasoning": "reasoning_tokens",
    "cache_read": "cached_prompt_text_tokens",
    "total": "total_tokens",
}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


_SNAKE = {_camel(name): name for name in {*_ROOT, *_OUTPUT, *_SAID, *_CALL, _COST, *_COUNTS.values()}}


def _named(holder: _Payload) -> dict[str, tuple[str, Any]]:
    """Name in the proto file -> name in the log, and value."""
    return {_SNAKE.get(key, key): (key, value) for key, value in holder.items()}


def _outputs(payload: Any) -> Iterator[tuple[str, _Payload, str, _Payload]]:
    """The outputs, and what each says: pointer and members of both."""
    found = payload.get("outputs") if type(payload) is dict else None
    for at, output in enumerate(found if type(found) is list else ()):
        for key in ("delta", "message") if type(output) is dict else ():
            if type(output.get(key)) is dict:
                yield f"/outputs/{at}", output, key, output[key]


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    return 2 if any(_outputs(payload)) else 0


def provider(payload: _Payload) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "xai"


def keys(payload: _Payload) -> Iterator[str]:
    """Every key of root, outputs and deltas, for rules that ask whether a key is there at all."""
    yield from payload
    for _, output, _, said in _outputs(payload):
        yield from output
        yield from said


def unheeded(payload: _Payload) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """When a chunk was made, and what all cost so far, changes nothing for its text."""
    if payload.get("created"):
        yield (), "created"
    usage = payload.get("usage")
    for key in usage if type(usage) is dict else ():
        if _SNAKE.get(key, key) == _COST:
            yield ("usage",), key


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one chunk. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    root = _named(payload)
    for base, output, key, said in _outputs(payload):
        index = output.get("index")
        step = index if type(index) is int else 0
        _said(out, said, f"{base}/{key}", step)
        members = _named(output)
        if is_filled(members.get("logprobs", ("", None))[1]):
            out.append(Delta("logprobs", 0, base + "/logprobs", output["logprobs"]))
        name_, reason = members.get("finish_reason", ("", None))
        if isinstance(reason, str) and reason not in ("", "REASON_INVALID"):
            extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
            if extra["reason"] == "tool_calls":
                extra["of_step"] = True
            out.append(Delta("finish", 0, f"{base}/{name_}", reason, extra))
        elif is_filled(reason) and reason != "REASON_INVALID":
            out.append(Delta("unknown", 0, f"{base}/{name_}", reason))
        _unknown(out, output, base, _OUTPUT)
    told = {base for base, _, _, _ in _outputs(payload)}
    found = payload.get("outputs")
    for at, output in enumerate(found if type(found) is list else ()):
        if f"/outputs/{at}" not in told and is_filled(output):
            out.append(Delta("unknown", 0, f"/outputs/{at}", output))
    if is_filled(found) and type(found) is not list:
        out.append(Delta("unknown", 0, "/outputs", found))
    for name_ in _FACTS:
        held, value = root.get(name_, ("", None))
        if is_filled(value):
            out.append(Delta("stream.meta", 0, f"/{held}", value))
    sources = payload.get("citations")
    for at, one in enumerate(sources if type(sources) is list else ()):
        if is_filled(one):
            out.append(Delta("citation", 0, f"/citations/{at}", one))
    if is_filled(sources) and type(sources) is not list:
        out.append(Delta("unknown", 0, "/citations", sources))
    _usage(out, payload.get("usage"), whole=any(delta.kind == "finish" for delta in out))
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    _unknown(out, payload, "", _ROOT)
    return out or [Delta("noop", 0, "", payload)]


def _unknown(out: list[Delta], holder: _Payload, base: str, known: frozenset[str]) -> None:
    for key, value in holder.items():
        if _SNAKE.get(key, key) not in known and is_filled(value):
            out.append(Delta("unknown", 0, f"{base}/{escape(key)}", value))


def _usage(out: list[Delta], raw: Any, *, whole: bool) -> None:
    """The counts so far, and what they cost; `whole` where the last chunk of a step has both."""
    if type(raw) is not dict:
        if is_filled(raw):
            out.append(Delta("unknown", 0, "/usage", raw))
        return
    said = {key: value for key, (_, value) in _named(raw).items()}
    names = {"cache_write": ""} | _COUNTS
    value = {key: said[name] if type(said.get(name)) is int else None for key, name in names.items()}
    cost = next((key for key in raw if _SNAKE.get(key, key) == _COST and is_filled(raw[key])), None)
    if cost is not None and not whole:
        out.append(Delta("stream.meta", 0, f"/usage/{cost}", raw[cost]))
        raw = {key: count for key, count in raw.items() if key != cost}
    if raw:
        out.append(Delta("usage", 0, "/usage", value, {"where": "root", "raw": raw}))


def _said(out: list[Delta], said: _Payload, base: str, step: int) -> None:
    """What one output says: the model speaks, or a tool of the server has answered."""
    members = _named(said)
    role = said.get("role")
    if is_filled(role):
        out.append(Delta("role" if isinstance(role, str) else "unknown", 0, base + "/role", role))
    answered = role in ("ROLE_TOOL", "ROLE_FUNCTION")
    texts = (("reasoning_content", "reasoning"), ("content", "tool" if answered else "text"))
    for name, kind in texts:
        key, value = members.get(name, ("", None))
        if kind == "tool" and is_filled(value):
            out.append(_result(said, value, f"{base}/{key}", step))
        elif isinstance(value, str) and value:
            form = {"form": "raw"} if kind == "reasoning" else {}
            out.append(Delta(f"{kind}.delta", 0, f"{base}/{key}", value, {"key": (kind, step)} | form))
        elif is_filled(value):
            out.append(Delta("unknown", 0, f"{base}/{key}", value))
        if name == "reasoning_content":
            _encrypted(out, said, members, base, step, answered)
    sources = said.get("citations")
    for at, one in enumerate(sources if type(sources) is list else ()):
        if is_filled(one):
            out.append(Delta("citation", 0, f"{base}/citations/{at}", one, {"key": ("text", step)}))
    if is_filled(sources) and type(sources) is not list:
        out.append(Delta("unknown", 0, base + "/citations", sources))
    held, calls = members.get("tool_calls", ("", None))
    for at, call in enumerate(calls if type(calls) is list else ()):
        _call(out, call, f"{base}/{held}/{at}", (step, at))
    if is_filled(calls) and type(calls) is not list:
        out.append(Delta("unknown", 0, f"{base}/{held}", calls))
    _unknown(out, said, base, _SAID)


def _encrypted(
    out: list[Delta], said: _Payload, members: dict[str, tuple[str, Any]], base: str, step: int, answered: bool
) -> None:
    """Thoughts that only the server can read, or the answer of a tool in such a form."""
    key, value = members.get("encrypted_content", ("", None))
    if not is_filled(value):
        return
    if answered:
        out.append(_result(said, value, f"{base}/{key}", step))
    else:
        out.append(Delta("reasoning.encrypted", 0, f"{base}/{key}", value, {"key": ("reasoning", step), "form": "raw"}))


def _result(said: _Payload, value: Any, place: str, step: int) -> Delta:
    _, calls = _named(said).get("tool_calls", ("", None))
    call: _Payload = calls[0] if type(calls) is list and len(calls) == 1 and type(calls[0]) is dict else {}
    inner: _Payload = call["function"] if type(call.get("function")) is dict else {}
    extra = {"key": ("result", step, call.get("id")), "id": call.get("id"), "name": inner.get("name"), "complete": True}
    return Delta("tool.result", 0, place, value, extra)


def _call(out: list[Delta], call: Any, place: str, at: tuple[int, int]) -> None:
    """A call: whole, or in pieces while its status says that it is in progress, and then whole once more."""
    if type(call) is not dict:
        out.append(Delta("unknown", 0, place, call))
        return
    inner: _Payload = call["function"] if type(call.get("function")) is dict else {}
    number, kind = call.get("id"), call.get("type")
    key: dict[str, Any] = {"key": ("call", number if isinstance(number, str) and number else at)}
    label = key | {"id": number, "name": inner.get("name"), "type": kind, "kind": _kind(kind)}
    name, arguments = place + "/function/name", place + "/function/arguments"
    if call.get("status") == "TOOL_CALL_STATUS_IN_PROGRESS":
        start = label | {"name": None, "resumes": True}
        out.append(Delta("tool.start", 0, name if "name" in inner else place, inner.get("name"), start))
        if is_filled(inner.get("name")):
            out.append(Delta("tool.name", 0, name, inner["name"], key | {"mode": "append"}))
        if is_filled(inner.get("arguments")):
            out.append(Delta("tool.args", 0, arguments, inner["arguments"], key))
    else:
        end = label | {"opens": True, "alone": True, "repeats": True}
        whole = "arguments" in inner
        out.append(Delta("tool.end", 0, arguments if whole else place, inner.get("arguments"), end))
    if is_filled(call.get("status")):
        out.append(Delta("progress", 0, place + "/status", call["status"]))
    said = next((key for key in call if _SNAKE.get(key, key) == "error_message" and is_filled(call[key])), None)
    if said is not None:
        out.append(error_delta(call[said], f"{place}/{escape(said)}", "event"))
    _unknown(out, call, place, _CALL)
    for key_, value in inner.items():
        if key_ not in ("name", "arguments") and is_filled(value):
            out.append(Delta("unknown", 0, f"{place}/function/{escape(key_)}", value))


def _kind(kind: Any) -> str:
    """Who runs a call of this type: what has no type is the client's, as in the proto file."""
    if kind == "TOOL_CALL_TYPE_MCP_TOOL":
        return "mcp"
    return "function" if kind in (None, "TOOL_CALL_TYPE_INVALID", "TOOL_CALL_TYPE_CLIENT_SIDE_TOOL") else "server"


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    path = ".".join(_SNAKE.get(part, part) for part in path.replace("[]", "").split("."))
    if path.startswith("usage"):
        return rules.usage != "none"
    if path.startswith("error"):
        return rules.error_key != "ignored"
    last = path.removeprefix("outputs.").partition(".")[2]
    if last.startswith("encrypted_content"):
        return "opaque" in rules.extras
    if last.startswith("citations") or path.startswith("citations"):
        return "citations" in rules.extras
    return path.startswith(("outputs.", "id", "model"))
