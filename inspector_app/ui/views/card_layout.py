"""Where the parts of a card stand: the blocks pane in reading view (look.md, look-missing-tool)."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from PySide6.QtCore import QRect

from inspector_app.core.text import clip, number, size, visible
from inspector_app.core.types import Block
from inspector_app.ui import fonts
from inspector_app.ui.gaps import labels_of
from inspector_app.ui.views.block_names import broken_words, cannot_run, server_runs
from inspector_app.ui.views.media_view import Shown
from inspector_app.ui.views.words import plural
from inspector_app.ui.views.wrap import Flow

HEAD, LINE, FIELD = 28, 20, 30
LEFT, VALUE, RIGHT = 16, 92, 12
BOX_PAD = 10
FOOT, FOOT_LINE, FOOT_MARK = 30, 16, 17
"""The foot of one line, each line more of it, and the room of the mark before it."""
JSON_SHOWN = 2000
LONG, ENTRIES, DEEP = 160, 50, 12
"""Characters of a text, entries and levels of a result that are shown."""
CITED, LOOKED = 5, 3
"""Citations that a card lists, and levels of a citation in which its title is looked for."""
SPOKEN = 400
"""Characters of a text that are read out."""
FRAME = 6
"""Around a picture."""

LABELS = {"reasoning", "text", "refusal", "error"}
ENDS = {"explicit": "its own end", "end": "the end of the data", "eof": "the end of the data"}
"""Causes of an end, where the word of the contract is none for people."""
RESULTS = {"tool_result", "state", "other"}
"""Kinds that hold a value and may have the name and the id of what it is for."""


class Field(NamedTuple):
    """A named value of a call. `value` is None where it is missing; then `sent` is the line that had it, if any.
    `made_up`: a reader invented it.
    """

    name: str
    value: str | None
    sent: int | None = None
    made_up: bool = False


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
    media: Shown | None = None
    """What is to be seen of media."""
    media_top: int = 0
    citations: list[str] = field(default_factory=list)
    """What a text rests on, one line each."""
    citations_top: int = 0
    opaque: str = ""
    """The size of what is encrypted or withheld."""
    foot: str = ""
    foot_lines: list[str] = field(default_factory=list)
    foot_kind: str = "plain"
    foot_top: int = 0
    height: int = 0
    mended: str = ""
    """"repaired" or "inferred" where the block is not as it came."""
    lacks: tuple[str, ...] = ()
    """The fields of a call that are missing."""
    folded: bool = False
    """Whether it is white space between two thoughts: mostly no text at all, so only its head is shown (R8)."""
    taken: object = None
    """What the block looked like when it was laid out."""

    def spoken(self) -> str:
        """What a screen reader says of it."""
        text = clip(visible(self.block.text[: 4 * SPOKEN]), SPOKEN)
        return f"{self.name}, {self.meta}{f', {self.mended}' if self.mended else ''}. {self.foot} {text}"

    def lines_in(self, y: int, view: QRect) -> range:
        """The lines of the text that lie in `view` while the card stands at `y`."""
        if self.flow is None:
            return range(0)
        top = y + self.text_top + (6 if self.boxed else 0)
        first = max(0, (view.top() - top) // LINE)
        return range(first, max(first, min(len(self.flow.lines), (view.bottom() - top) // LINE + 1)))


def lay_out(card: Card, sent: dict[str, int]) -> None:
    """Works out the parts of a card, or brings them up to a block that has grown."""
    for _ in laying_out(card, sent):
        pass


def laying_out(card: Card, sent: dict[str, int]) -> Iterator[None]:
    """The same with rests: a block may have very many words."""
    block = card.block
    y = HEAD
    if card.folded:
        card.flow, card.foot, card.foot_lines, card.height = None, "", [], HEAD
        card.meta = f"{plural(len(block.deltas), 'delta')} · white space between two thoughts"
        return
    if block.kind == "tool_call":
        labels = labels_of(block, card.lacks)
        card.fields = [Field(name, value, sent.get(name), made_up) for name, value, made_up in labels]
        y += 5 + FIELD * len(card.fields)
        card.arguments = _arguments(block)
        y += FIELD - 3
        card.boxed = True
    elif block.kind in RESULTS:
        card.fields = [Field(name, str(block.fields[name])) for name in ("name", "id") if block.fields.get(name)]
        y += 5 + FIELD * len(card.fields) if card.fields else 0
    if card.media is not None:
        y = _lay_out_media(card, card.media, y)
    card.opaque = _opaque(block)
    y = yield from _lay_out_text(card, y)
    card.citations, card.citations_top = _citations(block), y
    if card.citations:
        y += LINE * len(card.citations) + 6
    if card.opaque:
        y += FIELD
    card.meta = _meta(card)
    card.foot, card.foot_kind = _foot(block, bool(card.lacks))
    card.foot_lines = _broken(card.foot, card.width - LEFT - RIGHT - (FOOT_MARK if card.foot_kind == "cut" else 0))
    card.foot_top = y
    card.height = y + (FOOT + FOOT_LINE * (len(card.foot_lines) - 1) if card.foot else 0)


def _lay_out_text(card: Card, y: int) -> Generator[None, None, int]:
    """The flowing text or the boxed JSON; gives where it ends."""
    block = card.block
    fragments = block.fragments if block.override is None else [block.override]
    if block.kind not in LABELS and block.kind not in ("tool_call", "media") and not any(fragments[:50]):
        said = _other(block)
        fragments, card.boxed = ([said] if said else []), bool(said)
    has_text = any(fragments)
    if not has_text and block.kind != "tool_call":
        return y + (0 if card.opaque or card.fields else 6)
    if card.boxed and not has_text:
        return y + 6
    pad = BOX_PAD if card.boxed else 0
    font = fonts.wire_font(fonts.BODY) if card.boxed else fonts.ui_font(fonts.BODY)
    if card.flow is None or block.override is not None:
        card.flow = Flow(font, card.width - LEFT - RIGHT - 2 * pad, card.boxed)
    yield from card.flow.extending(fragments)
    lines = len(card.flow.lines) + (1 if card.flow.left_out else 0)
    card.text_top = y + 6
    return y + 6 + LINE * lines + (2 * 6 + 8 if card.boxed else 7)


def _meta(card: Card) -> str:
    block = card.block
    if block.n < 0:
        return ""  # what a client says, and no block of a reading
    words = [f"choice {number(block.choice)}"] if block.choice else []
    words += [card.media.words] if card.media is not None and card.media.words else []
    # Nothing but what is opaque, told below.
    silent = bool(card.opaque) and not any(block.fragments) and block.override is None
    words += [] if silent else [plural(len(block.deltas), "delta")]
    if block.kind in LABELS and not silent:
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
        # What the server runs may be code.
        return f"{words}, {'no JSON' if server_runs(block) else 'no valid JSON'}"
    return f"{words}, valid JSON"


def _opaque(block: Block) -> str:
    """How much of a block is encrypted, redacted or a signature: never what it might say."""
    words = []
    for key in ("redacted", "encrypted", "signature", "opaque"):
        held = block.fields.get(key)
        if held:
            values = held if isinstance(held, list) else [held]
            count = sum(len(value if isinstance(value, str) else json.dumps(value)) for value in values)
            words.append(f"{key} {size(count)}")
    return " · ".join(words)


def _other(block: Block) -> str:
    """What a block says that has no text: its fields as they came."""
    fields = {key: value for key, value in block.fields.items() if value is not None}
    held = fields.get("result") if block.kind in RESULTS else fields
    if not fields or held is None:
        return ""
    text = held if isinstance(held, str) else json.dumps(shortened(held), ensure_ascii=False, default=str)
    return text if len(text) <= JSON_SHOWN else f"{text[:JSON_SHOWN]} … +{number(len(text) - JSON_SHOWN)}"


def shortened(value: object, depth: int = 0) -> object:
    """A value with its long texts cut, each with how much was, and no more of it than a card can show."""
    if isinstance(value, str) and len(value) > LONG:
        return f"{value[: LONG // 2]}… +{number(len(value) - LONG // 2)}"
    if isinstance(value, (list, dict)) and depth > DEEP:
        return "…"
    if isinstance(value, list):
        more = [f"… +{number(len(value) - ENTRIES)}"] if len(value) > ENTRIES else []
        return [*(shortened(one, depth + 1) for one in value[:ENTRIES]), *more]
    if isinstance(value, dict):
        held = {key: shortened(one, depth + 1) for key, one in islice(value.items(), ENTRIES)}
        return held | ({"…": f"+{number(len(value) - ENTRIES)}"} if len(value) > ENTRIES else {})
    return value


def _lay_out_media(card: Card, media: Shown, y: int) -> int:
    """The frame of the picture, or the line that says why there is none; gives where it ends."""
    card.media_top = y + 8
    if not media.room.isEmpty():
        return card.media_top + media.room.height() + 2 * FRAME + 8
    return card.media_top + LINE if media.why else y


def _citations(block: Block) -> list[str]:
    """Title and address of what a text cites, as far as they are listed."""
    held = block.fields.get("citations")
    if not isinstance(held, list):
        return []
    told = [citation_words(value) for value in held[:CITED]]
    return [*told, f"{number(len(held) - CITED)} more"] if len(held) > CITED else told


def citation_words(value: object) -> str:
    """What a citation is, in one line: its title and where it is, whatever its dialect calls them."""
    title = _first(value, ("title", "document_title", "filename", "name"), 0)
    where = _first(value, ("url", "uri", "file_id", "source", "id"), 0)
    said = " · ".join(dict.fromkeys(filter(None, (title, where))))
    return visible(clip(said or json.dumps(value, ensure_ascii=False, default=str), 300))


def _first(value: object, names: tuple[str, ...], depth: int) -> str:
    """The first text under one of these names, from the top down."""
    if isinstance(value, str) and not depth:
        return value if "url" in names else ""
    if isinstance(value, list) and value:
        return _first(value[0], names, depth + 1)
    if not isinstance(value, dict) or depth > LOOKED:
        return ""
    found = next((held for name in names if isinstance(held := value.get(name), str) and held), "")
    inner = (_first(held, names, depth + 1) for held in value.values() if isinstance(held, (dict, list)))
    return found or next(filter(None, inner), "")


def _foot(block: Block, lacking: bool) -> tuple[str, str]:
    """The line at the end of a card, and its kind: plain, lengths (of a call that lacks a label), cut, torn or broken.

    That a call cannot be run stands in its head too, which is far away where its arguments are long.
    """
    words, kind = _end(block, lacking)
    if not cannot_run(block):
        return words, kind
    said = " · ".join(filter(None, ("cannot be run", broken_words(block), words)))
    return said, "broken" if kind == "plain" else kind


def _broken(words: str, room: int) -> list[str]:
    """The parts of a foot in as many lines as they need."""
    font, lines = fonts.ui_font(fonts.SECONDARY), [""]
    for part in words.split(" · "):
        line = " · ".join(filter(None, (lines[-1], part)))
        if lines[-1] and fonts.text_width(font, line) > room:
            lines.append(part)
        else:
            lines[-1] = line
    return lines


def _end(block: Block, lacking: bool) -> tuple[str, str]:
    fields = block.fields
    if lacking and block.state != "open":
        lengths = (("id", fields.get("id")), ("name", fields.get("name")), ("arguments", block.text))
        told = (f"{name} {plural(len(value), 'char')}" if value else f"{name} empty" for name, value in lengths)
        return " · ".join(told), "lengths"
    if "closed_on" in fields:
        return f"closed by {visible(fields['closed_on'][:80])}{_at(block)}", "cut"
    if block.state == "truncated":
        stopped = block.fields.get("cancelled")
        return stopped or "the stream ends before this block does", "torn"
    if block.kind == "tool_call" and block.closed_by:
        return f"closed by {ENDS.get(block.closed_by) or block.closed_by.replace('_', ' ')}{_at(block)}", "plain"
    return "", "plain"


def _at(block: Block) -> str:
    return "" if block.closed_at is None else f" · event {number(block.closed_at)}"
