"""What clients did with the answers they got: drained or left, tried again, and what they sent next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import quote

from inspector_app.core.text import clip, duration, visible
from inspector_app.live.loopback import Request
from inspector_app.live.serve_choice import body, canonical
from inspector_app.live.serve_item import Item
from inspector_app.live.serve_plan import AS_RECORDED, Ending

WAITING, DRAINED, LEFT = "waiting", "drained", "left early"
LONGEST = 60
MOST_STRAYS = 8


@dataclass
class Visit:
    """One request, and what became of its answer. `sent` counts bytes of the body that were handed over."""

    item: Item
    request: Request
    whole: bool = False
    """The answer was one JSON document."""
    at: float = field(default_factory=monotonic)
    sent: int = 0
    state: str = WAITING
    lasted: float | None = None
    """Seconds until the answer had ended or the client had left."""
    early: bool = False
    """The client left before the answer had ended; with all bytes of the body it may just have seen an end marker."""
    unread: bool = False
    """It took everything and closed the connection before it had read all: for an error that it saw, or since the
    end marker was all it wanted, and the last chunk behind that was the rest.
    """
    read: bool = False
    """It closed the connection in order behind the end, or went on with it. Where it does neither nobody can know."""
    retries: bool = False
    """The same was asked before, and gets the same answer again."""

    def over(self, sent: int, *, left: bool) -> None:
        """The answer ended, or the client left; after a stall it has to."""
        self.sent = sent
        self.lasted = monotonic() - self.at
        self.early = left and not self.stalled
        self.state = LEFT if self.early and sent < self.size else DRAINED

    @property
    def size(self) -> int:
        """Bytes of the body."""
        plan = self.item.whole if self.whole else self.item.plan
        return plan.size if plan is not None else 0

    @property
    def stalled(self) -> bool:
        """Whether everything was sent and only the end was kept back."""
        return self.item.plan.ending is Ending.STALL and not self.whole and self.sent >= self.size

    def words(self) -> str:
        """What the client did, in words."""
        after = duration(round((self.lasted or 0) * 1e9))
        if self.state == WAITING:
            return "still reading"
        if self.state == LEFT:
            at = self._event_at()
            return f"left early, after {self.sent} of {self.size} bytes{at}"
        if self.stalled:
            return f"waited, and left after {after}"
        if self.unread:
            return "left a rest unread"
        if self.early:
            return "read to the end marker"
        return "read to the end" if self.read else "sent whole"

    @property
    def did(self) -> str:
        """The same as the card for programs says it."""
        if self.state == DRAINED and not (self.read or self.early or self.stalled):
            return "sent_whole"
        return {WAITING: "waiting", DRAINED: "drained", LEFT: "closed_early"}[self.state]

    def _event_at(self) -> str:
        if not self.sent or self.whole or self.item.exchange.coded is not None:
            return ""
        found = self.item.reading.event_at(self.sent - 1)
        return "" if found is None else f" (event {found})"


@dataclass
class Line:
    """One row of the score card: an item, and what was done with it."""

    item: Item
    visits: list[Visit]
    next: str
    """What the client sent after it, in words; empty where it sent nothing."""
    like_plain: bool | None
    """Whether that is what it sent after the recording itself; None where one of the two is missing."""

    @property
    def retries(self) -> int:
        """How often the same was asked again."""
        return sum(visit.retries for visit in self.visits)

    def words(self) -> str:
        """What the client did at first, and how often it tried again."""
        if not self.visits:
            return "not asked for"
        again = f", tried again {self.retries}x" if self.retries else ""
        return self.visits[0].words() + again


class Score:
    """All visits in their order. Call it from one thread."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self.visits: list[Visit] = []
        self.unknown: dict[str, int] = {}
        """Paths that were asked for and name nothing, and how often."""
        self._asked: dict[tuple[int, str], int] = {}

    def visit(self, item: Item, request: Request, whole: bool) -> Visit:
        """Note a request."""
        key = id(item), canonical(request)
        self._asked[key] = self._asked.get(key, 0) + 1
        found = Visit(item, request, whole, retries=self._asked[key] > 1)
        self.visits.append(found)
        return found

    def lines(self) -> list[Line]:
        """The card, one line for each item."""
        by_item: dict[int, list[Visit]] = {id(item): [] for item in self._items}
        for visit in self.visits:
            by_item[id(visit.item)].append(visit)
        nexts = {key: _next(visits) for key, visits in by_item.items()}
        plain = {item.recording: nexts[id(item)] for item in self._items if item.variation == AS_RECORDED}
        return [
            Line(item, by_item[id(item)], _summary(nexts[id(item)]), _alike(nexts[id(item)], plain.get(item.recording)))
            for item in self._items
        ]

    def table(self) -> list[tuple[str, ...]]:
        """The card for people: a head, then a row for each item."""
        rows: list[tuple[str, ...]] = [("PATH", "A CORRECT CLIENT", "WHAT THE CLIENT DID", "SENT NEXT")]
        for line in self.lines():
            told = {None: line.next or "-", True: f"as after /{AS_RECORDED}", False: line.next}
            like = line.like_plain if line.item.variation != AS_RECORDED else None
            rows.append((self.path(line.item), ought(line.item), line.words(), told[like]))
        return rows

    def strays(self) -> str:
        """The unknown paths that were asked for, in words; empty where there are none."""
        told = [f"{path} ({times}x)" if times > 1 else path for path, times in self.unknown.items()]
        if not told:
            return ""
        more = f" and {len(told) - MOST_STRAYS} more" if len(told) > MOST_STRAYS else ""
        asked = ", ".join(visible(clip(one, LONGEST)) for one in told[:MOST_STRAYS])
        return f"asked for {'an unknown path' if len(told) == 1 else 'unknown paths'}: {asked}{more}"

    def path(self, item: Item) -> str:
        """The start of the paths under which an item is asked for; without its recording where there is one only."""
        one = item.variation and all(other.recording == item.recording for other in self._items)
        return "/" + "/".join(quote(part) for part in ("" if one else item.recording, item.variation) if part)

    def object(self) -> list[dict[str, Any]]:
        """The card for programs."""
        return [
            {
                "path": self.path(line.item),
                "recording": line.item.recording,
                "variation": line.item.variation or None,
                "keeps_meaning": line.item.keeps_meaning,
                "requests": [
                    {
                        "did": visit.did,
                        "bytes": visit.sent,
                        "of": visit.size,
                        "seconds": None if visit.lasted is None else round(visit.lasted, 3),
                        "stalled": visit.stalled,
                        "unread": visit.unread,
                        "retry": visit.retries,
                        "stream": not visit.whole,
                    }
                    for visit in line.visits
                ],
                "retries": line.retries,
                "next": line.next or None,
                "next_like_plain": line.like_plain,
            }
            for line in self.lines()
        ]


