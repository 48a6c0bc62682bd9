"""The sender for `tests.bench.live`: prints its port, then answers until it is killed."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterable, Iterator

from tests.live.server import LAST, Server, Step, chunk, head

EVERY_S = 0.005
"""Seconds between two stamped events."""

HEAD = head("200 OK", "Transfer-Encoding: chunked")
FAST = 64
"""Events in one piece of the fast stream."""


def body_of(number: int) -> bytes:
    """The body of one exchange: noise, up to 20 kB of it."""
    dice = random.Random(number)
    return dice.randbytes(dice.randrange(1, 20_000))


def _noise(number: int) -> Iterator[bytes]:
    body, dice = body_of(number), random.Random(-number)
    yield HEAD
    at = 0
    while at < len(body):
        piece = body[at : at + dice.choice((1, 7, 100, 1500, 9000))]
        at += len(piece)
        # A chunk may be cut wherever a network likes.
        wire = chunk(piece)
        cut = dice.randrange(len(wire))
        yield wire[:cut]
        yield wire[cut:]
    yield LAST


def _stamps(count: int) -> Iterator[bytes]:
    yield HEAD
    due = time.perf_counter()
    for number in range(count):
        due += EVERY_S
        time.sleep(max(0.0, due - time.perf_counter()))
        sent = {"n": number, "sent": time.perf_counter_ns()}
        yield chunk(b"data: " + json.dumps(sent).encode() + b"\n\n")
    yield LAST


def _fast() -> Iterator[bytes]:
    yield HEAD
    number = 0
    while True:
        yield chunk(b"".join(b"data: %012d\n\n" % n for n in range(number, number + FAST)))
        number += FAST


def script(path: str) -> Iterable[Step]:
    """The steps of one answer: /noise/NUMBER, /stamps/COUNT or /fast."""
    name, _, rest = path.partition("/")
    return _noise(int(rest)) if name == "noise" else _stamps(int(rest)) if name == "stamps" else _fast()


if __name__ == "__main__":
    with Server(scripts=script) as server:
        print(server.port, flush=True)
        threading.Event().wait()
