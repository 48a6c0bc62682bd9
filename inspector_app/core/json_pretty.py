"""JSON text with line breaks and indents, every value and key as it came: 1.0, 1e400 and a key given twice stay."""

from __future__ import annotations

from inspector_app.core.json_tokens import ARRAY, ARRAY_END, KEY, OBJECT, OBJECT_END, blank_end, scan, tokens

DEEPEST = 200
"""Brackets inside one another; what goes deeper would be mostly indent."""
_CLOSING = (OBJECT_END, ARRAY_END)


def indented(data: bytes, step: int = 2) -> bytes | None:
    """The JSON values of `data`, one after the other; None where that is not all of it, or goes too deep."""
    text = data.strip(b" \t\n\r")
    if not count_values(text):
        return None
    out: list[bytes] = []
    depth, before = 0, 0
    for kind, start, end in tokens(text):
        if kind in _CLOSING:
            depth -= 1
        if depth > DEEPEST:
            return None
        empty = kind in _CLOSING and before in (OBJECT, ARRAY)
        if before == KEY:
            out.append(b": ")
        elif before and not empty:
            # Values that follow each other without a bracket around them stand in lines of their own.
            separated = depth and kind not in _CLOSING and before not in (OBJECT, ARRAY)
            out.append((b"," if separated else b"") + b"\n" + b" " * (step * depth))
        out.append(text[start:end])
        if kind in (OBJECT, ARRAY):
            depth += 1
        before = kind
    return b"".join(out)


def count_values(text: bytes) -> int:
    """How many JSON values a text is, one after the other; 0 where there is anything else in it."""
    text = text.strip(b" \t\n\r")
    at = count = 0
    while at < len(text):
        value = scan(text, at)
        if not value.done:
            return 0
        count += 1
        at = blank_end(text, value.end)
    return count
