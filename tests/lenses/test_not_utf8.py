"""Bytes that are not UTF-8: the Python SDKs decode strictly and end there, measured; the others put U+FFFD."""

from __future__ import annotations

import pytest

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import compare, load_lenses, shipped_folder
from inspector_app.lenses.run import read, read_as
from tests.clients.bodies import BODIES
from tests.core.streams import KIT

LENSES = load_lenses([shipped_folder()])
STRICT = (
    "openai-python-3.57", "openai-python-helper-3.57", "pydantic-ai-2.68", "litellm-1.110", "langchain-openai-1.7",
    "openai-agents", "llm",
)  # fmt: skip
REPLACE = ("httpx-sse-0.4", "eventsource-parser-3.1", "ai-sdk-openai-compatible-2.0.92")
MESSAGES = ("anthropic-python-2.14", "anthropic-python-helper-2.14")

IN_TEXT, IN_COMMENT = "a byte that is not UTF-8 in the text", "a byte that is not UTF-8 in a comment"
CUT, BEHIND = "the data ends inside a character", "a byte that is not UTF-8 behind the end marker"


@pytest.mark.parametrize(
    ("body", "name", "text", "raises"),
    [
        *((IN_TEXT, name, "a", True) for name in STRICT),
        *((IN_COMMENT, name, "a", True) for name in STRICT),
        *((CUT, name, "a", True) for name in STRICT),
        *((BEHIND, name, "a", False) for name in STRICT),
        *((IN_TEXT, name, "a\ufffd(z", False) for name in REPLACE),
        *((IN_COMMENT, name, "az", False) for name in REPLACE),
        *(("messages, a byte that is not UTF-8", name, "a", True) for name in MESSAGES),
        ("messages, a byte that is not UTF-8", "ai-sdk-anthropic-3.0", "a\ufffd(z", False),
        ("gemini, a byte that is not UTF-8", "google-genai-3.6", "a\ufffd(", False),
    ],
)
def test_who_decodes_strictly_raises_at_the_byte(body: str, name: str, text: str, raises: bool) -> None:
    reference = read(Exchange("x.sse", "sse-body", MemoryBody(BODIES[body])), KIT)
    reading = read_as(LENSES[name], reference, KIT)
    assert "".join(block.text for block in reading.blocks if block.kind == "text") == text
    error = reading.client_error
    assert (error is not None and "'utf-8' codec can't decode byte" in error["message"]) == raises


def test_the_comparison_names_the_byte_as_the_cause() -> None:
    reference = read(Exchange("x.sse", "sse-body", MemoryBody(BODIES[IN_TEXT])), KIT)
    found = compare(reference, read_as(LENSES["openai-python-3.57"], reference, KIT))
    assert (found.verdict, found.error) == ("failed", (2, "UnicodeDecodeError: 'utf-8' codec can't decode byte"))
