"""The key of a request, where its server repeats it in the answer: masked before anything of it is kept or shown.

Only the very secrets that went out are looked for, as they are, in JSON with any of their characters escaped, and as
URLs and HTML write them. In other codings (base64, hexadecimal), or in pieces, as over several deltas, they are not
found.
The mask has their length, so every other byte stays where it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inspector_app.live.capture import Read
from inspector_app.live.key_in_json import Spelling, is_begun, pattern_of, spelling_of
from inspector_app.live.request import forms_of

WORD = b"redacted"
"""How a mask begins; asterisks follow up to its length."""
LEAST_BEGUN = len(WORD)
"""Bytes from which the beginning of a secret is masked where the body ends inside of it."""
MOST_PLACES = 1000
"""Places that are noted of one answer."""


class KeyMask:
    """Passes the reads of one body on, masked. What may be the beginning of a secret waits for the bytes that tell.

    At most one byte less than the longest form waits; it keeps the time of its read, and all before it goes on at once.
    """

    def __init__(self, secrets: Sequence[str]) -> None:
        forms = {form.encode() for secret in secrets for form in forms_of(secret)}
        self.places: list[tuple[int, int]] = []
        """Where the masks stand: [start, end) of the body, before content coding is undone."""
        self._forms = sorted(forms, key=len, reverse=True)
        self._spellings = [spelling_of(secret) for secret in secrets if forms_of(secret)]
        patterns = [*map(pattern_of, self._spellings), *map(re.escape, self._forms)]
        self._any = re.compile(b"|".join(patterns))
        self._starts = [_starts_of(one) for one in self._spellings]
        self._lengths = [sum(len(forms[0]) for forms in one) for one in self._spellings]
        self._escapes = (b"\\u00" if all(map(str.isascii, secrets)) else b"\\u", b"\\/")
        """One of these stands in the data where a secret does that is none of the forms."""
        self._held: list[Read] = []
        self._at = 0

    def feed(self, reads: list[Read]) -> list[Read]:
        """The next reads; gives what can be passed on."""
        return self._pass_on(reads, last=False) if self._forms else reads

    def rest(self) -> list[Read]:
        """What still waited when the body ended."""
        return self._pass_on([], last=True)

    def _pass_on(self, reads: list[Read], last: bool) -> list[Read]:
        reads = [*self._held, *reads]
        data = b"".join(read.data for read in reads) if len(reads) > 1 else reads[0].data if reads else b""
        may_be = any(form in data for form in self._forms) or self._holds_escape(data)
        found = [one.span() for one in self._any.finditer(data)] if may_be else []
        ready = self._ready(data, found[-1][1] if found else 0)
        if last and len(data) - ready >= LEAST_BEGUN:
            found.append((ready, len(data)))
        ready = len(data) if last else ready
        if not found and ready == len(data):
            self._held, self._at = [], self._at + len(data)
            return reads
        masked = bytearray(data)
        for start, end in found:
            masked[start:end] = WORD + b"*" * (end - start - len(WORD))
            if len(self.places) < MOST_PLACES:
                self.places.append((self._at + start, self._at + end))
        out: list[Read] = []
        self._held = []
        at = 0
        for read in reads:
            end = at + len(read.data)
            cut = min(max(ready, at), end)
            if cut > at:
                out.append(Read(read.t, bytes(masked[at:cut])))
            if end > cut:
                self._held.append(Read(read.t, bytes(masked[cut:end])))
            at = end
        self._at += ready
        return out

    def _holds_escape(self, data: bytes) -> bool:
        """Whether a character of a secret may stand escaped in the data."""
        return bool(self._forms) and b"\\" in data and any(escape in data for escape in self._escapes)

    def _ready(self, data: bytes, since: int) -> int:
        """Up to where no secret can have begun that is not there whole."""
        ready = len(data)
        for form in self._forms:
            at = data.find(form[:1], max(since, len(data) - len(form) + 1))
            while 0 <= at < ready:
                if form.startswith(data[at:]):
                    ready = at
                at = data.find(form[:1], at + 1)
        for spelling, start, longest in zip(self._spellings, self._starts, self._lengths, strict=True):
            least = max(since, len(data) - longest + 1)
            # Without an escape it is one of the forms above.
            for one in start.finditer(data, least) if data.find(b"\\", least) >= 0 else ():
                if one.start() >= ready:
                    break
                if is_begun(spelling, data, one.start()):
                    ready = one.start()
                    break
        return ready


def _starts_of(spelling: Spelling) -> re.Pattern[bytes]:
    """Where to look closer: nearly all other places are told by two bytes that they begin no secret."""
    first, second = (re.escape(forms[-1][:1]) for forms in spelling[:2])
    return re.compile(rb"[%b\\](?=[%b\\/\"u]|\Z)" % (first, second))
