"""One recording under many lenses: a row for each, over one reading of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.lenses.compare import Difference, compare
from inspector_app.lenses.load import Lens
from inspector_app.lenses.run import in_reference, knows, read_as

MatrixVerdict = Literal["failed", "lost", "merged", "fragmented", "altered", "right", "n/a"]

MATRIX_VERDICTS: tuple[MatrixVerdict, ...] = ("failed", "lost", "merged", "fragmented", "altered", "right", "n/a")
"""From the worst to none, then what is not asked: the lens does not speak the dialect of the stream."""


class Row(NamedTuple):
    """What one client makes of the recording.

    `event` is the first at which it parts from the reference, in the reference's numbers; None where it does not.
    `client_error` is what it raises or reports as a part: `event` in the client's own numbers, `message`, `part`.
    `difference` is the whole comparison, None where the verdict is n/a.
    """

    lens: Lens
    verdict: MatrixVerdict
    event: int | None = None
    client_error: Mapping[str, Any] | None = None
    difference: Difference | None = None

    def to_json(self) -> dict[str, Any]:
        """The row as `check --all-lenses --json` prints it."""
        out: dict[str, Any] = {"lens": self.lens.name, "verdict": self.verdict, "first_difference": None}
        found = self.difference
        out |= {"blocks": found and found.blocks[1], "chars": found and found.chars[1], "client_error": None}
        if found is not None and found.first_difference is not None:
            out["first_difference"] = {"event": self.event, "why": found.first_difference.why}
        if self.client_error is not None:
            out["client_error"] = {key: self.client_error[key] for key in ("event", "message")}
        return out


def matrix(
    reference: Reading,
    lenses: Iterable[Lens],
    kit: Kit,
    *,
    dialect: str | None = None,
    framing: str | None = None,
) -> Iterator[Row]:
    """A row for each lens, one after the other, so that a window can draw between them and stop at any time.

    `reference` has been read to its end. Lenses with the same rules that read right are read once; one with the
    reference's rules is not read again. No reading is kept.
    """
    right: dict[ReadingRules, Row] = {}
    for lens in lenses:
        if not knows(lens, reference):
            yield Row(lens, "n/a")
            continue
        row = right.get(lens.rules)
        if row is None:
            same = lens.rules == reference.rules
            reading = reference if same else read_as(lens, reference, kit, dialect=dialect, framing=framing)
            row = row_of(lens, reference, reading)
            if row.verdict == "right":  # Else its words name the client.
                right[lens.rules] = row
        yield row._replace(lens=lens)


def row_of(lens: Lens, reference: Reading, reading: Reading) -> Row:
    """The row of a reading that is there already."""
    difference = compare(reference, reading, (reference.reader, lens.name))
    error = reading.client_error
    event = None
    if difference.first_difference is not None:
        event = difference.first_difference.event
        if error is not None and event == error["event"]:
            event = in_reference(reference, reading, event)
        event = min(event or 0, max(0, reference.last_event))
    verdict: MatrixVerdict = "right" if difference.verdict == "same" else difference.verdict
    return Row(lens, verdict, event, error, difference)
