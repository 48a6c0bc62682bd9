"""The key of a request, where its server repeats it in the answer: masked before anything of it is kept or shown.

Only the very secrets that went out are looked for, as they are and in the ways in which JSON, URLs and HTML write them.
The mask has their length, so every other byte stays where it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inspector_app.live.capture import Read
from inspector_app.live.request import forms_of

WORD = b"redacted"
"""How a mask begins; asterisks follow up to its length."""
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
        self._any = re.compile(b"|".join(map(re.escape, self._forms)))
        self._longest = len(self._forms[0]) if self._forms else 0
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
        found = [one.span() for one in self._any.finditer(data)] if any(form in data for form in self._forms) else []
        ready = len(data) if last else self._ready(data, found[-1][1] if found else 0)
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

    def _ready(self, data: bytes, since: int) -> int:
        """Up to where no secret can have begun that is not there whole."""
        ready = len(data)
        for form in self._forms:
            at = data.find(form[:1], max(since, len(data) - len(form) + 1))
            while 0 <= at < ready:
                if form.startswith(data[at:]):
                    ready = at
                at = data.find(form[:1], at + 1)
        return ready
