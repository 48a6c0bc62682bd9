"""Rules about the recording file itself; the file room sees what they report."""

from __future__ import annotations

from inspector_app.core.diagnosis import Rule

RULES = (
    Rule(
        "file-key-masked",
        "warning",
        "read",
        "The server repeated the key of this request in {count} place{s}; a mask of its length stands there.",
        "Tell whoever runs the server that it says keys back, and give out a new key if others can read its answers.",
        why="What a server repeats ends up in logs and reports; the other bytes of the answer are as they came.",
    ),
    Rule(
        "file-record-damaged",
        "error",
        "read",
        "The recording is damaged in {count} place{s}: {detail}.",
        "Look for an undamaged copy; without one, trust no reading that goes over the gap.",
        why="The file was changed or its disk has a fault, and bytes that were sent are missing from the reading.",
    ),
    Rule(
        "file-time-order",
        "warning",
        "read",
        "{count} time{s} of the recording cannot be true, for time does not run backwards; see {detail}.",
        "Take no wait and no duration from around these reads; record again with a clock that nobody sets.",
        why="The clock of the recorder was set back, or the file was changed; these times count as unknown.",
    ),
    Rule(
        "file-torn-tail",
        "warning",
        "stream",
        "The recording stops before its end: {detail}.",
        "When you say how this stream ended, say too that its recorder was stopped first.",
        why="How the stream went on is unknown: the recorder was cut, and not necessarily the sender.",
    ),
)
