"""DashScope, Alibaba's own form: messages that grow or come in pieces, a status per event (dialects.md 18.3).

Without `incremental_output` in the request every event repeats the text so far; a stream does not say which it is.
Runs of server tools are repeated in every later event, and nothing else tells where they interrupted the thoughts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.admit import Places
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.errors import error_delta, is_filled, type_of
from inspector_app.core.pointer import escape
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._chat_delta import decode_delta
from inspector_app.dialects._usage import normalize_usage

NAME = "dashscope"
TITLE = "DashScope"
PLACES = Places(choices="/output/choices", parts="content")
META = {"id": ("request_id",)}
BY_DESIGN = frozenset({"tool-args-repeated"})
"""Calls grow where texts do."""

FINISH = {"stop": "stop", "length": "length", "tool_calls": "tool_calls"}
"""Finish reasons; the word "null" is the form of none."""

_ANSWERS = frozenset(
    {"choices", "text", "tool_info", "search_info", "session_id", "thoughts", "audio", "finish_reason"}
)
"""Keys of an output that is an answer of a model or of an app."""
_ROOT_KNOWN = frozenset({"output", "usage", "request_id", "code", "message", "status_code"})
_OUTPUT_KNOWN = frozenset({"choices", "text", "tool_info", "search_info", "audio", "finish_reason", "session_id"})
_CHOICE_KNOWN = frozenset({"message", "finish_reason", "index", "logprobs"})
_MEDIA = ("image", "audio", "video")


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    output = payload.get("output")
    if type(output) is dict and output.keys() & _ANSWERS:
        return 2 if "request_id" in payload or name == "result" else 1
    failed = isinstance(payload.get("code"), str) and "message" in payload and "request_id" in payload
    return 1 if failed and "error" not in payload and "type" not in payload else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "dashscope"


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root, the output, its choices and their messages."""
    yield from payload
    output = payload.get("output")
    if type(output) is dict:
        yield from output
        for choice in _listed(output.get("choices")):
            if type(choice) is dict:
                yield from choice
                if type(choice.get("message")) is dict:
                    yield from choice["message"]


def snapshots(request: dict[str, Any] | None) -> bool:
    """Whether texts may come as growing snapshots: they do unless the request asked for increments."""
    body = request.get("body") if request is not None else None
    parameters = body.get("parameters") if type(body) is dict else None
    return not (type(parameters) is dict and parameters.get("incremental_output") is True)


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else []


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    output = payload.get("output")
    if type(output) is dict:
        _output(out, output)
    elif is_filled(output):
        out.append(Delta("unknown", 0, "/output", output))
    usage = payload.get("usage")
    if type(usage) is dict and usage:
        out.append(Delta("usage", 0, "/usage", normalize_usage(usage), {"where": "root", "raw": usage}))
    elif is_filled(usage):
        out.append(Delta("unknown", 0, "/usage", usage))
    if is_filled(payload.get("code")) or (name == "error" and not out):
        error = {"type": None, "code": payload.get("code"), "message": payload.get("message")}
        out.append(error_delta(error, "/code" if "code" in payload else "", "event"))
    elif is_filled(payload.get("message")):
        out.append(Delta("unknown", 0, "/message", payload["message"]))
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    for key, value in payload.items():
        if key not in _ROOT_KNOWN and key != "error" and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


def _output(out: list[Delta], output: dict[str, Any]) -> None:
    for at, entry in enumerate(_listed(output.get("tool_info"))):
        _tool(out, entry, at)
    choices = output.get("choices")
    for at, choice in enumerate(_listed(choices)):
        if type(choice) is dict:
            _choice(out, choice, f"/output/choices/{at}")
        elif is_filled(choice):
            out.append(Delta("unknown", 0, f"/output/choices/{at}", choice))
    text = output.get("text")
    if isinstance(text, str) and text:
        out.append(Delta("text.delta", 0, "/output/text", text, {"field": "text"}))
    _finish(out, output, 0, "/output")
    if type(output.get("audio")) is dict and output["audio"]:
        out.append(Delta("media.delta", 0, "/output/audio", output["audio"], {"media": "audio"}))
    search = output.get("search_info")
    for key, value in search.items() if type(search) is dict else ():
        place = "/output/search_info/" + escape(key)
        if key == "search_results" and type(value) is list:
            out += [Delta("citation", 0, f"{place}/{at}", one) for at, one in enumerate(value) if is_filled(one)]
        elif is_filled(value):
            out.append(Delta("stream.meta", 0, place, value))
    if is_filled(output.get("session_id")):
        out.append(Delta("stream.meta", 0, "/output/session_id", output["session_id"]))
    odd = {"choices": list, "tool_info": list, "text": str, "search_info": dict, "audio": dict}
    for key, value in output.items():
        if is_filled(value) and (key not in _OUTPUT_KNOWN or (key in odd and type(value) is not odd[key])):
            out.append(Delta("unknown", 0, "/output/" + escape(key), value))


