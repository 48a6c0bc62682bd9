"""Plays a complete recording again: a play head, a clock of its own, and the session at what had come by then.

One timer does it while playback is on. Each tick moves the head, feeds readings for `STEP_NS` at most and tells the
views at most every 33 ms. To go forward is to feed more; to go back is to feed another set of readings from the start
beside the one that is shown. Whatever is asked for meanwhile replaces the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter_ns

from PySide6.QtCore import QObject, QTimer, Signal

from inspector_app.lenses import LITERAL, REFERENCE
from inspector_app.ui.playback.course import Course
from inspector_app.ui.playback.part import Part
from inspector_app.ui.session import STEP_NS, TICK_MS, Session
from inspector_app.ui.timeline_link import TimelineLink

TICK_NS = TICK_MS * 1_000_000
MOST_NS = 1_000_000_000
"""What a tick moves the head on at most, however long the window was held up."""
LONG_NS = 300_000_000
"""From then on it is said how far a way to the head is read."""
STANDING_NS = 1 << 62
"""How long nothing came while the head stands still: as long as one likes."""

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0, inf)
"""Times the speed of the recording; the last is as fast as it can be read."""
RHYTHMS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0, inf)
"""Events a second, where no times were measured."""
USUAL = {True: 1.0, False: 20.0}


class Player(QObject):
    """Signals: `changed` (head, pace, playing or progress), `shown` (the views show what was there at the head; whether
    that was a jump and whether other findings are known), `left` (the whole recording is shown again). `clock`
    gives ns.
    """

    changed = Signal()
    shown = Signal(bool, bool)
    left = Signal()

    def __init__(
        self, session: Session, link: TimelineLink, clock: Callable[[], int] = perf_counter_ns,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._link, self._clock = session, link, clock
        self.course: Course | None = None
        """That of the recording in playback, None while all of it is shown."""
        self.moment = 0
        """Where the head stands."""
        self.offset = 0
        """How many bytes had come there."""
        self.playing = False
        self._goal = 0
        """How many bytes are to be read: those up to the head, or all of them."""
        self._paces = dict(USUAL)
        self._part: Part | None = None
        self._next: Part | None = None
        self._work: tuple[Part, int, Iterator[None]] | None = None
        """Who is fed, up to where, and the rest of that."""
        self._last = self._shown_at = self._asked_at = 0
        self._dirty = self._jumped = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.tick)
        session.compared.connect(self._wake)

    # what is known

    @property
    def active(self) -> bool:
        """Whether the recording is in playback."""
        return self.course is not None

    @property
    def can_play(self) -> bool:
        """Whether there is a complete recording with something to play."""
        session, clock = self._session, self._link.clock
        if self.course is not None:
            return True
        reading = session.reference
        if not session.complete or clock is None or reading is None or clock.reading is not reading:
            return False
        return len(reading.body) > 0 and (clock.measured or len(reading.events) > 0)

    @property
    def measured(self) -> bool:
        """Whether it is played by its own times."""
        return self._link.clock is None or self._link.clock.measured

    @property
    def paces(self) -> tuple[float, ...]:
        """The paces there are for this recording."""
        return SPEEDS if self.measured else RHYTHMS

    @property
    def pace(self) -> float:
        """Times its own speed, or events a second; infinite is as fast as it can be read."""
        return self._paces[self.measured]

    @property
    def event(self) -> int:
        """The last event that had come, -1 before the first."""
        return self.course.events_at(self.offset) - 1 if self.course is not None else -1

    @property
    def seeking(self) -> float | None:
        """How much of the way to the head is read, while that takes more than a moment; None otherwise."""
        if self.playing or self._work is None or not self._goal or self._clock() - self._asked_at < LONG_NS:
            return None
        return self._work[0].offset / self._goal

    # what a person asks for

    def enter(self, moment: int = 0) -> bool:
        """Begin playback with the head at a moment; whether there is something to play."""
        if self.course is None:
            if not self.can_play:
                return False
            assert self._session.reference is not None
            self._link.show_in_order(False)  # The head runs on the axis of its own times.
            self.course = Course(self._session.reference, self.measured)
        self._seek(moment, self.course.offset_at(moment))
        return True

    def leave(self) -> None:
        """Show the whole recording again."""
        if self.course is None:
            return
        self.course = self._part = self._next = self._work = None
        self.playing = False
        self._timer.stop()
        self.left.emit()
        self._session.release()
        self.changed.emit()

    def play(self, on: bool) -> None:
        """Let the head run, from the start where the recording was not in playback; or stop it."""
        if on and self.course is None and not self.enter():
            return
        if on != self.playing and self.course is not None:
            self.playing, self._last = on, self._clock()
            self._goal = self.offset
            self._dirty = True
            self._wake()
            self.changed.emit()

    def turn(self) -> None:
        """Play, or pause."""
        self.play(not self.playing)

    def set_pace(self, pace: float) -> None:
        """Play at another pace, one of `paces`."""
        self._paces[self.measured] = pace
        self.changed.emit()

    def change_pace(self, step: int) -> None:
        """The next faster pace (1) or the next slower one (-1)."""
        at = self.paces.index(self.pace) + step
        if 0 <= at < len(self.paces):
            self.set_pace(self.paces[at])

    def seek(self, moment: int) -> None:
        """Put the head to a moment; at the end it stops playing, for the end is the whole recording."""
        if self.course is not None:
            self._seek(moment, self.course.offset_at(moment))

    def step(self, by: str, step: int) -> None:
        """Go by one "event" or "read", forth (1) or back (-1), and stand still there; from the last one to the end."""
        course = self.course
        if course is None:
            return
        self.play(False)
        beside = course.event_beside if by == "event" else course.read_beside
        offset = beside(self.offset, step)
        if offset >= course.size and self.offset >= course.size and step > 0:
            self.leave()
        else:
            self._seek(course.moment_of(offset), offset)

    def seek_event(self, event: int) -> None:
        """Put the head just after an event of the whole recording."""
        if self.course is not None:
            offset = self.course.end_of(event + 1)
            self._seek(self.course.moment_of(offset), offset)

    def _seek(self, moment: int, offset: int) -> None:
        assert self.course is not None
        self.moment, self.offset = min(max(moment, 0), self.course.length), offset
        self._goal = offset
        self._jumped = self._dirty = True
        self._last = self._asked_at = self._clock()
        self._wake()
        self.changed.emit()

    def _wake(self) -> None:
        if self.course is not None:
            self._timer.start(0)

    # working

    def tick(self) -> None:
        """One step: move the head, read on for a while, and show what is there if it is time."""
        if self.course is None or not self._is_there():
            return
        now = self._clock()
        self._move(now)
        part, reached = self._read_on(now + STEP_NS)
        self._session.freeze()
        due = part is self._part and self._clock() - self._shown_at >= TICK_NS
        if self._dirty and (reached or (due and self.playing)):
            if reached and self.playing and self.moment >= self.course.length:
                self.leave()
                return
            self._show(part)
        if not reached:
            self._timer.setInterval(0)
        elif self.playing:
            self._timer.setInterval(TICK_MS)
        else:
            self._timer.stop()

    def _is_there(self) -> bool:
        """Whether the readings that are chosen have read the whole, so that a part can be shown of it."""
        session, course = self._session, self.course
        if self._part is not None and not session.held:
            # Other readers were chosen, or another response: the whole is shown until they are there.
            self._part = self._next = self._work = None
            self._dirty = self._jumped = True
        if self._part is not None:
            return True
        if course is None or session.reference is not course.reading or session.error is not None:
            self.leave()
            return False
        chosen = (session.primary, session.secondary)
        read = session.idle or all(name is None or name in session.readings for name in chosen)
        there = session.complete and read and self._link.settled
        if not there:
            self._timer.setInterval(TICK_MS)
            self._last = self._clock()
        return there

    def _move(self, now: int) -> None:
        """Let the head run for the time that went by."""
        course, passed, self._last = self.course, min(now - self._last, MOST_NS), now
        if not self.playing or course is None:
            return
        if self.pace == inf:
            self._goal = course.size
        else:
            # A turn without times is a second of its own time, so that a pace is a number of them either way.
            self.moment = min(course.length, self.moment + round(passed * self.pace))
            self.offset = self._goal = max(self.offset, course.offset_at(self.moment))
        self._dirty = True

    def _read_on(self, until: int) -> tuple[Part, bool]:
        """Feed readings towards the goal: which ones, and whether they are there."""
        course, goal = self.course, self._goal
        assert course is not None
        part = self._nearest()
        if part is None:
            part = self._next = self._new_part(course)
        if self._work is None or self._work[0] is not part or self._work[1] != goal:
            self._work = (part, goal, part.advance(goal))
        reached = True
        for _ in self._work[2]:
            if self._clock() >= until:
                reached = False
                break
        if reached:
            self._work = None
        if self.playing and self.pace == inf:
            self.offset = max(self.offset, part.offset)
            self.moment = course.length if reached else max(self.moment, course.moment_of(self.offset))
        return part, reached

    def _nearest(self) -> Part | None:
        """What is fed already and not beyond the goal, from which the way is shortest."""
        known = [part for part in (self._part, self._next) if part is not None and part.offset <= self._goal]
        return max(known, key=lambda part: part.offset, default=None)

    def _new_part(self, course: Course) -> Part:
        session = self._session
        known = (*session.lenses, LITERAL, REFERENCE)
        names = [name for name in (session.primary, session.secondary) if name in known]
        return Part(course, names, session.kit, session.lenses, session.how)

    def _show(self, part: Part) -> None:
        course, session = self.course, self._session
        assert course is not None
        other = part is not self._part
        arrived = course.moment_of(part.offset)
        wait = round((self.moment - arrived) / self.pace) if self.playing and course.measured else STANDING_NS
        found = part.settle(self.moment, wait)
        jumped, self._jumped, self._dirty = self._jumped or other, False, False
        if other:
            self._part, self._next = part, None
            session.hold(part.readings, part.rows, part.indexes)
        else:
            session.grown.emit()
        self._shown_at = self._clock()
        self.shown.emit(jumped, found or other)
        self.changed.emit()
