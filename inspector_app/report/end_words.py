"""What is said of the end of a stream: its marker, or what its dialect promises instead of one."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.transfer import stopped_words


def end_words(reading: Reading) -> str:
    """The end marker as it stands on the wire; where there is none, whether one was due."""
    module = reading.dialect_module
    if reading.cancelled:
        return f"{stopped_words(reading.exchange.end)} (cancelled)"
    if reading.marker is not None:
        return reading.marker
    if module is None:
        return "no end marker"
    marker = getattr(module, "END_MARKER", None)
    if marker is not None:
        lost = reading.exchange.synthetic and marker.encode() in getattr(module, "MARKERS", ())
        return f"a log of payloads keeps no {marker}" if lost else f"no {marker}"
    if hasattr(module, "FINISH"):
        return "the reason is its end" if reading.finishes else "no end: a reason would be it"
    ends = sorted(getattr(module, "ENDS_WITHOUT_FINISH", ()))
    return f"no {' or '.join(ends)}" if ends else "it ends where the data ends"
