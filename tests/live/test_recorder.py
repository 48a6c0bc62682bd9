"""A recording on its way to the disk: what was taken is there, whatever happens to the disk or to the process."""

from __future__ import annotations

import errno
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from inspector_app.core.types import Exchange, Http
from inspector_app.files import read_input
from inspector_app.files.recording import is_marked
from inspector_app.live.capture import Conditions, End, Read
from inspector_app.live.recorder import Recorder, create, free_names, recordings_folder
from inspector_app.live.running import Running, Stopped
from inspector_app.live.unfinished import unfinished
from tests.live.server import ANSWER, EVENTS, Server
from tests.live.streams import CANARY, PATIENCE_S, kit, request, start, until

ROOT = Path(__file__).parents[2]
HEAD = Http(200, [("content-type", "text/event-stream")])
END = End(9, "done", True)


def recorded(path: Path) -> Exchange:
    (exchange,) = read_input(str(path))
    return exchange


def body(path: Path) -> bytes:
    exchange = recorded(path)
    return exchange.body.slice(0, len(exchange.body))


def raw(path: Path) -> BinaryIO:
    return path.open("xb", buffering=0)


def test_what_a_call_returned_for_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.rec.jsonl"
    recorder = Recorder(raw(path), {"method": "POST", "url": "http://h/"})
    recorder.head(1, HEAD)
    for number, piece in enumerate(EVENTS, 2):
        recorder.read(number, piece)
        assert body(path).endswith(piece)
    recorder.close(END)
    recorder.read(99, b"late")
    recorder.close(END)
    exchange = recorded(path)
    assert (body(path), exchange.http, exchange.source) == (ANSWER, HEAD, "live")
    assert (exchange.end_time, exchange.faults) == (9, [])
    assert recorder.stopped is None


def test_the_file_is_synced_on_a_timer_and_at_the_end(tmp_path: Path) -> None:
    synced: list[int] = []
    turn = threading.Semaphore(0)
    path = tmp_path / "x.rec.jsonl"

    def sync(_: int) -> None:
        synced.append(path.stat().st_size)
        turn.release()

    recorder = Recorder(raw(path), None, sync=sync, sync_s=0.001)
    assert turn.acquire(timeout=PATIENCE_S)
    recorder.read(1, b"a")
    assert turn.acquire(timeout=PATIENCE_S)
    assert synced[-1] == path.stat().st_size
    recorder.close(END)
    assert synced[-1] == path.stat().st_size
    assert len(synced) >= 3


class Disk:
    """A file that takes so many bytes and no more."""

    def __init__(self, file: BinaryIO, room: int, error: int) -> None:
        self._file = file
        self._left = room
        self._error = error
        self.name = file.name

    def write(self, data: bytes) -> int:
        taken = min(self._left, len(data))
        self._left -= taken
        if taken:
            return self._file.write(data[:taken])
        raise OSError(self._error, os.strerror(self._error))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("events, more", list(itertools.product((0, 2, 5), (0, 1, 40))))
def test_a_disk_that_fails_stops_the_recording_and_nothing_else(
    events: int, more: int, error: int, tmp_path: Path
) -> None:
    whole, path = tmp_path / "whole.rec.jsonl", tmp_path / "x" / "x.rec.jsonl"
    path.parent.mkdir()
    with Server() as server:
        asked = request(f"{server.url}/plain")

        def run(file: Any) -> list[Any]:
            running = Running(asked, kit(), Conditions(), Recorder(file, asked.record()))
            running.start()
            items = until(running, [], 1 << 62)
            assert running.join(PATIENCE_S)
            return items

        run(raw(whole))
        lines = whole.read_bytes().splitlines(keepends=True)
        room = sum(map(len, lines[: 2 + events])) + more
        items = run(Disk(raw(path), room, error))
    assert b"".join(item.data for item in items if isinstance(item, Read)) == ANSWER
    assert items[-1][1] == "done"
    stopped = [item.why for item in items if isinstance(item, Stopped)]
    assert stopped == [f"the recording stopped: {os.strerror(error)}"]
    kept = body(path)
    assert kept in [b"".join(EVENTS[:count]) for count in range(len(EVENTS))]
    assert room - max(map(len, lines)) < path.stat().st_size <= room
    assert path.read_bytes().endswith(b"}\n")
    assert [fault.rule for fault in recorded(path).faults] == ["file-torn-tail"]
    assert [one.path for one in unfinished(path.parent)] == [path]


