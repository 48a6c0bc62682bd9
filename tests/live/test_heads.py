"""What is said where something else came than the head of an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector_app.live.capture import Conditions
from tests.live.server import GATE, Server
from tests.live.streams import CANARY, stream

NO_HEADS = {
    "another protocol": (b"SSH-2.0-OpenSSH\r\n\r\n", 'the server sent something that is no HTTP: "SSH-2.0-OpenSSH"'),
    "its first line alone": (b"SSH-2.0-OpenSSH\r\n", 'the server sent something that is no HTTP: "SSH-2.0-OpenSSH"'),
    "control characters": (b"\x1b[1mhi", 'the server sent something that is no HTTP: "␛[1mhi"'),
    "the key": (CANARY.encode() * 9, "the server sent something that is no HTTP: \"<redacted"),
    "an alert of TLS": (b"\x15\x03\x01\x00\x02\x02\x46", "the server speaks TLS there, and was asked without"),
    "half a head": (b"HTTP/1.1 200 OK\r\nContent-Ty", 'the answer ended within its head, behind "HTTP/1.1 200 OK"'),
    "half a status line": (b"HTT", 'the answer ended within its head, behind "HTT"'),
    "no field": (
        b"HTTP/1.1 200 OK\r\nContent-Type text/x\r\n\r\n",
        'the head of the answer breaks the rules of HTTP: "Content-Type text/x" is no header field',
    ),
    "only an interim head": (
        b"HTTP/1.1 100 Continue\r\n\r\n",
        "the server closed the connection without an answer; only HTTP 100 came before, which announces an answer",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_HEADS)
def test_what_came_instead_of_a_head_is_told_in_its_own_words(name: str, tmp_path: Path) -> None:
    sent, said = NO_HEADS[name]
    with Server(scripts=lambda path: [sent]) as server:
        ran = stream(server, "", tmp_path)
    assert ran.end.how == "truncated"
    assert ran.end.detail is not None
    assert ran.end.detail.startswith(said)
    assert "bytearray" not in ran.end.detail


def test_what_came_before_a_silence_is_told(tmp_path: Path) -> None:
    with Server(scripts=lambda path: [b"HTTP/1.1 200 OK\r\n", GATE]) as server:
        ran = stream(server, "", tmp_path, Conditions(idle_s=0.2), enough=1)
    assert ran.end[1] == "timeout"
    assert ran.end.detail == 'the answer ended within its head, behind "HTTP/1.1 200 OK": no byte came for 0.2 s'
