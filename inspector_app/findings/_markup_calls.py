"""The calls that leaked markup most likely meant: an offer for people, never a reading (dialects.md 8.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

from inspector_app.core.arguments import dump
from inspector_app.core.json_text import loads

MOST = 20
"""Calls that are offered at most."""

Call = tuple[str, str]
"""Name, and arguments as JSON text or as the format has them."""

_FUNCTION = re.compile(r"<function=([\w.:-]{1,99})>")
_PARAMETER = re.compile(r"<parameter=([\w.:-]{1,99})>")
_INVOKE = re.compile(r'<[^<>"]{0,20}invoke\s+name\s?=\s?"([^"<>]{1,99})"[^<>]{0,99}>')
_INVOKE_PARAMETER = re.compile(r'<[^<>"]{0,20}parameter\s+name\s?=\s?"([^"<>]{1,99})"[^<>]{0,99}>')
_END = re.compile(r"</[^<>]{0,20}(?:function|parameter|invoke)>")
_PAIR = re.compile(r"<arg_key>([^<]*)</arg_key>\s{0,9}<arg_value>")
_KIMI = re.compile(
    r"<\|tool_call_begin\|>\s{0,9}(?:functions\.)?([\w.-]{1,99})[:\d]{0,9}\s{0,9}<\|tool_call_argument_begin\|>"
)
_DEEPSEEK = re.compile(r"<[|｜‖]+tool[▁_ ]call[▁_ ]begin[|｜‖]+>([^<]{0,99})<[|｜‖]+tool[▁_ ]sep[|｜‖]+>")
_FENCED = re.compile(r"\s{0,9}([\w.:-]{1,99})\s{0,9}```(?:json)?")
_MISTRAL = re.compile(r"\[TOOL_CALLS\]\s{0,9}([\w.-]{1,99})(?:\[CALL_ID\][\w-]{1,99})?(?:\[ARGS\])?")
_HARMONY = re.compile(r"to=functions\.([\w.-]{1,99})[^\n]{0,99}?<\|message\|>")


def likely_calls(text: str) -> list[dict[str, str]]:
    """Name and arguments of each call that the text's markup spells out, the first twenty."""
    calls = chain.from_iterable(read(text) for read in _READERS)
    return [{"name": name, "arguments": arguments} for name, arguments in islice(dict.fromkeys(calls), MOST)]


def _pieces(heads: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """What each head names, and the text up to the next one."""
    found = list(heads.finditer(text))
    for n, head in enumerate(found):
        yield head[1].strip(), text[head.end() : found[n + 1].start() if n + 1 < len(found) else len(text)]


def _hermes(text: str) -> Iterator[Call]:
    for piece in text.split("<tool_call>")[1:]:
        call = _json(piece.partition("</tool_call>")[0])
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            value = call.get("arguments", call.get("parameters", {}))
            yield call["name"], value if isinstance(value, str) else dump(value)


def _glm(text: str) -> Iterator[Call]:
    for piece in text.split("<tool_call>")[1:]:
        name, pair, rest = piece.partition("</tool_call>")[0].partition("<arg_key>")
        if pair and name.strip():
            values = {key: _plain(value.partition("</arg_value>")[0]) for key, value in _pieces(_PAIR, pair + rest)}
            yield name.strip(), dump(values)


def _tagged(heads: re.Pattern[str], parameters: re.Pattern[str]) -> Callable[[str], Iterator[Call]]:
    """A reader of calls that are elements with an element for each parameter."""

    def read(text: str) -> Iterator[Call]:
        for name, piece in _pieces(heads, text):
            yield name, dump({key: _plain(_END.split(value, 1)[0]) for key, value in _pieces(parameters, piece)})

    return read


def _headed(heads: re.Pattern[str]) -> Callable[[str], Iterator[Call]]:
    """A reader of calls that are a head with the name, and one JSON object behind it."""

    def read(text: str) -> Iterator[Call]:
        for name, piece in _pieces(heads, text):
            fenced = _FENCED.match(piece)
            if fenced is not None:
                name, piece = fenced[1], piece[fenced.end() :]
            arguments = piece.partition("```" if fenced is not None else "<|")[0].partition("<｜")[0].strip()
            if isinstance(_json(arguments), dict):
                yield name, arguments

    return read


def _plain(value: str) -> Any:
    """A parameter's value: JSON where it is JSON, else the text itself."""
    found = _json(value)
    return value.strip("\n") if found is None else found


def _json(text: str) -> Any:
    try:
        return loads(text)
    except ValueError:
        return None


_READERS = (
    _hermes,
    _glm,
    _tagged(_FUNCTION, _PARAMETER),
    _tagged(_INVOKE, _INVOKE_PARAMETER),
    _headed(_KIMI),
    _headed(_DEEPSEEK),
    _headed(_MISTRAL),
    _headed(_HARMONY),
)
