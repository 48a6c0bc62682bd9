"""What the list of the proxy keeps of an answer: its numbers, and nothing of a long body."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from inspector_app.core.types import Exchange, Http, MemoryBody
from inspector_app.files import read_input
from inspector_app.live.capture import End, Head, Read
from inspector_app.live.growth import Growth
from inspector_app.live.proxy_exchange import ProxyExchange
from inspector_app.live.proxy_watch import Watch
from inspector_app.live.running import Item
from tests.live.replay import KIT
from tests.live.test_proxy import Through, asked, talk, through

__all__ = ["through"]

ROOT = Path(__file__).parents[2]
RECORDINGS = sorted([*(ROOT / "recordings").glob("*.rec.jsonl"), *(ROOT / "tests/dialects/recordings").glob("*")])
STEP = 700


def watched(made: Exchange) -> tuple[Watch, deque[Item]]:
    """A watch, and the items that it is to take."""
    body = made.coded.body if made.coded else made.body
    data = body.slice(0, len(body))
    items: deque[Item] = deque([Head(1, made.http or Http(200, [["content-type", "text/event-stream"]]))])
    items += [Read(at + 2, data[at : at + STEP]) for at in range(0, len(data), STEP)]
    items.append(End(len(data) + 3, "eof"))
    own = SimpleNamespace(take=lambda limit: [items.popleft() for _ in range(min(limit, 1, len(items)))])
    exchange = SimpleNamespace(request=SimpleNamespace(method="POST"), own=own, forget=lambda: None)
    return Watch(cast(ProxyExchange, exchange), KIT), items


def numbers(watch: Watch) -> tuple[object, ...]:
    return watch.events, watch.bytes, watch.dialect, watch.first_token, watch.how, watch.lasted, watch.whole


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name.removesuffix(".rec.jsonl"))
def test_what_is_only_counted_has_the_same_numbers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = read_input(str(path))[0]
    whole, counted = watched(made)[0], watched(made)[0]
    whole.step()
    monkeypatch.setattr("inspector_app.live.proxy_watch.COUNTED_FROM", 1)
    counted.step()
    assert whole.over
    assert numbers(counted) == numbers(whole)


def test_of_a_long_answer_neither_bytes_nor_text_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector_app.live.proxy_watch.COUNTED_FROM", 2000)
    event = b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"tea"}}]}\n\n'
    watch, items = watched(Exchange("a", "sse-body", MemoryBody(event * 500)))
    growth = cast(Growth, watch._growth)
    while len(items) > 1:
        watch.step(lambda: True)
    assert (watch.events, watch.bytes) == (500, 500 * len(event))
    assert growth.body.slice(0, 1 << 20) == b""
    assert len("".join(watch._analysis.reading.blocks[0].fragments)) < 500 * 3 // 4
    watch.step()
    assert (watch.over, watch.events, watch.first_token) == (True, 500, 2)


def test_when_it_is_over_no_byte_is_kept() -> None:
    watch, _ = watched(Exchange("a", "sse-body", MemoryBody(b"data: no JSON\n\n" * 500)))
    growth = cast(Growth, watch._growth)
    watch.step()
    assert (watch.over, watch.events) == (True, 500)
    assert (len(growth.body), growth.body.slice(0, 1 << 20)) == (7500, b"")


def test_what_nobody_follows_is_not_kept(through: Through) -> None:
    through.proxy._followed = False
    talk(through.proxy.port, asked("/content-length", through.proxy.port, "Connection: close"))
    exchange = through.next()
    assert exchange.follow() is None
    watch = Watch(exchange, KIT)
    assert exchange.over.wait(20)
    watch.step()
    assert (watch.over, watch.how) == (True, "done")
