"""Amazon Bedrock ConverseStream: blocks by contentBlockIndex, whose start is often left out (dialects.md section 15).

The frame names the event and holds its payload. A log of payloads has each one under its name instead; where both
names are lost, the keys tell. Exceptions are frames of their own and never come here, except in such a log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._bedrock import beside, left

NAME = "bedrock-converse"
TITLE = "Amazon Bedrock Converse"
META: dict[str, tuple[str, ...]] = {}
"""Neither an id nor a model is on the wire."""
PADDING = frozenset({"p"})
PROMISES_USAGE = True

FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
    "malformed_model_output": "error",
    "malformed_tool_use": "error",
}
"""Stop reasons (section 20)."""

EXCEPTIONS = frozenset(
    {"internalServerException", "modelStreamErrorException", "serviceUnavailableException"}
    | {"throttlingException", "validationException"}
)

_USAGE = {
    "input": "inputTokens",
    "output": "outputTokens",
    "reasoning": "",
    "cache_read": "cacheReadInputTokens",
    "cache_write": "cacheWriteInputTokens",
    "total": "totalTokens",
}
"""Our name of a count -> the wire's; nothing tells how many tokens were reasoning."""
_Payload = dict[str, Any]


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    return 2 if type(payload) is dict and any(_events(payload, name)) else 0


def provider(payload: _Payload) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "bedrock"


def keys(payload: _Payload) -> Iterator[str]:
    """Every key of the root, the event and its delta, for rules that ask whether a key is there at all."""
    yield from payload
    for _, base, event in _events(payload, None):
        if base:
            yield from event
        if type(event.get("delta")) is dict:
            yield from event["delta"]


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    wrapped: set[str] = set()
    for kind, base, event in _events(payload, name):
        wrapped.add(base[1:])
        if kind in EXCEPTIONS:
            out.append(error_delta({"type": kind} | event, base, "event"))
            continue
        _EVENTS[kind](out, event, base)
        for key, value in event.items():
            if key not in _KNOWN[kind] and is_filled(value):
                out.append(Delta("unknown", 0, f"{base}/{escape(key)}", value))
    if not wrapped:
        return [Delta("unknown", 0, "", payload)]
    if "" not in wrapped:
        beside(out, payload, counts=False)
        left(out, payload, PADDING | wrapped)
    return out or [Delta("noop", 0, "", payload)]


def _events(payload: _Payload, name: str | None) -> Iterator[tuple[str, str, _Payload]]:
    """Name, pointer and members of each event of a payload: those under their names, else the payload itself."""
    found = False
    for key, value in payload.items():
        if type(value) is dict and (key in EXCEPTIONS or (key in _EVENTS and _fits(key, value))):
            found = True
            yield key, "/" + key, value
    if found:
        return
    if name in _EVENTS:
        if _fits(name, payload):
            yield name, "", payload
        return
    kind = next((kind for kind in _EVENTS if _fits(kind, payload) and _is_told(kind, payload)), None)
    if kind is not None:
        yield kind, "", payload


def _fits(kind: str, event: _Payload) -> bool:
    """Whether these can be the members of an event of this name; other protocols have a `metadata` too."""
    if kind == "metadata":
        usage = event.get("usage")
        counts = type(usage) is dict and ("inputTokens" in usage or "outputTokens" in usage)
        return counts or (type(event.get("metrics")) is dict and "latencyMs" in event["metrics"])
    return _MARK[kind] in event


def _is_told(kind: str, event: _Payload) -> bool:
    """Whether the members alone say which event it is: a role does not, and one block event differs from another."""
    if kind == "messageStart":
        return event.get("role") == "assistant" and event.keys() <= {"role", "p"}
    wanted = {"contentBlockStart": "start", "contentBlockDelta": "delta"}.get(kind)
    return wanted is None or wanted in event


# the message


def _message_start(out: list[Delta], event: _Payload, base: str) -> None:
    out.append(Delta("stream.start", 0, base, {}))
    role = event.get("role")
    if isinstance(role, str) and role:
        out.append(Delta("role", 0, base + "/role", role))
    elif is_filled(role):
        out.append(Delta("unknown", 0, base + "/role", role))


