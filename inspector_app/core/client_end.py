"""What the client that is read as raises after the last event; it takes no block away."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.runs import Runs
from inspector_app.core.transfer import stopped_words


def client_end(rules: ReadingRules, runs: Runs, reading: Reading, finished: bool, spoke: bool) -> None:
    """`finished`: every choice has its reason. `spoke`: some event spoke a known dialect. A client that was stopped
    by its user complains of nothing, and what it has of a block says who stopped it.
    """
    if reading.cancelled:
        for block in runs.blocks:
            if block.state == "truncated":
                block.fields["cancelled"] = stopped_words(reading.exchange.end)
        return
    last = reading.last_event
    if runs.client_error is None and spoke:
        reasons = [entry["raw"] for entry in runs.finishes]
        if rules.missing_finish == "error" and not finished:
            runs.fail(last, "the stream ended without a finish reason", stop=True)
        elif rules.missing_role == "error" and (without := _without_role(reading, runs)):
            runs.fail(last, f"missing role for choice {without[0]}", stop=True)
        elif raised := [reason for reason in reasons if reason in rules.finish_raises]:
            runs.fail(last, f"finish reason {raised[0]}", stop=True)
        elif rules.end_marker == "error" and reading.marker is None:
            runs.fail(last, "the stream ended without its end marker", stop=True)
    empty = rules.empty_turn == "error" or (rules.empty_turn == "error-if-silent" and not spoke)
    if empty and not runs.blocks and runs.client_error is None:
        runs.fail(last, rules.empty_turn_error.replace("{payloads}", "0"), stop=True)


def _without_role(reading: Reading, runs: Runs) -> list[int]:
    """The choices in which no delta gives a role."""
    given = {row[1] for layout in reading.layouts.all for row in layout.rows if row[0] == "role"}
    choices = {block.choice for block in runs.blocks} | {entry["choice"] for entry in runs.finishes}
    return sorted(choices - given)
