"""What is said of a stream while it is live, and how it ended."""

from __future__ import annotations

import re
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import THIN_SPACE, clip, visible
from inspector_app.core.transfer import ENDS, answer_words
from inspector_app.core.types import Exchange
from inspector_app.live.ends import RESET
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.timeline.clock import SECOND, running

SILENT_NS = SECOND
"""From so long a wait on it is drawn as silence."""
DETAIL = 160
GOOD = ("done", "eof")
SAID = {"reset": RESET}
"""`how` of an end -> a detail that says no more than its words."""
_WHOLE = re.compile(r"HTTP \d+(; )?")


class State(NamedTuple):
    """What the strip says: a head and the time beside it, what follows, the meaning that colours its edge, and at last
    a time that runs on.
    """

    head: str
    time: str = ""
    more: str = ""
    meaning: str = ""
    goes_on: str = ""


def state_of(session: LiveSession) -> State:
    """How far a session is, in words."""
    exchange, growth = session.growth.exchange, session.growth
    if growth.ended:
        return ended(exchange, complete=_is_complete(session.reference))
    if growth.stopped is not None:
        return State("Not recorded", running(session.now), growth.stopped, "error")
    if not session.sent:
        return State("Connecting", running(session.connecting))
    if exchange.http is None:
        return State("Waiting for the answer", running(session.now))
    silent = session.waited >= SILENT_NS
    return State("Recording", running(session.now), meaning="warning" if silent else "")


def _is_complete(reading: Reading | None) -> bool:
    """Whether the answer said its last word, whatever became of the connection."""
    if reading is None:
        return False
    unmarked = getattr(reading.dialect_module, "END_MARKER", None) is None
    return reading.marker is not None or (reading.ended and unmarked and bool(reading.finishes))


def ended(exchange: Exchange, *, complete: bool = False) -> State:
    """How a stream ended; without a meaning where all is well. `complete`: its own end had come before."""
    end = exchange.end or {}
    how, detail = str(end.get("how", "eof")), str(end.get("detail") or "")
    if how == "http_error" and exchange.http is not None:
        return State(f"HTTP {exchange.http.status}", more=_answer(exchange, detail), meaning="error")
    if how == "timeout" and complete:
        told = f"the server left the connection open: {visible(clip(detail, DETAIL))}"
        return State("Answer complete", more=told, meaning="warning")
    head = ENDS.get(how, how)
    head = head[:1].upper() + head[1:]
    more = "" if detail == SAID.get(how) else visible(clip(detail, DETAIL))
    if how == "cancelled":
        told = "the recording holds all that came until then"
        # Who passed an answer on to somebody else says who ended it.
        head = f"{detail[:1].upper()}{detail[1:]}" if detail else "Stopped by you"
        return State(visible(clip(head, DETAIL)), running(exchange.end_time or 0), told, "info")
    return State(head, more=more, meaning="" if how in GOOD else "error")


def _answer(exchange: Exchange, detail: str) -> str:
    assert exchange.http is not None
    words = answer_words(exchange.http)
    if more := _WHOLE.sub("", detail, count=1):
        words += f"; {visible(clip(more, DETAIL))}"
    return words + ("; its body is below" if len(exchange.body) else "")


def wait_words(session: LiveSession) -> str:
    """How long nothing has come, to tenths of a second."""
    return f"{session.waited // (SECOND // 10) / 10:.1f}{THIN_SPACE}s"


def limit_words(seconds: float) -> str:
    """When a silence ends the capture."""
    return f"given up at {seconds:g}{THIN_SPACE}s"
