"""What can be copied of the selection: one table for every view.

Texts come from the bytes and from the blocks, never from what is shown. Bytes that are no valid UTF-8 are not turned
into something else: the entry says so, and the bytes can be copied as hex.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from inspector_app.core.curl import curl_command
from inspector_app.core.json_pretty import count_values, indented
from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, encodable, join_halves
from inspector_app.core.types import Block, Delta
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.views.payload_map import Payload

NOT_UTF8 = "not valid UTF-8, copy it as hex"
REPLACED = "invalid UTF-8 in it as U+FFFD"
HALVES = "unpaired surrogates as U+FFFD"
LONGEST_PRETTY = 200_000
"""Characters of arguments that are looked at as JSON before anybody asks, and that are indented."""
CELL = 400
"""Characters of one cell of a Markdown table."""
_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$-]*")


class Entry(NamedTuple):
    """One thing to copy: the words of its action, the text when it is wanted, why it cannot be copied (if so), and
    what is lost when it is.
    """

    words: str
    text: Callable[[], str]
    fault: str = ""
    loss: str = ""


class Copied:
    """What a selection stands for; worked out as far as it is asked for."""

    def __init__(self, session: Session, selection: Selection) -> None:
        reference = session.reference
        assert reference is not None
        self.session, self.selection, self.reference = session, selection, reference

    @cached_property
    def has_event(self) -> bool:
        """Whether the body has events at all; a page of HTML has only lines."""
        return self.selection.event < len(self.reference.events)

    @cached_property
    def line(self) -> tuple[int, int] | None:
        """The bytes of the selected line without its terminator, or of the only line of the event."""
        number = self.selection.line
        if number is None and self.has_event:
            first, last = self.reference.lines_of(self.selection.event)
            full = [n for n in range(first, min(last, first + 20)) if _size(self.reference, n)]
            number = full[0] if len(full) == 1 else None
        if number is None or number >= len(self.reference.lines):
            return None
        line = self.reference.lines[number]
        return line.start, line.end

    @cached_property
    def event(self) -> tuple[int, int] | None:
        """The bytes of the event, all its lines with their terminators."""
        return self.reference.bytes_of(self.selection.event) if self.has_event else None

    @cached_property
    def payload(self) -> Payload | None:
        """The payload of the event, None where it has no data."""
        made = Payload(self.reference, self.selection.event) if self.has_event else None
        return made if made is not None and made.data is not None else None

    @cached_property
    def delta(self) -> Delta | None:
        """The selected delta, or the only one of the event."""
        if not self.has_event:
            return None
        deltas = self.reference.deltas(self.selection.event)
        if self.selection.pointer is not None:
            return next((delta for delta in deltas if delta.pointer == self.selection.pointer), None)
        return deltas[0] if len(deltas) == 1 and self.selection.line is None else None

    @cached_property
    def pointer(self) -> str | None:
        """The JSON Pointer of the selected value."""
        found = self.selection.pointer
        return self.delta.pointer if found is None and self.delta is not None else found

    @cached_property
    def value(self) -> Any:
        """The value at the pointer, None where there is none (a JSON null is no text to copy either)."""
        try:
            if self.payload is not None and self.payload.values and self.pointer is not None:
                return self.payload.value(0, self.pointer)
        except (LookupError, TypeError, ValueError):
            pass
        return self.delta.value if self.delta is not None else None

    @cached_property
    def reading(self) -> Reading:
        """The reading whose block is meant."""
        found = self.session.readings.get(self.selection.reader or "")
        return found or self.session.left or self.reference

    @cached_property
    def block(self) -> Block | None:
        """The selected block, or the one that the selected delta went into."""
        reading, number = self.reading, self.selection.block
        if number is None and self.selection.delta is not None and self.selection.delta < len(reading.delta_blocks):
            number = reading.delta_blocks[self.selection.delta]
        if number is None and self.selection.delta is None and self.has_event:
            own = reading.event_at(self.reference.bytes_of(self.selection.event)[0])
            deltas = range(*reading.deltas_of(own)) if own is not None else ()
            fed = {reading.delta_blocks[delta] for delta in deltas[:1000] if delta < len(reading.delta_blocks)} - {-1}
            number = fed.pop() if len(fed) == 1 else None
        return reading.blocks[number] if number is not None and 0 <= number < len(reading.blocks) else None

    def faulty(self, span: tuple[int, int]) -> str:
        """What is wrong with bytes of the body as text, nothing if they can be copied."""
        try:
            self.reference.body.slice(*span).decode("utf-8")
        except UnicodeDecodeError:
            return NOT_UTF8
        return ""


GROUPS = (
    ("Copy this line",),
    ("Copy value", "Copy value as JSON", "Copy JSON Pointer", "Copy path"),
    (
        "Copy block text", "Copy arguments as JSON", "Copy arguments as sent",
        "Copy call (id, name, arguments) as JSON",
    ),
    ("Copy this event", "Copy payload as indented JSON", "Copy payload as sent"),
    ("Copy bytes as hex", "Copy as a row of a Markdown table"),
    ("Copy request as curl",),
)  # fmt: skip
"""All that can be copied of one selection: the line, the value, the block, the event, other forms, the request."""

WORDS = tuple(words for group in GROUPS for words in group)
"""The same in the order of the menu."""

PLACES = {words: (place, n) for place, group in enumerate(GROUPS) for n, words in enumerate(group)}
"""Words -> group and place in it."""

BLOCK_FIRST = (
    "Copy block text",
    "Copy arguments as JSON",
    "Copy arguments as sent",
    "Copy call (id, name, arguments) as JSON",
    "Copy value",
)
"""What the copy key copies of blocks."""

# Each maker gives the entries that apply.


def _wire(of: Copied) -> list[Entry]:
    out = []
    for words, span in (("Copy this line", of.line), ("Copy this event", of.event)):
        if span is not None and span[1] > span[0]:
            out.append(Entry(words, partial(_decoded, of, span), of.faulty(span)))
    return out


def _data(of: Copied) -> list[Entry]:
    payload = of.payload
    if payload is None or not payload.data or of.event is None:
        return []
    fault, data = of.faulty(of.event), payload.data
    out = []
    if payload.values and not payload.fault:
        out.append(Entry("Copy payload as indented JSON", lambda: _utf8(indented(payload.text) or payload.text), fault))
    return [*out, Entry("Copy payload as sent", lambda: _utf8(data), fault)]


def _value(of: Copied) -> list[Entry]:
    value, pointer, payload = of.value, of.pointer, of.payload
    fault = of.faulty(of.reference.place(of.selection.event, pointer)) if of.has_event else ""
    out = []
    if isinstance(value, str) and value:
        out.append(Entry("Copy value", lambda: value, fault, _loss(value)))
    elif value is not None and value != "":
        out.append(Entry("Copy value", lambda: json.dumps(value, ensure_ascii=False, default=str), fault))
    if payload is not None and payload.values and pointer:
        out.append(Entry("Copy value as JSON", lambda: _utf8(payload.json(0, pointer)), fault))
        out.append(Entry("Copy JSON Pointer", lambda: pointer))
        out.append(Entry("Copy path", lambda: path_of(pointer, payload.values[0])))
    return out


def _block(of: Copied) -> list[Entry]:
    block = of.block
    if block is None:
        return []
    text = block.text
    loss = _loss(text) or (REPLACED if of.reading.invalid_count and "\ufffd" in text else "")
    if block.kind != "tool_call":
        return [Entry("Copy block text", lambda: text, loss=loss)] if text else []
    out = []
    if text:
        # Of longer arguments it takes too long to say whether they are JSON: they can be copied as sent.
        data = text.encode("utf-8", "surrogatepass") if len(text) <= LONGEST_PRETTY else b""
        if count_values(data) == 1:
            out.append(Entry("Copy arguments as JSON", lambda: _pretty(data), loss=loss))
        out.append(Entry("Copy arguments as sent", lambda: text, loss=loss))
    return [*out, Entry("Copy call (id, name, arguments) as JSON", lambda: call_json(block), loss=loss)]


def _hex(of: Copied) -> list[Entry]:
    selection = of.selection
    span = of.line if selection.line is not None and selection.pointer is None else None
    if span is None and selection.pointer and of.has_event:
        span = of.reference.place(selection.event, selection.pointer)
    span = span or of.event or of.line
    return [] if span is None else [Entry("Copy bytes as hex", lambda: of.reference.body.slice(*span).hex(" "))]


def _table(of: Copied) -> list[Entry]:
    if of.delta is None and of.block is None:
        return []
    return [Entry("Copy as a row of a Markdown table", lambda: markdown_row(of))]


def _request(of: Copied) -> list[Entry]:
    request = of.reference.exchange.request
    if curl_command(request) is None:
        return []
    return [Entry("Copy request as curl", lambda: curl_command(request) or "")]


MAKERS: tuple[Callable[[Copied], list[Entry]], ...] = (_wire, _value, _block, _data, _hex, _table, _request)


def copies(session: Session, selection: Selection | None, first: Sequence[str] = ()) -> list[Entry]:
    """What can be copied of a selection; `first` are the words that this view has before all others, if they apply.

    The first entry without a fault is what the copy key does; its group comes before the others.
    """
    reference = session.reference
    if selection is None or reference is None or not len(reference.lines):
        return []
    of = Copied(session, selection)
    entries = [entry for make in MAKERS for entry in make(of)]
    order = {words: number for number, words in enumerate(first)}
    best = min((entry.words for entry in entries if entry.words in order), key=lambda words: order[words], default="")
    lead = group_of(best)

    def place(entry: Entry) -> tuple[bool, tuple[int, int], int]:
        group, n = PLACES[entry.words]
        leads = group == lead
        return not leads, (0 if leads else group, order.get(entry.words, len(order)) if leads else n), n

    return sorted(entries, key=place)


def group_of(words: str) -> int:
    """Which group of the menu an entry belongs to; -1 for those of several rows at once."""
    return PLACES.get(words, (-1, 0))[0]


def rows_copied(reference: Reading, spans: Sequence[tuple[int, int]]) -> list[Entry]:
    """Several lines at once, as they came, each with its own end."""
    if not spans:
        return []
    start, end = spans[0][0], spans[-1][1]
    words = f"Copy {len(spans)} lines"
    try:
        reference.body.slice(start, end).decode("utf-8")
        fault = ""
    except UnicodeDecodeError:
        fault = NOT_UTF8
    return [
        Entry(words, lambda: _utf8(reference.body.slice(start, end)), fault),
        Entry("Copy bytes as hex", lambda: reference.body.slice(start, end).hex(" ")),
    ]


def texts_copied(noun: str, texts: Sequence[str]) -> list[Entry]:
    """Several values or fragments at once, as the answer joins them."""
    if not texts:
        return []
    return [
        Entry(f"Copy {len(texts)} {noun}s", lambda: "".join(texts)),
        Entry(f"Copy {len(texts)} {noun}s as JSON", lambda: json.dumps(list(texts), ensure_ascii=False, indent=2)),
    ]


def path_of(pointer: str, value: Any) -> str:
    """The path of a pointer as programs write it: choices[0].delta.tool_calls[0].id."""
    out = ""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            out += f"[{key}]"
            value = value[int(key)] if key.isdecimal() and int(key) < len(value) else None
            continue
        plain = _PLAIN_KEY.fullmatch(key)
        out += (f".{key}" if out else key) if plain else f"[{json.dumps(key, ensure_ascii=False)}]"
        value = value.get(key) if isinstance(value, dict) else None
    return out


def call_json(block: Block) -> str:
    """A call as one JSON object: what is missing is not there, arguments that are no JSON stand as a text."""
    fields = block.fields
    given = [(name, json.dumps(fields[name], ensure_ascii=False)) for name in ("id", "name") if fields.get(name)]
    data = block.text.encode("utf-8", "surrogatepass")
    arguments = block.text if count_values(data) == 1 else json.dumps(block.text, ensure_ascii=False)
    members = [*given, ("arguments", arguments)]
    whole = "{" + ", ".join(f'"{name}": {value}' for name, value in members) + "}"
    return _pretty(whole.encode("utf-8", "surrogatepass"))


def markdown_row(of: Copied) -> str:
    """Event, kind, value and pointer of a delta, or event, kind and text of a block."""
    if of.block is not None and of.selection.delta is None:
        block = of.block
        cells = [str(of.selection.event), block.kind, _code(block.text)]
        cells += [_code(str(block.fields[name])) for name in ("name", "id") if block.fields.get(name)]
    else:
        delta = of.delta
        cells = [str(of.selection.event), delta.kind if delta is not None else "", _code(of.value), _code(of.pointer)]
    return f"| {' | '.join(cells)} |"


def _code(value: Any) -> str:
    """A cell of code: no backtick ends it, no bar ends the cell."""
    if value in (None, ""):
        return ""
    text = clip(value, CELL) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    # As JSON, so that line breaks are no line breaks.
    text = text if text.isprintable() else json.dumps(text, ensure_ascii=False)
    text = clip(text, 2 * CELL).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest or text[:1] == " " == text[-1:] else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _loss(text: str) -> str:
    """What the clipboard cannot hold of a text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "" if encodable(text) == join_halves(text) else HALVES
    return ""


def _size(reading: Reading, line: int) -> int:
    found = reading.lines[line]
    return found.end - found.start


def _decoded(of: Copied, span: tuple[int, int]) -> str:
    return _utf8(of.reference.body.slice(*span))


def _utf8(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _pretty(data: bytes) -> str:
    """JSON that was made from a text, indented if it is not too long for that; halves of surrogates in it stay."""
    shown = indented(data) if len(data) <= LONGEST_PRETTY else None
    return (shown or data).decode("utf-8", "surrogatepass")
