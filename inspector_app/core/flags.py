"""Bits that a framing sets on an event: the contract's flags, and facts about its lines that rules subscribe to."""

from __future__ import annotations

COMMENT_ONLY = 1 << 0
NO_DATA = 1 << 1
DANGLING = 1 << 2
BOM = 1 << 3
NUL_ID = 1 << 4
INVALID_UTF8 = 1 << 5
UNKNOWN_FIELD = 1 << 6
NOT_JSON = 1 << 7

COMMENT = 1 << 8
NO_SPACE = 1 << 9
MULTI_DATA = 1 << 10
EMPTY_DATA = 1 << 11
BAD_RETRY = 1 << 12
UNFRAMED_JSON = 1 << 13
BARE_MARKER = 1 << 14
HTML = 1 << 15
LARGE_LINE = 1 << 16
EMPTY_AFTER_ID = 1 << 17
PARTIAL_LINE = 1 << 18
UNFRAMED_MARKER = 1 << 19
LOST = 1 << 20
"""This reader's framing never gave the event to its client (a lens rule, see `Analysis.unread`)."""
DOUBLE_WRAPPED = 1 << 21
MULTI_ROOT = 1 << 22
CUT = 1 << 23
AFTER_MARKER = 1 << 24
HAS_ID = 1 << 25
EXCEPTION = 1 << 26
"""The frame says of itself that it is an error (AWS exception and error frames)."""
PLAIN_TEXT = 1 << 27
"""The data is text and was never meant as JSON: its dialect says so by the name of the event."""
WRAPPED = 1 << 28
"""What an envelope in the data holds is read, not the data itself (core/wrapped.py)."""

HARMLESS = HAS_ID | NO_SPACE | COMMENT | BAD_RETRY | LARGE_LINE | MULTI_DATA | EMPTY_DATA
"""Facts about lines that change nothing for the data, where that is JSON or plain text."""

UNDISPATCHED = COMMENT_ONLY | NO_DATA | DANGLING

NAMES = (
    (COMMENT_ONLY, "comment-only"),
    (NO_DATA, "no-data"),
    (DANGLING, "dangling"),
    (BOM, "bom"),
    (NUL_ID, "nul-id"),
    (INVALID_UTF8, "invalid-utf8"),
    (UNKNOWN_FIELD, "unknown-field"),
    (NOT_JSON, "not-json"),
)
"""The contract's words (section 2), in its order."""


def words(flags: int) -> tuple[str, ...]:
    """The contract's flags of an event."""
    return tuple(name for bit, name in NAMES if flags & bit)
