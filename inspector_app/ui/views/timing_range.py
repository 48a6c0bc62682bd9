"""What the page Timing says of the range between two points of the timeline, row by row and as text."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.ranges import Numbers
from inspector_app.core.rates import CHARACTERS_A_TOKEN, Tokens
from inspector_app.core.reading import Reading
from inspector_app.core.text import THIN_SPACE, duration, number
from inspector_app.core.timing import BINS
from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline.rate import rounded_rate
from inspector_app.ui.views.timing_rows import Row, wait_words

LEFT, RIGHT, ICON_TO_WORDS, GAP = 16, 16, 20, 12
WORDS = {"reasoning": "reasoning", "text": "text", "refusal": "refusal", "tool": "tool calls"}
NO_TIME, NO_WAITS = "— order only", "fewer than two reads"
TITLE = "Range A – B"


def place_words(found: Numbers) -> str:
    """Where the range lies: "2.42 s + 900 ms"."""
    part = found.part
    if part.ns is None:
        return f"events {number(part.first)}–{number(max(part.first, part.last - 1))}" if found.events else "no event"
    return f"{duration(part.start)} + {duration(part.ns)}"


def range_rows(found: Numbers, tokens: Tokens | None, whole: int | None, counted: int | None = None) -> list[Row]:
    """The numbers of a range; `whole` is the length of the recording in ns, None where no times were measured,
    `counted` the tokens of the usage where the range is all of it.
    """
    part = found.part
    share = f" · {part.ns * 100 / whole:.1f}{THIN_SPACE}%" if part.ns is not None and whole else ""
    length = NO_TIME if part.ns is None else f"{duration(part.ns)}{share}"
    reads = "" if found.reads is None else f" in {number(found.reads)} read{'' if found.reads == 1 else 's'}"
    leads = Selection(part.first) if found.events else None
    rows = [
        Row("length", length, part.ns),
        Row("events", f"{number(found.events)}{reads}", None, leads=leads),
        Row("bytes", f"{number(found.size)}{_speed(found, found.size)}", None, leads=leads),
    ]
    for kind in found.kinds:
        deltas = f"{number(kind.deltas)} delta{'' if kind.deltas == 1 else 's'}"
        said = f"{deltas} · {_chars(kind.characters)}{_speed(found, kind.characters)}"
        rows.append(Row(WORDS[kind.meaning], said, None, meaning=kind.meaning, leads=Selection(kind.first)))
    if len(found.kinds) > 1:
        rows.append(Row("all of it", f"{_chars(found.characters)}{_speed(found, found.characters)}", None))
    if found.kinds and tokens is not None:
        said, how = tokens_words(found, tokens, counted)
        rows.append(Row("tokens", said, None, note=how))
    return rows


def counted_tokens(reading: Reading, found: Numbers) -> int | None:
    """The tokens that the usage counts for the answer, where a range holds all of its events."""
    output, thought = ((reading.usage or {}).get(name) for name in ("output", "reasoning"))
    if not reading.ended or found.events != len(reading.events) or not isinstance(output, int):
        return None
    # As in rates.py: only where some count reasoning beside the output it can be more.
    return output + thought if isinstance(thought, int) and thought > output else output


def tokens_words(found: Numbers, tokens: Tokens, counted: int | None = None) -> tuple[str, str]:
    """How many tokens came in a range and how fast, "about 42 · 33/s", and how that is known: no stream counts them
    within a range. `counted` is what the usage counts, where the range is the whole recording.
    """
    amount = found.tokens(tokens) if counted is None else counted
    how = f"{CHARACTERS_A_TOKEN} characters each, without a usage"
    how = how if tokens.about else "the usage spread over the characters"
    said = f"about {number(round(amount))}" if counted is None else number(counted)
    return f"{said}{_speed(found, amount)}", how if counted is None else "counted by the usage"


def _chars(count: int) -> str:
    return f"{number(count)} char{'' if count == 1 else 's'}"


def _speed(found: Numbers, amount: float) -> str:
    rate = found.a_second(amount)
    return "" if rate is None else f" · {rounded_rate(rate)}/s"


def range_text(found: Numbers, tokens: Tokens | None, whole: int | None, counted: int | None = None) -> str:
    """All numbers of a range, columns set off by tabs."""
    rows = [("range", row.words, row.value) for row in range_rows(found, tokens, whole, counted)]
    if found.waits is not None:
        rows += [
            ("waits between reads", name, str(count)) for name, count in zip(BINS, found.waits.counts, strict=True)
        ]
        rows += [("waits between reads", f"p{p}", duration(ns)) for p, ns in (found.waits.percentiles() or {}).items()]
        rows += [("wait", *wait_words(wait, found.inside(wait))[::-1]) for wait in found.longest()]
    return "\n".join("\t".join(row) for row in rows).replace(THIN_SPACE, " ")


def paint_figure(painter: QPainter, theme: Theme, rect: QRect, row: Row) -> None:
    """A row of the range: what is counted at the left, the figures at the right edge."""
    base = fonts.baseline(rect.top(), rect.height())
    if row.meaning:
        mark = theme.meaning(row.meaning).line
        draw_icon(painter, rect.left() + LEFT, rect.top() + (rect.height() - SMALL) // 2, row.meaning, mark, SMALL)
    font, at = fonts.ui_font(fonts.BODY), rect.left() + LEFT + ICON_TO_WORDS
    at += round(draw_text(painter, at, base, row.words, font, theme.color("ink.2"))) + GAP
    right = rect.left() + rect.width() - RIGHT
    words = row.value
    parts = words.split(" · ")
    while len(parts) > 1 and fonts.text_width(font, words) > right - at:
        parts.pop(0 if row.meaning else -1)  # The figure that is nearest to its unit is the last to go.
        words = " · ".join(parts)
    words = fonts.elided(font, words, max(0, right - at))
    draw_text(painter, right - fonts.text_width(font, words), base, words, font, theme.color("ink.1"))
