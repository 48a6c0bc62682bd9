"""Bytes to a reading: sniff, frame, decode, assemble, diagnose. Feed it in any pieces, then finish.

Strategy. A stream is mostly one shape of chunk over and over. The first chunk of a shape is decoded the long way; if
its only statement is one string, a `Plan` keeps where that string stands, and the next chunk of the shape costs a
lookup and a few appends. Everything else goes through `_slow`, which is the whole truth; the plan only repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from types import ModuleType
from typing import Any

import orjson

from inspector_app.core import flags as F
from inspector_app.core.assembler import KINDS, Assembler
from inspector_app.core.census import Census
from inspector_app.core.diagnosis import Diagnosis, Seen
from inspector_app.core.errors import body_error, error_delta
from inspector_app.core.frame import Frame, Framer
from inspector_app.core.json_text import duplicate_keys, quotes, strings
from inspector_app.core.kit import Kit
from inspector_app.core.payload import Payload, read_payload
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.sniff import Sniffer
from inspector_app.core.types import Delta, Exchange

STATIC = frozenset({"absent", "noop", "unknown", "padding", "role", "logprobs", "filter", "stream.meta", "progress"})
"""Kinds that may stand beside the one text of a plan: the assembler does nothing with them, or only with their emptiness."""


@dataclass(slots=True)
class Plan:
    """How chunks of one shape read: one text of `kind` at key `field` of the shape's holder; None: the long way."""

    kind: str | None
    layout: int
    rows: int
    offset: int
    field: str
    name: str
    quotes: int
    meta: Callable[[Any], Any] | None
    meta_keys: tuple[str, ...]
    empties: tuple[Delta, ...]


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
        actions: Mapping[int, tuple[str, str]] | None = None,
        diagnose: bool = True,
    ) -> None:
        self.kit = kit
        self.rules = rules or ReadingRules()
        self.reading = reading = Reading(exchange, self.rules, reader)
        self.diagnosis = Diagnosis(kit.rules, enabled=diagnose)
        self.assembler = Assembler(self.rules, self.diagnosis.note)
        reading.blocks = self.assembler.blocks
        reading.delta_blocks = self.assembler.delta_blocks
        reading.finishes = self.assembler.finishes
        reading.errors = self.assembler.errors
        reading.decode = self.decode_again
        self.actions = actions or {}
        """What a lens does at the event that holds a byte: (skip | part | stop | skip-part, text)."""
        self._forced = dialect
        self._dialect: ModuleType | None = kit.dialects.get(dialect) if dialect else None
        self._votes: dict[str, int] = {}
        self._framer: Framer | None = None
        self._framing = framing or exchange.framing
        self._sniffer = Sniffer()
        self._waiting: list[bytes] = []
        self._census = Census(reading) if diagnose else None
        self._plans: dict[Any, Plan] = {}
        self._meta: dict[str, Any] = {}
        self._deltas = 0
        self._counter: list[tuple[int, int]] | None = []
        self._stop = False
        if self._framing is not None:
            self._start(self._framing)

    # bytes

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the body."""
        if self._census is not None:
            self._census.feed(data)
        if self._framer is None:
            self._waiting.append(data)
            found = self._sniffer.feed(data)
            if found is None:
                return
            self._start(found)
            data = b"".join(self._waiting)
            self._waiting = []
        assert self._framer is not None
        self._read(self._framer.feed(data))

    def finish(self) -> Reading:
        """The data has ended: close what is open, judge the end, collect the findings."""
        reading = self.reading
        if self._framer is None:
            self._start(self._sniffer.close())
            assert self._framer is not None
            self._read(self._framer.feed(b"".join(self._waiting)))
        assert self._framer is not None
        self._read(self._framer.close())
        if self._is_counter():
            return self._as_one_choice()
        if self._census is not None:
            self._census.close()
        reading.line_counts = self._framer.counts
        reading.ended = True
        self._name_dialect()
        finished = bool(self.assembler.choices) and all(c.finished is not None for c in self.assembler.choices.values())
        reading.clean = reading.marker is not None and finished and not self.assembler.errors
        broke = not finished and not (reading.marker is not None and self.assembler.errors)
        self.assembler.end(reading.last_event, broke)
        self._client_end(finished)
        reading.usage = self.assembler.usage
        reading.client_error = self.assembler.client_error
        for fault in reading.exchange.faults:
            at = reading.event_at(min(fault.at, max(0, len(reading.body) - 1)))
            self.diagnosis.hit(fault.rule, at or 0, None, fault.at, fault.end, None, fault.detail)
        self.diagnosis.end(reading)
        reading.findings = self.diagnosis.findings(reading)
        return reading

    def _start(self, framing: str) -> None:
        reading = self.reading
        reading.framing = framing
        reading.framing_module = module = self.kit.framings[framing]
        self._framer = module.create(self.rules, reading.lines, reading.events)
        if framing == "json":
            self._framer.json = True  # type: ignore[attr-defined]
        if framing != "sse" and self.rules.not_sse != "read" and framing in ("json", "html"):
            self._stop = True
            if self.rules.not_sse == "error":
                self.assembler.fail(0, "the body is no event stream", stop=True)

    # events

    def _read(self, frames: list[bytes | Frame]) -> None:
        """The hot loop: plain payloads by plan, everything else the long way."""
        if not frames:
            return
        reading, assembler = self.reading, self.assembler
        layouts, blocks = reading.events.layouts, assembler.delta_blocks
        add_layout, add_block = layouts.append, blocks.append
        loads, plans, dialect = orjson.loads, self._plans, self._dialect
        shape = getattr(dialect, "shape", None)
        fast = not self.actions
        number = self._deltas
        n = len(layouts)
        for frame in frames:
            if self._stop:
                break
            if fast and shape is not None and type(frame) is bytes:
                try:
                    payload = loads(frame)
                    key, holder = shape(payload)
                    plan = plans[key]
                except (ValueError, TypeError, KeyError, AttributeError):
                    plan = None
                if plan is not None and plan.kind is not None:
                    quoted = frame.count(b'"') if b"\\" not in frame else quotes(frame)
                    if quoted != plan.quotes and quoted != 2 * strings(payload):
                        self._duplicates(n, frame)
                    meta = plan.meta
                    if meta is not None:
                        now = meta(payload)
                        if now != self._meta.get(plan.meta_keys):
                            self._drift(n, plan, payload, now)
                    kind = plan.kind
                    value = holder[plan.field]
                    if kind == assembler.fast_kind:
                        block = assembler.fast_block
                        block.fragments.append(value)  # type: ignore[union-attr]
                        block.deltas.append(number + plan.offset)  # type: ignore[union-attr]
                        block.last_event = n  # type: ignore[union-attr]
                        if plan.rows == 1:
                            add_block(block.n)  # type: ignore[union-attr]
                        else:
                            blocks.extend([-1] * plan.rows)
                            blocks[number + plan.offset] = block.n  # type: ignore[union-attr]
                    else:
                        blocks.extend([-1] * plan.rows)
                        assembler.simple(n, number + plan.offset, kind, value, plan.name)
                    if plan.empties and self.rules.reasoning_end != "non-empty":
                        assembler.touch(number, plan.empties, n)
                    add_layout(plan.layout)
                    number += plan.rows
                    n += 1
                    continue
            self._deltas = number
            self._slow(n, frame)
            number = self._deltas
            n += 1
            if self._dialect is not dialect:
                dialect = self._dialect
                shape = getattr(dialect, "shape", None)
            if assembler.stopped:
                self._halt(n - 1)
        self._deltas = number
        while len(layouts) < len(reading.events.flags):
            reading.unread.setdefault(len(layouts), "not read any more")
            add_layout(0)

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
        action, text = ("", "")
        if self.actions:
            start, end = reading.bytes_of(n)
            action, text = next((act for at, act in self.actions.items() if start <= at < end), ("", ""))
        payload = read_payload(frame, rules, reading, n)
        deltas = self._statements(n, payload) if not action.startswith("skip") else []
        if payload.unread:
            reading.unread[n] = payload.unread
        rows = tuple((d.kind, d.choice, d.pointer) for d in deltas if d.kind != "absent")
        hits = self._hits(payload) if self.diagnosis.enabled else ()
        layout = reading.layouts.intern(rows, hits)
        reading.events.layouts.append(layout.number)
        self.assembler.apply(n, deltas, self._deltas)
        self._deltas += len(rows)
        for rule, detail in payload.notes:
            self.diagnosis.note(rule, n, "", None, detail)
        if payload.marker is not None:
            self._marker(n, payload.marker)
        if payload.values or deltas:
            self._after(n, frame, payload, deltas, layout.number, hits)
        if payload.client_error is not None:
            self.assembler.fail(n, payload.client_error, stop=payload.stops)
        if action.endswith(("part", "stop")):
            self.assembler.fail(n, text, stop=action == "stop")

    def _after(
        self, n: int, frame: Frame, payload: Payload, deltas: list[Delta], layout: int, hits: tuple[tuple[str, str], ...]
    ) -> None:
        value = payload.values[0] if payload.values else None
        if type(value) is dict:
            self._meta_of(n, value)
            if frame.data is not None and payload.fault is None and quotes(frame.data) != 2 * strings(value):
                self._duplicates(n, frame.data)
        if self.diagnosis.enabled:
            self.diagnosis.watch(Seen(n, value, deltas, frame.name))
        if frame.flags == 0 and payload.fault is None and len(payload.values) == 1 and self._dialect is not None:
            self._plan(value, deltas, layout, hits, frame)
        self._count_choice(value)

    def _statements(self, n: int, payload: Payload) -> list[Delta]:
        """Decode every JSON value of an event with the dialect that speaks for it."""
        out: list[Delta] = []
        for value in payload.values:
            module = self._vote(n, value, payload.name)
            if module is not None:
                out.extend(module.decode(value, payload.name))
            else:
                out.extend(self._no_dialect(value))
        out.extend(payload.deltas)
        return out

    def _no_dialect(self, value: Any) -> list[Delta]:
        """A payload that fits no dialect: an error in any shape is still an error, the rest is shown as unknown."""
        found = body_error(value)
        if found is not None:
            where = "body" if self.reading.framing == "json" else "event"
            return [error_delta(found[0], found[1], where)]
        return [Delta("unknown", 0, "", value)]

    def _vote(self, n: int, value: Any, name: str | None) -> ModuleType | None:
        """The dialect of one payload; each one counts for the name of the stream (section 3)."""
        if self._forced is not None:
            self._votes[self._forced] = self._votes.get(self._forced, 0) + 1
            return self._dialect
        active = self._dialect
        strength = active.evidence(value, name) if active is not None else 0
        best = active if strength else None
        if strength < 2:
            for module in self.kit.dialects.values():
                found = module.evidence(value, name)
                if found > strength:
                    best, strength = module, found
        if best is not None:
            self._votes[best.NAME] = self._votes.get(best.NAME, 0) + strength
            if active is not None and best is not active:
                self.diagnosis.note("meta-dialect-switch", n, "", None, best.NAME)
            self._dialect = self._dialect or best
            return best
        return active if self.reading.framing != "json" else None

    def _name_dialect(self) -> None:
        reading = self.reading
        votes = self._votes
        # Chunks that went by plan voted through their shape; the active dialect has them all.
        planned = len(reading.events) - sum(1 for number in reading.events.layouts if number == 0)
        if self._dialect is not None and votes:
            votes[self._dialect.NAME] = max(votes.get(self._dialect.NAME, 0), planned)
            reading.dialect = max(votes, key=lambda name: votes[name])
        elif any(layout.rows and layout.rows[0][0] == "unknown" for layout in reading.layouts.all):
            reading.dialect = "unknown"
        reading.dialect_module = self.kit.dialects.get(reading.dialect)

    # plans

    def _plan(
        self, value: Any, deltas: list[Delta], layout: int, hits: tuple[tuple[str, str], ...], frame: Frame
    ) -> None:
        module = self._dialect
        shaped = module.shape(value) if module is not None and hasattr(module, "shape") else None
        if shaped is None or module is None:
            return
        key, holder = shaped
        shown = [delta for delta in deltas if delta.kind != "absent"]
        texts = [delta for delta in shown if delta.kind in KINDS]
        simple = (
            len(texts) == 1
            and all(delta.kind in STATIC or delta in texts for delta in deltas)
            and isinstance(texts[0].value, str)
            and module.static(value)
        )
        if not simple:
            return
        text = texts[0]
        field = text.pointer.rpartition("/")[2]
        if holder.get(field) is not text.value:
            return
        keys = tuple(key for key in module.META if key in value and key in self._meta)
        self._plans[key] = Plan(
            text.kind,
            layout,
            len(shown),
            shown.index(text),
            field,
            (text.extra or {}).get("field", ""),
            2 * strings(value),
            itemgetter(*keys) if keys else None,
            keys,
            tuple(delta for delta in deltas if delta.kind in ("absent", "noop")),
        )
        if keys:
            self._meta[keys] = itemgetter(*keys)(value)

    def _drift(self, n: int, plan: Plan, payload: dict[str, Any], now: Any) -> None:
        """An id, model or creation time that is not the one before: reported once, then no longer compared."""
        self._meta_of(n, payload)
        keys = tuple(key for key in plan.meta_keys if key in self._meta)
        plan.meta_keys = keys
        plan.meta = itemgetter(*keys) if keys else None
        if keys:
            self._meta[keys] = plan.meta(payload) if plan.meta else None

    def _meta_of(self, n: int, payload: dict[str, Any]) -> None:
        """First non-empty id, model and creation time win for display; a change is reported once (R34)."""
        module = self._dialect
        for key in getattr(module, "META", ()):
            value = payload.get(key)
            if not value or key not in self._meta and key in self.reading.meta:
                continue
            held = self.reading.meta.setdefault(key, value)
            self._meta.setdefault(key, value)
            if value != held:
                self.diagnosis.note("meta-id-drift", n, "/" + key, None, f"{key} {held} became {value}")
                self._meta.pop(key, None)
        if self.reading.provider is None and module is not None:
            self.reading.provider = module.provider(payload)

    def _hits(self, payload: Payload) -> tuple[tuple[str, str], ...]:
        out: tuple[tuple[str, str], ...] = ()
        for value in payload.values:
            if type(value) is dict and self._dialect is not None:
                out += self.diagnosis.shape_hits(value, self._dialect.keys(value))
        return out

    def _duplicates(self, n: int, data: bytes) -> None:
        for pointer, _, _ in duplicate_keys(data):
            self.diagnosis.note("json-duplicate-key", n, pointer, None, pointer.rpartition("/")[2])

    # ends

    def _marker(self, n: int, marker: str) -> None:
        if self.reading.marker is None:
            self.reading.marker, self.reading.marker_event = marker, n
            if self.rules.done in ("prefix", "anywhere"):
                self._halt(n)
        else:
            self.diagnosis.note("end-marker-duplicate", n, "", None, "")

    def _client_end(self, finished: bool) -> None:
        """Errors that a client raises after the last event; they take no block away."""
        rules, assembler, last = self.rules, self.assembler, self.reading.last_event
        spoke = bool(self._votes)
        if assembler.client_error is None and spoke:
            reasons = [entry["raw"] for entry in assembler.finishes]
            if rules.missing_finish == "error" and not finished:
                assembler.fail(last, "the stream ended without a finish reason", stop=False)
            elif raised := [reason for reason in reasons if reason in rules.finish_raises]:
                assembler.fail(last, f"finish reason {raised[0]}", stop=False)
            elif rules.end_marker == "error" and self.reading.marker is None:
                assembler.fail(last, "the stream ended without its end marker", stop=False)
        if rules.empty_turn == "error" and not assembler.blocks and assembler.client_error is None:
            message = rules.empty_turn_error.replace("{payloads}", "0")
            assembler.fail(last, message, stop=False)

    # a token counter in choices[].index (R33)

    def _count_choice(self, value: Any) -> None:
        if self._counter is None or type(value) is not dict:
            return
        choices = value.get("choices")
        if not isinstance(choices, list) or not choices:
            return
        index = choices[0].get("index") if isinstance(choices[0], dict) else None
        if len(choices) == 1 and index == len(self._counter):
            self._counter.append((len(self.reading.events.layouts) - 1, index))
        else:
            self._counter = None

    def _is_counter(self) -> bool:
        grows = self._counter is not None and len(self._counter) >= 3
        return grows and self.rules.choice == "by-index" and self.rules.repairs_rule("choice-index-counter")

    def _as_one_choice(self) -> Reading:
        """Read again as one choice: only the whole stream shows that the index counts tokens."""
        from dataclasses import replace

        again = Analysis(
            self.reading.exchange,
            self.kit,
            replace(self.rules, choice="merged"),
            self.reading.reader,
            dialect=self._forced,
            framing=self._framing,
            actions=self.actions,
            diagnose=self.diagnosis.enabled,
        )
        for piece in self.reading.exchange.chunks():
            again.feed(piece)
        assert self._counter is not None
        for n, _ in self._counter:
            again.diagnosis.note("choice-index-counter", n, "/choices/0/index", None, "")
        reading = again.finish()
        reading.rules = self.rules
        self.reading = reading
        return reading

    # decoding again

    def decode_again(self, n: int) -> list[Delta]:
        """The deltas of an event from its bytes, as they were when it was read."""
        reading = self.reading
        if not reading.layouts[reading.events.layouts[n]].rows:
            return []
        data = reading.data(n)
        frame = Frame(reading.events.flags[n], reading.events.names.get(n), data, None, reading.stray(n))
        return self._statements_again(read_payload(frame, self.rules, None, n))

    def _statements_again(self, payload: Payload) -> list[Delta]:
        out: list[Delta] = []
        for value in payload.values:
            votes = [(module.evidence(value, payload.name), module) for module in self.kit.dialects.values()]
            strength, module = max(votes, key=lambda vote: vote[0], default=(0, None))
            module = self._dialect if self._forced or not strength else module
            if module is not None and (strength or self.reading.framing != "json"):
                out.extend(module.decode(value, payload.name))
            else:
                out.extend(self._no_dialect(value))
        out.extend(payload.deltas)
        return out
