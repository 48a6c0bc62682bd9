"""The nouns: reads, lines, events, deltas, blocks, findings, and the exchange they come from.

Offsets are bytes of the decoded body (transfer and content coding undone), ranges are half-open,
times are integer nanoseconds since the request was sent, numbers start at 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

EOL = (b"", b"\n", b"\r", b"\r\n", "\u2028".encode(), "\x85".encode(), b"\x0b")
"""Line terminators by the code that the line table stores. From 4 on only a lens ends lines, and only lengths count."""

NO_TIME = -(1 << 63)
"""What a time column holds where no time was measured; outside the column it is None."""


Mark = tuple[int, int]
"""How many bytes a file had when it was read, and a checksum of the first and the last of them."""


class Body(Protocol):
    """The decoded body of one exchange. May grow while an exchange is live."""

    def __len__(self) -> int: ...

    def slice(self, start: int, end: int) -> bytes:
        """The bytes of [start, end); a copy, safe to keep."""
        ...


class Line(NamedTuple):
    """One line of the body: content is [start, end), `eol` the terminator that follows it."""

    start: int
    end: int
    eol: bytes


class Event(NamedTuple):
    """One event as the framing dispatched it, or one that a strict client would drop (see flags).

    `data` is None when no data was given. `id` is the last event id as it stands at dispatch.
    Flags are the contract's words: comment-only, no-data, dangling, bom, nul-id, invalid-utf8,
    unknown-field, not-json.
    """

    n: int
    lines: tuple[int, int]
    start: int
    end: int
    name: str | None
    data: bytes | None
    id: str | None
    retry: int | None
    dispatched: bool
    flags: tuple[str, ...]


class Delta(NamedTuple):
    """One normalized statement that an event's own bytes make (dialects.md section 4).

    `pointer` is the JSON Pointer into the payload it was read from. `value` is the text (kinds
    that carry text), else the wire's value. `extra` holds what the kind needs besides, by kind:
    reasoning.*: field, form, index, entry, format, id · tool.*: index, id, name, type (only keys that the wire
    has), element (the pointer of the whole fragment), position and count (its place in its array) ·
    finish: native · usage: where.
    """

    kind: str
    choice: int
    pointer: str
    value: Any = None
    extra: dict[str, Any] | None = None


@dataclass(slots=True)
class Block:
    """A reconstructed part of the answer.

    `fragments[i]` is what delta number `deltas[i]` gave to it; `spans[i]` = (from, to) in
    characters of that delta's text when it gave only a part. `fields` holds what a kind has besides its text: id, name,
    tool_kind, index, signature, redacted, encrypted, form, citations, id_made_up, mime…
    `snapshot` is set where the fragments are growing snapshots (R25): then the last one is the value.
    """

    n: int
    kind: str
    choice: int
    first_event: int
    last_event: int
    state: str = "open"
    closed_by: str | None = None
    closed_at: int | None = None
    """The event whose content closed the block, None while open or at the end of the data."""
    fragments: list[str] = field(default_factory=list)
    deltas: array[int] = field(default_factory=lambda: array("I"))
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    override: str | None = None
    """The reading when it is not the plain join of the fragments (snapshots, a dropped copy)."""

    @property
    def text(self) -> str:
        """The text, or the joined arguments of a call."""
        return "".join(self.fragments) if self.override is None else self.override

    @property
    def has_text(self) -> bool:
        """Whether `text` is not empty; it may have a million fragments, which need not be joined to tell."""
        return any(self.fragments) if self.override is None else bool(self.override)

    @property
    def has_words(self) -> bool:
        """Whether `text` is more than white space; told without joining it, too."""
        return any(map(str.strip, self.fragments)) if self.override is None else bool(self.override.strip())


class Place(NamedTuple):
    """Where a finding rests: an event, and the byte range [start, end) in the body."""

    event: int
    start: int
    end: int


@dataclass(slots=True)
class Finding:
    """A fault or a fact worth knowing. `places` are the first 20 of `count`; `events` holds every event number."""

    rule: str
    severity: str
    message: str
    advice: str
    count: int
    places: list[Place]
    events: array[int]
    pointer: str | None = None
    block: int | None = None
    under: str | None = None
    heuristic: bool = False


class Fault(NamedTuple):
    """Something the file layer saw, named by its rule: a damaged record, a cut chunk, a coding undone.

    `at` is an offset of the decoded body. `detail` fills the rule's message.
    """

    rule: str
    at: int
    end: int
    detail: str


@dataclass(slots=True)
class Http:
    """The response head. `headers` in wire order, names as sent."""

    status: int
    headers: list[tuple[str, str]]
    version: str = "HTTP/1.1"

    def header(self, name: str) -> str | None:
        """The first value of a header, by any letter case."""
        lower = name.lower()
        return next((value for key, value in self.headers if key.lower() == lower), None)


class Coded(NamedTuple):
    """A body before its content coding was undone, and where its reads end, None where boundaries are unknown."""

    body: Body
    read_ends: array[int] | None


@dataclass(slots=True)
class Exchange:
    """One request and its streamed answer, out of a file, standard input or a live connection."""

    name: str
    """The path as given, `-` for standard input."""
    format: str
    body: Body
    timing: str = "none"
    read_ends: array[int] | None = None
    """Offset in the decoded body where each read ends; None when boundaries are unknown."""
    read_times: array[int] | None = None
    """Nanoseconds since the request was sent, NO_TIME where unknown; same length as read_ends."""
    http: Http | None = None
    head_time: int | None = None
    request: dict[str, Any] | None = None
    created: str | None = None
    coding: str | None = None
    """The content coding that was undone (gzip, deflate…), None if there was none."""
    end: dict[str, Any] | None = None
    """The end record of a recording: how, terminator, closed_by (None where nobody knows), detail."""
    end_time: int | None = None
    framing: str | None = None
    """Set when the format fixes the framing: `ndjson` for a log of payloads."""
    synthetic: bool = False
    """True when the envelope was lost (jsonl-chunks): rules about the wire stay silent."""
    faults: list[Fault] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    source: str | None = None
    """Who made a recording: `live`, `proxy`, `import:har`…; None for every other format."""
    mark: Mark | None = field(default=None, compare=False)
    """By what the file of a recording is known again."""
    about: dict[str, str] = field(default_factory=dict)
    """What a recording says of itself in its header: `title`, `story` (one sentence on what to see)."""
    number: int = 0
    count: int = 1
    coded: Coded | None = None
    """The body as it was on the wire, where the coding was undone here. It does not follow changes of `body`."""

    def chunks(self, size: int = 1 << 18) -> Iterator[bytes]:
        """The body in pieces: a read at a time where reads are known, else `size` bytes."""
        start = 0
        ends = self.read_ends
        if ends is not None:
            for end in ends:
                yield self.body.slice(start, end)
                start = end
        for at in range(start, len(self.body), size):
            yield self.body.slice(at, min(at + size, len(self.body)))


class MemoryBody:
    """A body that lies in memory as one bytes object."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def slice(self, start: int, end: int) -> bytes:
        return self.data[start:end]


class InputFault(Exception):
    """An input that could not be used. The message is one line: what happened, where, what to do."""
