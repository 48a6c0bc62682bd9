"""Amazon Bedrock agents (InvokeAgent): the answer as base64 of plain text, and a trace of what was done (section 15).

`chunk` holds a piece of the text, with its sources beside it; `trace` tells of each step of the agent; `returnControl`
names calls that the client has to run; `files` brings what was made. Nothing says why the answer ends.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

NAME = "bedrock-agent"
TITLE = "Amazon Bedrock agents"
META: dict[str, tuple[str, ...]] = {}
PADDING = frozenset({"p"})

_Payload = dict[str, Any]
_TRACE_KNOWN = frozenset(
    {"agentId", "agentAliasId", "agentVersion", "sessionId", "callerChain", "eventTime"}
) | frozenset({"collaboratorName", "trace"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    return 2 if type(payload) is dict and any(_events(payload, name)) else 0


def provider(payload: _Payload) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "bedrock"


def keys(payload: _Payload) -> Iterator[str]:
    """Every key of the root and of the event, for rules that ask whether a key is there at all."""
    yield from payload
    for _, base, event in _events(payload, None):
        if base:
            yield from event


def unheeded(payload: _Payload) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Padding, where events stand under their names."""
    for kind, event in payload.items():
        if type(event) is dict:
            yield from (((kind,), key) for key in PADDING & event.keys())


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    told: set[str] = set()
    for kind, base, event in _events(payload, name, strict=False):
        told.add(base[1:])
        known = _EVENTS[kind](out, event, base)
        for key, value in event.items():
            if key not in known and key not in PADDING and is_filled(value):
                out.append(Delta("unknown", 0, f"{base}/{escape(key)}", value))
    if not told:
        return [Delta("unknown", 0, "", payload)]
    for key, value in payload.items() if "" not in told else ():
        if key not in told and key not in PADDING and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


def _events(payload: _Payload, name: str | None, *, strict: bool = True) -> Iterator[tuple[str, str, _Payload]]:
    """Name, pointer and members of each event of a payload: the payload itself, or those under their names in a log.

    `strict`: without chunks that may be those of a model.
    """
    if name in _EVENTS:
        if _fits(name, payload, strict):
            yield name, "", payload
        return
    for key, value in payload.items():
        if key in _EVENTS and type(value) is dict and _fits(key, value, strict):
            yield key, "/" + key, value


def _fits(kind: str, event: _Payload, strict: bool) -> bool:
    """Whether these can be the members of an event of this name; a chunk of a model holds a whole object, no text."""
    if kind == "chunk":
        text = _text_of(event.get("bytes"))
        return "attribution" in event or (text is not None and not (strict and _is_object(text)))
    if kind == "trace":
        return type(event.get("trace")) is dict
    return type(event.get(_MARK[kind])) in (str, list)


def _text_of(value: Any) -> str | None:
    """The plain text of base64, None where it is none."""
    try:
        return b64decode(value, validate=True).decode() if isinstance(value, str) else None
    except ValueError:
        return None


def _is_object(text: str) -> bool:
    try:
        return text.lstrip().startswith("{") and type(orjson.loads(text)) is dict
    except ValueError:
        return False


# the events; each returns the keys that it has read


def _chunk(out: list[Delta], event: _Payload, base: str) -> frozenset[str]:
    text, sources = event.get("bytes"), event.get("attribution")
    said = _text_of(text)
    if said:
        out.append(Delta("text.delta", 0, base + "/bytes", said, {"field": "bytes", "encoding": "base64"}))
    elif is_filled(text):
        out.append(Delta("unknown", 0, base + "/bytes", text))
    found = sources.get("citations") if type(sources) is dict else None
    if type(found) is list:
        place = base + "/attribution/citations"
        out += [Delta("citation", 0, f"{place}/{at}", one) for at, one in enumerate(found) if is_filled(one)]
    elif is_filled(sources):
        out.append(Delta("unknown", 0, base + "/attribution", sources))
    return frozenset({"bytes", "attribution"})


def _trace(out: list[Delta], event: _Payload, base: str) -> frozenset[str]:
    """Each step as it is told; a thought of the agent is reasoning, and a failure an error."""
    for stage, step in event["trace"].items():
        place = f"{base}/trace/{escape(stage)}"
        if stage == "failureTrace" and type(step) is dict:
            reason = step.get("failureReason")
            error = {"type": stage, "code": step.get("failureCode"), "message": reason}
            out.append(error_delta(error, place, "event"))
            continue
        thought = step.get("rationale") if type(step) is dict else None
        text = thought.get("text") if type(thought) is dict else None
        if isinstance(text, str) and text:
            out.append(Delta("reasoning.delta", 0, place + "/rationale/text", text, {"field": "text", "form": "plan"}))
        elif is_filled(step):
            out.append(Delta("progress", 0, place, step))
    return _TRACE_KNOWN


def _return_control(out: list[Delta], event: _Payload, base: str) -> frozenset[str]:
    """The calls that the client has to run, each whole."""
    calls, place = event.get("invocationInputs"), base + "/invocationInputs"
    for at, one in enumerate(calls if type(calls) is list else ()):
        kind = next((kind for kind in _CALLS if type(one) is dict and type(one.get(kind)) is dict), None)
        if kind is None:
            out.append(Delta("unknown", 0, f"{place}/{at}", one))
            continue
        call, where, key = one[kind], f"{place}/{at}/{kind}", {"key": ("call", event.get("invocationId"), at)}
        named, given = _CALLS[kind]
        extra = key | {"kind": "function", "id": event.get("invocationId"), "name": call.get(named), "type": kind}
        out.append(Delta("tool.start", 0, f"{where}/{named}" if named in call else where, call.get(named), extra))
        arguments = next((name for name in given if is_filled(call.get(name))), None)
        if arguments is not None:
            out.append(Delta("tool.args", 0, f"{where}/{arguments}", call[arguments], key))
        out.append(Delta("tool.end", 0, where, None, key))
        for name, value in call.items():
            if name not in (named, arguments) and is_filled(value):
                out.append(Delta("stream.meta", 0, f"{where}/{escape(name)}", value))
    if is_filled(calls) and type(calls) is not list:
        out.append(Delta("unknown", 0, place, calls))
    return frozenset({"invocationId", "invocationInputs"})


_CALLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "functionInvocationInput": ("function", ("parameters",)),
    "apiInvocationInput": ("apiPath", ("requestBody", "parameters")),
}
"""Kind of a call -> the key of its name, and the keys that may hold its arguments."""


def _files(out: list[Delta], event: _Payload, base: str) -> frozenset[str]:
    found = event["files"]
    place, extra = base + "/files", {"media": "file"}
    for at, one in enumerate(found if type(found) is list else [found]):
        out.append(Delta("media.delta", 0, f"{place}/{at}" if type(found) is list else place, one, extra))
    return frozenset({"files"})


_EVENTS: dict[str, Callable[[list[Delta], _Payload, str], frozenset[str]]] = {
    "chunk": _chunk,
    "trace": _trace,
    "returnControl": _return_control,
    "files": _files,
}
_MARK = {"returnControl": "invocationId", "files": "files"}
"""The key that tells these events from others of their name."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first, _, rest = path.partition(".")
    path = rest if first in _EVENTS and rest and first != "trace" else path
    if path.startswith("attribution"):
        return "citations" in rules.extras
    return path.startswith(("bytes", "invocationId", "invocationInputs", "files", "trace."))
