"""What the recording proxy costs: `python -m tests.bench.proxy [--streams 1 50] [--seconds 5]`.

Sender and client are processes of their own. Each event carries when it was sent; how late the client has it is
measured without and with the proxy between them, and the difference is the proxy's. Every body is compared with its
recording.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import re
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

from inspector_app.core.kit import load_kit
from inspector_app.files import read_input
from inspector_app.live.proxy import Proxy
from inspector_app.live.proxy_exchange import ProxyExchange
from inspector_app.live.proxy_rules import Route

ROOT = Path(__file__).parents[2]
EVERY_S = 0.005
BOUND_MS = 5.0
SENT = re.compile(rb'"sent":(\d+)')
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def event(number: int) -> bytes:
    choice = {"index": 0, "delta": {"content": f"word {number} "}, "finish_reason": None}
    chunk = {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}
    text = json.dumps({**chunk, "sent": time.perf_counter_ns()}, separators=(",", ":"))
    return b"data: " + text.encode() + b"\n\n"


async def send() -> None:
    """The sender: prints its port, then answers /COUNT until it is killed."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        count = int(head.split(b" ")[1].strip(b"/"))
        writer.write(HEAD)
        loop = asyncio.get_running_loop()
        due = loop.time()
        for number in range(count):
            due += EVERY_S
            await asyncio.sleep(max(0.0, due - loop.time()))
            data = event(number)
            writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        writer.write(b"0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def receive(port: int, streams: int, count: int) -> None:
    """The client: prints how late each event was, and the hash of each body."""
    late: list[int] = []

    async def one() -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /{count} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        wire = bytearray()
        while data := await reader.read(1 << 16):
            now = time.perf_counter_ns()
            wire += data
            late.extend(now - int(at) for at in SENT.findall(data))
        writer.close()
        return sha256(unchunked(bytes(wire).partition(b"\r\n\r\n")[2])).hexdigest()

    hashes = await asyncio.gather(*(one() for _ in range(streams)))
    print(json.dumps({"late": sorted(late), "hashes": sorted(hashes)}))


def unchunked(wire: bytes) -> bytes:
    body, at = b"", 0
    while True:
        end = wire.index(b"\r\n", at)
        size = int(wire[at:end], 16)
        if not size:
            return body
        body += wire[end + 2 : end + 2 + size]
        at = end + 4 + size


def run(role: str, *arguments: int) -> list[str]:
    return [sys.executable, "-m", "tests.bench.proxy", f"--{role}", *map(str, arguments)]


def received(port: int, streams: int, count: int) -> dict[str, Any]:
    done = subprocess.run(run("receive", port, streams, count), cwd=ROOT, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def percentile(late: list[int], percent: int) -> float:
    return late[min(len(late) - 1, len(late) * percent // 100)] / 1e6


def measure(port: int, streams: int, seconds: float) -> bool:
    """One row: direct, through the proxy, and what that adds."""
    count = round(seconds / EVERY_S)
    with tempfile.TemporaryDirectory() as folder:
        proxy = Proxy([Route(f"http://127.0.0.1:{port}")], Path(folder), load_kit())
        proxy.start()
        gc.freeze()
        before = time.process_time()
        direct = received(port, streams, count)
        between = time.process_time()
        through = received(proxy.port, streams, count)
        used = time.process_time() - between - (between - before)
        exchanges = [one for one in proxy.take() if isinstance(one, ProxyExchange)]
        closed = all(one.over.wait(10) for one in exchanges)
        proxy.stop()
        proxy.join(5)
        paths = list(Path(folder).glob("*.rec.jsonl"))
        recorded = sorted(sha256(read_input(str(path))[0].body.slice(0, 1 << 62)).hexdigest() for path in paths)
    told = {name: [percentile(one["late"], percent) for percent in (50, 95, 99)]
            for name, one in (("direct", direct), ("proxy", through))}  # fmt: skip
    added = [b - a for a, b in zip(told["direct"], told["proxy"], strict=True)]
    whole = closed and recorded == through["hashes"] and len(through["late"]) == streams * count
    print(f"{streams} at once, {1 / EVERY_S:g} events/s each, {streams * count} events; ms at p50 p95 p99")
    for name, one in {**told, "added": added}.items():
        print(f"  {name:8}" + "".join(f"{ms:8.2f}" for ms in one))
    print(f"  processor {used / (streams * count) * 1e6:.0f} us an event; {len(paths)} recordings, "
          f"{'every byte as sent' if whole else 'BYTES LOST OR CHANGED'}", flush=True)  # fmt: skip
    return whole and added[0] <= BOUND_MS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", nargs="+", type=int, default=[1, 50])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--receive", nargs=3, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.send:
        asyncio.run(send())
    elif options.receive:
        asyncio.run(receive(*options.receive))
    else:
        with subprocess.Popen(run("send"), cwd=ROOT, stdout=subprocess.PIPE, text=True) as sender:
            assert sender.stdout is not None
            port = int(sender.stdout.readline())
            good = [measure(port, streams, options.seconds) for streams in options.streams]
            sender.kill()
        return 0 if all(good) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
