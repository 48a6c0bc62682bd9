"""The findings that were known when a part of a recording had come: those of the whole, as far as they reach back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace

from inspector_app.core.diagnosis import Rule
from inspector_app.core.reading import Reading
from inspector_app.core.types import Finding

LOCAL = ("event", "line", "read", "delta")
"""What a rule may be about that is whole as soon as it has come."""
SPLIT = "\0"
"""Stands for the detail in a message; no message holds it."""


def known_findings(whole: Reading, part: Reading, rules: Mapping[str, Rule]) -> list[Finding]:
    """What can be said after the events of `part`: all of it at the last one.

    Before that a rule that waits for the end says what is about an event by itself, and about a block that has ended.
    """
    events, blocks = len(part.events), len(part.blocks)
    if events and events == len(whole.events):
        return list(whole.findings)
    found = [
        _so_far(finding, count, rules[finding.rule], blocks)
        for finding in whole.findings
        if _is_told(finding, rules[finding.rule], whole, events) and (count := bisect_left(finding.events, events))
    ]
    raised = {finding.rule for finding in found}
    return [finding if finding.under in raised else replace(finding, under=None) for finding in found]


def _is_told(finding: Finding, rule: Rule, whole: Reading, events: int) -> bool:
    """Whether a finding can be told when so many events have come."""
    if rule.end is None or rule.scope in LOCAL:
        return True
    if rule.scope != "block" or finding.block is None:
        return False
    block = whole.blocks[finding.block]
    return (block.last_event if block.closed_at is None else block.closed_at) < events and finding.events[-1] < events


def _so_far(finding: Finding, count: int, rule: Rule, blocks: int) -> Finding:
    """A finding in its first `count` events."""
    block = finding.block if finding.block is not None and finding.block < blocks else None
    if count == len(finding.events):
        return replace(finding, block=block)
    events = finding.events[:count]
    places = [place for place in finding.places if place.event <= events[-1]]
    message = _message(finding, count, rule)
    return replace(finding, message=message, count=count, places=places, events=events, block=block)


def _message(finding: Finding, count: int, rule: Rule) -> str:
    """The rule's message for another count. What it says besides, it said from the first event on."""
    if "{call}" in rule.message:  # It is about one call, and counts nothing.
        return finding.message
    before, _, after = _filled(rule, finding.count, SPLIT).partition(SPLIT)
    message = finding.message
    if not (message.startswith(before) and message.endswith(after)):
        return message
    return _filled(rule, count, message[len(before) : len(message) - len(after)])


def _filled(rule: Rule, count: int, detail: str) -> str:
    return rule.message.format(count=count, detail=detail, s="" if count == 1 else "s")
