"""The key of a request never reaches what is kept of the answer, however it is written and wherever reads cut it."""

from __future__ import annotations

import html
import json
from pathlib import Path
from urllib.parse import quote

import pytest

from inspector_app.live.capture import Read
from inspector_app.live.key_mask import KeyMask
from inspector_app.live.request import without
from tests.live.server import GATE, Server, chunk, chunked, head
from tests.live.streams import CANARY, PATIENCE_S, start, stream, until

KEY = 'sk-A/b+c"d&e\\f.0123456789'
PLAIN = "sk-0123456789abcdef"


def mask(length: int) -> bytes:
    return b"redacted" + b"*" * (length - 8)


def passed(mask: KeyMask, pieces: list[bytes]) -> list[Read]:
    out: list[Read] = []
    for t, piece in enumerate(pieces):
        out += mask.feed([Read(t, piece)])
    return out + mask.rest()


BODIES = {
    "as it is": PLAIN,
    "twice": f"{PLAIN}{PLAIN}",
    "at the end": f"you sent {PLAIN}",
    "after its own beginning": f"sk-0123sk-{PLAIN}",
    "begun and left": "you sent sk-0123456789abcde!",
    "begun at the end": "you sent sk-01",
    "nothing": 'data: {"x":"sss"}\n\n',
    "empty": "",
}


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("name", BODIES)
def test_cuts_change_nothing(name: str, size: int) -> None:
    body = BODIES[name].encode()
    masks = KeyMask((PLAIN,))
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    out = passed(masks, pieces)
    assert b"".join(read.data for read in out) == body.replace(PLAIN.encode(), mask(len(PLAIN)))
    assert len(masks.places) == body.count(PLAIN.encode())
    assert all(body[start:end] == PLAIN.encode() for start, end in masks.places)
    # Each byte has the time of the read that brought it.
    times = [t for t, piece in enumerate(pieces) for _ in piece]
    assert [read.t for read in out for _ in read.data] == times


@pytest.mark.parametrize("size", [1, 5, 1000])
@pytest.mark.parametrize("form", [
    KEY, json.dumps(KEY)[1:-1], json.dumps(KEY)[1:-1].replace("/", "\\/"), quote(KEY, safe=""), html.escape(KEY),
    quote(KEY, safe="").replace("%2F", "%2f").replace("%2B", "%2b").replace("%5C", "%5c"),
])  # fmt: skip
def test_a_key_is_known_in_other_spellings(form: str, size: int) -> None:
    body = f"<{form}>".encode()
    masks = KeyMask((KEY,))
    out = b"".join(read.data for read in passed(masks, [body[at : at + size] for at in range(0, len(body), size)]))
    assert out == b"<" + mask(len(form)) + b">"
    assert masks.places == [(1, len(form) + 1)]


def escape(character: str, upper: bool = False) -> str:
    digits = f"{ord(character):04x}"
    return f"\\u{digits.upper() if upper else digits}"


MIXED = {
    "all": "".join(map(escape, KEY)),
    "all in upper case": "".join(escape(one, upper=True) for one in KEY),
    "every second": "".join(escape(one) if n % 2 else json.dumps(one)[1:-1] for n, one in enumerate(KEY)),
    "one in the middle": PLAIN[:5] + escape(PLAIN[5]) + PLAIN[6:],
    "both cases": "".join(escape(one, upper=n % 2 == 0) for n, one in enumerate(KEY)),
    "a slash, and one more": KEY.replace("/", "\\/")
    .replace("+", "\\u002B")
    .replace('"', '\\"')
    .replace("\\f", "\\\\f"),
}


@pytest.mark.parametrize("size", [1, 5, 7, 1000])
@pytest.mark.parametrize("name", MIXED)
def test_a_key_is_known_with_any_of_its_characters_escaped(name: str, size: int) -> None:
    form = MIXED[name]
    assert json.loads(f'"{form}"') in (KEY, PLAIN)
    body = f'{{"x":"\\u4f60\\n{form}","y":"\\u0073k"}}'.encode()
    masks = KeyMask((KEY, PLAIN))
    out = b"".join(read.data for read in passed(masks, [body[at : at + size] for at in range(0, len(body), size)]))
    assert out == body.replace(form.encode(), mask(len(form)))
    assert len(masks.places) == 1
    assert without(f"it says {form}", (KEY, PLAIN)).startswith("it says <redacted")


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("begun, masked", [
    (PLAIN[:7], False), (PLAIN[:8], True), (PLAIN[:-1], True), (escape("s") + "k-0123456", True), ("\\u0073", False),
])  # fmt: skip
def test_the_beginning_of_a_key_is_masked_where_the_body_ends_in_it(begun: str, masked: bool, size: int) -> None:
    body = f"<{begun}".encode()
    masks = KeyMask((PLAIN,))
    out = b"".join(read.data for read in passed(masks, [body[at : at + size] for at in range(0, len(body), size)]))
    assert out == (b"<" + mask(len(begun)) if masked else body)
    assert masks.places == ([(1, len(body))] if masked else [])


@pytest.mark.parametrize("secret", ["ollama", "sk-1234", ""])
def test_a_short_secret_tears_no_words(secret: str) -> None:
    reads = [Read(1, f"the {secret} of old".encode())]
    masks = KeyMask((secret,))
    assert masks.feed(reads) is reads
    assert masks.rest() == []


def test_only_what_may_be_a_beginning_waits() -> None:
    masks = KeyMask((PLAIN,))
    assert masks.feed([Read(1, b"data: tea sk-0")]) == [Read(1, b"data: tea ")]
    assert masks.feed([Read(2, b"1")]) == []
    assert masks.feed([Read(3, b" is no key\n\n")]) == [Read(1, b"sk-0"), Read(2, b"1"), Read(3, b" is no key\n\n")]
    assert masks.rest() == []


def test_what_waits_at_a_cancel_is_recorded(tmp_path: Path) -> None:
    said = f"data: {CANARY[:7]}".encode()
    path = tmp_path / "x.rec.jsonl"
    with Server(scripts=lambda asked: [head("200 OK", "Transfer-Encoding: chunked"), chunk(said), GATE]) as server:
        running = start(f"{server.url}/x", path)
        items = until(running, [], len(b"data: "))
        assert b'"data: "' in path.read_bytes()
        running.cancel()
        until(running, items, 1 << 62)
        assert running.join(PATIENCE_S)
    assert b"".join(item.data for item in items if isinstance(item, Read)) == said
    assert CANARY[:7] in path.read_text()


def test_a_key_that_is_split_is_in_no_file_and_told_with_its_place(tmp_path: Path) -> None:
    said = f'data: {{"x":"{CANARY} and {quote(CANARY)}"}}\n\n'.encode()
    with Server(scripts=lambda path: chunked(*[said[at : at + 3] for at in range(0, len(said), 3)])) as server:
        ran = stream(server, "x", tmp_path)
    assert CANARY not in ran.path.read_text()
    assert CANARY not in repr(ran.items)
    faults = [fault for fault in ran.recorded().faults if fault.rule == "file-key-masked"]
    assert [said[fault.at : fault.end].decode() for fault in faults] == [CANARY, CANARY]
    assert faults == [fault for fault in ran.growth.exchange.faults if fault.rule == "file-key-masked"]
