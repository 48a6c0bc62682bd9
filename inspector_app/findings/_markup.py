"""Tool and channel markup of model formats inside plain text (dialects.md 8.2 and 8.3).

A mark counts only with the structure that must follow it, so prose that names a mark is no leak. Every pattern costs
linear time: what may repeat is bounded or ends at the next bracket.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from inspector_app.core.tags import code_ranges

BAR = "[|｜‖]"
"""The vertical bar of special tokens, in the variants that servers and tokenizers make of it."""

GAP = "[▁_ ]"

QUOTES = "\"'`“”‘’„«»「『"


class Leak(NamedTuple):
    """Where in a text markup begins, and of which format it is."""

    start: int
    format: str


class Form(NamedTuple):
    """A model format: characters that must be there at all, and the pattern of its marks."""

    name: str
    hint: str
    marks: re.Pattern[str]


FORMS = (
    Form("Hermes", "<tool_call>", re.compile(r"<tool_call>\s{0,9}(?:\{|\Z|[\w.:-]{1,99}\s{0,9}</tool_call>)")),
    Form("Qwen", "<function=", re.compile(r"<function=[\w.:-]{1,99}>\s{0,9}(?:<|\Z)")),
    Form(
        "GLM",
        "<arg_key>",
        re.compile(r"<tool_call>\s{0,9}[\w.:-]{1,99}\s{0,9}<arg_key>|<arg_key>[^<]*</arg_key>\s{0,9}<arg_value>"),
    ),
    Form(
        "DeepSeek",
        "tool",
        re.compile(
            rf"<{BAR}+tool{GAP}calls{GAP}begin{BAR}+>\s{{0,9}}(?:<|\Z)"
            rf"|<{BAR}+tool{GAP}call{GAP}begin{BAR}+>[^<]{{0,99}}<{BAR}+tool{GAP}sep"
        ),
    ),
    Form(
        "DSML",
        "DSML",
        re.compile(rf"<\s?{BAR}+\s?DSML\s?{BAR}+\s?(?:invoke\s+name\s?=|(?:function|tool)_calls\s?>\s{{0,9}}(?:<|\Z))"),
    ),
    Form(
        "Kimi",
        "<|tool_call",
        re.compile(
            r"<\|tool_calls_section_begin\|>\s{0,9}(?:<\||\Z)"
            r"|<\|tool_call_begin\|>\s{0,9}[\w.:-]{1,99}\s{0,9}<\|tool_call_argument_begin\|>"
        ),
    ),
    Form(
        "Mistral",
        "[TOOL_CALLS]",
        re.compile(r"\[TOOL_CALLS\]\s{0,9}(?:\[\s{0,9}\{|[\w.-]{1,99}\s{0,9}(?:\[ARGS\]|\[CALL_ID\]|\{)|\Z)"),
    ),
    Form("LFM2", "<|tool_call_start|>", re.compile(r"<\|tool_call_start\|>\s{0,9}(?:\[|\Z)")),
    Form("Gemma", "call:", re.compile(r"<(?:start_function_call|\|tool_call)>\s{0,9}call:\s{0,9}[\w.:-]{1,99}\s?\{")),
    Form("MiniMax", "<minimax:tool_call>", re.compile(r"<minimax:tool_call>\s{0,9}(?:<|\Z)")),
    Form(
        "function_calls",
        "function_calls>",
        re.compile(r"<(?:\w{1,9}:)?function_calls>\s{0,9}(?:<(?:\w{1,9}:)?invoke\b|[\w.]{1,99}\(|\Z)"),
    ),
    Form("Llama", "<|python_tag|>", re.compile(r"<\|python_tag\|>\s{0,9}(?:\{|[\w.]{1,99}\()")),
    Form(
        "harmony",
        "<|",
        re.compile(
            r"<\|channel\|>\s{0,9}(?:analysis|commentary|final)[^<\n]{0,99}(?:<\|constrain\|>[^<\n]{0,99})?<\|message\|>"
            r"|<\|start\|>(?:assistant|system|developer|user|functions)\b[^<\n]{0,99}<\|(?:channel|message)\|>"
            r"|<\|(?:end|call|return)\|>\s{0,9}(?:<\|start\|>|\Z)"
        ),
    ),
)
"""The formats, by what a user would call them. Sources: the parsers that inference servers ship (dialects.md 8.3)."""

HINTS = frozenset(form.hint for form in FORMS)
"""Where none of these stands, there is none."""


def leaks(text: str) -> list[Leak]:
    """Every place of markup outside code and quotation marks, in order."""
    found: dict[int, str] = {}
    code: list[tuple[int, int]] | None = None
    for form in FORMS:
        if form.hint not in text:
            continue
        for match in form.marks.finditer(text):
            code = code_ranges(text) if code is None else code
            start = match.start()
            before = bisect_right(code, (start, len(text))) - 1
            in_code = before >= 0 and start < code[before][1]
            if not in_code and not (start and text[start - 1] in QUOTES):
                found.setdefault(start, form.name)
    return [Leak(start, found[start]) for start in sorted(found)]
