"""How the wire's text and our numbers are shown: the one place that makes them safe to look at.

Digits are grouped, and units set off, by a thin space (look.md, Type).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from inspector_app.core import joiners

THIN_SPACE = "\u2009"

_SURROGATE = re.compile("[\ud800-\udfff]")

# Controls, and everything that is drawn as nothing or reorders what is drawn; what of it is text in its place says
# joiners.py.
_HIDDEN = re.compile(
    "["
    "\u0000-\u001f\u007f-\u009f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "]"
)

MARKS = 8
"""More marks on one letter than any writing has would be drawn over all that stands above and below."""

_MARK = (
    "[\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
    "\u0730-\u074a\u0900-\u0902\u093c\u0941-\u0948\u094d\u0951-\u0957\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    "\u0ec8-\u0ecd\u0f71-\u0f7e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ua66f-\ua67d\ufe20-\ufe2f]"
)
_HEAPED = re.compile(f"({_MARK}{{{MARKS}}})({_MARK}+)")

NEAR = 16
"""Characters around a text that can tell whether an invisible one at its edge is part of the writing."""

_UNITS = ("kB", "MB", "GB", "TB", "PB")


def clip(text: str, limit: int) -> str:
    """The first `limit` characters, and how many more there are; what is drawn as one is not cut in two."""
    if len(text) <= limit:
        return text
    limit = joiners.cut_before(text, limit)
    more = len(text) - limit
    return f"{text[:limit]} … (+{number(more)} {'character' if more == 1 else 'characters'})"


def join_halves(text: str) -> str:
    """Surrogate halves that stand side by side become the character they mean; a lone half stays (R13)."""
    if text.isascii():
        return text
    try:
        text.encode()  # the fastest way to see that there is none
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text


def encodable(text: str) -> str:
    """The text as UTF-8 can hold it: halves joined, a lone one is U+FFFD."""
    return _SURROGATE.sub("\ufffd", join_halves(text))


def visible(text: str, keep: str = "", before: str = "", after: str = "") -> str:
    """The text for a view: whatever has no picture of its own gets one, except the characters in `keep`.

    Controls up to U+007F become their symbols (U+2400 and on); other controls, marks that reorder
    text, invisible characters and lone surrogates stand as `‹U+202E›`, except where joiners.py says that they are
    text; `before` and `after` are what the text stands between. Of a heap of marks on one letter the first MARKS are
    shown, and how many more there are.
    """
    if text.isascii() and not keep and text.isprintable():
        return text
    shown = _replace(join_halves(text), keep, _symbol, before, after)
    return shown if shown.isascii() else _HEAPED.sub(_unheaped, shown)


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


def _replace(text: str, keep: str, picture: Callable[[int], str], before: str = "", after: str = "") -> str:
    if not before and not after:
        whole, shift = text, 0
    else:
        before, after = before[-NEAR:], after[:NEAR]
        whole, shift = before + text + after, len(before)

    def shown(found: re.Match[str]) -> str:
        sign = found[0]
        return sign if sign in keep or joiners.is_text(whole, found.start() + shift) else picture(ord(sign))

    return _HIDDEN.sub(shown, text)


def _unheaped(found: re.Match[str]) -> str:
    more = len(found[2])
    return f"{found[1]}‹+{number(more)} mark{'' if more == 1 else 's'}›"


def _symbol(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"‹U+{code:04X}›"


def _escape(code: int) -> str:
    short = {0x09: r"\t", 0x0A: r"\n", 0x0D: r"\r"}.get(code)
    return short or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