def _message_stop(out: list[Delta], event: _Payload, base: str) -> None:
    reason, more = event.get("stopReason"), event.get("additionalModelResponseFields")
    if isinstance(reason, str) and reason:
        native = {"additionalModelResponseFields": more} if is_filled(more) else {}
        extra = {"reason": FINISH.get(reason.lower()), "native": native}
        out.append(Delta("finish", 0, base + "/stopReason", reason, extra))
        return
    for key, value in (("stopReason", reason), ("additionalModelResponseFields", more)):
        if is_filled(value):
            out.append(Delta("unknown", 0, f"{base}/{key}", value))


def _metadata(out: list[Delta], event: _Payload, base: str) -> None:
    raw = event.get("usage")
    if type(raw) is dict and raw:
        # The models of Nova tell of the cache under longer names when they are invoked directly.
        value = {key: raw.get(name, raw.get(name[:-1] + "Count")) if name else None for key, name in _USAGE.items()}
        counts = {key: count if type(count) is int else None for key, count in value.items()}
        out.append(Delta("usage", 0, base + "/usage", counts, {"where": "root", "raw": raw}))
    elif is_filled(raw):
        out.append(Delta("unknown", 0, base + "/usage", raw))
    facts = [key for key in ("metrics", "trace", "performanceConfig", "serviceTier") if is_filled(event.get(key))]
    out += [Delta("stream.meta", 0, f"{base}/{key}", event[key]) for key in facts]


# blocks


def _key(event: _Payload) -> dict[str, Any]:
    index = event.get("contentBlockIndex")
    return {"key": index, "index": index} if type(index) is int else {"key": None}


def _block_start(out: list[Delta], event: _Payload, base: str) -> None:
    """A start without content says nothing: the first delta tells what the block is."""
    key, start, place = _key(event), event.get("start"), base + "/start"
    if type(start) is not dict:
        if is_filled(start):
            out.append(Delta("unknown", 0, place, start, key | {"starts": True}))
        return
    for kind, value in start.items():
        where = f"{place}/{escape(kind)}"
        if kind == "image" and type(value) is dict:
            out.append(Delta("media.start", 0, where, value, key | {"media": "image"}))
        elif kind in _STARTS and type(value) is dict:
            said, known = _STARTS[kind]
            said(out, value, where, key | {"id": value.get("toolUseId")})
            for name, member in value.items():
                if name not in known and is_filled(member):
                    out.append(Delta("unknown", 0, f"{where}/{escape(name)}", member))
        elif is_filled(value):
            out.append(Delta("unknown", 0, where, value, key | {"starts": True}))


def _tool_use(out: list[Delta], value: _Payload, where: str, key: dict[str, Any]) -> None:
    own = value.get("type")
    extra = key | {"name": value.get("name"), "type": own, "kind": "server" if own == "server_tool_use" else "function"}
    out.append(Delta("tool.start", 0, where + "/name" if "name" in value else where, value.get("name"), extra))


def _tool_result(out: list[Delta], value: _Payload, where: str, key: dict[str, Any]) -> None:
    out.append(Delta("tool.result", 0, where, [], key | {"name": value.get("type")}))
    if is_filled(value.get("status")):
        out.append(Delta("stream.meta", 0, where + "/status", value["status"]))


_STARTS: dict[str, tuple[Callable[[list[Delta], _Payload, str, dict[str, Any]], None], frozenset[str]]] = {
    "toolUse": (_tool_use, frozenset({"toolUseId", "name", "type"})),
    "toolResult": (_tool_result, frozenset({"toolUseId", "type", "status"})),
}
"""What a start opens, and its keys."""


def _block_delta(out: list[Delta], event: _Payload, base: str) -> None:
    key, delta, place = _key(event), event.get("delta"), base + "/delta"
    if type(delta) is not dict:
        if is_filled(delta):
            out.append(Delta("unknown", 0, place, delta))
        return
    for kind, value in delta.items():
        where = f"{place}/{escape(kind)}"
        if kind == "text" and isinstance(value, str):
            if value:
                out.append(Delta("text.delta", 0, where, value, key))
        elif kind == "toolUse" and type(value) is dict:
            _members(out, value, where, key, _CALL)
        elif kind == "reasoningContent" and type(value) is dict:
            _members(out, value, where, key, _REASONING)
        elif kind == "toolResult" and type(value) is list:
            extra = key | {"mode": "append"}
            out += [Delta("tool.result", 0, f"{where}/{at}", one, extra) for at, one in enumerate(value)]
        elif kind == "citation" and is_filled(value):
            out.append(Delta("citation", 0, where, value, key))
        elif kind == "image" and is_filled(value):
            out.append(Delta("media.delta", 0, where, value, key | {"media": "image"}))
        elif is_filled(value):
            out.append(Delta("unknown", 0, where, value))


