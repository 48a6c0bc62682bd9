"""Bytes to a reading: sniff, frame, decode, assemble, diagnose. Feed it in any pieces, then finish.

Strategy. A stream is mostly one shape of chunk over and over. The first chunk of a shape is decoded the long way; if
its only statement is one string, a `Plan` keeps where that string stands, and the next chunk of the shape costs a
lookup and a few appends. Everything else goes through `_slow`, which is the whole truth; the plan only repeats it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from inspector_app.core import flags as F
from inspector_app.core.actions import NOTHING, Actions
from inspector_app.core.admit import NO_PLACES
from inspector_app.core.assembler import Assembler
from inspector_app.core.census import Census
from inspector_app.core.choice_counter import ChoiceCounter
from inspector_app.core.client_end import client_end
from inspector_app.core.diagnosis import Diagnosis, Hits, Seen
from inspector_app.core.ends import is_over
from inspector_app.core.frame import Frame, Framer
from inspector_app.core.generation import Generation, said_by
from inspector_app.core.identity import Identity, keys_of
from inspector_app.core.json_text import duplicate_keys, quotes, strings
from inspector_app.core.kit import Kit
from inspector_app.core.parts import FAULTS, rule_of
from inspector_app.core.payload import Payload, read_payload
from inspector_app.core.plan import Plan
from inspector_app.core.plans import Plans
from inspector_app.core.provider import provider_of
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.sequence import Sequence
from inspector_app.core.sniff import Sniffer
from inspector_app.core.statements import Statements
from inspector_app.core.types import Block, Delta, Exchange
from inspector_app.core.wrapped import name_dialect, opened


class Analysis:
    """One reader at work on one exchange. `reading` is usable at any time between calls."""

    def __init__(
        self,
        exchange: Exchange,
        kit: Kit,
        rules: ReadingRules | None = None,
        reader: str = "reference",
        *,
        dialect: str | None = None,
        framing: str | None = None,
        actions: Actions | None = None,
        diagnose: bool = True,
    ) -> None:
        self.kit = kit
        self.rules = rules or ReadingRules()
        self.reading = reading = Reading(exchange, self.rules, reader)
        self.diagnosis = Diagnosis(kit.rules, enabled=diagnose)
        self.assembler = Assembler(self.rules, self._note)
        self.assembler.event_of = reading.event_of_delta
        reading.blocks = self.assembler.blocks
        reading.delta_blocks = self.assembler.delta_blocks
        reading.finishes = self.assembler.finishes
        reading.errors = self.assembler.errors
        reading.decode = self.decode_again
        reading.markers = kit.markers
        self.actions = actions or Actions({})
        self.statements = Statements(kit.dialects, kit.names[dialect].NAME if dialect is not None else None)
        self._generation = Generation(partial(said_by, reading, self.statements))
        reading.follows = self._generation.follows
        self._dialect = dialect
        self._framer: Framer | None = None
        self._framing = framing or exchange.framing
        self._sniffer = Sniffer(kit.beginnings)
        self._waiting: list[bytes] = []
        self._census = Census(reading) if diagnose else None
        self._plans = Plans(kit.markers)
        self._splits = self.rules.repairs_rule("meta-generation-spliced")
        self._heeds_empty = self.rules.reasoning_end != "non-empty" or self.rules.reasoning_join != "append"
        self._identity = Identity(reading, self.diagnosis)
        self._sequence = Sequence(reading, self.diagnosis)
        self._deltas = 0
        self._counter = ChoiceCounter()
        self._stop = False
        if self._framing is not None:
            self._start(self._framing)

    # bytes

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the body."""
        if self._census is not None:
            self._census.feed(data)
        if self._framer is not None:
            self._read(self._framer.feed(data))
            return
        self._waiting.append(data)
        if (found := self._sniffer.feed(data)) is not None:
            self._read(self._start(found))

    def count_on(self) -> None:
        """From now on events are only counted: the bytes of the body are needed no more."""
        self._stop = True
        self._counter.stop()

    def finish(self) -> Reading:
        """The data has ended: close what is open, judge the end, collect the findings."""
        for _ in self.finish_steps():
            pass
        return self.reading

    def finish_steps(self) -> Iterator[None]:
        """`finish` in steps, so that a window can repaint between them."""
        reading = self.reading
        if self._framer is None:
            self._read(self._start(self._sniffer.close()))
        framer = self._framing_at_work()
        self._read(framer.close())
        self._take_notes(len(reading.events) + 1)
        if self._counter.counts_tokens(self.rules):
            yield from self._as_one_choice()
            return
        if self._census is not None:
            self._census.close()
        reading.line_counts = framer.counts
        if reading.marker is None and framer.marker is not None:
            reading.marker, reading.marker_event = framer.marker
        name_dialect(self.reading, self.statements.name(), self.kit.names)
        if reading.dialect != "none":
            reading.provider = reading.provider or provider_of(reading.exchange.request)
        finished = is_over(self.assembler, reading.dialect_module, reading.marker)
        if self.rules.end_marker == "holds-finish" and reading.marker is None:
            finished = False
            reading.finishes.clear()
        failed = bool(self.assembler.errors)
        # Where events end by themselves, a dialect without a marker has its end in the finish.
        framed = reading.framing not in ("json-array", "json", "html", "text", "none")
        unmarked = framed and not hasattr(reading.dialect_module, "END_MARKER")
        reading.clean = (reading.marker is not None or unmarked) and finished and not failed
        yield
        grows = getattr(reading.dialect_module, "snapshots", None)
        self.assembler.grows = grows is not None and grows(reading.exchange.request)
        broke_off = not finished and not (reading.marker is not None and failed)
        yield from self.assembler.ending(reading.last_event, broke_off)
        client_end(self.rules, self.assembler, reading, finished, spoke=self.statements.name() is not None)
        reading.usage = self.assembler.usage
        reading.client_error = self.assembler.client_error
        yield
        self.diagnosis.take_faults(reading)
        yield from self.diagnosis.end(reading)
        for found in self.diagnosis.findings_in_steps(reading):
            reading.findings = found
            yield
        reading.ended = True

    def _framing_at_work(self) -> Framer:
        assert self._framer is not None
        return self._framer

    def _start(self, framing: str) -> list[bytes | Frame]:
        """The framing is known: read what waited for it. A first line may be all of the body: no copy of it is kept."""
        reading = self.reading
        held, self._waiting, self._sniffer = b"".join(self._waiting), [], Sniffer()
        reading.framing = framing
        reading.framing_module = module = self.kit.framings[framing]
        if getattr(module, "BINARY", False) and self._census is not None:
            self._census.withdraw()
            self._census = None
        framer: Framer = module.create(self.rules, reading.lines, reading.events, framing)
        self._framer = opened(framer, self.kit.envelopes_in(framing), reading)
        if framing != "sse" and self.rules.not_sse != "read" and framing in ("json", "html"):
            self._stop = True
            if self.rules.not_sse == "error":
                self.assembler.fail(0, "the body is no event stream", stop=True)
        return self._framer.feed(held)

    # events

    def _read(self, frames: list[bytes | Frame]) -> None:
        """The hot loop: a payload like the last one by plan, everything else the long way."""
        reading, assembler = self.reading, self.assembler
        layouts, blocks = reading.events.layouts, assembler.delta_blocks
        fast = not self.actions and self.rules.done != "anywhere"
        sequence, plans = self._sequence, self._plans
        n = len(layouts)
        framer = self._framing_at_work()
        notes = framer.notes
        for frame in frames:
            if self._stop:
                break
            if notes:
                self._take_notes(n)
            plan = plans.plan
            data: bytes | None
            if isinstance(frame, bytes):
                data, name = frame, None
            else:
                flags, name, data, _, stray = frame
                data = None if flags & ~F.HARMLESS or stray else data
            if plan is not None and fast and data is not None:
                value = plan.read(data, sequence.next) if plan.name == name else ""
                if not value and (other := plans.rival(data, name, sequence.next)) is not None:
                    plan, value = other
                if value and plan.key == assembler.fast_key:
                    block = assembler.fast_block
                    number = self._deltas + plan.offset
                    if plan.appends:
                        block.fragments.append(value)
                    else:
                        plan.give(block, assembler.fast_part, value)
                    block.deltas.append(number)
                    block.last_event = n
                    if plan.rows == 1:
                        blocks.append(block.n)
                    else:
                        blocks.extend(plan.nothing)
                        blocks[number] = block.n
                    if self._heeds_empty:
                        assembler.touch(self._deltas, plan.empties, n)
                    self._deltas += plan.rows
                    layouts.append(plan.layout)
                    if plan.counter is not None:
                        sequence.next += 1
                    if plan.besides:
                        self._beside(n, plan)
                    n += 1
                    continue
                if (value and self._repeat(n, plan, value)) or (not value and self._by_other_plan(n, data, name)):
                    n += 1
                    continue
            self._slow(n, frame)
            n += 1
            if assembler.stopped:
                self._halt(n - 1)
        self._take_notes(n)
        if (stopped := framer.stopped) is not None and not self._stop:
            if stopped:
                assembler.fail(max(0, n - 1), stopped, stop=True)
            self._halt(max(0, n - 1))
        while len(layouts) < len(reading.events.flags):
            layouts.append(0)

    def _take_notes(self, before: int) -> None:
        """What the framing noted of events that are read; each right after its event, whatever the reads."""
        notes = self._framing_at_work().notes
        while notes and notes[0].event < before:
            rule, event, start, end, detail = notes.popleft()
            if rule != "frame-cut" or not self.diagnosis.has(rule, event):
                self.diagnosis.hit(rule, event, None, start, end, None, detail)

    def _by_other_plan(self, n: int, data: bytes, name: str | None) -> bool:
        """One event that is not like the last one, but like one of the few before; False when there is none."""
        for plan, value in self._plans.others(data, name, self._sequence.next):
            if self._repeat(n, plan, value):
                self._plans.use(plan)
                return True
        return False

    def _repeat(self, n: int, plan: Plan, value: str) -> bool:
        """One event by plan where the assembler has to be asked; False when only the long way will do."""
        assembler, number = self.assembler, self._deltas
        assembler.delta_blocks.extend(plan.nothing)
        text = plan.text
        if text is not None and not assembler.repeat(n, number + plan.offset, text, value):
            del assembler.delta_blocks[number:]
            return False
        if self._heeds_empty:
            assembler.touch(number, plan.empties, n)
        self._deltas += plan.rows
        if text is not None:
            self._counter.stop()
        self.reading.events.layouts.append(plan.layout)
        if plan.counter is not None:
            self._sequence.next += 1
        if plan.besides:
            self._beside(n, plan)
        return True

    def _beside(self, n: int, plan: Plan) -> None:
        """What an event by plan has besides its text: the flag of plain text, or usage."""
        if plan.whole == "text":
            self.reading.events.flags[n] |= F.PLAIN_TEXT
        if plan.counts is not None:
            delta = plan.counts.of(plan.numbers)
            self.assembler.count(n, delta, plan.counts)
            if self.diagnosis.enabled:
                speaks = getattr(self.statements.active, "NAME", "")
                self.diagnosis.count(Seen(n, None, [delta], plan.name, self.reading.framing, speaks))

    def _halt(self, n: int) -> None:
        """This reader's client reads no further; the rest of the stream is shown as never read."""
        self._stop = True
        if self.reading.stopped_at is None:
            self.reading.stopped_at = n

    def _slow(self, n: int, frame: bytes | Frame) -> None:
        """One event, whatever it is."""
        reading, rules = self.reading, self.rules
        if type(frame) is bytes:
            frame = Frame(0, None, frame)
        assert isinstance(frame, Frame)
        action = NOTHING
        if self.actions:
            # What follows the end of the event may be there already, or not yet.
            action = self.actions.within(reading.bytes_of(n)[0], reading.complete_at(n))
        frame = self.statements.marked(frame)
        reading.events.flags[n] |= frame.flags & F.PLAIN_TEXT
        payload = read_payload(frame, rules, reading, n, self.kit.markers)
        deltas = self.statements.decode(payload, reading.framing) if not action.skip else []
        value = payload.values[0] if payload.values else None
        active, answer_id = self.statements.active, self.statements.answer_id(value)
        reading.named = reading.named or answer_id is not None
        if any(delta.kind == "stream.start" for delta in deltas) and self._generation.is_new(answer_id):
            self._sequence.reset()
        deltas = self._sequence.checked(n, value, active, deltas)
        turned = self.statements.turned
        if turned:
            self._plans.forget()
            self._identity.start_anew()
        if self.statements.switched is not None:
            at, name = self.statements.switched
            self.diagnosis.note("meta-dialect-switch", at, "", None, name)
        if payload.unread:
            reading.unread[n] = payload.unread
        rows = tuple((d.kind, d.choice, d.pointer) for d in deltas if d.kind != "absent")
        layout = reading.layouts.intern(rows, self._hits(payload) if self.diagnosis.enabled else ())
        reading.events.layouts.append(layout.number)
        self.statements.vote(layout.number, deltas)
        if self._splits:
            how = {"unmarked": self._identity.is_unmarked(active), "turned": turned}
            if self._generation.begins_with(n, answer_id, deltas, self.assembler, **how):
                self.assembler.next_generation(n)
                self._plans.forget()
                self._identity.start_anew()
        self.assembler.places = getattr(active, "PLACES", NO_PLACES)
        self.assembler.apply(n, deltas, self._deltas)
        self._deltas += len(rows)
        for rule, detail in payload.notes:
            self.diagnosis.note(rule, n, "", None, detail)
        if payload.marker is not None:
            self._marker_data(n, payload.marker)
        for delta in deltas:
            if delta.kind == "stream.end":
                self._marker(n, delta.value)
        if payload.values or deltas:
            self._after(n, frame, payload, deltas, layout.number)
        if payload.client_error is not None:
            self.assembler.fail(n, payload.client_error, stop=payload.stops)
        if action.act:
            self.assembler.fail(n, action.text, stop=action.act == "stop")

    def _after(self, n: int, frame: Frame, payload: Payload, deltas: list[Delta], layout: int) -> None:
        value = payload.values[0] if payload.values else None
        if type(value) is dict:
            self._identity.take(n, value, self.statements.active)
            if frame.data is not None and payload.fault is None and quotes(frame.data) != 2 * strings(value):
                for pointer, _, _ in duplicate_keys(frame.data):
                    self.diagnosis.note("json-duplicate-key", n, pointer, None, pointer.rpartition("/")[2])
        if self.diagnosis.enabled:
            speaks = getattr(self.statements.active, "NAME", "")
            self.diagnosis.watch(Seen(n, value, deltas, frame.name, self.reading.framing, speaks))
        if type(value) is dict:
            self._counter.take(len(self.reading.events.layouts) - 1, value, self.statements.active)
        module = self.statements.active
        free = self._identity.free(value, module, deltas) if type(value) is dict else ()
        admitted = self.assembler.admits(deltas) and not self.statements.turned
        self._plans.learn(frame, payload, deltas, layout, free if admitted else None, module)

    def _hits(self, payload: Payload) -> Hits:
        # The event in which a stranger takes over is a note; all of its others are hits.
        out: Hits = (("meta-dialect-switch", ""),) if payload.values and self.statements.strange else ()
        for value in payload.values:
            if type(value) is dict and self.statements.active is not None:
                out += self.diagnosis.shape_hits(value, partial(keys_of, module=self.statements.active))
        return out

    def _note(self, rule: str, n: int, pointer: str, block: Block | None, detail: str) -> None:
        """A note of the assembler; a fault of a keyed block is a rule only where the dialect has one for it."""
        if rule in FAULTS:
            rule = rule_of(rule, block, self.statements.active)
        if rule:
            self.diagnosis.note(rule, n, pointer, block, detail)

    # ends

    def _marker_data(self, n: int, marker: str) -> None:
        """Data that is an end marker in some dialect: in this one, or in another one."""
        module = self.statements.active
        if module is None or self.statements.owns(marker.encode()):
            self._marker(n, marker)
        elif marker.encode() not in getattr(module, "IGNORED_MARKERS", ()):
            self.diagnosis.note("end-marker-foreign", n, "", None, marker)

    def _marker(self, n: int, marker: str) -> None:
        self._generation.marked(self.assembler)
        # What comes now may open another answer, however much it looks like the start of this one.
        self._plans.forget()
        if self.reading.marker is None:
            self.reading.marker, self.reading.marker_event = marker, n
            if self.rules.done in ("prefix", "anywhere"):
                self._halt(n)
        else:
            self.diagnosis.note("end-marker-duplicate", n, "", None, "")

    # a token counter in the index of the choices (R33)

    def _as_one_choice(self) -> Iterator[None]:
        """Read again as one choice: only the whole stream shows that the index counts tokens."""
        again = Analysis(
            self.reading.exchange,
            self.kit,
            replace(self.rules, choice="merged"),
            self.reading.reader,
            dialect=self._dialect,
            framing=self._framing,
            actions=self.actions,
            diagnose=self.diagnosis.enabled,
        )
        for piece in self.reading.exchange.chunks():
            again.feed(piece)
            yield
        for n in self._counter.events:
            again.diagnosis.note("choice-index-counter", n, self._counter.pointer, None, "")
        yield from again.finish_steps()
        self.reading = again.reading
        self.reading.rules = self.rules

    def decode_again(self, n: int) -> list[Delta]:
        """The deltas of an event from its bytes, as they were when it was read."""
        reading = self.reading
        if not reading.layouts[reading.events.layouts[n]].rows:
            return []
        data, stray = reading.events.taken.get(n) or (reading.text(n), reading.stray(n))
        frame = Frame(reading.events.flags[n], reading.events.names.get(n), data, None, stray)
        replay = self._sequence.again(n)
        if replay is not None:
            return replay
        return self.statements.again(read_payload(frame, self.rules, None, n, self.kit.markers), reading.framing)
