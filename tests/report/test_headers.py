"""What two response heads tell of a change, and what they do not."""

from __future__ import annotations

import pytest

from inspector_app.core.text import clip
from inspector_app.core.types import Http
from inspector_app.report.headers import LONGEST, MOST, changed_headers

USUAL = [("Content-Type", "text/event-stream"), ("Server", "nginx"), ("Date", "Tue"), ("X-Request-Id", "a")]


def head(*more: tuple[str, str], version: str = "HTTP/1.1", without: str = "") -> Http:
    return Http(200, [(name, value) for name, value in USUAL if name != without] + [*more], version)


CASES = [
    ("the same", head(), head(), []),
    ("in other letters", head(), Http(200, [(name.lower(), value) for name, value in USUAL]), []),
    ("another day and id", head(), head(("Age", "3"), ("Set-Cookie", "s=secret")), []),
    ("another id", head(("Cf-Ray", "1")), head(("CF-RAY", "2")), []),
    ("another server", head(without="Server"), head(("Server", "cloud"), without="Server"),
     [("header server", "not there", "cloud")]),
    ("a value", head(("Cache-Control", "no-cache")), head(("Cache-Control", "private")),
     [("header cache-control", "no-cache", "private")]),
    ("one that holds nothing back went", head(("X-Accel-Buffering", "no")), head(),
     [("header x-accel-buffering", "no", "not there")]),
    ("one whose value says nothing came", head(), head(("Cf-Ray", "secret")),
     [("header cf-ray", "not there", "there")]),
    ("another HTTP", head(("Connection", "keep-alive"), ("Transfer-Encoding", "chunked")), head(version="HTTP/2"), []),
    ("a long one", head(), head(("Via", "x" * 500)), [("header via", "not there", clip("x" * 500, LONGEST))]),
    ("no head", None, head(("Via", "x")), []),
]  # fmt: skip


@pytest.mark.parametrize(("what", "a", "b", "rows"), CASES, ids=[case[0] for case in CASES])
def test_what_heads_differ_in(what: str, a: Http | None, b: Http | None, rows: list[tuple[str, str, str]]) -> None:
    assert list(changed_headers(a, b)) == rows
    assert list(changed_headers(b, a)) == [(name, there, here) for name, here, there in rows]


def test_no_more_are_told_than_can_be_read() -> None:
    assert len(list(changed_headers(head(), head(*((f"X-{n}", "1") for n in range(99)))))) == MOST
