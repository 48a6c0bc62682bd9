"""Where each dialect has what the form shows: the messages, the system prompt, the tools, how to sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from inspector_app.ui.compose.places import NOTHING, Path, look, put, without

TEXTS = ("text", "input_text", "output_text")
"""Types of a part that is text."""

_PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Name of the city"}},
    "required": ["city"],
}
_ABOUT = {"name": "get_weather", "description": "The weather in a city right now"}


class Setting(NamedTuple):
    """A number that the form asks for. The first of `paths` that a body has is meant, else the first."""

    words: str
    paths: tuple[Path, ...]
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What the form of a dialect shows, and where it stands in the body.

    `messages` may also hold one text instead of a list. Without `roles` it always does.
    """

    messages: Path
    roles: tuple[str, ...] = ()
    parts: str = "content"
    """The member of a message that holds its text, or its parts."""
    system: Path | None = None
    tools: Path | None = None
    example: Any = None
    settings: tuple[Setting, ...] = ()

    @property
    def claimed(self) -> tuple[str, ...]:
        """The members of the body that the form has a place for, all of each."""
        own = [path[0] for path in (self.messages, self.system, self.tools) if path is not None and len(path) == 1]
        single = [path[0] for setting in self.settings for path in setting.paths if len(path) == 1]
        return tuple(str(step) for step in (*own, *single))

    def message(self, role: str, text: str = "") -> dict[str, Any]:
        """A new message."""
        return {"role": role, self.parts: [{"text": text}] if self.parts == "parts" else text}


def _settings(
    where: tuple[str, ...], temperature: str, top_p: str, most: tuple[str, ...], seed: str
) -> tuple[Setting, ...]:
    made = [
        Setting("Temperature", ((*where, temperature),)),
        Setting("Top p", ((*where, top_p),)),
        Setting("Most tokens", tuple((*where, name) for name in most), True),
    ]
    return (*made, Setting("Seed", ((*where, seed),), True)) if seed else tuple(made)


def _function(tool: Mapping[str, Any]) -> list[Any]:
    return [{"type": "function", "function": tool}]


def _flat(tool: Mapping[str, Any]) -> list[Any]:
    return [{"type": "function", **tool}]


_OPENAI_TOOL = _function({**_ABOUT, "parameters": _PARAMETERS})
_CHAT_ROLES = ("system", "developer", "user", "assistant", "tool")
_OLLAMA = _settings(("options",), "temperature", "top_p", ("num_predict",), "seed")
_RESPONSES = _settings((), "temperature", "top_p", ("max_output_tokens",), "")

SHAPES: dict[str, Shape] = {
    "openai-chat": Shape(
        ("messages",), _CHAT_ROLES, tools=("tools",), example=_OPENAI_TOOL,
        settings=_settings((), "temperature", "top_p", ("max_tokens", "max_completion_tokens"), "seed"),
    ),
    "openai-completions": Shape(
        ("prompt",), settings=_settings((), "temperature", "top_p", ("max_tokens",), "seed")
    ),
    "openai-responses": Shape(
        ("input",), ("developer", "user", "assistant"), system=("instructions",), tools=("tools",),
        example=_flat({**_ABOUT, "parameters": _PARAMETERS}), settings=_RESPONSES,
    ),
    "anthropic-messages": Shape(
        ("messages",), ("user", "assistant"), system=("system",), tools=("tools",),
        example=[{**_ABOUT, "input_schema": _PARAMETERS}],
        settings=_settings((), "temperature", "top_p", ("max_tokens",), ""),
    ),
    "gemini": Shape(
        ("contents",), ("user", "model"), "parts", ("systemInstruction", "parts", 0, "text"), ("tools",),
        [{"functionDeclarations": [{**_ABOUT, "parameters": _PARAMETERS}]}],
        _settings(("generationConfig",), "temperature", "topP", ("maxOutputTokens",), "seed"),
    ),
    "gemini-interactions": Shape(
        ("input",), ("user", "model"), system=("system_instruction",), tools=("tools",),
        example=_flat({**_ABOUT, "parameters": _PARAMETERS}),
        settings=_settings(("generation_config",), "temperature", "top_p", ("max_output_tokens",), "seed"),
    ),
    "ollama-chat": Shape(
        ("messages",), ("system", "user", "assistant", "tool"), tools=("tools",), example=_OPENAI_TOOL, settings=_OLLAMA
    ),
    "ollama-generate": Shape(("prompt",), system=("system",), settings=_OLLAMA),
    "cohere-v2": Shape(
        ("messages",), ("system", "user", "assistant", "tool"), tools=("tools",), example=_OPENAI_TOOL,
        settings=_settings((), "temperature", "p", ("max_tokens",), "seed"),
    ),
    "tgi": Shape(("inputs",), settings=_settings(("parameters",), "temperature", "top_p", ("max_new_tokens",), "seed")),
    "dashscope": Shape(
        ("input", "messages"), ("system", "user", "assistant", "tool"), tools=("parameters", "tools"),
        example=_OPENAI_TOOL, settings=_settings(("parameters",), "temperature", "top_p", ("max_tokens",), "seed"),
    ),
    "lmstudio": Shape(("input",), system=("system_prompt",), settings=_RESPONSES),
}  # fmt: skip
"""Dialect -> its shape; one for each that can be asked."""


