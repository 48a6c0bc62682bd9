"""OpenAI Assistants runs: events named after what became of a thread, a run, a step or a message (dialects.md 6).

What a payload is, its `object` says; what happened to it, the name of the event. Pieces of messages and calls are keyed
by the id of their message or step and their index; when it is completed, all of it comes once more and is compared
(R44). The calls that a run waits for name no step: they are those of the stream, in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._usage import normalize_usage

NAME = "openai-assistants"
TITLE = "OpenAI Assistants runs"
END_MARKER = "[DONE]"
MARKERS = (b"[DONE]", b'"[DONE]"')
META = {"id": ("run_id",), "model": ("model",)}

FINISH = {
    "completed": "stop",
    "requires_action": "tool_calls",
    "incomplete": "length",
    "max_completion_tokens": "length",
    "max_prompt_tokens": "length",
    "content_filter": "content_filter",
    "failed": "error",
    "expired": "error",
    "cancelled": "cancelled",
}
"""Status of a run that goes on no more, and the reasons of an incomplete one."""

OBJECTS = ("thread", "thread.run", "thread.run.step", "thread.run.step.delta", "thread.message", "thread.message.delta")
_ENDED = (".completed", ".incomplete", ".failed", ".cancelled", ".expired")
_ARGUMENTS = {"function": "arguments", "code_interpreter": "input"}
"""Where the arguments of a call stand, by its type."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect: its object does, or an error among events of that name."""
    if type(payload) is not dict:
        return 0
    return 2 if payload.get("object") in OBJECTS or (name or "").startswith(("thread.run.", "thread.message.")) else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Azure has the same interface, and nothing in a payload tells the two apart."""
    return None


def answer_id(payload: Any) -> str | None:
    """The id of the run; messages and steps have one of their own."""
    if type(payload) is not dict:
        return None
    found = payload.get("id" if payload.get("object") == "thread.run" else "run_id")
    return found if isinstance(found, str) else None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    kind = payload.get("object")
    if name == "error" or kind not in OBJECTS:
        if is_filled(payload.get("error")):
            return [error_delta(payload["error"], "/error", "event", 0, payload)]
        return [error_delta(payload, "", "event") if name == "error" else Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    _OBJECTS[kind](out, payload, name or "")
    return out or [Delta("noop", 0, "", payload)]


# runs and steps


def _thread(out: list[Delta], payload: dict[str, Any], name: str) -> None:
    out.append(Delta("stream.meta", 0, "", payload))


def _run(out: list[Delta], payload: dict[str, Any], name: str) -> None:
    status = payload.get("status")
    if name == "thread.run.created":
        out.append(Delta("stream.start", 0, "", {key: payload.get(key) for key in ("id", "model")}))
    action = payload.get("required_action")
    asked = action.get("submit_tool_outputs") if type(action) is dict else None
    calls = asked.get("tool_calls") if type(asked) is dict else None
    for at, call in enumerate(calls if type(calls) is list else ()):
        if type(call) is dict:
            own = {"key": ("asked", str(call.get("id"))), "item": "function", "nth": at}
            _whole_call(out, call, f"/required_action/submit_tool_outputs/tool_calls/{at}", own)
    if is_filled(payload.get("last_error")):
        out.append(error_delta(payload["last_error"], "/last_error", "event", 0, payload))
    if not isinstance(status, str) or not status:
        out.append(Delta("unknown", 0, "/status" if "status" in payload else "", status))
    elif status not in FINISH:
        out.append(Delta("progress", 0, "/status", status))
    else:
        details = payload.get("incomplete_details")
        why = details.get("reason") if type(details) is dict else None
        reason = FINISH.get(why if status == "incomplete" and isinstance(why, str) else status)
        native = {"incomplete_details": why} if is_filled(why) else {}
        out.append(Delta("finish", 0, "/status", status, {"reason": reason, "native": native}))
    if type(payload.get("usage")) is dict and payload["usage"]:
        usage = payload["usage"]
        out.append(Delta("usage", 0, "/usage", normalize_usage(usage), {"where": "root", "raw": usage}))


def _step(out: list[Delta], payload: dict[str, Any], name: str) -> None:
    details = payload.get("step_details")
    details = details if type(details) is dict else {}
    if name.endswith(_ENDED):
        calls = details.get("tool_calls")
        for at, call in enumerate(calls if type(calls) is list else ()):
            place = f"/step_details/tool_calls/{at}"
            if type(call) is dict:
                _whole_call(out, call, place, {"key": ("call", str(payload.get("id")), at)})
                _results(out, call, place, ("result", str(payload.get("id")), at), whole=True)
        out.append(Delta("step.end", 0, "/status" if "status" in payload else "", payload.get("status")))
        # The counts of a step are a share of the run's, and its error is the error of the run.
        shares = [key for key in ("usage", "last_error") if is_filled(payload.get(key))]
        out += [Delta("stream.meta", 0, "/" + key, payload[key]) for key in shares]
    elif name.endswith(".created"):
        out.append(Delta("step.start", 0, "/type" if "type" in payload else "", payload.get("type")))
    else:
        out.append(Delta("progress", 0, "/status" if "status" in payload else "", payload.get("status")))


def _step_delta(out: list[Delta], payload: dict[str, Any], name: str) -> None:
    delta = payload.get("delta")
    details = delta.get("step_details") if type(delta) is dict else None
    calls = details.get("tool_calls") if type(details) is dict else None
    for at, call in enumerate(calls if type(calls) is list else ()):
        place = f"/delta/step_details/tool_calls/{at}"
        if type(call) is not dict:
            out.append(Delta("unknown", 0, place, call))
            continue
        kind, held = _held(call)
        index = call.get("index") if type(call.get("index")) is int else at
        key = {"key": ("call", str(payload.get("id")), index), "index": index, "item": kind}
        if is_filled(call.get("id")) or is_filled(held.get("name")):
            own = key | _labels(call, kind, held) | {"resumes": True}
            out.append(Delta("tool.start", 0, place, own.get("name"), own))
        field = _ARGUMENTS.get(kind)
        if field is not None and is_filled(held.get(field)):
            out.append(Delta("tool.args", 0, f"{place}/{kind}/{field}", held[field], key))
        _results(out, call, place, ("result", str(payload.get("id")), index), whole=False)


def _held(call: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The type of a call, and the object of that name in it."""
    kind = call.get("type")
    kind = kind if isinstance(kind, str) else ""
    held = call.get(kind)
    return kind, held if type(held) is dict else {}


