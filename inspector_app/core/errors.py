"""Error objects in any shape that providers send them (R40, rules error-in-stream, error-shape, body-json-error)."""

from __future__ import annotations

from typing import Any

from inspector_app.core.types import Delta

ANSWER_KEYS = frozenset({"choices", "candidates", "content", "output", "message_start", "delta", "response", "done"})
"""Keys of a payload that bring an answer, so that a `message` beside them is no error."""


OWN = "own"
"""Shape of an error in a form that its dialect documents, other than an object with `message`, `type` and `code`."""


def error_delta(error: Any, pointer: str, where: str, choice: int = 0, around: dict[str, Any] | None = None) -> Delta:
    """The `error` statement for an error object, a bare string, or the whole payload when pointer is "".

    value: type, code, message (None where the wire has none) and shape: `object` is the documented form, anything
    else names what differs.
    """
    value: dict[str, Any]
    if isinstance(error, dict):
        nested = error.get("error")
        inner = nested if isinstance(nested, dict) and "message" not in error else error
        value = {key: inner.get(key) for key in ("type", "code", "message")}
        if "status" in inner and value["type"] is None:
            value["type"] = inner["status"]
        shape = "object" if inner is error else "nested"
        if not isinstance(inner.get("message"), str):
            shape = "no message"
    else:
        message = error if isinstance(error, str) else None
        value = {"type": None, "code": (around or {}).get("code"), "message": message}
        shape = "string" if isinstance(error, str) else type(error).__name__
    return Delta("error", choice, pointer, value | {"shape": shape}, {"where": where, "raw": error})


def type_of(value: Any, name: Any = None) -> str:
    """The `type` of a payload or of a part of one, else `name`; empty where neither is text."""
    found = (value.get("type") if isinstance(value, dict) else None) or name
    return found if isinstance(found, str) else ""


def is_filled(value: Any) -> bool:
    """False for what counts as absent (R1): null, "", [] and {}."""
    return value is not None and value != "" and value != [] and value != {}


def body_error(value: Any) -> tuple[Any, str] | None:
    """The error that a whole JSON document reports and its pointer, None if the document is no error."""
    base = ""
    if isinstance(value, list) and len(value) == 1:
        value, base = value[0], "/0"
    if not isinstance(value, dict):
        return None
    if is_filled(value.get("error")):
        return value["error"], base + "/error"
    if value.get("type") == "error" or ("message" in value and not value.keys() & ANSWER_KEYS and "role" not in value):
        return value, base
    return None