def setting_path(setting: Setting, body: Any) -> Path:
    """Where a number stands in this body, or would stand."""
    return next((path for path in setting.paths if look(body, path) is not NOTHING), setting.paths[0])


def text_path(shape: Shape, message: Any) -> Path | None:
    """Where the one text of a message stands in it; None where it has several or none."""
    if isinstance(message, str):
        return ()
    held = look(message, (shape.parts,))
    if isinstance(held, str):
        return (shape.parts,)
    if not isinstance(held, list):
        return None
    texts = [at for at, part in enumerate(held) if _is_text(part)]
    return (shape.parts, texts[0], "text") if len(texts) == 1 else None


def beside_text(shape: Shape, message: Any) -> str:
    """What a message has besides its role and its one text, in words; empty where that is all."""
    if not isinstance(message, dict):
        return ""
    held = message.get(shape.parts)
    parts = [str(part.get("type") or next(iter(part), "part")) for part in held
             if isinstance(part, dict) and not _is_text(part)] if isinstance(held, list) else []  # fmt: skip
    others = [key for key in message if key not in ("role", shape.parts, "type")]
    return ", ".join([*parts, *others])


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str) and part.get("type", "text") in TEXTS


def system_path(shape: Shape, body: Any) -> Path | None:
    """Where the system prompt stands, or would stand; None where it is more than one text, or there is none."""
    if shape.system is None:
        return None
    found = look(body, shape.system)
    if isinstance(found, str) or look(body, shape.system[:1]) is NOTHING:
        return shape.system
    texts = [at for at, part in enumerate(found) if _is_text(part)] if isinstance(found, list) else []
    return (*shape.system, texts[0], "text") if len(texts) == 1 else None


def with_system(shape: Shape, body: dict[str, Any], text: str) -> dict[str, Any]:
    """The body with another system prompt; without it, where the text is empty and nothing else stands beside it."""
    path = system_path(shape, body)
    if path is None:
        return body
    changed = put(body, path, text)
    alone = path == shape.system and changed.get(path[0]) == put({}, path, text)[path[0]]
    return without(body, path[:1]) if not text and alone else changed


def others(shape: Shape, body: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a body that the form has no place for."""
    return {key: value for key, value in body.items() if key not in shape.claimed and key != "model"}


def with_others(shape: Shape, body: Mapping[str, Any], members: Mapping[str, Any]) -> dict[str, Any]:
    """The body with other such members, each where one of them stood before as far as there are places."""
    rest = iter(members.items())
    changed: dict[str, Any] = {}
    for key, value in body.items():
        if key in shape.claimed or key == "model":
            changed[key] = value
        elif (following := next(rest, None)) is not None:
            changed[following[0]] = following[1]
    return changed | dict(rest)