def _labels(call: dict[str, Any], kind: str, held: dict[str, Any]) -> dict[str, Any]:
    """Id, name and kind of a call; one that runs on the server is named by its type."""
    said = {"id": call.get("id"), "name": held.get("name") if kind == "function" else kind}
    known = {label: value for label, value in said.items() if isinstance(value, str)}
    return known | {"kind": "function" if kind == "function" else "builtin", "type": kind}


def _whole_call(out: list[Delta], call: dict[str, Any], place: str, own: dict[str, Any]) -> None:
    kind, held = _held(call)
    field = _ARGUMENTS.get(kind)
    said = held.get(field) if field is not None else None
    extra = own | _labels(call, kind, held) | {"opens": True, "alone": True}
    where = f"{place}/{kind}/{field}" if field is not None and field in held else place
    out.append(Delta("tool.end", 0, where, said, extra))


def _results(out: list[Delta], call: dict[str, Any], place: str, key: tuple[Any, ...], whole: bool) -> None:
    """What a call has brought: outputs of code one by one, or all of them in a step that is over."""
    kind, held = _held(call)
    extra: dict[str, Any] = {"key": key, "id": call.get("id"), "name": kind, "resumes": True, "complete": whole}
    for field in ("outputs", "output", "results"):
        found, where = held.get(field), f"{place}/{escape(kind)}/{field}"
        if not is_filled(found):
            continue
        if type(found) is list and not whole:
            one_by_one = extra | {"mode": "append"}
            out += [Delta("tool.result", 0, f"{where}/{at}", one, one_by_one) for at, one in enumerate(found)]
        else:
            out.append(Delta("tool.result", 0, where, found, extra))


