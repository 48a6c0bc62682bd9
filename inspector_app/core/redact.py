"""What is a credential, and the mask that takes its place: the one list for recorder, exports and display.

The mask keeps length and the start of a SHA-256, so two recordings can be told to use the same key.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import unquote_plus

HEADERS = (
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "xi-api-key",
    "x-amz-security-token",
    "*authorization*",
    "*-auth",
    "*api-key*",
    "*api_key*",
    "*apikey*",
    "*subscription-key*",
    "x-functions-key",
    "*cookie*",
    "*token*",
    "*secret*",
    "*password*",
    "*credential*",
)
"""Names of header fields, in lower case, whose values never reach a file."""

HARMLESS_HEADERS = ("*ratelimit*", "*rate-limit*", "access-control-*")
"""Names that only look like one of HEADERS: they count tokens, or name what a browser may send."""

QUERY = (
    "key",
    "api_key",
    "api-key",
    "apikey",
    "access_token",
    "auth",
    "sig",
    "signature",
    "x-amz-signature",
    "x-amz-credential",
    "*token*",
    "*secret*",
    "*password*",
)
"""Names of query parameters, in lower case, whose values never reach a file."""

BODY = ("*authorization*", "*api-key*", "*api_key*", "*apikey*", "*secret*", "*password*", "access_token", "auth_token")
"""Names of members of a request body, in lower case, whose string values never reach a file."""


def _words(words: str, rest: str) -> str:
    """A pattern of each of some words where no letter, digit or _ stands before it, and the rest behind it. A search
    for it goes from one first letter to the next, and is not held up at each character by a word boundary.
    """
    return "|".join(rf"{word}(?<!\w{word}){rest}" for word in words.split())


KEY_SHAPES = re.compile(
    "|".join(
        (
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
            _words("eyJ", r"[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
            _words("sk- pk- rk- xai- pplx- csk- nvapi-", "[A-Za-z0-9_-]{16,}"),
            _words("gsk_ hf_ r8_ ghp_ gho_ ghs_ github_pat_", "[A-Za-z0-9_]{16,}"),
            _words("AIza", "[0-9A-Za-z_-]{35}"),
            _words("AKIA ASIA", r"[0-9A-Z]{16}\b"),
        )
    ),
    re.DOTALL,
)
"""Text that is a key by its shape, wherever it stands."""

_MASKED = r"<redacted: sha256:[0-9a-f]{8}, \d+ chars>"
_MASK = re.compile(_MASKED)
_NUMBER = re.compile(r"\d{1,9}|true|false")
_PARAMETER = re.compile(rf"([?&;#])([^=&;#?\s]+)=({_MASKED}|[^&;#\s]*)")
_USER = re.compile(r"(://)([^/@\s?#]+)(@)")


def mask(value: str) -> str:
    """The text that stands for a secret; a mask stays as it is."""
    if _MASK.fullmatch(value):
        return value
    digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return f"<redacted: sha256:{digest[:8]}, {len(value)} chars>"


def has_mask(text: str) -> bool:
    """Whether a mask stands somewhere in a text."""
    return _MASK.search(text) is not None


def is_credential_header(name: str) -> bool:
    """Whether the value of a header field is a secret, by its name in any letter case."""
    return _among(name, HEADERS) and not _among(name, HARMLESS_HEADERS)


def redact_text(text: str) -> str:
    """A text with each key by shape, each secret query parameter and each user part of a URL masked."""
    text = _PARAMETER.sub(_mask_parameter, _USER.sub(_mask_user, text))
    return KEY_SHAPES.sub(lambda found: mask(found[0]), text)


def secrets_in(text: str) -> list[tuple[int, int]]:
    """Where the parts of a text stand that `redact_text` masks: [start, end) in characters; they may overlap."""
    found = [(key.start(), key.end()) for key in KEY_SHAPES.finditer(text)]
    found += [user.span(2) for user in _USER.finditer(text)]
    found += [given.span(3) for given in _PARAMETER.finditer(text) if _is_secret(given)]
    return sorted(span for span in found if not _MASK.fullmatch(text, *span))


def redact_headers(headers: Sequence[Sequence[str]]) -> tuple[list[list[str]], list[str]]:
    """Header fields fit for a file, and the lower-case names of those that were masked, each once."""
    fit: list[list[str]] = []
    masked: dict[str, None] = {}
    for name, value in headers:
        # A count or a flag under a name such as `x-token-count` is evidence, and no secret is that short.
        secret = is_credential_header(name) and value != "" and not _NUMBER.fullmatch(value)
        shown = mask(value) if secret else redact_text(value)
        if secret or shown != value or has_mask(shown):
            masked[name.lower()] = None
        fit.append([name, shown])
    return fit, list(masked)


def redact_request(request: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A request (method, url, headers, body) fit for a file, and the names of what was masked in it."""
    fit = dict(request)
    headers, masked = redact_headers(request.get("headers") or [])
    fit["headers"] = headers
    if isinstance(url := request.get("url"), str):
        fit["url"] = redact_text(url)
        if fit["url"] != url or has_mask(url):
            masked.append("url")
    if "body" in request:
        fit["body"] = _redact_members(request["body"])
        if fit["body"] != request["body"] or has_mask(str(request["body"])):
            masked.append("body")
    return fit, masked


def _redact_members(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _redact_member(name, member) for name, member in value.items()}
    if isinstance(value, list):
        return [_redact_members(member) for member in value]
    return value


def _redact_member(name: str, value: Any) -> Any:
    secret = isinstance(value, str) and value and _among(name, BODY)
    return mask(value) if secret else _redact_members(value)


def _among(name: str, patterns: tuple[str, ...]) -> bool:
    lower = name.strip().lower()
    return any(fnmatchcase(lower, pattern) for pattern in patterns)


def _mask_parameter(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}={mask(found[3])}" if _is_secret(found) else found[0]


def _is_secret(parameter: re.Match[str]) -> bool:
    return bool(parameter[3]) and _among(unquote_plus(parameter[2]), QUERY)


def _mask_user(found: re.Match[str]) -> str:
    return found[1] + mask(found[2]) + found[3]
