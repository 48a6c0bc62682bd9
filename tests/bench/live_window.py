"""A window at a live stream: `python -m tests.bench.live_window [RATE] [SECONDS]`, by default 5000 events/s for 60 s.

The sender is a process of its own. Told are the longest steps of the interface thread, what took them, when, and how
much of that was work of its own (the rest it waited, for its turn or for a processor), how late the view was, whether
any event was lost, how late the reads were stamped, and how the memory grew beside the recording. `--scroll` scrolls
back and forth.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BOUND_MS = 50.0
LONGEST = 12


def send(rate: int, seconds: float) -> None:
    """Prints its port, then sends events, each a chunk of its own, a few each millisecond; then what it sent."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        connection, _ = listening.accept()
        # As servers do; else the last events of a millisecond wait for an acknowledgement, 40 ms at worst.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.recv(65536)
        kind = b"Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + kind)
        began, sent, total = time.perf_counter(), 0, round(rate * seconds)
        while sent < total:
            due = min(total, round((time.perf_counter() - began) * rate))
            connection.sendall(b"".join(chunk(n) for n in range(sent, due)))
            sent = max(sent, due)
            time.sleep(0.001)
        end = b"data: [DONE]\n\n"
        connection.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(end), end))
        connection.shutdown(socket.SHUT_WR)
        # Closed with anything unread it would be a reset.
        while connection.recv(65536):
            pass


def chunk(n: int) -> bytes:
    """Event number n as a server of Chat completions sends it."""
    field = "reasoning_content" if n % 10_000 < 3000 else "content"
    choice = {"index": 0, "delta": {field: f"word{n % 977} "}, "logprobs": None, "finish_reason": None}
    created = time.perf_counter_ns()  # one clock for all processes of a machine: how late it is seen can be told
    payload = {"id": "c1", "object": "chat.completion.chunk", "created": created, "model": "m", "choices": [choice]}
    event = b"data: " + json.dumps(payload).encode() + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(event), event)


def stamped_late(exchange: Any, zero: int) -> list[float]:
    """How much later than its sender wrote it each event was stamped, ms, in order of size."""
    body = exchange.body.slice(0, len(exchange.body))
    ends, times = exchange.read_ends, exchange.read_times
    stamps = ((match.end(), int(match[1])) for match in re.finditer(rb'"created": (\d+)', body))
    return sorted((zero + times[bisect_left(ends, end)] - sent) / 1e6 for end, sent in stamps)


def memory_mb() -> float:
    """What this process holds in memory now."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rate", nargs="?", type=int, default=5000)
    parser.add_argument("seconds", nargs="?", type=float, default=60.0)
    parser.add_argument("--scroll", action="store_true")
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.send:
        send(options.rate, options.seconds)
        return 0
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return watch(options.rate, options.seconds, options.scroll)


def watch(rate: int, seconds: float, scroll: bool) -> int:
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    from inspector_app.core.kit import load_kit
    from inspector_app.lenses.load import load_lenses, shipped_folder
    from inspector_app.live.providers import Provider
    from inspector_app.live.request import Outgoing
    from inspector_app.ui.garbage import keep_to_this_thread
    from inspector_app.ui.settings import Settings
    from inspector_app.ui.theme import Look
    from inspector_app.ui.window import Window

    steps: list[tuple[float, float, str]] = []
    start = time.perf_counter()
    late = Counter[int]()

    class Timed(QApplication):
        """Times whatever the interface thread does at once."""

        depth = 0

        def notify(self, receiver: QObject, event: QEvent) -> bool:
            Timed.depth += 1
            began, worked = time.perf_counter(), time.thread_time()
            try:
                return bool(super().notify(receiver, event))
            finally:
                Timed.depth -= 1
                took = (time.perf_counter() - began) * 1e3
                if not Timed.depth and took > BOUND_MS / 5:
                    own = (time.thread_time() - worked) * 1e3
                    name = f"{type(receiver).__name__} {event.type().name} at {began - start:.1f} s"
                    steps.append((took, own, name))

    peer = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.live_window", str(rate), str(seconds), "--send"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert peer.stdout is not None
    url = f"http://127.0.0.1:{int(peer.stdout.readline())}/v1/chat/completions"
    application = Timed([])
    keep_to_this_thread(application)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings()
        settings.put("recordings", folder)
        window = Window(load_kit(), load_lenses([shipped_folder()]), Look(application, "dark"), settings=settings)
        window.resize(1600, 1000)
        window.show()
        page = window.go_live(
            Provider("bench", base_url=url, dialect="openai-chat", model="m"), Outgoing("POST", url, (), b"{}")
        )
        assert page is not None
        session: Any = page.session
        live_steps: list[tuple[float, float, str]] = []
        sizes: list[tuple[int, float]] = []

        def look() -> None:
            if session.live:
                late[len(session.reference.events) - session.rows.events] += 1
                if scroll:
                    bar = page.panes.raw.verticalScrollBar()
                    bar.setValue(int(time.monotonic() * 5000) % max(1, bar.maximum()))

        def sample() -> None:
            sizes.append((len(session.reference.events), memory_mb()))

        def ended() -> None:
            live_steps.extend(steps)
            steps.clear()

        session.ended.connect(ended)
        session.read.connect(application.quit)
        timers = []
        for every, work in ((50, look), (max(1000, round(seconds * 100)), sample)):
            timer = QTimer()
            timer.timeout.connect(work)
            timer.start(every)
            timers.append(timer)
        QTimer.singleShot(round(seconds * 1000) + 120_000, application.quit)
        cpu = time.process_time()
        application.exec()
        cpu = time.process_time() - cpu
        events, (path,) = len(session.reference.events), list(Path(folder).glob("*.rec.jsonl"))
        print(f"events: {events} of {round(rate * seconds) + 1}; body {len(session.exchange.body) / 1e6:.1f} MB, "
              f"recording {path.stat().st_size / 1e6:.1f} MB; {cpu:.0f} s of processor")  # fmt: skip
        for name, found in (("live", live_steps), ("after the end", steps)):
            for kind, place in (("by the clock", 0), ("of its own work", 1)):
                found.sort(key=lambda step: step[place], reverse=True)
                over = sum(step[place] > BOUND_MS for step in found)
                print(f"{name}: {over} steps over {BOUND_MS:g} ms {kind}; the longest:",
                      ", ".join(f"{step[place]:.0f} {step[2]}" for step in found[:LONGEST]))  # fmt: skip
        late_ms = stamped_late(session.exchange, session._running.zero)
        print(f"stamped late by p50 {late_ms[len(late_ms) // 2]:.2f}, p95 {late_ms[len(late_ms) * 95 // 100]:.2f}, "
              f"p99 {late_ms[len(late_ms) * 99 // 100]:.2f}, at most {late_ms[-1]:.2f} ms")  # fmt: skip
        print("end:", path.read_bytes().splitlines()[-1][:200])
        print("events behind the view, 20 times a second: most", max(late, default=0))
        print("memory:", ", ".join(f"{count} {size:.0f} MB" for count, size in sizes))
        window.close()
    peer.kill()
    peer.wait()
    whole = events == round(rate * seconds) + 1
    return 0 if whole and not any(own > BOUND_MS for _, own, _ in live_steps) else 1


if __name__ == "__main__":
    sys.exit(main())
