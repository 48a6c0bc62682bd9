"""Sessions with findings, and the pane that shows them."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from pytestqt.qtbot import QtBot

from inspector_app.core.types import Finding, Place
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.findings import FindingsView
from tests.ui.panes_data import fragmented, opened

Show = Callable[[Session], FindingsView]


def shown(qtbot: QtBot, look: Look, session: Session) -> FindingsView:
    """The findings of a session in a window of their own."""
    view = FindingsView(session, look)
    qtbot.addWidget(view)
    view.resize(640, 360)
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    view.rows.setFocus()
    return view


def finding(
    session: Session, rule: str, events: list[int], severity: str = "warning", under: str | None = None
) -> Finding:
    """A made-up finding about whole events."""
    assert session.reference is not None
    places = [Place(n, *session.reference.bytes_of(n)) for n in events[:20]]
    found = array("I", events)
    return Finding(rule, severity, f"{rule} fired.", f"Mend {rule}.", len(events), places, found, under=under)


def told(qtbot: QtBot, findings: list[tuple]) -> Session:
    """A session without comparison that has exactly these findings: (rule, events, severity, under)."""
    session = opened(qtbot, fragmented(60), lenses=False)
    assert session.reference is not None
    session.reference.findings[:] = [finding(session, *given) for given in findings]
    return session
