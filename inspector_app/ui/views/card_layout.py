"""Where the parts of a card stand: the blocks pane in reading view (look.md, look-missing-tool)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import NamedTuple

from PySide6.QtCore import QRect

from inspector_app.core.text import number, size, visible
from inspector_app.core.types import Block
from inspector_app.ui import fonts
from inspector_app.ui.views.words import plural
from inspector_app.ui.views.wrap import Flow

HEAD, LINE, FIELD = 28, 20, 30
LEFT, VALUE, RIGHT = 16, 92, 12
BOX_PAD = 10
FOOT = 30
JSON_SHOWN = 4000

LABELS = {"reasoning", "text", "refusal", "error"}


class Field(NamedTuple):
    """A named value of a call. `value` is None where it is missing; then `sent` is the line that had it, if any."""

    name: str
    value: str | None
    sent: int | None = None


@dataclass(slots=True)
class Card:
    """One block, laid out for a width. Heights are pixels from the top of the card."""

    block: Block
    name: str
    width: int
    meta: str = ""
    fields: list[Field] = field(default_factory=list)
    arguments: str = ""
    """What is said about the arguments beside their name; empty for blocks without."""
    boxed: bool = False
    """Whether the text stands in a box of its own, in the font of wire data."""
    flow: Flow | None = None
    text_top: int = 0
    opaque: str = ""
    """The size of what is encrypted or withheld."""
    foot: str = ""
    foot_kind: str = "plain"
    foot_top: int = 0
    height: int = 0
    mended: str = ""
    """"repaired" or "inferred" where the block is not as it came."""
    taken: object = None
    """What the block looked like when it was laid out."""

    def lines_in(self, y: int, view: QRect) -> range:
        """The lines of the text that lie in `view` while the card stands at `y`."""
        if self.flow is None:
            return range(0)
        top = y + self.text_top + (6 if self.boxed else 0)
        first = max(0, (view.top() - top) // LINE)
        return range(first, max(first, min(len(self.flow.lines), (view.bottom() - top) // LINE + 1)))


def lay_out(card: Card, sent: dict[str, int]) -> None:
    """Works out the parts of a card, or brings them up to a block that has grown."""
    block = card.block
    y = HEAD
    if block.kind == "tool_call":
        card.fields = [Field(name, block.fields.get(name) or None, sent.get(name)) for name in ("name", "id")]
        y += 5 + FIELD * len(card.fields)
        card.arguments = _arguments(block)
        y += FIELD - 3
        card.boxed = True
    card.opaque = _opaque(block)
    y = _lay_out_text(card, y)
    if card.opaque:
        y += FIELD
    card.meta = _meta(card)
    card.foot, card.foot_kind = _foot(block)
    card.foot_top = y
    card.height = y + (FOOT if card.foot else 0)


def _lay_out_text(card: Card, y: int) -> int:
    """The flowing text or the boxed JSON; gives where it ends."""
    block = card.block
    fragments = block.fragments if block.override is None else [block.override]
    if block.kind not in LABELS and block.kind != "tool_call" and not any(fragments[:50]):
        said = _other(block)
        fragments, card.boxed = ([said] if said else []), bool(said)
    has_text = any(fragments)
    if not has_text and block.kind != "tool_call":
        return y + (0 if card.opaque else 6)
    if card.boxed and not has_text:
        return y + 6
    pad = BOX_PAD if card.boxed else 0
    font = fonts.wire_font(fonts.BODY) if card.boxed else fonts.ui_font(fonts.BODY)
    if card.flow is None or block.override is not None:
        card.flow = Flow(font, card.width - LEFT - RIGHT - 2 * pad, card.boxed)
    card.flow.extend(fragments)
    lines = len(card.flow.lines) + (1 if card.flow.left_out else 0)
    card.text_top = y + 6
    return y + 6 + LINE * lines + (2 * 6 if card.boxed else 7) + (6 if card.boxed else 0)


def _meta(card: Card) -> str:
    block = card.block
    if block.n < 0:
        return ""  # what a client says, and no block of a reading
    words = [plural(len(block.deltas), "delta")]
    if block.kind in LABELS:
        whole = card.flow is None or block.override is not None
        words.append(plural(len(block.text) if whole or card.flow is None else card.flow.characters, "char"))
    if block.state == "open":
        words.append("open")
    return " · ".join(words)


def _arguments(block: Block) -> str:
    text = block.text
    if not text:
        return "none sent"
    words = plural(len(text), "character")
    if block.fields.get("tool_kind") == "custom":
        return f"{words}, free text"
    try:
        json.loads(text)
    except ValueError:
        return f"{words}, no valid JSON"
    return f"{words}, valid JSON"


def _opaque(block: Block) -> str:
    """How much of a block is encrypted, redacted or a signature: never what it might say."""
    words = []
    for key in ("redacted", "encrypted", "signature"):
        held = block.fields.get(key)
        if held:
            values = held if isinstance(held, list) else [held]
            count = sum(len(value if isinstance(value, str) else json.dumps(value)) for value in values)
            words.append(f"{key} {size(count)}")
    return " · ".join(words)


def _other(block: Block) -> str:
    """What a block says that has no text: its fields as they came."""
    fields = {key: value for key, value in block.fields.items() if value is not None}
    if not fields:
        return ""
    text = json.dumps(fields, ensure_ascii=False, default=str)
    return text if len(text) <= JSON_SHOWN else f"{text[:JSON_SHOWN]} … +{number(len(text) - JSON_SHOWN)}"


def _foot(block: Block) -> tuple[str, str]:
    """The line at the end of a card, and its kind: plain, lengths (of a call that lacks a label) or cut."""
    fields = block.fields
    if block.kind == "tool_call" and not (fields.get("id") and fields.get("name")) and block.state != "open":
        lengths = (("id", fields.get("id")), ("name", fields.get("name")), ("arguments", block.text))
        told = (f"{name} {plural(len(value), 'char')}" if value else f"{name} empty" for name, value in lengths)
        return " · ".join(told), "lengths"
    if "closed_on" in fields:
        return f"closed by {visible(fields['closed_on'][:80])}{_at(block)}", "cut"
    if block.state == "truncated":
        return "the stream ends before this block does", "torn"
    if block.kind == "tool_call" and block.closed_by:
        return f"closed by {block.closed_by.replace('_', ' ')}{_at(block)}", "plain"
    return "", "plain"


def _at(block: Block) -> str:
    return "" if block.closed_at is None else f" · event {number(block.closed_at)}"
