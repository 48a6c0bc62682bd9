"""The data of one event as JSON values: end markers, empty data, wrapping, several roots, and what is no JSON.

Which data is an end marker the dialects say; whether it ends this stream is decided where the dialect is known.

What the reference repairs here is noted by the name of its rule; a client reads as its rules say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import orjson

from inspector_app.core import flags as F
from inspector_app.core.errors import body_error, error_delta
from inspector_app.core.frame import Frame
from inspector_app.core.json_text import SIZE_LIMIT, parse, plain
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

_WRAPPED = (b"data:", b"event:", b"id:", b"retry:", b":")


@dataclass(slots=True)
class Payload:
    """What stands in the data of one event.

    `values`: its JSON values, or all of it as one text where its dialect sends plain text. `deltas`: statements that
    need no dialect (stray errors, text that is no JSON).
    `fault` says why it is not plain JSON, `notes` are (rule, detail) to report, `unread` why a client got nothing.
    """

    name: str | None
    event: int = 0
    values: list[Any] = field(default_factory=list)
    deltas: list[Delta] = field(default_factory=list)
    fault: str | None = None
    marker: str | None = None
    notes: list[tuple[str, str]] = field(default_factory=list)
    unread: str | None = None
    client_error: str | None = None
    stops: bool = False


def read_payload(
    frame: Frame, rules: ReadingRules, reading: Reading | None, n: int, markers: tuple[bytes, ...]
) -> Payload:
    """Read one event. `reading` receives flags; None when an event is only decoded again. `markers`: see the kit."""
    out = Payload(frame.name, n)
    _stray(frame, rules, out, markers)
    data = frame.data
    if data is None:
        out.unread = frame.lost
        return out
    if frame.flags & F.DANGLING and rules.dangling == "drop":
        out.unread = "no blank line ends this event"
        return out
    if rules.named_event != "ignore":
        missing = frame.name is None if rules.named_event == "required" else frame.name not in (None, "message")
        if missing:
            out.unread = "no event line" if rules.named_event == "required" else "its event line is not understood"
            return out
    if frame.flags & F.EXCEPTION:
        out.deltas.append(_exception(data, frame.name))
        return out
    if frame.flags & F.PLAIN_TEXT:
        out.values = [data.decode("utf-8", "replace")]
        if reading is not None and not _is_utf8(data):
            reading.events.flags[n] |= F.INVALID_UTF8
        return out
    text = data.strip()
    if not text:
        if rules.empty_data == "parse":
            _bad_json(out, rules, "empty data is no JSON")
        return out
    marker = _marker_in(text, rules, markers)
    if marker is not None:
        if rules.done == "ignored":
            out.unread = "the end marker is ignored"
        else:
            out.marker = marker
        return out
    if rules.repairs_rule("sse-double-wrapped") and text.startswith(_WRAPPED) and not _is_json(data):
        return _unwrap(text, frame, rules, reading, n, out, markers)
    _values(data, frame, rules, reading, n, out, markers)
    if rules.object_required and any(_of_another_object(value, rules.object_required) for value in out.values):
        out.values, out.unread = [], f"its object is not {rules.object_required}"
    return out


def _of_another_object(value: Any, required: str) -> bool:
    return isinstance(value, dict) and not value.get("error") and value.get("object") != required


def _exception(data: bytes, name: str | None) -> Delta:
    """The error that a frame is by its own headers; its payload is an object with a message, or the message."""
    parsed = parse(data)
    value = parsed.values[0] if parsed.values else data.decode("utf-8", "replace")
    if not isinstance(value, dict):
        return error_delta({"type": name, "message": value if isinstance(value, str) else None}, "", "event")
    key = next((key for key in ("message", "Message") if key in value), None)
    error = {"type": name, **value, "message": value[key] if key is not None else None}
    return error_delta(error, f"/{key}" if key is not None else "", "event")


def _marker_in(text: bytes, rules: ReadingRules, markers: tuple[bytes, ...]) -> str | None:
    """The end marker that this data is to this reader, without quotes around it."""
    for marker in markers:
        plain = marker.strip(b'"')
        found = (
            text.startswith(plain)
            if rules.done == "prefix"
            else plain in text
            if rules.done == "anywhere"
            else text == marker
        )
        if found:
            return plain.decode()
    return None


def _is_json(data: bytes) -> bool:
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True


def _stray(frame: Frame, rules: ReadingRules, out: Payload, markers: tuple[bytes, ...]) -> None:
    """Lines outside any field: an error that nobody framed, or a bare end marker."""
    for line in frame.stray:
        if line in markers:
            # By the standard nobody sees it; only who repairs such lines does.
            out.marker = line.decode() if rules.repairs_rule("sse-ignored-line") else None
            continue
        if rules.bare_error_line == "ignored":
            continue
        text = line.partition(b":")[2].strip() if line[:6] == b"error:" else line
        parsed = parse(text)
        value = parsed.values[0] if parsed.values else text.decode("utf-8", "replace")
        found = body_error(value) if not isinstance(value, str) else (value, "")
        if found is not None or line[:6] == b"error:":
            error = found[0] if found is not None else value
            out.deltas.append(error_delta(error, found[1] if found else "", "bare_line"))
        else:
            out.deltas.append(Delta("unknown", 0, "", value))


def _unwrap(
    text: bytes,
    frame: Frame,
    rules: ReadingRules,
    reading: Reading | None,
    n: int,
    out: Payload,
    markers: tuple[bytes, ...],
) -> Payload:
    """A gateway framed a framed line again: read what is inside, once."""
    out.notes.append(("sse-double-wrapped", text[:5].decode("utf-8", "replace").partition(":")[0] or "comment"))
    if reading is not None:
        reading.events.flags[n] |= F.DOUBLE_WRAPPED
    inner: list[bytes] = []
    for line in text.splitlines():
        name, _, value = line.partition(b":")
        if name == b"data":
            inner.append(value.removeprefix(b" "))
        elif name == b"event":
            out.name = value.strip().decode("utf-8", "replace")
    data = b"\n".join(inner)
    out.marker = _marker_in(data.strip(), rules, markers)
    if out.marker is None and data.strip():
        _values(data, frame, rules, reading, n, out, markers)
    return out


def _values(
    data: bytes,
    frame: Frame,
    rules: ReadingRules,
    reading: Reading | None,
    n: int,
    out: Payload,
    markers: tuple[bytes, ...],
) -> None:
    try:
        if len(data) <= SIZE_LIMIT:
            out.values = [plain(data)]
            return
    except ValueError:
        pass
    parsed = parse(data, tried=True)
    if parsed.fault == "invalid" and frame.flags & F.MULTI_DATA and rules.repairs_rule("json-multiple-roots"):
        # Where every blank line is lost, the end marker stands in the one event that is left.
        before, _, last = data.rpartition(b"\n")
        if last in markers and (alone := parse(before)).fault == "roots":
            parsed, out.marker = alone, last.decode()
    out.fault = parsed.fault
    if reading is not None and parsed.fault is not None:
        reading.payload_faults[n] = parsed.detail
        if parsed.fault == "utf8":
            reading.events.flags[n] |= F.INVALID_UTF8
    match parsed.fault:
        case None | "surrogate" | "utf8":
            out.values = parsed.values
            return
        case "roots" if rules.repairs_rule("json-multiple-roots"):
            out.values = parsed.values
            out.notes.append(("json-multiple-roots", parsed.detail))
            return
        case "limit":
            out.notes.append(("meta-limit-reached", parsed.detail))
        case "cut" | "invalid" if frame.flags & F.CUT:
            pass  # The framing knows that its unit is cut, whatever the payload looks like.
        case "cut" if frame.flags & (F.DANGLING | F.PARTIAL_LINE):
            out.notes.append(("frame-cut", parsed.detail))
        case "invalid" if frame.flags & F.PARTIAL_LINE and any(m.startswith(data.strip()) for m in markers):
            out.notes.append(("frame-cut", "the end marker is cut"))
        case _:
            out.notes.append(("json-invalid", parsed.detail))
    if reading is not None and parsed.fault != "limit":
        reading.events.flags[n] |= F.NOT_JSON
        if parsed.fault == "invalid" and not _is_utf8(data):
            reading.events.flags[n] |= F.INVALID_UTF8
    if rules.bad_json == "show":
        if parsed.fault == "roots":
            out.values = parsed.values[:0]
        # An error written into an open event leaves a whole object on the last data line (B19).
        last = data.rpartition(b"\n")[2] if frame.flags & F.MULTI_DATA else b""
        found = body_error(parse(last).values[0]) if last and parse(last).values else None
        if found is not None:
            out.deltas.append(error_delta(found[0], found[1], "event"))
        else:
            out.deltas.append(Delta("unknown", 0, "", data[: 1 << 20].decode("utf-8", "replace")))
    else:
        _bad_json(out, rules, parsed.detail)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _bad_json(out: Payload, rules: ReadingRules, detail: str) -> None:
    if rules.bad_json == "skip":
        out.unread = "the payload is no JSON and is skipped"
    elif rules.bad_json != "show":
        out.unread = "the payload is no JSON"
        out.client_error = f"JSON error: {detail}"
        out.stops = rules.bad_json == "throw"
