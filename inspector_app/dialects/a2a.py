"""A2A, the protocol between agents, versions 0 and 1 (dialects.md section 17.2): tasks, their status, their artifacts.

Each event is the result of one JSON-RPC request, or over plain HTTP the bare result. Version 0 says by `kind` what a
result is, version 1 by its only key. An artifact without `append` takes the place of what it held. Facts:
a2a-protocol.org, its specification of both versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.errors import OWN, error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._media import media_of

NAME = "a2a"
TITLE = "A2A tasks and messages"
META: dict[str, tuple[str, ...]] = {}

FINISH = {
    "completed": "stop",
    "input-required": "pause",
    "auth-required": "pause",
    "failed": "error",
    "rejected": "error",
    "canceled": "cancelled",
    "cancelled": "cancelled",
    "message": "stop",
}
"""States of a task that end the stream; a message alone is a whole answer."""

UNDER_WAY = frozenset({"submitted", "working"})
"""States of a task that goes on."""

_KINDS = {"task": "task", "message": "message", "status-update": "statusUpdate", "artifact-update": "artifactUpdate"}
"""Version 0: the kind of a result -> its key in version 1."""
_UPDATES = frozenset({"statusUpdate", "artifactUpdate"})
_NEEDS: dict[str, tuple[str, type]] = {
    "task": ("status", dict),
    "message": ("parts", list),
    "statusUpdate": ("status", dict),
    "artifactUpdate": ("artifact", dict),
}
"""What a result has to have, by what it is."""
_KNOWN = frozenset(
    {"kind", "id", "taskId", "contextId", "status", "final", "artifacts", "history", "artifact", "append", "lastChunk"}
    | {"metadata", "parts", "messageId", "role", "referenceTaskIds", "extensions"}
)
_METHODS = frozenset({"message/stream", "message/send", "tasks/resubscribe", "SendStreamingMessage", "SendMessage"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect: a JSON-RPC result of a known kind, or the result alone."""
    if type(payload) is not dict:
        return 0
    if _asks(payload) and payload.get("jsonrpc") == "2.0":
        return 2
    _, what, inner = _result(payload)
    if not what:
        return 0
    key, type_ = _NEEDS[what]
    if type(inner.get(key)) is not type_:
        return 0
    # Without the envelope a task or a message may be anybody's, unless it says so.
    bare = "jsonrpc" not in payload
    return 2 if not bare or what in _UPDATES or inner.keys() & {"contextId", "messageId"} else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: an event does not say whose agent speaks."""
    return None


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root and of the result, for rules that ask whether a key is there at all."""
    yield from payload
    yield from _result(payload)[2]


def answer_id(payload: Any) -> str | None:
    """The id of the task that an event brings whole."""
    if type(payload) is not dict:
        return None
    _, what, inner = _result(payload)
    found = inner.get("id") if what == "task" else None
    return found if isinstance(found, str) else None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    if is_filled(payload.get("error")):
        return [_error(payload)]
    base, what, inner = _result(payload)
    if not what:
        return [Delta("stream.meta" if _asks(payload) else "unknown", 0, "", payload)]
    out: list[Delta] = []
    if what == "task":
        _task(out, inner, base)
    elif what == "statusUpdate":
        _status(out, inner.get("status"), base + "/status", "status" in inner)
    elif what == "artifactUpdate":
        last = base + "/lastChunk" if inner.get("lastChunk") is True else None
        place = base + "/artifact" if "artifact" in inner else base
        _artifact(out, inner.get("artifact"), place, inner.get("append") is True, last)
    else:
        _message(out, inner, base)
        out.append(Delta("finish", 0, base, "message", {"reason": FINISH["message"], "native": {}}))
    if is_filled(inner.get("metadata")):
        out.append(Delta("stream.meta", 0, base + "/metadata", inner["metadata"]))
    for key, value in inner.items():
        if key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, f"{base}/{escape(key)}", value))
    return out or [Delta("noop", 0, base, inner)]


def _asks(payload: dict[str, Any]) -> bool:
    """Whether it is a request of this protocol, in a log of both sides."""
    method = payload.get("method")
    return isinstance(method, str) and method in _METHODS


