"""Amazon Bedrock InvokeModelWithResponseStream: each `chunk` holds an event of the vendor as base64 (section 15).

It is an envelope and no dialect of its own: the events inside are read as they are anywhere else (core/wrapped.py).
"""

from __future__ import annotations

import re
from typing import Any

NAME = "bedrock-invoke"
TITLE = "Amazon Bedrock InvokeModel"
FRAMINGS = frozenset({"aws-eventstream", "ndjson"})
"""Frames, and a log of their payloads, where each stands under the name of its event."""
PADDING = frozenset({"p"})
EVENT, KEY = "chunk", "bytes"
SIGN = b'"bytes"'
PLAIN = (EVENT, re.compile(rb'\{"bytes":"([A-Za-z0-9+/]+={0,2})"(?:,"p":"[A-Za-z0-9]*")?\}'))
"""A chunk as the service writes it, with padding or without."""

NEVER_BESIDE = frozenset({"trace", "returnControl", "files"})
"""Events of an agent, whose chunks hold text."""

INNER = {
    "anthropic-messages": "anthropic",
    "anthropic-completions": "anthropic-completions",
    "bedrock-converse": "nova",
    "cohere-v1": "cohere",
}
"""How a stream is called by what its chunks hold, where that has another name on its own."""


def holder(payload: Any, name: str | None) -> tuple[dict[str, Any], str] | None:
    """The object whose string is base64, and the key of that; an agent has sources beside it, and plain text in it."""
    if type(payload) is not dict:
        return None
    found = payload if name == EVENT else payload.get(EVENT) if name is None else None
    if type(found) is not dict or not isinstance(found.get(KEY), str) or "attribution" in found:
        return None
    return found, KEY
