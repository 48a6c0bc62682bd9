"""What the HTTP layer finds wrong with a message, in words for people: its own speak of its inside."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

BROKEN = "it breaks the rules of HTTP"
"""Where nothing better is known."""

_CHUNKS = "the chunked coding of the {of} is broken"
_SAID: tuple[tuple[str, str], ...] = (
    (r"illegal chunk header: (.*)", rf"{_CHUNKS}: \1 stands where the size of a chunk should"),
    (r"malformed chunk footer: (.*?)(?: \(expected .*\))?", rf"{_CHUNKS}: \1 stands where the end of a chunk should"),
    (r"illegal status line: (.*)", r"\1 is no status line"),
    (r"illegal request line: .*", "its first line is not like POST /path HTTP/1.1"),
    (r"illegal request line|no (?:request|response) line received", "its first line is none of HTTP"),
    (r"illegal header line: (.*)", r"\1 is no header field"),
    (r"continuation line at start of headers", "its first header field begins with a space"),
    (r"Missing mandatory Host: header", "it names no Host"),
    (r"Found multiple Host: headers", "it names more than one Host"),
    (r"conflicting Content-Length headers", "it says in two ways how long it is"),
    (r"bad Content-Length", "its Content-Length is no number, or far too large a one"),
    (r"multiple Transfer-Encoding headers", "it has more than one Transfer-Encoding"),
    (r"Only Transfer-Encoding: chunked is supported", "its Transfer-Encoding is another one than chunked"),
    (r"(?:Informational)?Response status_code should be in range .*, not (\d+)", r"\1 is no status of HTTP"),
    (r"Received server _SWITCH_.*", "it goes over to another protocol (HTTP 101), which was not asked for"),
    (r"Receive buffer too long", "a line of it is too long"),
    (r"Illegal header (?:name|value) .*", "a header field of the request has a character in it that none may have"),
)  # fmt: skip
"""What h11 (0.16) and the reader of bodies (body.py) say -> what is said here. `{of}`: of which kind of message."""
_BYTES = re.compile(r"""(?:bytearray\()?\b(b(?:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"))\)?""")
"""Bytes as Python shows them."""


def in_words(said: str, of: str, show: Callable[[bytes], str]) -> str:
    """`of` is "request" or "answer"; `show` gives what may be shown of a line of it. BROKEN where nobody knows."""
    for pattern, words in _SAID:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            shown = [_BYTES.sub(lambda one: show(ast.literal_eval(one[1])), group) for group in found.groups()]
            return words.replace("{of}", of).replace("\\1", shown[0] if shown else "")
    return BROKEN