# messages


def _message(out: list[Delta], payload: dict[str, Any], name: str) -> None:
    role = payload.get("role")
    if name.endswith(".created") and isinstance(role, str) and role:
        out.append(Delta("role", 0, "/role", role))
    if name.endswith(_ENDED):
        content = payload.get("content")
        for at, part in enumerate(content if type(content) is list else ()):
            _part(out, part, f"/content/{at}", payload.get("id"), at, whole=True)
        if is_filled(payload.get("incomplete_details")):
            out.append(Delta("stream.meta", 0, "/incomplete_details", payload["incomplete_details"]))
    elif not out:
        out.append(Delta("progress", 0, "/status" if "status" in payload else "", payload.get("status")))


def _message_delta(out: list[Delta], payload: dict[str, Any], name: str) -> None:
    delta = payload.get("delta")
    if type(delta) is not dict:
        out.append(Delta("unknown", 0, "", payload))
        return
    if isinstance(delta.get("role"), str) and delta["role"]:
        out.append(Delta("role", 0, "/delta/role", delta["role"]))
    content = delta.get("content")
    for at, part in enumerate(content if type(content) is list else ()):
        said = part.get("index") if type(part) is dict else None
        index = said if isinstance(said, int) else at
        _part(out, part, f"/delta/content/{at}", payload.get("id"), index, whole=False)
    if is_filled(content) and type(content) is not list:
        out.append(Delta("unknown", 0, "/delta/content", content))
    for key, value in delta.items():
        if key not in ("role", "content") and is_filled(value):
            out.append(Delta("unknown", 0, f"/delta/{escape(key)}", value))


def _part(out: list[Delta], part: Any, place: str, message: Any, index: int, *, whole: bool) -> None:
    """A part of a message, or a piece of one: text with its annotations, a refusal, a picture."""
    kind = part.get("type") if type(part) is dict else None
    key: dict[str, Any] = {"key": ("part", str(message), index)}
    end: dict[str, Any] = {"opens": True, "alone": True} if whole else {}
    held = part.get(kind) if isinstance(kind, str) else None
    if kind == "text" and type(held) is dict:
        value = held.get("value")
        if isinstance(value, str) and value:
            out.append(Delta("text.end" if whole else "text.delta", 0, place + "/text/value", value, key | end))
        notes = held.get("annotations")
        for at, one in enumerate(notes if type(notes) is list else ()):
            # The index of a piece is no part of what it says.
            told = {name: said for name, said in one.items() if name != "index"} if type(one) is dict else one
            out.append(Delta("citation", 0, f"{place}/text/annotations/{at}", told, key))
    elif kind == "refusal" and isinstance(held, str) and held:
        end |= {"block": "refusal"} if whole else {}
        out.append(Delta("text.end" if whole else "refusal.delta", 0, place + "/refusal", held, key | end))
    elif kind in ("image_file", "image_url"):
        # A picture is sent whole, so what a message says of it when it is completed only ends it.
        end |= {"block": "media"} if whole else {"media": "image"}
        out.append(Delta("noop" if whole else "media.delta", 0, place, held, key | end))
    elif is_filled(part):
        out.append(Delta("unknown", 0, place, part))


_OBJECTS: dict[str, Callable[[list[Delta], dict[str, Any], str], None]] = {
    "thread": _thread,
    "thread.run": _run,
    "thread.run.step": _step,
    "thread.run.step.delta": _step_delta,
    "thread.message": _message,
    "thread.message.delta": _message_delta,
}
"""What each object says."""


_READ = (
    *("object", "status", "delta.content", "content", "delta.step_details", "step_details", "required_action", "id"),
    *("model", "run_id", "incomplete_details"),
)


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    if path.partition(".")[0] in ("last_error", "error"):
        return rules.error_key != "ignored"
    if path.startswith("usage"):
        return rules.usage != "none"
    if ".annotations" in path:
        return "citations" in rules.extras
    return any(path == place or path.startswith((place + ".", place + "[")) for place in _READ)
