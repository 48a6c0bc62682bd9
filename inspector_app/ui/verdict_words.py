"""What is said of two readings that stand side by side, in the words of the verdict strip and the findings."""

from __future__ import annotations

import re

from inspector_app.core.reading import Reading
from inspector_app.core.text import number, visible
from inspector_app.lenses import LITERAL, REFERENCE, repairs_of
from inspector_app.report.outline import finish
from inspector_app.ui.session import Session

_COUNTED = re.compile(r"([\d\u2009]+) ([a-z ]+?) instead of ([\d\u2009]+)(, .*)?")
NAMED = 3
"""Repairs that are named; more are counted."""


def side_by_side(headline: str, other: str) -> str:
    """"149 reasoning blocks instead of 1" as "1 reasoning block; ZCode 3.11 shows 149"; empty where nothing is counted.

    `other` introduces the second count.
    """
    counted = _COUNTED.fullmatch(headline)
    if counted is None:
        return ""
    theirs, what, ours, rest = counted.groups()
    noun = what.removesuffix("s") if ours == "1" else what if what.endswith("s") else what + "s"
    return f"{ours} {noun}; {other} {theirs}{rest or ''}"


def literal_words(session: Session) -> tuple[str, str]:
    """Headline and cause while the reference and the literal reading stand side by side, else empty."""
    reference, literal, difference = session.reference, session.readings.get(LITERAL), session.literal
    if {session.primary, session.secondary} != {REFERENCE, LITERAL}:
        return "", ""
    if reference is None or literal is None or difference is None:
        return "", ""
    repairs = repairs_of(reference)
    if not repairs:
        return "Literally the same", "the reference repairs nothing here"
    names = ", ".join(repairs[:NAMED])
    if len(repairs) > NAMED:
        names += f" and {number(len(repairs) - NAMED)} more"
    if difference.verdict != "same":
        words = side_by_side(difference.headline, "literally")
        words = words or f"Literally: {difference.headline[:1].lower()}{difference.headline[1:]}"
        return words, ", ".join(filter(None, (f"without the repair of {names}", difference.cause)))
    ours, theirs = _finish(reference), _finish(literal)
    if ours != theirs:
        return f"The same blocks; finish literally {theirs}, not {ours}", f"without the repair of {names}"
    return "Literally the same blocks", f"{names} changes none of them"


def _finish(reading: Reading) -> str:
    return ", ".join(visible(str(entry["raw"])) if entry["raw"] else "none" for entry in finish(reading)) or "none"