def ought(item: Item) -> str:
    """What a client should do with an item."""
    if item.variation in ("", AS_RECORDED):
        return "-"
    return "must not notice" if item.keeps_meaning else "must notice"


def _next(visits: Sequence[Visit]) -> Request | None:
    """The first request after the first one that does not ask for the same again."""
    if not visits:
        return None
    first = canonical(visits[0].request)
    return next((visit.request for visit in visits[1:] if canonical(visit.request) != first), None)


def _alike(mine: Request | None, plain: Request | None) -> bool | None:
    if mine is None or plain is None:
        return None
    return bool(body(mine) == body(plain))


def _summary(request: Request | None) -> str:
    """The messages at the end of a request that a client made of the answer, shortly."""
    asked = None if request is None else body(request)
    if request is None:
        return ""
    if not isinstance(asked, dict):
        return f"{request.method}, {len(request.body)} bytes"
    held: list[Any] = next((found for name in _HELD if isinstance(found := asked.get(name), list)), [])
    last = max((at for at, one in enumerate(held) if _role(one) == "user" and not _results(one)), default=-1)
    # What came since the user spoke; where the user spoke last, the answer stands before.
    told = held[last + 1 :] or held[max(0, last - 1) :]
    return visible("; ".join(clip(_message(one), LONGEST) for one in told)) or f"{len(held)} messages"


_HELD = ("messages", "input", "contents")
"""Members of a request that hold the conversation."""


def _role(message: Any) -> str:
    return str(message.get("role") or message.get("type") or "?") if isinstance(message, dict) else "?"


def _results(message: Any) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, list) and any(
        isinstance(one, dict) and one.get("type") == "tool_result" for one in content
    )


def _message(message: Any) -> str:
    return f"{_role(message)}: {', '.join(_parts(message)) or 'nothing'}"


def _parts(message: Any) -> Iterator[str]:
    if not isinstance(message, dict):
        return
    for name in ("content", "parts", "output", "text", "arguments"):
        value = message.get(name)
        if isinstance(value, str) and value:
            yield f"{len(value)} characters"
        elif isinstance(value, list):
            for one in value:
                yield from _parts(one) if isinstance(one, dict) and _text(one) else [_kind(one)]
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        yield f"call {_called(call)}"


def _text(part: dict[str, Any]) -> bool:
    return isinstance(part.get("text"), str)


def _kind(part: Any) -> str:
    if not isinstance(part, dict):
        return "?"
    name = part.get("name")
    return f"{part.get('type') or next(iter(part), '?')}{f' {name}' if isinstance(name, str) else ''}"


def _called(call: Any) -> str:
    function = call.get("function") if isinstance(call, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return str(name or "without a name")
