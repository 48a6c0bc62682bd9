"""A comparison of two readings as Markdown, ready for an issue: the verdict, its cause, and the evidence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from inspector_app.core.reading import Reading
from inspector_app.core.types import Finding, Place
from inspector_app.report import markdown
from inspector_app.report.notes import notes_as_markdown

MOST_FINDINGS = 3
"""Findings named that lie at the first difference."""
TOPICS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"reasoning|think|thought|reasoning_details",
        r"\b(calls?|ids?|names?|arguments|index)\b",
        r"\btext|content",
        r"\brefusal",
        r"finish reason",
        r"usage",
        r"\bevent line|\blines?\b|\bspace\b|comment|blank",
        r"\berrors?\b|\braises?\b|does not parse|do not parse",
    )
)
"""What a difference, and a sentence about a client, can be about."""


class Compared(Protocol):
    """What this needs of a comparison."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def headline(self) -> str: ...
    @property
    def cause(self) -> str: ...
    @property
    def lacks(self) -> str: ...
    @property
    def error(self) -> tuple[int, str] | None: ...
    @property
    def first_difference(self) -> Any: ...
    @property
    def blocks(self) -> tuple[int, int]: ...
    @property
    def chars(self) -> tuple[int, int]: ...


class Client(Protocol):
    """What this says of a lens."""

    @property
    def title(self) -> str: ...
    @property
    def evidence(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def summary(self) -> str: ...


def as_markdown(difference: Compared, reference: Reading, clients: Mapping[str, Client], event: int) -> str:
    """The report of a comparison. `event` is the first difference in the numbers of the reference; `clients` are the
    lenses that are known by name.
    """
    code, words = markdown.code, markdown.words
    a, b = difference.a, difference.b
    title = f"**{words(clients[b].title)}** ({code(b)})" if b in clients else f"**{words(b)}**"
    lines = [f"{title} against {code(a)}: **{difference.verdict}**. {words(difference.headline)}.", ""]
    lines += [f"- cause: {words(difference.cause)}"] if difference.cause else []
    lines += [f"- lost: {words(difference.lacks)}"] if difference.lacks else []
    first = difference.first_difference
    if first is not None:
        lines.append(f"- first difference at event {first.event}: {words(first.why)}")
    if difference.error is not None and difference.error[1] not in difference.cause:
        lines.append(f"- error at event {difference.error[0]}; it raises: {code(difference.error[1])}")
    lines.append(f"- blocks: {code(a)} {difference.blocks[0]}, {code(b)} {difference.blocks[1]}")
    if difference.chars[0] != difference.chars[1]:
        lines.append(f"- characters: {code(a)} {difference.chars[0]}, {code(b)} {difference.chars[1]}")
    lines.append(markdown.about(reference))
    for name in (a, b):
        if name in clients:
            client = clients[name]
            known = f"known by {client.evidence}: {words(client.source)}"
            told = f"{words(client.summary)} ({known})" if _is_about(client.summary, difference) else known
            lines.append(f"- client {code(name)}: {told}")
    found = concerning(reference, event)
    for finding in found:
        lines.append(f"- finding {code(finding.rule)}: {words(finding.message)} Advice: {words(finding.advice)}")
    if len(reference.events):
        place = next((place for finding in found for place in finding.places if place.event == event), None)
        lines += ["", *markdown.sent(reference, place or Place(event, *reference.bytes_of(event)))]
    lines += notes_as_markdown(reference)
    name = markdown.file_name(reference.exchange)
    lines += ["", *markdown.command("diff", name, "--as", a, "--with", b), "", markdown.closing(), ""]
    return "\n".join(lines)


def _is_about(summary: str, difference: Compared) -> bool:
    """Whether what is known of a client speaks of what differs here; else it would be taken for the cause."""
    told = f"{difference.headline} {difference.cause} {difference.lacks}"
    return any(topic.search(summary) and topic.search(told) for topic in TOPICS)


def concerning(reference: Reading, event: int) -> list[Finding]:
    """The findings at an event; where there is none but facts, the nearest that comes later in a block of the event.

    A call is known to be repeated when the copy is whole, and the readings part where it begins.
    """
    found = at_event(reference.findings, event)
    if any(finding.severity != "info" for finding in found):
        return found
    here = {block.n for block in reference.blocks if block.first_event <= event <= block.last_event}
    later = [f for f in reference.findings if f.block in here and f.severity != "info" and min(f.events) > event]
    return [*sorted(later, key=lambda finding: finding.events[0])[:1], *found][:MOST_FINDINGS]


def at_event(findings: Sequence[Finding], event: int) -> list[Finding]:
    """The first findings that lie at an event, those that are no mere facts before the others."""
    here = [f for f in findings if (at := bisect_left(f.events, event)) < len(f.events) and f.events[at] == event]
    return sorted(here, key=lambda finding: finding.severity == "info")[:MOST_FINDINGS]
