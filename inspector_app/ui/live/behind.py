"""What has come while the view of a live stream is paused: how many events wait behind it, without showing any."""

from __future__ import annotations

from inspector_app.core.frame import Framer
from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.sniff import Sniffer
from inspector_app.core.store import Events, Lines
from inspector_app.core.text import number, size
from inspector_app.live.capture import End, Head, Read
from inspector_app.live.running import Item

AT_END = ("json", "html", "text", "none")
"""Framings whose events are known when the data has ended only."""
BETWEEN = b" \t\r\n,"
"""What stands between two elements of an array."""


class Behind:
    """Counts by the framing alone. `events` is None where it cannot tell: a compressed body, a framing without events
    before its end. `bytes` are those that came over the connection.
    """

    def __init__(self, reading: Reading, kit: Kit, coded: bool) -> None:
        """`reading`: what is shown, fed so far. `coded`: the body comes compressed."""
        self.events: int | None = None if coded else 0
        self.bytes = 0
        self.ended = False
        """Whether the stream has ended meanwhile."""
        self._kit, self._rules = kit, reading.rules
        self._lines, self._events = Lines(), Events()
        self._framer: Framer | None = None
        self._sniffer = Sniffer(kit.beginnings)
        self._waiting: list[bytes] = []
        self._between = False
        if coded:
            return
        start = 0
        if reading.framing_module is not None:
            self._begin(reading.framing)
            start = _rest(reading)
            if self._framer is not None and reading.framing == "json-array" and len(reading.events):
                # An array is open already: what comes is its next element.
                self._framer.feed(b"[")
                self._between = True
        self._feed(reading.body.slice(start, len(reading.body)))

    @property
    def nothing(self) -> bool:
        """Whether all events that came are shown."""
        return not (self.bytes if self.events is None else self.events)

    @property
    def count(self) -> str:
        """How much waits, in words: 6 events, or 48 kB where no events can be counted."""
        if self.events is None:
            return size(self.bytes)
        return f"{number(self.events)} event{'' if self.events == 1 else 's'}"

    def take(self, item: Item) -> None:
        """Count what an item brings."""
        if isinstance(item, Read):
            self.bytes += len(item.data)
            self._feed(item.data)
        elif isinstance(item, Head) and item.http.header("content-encoding"):
            self.events = None
        elif isinstance(item, End):
            self.ended = True

    def _begin(self, framing: str) -> None:
        if framing in AT_END:
            self.events = None
            return
        module = self._kit.framings[framing]
        self._framer = module.create(self._rules, self._lines, self._events, framing)

    def _feed(self, data: bytes) -> None:
        if self.events is None or not data:
            return
        if self._framer is None:
            self._waiting.append(data)
            found = self._sniffer.feed(data)
            if found is None:
                return
            data, self._waiting = b"".join(self._waiting), []
            self._begin(found)
            if self._framer is None:
                return
        if self._between:
            data = data.lstrip(BETWEEN)
            self._between = not data
        self.events += len(self._framer.feed(data))


def _rest(reading: Reading) -> int:
    """Where in the body that begins which is no event yet."""
    lines = reading.lines
    if reading.framing == "json-array" and len(reading.events):
        return reading.complete_at(reading.last_event)
    open_line = len(lines) if reading.open_line is None else reading.open_line
    return lines.starts[open_line] if open_line < len(lines) else lines.size
