"""What the page Timing says, row by row: the ladder of first times and the longest waits, and both as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from inspector_app.core.buffering import Buffering
from inspector_app.core.reading import Reading
from inspector_app.core.text import THIN_SPACE, duration, number
from inspector_app.core.timing import BINS, FIRST_CHUNK, Wait, Waits, first_chunk, ladder, metrics, rung_events
from inspector_app.ui.lanes import STALL_NS
from inspector_app.ui.selection import Selection

TITLES = {"ladder": "Time to first …", "waits": "Waits between reads", "longest": "Longest waits"}
RUNGS = (
    ("headers", "headers", ""),
    ("first_byte", "byte", ""),
    ("first_event", "event", ""),
    ("first_reasoning", "reasoning", "reasoning"),
    ("first_text", "text", "text"),
    ("first_tool", "tool call", "tool"),
)
"""Key of the ladder, its word, its meaning."""

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class Row(NamedTuple):
    """`value` is a length of time in words, or why there is none; `ns` the same as a number. From `begin` to `ns` is
    what this rung added to the ones before, of `whole`. `leads` is what a click selects.
    """

    words: str
    value: str
    ns: int | None
    begin: int = 0
    whole: int = 1
    meaning: str = ""
    leads: Selection | None = None
    alarm: bool = False
    note: str = ""

    @property
    def spoken(self) -> str:
        """The row as a screen reader says it."""
        return f"{self.words}: {self.value}".replace(THIN_SPACE, " ")


def ladder_rows(reading: Reading) -> list[Row]:
    """The first times; what has not come says so."""
    times, events = ladder(reading), rung_events(reading)
    known = [time for key, _, _ in RUNGS if (time := times[key]) is not None]
    whole, rows, before = max(known, default=1), [], 0
    for key, words, meaning in RUNGS:
        time = times[key]
        leads = Selection(events[key]) if key in events else None
        note = _metric(reading) if key == "first_event" else ""
        if time is None:
            rows.append(Row(words, missing(reading, key), None, meaning=meaning, leads=leads))
            continue
        begin = before if before <= time else 0
        rows.append(Row(words, duration(time), time, begin, max(1, whole), meaning, leads, note=note))
        before = max(before, time)
    return rows


def missing(reading: Reading, key: str) -> str:
    """Why a rung has no time."""
    if not reading.ended and reading.exchange.end is None:
        return "not yet"
    return "not recorded" if key == "headers" else "none"


def _metric(reading: Reading) -> str:
    chunk = first_chunk(reading)
    at = None if chunk is None else reading.time_of(chunk)
    return "" if at is None else f"{FIRST_CHUNK} = {at / 1e9:.3f} s"


def wait_rows(waits: Waits, now: int | None) -> list[Row]:
    """The longest waits; what a live stream waits for at `now` comes first."""
    return [wait_row(waits.reading, wait) for wait in waits.longest(now)]


def wait_row(reading: Reading, wait: Wait, inside: int | None = None) -> Row:
    """A wait, and where it leads. `inside`: how long of it lies in what is looked at, where that is less than all."""
    leads = None
    if wait.event is not None and wait.event < len(reading.events):
        start, end = reading.bytes_of(wait.event)
        within = start < wait.byte < end
        line = reading.lines.at(wait.byte) if within else None
        leads = Selection(wait.event, line=line, start=wait.byte if within else start, end=end)
    shown, words = wait_words(wait, inside)
    return Row(words, shown, wait.ns, leads=leads, alarm=wait.open or wait.ns >= STALL_NS)


def wait_words(wait: Wait, inside: int | None) -> tuple[str, str]:
    """How long a wait is, as far as it lies inside, and what it lies in."""
    if inside is None or inside >= wait.ns:
        return duration(wait.ns), wait.words
    return duration(inside), f"of {duration(wait.ns)}, {wait.words}"


def percentile_words(waits: Waits) -> str:
    """p50 24 ms, p95 98 ms, p99 280 ms; of a single wait itself."""
    found = waits.percentiles()
    if found is None:
        return "fewer than two reads"
    if waits.total == 1:
        return f"one wait, {duration(found[50])}"
    return "   ".join(f"p{percent} {duration(wait)}" for percent, wait in found.items())


def bin_words(place: int, count: int) -> str:
    """What a bar says: 71 waits, over 20 ms up to 50 ms."""
    unit = [words if words.endswith("s") else f"{words} ms" for words in BINS]
    edges = f"over {unit[-2]}" if place == len(BINS) - 1 else f"up to {unit[place]}"
    if 0 < place < len(BINS) - 1:
        edges = f"over {unit[place - 1]} {edges}"
    return f"{number(count)} wait{'' if count == 1 else 's'}, {edges}"


def as_text(reading: Reading, waits: Waits, verdict: Buffering, concluded: str) -> str:
    """All numbers of the page, columns set off by tabs."""
    rows = [("time to first", row.words, row.value) for row in ladder_rows(reading)]
    end = ladder(reading)["end"]
    rows += [("end", "", duration(end))] if end is not None else []
    rows += [("waits between reads", name, str(count)) for name, count in zip(BINS, waits.counts, strict=True)]
    rows += [("waits between reads", f"p{p}", duration(ns)) for p, ns in (waits.percentiles() or {}).items()]
    rows += [("wait", row.words, row.value) for row in wait_rows(waits, None)]
    rows += [("conclusion", "", concluded)] if concluded else []
    rows += [("buffering", verdict.verdict, "; ".join(filter(None, (verdict.reason, *verdict.hints))))]
    return "\n".join("\t".join(row) for row in rows).replace(THIN_SPACE, " ")


def as_metrics(reading: Reading) -> str:
    """The names and values of OpenTelemetry, in seconds."""
    return "\n".join(f"{name}\t{value:.6f}\ts" for name, value in metrics(reading).items())


class TimingModel(QAbstractTableModel):
    """Rows in one column."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Replace the rows; as many as before stay selected where they are."""
        if len(rows) != len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
        elif list(rows) != list(self.rows):
            self.rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, 0))

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.spoken
        # Numbers and names of ours: nothing of the recording is read as HTML here.
        return row.note or None if role == Qt.ItemDataRole.ToolTipRole else None
