"""The same Chat chunks in every framing: `python -m tests.bench.framings [EVENTS]`. Times an event, framing alone and
with the whole analysis, and the analysis over that of server-sent events.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from statistics import median

import orjson

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.core.types import Exchange, MemoryBody
from tests.bench.measure import ROUNDS, seconds
from tests.bench.streams import full_fields
from tests.framing.aws_frames import frame, text

READ = 1 << 16
"""Bytes of a read."""
FACTOR = 2.0
"""How many times longer than server-sent events a framing may take for an event."""
HEADERS = text(":event-type", "chunk") + text(":content-type", "application/json") + text(":message-type", "event")

FRAMED: dict[str, tuple[str, Callable[[list[bytes]], bytes]]] = {
    "sse": ("sse", lambda payloads: b"".join(b"data: " + payload + b"\n\n" for payload in payloads)),
    "ndjson": ("ndjson", lambda payloads: b"".join(payload + b"\n" for payload in payloads)),
    "json-array, one line": ("json-array", lambda payloads: b"[" + b",".join(payloads) + b"]"),
    "json-array, pretty": (
        "json-array",
        lambda payloads: b"[" + b"\n,\n".join(json.dumps(orjson.loads(p), indent=2).encode() for p in payloads) + b"]",
    ),
    "aws-eventstream": ("aws-eventstream", lambda payloads: b"".join(frame(HEADERS, payload) for payload in payloads)),
}
"""Row -> framing, and how payloads become a body."""


def frame_only(framing: str, body: bytes, kit: Kit) -> None:
    """The framing alone, read by read."""
    reader = kit.framings[framing].create(ReadingRules(), Lines(), Events(), framing)
    for at in range(0, len(body), READ):
        reader.feed(body[at : at + READ])
    reader.close()


def analyse(framing: str, body: bytes, kit: Kit) -> None:
    """Sniffing, framing, decoding and all rules."""
    analysis = Analysis(Exchange("bench", "binary-body", MemoryBody(body)), kit)
    for at in range(0, len(body), READ):
        analysis.feed(body[at : at + READ])
    assert analysis.finish().framing == framing


def main() -> None:
    """Print the table. The exit status is 0 whatever the figures are: a busy machine is no defect."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    kit = load_kit()
    payloads = [payload for payload in full_fields(events) if payload != b"[DONE]"]
    bodies = {row: make(payloads) for row, (_, make) in FRAMED.items()}
    times: dict[str, list[tuple[float, float]]] = {row: [] for row in FRAMED}
    for _ in range(ROUNDS):
        for row, (framing, _) in FRAMED.items():
            alone = seconds(frame_only, framing, bodies[row], kit)
            times[row].append((alone, seconds(analyse, framing, bodies[row], kit)))
    usual = [whole for _, whole in times["sse"]]
    print(f"{len(payloads):,} events, microseconds an event: framing alone, whole analysis, analysis over that of sse")
    for row, found in times.items():
        alone, whole = (median(column) / len(payloads) * 1e6 for column in zip(*found, strict=True))
        ratio = median(one / other for (_, one), other in zip(found, usual, strict=True))
        word = "ok" if ratio <= FACTOR else "OVER"
        print(f"  {row:22}{alone:7.2f} {whole:7.2f} {ratio:6.2f}x   at most {FACTOR:g}x  {word}")


if __name__ == "__main__":
    main()
