"""How the wire's text and our numbers are shown: the one place that makes them safe to look at.

Digits are grouped, and units set off, by a thin space (look.md, Type).
"""

from __future__ import annotations

import re
from collections.abc import Callable

THIN_SPACE = "\u2009"

_SURROGATE = re.compile("[\ud800-\udfff]")

# Controls, and everything that is drawn as nothing or reorders what is drawn. The selectors FE0E and
# FE0F stay: they belong to ordinary emoji.
_HIDDEN = re.compile(
    "["
    "\u0000-\u001f\u007f-\u009f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "]"
)

_UNITS = ("kB", "MB", "GB", "TB", "PB")


def clip(text: str, limit: int) -> str:
    """The first `limit` characters, and how many more there are."""
    more = len(text) - limit
    if more <= 0:
        return text
    return f"{text[:limit]} … (+{number(more)} {'character' if more == 1 else 'characters'})"


def join_halves(text: str) -> str:
    """Surrogate halves that stand side by side become the character they mean; a lone half stays (R13)."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def encodable(text: str) -> str:
    """The text as UTF-8 can hold it: halves joined, a lone one is U+FFFD."""
    return _SURROGATE.sub("\ufffd", join_halves(text))


def visible(text: str, keep: str = "") -> str:
    """The text for a view: whatever has no picture of its own gets one, except the characters in `keep`.

    Controls up to U+007F become their symbols (U+2400 and on); other controls, marks that reorder
    text, invisible characters and lone surrogates stand as `‹U+202E›`.
    """
    return _replace(join_halves(text), keep, _symbol)


def terminal(text: str, keep: str = "") -> str:
    r"""The text for a terminal: what `visible` marks stands as an escape (`\x1b`, `\u202e`), except what is in `keep`.

    A lone surrogate is U+FFFD, so the result can always be encoded.
    """
    return _replace(encodable(text), keep, _escape)


def number(value: int) -> str:
    """9310 -> 9 310."""
    return f"{value:,}".replace(",", THIN_SPACE)


def size(count: int) -> str:
    """Bytes with a decimal unit: 512 B, 47.6 kB."""
    if count < 1000:
        return f"{count}{THIN_SPACE}B"
    divisor = 1000
    for unit in _UNITS:
        tenths = (count * 10 + divisor // 2) // divisor
        if tenths < 10_000 or unit == _UNITS[-1]:
            break
        divisor *= 1000
    return f"{number(tenths // 10)}.{tenths % 10}{THIN_SPACE}{unit}"


def duration(nanoseconds: int) -> str:
    """Milliseconds under one second (with a decimal under ten), then seconds with two decimals."""
    if nanoseconds < 0:
        return f"-{duration(-nanoseconds)}"
    tenths = (nanoseconds + 50_000) // 100_000
    if 0 < tenths < 100:
        return f"{tenths // 10}.{tenths % 10}{THIN_SPACE}ms"
    milliseconds = (nanoseconds + 500_000) // 1_000_000
    if milliseconds < 1000:
        return f"{milliseconds}{THIN_SPACE}ms"
    hundredths = (nanoseconds + 5_000_000) // 10_000_000
    return f"{number(hundredths // 100)}.{hundredths % 100:02}{THIN_SPACE}s"


def _replace(text: str, keep: str, picture: Callable[[int], str]) -> str:
    return _HIDDEN.sub(lambda found: found[0] if found[0] in keep else picture(ord(found[0])), text)


def _symbol(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"‹U+{code:04X}›"


def _escape(code: int) -> str:
    short = {0x09: r"\t", 0x0A: r"\n", 0x0D: r"\r"}.get(code)
    return short or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
