"""A recorded request as a command for curl, to be pasted into a POSIX shell.

What is masked, or is a key by its name or its shape, becomes a variable of the shell that must be set first:
`"${AUTHORIZATION:?}"`. Nothing of the request can end the quotes, name a file (`@file`) or become an option.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

from inspector_app.core.redact import redact_request, redact_text
from inspector_app.core.text import encodable

LONGEST_ARGUMENT = 100_000
"""Bytes; Linux takes 128 KiB in one argument. A longer body goes through standard input."""

COMPUTED = (
    "host",
    "content-length",
    "connection",
    "transfer-encoding",
    "accept-encoding",
    "expect",
    "keep-alive",
    "te",
)
"""Headers that curl sets itself, or that would change how the answer comes."""

_MASK = re.compile(r"<redacted: sha256:([0-9a-f]{8}), \d+ chars>")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_PARAMETER = re.compile(r"[?&;]([^=&;?\s]+)=\Z")


def curl_command(request: dict[str, Any] | None) -> str | None:
    """The command, or None where the request is not known well enough or cannot be given to curl: no URL of http or
    https, a NUL in the body.
    """
    if request is None or not isinstance(request.get("url"), str):
        return None
    fit = redact_request(request)[0]
    url, method = fit["url"], str(fit.get("method") or "")
    body = _body(fit.get("body"))
    if not url.lower().startswith(("http://", "https://")) or "\0" in url or (body is not None and "\0" in body):
        return None
    names = _Variables()
    parts = ["curl --no-buffer"]
    if any(sign in url for sign in "[]{}"):
        parts.append("--globoff")
    if _TOKEN.fullmatch(method) and method.upper() != ("GET" if body is None else "POST"):
        parts.append(f"--request {shlex.quote(method)}")
    parts.append(f"--url {names.quoted(url)}")
    parts += [f"--header {words}" for words in _headers(fit.get("headers") or (), names)]
    if body is None:
        return " \\\n  ".join(parts)
    if len(body.encode()) > LONGEST_ARGUMENT:
        end = "BODY"
        while end in body:
            end += "_"
        return " \\\n  ".join([*parts, f"--data-binary @- <<{end}"]) + f"\n{names.in_document(body)}\n{end}"
    # Of a body that begins with @ the other options would send a file.
    option = "--data-raw" if body.startswith("@") else "--data-binary"
    return " \\\n  ".join([*parts, f"{option} {names.quoted(body)}"])


def _body(body: Any) -> str | None:
    if body is None or body == "":
        return None
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str)
    return encodable(redact_text(text))


def _headers(headers: Any, names: _Variables) -> Iterator[str]:
    for name, value in headers:
        if not _TOKEN.fullmatch(name) or name.lower() in COMPUTED:
            continue
        # A line break would begin another header.
        value = re.sub(r"[\r\n\0]+", " ", encodable(value)).strip()
        yield names.quoted(f"{name}: {value}" if value else f"{name};", name)


class _Variables:
    """The variables that stand for secrets: one for each secret, named after the place where it was met first."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def quoted(self, text: str, place: str = "") -> str:
        """The text as one word of the shell; `place` is the header it belongs to."""
        out = []
        for plain, variable in self._pieces(encodable(text), place):
            out += [shlex.quote(plain)] if plain else []
            out += [f'"${{{variable}:?}}"'] if variable else []
        return "".join(out)

    def in_document(self, text: str) -> str:
        """The text as part of a here-document whose variables are replaced."""
        out = []
        for plain, variable in self._pieces(text, ""):
            out.append(re.sub(r"[\\$`]", r"\\\g<0>", plain))
            out += [f"${{{variable}:?}}"] if variable else []
        return "".join(out)

    def _pieces(self, text: str, place: str) -> Iterator[tuple[str, str]]:
        at = 0
        for found in _MASK.finditer(text):
            before = text[at : found.start()]
            parameter = _PARAMETER.search(before)
            yield before, self._name(found[1], place or (parameter[1] if parameter else ""))
            at = found.end()
        if at < len(text) or not at:
            yield text[at:], ""

    def _name(self, digest: str, place: str) -> str:
        if digest not in self._names:
            word = re.sub(r"[^A-Z0-9]+", "_", place.upper()).strip("_") or "SECRET"
            word = word if word[0].isalpha() else f"SECRET_{word}"
            taken = set(self._names.values())
            number, name = 2, word
            while name in taken or name in ("PATH", "HOME", "IFS", "ENV", "SHELL"):
                name, number = f"{word}_{number}", number + 1
            self._names[digest] = name
        return self._names[digest]
