"""Rules about the HTTP envelope: silent where no headers are known."""

from __future__ import annotations

from inspector_app.core import flags as F
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading
from inspector_app.core.transfer import answer_words, is_success
from inspector_app.findings._places import media_type

SENT_AS = {
    "sse": frozenset({"text/event-stream"}),
    "ndjson": frozenset(
        {
            *("application/x-ndjson", "application/ndjson", "application/jsonl", "application/stream+json"),
            *("application/json", "text/plain"),
        }
    ),
    "aws-eventstream": frozenset({"application/vnd.amazon.eventstream"}),
}
"""Framing of a stream -> the media types it may be sent as."""


def _content_type(reading: Reading, report: Report) -> None:
    """A stream under the media type of something else; an announced event stream that is none is body-not-sse."""
    found, allowed = media_type(reading), SENT_AS.get(reading.framing)
    if found is None or allowed is None or found in allowed or found == "text/event-stream":
        return
    if all(bits & F.UNDISPATCHED for bits in set(reading.events.flags)):
        return
    what = {"sse": "an event stream", "ndjson": "JSON lines", "aws-eventstream": "AWS frames"}
    report(0, start=0, end=len(reading.body), detail=f"{what[reading.framing]} sent as {found[:80]}")


_CASES = {
    "key": (401, 403),
    "place": (404, 405),
    "proxy": (407,),
    "request": (400, 413, 415, 422),
    "wait": (429, 503, 529),
    "server": range(500, 600),
}
"""What to advise -> the statuses it is for; the first that fits."""


def _status(reading: Reading, report: Report) -> None:
    http = reading.exchange.http
    if http is None or is_success(http) or http.status < 200:
        return
    case = next((case for case, statuses in _CASES.items() if http.status in statuses), "")
    if http.status < 400 and http.header("location"):
        case = "redirect"
    report(0, start=0, end=len(reading.body), detail=f"{http.status}: {answer_words(http)}", case=case)


RULES = (
    Rule(
        "http-status",
        "error",
        "stream",
        "The server answered with HTTP {detail}.",
        "Show the status and the body to the user, whatever else they look like.",
        why="What follows such a status is no answer of the model; a client that reads on for events shows nothing.",
        end=_status,
        cases={
            "redirect": "Name the new address as the base URL, or let redirects be followed (record --redirects).",
            "key": "Look at the key: where it is taken from, whether it is whole, and what it is allowed to do.",
            "place": "Compare base URL, path and model with what the server documents.",
            "proxy": "Give the name and the password that the proxy wants in the environment variable http_proxy.",
            "request": "Mend the request as the server says; the same one again fails again.",
            "wait": "Wait as long as the server asks, else longer from try to try, and send the request again.",
            "server": "Try again later; if it stays so, whoever runs the server or the gateway before it has to look.",
        },
    ),
    Rule(
        "http-compressed",
        "info",
        "stream",
        "Content coding of the body: {detail}.",
        "Undo the content coding before you look for events, and leave event streams uncompressed unless every hop "
        "flushes its compressor.",
        why="On the wire these bytes show neither events nor usage to anything that scans them, and a capture of them "
        "is no text file.",
        breaks=(
            "vm0 #8903 and metapi #335: usage counters stay at zero",
            "log tools that read lines: nothing but noise",
        ),
    ),
    Rule(
        "http-content-type",
        "warning",
        "stream",
        "The Content-Type does not fit the framing: {detail}.",
        "Announce what the body really is.",
        why="Clients pick their decoder by this header, or refuse an answer whose type they do not expect.",
        breaks=(
            "httpx-sse: raises SSEError",
            "browser EventSource: fails the connection",
            "Vercel AI SDK: reads the body as one JSON document",
        ),
        end=_content_type,
    ),
)
