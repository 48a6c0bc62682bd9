"""The pages Event, Read and Request of the detail pane."""

from __future__ import annotations

from collections.abc import Callable

from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.facts import event_facts, read_facts, request_facts
from inspector_app.ui.views.sheet import Fact, Sheet

Facts = Callable[[Session, int], list[Fact]]
Empty = tuple[str, str, str]

NO_EVENT: Empty = ("document", "No event is selected", "Select a line, a delta or a block.")
NO_READS: Empty = ("clock", "Reads were not recorded", "This file holds the bytes, but not how they arrived.")
NO_REQUEST: Empty = ("proxy", "No request is known", "This file holds the body of the answer alone.")


class EventPage(Sheet):
    """Facts about the selected event, or about the read that brought it."""

    def __init__(self, session: Session, look: Look, name: str, facts: Facts, missing: Empty = NO_EVENT) -> None:
        super().__init__(look, name)
        self._session = session
        self._facts = facts
        self._missing = missing

    def forget(self) -> None:
        """Nothing is kept."""

    def show_selection(self, selection: Selection | None) -> None:
        """Show the event of a selection."""
        reference = self._session.reference
        if selection is None or reference is None or selection.event >= len(reference.events):
            self.show_facts([], NO_EVENT)
        else:
            self.show_facts(self._facts(self._session, selection.event), self._missing)


def event_page(session: Session, look: Look) -> EventPage:
    """Lines with their ends, name, id, retry, flags."""
    return EventPage(session, look, "Event", event_facts)


def read_page(session: Session, look: Look) -> EventPage:
    """Number, time, gap, bytes and events of a read."""
    return EventPage(session, look, "Read", read_facts, NO_READS)


class RequestPage(Sheet):
    """The request, the head of the answer and its end."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look, "Request and response")
        self._session = session
        self._shown: object = None

    def forget(self) -> None:
        """The head of the answer may have come."""
        self._shown = None

    def show_selection(self, selection: Selection | None) -> None:
        """The same for every event of an exchange."""
        exchange = self._session.exchange
        if exchange is None or exchange is not self._shown:
            self._shown = exchange
            self.show_facts(request_facts(exchange) if exchange is not None else [], NO_REQUEST)
