"""Which invisible characters are part of the writing around them, and which characters belong to one picture.

A joiner or a selector is text where Unicode gives it an effect on its neighbours, and nowhere else; everywhere else it
hides something (CVE-2021-42574, and data that is smuggled in selectors and tags):

- U+200D between two pictographs (a family, a profession), the first with its selector or skin tone;
- U+200C and U+200D between two letters of one joining or Indic script, marks not counted, or right after a virama
  (RFC 5892, A.1 and A.2);
- U+FE0E and U+FE0F right after a character that has an emoji form;
- a selector of Mongolian right after a Mongolian letter, an ideographic variation selector right after a Han character;
- the tags of the three flags that Unicode recommends, whole, right after the black flag.
"""

from __future__ import annotations

import re
import unicodedata

ZWNJ, ZWJ = "\u200c", "\u200d"
MARKS_BETWEEN = 8
"""Marks that may stand between a joiner and its letter."""
LONGEST = 64
"""Characters of one picture; what claims to be longer may be cut."""

_EMOJI = re.compile(
    "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u2300-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_PICTOGRAPH = re.compile(
    "[\u00a9\u00ae\u2122\u2194-\u21aa\u2300-\u23ff\u25aa-\u27bf\u2b05-\u2b55\U0001f000-\U0001faff]"
)
_TONE = re.compile("[\U0001f3fb-\U0001f3ff]")
_FLAG = "\U0001f3f4"
_REGIONS = tuple(
    "".join(chr(0xE0000 + ord(sign)) for sign in name) + "\U000e007f" for name in ("gbeng", "gbsct", "gbwls")
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_MONGOLIAN = re.compile("[\u1820-\u18aa]")
_INDICATOR = re.compile("[\U0001f1e6-\U0001f1ff]")
_HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")

_SCRIPTS = tuple(
    re.compile(f"[{letters}]")
    for letters in (
        "\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc\U00010ec0-\U00010eff",  # Arabic
        "\u0700-\u074f\u0860-\u086f",  # Syriac
        "\u07c0-\u07ff",  # N'Ko
        "\u0840-\u085f",  # Mandaic
        "\u1800-\u18af",  # Mongolian
        "\ua840-\ua87f",  # Phags-pa
        "\U00010ac0-\U00010aff",  # Manichaean
        "\U00010d00-\U00010d3f",  # Hanifi Rohingya
        "\U0001e900-\U0001e95f",  # Adlam
        "\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff",  # Devanagari
        *(f"{chr(first)}-{chr(first + 0x7F)}" for first in range(0x980, 0xE00, 0x80)),  # Bengali to Sinhala
        "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f",  # Myanmar
        "\u1780-\u17ff",  # Khmer
        "\u1b00-\u1b7f",  # Balinese
        "\ua980-\ua9df",  # Javanese
        "\U00011000-\U000114df",  # Brahmi to Tirhuta
    )
)
_INVISIBLE_MARKS = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def is_text(text: str, at: int) -> bool:
    """Whether the invisible character `text[at]` is part of the writing around it."""
    sign = text[at]
    if sign in (ZWNJ, ZWJ):
        return _joins(text, at) or (sign == ZWJ and _joins_pictographs(text, at))
    if "\U000e0020" <= sign <= "\U000e007f":
        return _in_flag(text, at)
    for selectors, bases in _SELECTORS:
        if selectors[0] <= sign <= selectors[1]:
            return at > 0 and bases.match(text[at - 1]) is not None
    return False


_SELECTORS = (
    (("\ufe0e", "\ufe0f"), _EMOJI),
    (("\u180b", "\u180f"), _MONGOLIAN),
    (("\U000e0100", "\U000e01ef"), _HAN),
)


def starts_picture(text: str, at: int) -> bool:
    """Whether text may be cut before `text[at]`, as far as the two characters there tell (UAX 29 in short)."""
    if not 0 < at < len(text):
        return True
    sign, before = text[at], text[at - 1]
    if (sign.isascii() and before.isascii()) or before < " ":
        return True
    if sign in (ZWNJ, ZWJ) or sign == "\u0e33" or sign == "\u0eb3" or unicodedata.category(sign)[0] == "M":
        return False
    if before == ZWJ or _TONE.match(sign) or "\U000e0020" <= sign <= "\U000e007f":
        return False
    if unicodedata.combining(before) == 9 and unicodedata.category(sign) == "Lo":
        return False
    if _INDICATOR.match(sign) and _INDICATOR.match(before):
        first = at - 1
        while first > max(0, at - LONGEST) and _INDICATOR.match(text[first - 1]):
            first -= 1
        return (at - first) % 2 == 0
    return not (_HANGUL.match(sign) and _HANGUL.match(before))


def picture_at(text: str, at: int) -> tuple[int, int]:
    """The characters [start, end) that are drawn as one together with `text[at]`."""
    start, end = at, at + 1
    while start > max(0, at - LONGEST) and not starts_picture(text, start):
        start -= 1
    while end < min(len(text), at + LONGEST) and not starts_picture(text, end):
        end += 1
    return start, end


def cut_before(text: str, at: int, least: int = 0) -> int:
    """The last place at or before `at` where text may be cut without tearing a picture; `at` if that is too far off
    or not behind `least`.
    """
    for place in range(at, max(least, at - LONGEST), -1):
        if starts_picture(text, place):
            return place
    return at


def _joins(text: str, at: int) -> bool:
    if at and unicodedata.combining(text[at - 1]) == 9:
        return True
    before, after = _letter(text, at - 1, -1), _letter(text, at + 1, 1)
    return bool(before and after) and any(script.match(before) and script.match(after) for script in _SCRIPTS)


def _letter(text: str, at: int, step: int) -> str:
    """The letter that is next in a direction, over the marks that belong to it."""
    for _ in range(MARKS_BETWEEN + 1):
        if not 0 <= at < len(text):
            break
        kind = unicodedata.category(text[at])
        if kind[0] == "L":
            return text[at]
        if kind[0] != "M" or _INVISIBLE_MARKS.match(text[at]):
            break
        at += step
    return ""


def _joins_pictographs(text: str, at: int) -> bool:
    base = at - 1
    if base > 0 and (text[base] == "\ufe0f" or _TONE.match(text[base])):
        base -= 1
    after = text[at + 1 : at + 2]
    return base >= 0 and bool(_PICTOGRAPH.match(text[base]) and _PICTOGRAPH.match(after)) and not _TONE.match(after)


def _in_flag(text: str, at: int) -> bool:
    flag = text.rfind(_FLAG, max(0, at - 6), at)
    return flag >= 0 and text.startswith(_REGIONS, flag + 1)
