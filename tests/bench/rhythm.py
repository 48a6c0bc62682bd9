"""How well `serve` keeps the rhythm of a recording: `python -m tests.bench.rhythm [PATH] [--clients N] [--window]`.

The server is a process of its own, as it is for users; so are the clients, which note when each read of the socket
returned. Compared are the gaps between chunks with those between the recorded reads: within 2 ms or 2 % at the 95th
percentile. Without PATH a recording of gaps from 0 to 120 ms is made. Before it the same is measured with a bare loop
of sleep and send and one client: what the machine lets any program do while others run on it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import selectors
import socket
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from inspector_app.files import read_input
from inspector_app.files.recording import RecordingWriter

ROOT = Path(__file__).parents[2]
LEAST_S, PART = 0.002, 0.02
"""What a gap may be off: so many seconds, or this part of it."""


def make(path: Path, events: int) -> None:
    """A recording of Chat chunks with gaps of all sizes; a tenth come in bursts."""
    chance = random.Random(7)
    with path.open("wb") as file:
        writer = RecordingWriter(file, source="live")
        writer.head(50_000_000, 200, [["content-type", "text/event-stream"]])
        t = 80_000_000
        for n in range(events):
            delta = json.dumps(
                {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": f" {n}"}}]}
            )
            writer.read(t, f"data: {delta}\n\n".encode())
            t += 0 if chance.random() < 0.1 else chance.randrange(120_000_000)
        writer.read(t, b"data: [DONE]\n\n")
        writer.end(t, "done", True)


class Client:
    """Counts chunks of one answer, and notes when each was there. Chunks are told from bytes by their ends."""

    def __init__(self, port: int, ends: list[int]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.times: list[float] = []
        self.over = False
        self._wire = _on_wire(ends)
        self._got = -1
        self._head = b""

    def ask(self, port: int) -> None:
        self.socket.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())

    def read(self) -> None:
        data = self.socket.recv(1 << 16)
        now = perf_counter()
        self.over = not data
        if self._got < 0:
            self._head += data
            _, found, rest = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            self._got, data = 0, rest
        self._got += len(data)
        while len(self.times) < len(self._wire) and self._got >= self._wire[len(self.times)]:
            self.times.append(now)
        self.over = self.over or self._got >= self._wire[-1] + 5


def _on_wire(ends: list[int]) -> list[int]:
    """Where each chunk ends on the wire, behind the head."""
    found, at, start = [], 0, 0
    for end in ends:
        at += len(f"{end - start:x}") + 4 + end - start
        found.append(at)
        start = end
    return found


def drive(port: int, path: str, clients: int) -> None:
    """The clients: prints the errors of all gaps, in seconds with the gap each, as JSON."""
    [exchange] = read_input(path)
    assert exchange.read_ends is not None
    assert exchange.read_times is not None
    held = [Client(port, list(exchange.read_ends)) for _ in range(clients)]
    waiting = selectors.DefaultSelector()
    for client in held:
        waiting.register(client.socket, selectors.EVENT_READ, client)
        client.ask(port)
    left = len(held)
    while left:
        for key, _ in waiting.select():
            key.data.read()
            if key.data.over:
                waiting.unregister(key.fileobj)
                left -= 1
    gaps = [(later - earlier) / 1e9 for earlier, later in pairwise(exchange.read_times)]
    rows = []
    for client in held:
        rows += [
            (later - earlier - gap, gap) for (earlier, later), gap in zip(pairwise(client.times), gaps, strict=True)
        ]
    print(json.dumps(rows))


def percentile(ordered: list[float], percent: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def send(path: str) -> None:
    """The bare sender: prints its port, then answers one request in the rhythm of a recording."""
    [exchange] = read_input(path)
    assert exchange.read_ends is not None
    assert exchange.read_times is not None
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"listening on http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        connection, _ = listening.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.recv(1 << 16)
        zero, start = perf_counter(), 0
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for end, time in zip(exchange.read_ends, exchange.read_times, strict=True):
            sleep(max(0.0, time / 1e9 - (perf_counter() - zero)))
            connection.sendall(b"%x\r\n%b\r\n" % (end - start, exchange.body.slice(start, end)))
            start = end
        connection.sendall(b"0\r\n\r\n")
        connection.recv(1)


def serve(path: str, bare: bool) -> tuple[subprocess.Popen[str], int]:
    ours = ["inspector_app", "serve", path]
    command = [sys.executable, "-m", *(["tests.bench.rhythm", "--send", path] if bare else ours)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, int(process.stdout.readline().rpartition(":")[2])


def window(path: str) -> subprocess.Popen[bytes]:
    """A window that plays the recording over and over, drawn but shown nowhere."""
    command = [sys.executable, "-m", "tests.bench.rhythm_window", path]
    unseen = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen(command, cwd=ROOT, env=unseen, stdout=subprocess.PIPE)


def measure(path: str, clients: int, beside: bool, bare: bool = False) -> dict[str, Any]:
    """One run: what the gaps were off."""
    process, port = serve(path, bare)
    playing = window(path) if beside else None
    try:
        if playing is not None:
            assert playing.stdout is not None
            playing.stdout.readline()
        command = [sys.executable, "-m", "tests.bench.rhythm", "--drive", str(port), "--clients", str(clients), path]
        rows = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    finally:
        for one in filter(None, (process, playing)):
            one.terminate()
            one.wait()
    off = sorted(abs(error) for error, _ in rows)
    ratios = sorted(abs(error) / max(LEAST_S, PART * gap) for error, gap in rows)
    return {
        "who": "bare" if bare else "serve", "clients": clients, "gaps": len(rows), "window": beside,
        **{f"p{percent}_ms": round(percentile(off, percent) * 1e3, 3) for percent in (50, 95, 99)},
        "max_ms": round(off[-1] * 1e3, 3), "p95_of_allowed": round(percentile(ratios, 95), 3),
    }  # fmt: skip


def main() -> None:
    """Print a row for each run. The exit status is 0 whatever the figures are: a busy machine is no defect."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rhythm", description=__doc__)
    parser.add_argument("path", nargs="?", help="a recording with times")
    parser.add_argument("--events", type=int, default=150, help="of the recording that is made (default: %(default)s)")
    parser.add_argument("--clients", type=int, action="append", help="so many at once; may be given several times")
    parser.add_argument("--window", action="store_true", help="with a window that plays the recording beside it")
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--drive", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.drive:
        drive(options.drive, options.path, options.clients[0])
        return
    if options.send:
        send(options.path)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = options.path or str(Path(folder) / "rhythm.rec.jsonl")
        if options.path is None:
            make(Path(path), options.events)
        print_row(measure(path, 1, options.window, bare=True))
        for clients in options.clients or (1, 50, 200):
            row = measure(path, clients, options.window)
            print_row(row)


def print_row(row: dict[str, Any]) -> None:
    """One run, for people."""
    word = "ok" if row["p95_of_allowed"] <= 1 else "OVER"
    beside = ", beside a window that plays" if row["window"] else ""
    print(
        f"{row['who']:6}{row['clients']:4} clients, {row['gaps']} gaps{beside}: off by {row['p50_ms']} ms (p50),",
        end=" ",
    )
    print(f"{row['p95_ms']} ms (p95), {row['p99_ms']} ms (p99), {row['max_ms']} ms (most);", end=" ")
    print(f"p95 is {row['p95_of_allowed']} of what is allowed: {word}", flush=True)


if __name__ == "__main__":
    main()
