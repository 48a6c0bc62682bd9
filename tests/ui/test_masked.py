"""Keys in the body of an answer: none is left in the copy that pictures are drawn from, and nothing else is changed."""

from __future__ import annotations

import json
import string
from base64 import b64decode, b64encode
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.ui.masked import PIECE, masked
from tests.framing import aws_frames as aws

KIT = load_kit()
KEYS = {
    "openai": "sk-proj-0123456789abcdefghijklmnop",
    "anthropic": "sk-ant-api03-0123456789abcdef",
    "google": "AIza" + "x" * 35,
    "aws": "AKIA0123456789ABCDEF",
    "groq": "gsk_0123456789abcdef0123",
    "jwt": "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    "pem": "-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdef\nghijkl\n-----END RSA PRIVATE KEY-----",
}
CANARY = KEYS["openai"]


def chunk(**delta: object) -> str:
    return f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [{'index': 0, 'delta': delta}]})}\n\n"


def answer(texts: Sequence[str], field: str = "content") -> str:
    return "".join(chunk(**{field: text}) for text in texts)


def call(pieces: Sequence[str]) -> str:
    first = chunk(tool_calls=[{"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}])
    return first + "".join(chunk(tool_calls=[{"index": 0, "function": {"arguments": piece}}]) for piece in pieces)


def reading_of(body: str | bytes) -> Reading:
    data = body if isinstance(body, bytes) else body.encode()
    return read(Exchange("x.sse", "sse-body", MemoryBody(data)), KIT)


def body_of(reading: Reading) -> bytes:
    exchange = masked(reading)
    assert exchange is not None
    return exchange.body.slice(0, len(exchange.body))


def in_pieces(text: str, count: int) -> list[str]:
    size = -(-len(text) // count)
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("pieces", [1, 2, 3, 7])
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_goes_however_it_was_cut_into_deltas(key: str, pieces: int) -> None:
    reading = reading_of(answer(["before ", *in_pieces(key, pieces), " after"]))
    left = body_of(reading)
    again = reading_of(left)
    assert again.blocks[0].text.replace("*", "") == "before  after"
    assert len(left) == len(reading.body)
    assert again.lines.starts == reading.lines.starts
    assert [finding.rule for finding in again.findings] == [finding.rule for finding in reading.findings]


@pytest.mark.parametrize(
    "body",
    [
        call(in_pieces(json.dumps({"api_key": CANARY}), 4)),
        answer(["think: ", *in_pieces(CANARY, 3)], "reasoning_content"),
        answer([f"<think>{CANARY[:12]}", f"{CANARY[12:]}</think>ok"]),
        f'data: {{"error":{{"message":"Incorrect API key provided: {CANARY}"}}}}\n\n',
        f": {CANARY}\n\n" + answer(["hi"]),
        f"event: x\nid: {CANARY}\n" + answer(["hi"]),
        answer(["hi"]) + f'data: {{"unknown":"{CANARY}"}}\n\n',
        f"<html>{CANARY}</html>",
        answer(["hi"]) + f'data: {{"half":"{CANARY}',
    ],
    ids=["call", "reasoning", "think tag", "error", "comment", "id", "unknown field", "page", "cut"],
)
def test_a_key_goes_wherever_it_stands(body: str) -> None:
    reading = reading_of(body)
    left = body_of(reading)
    assert CANARY.encode() not in left
    assert len(left) == len(reading.body)
    assert CANARY not in "".join(block.text for block in reading_of(left).blocks)


def test_a_key_in_escapes_goes() -> None:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in CANARY)
    reading = reading_of(answer(["X"]).replace("X", escaped))
    assert reading.blocks[0].text == CANARY
    assert set(reading_of(body_of(reading)).blocks[0].text) == {"*"}


@pytest.mark.parametrize(
    "text, left",
    [
        ("see https://cdn.example.com/a.png?sig=0a1b2c3d&w=3", "see https://cdn.example.com/a.png?sig=********&w=3"),
        ("https://user:pw@example.com/", "https://*******@example.com/"),
    ],
)
def test_secrets_of_urls_go(text: str, left: str) -> None:
    assert reading_of(body_of(reading_of(answer([text])))).blocks[0].text == left


def test_a_key_of_many_lines_goes_from_plain_text_and_its_lines_stay() -> None:
    body = "".join(f"data: {line}\n" for line in KEYS["pem"].split("\n")) + "\n" + answer(["hi"])
    reading = reading_of(body)
    left = body_of(reading)
    assert left.startswith(b"data: *****")
    assert left.count(b"data: ") == body.count("data: ")
    assert b"MIIE" not in left
    assert reading_of(left).lines.starts == reading.lines.starts


def test_a_key_behind_the_first_piece_goes() -> None:
    filler = answer(["some words"]) * (PIECE // len(answer(["some words"])) + 50)
    assert CANARY.encode() not in body_of(reading_of(filler + answer([CANARY])))


def frames(*texts: str) -> list[bytes]:
    deltas = ({"contentBlockIndex": 0, "delta": {"text": text}} for text in texts)
    return [aws.event("messageStart", {"role": "assistant"}), *(aws.event("contentBlockDelta", one) for one in deltas)]


@pytest.mark.parametrize("pieces", [1, 3])
def test_what_is_masked_in_frames_is_no_fault_of_their_checksums(pieces: int) -> None:
    reading = reading_of(b"".join(frames("Take ", *in_pieces(CANARY, pieces), " now")))
    left = reading_of(body_of(reading))
    assert reading.framing == left.framing == "aws-eventstream"
    assert left.blocks[0].text == f"Take {'*' * len(CANARY)} now"
    assert {finding.rule for finding in left.findings} == {finding.rule for finding in reading.findings}
    assert "frame-aws-crc" not in {finding.rule for finding in left.findings}


def test_a_checksum_that_was_wrong_stays_wrong() -> None:
    first, held, last = frames(CANARY, "ok")
    reading = reading_of(first + held[:-1] + bytes([held[-1] ^ 1]) + last)
    left = body_of(reading)
    assert CANARY.encode() not in left
    assert left[len(first) + len(held) - 4 : len(first) + len(held) - 1] == held[-4:-1]
    assert "frame-aws-crc" in {finding.rule for finding in reading_of(left).findings}


def test_without_a_key_there_is_nothing_to_do() -> None:
    assert masked(reading_of(answer(["task-list of the risk-averse desk-bound, hf_x, AKIA"]))) is None
    assert masked(reading_of(b"")) is None


@given(st.lists(st.text(string.ascii_letters + '-_ "\\\n é€😀', max_size=8), max_size=6), st.integers(1, 9))
def test_all_but_the_key_stays(words: list[str], pieces: int) -> None:
    texts = [*words, " ", *in_pieces(CANARY, pieces), " ", *words]
    text = "".join(texts)
    left = reading_of(body_of(reading_of(answer(texts)))).blocks[0].text
    assert left == text.replace(CANARY, "*" * len(CANARY))


def test_a_key_inside_of_escaped_base64_is_masked_and_nothing_moves() -> None:
    inner = [{"outputText": f"Was?~~ {CANARY} ", "index": n, "completionReason": None} for n in (0, 10)]
    lines = [json.dumps({"chunk": {"bytes": b64encode(json.dumps(one).encode()).decode()}}) for one in inner]
    body = "".join(line.replace("/", "\\/").replace("=", "\\u003d") + "\n" for line in lines).encode()
    exchange = masked(read(Exchange("x.jsonl", "body", MemoryBody(body)), KIT))
    assert exchange is not None
    data = exchange.body.slice(0, len(exchange.body))
    assert len(data) == len(body)
    said = [json.loads(b64decode(json.loads(line)["chunk"]["bytes"])) for line in data.splitlines()]
    assert [one["outputText"].partition(" ")[0] for one in said] == ["Was?~~", "Was?~~"]
    assert CANARY not in repr(said)
