"""Which recording a request gets, and whether it asked for a stream."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from inspector_app.core.json_text import parse
from inspector_app.live.asking import ASKING, model_of
from inspector_app.live.loopback import Request
from inspector_app.live.serve_item import Item

PREFIX = 2
"""Parts at the start of a path that may name a recording and a variation: what stands before the API's own path."""


class Choice(NamedTuple):
    """The items that fit a request equally well, and by what: `path`, `model`, or nothing (then it is all)."""

    items: Sequence[Item]
    by: str


def choose(request: Request, items: Sequence[Item]) -> Choice:
    """By the last part of the path, then by the parts before the API's own path, then by the model, else all."""
    left = items
    for part in _parts(request.target):
        left = [item for item in left if part in item.names] or left
    if len(left) < len(items):
        return Choice(left, "path")
    wanted = model(request)
    if wanted:
        found = [item for item in items if wanted in item.names] or [item for item in items if wanted in item.models]
        if found:
            return Choice(found, "model")
    return Choice(items, "")


def names_one(request: Request, items: Sequence[Item]) -> bool:
    """Whether the path of a request names a variation, or a recording and nothing strange before the API's own path."""
    parts = _parts(request.target)
    variations, names = {item.variation for item in items}, frozenset[str]().union(*(item.names for item in items))
    if any(part in variations for part in parts):
        return True
    before = [unquote(part) for part in request.target.partition("?")[0].split("/") if part][:PREFIX]
    return any(part in names for part in parts) and all(
        part in names or part in _SET_BY_API or _VERSION.fullmatch(part) for part in before
    )


def wants_stream(request: Request, dialect: str) -> bool:
    """False where the client asked for the whole answer as one JSON, as this dialect is asked for it.

    Who asked for no completion at all, as `curl` does with a bare address, gets the stream.
    """
    path = request.target.partition("?")[0]
    if dialect == "gemini":
        return not path.endswith(":generateContent")
    asked = body(request)
    if not isinstance(asked, dict):
        return True
    if "stream" in asked:
        return asked["stream"] is not False and asked["stream"] is not None
    by_default = dialect.startswith("ollama") or "stream" not in _streaming(dialect)
    return by_default or not _PROMPTS & asked.keys()


def model(request: Request) -> str:
    """The model that a request names, in its body or its path; else empty."""
    asked = body(request)
    named = asked.get("model") if isinstance(asked, dict) else None
    return named if isinstance(named, str) and named else model_of(request.target.partition("?")[0])


def body(request: Request) -> Any:
    """The body of a request as JSON, None where it is none."""
    found = parse(request.body).values if request.body else []
    return found[0] if len(found) == 1 else None


def canonical(request: Request) -> str:
    """A text that is equal for two requests that ask for the same, whatever their connection and their ids."""
    asked = body(request)
    said = request.body.decode("utf-8", "replace") if asked is None else json.dumps(asked, sort_keys=True)
    return f"{request.method} {request.target}\n{said}"


_PROMPTS = {"messages", "input", "prompt", "message"}
"""Members of which a request for a completion has one."""
_SET_BY_API = {part for asking in ASKING.values() for part in asking.path.split("/") if "{" not in part} - {""}
"""Words of which the paths of the APIs consist: no names of recordings, unless they stand last."""


def _streaming(dialect: str) -> dict[str, Any]:
    return dict(ASKING[dialect].stream) if dialect in ASKING else {"stream": True} if dialect in _LIKE_CHAT else {}


_VERSION = re.compile(r"v\d\w*")
_LIKE_CHAT = {"workers-ai", "cohere-v1", "anthropic-completions", "openai-assistants"}
"""Dialects that are asked for a stream by a member of the body, though no request to them can be composed here."""


def _parts(target: str) -> list[str]:
    """The parts of a path that may be names, the last one first."""
    path = target.partition("?")[0]
    parts = [unquote(part) for part in path.split("/") if part]
    if not parts:
        return []
    # A method may follow the last part behind a colon, as `models/NAME:streamGenerateContent`.
    last = [parts[-1], *([parts[-1].rpartition(":")[0]] if ":" in parts[-1] else [])]
    return [*last, *(part for part in parts[:-1][:PREFIX] if part not in _SET_BY_API)]
