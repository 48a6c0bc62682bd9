"""What the request asked for, where it is known."""

from __future__ import annotations

from typing import Any

import orjson

from inspector_app.core.reading import Reading


def asked(reading: Reading) -> dict[str, Any] | None:
    """The body of the request, None where it is unknown or no JSON object."""
    body: Any = (reading.exchange.request or {}).get("body")
    if isinstance(body, str):
        try:
            body = orjson.loads(body)
        except orjson.JSONDecodeError:
            return None
    return body if isinstance(body, dict) else None


def tool_names(reading: Reading) -> set[str]:
    """The names of the tools that the request offered."""
    found = set()
    tools = (asked(reading) or {}).get("tools")
    for tool in tools if isinstance(tools, list) else ():
        inner = tool.get("function") if isinstance(tool, dict) else None
        for holder in (tool, inner):
            if isinstance(holder, dict) and isinstance(holder.get("name"), str):
                found.add(holder["name"])
    return found


def call_ids(reading: Reading) -> set[str]:
    """The ids of the calls in the messages of the request."""
    found = set()
    messages = (asked(reading) or {}).get("messages")
    for message in messages if isinstance(messages, list) else ():
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict) and isinstance(call.get("id"), str) and call["id"]:
                found.add(call["id"])
    return found
