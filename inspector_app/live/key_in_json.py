"""How a key may be written inside a JSON text: whoever writes it escapes what they like, character by character."""

from __future__ import annotations

import re

Spelling = tuple[tuple[bytes, ...], ...]
"""For each character of a key the ways to write it, the longest first; the hexadecimal digits are in lower case."""

_SHORT = {one: f"\\{one}" for one in '"\\/'}
_UNICODE = re.compile(rb"\\u([0-9a-f]{4})")


def spelling_of(secret: str) -> Spelling:
    """The ways to write each character: as `\\uXXXX`, behind a backslash, and as it is (RFC 8259, section 7)."""
    return tuple(
        tuple(form.encode() for form in (_escaped(one), _SHORT.get(one), one) if form is not None) for one in secret
    )


def pattern_of(spelling: Spelling) -> bytes:
    """A regular expression for a key, whatever of it is escaped."""
    return b"".join(b"(?:%b)" % b"|".join(map(_alternative, forms)) for forms in spelling)


def is_begun(spelling: Spelling, data: bytes, at: int) -> bool:
    """Whether the bytes from `at` to the end of the data are the beginning of a key, and not all of it."""
    places = {at}
    for forms in spelling:
        after = set()
        for place in places:
            for form in forms:
                piece = data[place : place + len(form)]
                if form.startswith(b"\\u"):
                    piece = piece[:2] + piece[2:].lower()
                if piece == form:
                    after.add(place + len(form))
                elif len(piece) < len(form) and form.startswith(piece):
                    return True
        places = after
    return False


def _escaped(character: str) -> str:
    """Its UTF-16 units as escapes."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _alternative(form: bytes) -> bytes:
    if _UNICODE.match(form):
        return _UNICODE.sub(rb"\\\\u(?i:\1)", form)
    return re.escape(form)
