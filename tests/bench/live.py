"""The live part under load: `python -m tests.bench.live [times] [exchanges] [kills]`, all three by default.

times: the sender stamps each event, in a process of its own; how late each read is stamped here, with nothing else to
do and with a thread that holds the interpreter 60 of every 100 ms, as a window at work does.
exchanges: bodies of seeded noise, cut at random, many at once: each one must be recorded as it was sent.
kills: a process that records a fast stream is killed; what it had acknowledged must be in the file.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from inspector_app.core.kit import load_kit
from inspector_app.files import read_input
from inspector_app.live.capture import Conditions, End, Head, Read
from inspector_app.live.recorder import Recorder
from inspector_app.live.request import Outgoing
from inspector_app.live.running import Running
from inspector_app.live.unfinished import unfinished
from tests.bench.live_server import EVERY_S, body_of

ROOT = Path(__file__).parents[2]
BOUND_MS = 5.0
EXCHANGES, AT_ONCE = 10_000, 8
KILLS = 20


class Peer:
    """`live_server` in a process of its own."""

    def __enter__(self) -> str:
        command = [sys.executable, "-m", "tests.bench.live_server"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        return f"http://127.0.0.1:{int(self._process.stdout.readline())}"

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


def captured(url: str, path: Path) -> list[Head | Read | End]:
    request = Outgoing("POST", url, (("accept-encoding", "identity"),), b"{}")
    running = Running(request, KIT, Conditions(), Recorder(path.open("xb", buffering=0), request.record()))
    running.start()
    running.join()
    return [item for item in running.take() if isinstance(item, Head | Read | End)] + [
        End(running.zero, "", None)  # carries time zero
    ]


KIT = load_kit()


def busy(stop: threading.Event) -> None:
    """60 ms of plain Python, then 40 ms of nothing."""
    while not stop.is_set():
        until = time.perf_counter() + 0.06
        while time.perf_counter() < until:
            sum(range(200))
        time.sleep(0.04)


def late_ms(url: str, path: Path, count: int) -> list[float]:
    """How much later than its sender each event is stamped, in order of size."""
    *items, _, zero = captured(f"{url}/stamps/{count}", path)
    late = []
    for item in items:
        if isinstance(item, Read):
            sent = [json.loads(line[6:])["sent"] for line in item.data.split(b"\n\n") if line]
            late += [(zero.t + item.t - at) / 1e6 for at in sent]
    assert len(late) == count
    return sorted(late)


def floor_ms(url: str, count: int) -> list[float]:
    """The same by a bare socket that does nothing else: what this machine can do at this moment."""
    late: list[float] = []
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as plain:
        plain.sendall(b"GET /stamps/%d HTTP/1.1\r\nHost: x\r\n\r\n" % count)
        while data := plain.recv(65536):
            now = time.perf_counter_ns()
            late += [(now - int(at)) / 1e6 for at in re.findall(rb'"sent": (\d+)', data)]
    return sorted(late)


def shown(late: list[float]) -> str:
    p50, p95, most = late[len(late) // 2], late[len(late) * 95 // 100], late[-1]
    return f"late by p50 {p50:.2f}, p95 {p95:.2f}, at most {most:.2f} ms"


def times(folder: Path) -> bool:
    good = True
    with Peer() as url:
        print(f"times: an event every {EVERY_S * 1e3:g} ms; a bare socket sees them {shown(floor_ms(url, 2000))}")
        for name, work in (("idle", None), ("busy 60 of 100 ms", busy)):
            stop = threading.Event()
            thread = threading.Thread(target=work, args=(stop,)) if work else None
            if thread is not None:
                thread.start()
            late = late_ms(url, folder / f"{'busy' if work else 'idle'}.rec.jsonl", 2000)
            stop.set()
            if thread is not None:
                thread.join()
            good &= late[len(late) * 95 // 100] <= BOUND_MS
            print(f"times, {name}: stamped {shown(late)} (p95 bound {BOUND_MS:g})")
    return good


def exchanges(folder: Path, count: int) -> bool:
    wrong: list[int] = []
    sizes: list[int] = []

    def one(number: int) -> None:
        path = folder / f"{number}.rec.jsonl"
        *items, end, _ = captured(f"{url}/noise/{number}", path)
        (recorded,) = read_input(str(path))
        sent = body_of(number)
        got = b"".join(item.data for item in items if isinstance(item, Read))
        if not (got == recorded.body.slice(0, 1 << 62) == sent) or end[2] is not True or not in_order(items):
            wrong.append(number)
        sizes.append(len(sent))
        path.unlink()

    began = time.perf_counter()
    with Peer() as url, ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, range(count)))
    print(f"exchanges: {count} in {time.perf_counter() - began:.0f} s, {AT_ONCE} at once, {sum(sizes) / 1e6:.1f} MB; "
          f"lost or changed: {len(wrong)} {wrong[:5] or ''}")  # fmt: skip
    return not wrong and len(sizes) == count


def in_order(items: list[Head | Read | End]) -> bool:
    stamps = [item.t for item in items]
    return stamps == sorted(stamps)


def kills(folder: Path, rounds: int) -> bool:
    good, told_all, torn = True, 0, 0
    random.seed(4)
    for number in range(rounds):
        path = folder / f"kill-{number}.rec.jsonl"
        with Peer() as url:
            command = [sys.executable, "-m", "tests.bench.live_recording", f"{url}/fast", str(path)]
            child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
            assert child.stdout is not None
            told = int(child.stdout.readline())
            time.sleep(random.random())
            child.kill()
            told = int(([str(told).encode(), *child.stdout.read().split(b"\n")[:-1]])[-1])
            child.wait()
        (recorded,) = read_input(str(path))
        got = recorded.body.slice(0, 1 << 62)
        sent = b"".join(b"data: %012d\n\n" % n for n in range(len(got) // 20 + 1))
        damaged = [fault.rule for fault in recorded.faults if fault.rule != "file-torn-tail"]
        good &= len(got) >= told > 0 and sent.startswith(got) and not damaged and bool(unfinished(folder))
        torn += not path.read_bytes().endswith(b"\n")
        told_all += told
        path.unlink()
    print(f"kills: {rounds} times -9, {told_all / 1e6:.1f} MB acknowledged, {torn} torn last lines; "
          f"{'nothing acknowledged was lost, every file opened' if good else 'LOST OR DAMAGED'}")  # fmt: skip
    return good


def main() -> Iterator[bool]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["times", "exchanges", "kills", []])
    parser.add_argument("--exchanges", type=int, default=EXCHANGES)
    parser.add_argument("--kills", type=int, default=KILLS)
    options = parser.parse_args()
    known: dict[str, Callable[[Path], bool]] = {
        "times": times,
        "exchanges": lambda folder: exchanges(folder, options.exchanges),
        "kills": lambda folder: kills(folder, options.kills),
    }
    for name in options.what or known:
        with tempfile.TemporaryDirectory() as folder:
            yield known[name](Path(folder))


if __name__ == "__main__":
    sys.exit(0 if all(list(main())) else 1)
