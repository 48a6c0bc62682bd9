"""One open recording: its readings, how far they are, and what the views show of them.

Reading goes on in short steps on the interface thread, between repaints: the file is loaded by a thread, then the
reference is fed, then lenses in idle time. The one that reads worst becomes the comparison unless the
user has chosen one.
"""

from __future__ import annotations

import gc
import threading
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from PySide6.QtCore import QObject, Signal

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import read_input
from inspector_app.lenses import LITERAL, REFERENCE, Difference, Lens, compare, literal
from inspector_app.lenses.run import analysis_of, knows, run
from inspector_app.ui.advising import Advising
from inspector_app.ui.comparing import compared_beside, is_large, is_told, worst_of
from inspector_app.ui.holding import Holding
from inspector_app.ui.leaving import letting_go
from inspector_app.ui.mended import mended_blocks
from inspector_app.ui.mutes import Mutes
from inspector_app.ui.notes.model import Notes
from inspector_app.ui.parting import Partings
from inspector_app.ui.readers import short_title_of, stuck_words, title_of
from inspector_app.ui.rows import RowMap, delta_events, delta_events_in_steps
from inspector_app.ui.selection import SelectionModel
from inspector_app.ui.views.block_index import BlockIndex

STEP_NS = 8_000_000
"""How long one step of reading may hold the interface thread."""
TICK_MS = 33
FREEZE_S = 0.03
PIECE = 1 << 16
"""Bytes read at a time: a few hundred chunks, some milliseconds."""
KEPT_BYTES = 8 << 20
"""Up to this size every lens is read and kept; of larger recordings the worst of those that are told of."""
GIVE_WAY_MS = 60
"""So long the clients wait when something else is selected: what a person does is shown first."""


