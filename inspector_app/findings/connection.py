"""Rules about how the transfer of an answer ended where that is known: no answer, silence, a connection left open."""

from __future__ import annotations

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading
from inspector_app.core.transfer import (
    BAD_HEAD,
    ENDS,
    HANDSHAKE_CUT,
    NO_HANDSHAKE,
    NO_HTTP,
    NO_TLS,
    NOT_SET_UP,
    SENT_TLS,
    UNTRUSTED,
    peer,
)

ADVICE = {"connect_error": "server", "tls_error": "tls", "timeout": "slow", "reset": "closed", "truncated": "closed"}
"""`how` of an end without an answer -> what to advise."""
BEGINNINGS = (
    (UNTRUSTED, "trust"),
    (NO_TLS, "tls"),
    (NO_HANDSHAKE, "tls"),
    (HANDSHAKE_CUT, "tls"),
    (NOT_SET_UP, "entry"),
    (SENT_TLS, "https"),
    (NO_HTTP, "foreign"),
    (BAD_HEAD, "head"),
    ("the proxy", "proxy"),
)
"""How a detail begins -> what to advise instead."""


def _detail(reading: Reading) -> str:
    end = reading.exchange.end or {}
    how = str(end.get("how") or "")
    return str(end.get("detail") or ENDS.get(how, how))


def _no_answer(reading: Reading, report: Report) -> None:
    exchange = reading.exchange
    how = (exchange.end or {}).get("how")
    if exchange.http is None and not len(reading.body) and how in ADVICE:
        why, where = _detail(reading), peer(exchange.request)
        case = next((case for beginning, case in BEGINNINGS if why.startswith(beginning)), ADVICE[how])
        report(0, start=0, end=0, detail=f" from {where}: {why}" if where else f": {why}", case=case)


def _given_up(reading: Reading) -> bool:
    """Whether an answer had begun and was given up because nothing more came."""
    return reading.exchange.http is not None and (reading.exchange.end or {}).get("how") == "timeout"


def _complete(reading: Reading) -> bool:
    unmarked = getattr(reading.dialect_module, "END_MARKER", None) is None
    return reading.marker is not None or (unmarked and bool(reading.finishes))


def _silence(reading: Reading, report: Report) -> None:
    if _given_up(reading) and not _complete(reading):
        size = len(reading.body)
        report(reading.last_event, start=size, end=size, detail=_detail(reading))


def _left_open(reading: Reading, report: Report) -> None:
    if _given_up(reading) and _complete(reading):
        size = len(reading.body)
        report(reading.last_event, start=size, end=size, detail=_detail(reading))


RULES = (
    Rule(
        "end-no-answer",
        "error",
        "stream",
        "No answer came{detail}.",
        "Find out what stands between this machine and the server.",
        why="The exchange was over before a status line came, so nothing is known of what the model would have said.",
        end=_no_answer,
        cases={
            "server": "Look whether the server runs, and whether base URL, port and proxy are right.",
            "trust": "Compare the name in the base URL with the certificate; where you trust its issuer, give that "
            "certificate as ca_file.",
            "tls": "Look whether that port is one for https; where the server speaks plain HTTP, write http:// in the "
            "base URL.",
            "entry": "Mend what the entry of the provider says of the connection, and ask again.",
            "proxy": "Look at the proxy: its address, and whether it wants a name and a password; those are taken from "
            "the environment variable https_proxy.",
            "slow": "Give a server that starts slowly more time (timeout_idle_s); else look at what stands before it.",
            "closed": "Look into the log of the server or gateway: it took the connection and hung up. A port for "
            "https does so with plain HTTP: then write https:// in the base URL.",
            "https": "Write https:// in the base URL.",
            "foreign": "Look whether host and port are right: what listens there is another kind of server.",
            "head": "Tell whoever runs the server or gateway: clients that keep to HTTP refuse such an answer.",
        },
    ),
    Rule(
        "end-silence",
        "error",
        "stream",
        "The answer fell silent before its end and was given up: {detail}.",
        "Give a slow model more time (timeout_idle_s); a server that thinks for long sends comments meanwhile.",
        why="The connection stayed open with nothing on it; a client without a limit of its own waits there for ever.",
        end=_silence,
    ),
    Rule(
        "end-left-open",
        "warning",
        "stream",
        "The answer was complete, but the connection stayed open until it was given up: {detail}.",
        "End the response right behind the end of the stream; readers stop there and do not wait for the close.",
        why="A reader that waits for the end of the body hangs until its own limit, and then may report a failure.",
        end=_left_open,
    ),
)
