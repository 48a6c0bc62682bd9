"""Hugging Face text generation: one token per event, all of the text once more in the last one (dialects.md 18.1).

Special tokens belong to the template of the model and are no text for a user. The stream has no end marker; why it
ended stands in the details of the last event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._holders import keys_in

NAME = "tgi"
TITLE = "Hugging Face TGI"

FINISH = {"eos_token": "stop", "stop_sequence": "stop", "length": "length"}
"""Finish reasons (section 20)."""

_ROOT_KNOWN = frozenset({"index", "token", "top_tokens", "generated_text", "details", "error", "error_type"})
_TOKEN_KNOWN = frozenset({"id", "text", "logprob", "special"})
_COUNTS = {"input": "input_length", "output": "generated_tokens"}
_DETAILS_KNOWN = frozenset({*_COUNTS.values(), "finish_reason", "seed", "prefill", "tokens", "top_tokens"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    token = payload.get("token")
    if type(token) is dict and "text" in token:
        return 2 if "generated_text" in payload or "special" in token else 1
    return 1 if "error" in payload and "error_type" in payload else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Many hosts run this server, and none says so."""
    return None


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root, the token and the details, for rules that ask whether a key is there at all."""
    return keys_in(payload, "token", "details")


def unheeded(payload: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The number of a token, its id, and how likely it was: they change nothing for its text."""
    if payload.get("index"):
        yield (), "index"
    token = payload.get("token")
    if type(token) is dict:
        yield from ((("token",), key) for key in ("id", "logprob") if token.get(key))
    if payload.get("top_tokens"):
        yield (), "top_tokens"


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    spoke = _token(out, payload.get("token"))
    if is_filled(payload.get("top_tokens")):
        out.append(Delta("logprobs", 0, "/top_tokens", payload["top_tokens"]))
    text = payload.get("generated_text")
    if isinstance(text, str) and text:
        # It counts where no token said it before (R32); an answer of one token says it in the same event.
        word, extra = ("noop", {}) if spoke else ("text.delta", {"whole": True})
        out.append(Delta(word, 0, "/generated_text", text, {"field": "generated_text"} | extra))
    elif is_filled(text):
        out.append(Delta("unknown", 0, "/generated_text", text))
    _details(out, payload.get("details"))
    for key, value in payload.items():
        if key not in _ROOT_KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    _error(out, payload, name)
    return out or [Delta("noop", 0, "", payload)]


def _token(out: list[Delta], token: Any) -> bool:
    """The text of a token; True where there was some for the user."""
    if type(token) is not dict:
        if is_filled(token):
            out.append(Delta("unknown", 0, "/token", token))
        return False
    text, special = token.get("text"), token.get("special") is True
    if isinstance(text, str):
        spoken = bool(text) and not special
        out.append(Delta("text.delta" if spoken else "noop", 0, "/token/text", text, {"field": "token"}))
    elif is_filled(text):
        out.append(Delta("unknown", 0, "/token/text", text))
    if is_filled(token.get("logprob")):
        out.append(Delta("logprobs", 0, "/token/logprob", token["logprob"]))
    for key, value in token.items():
        if key not in _TOKEN_KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/token/" + escape(key), value))
    return isinstance(text, str) and bool(text) and not special


def _details(out: list[Delta], details: Any) -> None:
    if type(details) is not dict:
        if is_filled(details):
            out.append(Delta("unknown", 0, "/details", details))
        return
    for key, value in details.items():
        if key not in _DETAILS_KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/details/" + escape(key), value))
    facts = [key for key in ("seed",) if details.get(key) is not None]
    out += [Delta("stream.meta", 0, "/details/" + key, details[key]) for key in facts]
    rows = [key for key in ("prefill", "tokens", "top_tokens") if is_filled(details.get(key))]
    out += [Delta("logprobs", 0, "/details/" + key, details[key]) for key in rows]
    reason = details.get("finish_reason")
    if isinstance(reason, str) and reason:
        extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
        out.append(Delta("finish", 0, "/details/finish_reason", reason, extra))
    elif is_filled(reason):
        out.append(Delta("unknown", 0, "/details/finish_reason", reason))
    counts = {key: details[name] for key, name in _COUNTS.items() if type(details.get(name)) is int}
    if counts:
        value = dict.fromkeys(("input", "output", "reasoning", "cache_read", "cache_write", "total")) | counts
        raw = {name: details[name] for name in _COUNTS.values() if name in details}
        out.append(Delta("usage", 0, "/details", value, {"where": "root", "raw": raw}))


def _error(out: list[Delta], payload: dict[str, Any], name: str | None) -> None:
    """`{"error": text, "error_type": word}` is the documented form."""
    error = payload.get("error")
    if isinstance(error, str) and error and isinstance(payload.get("error_type"), str):
        whole = {"type": payload["error_type"], "message": error}
        out.append(error_delta(whole, "/error", "event"))
    elif is_filled(error):
        out.append(error_delta(error, "/error", "event", 0, payload))
    elif name == "error" and not out:
        out.append(error_delta(payload, "", "event"))


_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (tuple(f"details.{name}" for name in _COUNTS.values()), lambda rules: rules.usage != "none"),
    (("error", "error_type"), lambda rules: rules.error_key != "ignored"),
    (("token.text", "token.special", "generated_text", "details.finish_reason"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False


def _differs(reading: Reading, report: Report) -> None:
    """The tokens against the whole text; the prompt may stand before it, if the request asked for that."""
    if reading.speaks != NAME or not reading.finishes or reading.errors:
        return
    if {block.kind for block in reading.blocks} != {"text"}:
        return  # Nothing to compare, or tags were taken out of the text.
    n = reading.finishes[-1]["event"]
    payload = reading.payload(n)
    whole = payload.get("generated_text") if type(payload) is dict else None
    said = "".join(block.text for block in reading.blocks)
    if isinstance(whole, str) and whole and not whole.endswith(said):
        report(n, "/generated_text", detail=f"{len(whole)} characters where the tokens have {len(said)}")


RULES = (
    Rule(
        "tgi-text-differs",
        "warning",
        "stream",
        "The whole text at the end is not what the tokens said: {detail}.",
        "Look for events that got lost or came twice between the server and here.",
        why="The last event repeats everything, so one of the two readings of this answer is wrong.",
        breaks=("clients that join tokens, and clients that take the last event: show different answers",),
        under=("end-truncated",),
        end=_differs,
    ),
)
"""The rules of this dialect."""
