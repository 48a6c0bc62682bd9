"""A body that is no text: AWS event-stream frames, or bytes that nobody knows."""

from __future__ import annotations

from inspector_app.core.sniff import is_relayed_frame
from inspector_app.core.types import Exchange
from inspector_app.files._coding import PROBE, is_aws_frame, is_binary
from inspector_app.files._content import named_like
from inspector_app.files._source import Source

NAME = "binary-body"
TITLE = "Body of binary frames"
EXTENSIONS = (".bin",)


def sniff(head: bytes, name: str) -> int:
    if is_aws_frame(head) or is_relayed_frame(head):
        return 90
    if head:
        return 70 if is_binary(head[:PROBE]) else 0
    return 2 if named_like(name, EXTENSIONS) else 0


def read(source: Source) -> list[Exchange]:
    return [source.exchange(NAME)]
