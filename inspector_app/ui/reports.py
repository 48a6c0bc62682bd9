"""The reports that a page copies, from what its session has read."""

from __future__ import annotations

from inspector_app.core.text import encodable
from inspector_app.lenses.run import in_reference
from inspector_app.report.comparison import as_markdown
from inspector_app.report.findings import findings_as_markdown
from inspector_app.ui.session import Session


def comparison_report(session: Session) -> str:
    """The comparison as Markdown; empty where no two readings differ."""
    story, reference = session.story, session.reference
    if story is None or story.first_difference is None or reference is None:
        return ""
    event = story.first_difference.event
    told = session.readings.get(story.a) or session.readings.get(story.b) or reference
    if len(reference.events):
        event = min(in_reference(reference, told, event) or 0, reference.last_event)
    clients = {name: session.lenses[name] for name in (story.a, story.b) if name in session.lenses}
    return encodable(as_markdown(story, reference, clients, event))


def findings_report(session: Session) -> str:
    """The findings that are not muted, as Markdown; empty until the recording is read."""
    reference = session.reference
    if reference is None or not session.complete:
        return ""
    heard = session.mutes.heard(reference.findings)
    return encodable(findings_as_markdown(reference, heard, session.kit.rules))
