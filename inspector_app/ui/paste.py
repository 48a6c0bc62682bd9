"""Text from the clipboard as a recording: a stream, a `curl -i` output, JSON lines."""

from __future__ import annotations

import io
from datetime import datetime

from inspector_app.core.text import encodable
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import read_input

FORMAT = "paste"
"""What `Exchange.format` says of a pasted body (contract.md, section 2)."""

OWN = ("recording", "har", "cassette")
"""Files that say what they are inside: pasted, they are that still."""

ADVICE = "copy an SSE body, a curl -i output or JSON lines, then paste again"


def pasted(text: str, when: datetime) -> list[Exchange]:
    """The exchanges in a text. Raises InputFault, with one line for the user, where there is no stream in it."""
    if not text.strip():
        raise InputFault(f"The clipboard holds no text: {ADVICE}.")
    exchanges = read_input("-", io.BytesIO(encodable(text).encode()))
    first = exchanges[0]
    if first.format == "text-body" and not _is_page(text):
        raise InputFault(f"The clipboard holds text, but no stream: {ADVICE}.")
    for exchange in exchanges:
        exchange.name = name_at(when)
        if exchange.format not in OWN:
            exchange.format = FORMAT
    return exchanges


def name_at(when: datetime) -> str:
    """What a text is called that was pasted at a time of day."""
    return f"pasted {when:%H:%M}"


def _is_page(text: str) -> bool:
    """A web page is worth a look: it often stands where a stream should be."""
    return text.lstrip()[:15].lower().startswith(("<!doctype", "<html"))
