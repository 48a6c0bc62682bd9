"""What deltas are called, and which of them are there but empty."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.types import Delta
from inspector_app.ui.views.words import kind_of, value_of


@pytest.mark.parametrize(
    ("kind", "value", "extra", "shown"),
    [
        ("noop", 5, {"key": 5, "block": ""}, ("block end", "5", False)),  # content_block_stop
        ("noop", 0, {"key": 0}, ("block end", "0", False)),
        ("noop", None, {"key": "a"}, ("block end", "", False)),
        ("noop", [], {"field": "tool_calls"}, ("tool calls", "[]", True)),
        ("noop", None, {"field": "content"}, ("text", "null", True)),
        ("noop", "", {"field": "reasoning_content"}, ("reasoning", '""', True)),
        ("noop", {}, None, ("nothing", "{}", True)),
        ("noop", {"type": "ping"}, None, ("nothing", '{"type": "ping"}', False)),
        ("text.start", None, {"key": 6}, ("start", "", False)),
        ("text.end", None, {"key": 6}, ("end", "", False)),
        ("text.delta", "", None, ("text", '""', True)),
        ("tool.end", None, None, ("call end", "", False)),
        ("keepalive", None, {"form": "ping"}, ("keep-alive", "", False)),
    ],
)
def test_only_what_is_empty_is_called_so(
    kind: str, value: Any, extra: dict[str, Any] | None, shown: tuple[str, str, bool]
) -> None:
    delta = Delta(kind, 0, "/a", value, extra)
    assert (kind_of(delta).word, *value_of(delta)) == shown
