"""What two response heads differ in, as far as it says that somebody changed something."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.text import clip
from inspector_app.core.types import Http

STEADY = frozenset({"server", "via", "cache-control", "x-accel-buffering", "vary", "x-powered-by", "connection"})
"""Header fields whose values are the same in each answer of a server, until somebody changes something."""
PASSING = frozenset({"content-type", "content-encoding", "content-length", "date", "age", "set-cookie", "etag"})
"""Those that are told elsewhere, and those that come and go."""
OF_HTTP_1 = frozenset({"connection", "keep-alive", "transfer-encoding", "upgrade", "alt-svc"})
"""Those that HTTP/2 has not."""
MOST, LONGEST = 20, 64
"""Fields that are told, and characters of a name or a value."""
THERE, ABSENT = "there", "not there"


def changed_headers(a: Http | None, b: Http | None) -> Iterator[tuple[str, str, str]]:
    """("header server", as it is in a, as it is in b): fields that came or went, and other values of `STEADY` ones.
    Nothing where a head is unknown.
    """
    if a is None or b is None:
        return
    ours, theirs = ({name.lower(): value for name, value in head.headers} for head in (a, b))
    passing = PASSING if a.version == b.version else PASSING | OF_HTTP_1
    told = 0
    for name in dict.fromkeys((*ours, *theirs)):
        said = tuple(_said(name, held.get(name)) for held in (ours, theirs))
        if name not in passing and said[0] != said[1] and told < MOST:
            told += 1
            yield f"header {clip(name, LONGEST)}", said[0], said[1]


def _said(name: str, value: str | None) -> str:
    """A value that is another in each answer, such as an id, or a secret, is not told."""
    return ABSENT if value is None else clip(value, LONGEST) if name in STEADY else THERE
