"""What a page of two recordings says in words: what is to be known beside the rows, and what stands in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector_app.core.text import clip, encodable, visible
from inspector_app.report.differences import no_stream
from inspector_app.report.pair import pair_as_markdown

if TYPE_CHECKING:
    from inspector_app.ui.pair.page import PairPage


def remark_of(page: PairPage) -> str:
    """That one of the two is no stream, or that they speak two dialects, else nothing."""
    if page.outcome is None or page.readings is None:
        return ""
    empty = [*filter(None, map(no_stream, page.readings, "AB"))]
    if empty:
        return ". ".join(empty) + "."
    dialects = [side.reference.dialect for side in page.sides if side.reference is not None]
    if len({*dialects, "none", "unknown"}) == 4:
        return f"Two dialects, {dialects[0]} and {dialects[1]}: all fields differ, the content need not."
    return ""


def nothing_of(page: PairPage) -> tuple[str, str, str, str]:
    """What stands in place of the rows: a mark, a bold line, a line why, and an action or none."""
    failed = next((side for side in page.sides if side.error), None)
    if failed is not None:
        return "error", f"{clip(visible(failed.name), 60)} cannot be read", failed.error or "", ""
    if page.fault:
        return "error", "The two could not be compared", page.fault, "Try again"
    if page.stopped:
        return "stop", "The comparison was stopped", "What differs is not known.", "Compare again"
    waiting = next((side for side in page.sides if not side.complete), None)
    if waiting is not None:
        line = "The two are compared when both are read to their end."
        return "clock", f"{clip(visible(waiting.name), 60)} is still being read", line, ""
    if page.outcome is None:
        return "search", "Looking for differences", "Framing, shape, content, then the clients.", ""
    return "check", "Nothing differs", "Lines are written alike, fields are the same, and so is what is said.", ""


def markdown_of(page: PairPage) -> str:
    """The differences for an issue; empty until they are known."""
    outcome, readings = page.outcome, page.readings
    if outcome is None or readings is None:
        return ""
    verdict = outcome.verdict
    headline = ". ".join(filter(None, (outcome.headline, verdict.headline)))
    return encodable(pair_as_markdown(readings, verdict.verdict, headline, outcome.rows, outcome.asked, outcome.paces))