_CALL: dict[str, tuple[str, dict[str, Any]]] = {"input": ("tool.args", {})}
_REASONING: dict[str, tuple[str, dict[str, Any]]] = {
    "text": ("reasoning.delta", {"form": "raw"}),
    "signature": ("reasoning.signature", {"mode": "append", "format": "anthropic"}),
    "redactedContent": ("reasoning.redacted", {}),
    "data": ("reasoning.redacted", {}),
}
"""Key of a delta's value -> what it says, and how."""


def _members(
    out: list[Delta], holder: _Payload, place: str, key: dict[str, Any], says: dict[str, tuple[str, dict[str, Any]]]
) -> None:
    for name, value in holder.items():
        where = f"{place}/{escape(name)}"
        if not is_filled(value):
            if name in says:
                out.append(Delta("noop", 0, where, value, {"call": key["key"]} if name == "input" else None))
        elif name in says and (isinstance(value, str) or name == "input"):
            out.append(Delta(says[name][0], 0, where, value, key | says[name][1]))
        else:
            out.append(Delta("unknown", 0, where, value))


def _block_stop(out: list[Delta], event: _Payload, base: str) -> None:
    out.append(Delta("noop", 0, base + "/contentBlockIndex", event["contentBlockIndex"], _key(event)))


_EVENTS: dict[str, Callable[[list[Delta], _Payload, str], None]] = {
    "contentBlockDelta": _block_delta,
    "contentBlockStart": _block_start,
    "contentBlockStop": _block_stop,
    "messageStart": _message_start,
    "messageStop": _message_stop,
    "metadata": _metadata,
}
_MARK = {
    "contentBlockDelta": "contentBlockIndex",
    "contentBlockStart": "contentBlockIndex",
    "contentBlockStop": "contentBlockIndex",
    "messageStart": "role",
    "messageStop": "stopReason",
}
"""The key that each event has."""
_KNOWN: dict[str, frozenset[str]] = {
    "contentBlockDelta": PADDING | {"contentBlockIndex", "delta"},
    "contentBlockStart": PADDING | {"contentBlockIndex", "start"},
    "contentBlockStop": PADDING | {"contentBlockIndex"},
    "messageStart": PADDING | {"role"},
    "messageStop": PADDING | {"stopReason", "additionalModelResponseFields"},
    "metadata": PADDING | {"usage", "metrics", "trace", "performanceConfig", "serviceTier"},
}

_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("delta.reasoningContent.signature",), lambda rules: "signature" in rules.extras),
    (("delta.reasoningContent.redactedContent", "delta.reasoningContent.data"), lambda rules: "opaque" in rules.extras),
    (("delta.citation",), lambda rules: "citations" in rules.extras),
    (("usage",), lambda rules: rules.usage != "none"),
    (("contentBlockIndex", "start", "delta", "role", "stopReason"), lambda rules: True),
    (("additionalModelResponseFields", "metrics", "trace", "performanceConfig", "serviceTier"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first, _, rest = path.partition(".")
    if first in EXCEPTIONS:
        return rules.error_key != "ignored"
    path = rest if first in _EVENTS and rest else path
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False


def _tool_without_start(report: Report) -> Watcher:
    known: set[Any] = set()

    def watch(seen: Seen) -> None:
        if seen.dialect != NAME:
            return
        for delta in seen.deltas:
            extra = delta.extra or {}
            if delta.kind == "stream.start":
                known.clear()
            elif delta.kind == "tool.start":
                known.add(extra["key"])
            elif delta.kind == "tool.args" or "call" in extra:
                index = extra.get("call", extra.get("key"))
                if index is not None and index not in known:
                    known.add(index)
                    report(seen.n, delta.pointer, detail=str(index))

    return watch


RULES = (
    Rule(
        "bedrock-tool-without-start",
        "error",
        "event",
        "{count} block{s} with input for a tool that no start names, first index {detail}.",
        "Open every call with a contentBlockStart that has its toolUseId and its name.",
        why="The input is shown, but whose it is nobody can tell, so the call can be neither run nor answered.",
        breaks=("all clients: have a call that cannot be run",),
        kinds=frozenset({"stream.start", "tool.start", "tool.args", "noop"}),
        watch=_tool_without_start,
    ),
)
"""The rules of this dialect."""
