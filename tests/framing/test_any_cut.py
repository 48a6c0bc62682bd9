"""The whole analysis of any body, sniffing included: no cut into reads changes an answer, and nothing is raised."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.report.outline import outline
from tests.framing.aws_frames import error, event, exception

KIT = load_kit()
CHUNKS = [
    json.dumps({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": text}}]}).encode()
    for text in ("Good ", "day.", "再試行", "]}, {")
]
ELEMENTS = [json.dumps({"candidates": [{"content": {"parts": [{"text": text}]}}]}).encode() for text in ("a", "ø", "]")]
FRAMES = [
    event("messageStart", {"role": "assistant"}),
    event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Grüße [DONE]"}}),
    event("messageStop", {"stopReason": "end_turn"}),
    exception("throttlingException", b'{"message":"slow down"}'),
    error("InternalError", "It broke"),
]


def lines(prefix: bytes, payloads: list[bytes], end: bytes, closing: bytes) -> bytes:
    return b"".join(prefix + payload + end for payload in payloads) + closing


STREAMS = st.one_of(
    st.builds(
        lines,
        st.sampled_from([b"data: ", b"data:", b": x\nevent: e\ndata: "]),
        st.lists(st.sampled_from(CHUNKS)),
        st.sampled_from([b"\n\n", b"\r\n\r\n", b"\r\r"]),
        st.sampled_from([b"", b"data: [DONE]\n\n", b"data: {"]),
    ),
    st.builds(
        lines,
        st.just(b""),
        st.lists(st.sampled_from([*CHUNKS, b"", b" ", b"7"])),
        st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n"]),
        st.sampled_from([b"", b'{"a":']),
    ),
    st.builds(
        lambda items, gap, end: b"[" + gap.join(items) + end,
        st.lists(st.sampled_from(ELEMENTS)),
        st.sampled_from([b",", b"\n,\n", b" , ", b"\r\n,", b""]),
        st.sampled_from([b"]", b",", b"]\n[{}]", b"\n]\n", b""]),
    ),
    st.lists(st.sampled_from(FRAMES)).map(b"".join),
    st.sampled_from([b"<html>\n<p>502</p>\n</html>", b'{"error":{"message":"no"}}', b"gone\n", b"[1,\n2]", b""]),
)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A stream of any framing, whole or with bytes changed, lost and added."""
    body = bytearray(draw(st.sampled_from([b"", b"\xef\xbb\xbf", b"\n"])) + draw(STREAMS))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(body)))
        body[at : at + draw(st.integers(0, 20))] = draw(st.binary(max_size=6) | st.just(b"\n"))
    return bytes(body)


def answer(body: bytes, sizes: list[int], framing: str | None = None) -> dict[str, Any]:
    analysis = Analysis(Exchange("x", "binary-body", MemoryBody(body)), KIT, framing=framing)
    at = number = 0
    while at < len(body):
        size = sizes[number % len(sizes)]
        analysis.feed(body[at : at + size])
        at, number = at + size, number + 1
    return outline(analysis.finish(), events=True, fields=True)


@settings(deadline=None, max_examples=300)
@given(bodies(), st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_no_cut_changes_an_answer(body: bytes, sizes: list[int]) -> None:
    whole = answer(body, [len(body) + 1])
    assert answer(body, sizes) == whole
    assert answer(body, [1]) == whole
    assert [row["lines"][0] for row in whole["events"]] == [0, *[row["lines"][1] for row in whole["events"]]][:-1]
    assert not whole["events"] or (whole["events"][0]["bytes"][0], whole["events"][-1]["bytes"][1]) == (0, len(body))


@settings(deadline=None, max_examples=150)
@given(bodies(), st.sampled_from(sorted(KIT.framings)), st.integers(1, 40))
def test_any_framing_reads_any_body(body: bytes, framing: str, size: int) -> None:
    assert answer(body, [size], framing) == answer(body, [len(body) + 1], framing)