def _tool(out: list[Delta], entry: Any, at: int) -> None:
    """A run of a tool on the server. The list of them comes again in every later event and grows at its end."""
    place, kind = f"/output/tool_info/{at}", type_of(entry)
    inner = entry.get(kind) if type(entry) is dict else None
    if not kind or type(entry) is not dict:
        if is_filled(entry):
            out.append(Delta("unknown", 0, place, entry))
        return
    extra = {"key": ("tool_info", at), "kind": "server", "name": kind, "index": at, "opens": True, "alone": True}
    where = f"{place}/{escape(kind)}" if inner is not None else place
    out.append(Delta("tool.end", 0, where, inner if inner is not None else entry, extra | {"repeats": True}))
    for key, value in entry.items():
        if key not in ("type", kind) and is_filled(value):
            out.append(Delta("unknown", 0, f"{place}/{escape(key)}", value))


def _choice(out: list[Delta], choice: dict[str, Any], base: str) -> None:
    index = choice["index"] if type(choice.get("index")) is int else 0
    message = choice.get("message")
    if type(message) is dict:
        inner: list[Delta] = []
        decode_delta(inner, message, index, base + "/message")
        out += [_as_media(delta) for delta in inner]
    elif is_filled(message):
        out.append(Delta("unknown", index, base + "/message", message))
    if is_filled(choice.get("logprobs")):
        out.append(Delta("logprobs", index, base + "/logprobs", choice["logprobs"]))
    for key, value in choice.items():
        if key not in _CHOICE_KNOWN and is_filled(value):
            out.append(Delta("unknown", index, f"{base}/{escape(key)}", value))
    _finish(out, choice, index, base)


def _as_media(delta: Delta) -> Delta:
    """Parts of a message have no type here: what they are says their only key."""
    if delta.kind != "unknown" or type(delta.value) is not dict:
        return delta
    media = next((key for key in _MEDIA if is_filled(delta.value.get(key))), None)
    return delta if media is None else delta._replace(kind="media.delta", extra={"media": media})


def _finish(out: list[Delta], holder: dict[str, Any], index: int, base: str) -> None:
    reason = holder.get("finish_reason")
    if isinstance(reason, str) and reason not in ("", "null"):
        extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
        out.append(Delta("finish", index, base + "/finish_reason", reason, extra))
    elif is_filled(reason) and not isinstance(reason, str):
        out.append(Delta("unknown", index, base + "/finish_reason", reason))


_MESSAGE = "output.choices[].message"
_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("output.search_info", _MESSAGE + ".annotations"), lambda rules: "citations" in rules.extras),
    (("usage",), lambda rules: rules.usage != "none"),
    (("code", "message", "error"), lambda rules: rules.error_key != "ignored"),
    (("output.text", "output.finish_reason", "output.audio", "output.tool_info", "request_id"), lambda rules: True),
    (("output.choices[].finish_reason", "output.choices[].index"), lambda rules: True),
    (tuple(f"{_MESSAGE}.{key}" for key in ("role", "content", "reasoning_content", "tool_calls")), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False


# rules

_STATUS = re.compile(rb"HTTP_STATUS/(?!200\b)([0-9]{1,4})")
_BEFORE = (b":", b": ", b":\t")
"""What stands before it in a line that is such a comment."""
_STEP = 1 << 20
_OVERLAP = 32
"""Bytes of one step that the next looks at again: a comment may stand across both."""


def _status(reading: Reading, report: Report) -> None:
    if reading.speaks != NAME or reading.framing != "sse" or not len(reading.events):
        return
    told = -1
    for base in range(0, len(reading.body), _STEP):
        first = max(0, base - _OVERLAP)
        for found in _STATUS.finditer(reading.body.slice(first, base + _STEP)):
            start = first + found.start(1)
            whole = first + found.end() < min(base + _STEP, len(reading.body)) or base + _STEP >= len(reading.body)
            if start <= told or not whole:
                continue
            told = start
            at = reading.lines.at(start)
            line = reading.lines[at]
            if reading.body.slice(line.start, first + found.start()) not in _BEFORE:
                continue  # No comment, or something else in one.
            report(reading.event_of_line(at) or 0, start=line.start, end=line.end, detail=found[1].decode())


def _snapshots(reading: Reading, report: Report) -> None:
    if reading.speaks != NAME:
        return
    for block in reading.blocks:
        if block.fields.get("grown"):
            report(block.first_event, block=block, detail=f"{len(block.fragments)} for this {block.kind}")


RULES = (
    Rule(
        "dashscope-http-status",
        "error",
        "event",
        "{count} event{s} with a comment of another HTTP status than 200: {detail}.",
        "Read the comment `:HTTP_STATUS/` of each event, and take anything but 200 for a failure.",
        why="The status line was sent long before; only this comment and the event itself tell of the failure.",
        breaks=("readers that skip comments and know no event named error: end with half an answer",),
        end=_status,
    ),
    Rule(
        "dashscope-cumulative",
        "info",
        "block",
        "Every event repeats the text so far: growing snapshots ({detail}).",
        "Set `incremental_output` to true in the request if the client appends.",
        why="This is the form without that parameter, and nothing in the stream says which form it is.",
        breaks=("clients that append: show the beginning again and again",),
        end=_snapshots,
    ),
)
"""The rules of this dialect."""
