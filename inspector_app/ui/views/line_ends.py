"""The ends of lines, where they say something: mixed ends, and ends that are not the stream's usual one."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.store import CR, CRLF, LF
from inspector_app.core.types import EOL
from inspector_app.ui.views.line_text import END, Run

WORDS = {LF: "LF", CR: "CR", CRLF: "CR LF"}
RULE = "sse-unusual-line-ends"


class Tally:
    """How many lines of a reading have each end that a line of text can have; what came is counted once."""

    def __init__(self) -> None:
        self._reading: Reading | None = None
        self._known = 0
        self._counts = dict.fromkeys(WORDS, 0)

    def of(self, reading: Reading) -> dict[int, int]:
        """Code of the end -> lines, those that came."""
        eols = reading.lines.eols
        if reading is not self._reading:
            self._reading, self._known, self._counts = reading, 0, dict.fromkeys(WORDS, 0)
        # The last line may still turn out to end otherwise.
        known = max(0, len(eols) - 1)
        for code in WORDS:
            self._counts[code] += eols.count(code, self._known, known)
        self._known = known
        return {code: count for code in WORDS if (count := self._counts[code] + eols.count(code, known))}


def usual(ends: dict[int, int]) -> int:
    """The end that is no fault among these: CR LF where there is more of it, else LF."""
    return CRLF if ends.get(CRLF, 0) > ends.get(LF, 0) else LF


def said(ends: dict[int, int]) -> str:
    """What is worth saying of them in few words: nothing of plain LF."""
    if len(ends) > 1:
        return "mixed line ends"
    return next((f"lines end in {WORDS[code]}" for code in ends if code != LF), "")


def end_runs(reading: Reading, number: int, ends: dict[int, int], muted: bool) -> list[Run]:
    """The mark behind line `number`, a warning where the rule of line ends points at it; nothing in plain streams."""
    code = reading.lines.eols[number]
    if code not in WORDS or (len(ends) < 2 and CR not in ends):
        return []
    odd = code != usual(ends) and not muted and reading.framing == "sse"
    end = reading.lines[number].end
    ink, fill = ("warning.text", "warning") if odd else ("ink.3", "")
    return [Run(END, end, end + len(EOL[code]), WORDS[code], ink, fill)]