def test_a_sync_that_fails_is_told_too(tmp_path: Path) -> None:
    calls = itertools.count()

    def sync(_: int) -> None:
        if next(calls):
            raise OSError(errno.EIO, "Input/output error")

    recorder = Recorder(raw(tmp_path / "x.rec.jsonl"), None, sync=sync)
    recorder.close(END)
    assert recorder.stopped == "the recording stopped: Input/output error"


def test_a_disk_that_is_full_from_the_start_is_an_error_of_the_call(tmp_path: Path) -> None:
    file: Any = Disk(raw(tmp_path / "x.rec.jsonl"), 0, errno.ENOSPC)
    with pytest.raises(OSError, match="No space"):
        Recorder(file, None)
    assert file.closed


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_of_the_system(tmp_path: Path) -> None:
    """The kernel itself cuts a write short, then refuses."""
    path = tmp_path / "x.rec.jsonl"
    program = """
import resource, signal, sys
from pathlib import Path
from inspector_app.live.recorder import Recorder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
recorder = Recorder(Path(sys.argv[1]).open("xb", buffering=0), None)
taken = 0
while recorder.stopped is None:
    recorder.read(taken, b"data: %06d\\n\\n" % taken)
    taken += recorder.stopped is None
print(taken, recorder.stopped)
"""
    ran = subprocess.run([sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True, check=True)
    taken, why = ran.stdout.split(" ", 1)
    assert why.strip() == "the recording stopped: File too large"
    assert body(path) == b"".join(b"data: %06d\n\n" % number for number in range(int(taken)))
    assert int(taken) > 10


WRITES_UNTIL_KILLED = """
import os, sys
from pathlib import Path
from inspector_app.core.types import Http
from inspector_app.live.recorder import Recorder
recorder = Recorder(Path(sys.argv[1]).open("xb", buffering=0), None, sync_s=0.01)
recorder.head(0, Http(200, []))
number = 0
while True:
    recorder.read(number, b"data: %09d " % number + b"x" * (number * 7919 % 60_000) + b"\\n\\n")
    number += 1
    os.write(1, b"%d\\n" % number)
"""


@pytest.mark.parametrize("acknowledged", [1, 40, 300])
def test_a_kill_loses_nothing_that_was_acknowledged(acknowledged: int, tmp_path: Path) -> None:
    path = tmp_path / "x.rec.jsonl"
    with subprocess.Popen([sys.executable, "-c", WRITES_UNTIL_KILLED, path], cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        for _ in range(acknowledged):
            child.stdout.readline()
        assert unfinished(tmp_path) == []
        child.kill()
        told = acknowledged + child.stdout.read().count(b"\n")
    events = body(path).split(b"\n\n")[:-1]
    assert [event[:15] for event in events[:told]] == [b"data: %09d" % number for number in range(told)]
    assert len(events) - told in (0, 1)
    assert all(fault.rule == "file-torn-tail" for fault in recorded(path).faults)
    (left,) = unfinished(tmp_path)
    assert (left.path, left.source, left.size) == (path, "live", path.stat().st_size)


@pytest.mark.parametrize("size", [1, 40_000, 90_000])
def test_a_recording_is_known_again_once_it_is_closed(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x.rec.jsonl"
    recorder = Recorder(raw(path), None)
    recorder.read(1, b"x" * size)
    assert recorder.mark is None
    recorder.close(END)
    assert recorder.mark == recorded(path).mark
    assert is_marked(str(path), recorder.mark)


def test_a_recording_that_was_replaced_while_it_was_written_is_known_as_none(tmp_path: Path) -> None:
    path = tmp_path / "x.rec.jsonl"
    recorder = Recorder(raw(path), None)
    finished(tmp_path / "y.rec.jsonl")
    (tmp_path / "y.rec.jsonl").replace(path)
    recorder.close(END)
    assert recorder.mark is not None
    assert not is_marked(str(path), recorder.mark)


def finished(path: Path) -> None:
    Recorder(raw(path), None).close(END)


def torn(path: Path) -> None:
    recorder = Recorder(raw(path), None)
    recorder.read(1, b"data: 1\n\n")
    recorder.close(END)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]) + b'{"t":2,"te')


def noted_later(path: Path) -> None:
    finished(path)
    with path.open("ab") as file:
        file.write(b'{"t":null,"note":{"id":"n","event":0,"text":"the \\"end\\" of it","until":null}}\n')


def imported(path: Path) -> None:
    torn(path)
    path.write_bytes(path.read_bytes().replace(b'"source":"live"', b'"source":"import:har"'))


def says_end_in_its_text(path: Path) -> None:
    recorder = Recorder(raw(path), None)
    recorder.read(1, b'data: {"end": {"how": "done"}}\n\n')
    recorder.close(END)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))