def _result(payload: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Where the result is, what it is by its name in version 1, and its object; no name where it is none."""
    found: Any = payload
    base = ""
    if "jsonrpc" in payload:
        found, base = payload.get("result"), "/result"
    if type(found) is not dict:
        return base, "", {}
    kind = found.get("kind")
    if isinstance(kind, str) and kind in _KINDS:
        return base, _KINDS[kind], found
    for key in _NEEDS:
        if type(found.get(key)) is dict and len(found) == 1:
            return f"{base}/{key}", key, found[key]
    return base, "", {}


def _error(payload: dict[str, Any]) -> Delta:
    """The error of JSON-RPC, whose code is a number."""
    found = error_delta(payload["error"], "/error", "event", 0, payload)
    return found._replace(value=found.value | {"shape": OWN}) if found.value["shape"] == "object" else found


# tasks


def _task(out: list[Delta], task: dict[str, Any], base: str) -> None:
    out.append(Delta("stream.start", 0, base, {"id": task.get("id")}))
    artifacts = task.get("artifacts")
    for at, one in enumerate(artifacts if type(artifacts) is list else ()):
        _artifact(out, one, f"{base}/artifacts/{at}", append=False, last=f"{base}/artifacts/{at}")
    if is_filled(task.get("history")):
        out.append(Delta("stream.meta", 0, base + "/history", task["history"]))
    _status(out, task.get("status"), base + "/status", "status" in task)


def _status(out: list[Delta], status: Any, base: str, there: bool) -> None:
    """The state of a task; whether it ends the stream the state says, for version 1 has no `final`."""
    if type(status) is not dict:
        if there:
            out.append(Delta("unknown" if is_filled(status) else "noop", 0, base, status))
        return
    if type(status.get("message")) is dict:
        _message(out, status["message"], base + "/message")
    state = status.get("state")
    if not isinstance(state, str) or not state:
        if is_filled(state):
            out.append(Delta("unknown", 0, base + "/state", state))
        return
    plain = state.lower().removeprefix("task_state_").replace("_", "-")
    if plain in UNDER_WAY:
        out.append(Delta("progress", 0, base + "/state", state))
    else:
        out.append(Delta("finish", 0, base + "/state", state, {"reason": FINISH.get(plain), "native": {}}))


def _artifact(out: list[Delta], artifact: Any, base: str, append: bool, last: str | None) -> None:
    """A piece of an artifact, or all of it; `last` is the place that says it is the end."""
    if type(artifact) is not dict:
        if is_filled(artifact):
            out.append(Delta("unknown", 0, base, artifact))
        return
    name = artifact.get("artifactId")
    key = ("artifact", name if isinstance(name, str) else "")
    said = len(out)
    _parts(out, artifact, base, key, append)
    if last is not None:
        out.append(Delta("text.end", 0, last, None, {"key": key, "quiet": True}))
    elif len(out) == said:
        out.append(Delta("noop", 0, base, artifact))


def _message(out: list[Delta], message: dict[str, Any], base: str) -> None:
    """A message, whole: of one id the last one counts."""
    name = message.get("messageId")
    key = ("message", name if isinstance(name, str) else "")
    _parts(out, message, base, key, append=False)
    if any(delta.kind == "text.delta" for delta in out):
        place = base + "/messageId" if "messageId" in message else base
        out.append(Delta("text.end", 0, place, None, {"key": key, "quiet": True}))


def _parts(out: list[Delta], holder: dict[str, Any], base: str, key: tuple[str, str], append: bool) -> None:
    """Texts go together; data and files stand for themselves."""
    parts, goes_on = holder.get("parts"), append
    for at, part in enumerate(parts if type(parts) is list else ()):
        place = f"{base}/parts/{at}"
        if type(part) is not dict:
            out.append(Delta("unknown", 0, place, part))
        elif isinstance(part.get("text"), str):
            if part["text"]:
                extra = {"key": key} if goes_on else {"key": key, "mode": "replace"}
                out.append(Delta("text.delta", 0, place + "/text", part["text"], extra))
                goes_on = True
        elif "data" in part:
            own = {"key": (*key, at), "resumes": not append, "block": "state", "name": key[1]}
            out.append(Delta("state", 0, place + "/data", part["data"], own | {"starts": True}))
        elif any(is_filled(part.get(word)) for word in ("file", "url", "raw")):
            word = next(word for word in ("file", "url", "raw") if is_filled(part.get(word)))
            out.append(Delta("media.delta", 0, f"{place}/{word}", part[word], {"media": _media(part)}))
        else:
            out.append(Delta("unknown", 0, place, part))
    if is_filled(parts) and type(parts) is not list:
        out.append(Delta("unknown", 0, base + "/parts", parts))


def _media(part: dict[str, Any]) -> str:
    file = part["file"] if type(part.get("file")) is dict else part
    mime = next((file[key] for key in ("mimeType", "mediaType") if isinstance(file.get(key), str)), "")
    return media_of(mime)


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    if path.startswith("error"):
        return rules.error_key != "ignored"
    inner = path.removeprefix("result.")
    for kind in _NEEDS:
        inner = inner.removeprefix(kind + ".")
    return inner.partition(".")[0].partition("[")[0] in _KNOWN | {"jsonrpc"}
