"""The body ends too soon, and the transfer ends as if that were all: nothing but the missing end tells of it."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Argument, ArgumentFault
from inspector_app.variations._middle import middle
from inspector_app.variations._shorten import shortened

NAME = "cut"
TITLE = "Send the start of the body only, and end the transfer cleanly"
SORT = TROUBLE
KEEPS_MEANING = False
ARGUMENT = Argument(
    "BYTES|byte|event",
    "how many bytes are left; byte and event cut in the middle, in an event with text or a call or behind one",
    "100",
    "byte",
)
CASES = {
    "cut-in-event": ("byte", "End in the middle of an event"),
    "cut-after-event": ("event", "End behind an event, in the middle of the answer"),
}


def apply(reading: Reading, argument: str = "") -> Exchange:
    wanted = argument or "byte"
    if wanted.isdecimal():
        size = int(wanted)
    elif wanted in ("byte", "event"):
        n = middle(reading)
        if n is None:
            return reading.exchange
        start, end = reading.bytes_of(n)
        size = end if wanted == "event" else (start + end) // 2
    else:
        raise ArgumentFault(f"{NAME} needs one of {ARGUMENT.form}; this is {argument!r}")
    return reading.exchange if size >= len(reading.body) else shortened(reading.exchange, size, "eof", True)
