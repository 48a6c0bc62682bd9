"""A recorded answer with something changed: repairs that a gateway could make, and troubles that a client should stand.

A variation is one file here, found by its name; a test picks it up. It has

    NAME            what the command line calls it, as "drop-nulls"
    TITLE           what it does to the stream, one sentence in the imperative without a full stop
    SORT            REPAIR, or TROUBLE
    KEEPS_MEANING   whether the reference still reads the same blocks
    FRAMINGS        the framings it knows how to change; left out where any will do
    ARGUMENT        an `Argument`, where it takes one
    unfit(reading)  why it makes no sense for this stream, in words, else ""; left out where it always does
    suggest(reading, rules)  the argument that a reader with these rules would need here, else ""; may be left out
    CASES           paths of `serve --suite`: name -> (argument, what it does); left out where NAME is the only one
    CHANGES_END     True where the transfer ends otherwise than before
    apply(reading, argument="")  the exchange of a complete reading of the reference, changed; the recording stays

`apply` is pure, and raises `ArgumentFault` alone. Where nothing is to be changed it gives the exchange itself. A
changed event keeps the time of its read, a byte that is only split off as well; no time is made up.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import NamedTuple

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.registry import discover
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, TROUBLE, Argument, ArgumentFault

__all__ = [
    "NOTHING", "REPAIR", "TROUBLE", "Argument", "ArgumentFault", "How", "Wish", "apply", "no_effect", "read_changed",
    "suggested", "unfit", "variations", "vary",
]  # fmt: skip

Wish = tuple[str, str]
"""The name of a variation and its argument, which may be empty."""


NOTHING = "changes nothing here"
"""Why a variation that fits does nothing."""


class How(NamedTuple):
    """What is not recognised anew: the names of a dialect and of a framing, None where they are."""

    dialect: str | None
    framing: str | None


_FRAMING_WORDS = {
    "sse": "server-sent events", "ndjson": "JSON lines", "json-array": "a JSON array", "json": "one JSON document",
    "aws-eventstream": "AWS frames", "html": "a web page",
    "coded-lines": "lines with a code before each", "text": "plain text", "none": "nothing",
}  # fmt: skip


def variations(sort: str | None = None) -> dict[str, ModuleType]:
    """All variations by name, or those of one sort."""
    return {module.NAME: module for module in discover(__name__) if sort in (None, module.SORT)}


def unfit(module: ModuleType, reading: Reading) -> str:
    """Why a variation cannot be applied to a stream, in words; empty where it can."""
    framings = getattr(module, "FRAMINGS", None)
    if framings is not None and reading.framing not in framings:
        *some, last = (_FRAMING_WORDS[name] for name in sorted(framings, reverse=True))
        known = f"{', '.join(some)} or {last}" if some else last
        return f"needs {known}; this is {_FRAMING_WORDS.get(reading.framing, reading.framing)}"
    why = getattr(module, "unfit", None)
    found = why(reading) if why is not None else ""
    return str(found)


def suggested(module: ModuleType, reading: Reading, rules: ReadingRules) -> str:
    """The argument that would help a reader with these rules, as far as the stream tells; empty where none is known."""
    suggest = getattr(module, "suggest", None)
    return "" if suggest is None or unfit(module, reading) else str(suggest(reading, rules))


def apply(module: ModuleType, reading: Reading, argument: str = "") -> Exchange:
    """The exchange with one variation applied; itself where the variation does not fit. Raises ArgumentFault."""
    if unfit(module, reading):
        return reading.exchange
    exchange: Exchange = module.apply(reading, argument) if hasattr(module, "ARGUMENT") else module.apply(reading)
    return exchange


def no_effect(module: ModuleType, reading: Reading, made: Exchange) -> str:
    """Why the exchange that `apply` made is still the one of the reading, in words; empty where it is another."""
    return "" if made is not reading.exchange else unfit(module, reading) or NOTHING


def vary(reading: Reading, wishes: Iterable[Wish], kit: Kit) -> Exchange:
    """The exchange of a reading of the reference with several variations, each applied to what the last one gave.

    Raises KeyError for an unknown name, ArgumentFault for a wrong argument.
    """
    known = variations()
    for name, argument in wishes:
        changed = apply(known[name], reading, argument)
        if changed is not reading.exchange:
            reading, _ = read_changed(changed, reading, kit)
    return reading.exchange


def read_changed(exchange: Exchange, before: Reading, kit: Kit, *, diagnose: bool = False) -> tuple[Reading, How]:
    """The reference reading of an exchange that was changed, and what it was told of it.

    A client knows which API it asked: framing and dialect stay what they were before, also where what is left speaks
    less clearly for them.
    """
    how = How(None, before.framing if before.framing in kit.framings else None)
    reading = _read(exchange, kit, how, diagnose)
    lost = reading.dialect != before.dialect or _unknown(reading) > _unknown(before)
    if lost and before.dialect in kit.names:
        how = how._replace(dialect=before.dialect)
        reading = _read(exchange, kit, how, diagnose)
    return reading, how


def _unknown(reading: Reading) -> int:
    """How many statements nobody understands."""
    rows = [sum(row[0] == "unknown" for row in layout.rows) for layout in reading.layouts.all]
    return sum(rows[number] for number in reading.events.layouts)


def _read(exchange: Exchange, kit: Kit, how: How, diagnose: bool) -> Reading:
    analysis = Analysis(exchange, kit, dialect=how.dialect, framing=how.framing, diagnose=diagnose)
    for piece in exchange.chunks():
        analysis.feed(piece)
    return analysis.finish()
