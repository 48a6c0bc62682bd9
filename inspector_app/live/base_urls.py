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
    ("openai (Python)", 'OpenAI(base_url="{url}/{version}"{key})', _OPENAI),
    ("openai (Python and Node), by environment", "OPENAI_BASE_URL={url}/{version}", _OPENAI),
    ("openai (Node)", 'new OpenAI({{ baseURL: "{url}/{version}"{node_key} }})', _OPENAI),
    ("AI SDK, @ai-sdk/openai", 'createOpenAI({{ baseURL: "{url}/{version}"{node_key} }})', _OPENAI),
    ("AI SDK, openai-compatible", 'createOpenAICompatible({{ name: "local", baseURL: "{url}/{version}" }})', _CHAT),
    ("LangChain", 'ChatOpenAI(base_url="{url}/{version}"{key}, model="{any}")', _CHAT),
    ("LiteLLM", 'completion(model="openai/{any}", api_base="{url}/{version}"{key}, …)', _CHAT),
    ("anthropic (Python)", 'Anthropic(base_url="{url}"{key})', _ANTHROPIC),
    ("anthropic (Python and Node), Claude Code", "ANTHROPIC_BASE_URL={url}", _ANTHROPIC),
    ("@anthropic-ai/sdk", 'new Anthropic({{ baseURL: "{url}"{node_key} }})', _ANTHROPIC),
    ("AI SDK, @ai-sdk/anthropic", 'createAnthropic({{ baseURL: "{url}/v1"{node_key} }})', _ANTHROPIC),
    ("google-genai (Python)", 'genai.Client(http_options={{"base_url": "{url}"}}{key})', _GEMINI),
    ("@google/genai", 'new GoogleGenAI({{ httpOptions: {{ baseUrl: "{url}" }}{node_key} }})', _GEMINI),
    ("AI SDK, @ai-sdk/google", 'createGoogleGenerativeAI({{ baseURL: "{url}/v1beta"{node_key} }})', _GEMINI),
    ("ollama (Python)", 'ollama.Client(host="{url}")', _OLLAMA),
    ("ollama, by environment", "OLLAMA_HOST={url}", _OLLAMA),
    ("cohere (Python)", 'cohere.ClientV2(base_url="{url}"{key})', ("cohere-v2",)),
    ("curl", "curl -N {url}/", ()),
)


def settings(
    url: str, dialects: frozenset[str] | None = None, *, version: str = "v1", with_key: bool = True
) -> list[Setting]:
    """What to set in each known client to reach `url`; only in clients of these dialects where any are named.

    `version` is what the paths of the API begin with where the client does not say so itself. `with_key`: any key does,
    so one is set, and any model; else both stay as they are. Where no client is known, what is left is curl.
    """
    words = {
        "url": url,
        "version": version,
        "key": ', api_key="any"' if with_key else "",
        "node_key": ', apiKey: "any"' if with_key else "",
        "any": "any" if with_key else "…",
    }
    return [
        Setting(client, line.format(**words), spoken)
        for client, line, spoken in _CLIENTS
        if dialects is None or not spoken or dialects & set(spoken)
    ]
