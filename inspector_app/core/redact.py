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

BODY = (
    *("*authorization*", "*apikey*", "*secret*", "*password*", "passwd", "passphrase", "bearer", "jwt"),
    *("*accesstoken", "*authtoken", "*bearertoken", "*refreshtoken", "*sessiontoken", "*apitoken", "idtoken"),
    *("*accesskey*", "*privatekey*"),
)
"""Names of members of a request body, in lower case without - and _, whose string values never reach a file."""

DOUBTFUL = ("key", "token", "auth", "credential", "credentials")
"""Names as those of BODY that often mean something else: their values are masked where they look like a key."""

HOLDERS = ("auth", "authentication", "authorization", "credential", "credentials")
"""Members of a request body that hold credentials as members of their own: each text under HELD is one."""

HELD = ("*key*", "*token*", "value", "credential", "pat")

_NAMES_OF_KINDS = ("*type*", "*format*", "*name*", "*url*", "*uri*", "*field*", "*header*")
"""Members of HOLDERS that tell what a key is, and none themselves."""


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
_SCHEME = re.compile(
    r'\s*(?:(bearer)|basic|token|key|apikey|api-key)[ \t]+(?:token="?)?([^\s=",]+=*)"?\s*', re.IGNORECASE
)
"""An auth scheme and what it carries, in a header field of any name; parameters, as `realm="x"`, are none."""
_WORD = re.compile(r"[A-Za-z][a-z]{0,13}|\d{1,9}")
"""What stands behind a word that is a scheme too, as in "key features", and is no key."""
_BEGUN_KEY = re.compile(r"(?:sk|pk|rk|xai|pplx|csk|nvapi)-[\w-]{4,}|(?:gsk|hf|r8|ghp|gho|ghs)_\w{4,}")
_MIXED = re.compile(r"(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}", re.IGNORECASE)
_PIECES = re.compile(r"[^A-Za-z\d]+")
LEAST_KEY = 12
"""Characters from which letters mixed with digits look like a key."""
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


def scheme_key(value: str) -> tuple[int, int] | None:
    """Where the key stands in the value of a header field that begins with an auth scheme: [start, end); None where
    the value is something else.
    """
    found = _SCHEME.fullmatch(value)
    if found is None or (not found[1] and _WORD.fullmatch(found[2])):
        return None
    return found.span(2)


def looks_like_key(value: str) -> bool:
    """Whether a text that need not be a secret is one by its looks: one word, letters mixed with digits."""
    if re.search(r"\s", value):
        return False
    if KEY_SHAPES.search(value) or _BEGUN_KEY.fullmatch(value) or scheme_key(value) is not None:
        return True
    return len(value) >= LEAST_KEY and any(_MIXED.fullmatch(piece) for piece in _PIECES.split(value))


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
        shown = mask(value) if secret else redact_text(_without_scheme_key(value))
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


def _without_scheme_key(value: str) -> str:
    place = scheme_key(value)
    return value if place is None else value[: place[0]] + mask(value[slice(*place)]) + value[place[1] :]


def _redact_members(value: Any, holder: str = "") -> Any:
    """`holder` is the member that the value is under, as `_bare` writes it."""
    if isinstance(value, dict):
        return {name: _redact_member(name, member, holder) for name, member in value.items()}
    if isinstance(value, list):
        return [_redact_members(member, holder) for member in value]
    return value


def _redact_member(name: str, value: Any, holder: str) -> Any:
    bare = _bare(name)
    if not isinstance(value, str):
        return _redact_members(value, bare)
    if holder == "headers":
        return redact_headers([(name, value)])[0][0][1]
    held = holder in HOLDERS and _among(bare, HELD) and not _among(bare, _NAMES_OF_KINDS)
    if value and (held or _among(bare, BODY) or (bare in DOUBTFUL and looks_like_key(value))):
        return mask(value)
    return _without_scheme_key(value) if bare in DOUBTFUL else value


def _bare(name: str) -> str:
    return name.strip().lower().replace("-", "").replace("_", "")


def _among(name: str, patterns: tuple[str, ...]) -> bool:
    lower = name.strip().lower()
    return any(fnmatchcase(lower, pattern) for pattern in patterns)


def _mask_parameter(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}={mask(found[3])}" if _is_secret(found) else found[0]


def _is_secret(parameter: re.Match[str]) -> bool:
    return bool(parameter[3]) and _among(unquote_plus(parameter[2]), QUERY)


def _mask_user(found: re.Match[str]) -> str:
    return found[1] + mask(found[2]) + found[3]
