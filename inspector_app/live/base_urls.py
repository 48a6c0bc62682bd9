"""How known clients are pointed at a server of ours: one line each, ready to copy.

The address is where the paths of the API begin: `http://127.0.0.1:8080`, or with a recording's name behind it.
"""

from __future__ import annotations

from typing import NamedTuple


class Setting(NamedTuple):
    """What to set in one client. `dialects` are those it speaks then; `line` is code, a variable or a command."""

    client: str
    line: str
    dialects: tuple[str, ...]


_CHAT = ("openai-chat", "openai-completions")
_OPENAI = (*_CHAT, "openai-responses")
_ANTHROPIC = ("anthropic-messages",)
_GEMINI = ("gemini", "gemini-interactions")
_OLLAMA = ("ollama-chat", "ollama-generate")

_CLIENTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("openai (Python)", 'OpenAI(base_url="{url}/v1", api_key="any")', _OPENAI),
    ("openai (Python and Node), by environment", "OPENAI_BASE_URL={url}/v1", _OPENAI),
    ("openai (Node)", 'new OpenAI({{ baseURL: "{url}/v1", apiKey: "any" }})', _OPENAI),
    ("AI SDK, @ai-sdk/openai", 'createOpenAI({{ baseURL: "{url}/v1", apiKey: "any" }})', _OPENAI),
    ("AI SDK, openai-compatible", 'createOpenAICompatible({{ name: "replay", baseURL: "{url}/v1" }})', _CHAT),
    ("LangChain", 'ChatOpenAI(base_url="{url}/v1", api_key="any", model="any")', _CHAT),
    ("LiteLLM", 'completion(model="openai/any", api_base="{url}/v1", api_key="any", …)', _CHAT),
    ("anthropic (Python)", 'Anthropic(base_url="{url}", api_key="any")', _ANTHROPIC),
    ("anthropic (Python and Node), Claude Code", "ANTHROPIC_BASE_URL={url}", _ANTHROPIC),
    ("@anthropic-ai/sdk", 'new Anthropic({{ baseURL: "{url}", apiKey: "any" }})', _ANTHROPIC),
    ("AI SDK, @ai-sdk/anthropic", 'createAnthropic({{ baseURL: "{url}/v1", apiKey: "any" }})', _ANTHROPIC),
    ("google-genai (Python)", 'genai.Client(api_key="any", http_options={{"base_url": "{url}"}})', _GEMINI),
    ("@google/genai", 'new GoogleGenAI({{ apiKey: "any", httpOptions: {{ baseUrl: "{url}" }} }})', _GEMINI),
    ("ollama (Python)", 'ollama.Client(host="{url}")', _OLLAMA),
    ("ollama, by environment", "OLLAMA_HOST={url}", _OLLAMA),
    ("cohere (Python)", 'cohere.ClientV2(base_url="{url}", api_key="any")', ("cohere-v2",)),
    ("curl", "curl -N {url}/", ()),
)


def settings(url: str, dialects: frozenset[str] | None = None) -> list[Setting]:
    """What to set in each known client to reach `url`; only in clients of these dialects where any are named.

    Where no client of them is known, what is left is curl.
    """
    return [
        Setting(client, line.format(url=url), spoken)
        for client, line, spoken in _CLIENTS
        if dialects is None or not spoken or dialects & set(spoken)
    ]
