"""Lines may end with LF, CRLF or CR, each as good as the other; some clients know one of them."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Argument, one_of
from inspector_app.variations._line_ends import NAMES, with_line_ends
from inspector_app.variations._payloads import SSE

NAME = "eol"
TITLE = "End all lines in one way"
SORT = TROUBLE
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})
ARGUMENT = Argument("lf|crlf|cr", "how lines end", "crlf", "crlf")
CASES = {
    "lf": ("lf", "End lines with LF"),
    "crlf": ("crlf", "End lines with CRLF"),
    "cr": ("cr", "End lines with CR alone"),
}


def apply(reading: Reading, argument: str = "") -> Exchange:
    return with_line_ends(reading, NAMES[one_of(NAME, ARGUMENT, argument, NAMES)])
