"""How each dialect is asked for a stream: path, authentication, and the body of one user message."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

AUTH_HEADERS = {
    "bearer": ("authorization", "Bearer "),
    "x-api-key": ("x-api-key", ""),
    "api-key": ("api-key", ""),
    "x-goog-api-key": ("x-goog-api-key", ""),
}
"""Style of authentication -> the header field that carries the key, and what stands before the key in it."""

AUTHS = (*AUTH_HEADERS, "none")
ANTHROPIC_VERSION = "2023-06-01"
LONGEST_ANSWER = 1024
"""Tokens, where a dialect demands a limit."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What one dialect wants of a request. `path` is below the base URL and may hold `{model}`."""

    path: str
    auth: str
    message: Callable[[str], dict[str, Any]]
    stream: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    accept: str = "text/event-stream"
    model_in_body: bool = True
    models: str = ""
    """Where GET lists the models, below the base URL, at most servers of this dialect."""


def _chat(prompt: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": prompt}]}


def _input(prompt: str) -> dict[str, Any]:
    return {"input": prompt}


def _prompt(prompt: str) -> dict[str, Any]:
    return {"prompt": prompt}


_STREAM = {"stream": True}

ASKING: dict[str, Asking] = {
    "openai-chat": Asking("/chat/completions", "bearer", _chat, _STREAM, models="/models"),
    "openai-completions": Asking("/completions", "bearer", _prompt, _STREAM, models="/models"),
    "openai-responses": Asking("/responses", "bearer", _input, _STREAM, models="/models"),
    "anthropic-messages": Asking(
        "/v1/messages",
        "x-api-key",
        lambda prompt: {"max_tokens": LONGEST_ANSWER, **_chat(prompt)},
        _STREAM,
        headers={"anthropic-version": ANTHROPIC_VERSION},
        models="/v1/models",
    ),
    "gemini": Asking(
        "/v1beta/models/{model}:streamGenerateContent",
        "x-goog-api-key",
        lambda prompt: {"contents": [{"role": "user", "parts": [{"text": prompt}]}]},
        query={"alt": "sse"},
        model_in_body=False,
        models="/v1beta/models",
    ),
    "gemini-interactions": Asking("/v1beta/interactions", "x-goog-api-key", _input, _STREAM, models="/v1beta/models"),
    "ollama-chat": Asking("/api/chat", "none", _chat, _STREAM, accept="application/x-ndjson", models="/api/tags"),
    "ollama-generate": Asking(
        "/api/generate", "none", _prompt, _STREAM, accept="application/x-ndjson", models="/api/tags"
    ),
    "cohere-v2": Asking("/v2/chat", "bearer", _chat, _STREAM, models="/v1/models"),
    "tgi": Asking("/generate_stream", "none", lambda prompt: {"inputs": prompt}, model_in_body=False),
    "dashscope": Asking(
        "/api/v1/services/aigc/text-generation/generation",
        "bearer",
        lambda prompt: {"input": _chat(prompt), "parameters": {"result_format": "message", "incremental_output": True}},
        headers={"x-dashscope-sse": "enable"},
    ),
    "lmstudio": Asking("/api/v1/chat", "none", _input, _STREAM, models="/api/v1/models"),
}
"""Dialect -> how it is asked; other dialects cannot be streamed from here."""

_PATHS = (
    ("/chat/completions", "openai-chat"),
    ("/responses", "openai-responses"),
    ("/v1/messages", "anthropic-messages"),
    ("/messages", "anthropic-messages"),
    (":streamGenerateContent", "gemini"),
    (":generateContent", "gemini"),
    ("/interactions", "gemini-interactions"),
    ("/api/v1/chat", "lmstudio"),
    ("/api/chat", "ollama-chat"),
    ("/api/generate", "ollama-generate"),
    ("/v2/chat", "cohere-v2"),
    ("/generate_stream", "tgi"),
    ("/text-generation/generation", "dashscope"),
    ("/multimodal-generation/generation", "dashscope"),
    ("/completions", "openai-completions"),
)


_MODELS = tuple(
    re.compile(rf".*/{above.rpartition('/')[2]}/(?P<model>[^/]+){re.escape(below)}")
    for above, name, below in (asking.path.partition("/{model}") for asking in ASKING.values())
    if name
)


def model_of(path: str) -> str:
    """The model that the path of a URL names, where a dialect names it there; else empty."""
    found = next((found for pattern in _MODELS if (found := pattern.fullmatch(path))), None)
    return unquote(found["model"]) if found else ""


def dialect_of(path: str) -> str | None:
    """The dialect that the path of a URL speaks of, None where it tells nothing."""
    path = path.rstrip("/")
    return next((dialect for end, dialect in _PATHS if path.endswith(end)), None)
