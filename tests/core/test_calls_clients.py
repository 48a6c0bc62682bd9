"""Tool calls as the measured clients read them (dialects.md 22.3)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.calls_data import CLIENTS, MADE_UP, A, B, Element, el, read


def alike(calls: list[tuple[str | None, str | None, str]], *clients: str) -> dict[str, Any]:
    """The same reading for these clients, all if none is named."""
    return dict.fromkeys(clients or CLIENTS, calls)


# What the measured clients make of the tool rows of dialects.md 22.3, as far as tool keys say it.
GLUED = A + B
ROWS: dict[str, tuple[list[list[Element]], dict[str, Any]]] = {
    "index missing, one call per chunk": (
        [[el(args=A, id="a", name="f")], [el(args=B, id="b", name="f")]],
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", A), ("b", "f", B)],
            "pydantic-ai": [("a", "f", A), ("b", "f", B)],
            "litellm": [("b", "f", GLUED)],
            "panel": [("b", "ff", GLUED)],
        },
    ),
    "index missing, two in one delta": (
        [[el(args=A, id="a", name="f"), el(args=B, id="b", name="f")]],
        # LiteLLM counts within the delta here; `zero` is the nearest value of the key.
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", A), ("b", "f", B)],
            "pydantic-ai": [("a", "f", A), ("b", "f", B)],
        },
    ),
    "index missing, args fragmented": (
        [[el(args="", id="a", name="f")], [el(args='{"x":')], [el(args="1}")]],
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", '{"x":1}')],
            "pydantic-ai": [("a", "f", '{"x":1}')],
            "litellm": [("a", "f", '{"x":1}')],
        },
    ),
    "index missing, second of two calls fragmented": (
        [[el(args=A, id="a", name="f")], [el(args="", id="b", name="g")], [el(args=B)]],
        {
            "openai-node": [],
            "ai-sdk": [("a", "f", A), ("b", "g", "")],
            "pydantic-ai": [("a", "f", A), ("b", "g", B)],
        },
    ),
    "same index, new id": (
        [[el(0, A, id="a1", name="f")], [el(0, B, id="a2", name="f")]],
        {
            "openai-python": [("a1a2", "ff", GLUED)],
            "openai-node": [("a2", "f", GLUED)],
            "ai-sdk": [("a1", "f", A), ("a2", "f", B)],
            "pydantic-ai": [("a2", "ff", GLUED)],
            "litellm": [("a2", "f", GLUED)],
        },
    ),
    "same index, new id, in fragments": (
        [[el(0, "", id="a1", name="f")], [el(0, A)], [el(0, "", id="a2", name="f")], [el(0, B)]],
        {"ai-sdk": [("a1", "f", GLUED)]},
    ),
    "index starts at 1": (
        [[el(1, "", id="a", name="f")], [el(1, "{}")]],
        {
            "openai-python": ("IndexError: list index out of range", True),
            "openai-node": ("TypeError: the list of tool calls has a hole", True),
            "ai-sdk": [("a", "f", "{}")],
            "pydantic-ai": [("a", "f", "{}")],
            "litellm": [("a", "f", "{}")],
        },
    ),
    'index is "0"': (
        [[el("0", "{}", id="a", name="f")]],
        {
            "openai-python": [("a", "f", "{}")],
            "openai-node": [("a", "f", "{}")],
            "ai-sdk": ("the index of a tool call is no integer: '0'", False),
            "pydantic-ai": [("a", "f", "{}")],
            "litellm": [("a", "f", "{}")],
        },
    ),
    "id repeated": (
        [[el(0, "{", id="a1", name="f")], [el(0, "}", id="a1")]],
        {
            "openai-python": [("a1a1", "f", "{}")],
            "openai-node": [("a1", "f", "{}")],
            "ai-sdk": [("a1", "f", "{}")],
            "pydantic-ai": [("a1", "f", "{}")],
            "litellm": [("a1", "f", "{}")],
        },
    ),
    "id changes per fragment": (
        [[el(0, "{", id="r1", name="f")], [el(0, "}", id="r2")]],
        {
            "openai-python": [("r1r2", "f", "{}")],
            "openai-node": [("r2", "f", "{}")],
            "ai-sdk": [("r1", "f", "{}")],
            "pydantic-ai": [("r2", "f", "{}")],
            "litellm": [("r2", "f", "{}")],
        },
    ),
    "id never given": (
        [[el(0, "{", name="f")], [el(0, "}")]],
        {
            "openai-python": [(None, "f", "{}")],
            "openai-node": [(MADE_UP, "f", "{}")],
            "ai-sdk": [(MADE_UP, "f", "{}")],
            "pydantic-ai": [(MADE_UP, "f", "{}")],
            "litellm": [],
        },
    ),
    "name repeated": (
        [[el(0, "{", id="a", name="f")], [el(0, "}", name="f")]],
        {
            "openai-python": [("a", "ff", "{}")],
            "openai-node": [("a", "f", "{}")],
            "ai-sdk": [("a", "f", "{}")],
            "pydantic-ai": [("a", "ff", "{}")],
            "litellm": [("a", "f", "{}")],
        },
    ),
    "name late": (
        [[el(0, "{", id="a")], [el(0, "}", name="f")]],
        alike([("a", "f", "{}")]),
    ),
    "args object": (
        [[el(0, {"x": 1}, id="a", name="f")]],
        {
            "openai-python": [("a", "f", '{"x":1}')],
            "openai-node": [("a", "f", "[object Object]")],
            "pydantic-ai": [("a", "f", '{"x":1}')],
            "litellm": [("a", "f", '{"x":1}')],
            "panel": [("a", "f", "")],
        },
    ),
    "{} then an object in the same call": (
        [[el(0, "{}", id="a", name="f")], [el(0, '{"x":1}')]],
        alike([("a", "f", '{}{"x":1}')]),
    ),
    "second root, no id": (
        [[el(0, A, id="a", name="f")], [el(0, B)]],
        alike([("a", "f", GLUED)]),
    ),
    "empty ids and names on continuations": (
        [[el(0, "{", id="a", name="f")], [el(0, "}", id="", name="")]],
        alike([("a", "f", "{}")]) | {"panel": [("", "f", "{}")]},
    ),
    "growing arguments": (
        [[el(0, '{"q', id="a", name="f")], [el(0, '{"q":1}')]],
        alike([("a", "f", '{"q{"q":1}')]),
    ),
    "id null on the second call": (
        [[el(0, A, id="a", name="f")], [el(1, B, id=None, name="f")]],
        alike([("a", "f", A), (MADE_UP, "f", B)])
        | alike([("a", "f", A), (None, "f", B)], "openai-python", "panel")
        | {"litellm": [("a", "f", A)]},
    ),
}


@pytest.mark.parametrize(
    "client, deltas, expected",
    [
        pytest.param(client, deltas, expected, id=f"{client}: {row}")
        for row, (deltas, cells) in ROWS.items()
        for client, expected in cells.items()
    ],
)
def test_measured_clients(client: str, deltas: list[list[Element]], expected: Any) -> None:
    result = read(deltas, CLIENTS[client])
    assert (result.calls if isinstance(expected, list) else result.error) == expected
    assert isinstance(expected, tuple) or result.error is None
