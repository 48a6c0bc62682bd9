"""What the start page knows of a recording once it has been read: a few facts and a thumbnail, kept as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.types import NO_TIME, Finding
from inspector_app.lenses import Lens
from inspector_app.lenses.clients import is_told, rank_of
from inspector_app.ui.session import Session
from inspector_app.ui.start.sketch import SHAPES, SPAN, Sketch, Stroke, sketch_of
from inspector_app.ui.theme import MEANINGS

VERSION = 3
"""Changes when a digest would be drawn otherwise: an older one is made again."""
SEVERITIES = ("error", "warning", "info")
LONGEST = 200
"""Characters of one text."""
MOST = 2000
"""Ticks and strokes."""
GENERAL = ("all ", "every ", "no client")
"""How a rule says that it is not about some clients alone."""
FAMILIES = {
    "Framing": ("sse", "frame", "http", "json", "body", "ndjson", "file"),
    "Reasoning": ("reasoning", "think"),
    "Tool calls": ("tool",),
    "Endings": ("end", "finish", "error", "frame-cut"),
    "Timing": ("time",),
    "Usage": ("usage",),
    "Other": (),
}
"""Filter of the gallery -> its rules, or their first word."""
EMPTY = Sketch((), False, ())
GLYPHS = ("rays", "hourglass", *SEVERITIES)


@dataclass(frozen=True, slots=True)
class Digest:
    """Facts and thumbnail of one recording. `counts` are errors, warnings and notes; `duration` is ns or unknown."""

    model: str = ""
    provider: str = ""
    dialect: str = ""
    counts: tuple[int, int, int] = (0, 0, 0)
    size: int = 0
    duration: int | None = None
    rule: str = ""
    severity: str = "info"
    breaks: tuple[str, ...] = ()
    sketch: Sketch = EMPTY

    @property
    def family(self) -> str:
        """The filter of the gallery that shows this recording."""
        for word in (self.rule, self.rule.partition("-")[0]):
            for family, words in FAMILIES.items():
                if word in words:
                    return family
        return "Other"

    @property
    def source(self) -> str:
        """Provider and model in one line."""
        return " · ".join(filter(None, (self.provider, self.model)))


def digest_of(session: Session) -> Digest | None:
    """The digest of a session that has been read, None before that."""
    reading, exchange = session.reference, session.exchange
    if reading is None or exchange is None or not session.complete:
        return None
    ranked = sorted(
        session.differences, key=lambda name: rank_of(session.differences[name].verdict, session.lenses[name])
    )
    differing = [session.lenses[name] for name in ranked if session.differences[name].verdict != "same"]
    client = next((session.readings.get(lens.name) for lens in differing if lens.evidence == "report"), None)
    worst = worst_of(reading.findings)
    model = reading.meta.get("model")
    return Digest(
        model=str(model)[:LONGEST] if isinstance(model, str) else "",
        provider=(reading.provider or "")[:LONGEST],
        dialect=reading.dialect,
        counts=_counted(reading.findings),
        size=len(exchange.body),
        duration=_duration(reading),
        rule=worst.rule if worst is not None else "",
        severity=worst.severity if worst is not None else "info",
        breaks=_breaks(session, differing, worst),
        sketch=sketch_of(reading, client, worst),
    )


def worst_of(findings: Iterable[Finding]) -> Finding | None:
    """The finding to name first: of the worst severity, one that others follow from before one that follows."""
    all_of_them = list(findings)
    causes = {finding.under for finding in all_of_them}
    return min(
        all_of_them,
        key=lambda finding: (
            SEVERITIES.index(finding.severity), finding.under is not None, finding.rule not in causes
        ),
        default=None,
    )  # fmt: skip


def _counted(findings: Iterable[Finding]) -> tuple[int, int, int]:
    severities = [finding.severity for finding in findings]
    errors, warnings, infos = (severities.count(severity) for severity in SEVERITIES)
    return errors, warnings, infos


def _duration(reading: Reading) -> int | None:
    exchange = reading.exchange
    if exchange.timing == "none":
        return None
    last = next((time for time in reversed(exchange.read_times or ()) if time != NO_TIME), None)
    return None if last is None else max(last, exchange.end_time or 0)


def _breaks(session: Session, differing: Sequence[Lens], worst: Finding | None) -> tuple[str, ...]:
    """Who comes to harm: the clients that read otherwise, each of them, as the table of all clients has them, those
    that one is told of first. Where all read right, whom the rule names: a verdict says nothing of times and usage.
    """
    if differing:
        return tuple(
            session.short_title_of(lens.name) for lens in sorted(differing, key=lambda lens: not is_told(lens))
        )
    rule = session.kit.rules.get(worst.rule) if worst is not None else None
    named = [entry.partition(":")[0] for entry in rule.breaks] if rule is not None else []
    named.sort(key=lambda words: not words.startswith(GENERAL))
    return tuple(dict.fromkeys(name for words in named for name in words.split(", ")))


# as JSON


def to_json(digest: Digest) -> dict[str, Any]:
    """The digest as the settings keep it."""
    ticks, hollow, strokes = digest.sketch
    return {
        "version": VERSION,
        **{name: getattr(digest, name) for name in ("model", "provider", "dialect", "size", "duration", "rule")},
        "severity": digest.severity,
        "counts": list(digest.counts),
        "breaks": list(digest.breaks),
        "ticks": list(ticks),
        "hollow": hollow,
        "strokes": [list(stroke) for stroke in strokes],
    }


def from_json(value: Mapping[str, Any] | None) -> Digest | None:
    """A digest out of the settings, None for whatever is none: anybody may have written that file."""
    if value is None or value.get("version") != VERSION:
        return None
    texts: list[Any] = [value.get(name) for name in ("model", "provider", "dialect", "rule", "severity")]
    lists: list[Any] = [value.get(name) for name in ("counts", "breaks", "ticks", "strokes")]
    if not all(isinstance(text, str) and len(text) <= LONGEST for text in texts) or texts[4] not in SEVERITIES:
        return None
    if not all(isinstance(part, list) and len(part) <= MOST for part in lists):
        return None
    counts, breaks, ticks, strokes = lists
    sound = len(counts) == 3 and all(map(_count, counts)) and all(map(_place, ticks))
    sound = sound and all(isinstance(name, str) and len(name) <= LONGEST for name in breaks)
    sound = sound and all(map(_stroke, strokes)) and _count(value.get("size"))
    duration = value.get("duration")
    if not sound or not (duration is None or _count(duration)):
        return None
    return Digest(
        texts[0], texts[1], texts[2], tuple(counts), value["size"], duration, texts[3], texts[4], tuple(breaks),
        Sketch(tuple(ticks), value.get("hollow") is True, tuple(Stroke(*stroke) for stroke in strokes)),
    )  # fmt: skip


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 62


def _place(value: Any) -> bool:
    return type(value) is int and 0 <= value <= SPAN


def _stroke(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 5:
        return False
    shape, row, start, end, meaning = value
    places = _place(start) and _place(end) and type(row) is int and 0 <= row <= 3
    return places and (shape in SHAPES or shape in GLYPHS) and meaning in MEANINGS
