"""The provider's name in the address of a request."""

from __future__ import annotations

import pytest

from inspector_app.core.provider import provider_of


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://openrouter.ai/api/v1/chat/completions", "openrouter"),
        ("https://api.openai.com/v1/chat/completions", "openai"),
        ("https://api.z.ai/api/paas/v4/chat/completions", "z.ai"),
        ("https://integrate.api.nvidia.com/v1/chat/completions", "nvidia"),
        ("https://llm.example.co.uk/v1", "example"),
        ("http://127.0.0.1:8080/v1", None),
        ("http://localhost:11434/v1", None),
        ("http://[::1]:8080/v1", None),
        ("http://[bad/v1", None),
        ("http://box.local/v1", None),
        (17, None),
    ],
)
def test_the_name_in_a_host(url: object, name: str | None) -> None:
    assert provider_of({"url": url}) == name


def test_no_request_names_nobody() -> None:
    assert provider_of(None) is None