def no_recording(path: Path) -> None:
    path.write_bytes(b"data: x\n\n")


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("make, listed", [
    (finished, False), (torn, True), (noted_later, False), (imported, False), (says_end_in_its_text, True),
    (no_recording, False), (empty, False), (Path.mkdir, False),
])  # fmt: skip
def test_what_counts_as_unfinished(make: Callable[[Path], None], listed: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.rec.jsonl"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    assert [one.path for one in unfinished(tmp_path)] == [path] * listed
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_recording_in_the_making_is_not_offered(tmp_path: Path) -> None:
    assert unfinished(tmp_path / "nowhere") == []
    recorder = Recorder(raw(tmp_path / "now.rec.jsonl"), None)
    assert unfinished(tmp_path) == []
    recorder.close(END)
    assert unfinished(tmp_path) == []


def test_the_newest_is_offered_first(tmp_path: Path) -> None:
    for name, created in (("b", "2026-01-01"), ("a", "2026-03-01"), ("c", "2026-02-01")):
        path = tmp_path / f"{name}.rec.jsonl"
        torn(path)
        header, rest = path.read_bytes().split(b"\n", 1)
        path.write_bytes(json.dumps(json.loads(header) | {"created": created}).encode() + b"\n" + rest)
    assert [one.path.name[0] for one in unfinished(tmp_path)] == ["a", "c", "b"]


@pytest.mark.parametrize("words, name", [
    (("openrouter", "qwen/qwen3-235b:free"), "20261129-171852-openrouter-qwen-qwen3-235b-free"),
    (("../../etc", "passwd\x00\n"), "20261129-171852-etc-passwd"),
    (("日本", "...", ""), "20261129-171852"),
    (("a" * 300,), "20261129-171852-" + "a" * 40),
    (("CON", ".hidden"), "20261129-171852-con-hidden"),
])  # fmt: skip
def test_names_are_made_of_harmless_letters(words: tuple[str, ...], name: str) -> None:
    names = free_names(Path("/folder"), *words, now=datetime(2026, 11, 29, 17, 18, 52))
    assert [next(names), next(names)] == [Path(f"/folder/{name}.rec.jsonl"), Path(f"/folder/{name}-2.rec.jsonl")]


def test_no_recording_is_overwritten(tmp_path: Path) -> None:
    moment = datetime(2026, 11, 29)

    def names() -> Iterator[Path]:
        return free_names(tmp_path / "new folder", "x", now=moment)

    made = []
    for _ in range(3):
        path, file = create(names())
        file.close()
        made.append(path.name)
    assert made == [f"20261129-000000-x{end}.rec.jsonl" for end in ("", "-2", "-3")]
    with pytest.raises(FileExistsError):
        create(tmp_path / "new folder" / made[0])
    with pytest.raises(FileNotFoundError):
        create(tmp_path / "no folder" / "x.rec.jsonl")


def test_recordings_go_where_data_of_the_user_goes(home: Path) -> None:
    if sys.platform.startswith("linux"):
        assert recordings_folder() == home / "data" / "stream-inspector" / "recordings"
    assert not recordings_folder().exists()


def test_no_secret_reaches_the_disk_or_the_items(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The key goes out in a header and in the URL; the server sends it back in every place of its own."""
    caplog.set_level("DEBUG")
    lines = [
        "HTTP/1.1 307 Temporary Redirect",
        f"Location: /next?key={CANARY}&other={CANARY}",
        f"Set-Cookie: session={CANARY}",
        f"X-Echo: you sent {CANARY}",
        "Transfer-Encoding: chunked",
    ]
    answer = "\r\n".join([*lines, "", "0", f"X-Trailer: {CANARY}", f"X-Api-Key: {CANARY}", "", ""]).encode()
    path = tmp_path / "x.rec.jsonl"
    with Server(scripts=lambda asked: [answer]) as server:
        running = start(f"{server.url}/x?key={CANARY}", path)
        items = until(running, [], 1 << 62)
        assert running.join(PATIENCE_S)
        assert server.requests[0][1]["authorization"] == f"bearer {CANARY}"
    text = path.read_text()
    assert CANARY not in text
    assert CANARY not in repr(items)
    assert CANARY not in repr(running)
    assert CANARY not in caplog.text
    assert text.count("<redacted: sha256:") >= 7
    assert json.loads(text.splitlines()[0])["redacted"] == ["authorization", "url"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGTERM")
def test_a_recorder_in_a_process_that_is_asked_to_end_leaves_a_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "x.rec.jsonl"
    with subprocess.Popen([sys.executable, "-c", WRITES_UNTIL_KILLED, path], cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        child.stdout.read()
    assert [one.path for one in unfinished(tmp_path)] == [path]
