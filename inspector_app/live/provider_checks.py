"""What may stand under each key of a provider, and nowhere a secret. Each check returns the value or raises ValueError
with words that never quote a value that may be one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from inspector_app.core.redact import KEY_SHAPES, is_credential_header, redact_headers, redact_request, redact_text
from inspector_app.core.rules import nearest
from inspector_app.live.asking import ASKING, AUTHS

ELSEWHERE = "a key may not stand in this file: name an environment variable with key_env, or give it for one run"

PROXIES = ("http", "https", "socks5", "socks5h")
"""Schemes of a proxy. With either word for SOCKS it is the proxy that looks up the name of the server."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FIELD = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def names_a_secret(key: str) -> bool:
    """Whether a key of the file is one under which people put secrets."""
    return is_credential_header(key) or key.lower() in ("key", "auth_header", "bearer")


def name(value: str) -> str:
    """The name of a provider: what is typed on the command line."""
    if not _NAME.fullmatch(value) or KEY_SHAPES.search(value):
        raise ValueError("must be letters, digits, dots, hyphens and underscores only, a letter or digit first")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text in quotes")
    if _CONTROL.search(value):
        raise ValueError("has a control character in it")
    if KEY_SHAPES.search(value):
        raise ValueError(ELSEWHERE)
    return value


def _one_of(allowed: tuple[str, ...]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        text = _text(value)
        if text not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}{nearest(text, allowed)}")
        return text

    return check


def _url(value: Any, schemes: tuple[str, ...]) -> str:
    text = _text(value).strip()
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise ValueError("is not a URL") from None
    if "@" in parts.netloc:
        raise ValueError(f"has a user name or password before the @; {ELSEWHERE}")
    if redact_text(text) != text:
        raise ValueError(ELSEWHERE)
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError(f"must be a whole URL, beginning with {_or(schemes)}")
    return text


def _or(schemes: tuple[str, ...]) -> str:
    *first, last = (f"{one}://" for one in schemes)
    return f"{', '.join(first)} or {last}"


def _base_url(value: Any) -> str:
    text = _url(value, ("https", "http"))
    if "?" in text or "#" in text:
        raise ValueError("what follows the ? belongs into query = { name = value }")
    return text.rstrip("/")


def _proxy(value: Any) -> str:
    return _url(value, PROXIES)


def _path(value: Any) -> str:
    text = _text(value)
    if not text.startswith("/") or text.startswith("//") or "?" in text or "#" in text or " " in text:
        raise ValueError("must begin with one / and hold no ?, # or space")
    return text


def _variable(value: Any) -> str:
    if not isinstance(value, str) or not _VARIABLE.fullmatch(value):
        raise ValueError("must be the name of an environment variable, never the key itself")
    return _text(value)


def _texts(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError('must be a table, such as { "name" = "value" }')
    for key, one in value.items():
        if not isinstance(one, str):
            raise ValueError(f"{key} must be text in quotes")
        if _CONTROL.search(one):
            raise ValueError(f"{key} has a control character in it")
    return value


def _query(value: Any) -> dict[str, str]:
    for key, one in _texts(value).items():
        if redact_text(f"?{key}={one}") != f"?{key}={one}":
            raise ValueError(f"{key}: {ELSEWHERE}")
    return dict(value)


def _headers(value: Any) -> dict[str, str]:
    for key, one in _texts(value).items():
        if not _FIELD.fullmatch(key):
            raise ValueError(f"{key!r} is not a name that a header can have")
        if redact_headers([(key, one)])[1]:
            raise ValueError(f"{key}: {ELSEWHERE}")
        if not one.isascii():
            raise ValueError(f"{key} may hold ASCII only")
    return dict(value)


def _body(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("must be a table")
    if redact_request({"body": value})[1]:
        raise ValueError(ELSEWHERE)
    _json(value)
    return dict(value)


def _json(value: Any) -> None:
    if isinstance(value, dict):
        for key, one in value.items():
            if KEY_SHAPES.search(key):
                raise ValueError(ELSEWHERE)
            _json(one)
    elif isinstance(value, list):
        for one in value:
            _json(one)
    elif isinstance(value, str):
        if redact_text(value) != value:
            raise ValueError(ELSEWHERE)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("JSON has no infinity and no NaN")
    elif not isinstance(value, int):
        raise ValueError("JSON has no dates and times: put them in quotes")


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise ValueError("must be a number of seconds above 0")
    return float(value)


CHECKS: dict[str, Callable[[Any], Any]] = {
    "title": _text,
    "base_url": _base_url,
    "path": _path,
    "dialect": _one_of(tuple(ASKING)),
    "model": _text,
    "auth": _one_of(AUTHS),
    "key_env": _variable,
    "key_keyring": _text,
    "query": _query,
    "headers": _headers,
    "extra_body": _body,
    "ca_file": _text,
    "proxy": _proxy,
    "timeout_idle_s": _seconds,
    "preset": _text,
}
"""Key of an entry -> its check."""