class Session(Holding):
    """Signals: `grown` (more of the reference was read, at most one per tick), `read` (the reference is complete),
    `compared` (chosen readings or their difference changed), `failed` (nothing can be shown: one line), `stuck` (a
    fault of ours ended the reading, what was read stays: one line), `progress` (done, total bytes).
    """

    read = Signal()
    compared = Signal()
    failed = Signal(str)
    stuck = Signal(str)
    progress = Signal(int, int)

    def __init__(
        self,
        path: str,
        kit: Kit,
        lenses: Mapping[str, Lens],
        *,
        dialect: str | None = None,
        framing: str | None = None,
        mutes: Mutes | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.path = path
        self.kit = kit
        self.lenses = lenses
        self.mutes = mutes or Mutes(parent=self)
        self.selection = SelectionModel(self)
        self.rows = RowMap()
        self.notes = Notes(self)
        self.advising = Advising(self)
        self.partings = Partings()
        self.exchange: Exchange | None = None
        self.exchanges: list[Exchange] = []
        self.reference: Reading | None = None
        self.readings: dict[str, Reading] = {}
        self.differences: dict[str, Difference] = {}
        """Every lens that has been run against the reference."""
        self.literal: Difference | None = None
        """How the literal reading differs from the reference, once it has been asked for."""
        self.primary = REFERENCE
        self.secondary: str | None = None
        self.error: str | None = None
        self.complete = False
        self._columns: dict[str, array[int]] = {}
        self._indexes: dict[int, BlockIndex] = {}
        self._mended: dict[int, str] | None = None
        self._pair: tuple[Reading, Reading, Difference] | None = None
        """The chosen readings and their difference, where it is not that of a lens from the reference."""
        self._before_literal: tuple[str, str | None] = REFERENCE, None
        self._asked: str | None = None
        self._chosen = False
        self.how: dict[str, Any] = {"dialect": dialect, "framing": framing}
        self._loaded: list[Exchange] | InputFault | Exception | None = None
        self._last_tick = self._last_freeze = 0.0
        self._timer.timeout.connect(self._step)
        self.selection.changed.connect(self._give_way)

    # what the views ask for

    @property
    def left(self) -> Reading | None:
        """The reading chosen with "Read as"."""
        return self.readings.get(self.primary) or self.reference

    @property
    def right(self) -> Reading | None:
        """The reading it is compared with, None without comparison."""
        return None if self.secondary is None else self.readings.get(self.secondary)

    @property
    def difference(self) -> Difference | None:
        """How the comparison differs from the chosen reading, None while there is no comparison."""
        left, right = self.left, self.right
        if left is None or right is None or not left.ended or not right.ended:
            return None
        if self.primary == REFERENCE and (known := self._from_reference(right.reader)) is not None:
            return known
        if self._pair is None or self._pair[0] is not left or self._pair[1] is not right:
            if is_large(left, right):
                return None  # `choose` has it worked out.
            self._pair = (left, right, compare(left, right))
        return self._pair[2]

    @property
    def story(self) -> Difference | None:
        """What is told of the comparison: what a client makes of the stream, on whichever side it stands."""
        known = self._from_reference(self.primary) if self.secondary == REFERENCE else None
        return known or self.difference

    def _from_reference(self, reader: str) -> Difference | None:
        return self.literal if reader == LITERAL else self.differences.get(reader)

    def title_of(self, reader: str) -> str:
        """A reader's name for people."""
        return title_of(reader, self.lenses)

    def short_title_of(self, reader: str) -> str:
        """A reader's name where space is short: ZCode 3.11, openai-python-helper-3.57."""
        return short_title_of(reader, self.lenses)

    def delta_column(self, reading: Reading) -> array[int]:
        """The event of every delta of a complete reading."""
        found = self._columns.get(reading.reader)
        if found is None:
            found = self._columns[reading.reader] = delta_events(reading)
        return found

    def index_of(self, reading: Reading) -> BlockIndex:
        """Where the blocks of a reading lie; one for all views, `extend` it after the reading has grown."""
        found = self._indexes.get(id(reading))
        if found is None:
            found = self._indexes[id(reading)] = BlockIndex(reading)
        return found

    def mended(self, reading: Reading | None) -> dict[int, str]:
        """Block -> "repaired" or "inferred"; only the complete reference has such blocks."""
        if not self.complete or reading is None or reading is not self.reference:
            return {}
        if self._mended is None:
            self._mended = mended_blocks(reading)
        return self._mended

    def usable_lenses(self) -> list[Lens]:
        """The literal reading of a complete recording, and the lenses that speak about its dialect."""
        if self.reference is None or not self.reference.ended:
            return list(self.lenses.values())
        return [literal(self.reference), *(lens for lens in self.lenses.values() if knows(lens, self.reference))]

    def show_literal(self) -> None:
        """Put the literal reading beside the complete reference; once it is there, back to the readers before."""
        if not self.complete:
            return
        readers = self.primary, self.secondary
        if readers == (REFERENCE, LITERAL):
            self.choose(*self._before_literal)
        else:
            self._before_literal = readers
            self.choose(REFERENCE, LITERAL)

    # loading

    def load(self) -> None:
        """Start to load the file and to read it; signals tell the rest."""
        thread = threading.Thread(target=self._load, name="load", daemon=True)
        thread.start()
        self._timer.start(5)

    def open_exchanges(self, exchanges: list[Exchange]) -> None:
        """Read exchanges that are already loaded (pasted text, tests)."""
        self._loaded = exchanges
        self._timer.start(0)

    def cancel(self) -> None:
        """Stop reading; what has been read stays in view."""
        self._timer.stop()
        self._work = None

    def _load(self) -> None:
        try:
            self._loaded = read_input(self.path)
        except InputFault as fault:
            self._loaded = fault
        except Exception as error:  # a bug of ours: shown in the window instead of lost in a thread
            self._loaded = error

    def _begin(self) -> None:
        loaded, self._loaded = self._loaded, None
        if isinstance(loaded, Exception):
            self._timer.stop()
            fault = isinstance(loaded, InputFault)
            self.error = str(loaded) if fault else f"{self.path}: {type(loaded).__name__}: {loaded}"
            self.failed.emit(self.error)
            return
        assert isinstance(loaded, list)
        self.exchanges = loaded
        self.choose_exchange(0)

    def choose_exchange(self, number: int) -> None:
        """Show one exchange of a file that holds several."""
        self.release()
        self.exchange = exchange = self.exchanges[number]
        analysis = analysis_of(exchange, self.kit, **self.how)
        self.reference = analysis.reading
        self.readings = {REFERENCE: analysis.reading}
        self.differences, self._columns, self._indexes = {}, {}, {}
        self.literal = self._mended = self._pair = None
        self.rows = RowMap()
        self.complete = False
        self._work = self._read_all(analysis)
        self._timer.start(0)
        # Nobody may paint the rows of one exchange with the events of another.
        self.grown.emit()

    # reading in steps

    def _step(self) -> None:
        if self._work is None:
            if self._loaded is not None:
                self._begin()
            return
        self._timer.setInterval(0)
        until = time.perf_counter_ns() + STEP_NS
        try:
            for _ in self._work:
                if time.perf_counter_ns() >= until:
                    break
            else:
                self._work = None
                self._timer.stop()
                gc.freeze()
        except Exception as error:
            self.stick(error)
            raise
        self.freeze()
        now = time.monotonic()
        ending = self.reference is not None and self.reference.ended  # What the views ask of it is worked out.
        if not self.complete and not ending and now - self._last_tick >= TICK_MS / 1000:
            self._last_tick = now
            self._grow()

    def _give_way(self) -> None:
        if self.complete and self._timer.isActive():
            self._timer.start(GIVE_WAY_MS)

    def stick(self, error: Exception) -> None:
        """A fault of ours: read no further, and say so once."""
        self._timer.stop()
        self._work = None
        words = stuck_words(self.path, None if self.complete else len(self.rows), error)
        self.error = self.error if self.complete else words
        self.stuck.emit(words)

    def freeze(self) -> None:
        """What has been read stays: to search it for garbage again and again would hold the window each time."""
        now = time.monotonic()
        if now - self._last_freeze >= FREEZE_S:
            self._last_freeze = now
            gc.freeze()

    def _grow(self) -> None:
        assert self.reference is not None
        assert self.exchange is not None
        self.rows.extend(self.reference)
        self.progress.emit(self.reference.lines.size, len(self.exchange.body))
        self.grown.emit()

    def _read_all(self, analysis: Analysis) -> Iterator[None]:
        yield from self._read_one(analysis)
        reference = self.reference = self.readings[REFERENCE] = analysis.reading
        yield from self._prepare(reference)
        self.rows.extend(reference)
        self.complete = True
        self.progress.emit(1, 1)
        self.grown.emit()
        self.read.emit()
        yield
        for name in (self._asked, self.primary, self.secondary):  # These may have been chosen before there was a file.
            yield from self._ask_for(name)
        known = [lens for lens in self.lenses.values() if reference.dialect in lens.dialects]
        yield from self._read_lenses(filter(is_told, known), reference)
        yield from self._choose_worst()
        # Of a long recording the others are read when they are asked for: all of them would take minutes.
        if len(reference.body) <= KEPT_BYTES:
            yield from self._read_lenses(known, reference)

    def _read_lenses(self, lenses: Iterable[Lens], reference: Reading) -> Iterator[None]:
        for lens in lenses:
            if lens.name not in self.readings:
                yield from self._read_lens(lens, reference)
                yield from self._forget(reference)

    def _read_one(self, analysis: Analysis) -> Iterator[None]:
        for _ in run(analysis, PIECE):
            yield

    def _read_lens(self, lens: Lens, reference: Reading) -> Iterator[None]:
        analysis = analysis_of(reference.exchange, self.kit, lens, reference, **self.how)
        yield from self._read_one(analysis)
        yield from self._compare(lens.name, reference, analysis.reading)
        self.readings[lens.name] = analysis.reading

    def _compare(self, name: str, reference: Reading, reading: Reading) -> Iterator[None]:
        """Compare a reading that no view has seen yet."""
        for difference in compared_beside(reference, reading):
            if difference is not None:
                if is_large(reference, reading):
                    yield from self.partings.steps(reference, reference, reading, difference)
                self._learn(name, difference)
            yield

    def _pair_up(self) -> Iterator[None]:
        """Compare the chosen readings, where that takes too long for whoever asks for their difference."""
        left, right, reference = self.left, self.right, self.reference
        if left is None or right is None or self.difference is not None or not (left.ended and right.ended):
            return
        for difference in compared_beside(left, right):
            if difference is not None and reference is not None:
                yield from self.partings.steps(reference, left, right, difference)
            if difference is not None and (left, right) == (self.left, self.right):
                self._pair = (left, right, difference)
                self.compared.emit()
            yield

    def _learn(self, name: str, difference: Difference) -> None:
        """The literal reading is no client: it is never the worst of them."""
        if name == LITERAL:
            self.literal = difference
        else:
            self.differences[name] = difference

    def _prepare(self, reading: Reading) -> Iterator[None]:
        """Work out step by step what the views ask of a complete reading."""
        yield from self.index_of(reading).in_steps()
        yield
        column = array("I")
        for grown in delta_events_in_steps(reading):
            column = grown
            yield
        self._columns.setdefault(reading.reader, column)
        yield

    def _ask_for(self, name: str | None) -> Iterator[None]:
        if name is None or name in self.readings or self.reference is None:
            return
        lens = literal(self.reference) if name == LITERAL else self.lenses.get(name)
        if lens is not None:
            yield from self._read_lens(lens, self.reference)
            yield from self._prepare(self.readings[name])
            self.compared.emit()
            yield from self._pair_up()

    def _forget(self, reference: Reading) -> Iterator[None]:
        """Give back the memory of readings that nobody looks at; their differences stay."""
        if len(reference.body) <= KEPT_BYTES:
            return
        wanted = {REFERENCE, self.primary, self.secondary, worst_of(self.differences, self.lenses)}
        for name in [name for name in self.readings if name not in wanted]:
            self._columns.pop(name, None)
            self._indexes.pop(id(reading := self.readings.pop(name)), None)
            yield from letting_go(reading)

    def _choose_worst(self) -> Iterator[None]:
        worst = worst_of(self.differences, self.lenses)
        if not self._chosen and worst is not None and self.differences[worst].verdict != "same":
            yield from self._prepare(self.readings[worst])
            if not self._chosen:
                self.secondary = worst
        self.compared.emit()
        yield from self.advising.steps(self)

    # choices of the user

    def choose(self, primary: str | None = None, secondary: str | None = "") -> None:
        """Choose "Read as" and "compare with"; "" leaves the comparison as it is, None ends it."""
        self.release()
        self._chosen = True
        if primary is not None:
            self.primary = primary
        if secondary != "":
            self.secondary = secondary
        for name in (self.primary, self.secondary):
            if name is not None and name not in self.readings and self.reference is not None:
                if not self.complete:
                    self._asked = name
                else:
                    self._do_first(self._ask_for(name))
        left, right = self.left, self.right
        if self.complete and left is not None and right is not None:
            self._do_first(self._pair_up() if is_large(left, right) else self.advising.steps(self))
        self.compared.emit()

    def _do_first(self, work: Iterator[None]) -> None:
        """What was asked for comes before what is read in idle time."""
        self._work = chain(work, self._work or ())
        self._timer.start(0)

    def lens_changed(self, *names: str) -> None:
        """Lenses were written, changed or taken away: what they read is forgotten, and read again where it is shown."""
        for name in names:
            reading = self.readings.pop(name, None)
            if reading is not None:
                self._indexes.pop(id(reading), None)
            self._columns.pop(name, None)
            self.differences.pop(name, None)
        known = (REFERENCE, LITERAL, None, *self.lenses)
        primary = self.primary if self.primary in known else REFERENCE
        self.choose(primary, self.secondary if self.secondary in known else None)
