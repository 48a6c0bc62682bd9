"""What a list says of an exchange through the proxy: read as it comes, by whoever keeps the list, without diagnosis."""

from __future__ import annotations

from collections.abc import Callable

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit
from inspector_app.core.timing import ladder, rung_events
from inspector_app.core.transfer import ENDS, answer_words
from inspector_app.core.types import Http
from inspector_app.live.growth import Growth
from inspector_app.live.proxy_exchange import CLOSED, LEFT, STOPPED, ProxyExchange
from inspector_app.live.request import Outgoing

AT_ONCE = 32
"""Items that are taken between two looks at the clock: reads of up to 64 KiB each."""
COUNTED_FROM = 1 << 20
"""Bytes from which the events of an answer are only counted, once its first token is known."""
WHO = {LEFT: "the client left", STOPPED: "ended by hand", CLOSED: "the proxy was stopped"}
"""Why an exchange was cancelled -> the same in few words."""
TOKENS = ("first_reasoning", "first_text", "first_tool")
"""Rungs of the ladder that a first token stands at."""
PIECES = ("json", "html", "text")
"""Framings of answers in one piece."""
_NOTHING = Outgoing("", "", (), b"")


class Watch:
    """One exchange. `step` brings it up to date; when it is `over` its numbers stay, and nothing else of it."""

    def __init__(self, exchange: ProxyExchange, kit: Kit) -> None:
        self.exchange = exchange
        self._bodiless = exchange.request.method == "HEAD"
        self.http: Http | None = None
        self.events = self.bytes = 0
        self.dialect = ""
        self.how = self.detail = ""
        """How it ended, as in an end record, and why in words."""
        self.first_token: int | None = None
        self.lasted = 0
        """Nanoseconds from the request to the end."""
        self.whole = False
        """Whether it was no stream but an answer in one piece, which ends without a marker of its own."""
        self.stopped: str | None = None
        """Why there is no recording, or only the beginning of one."""
        self._growth: Growth | None = Growth("", _NOTHING)
        self._analysis = Analysis(self._growth.exchange, kit, diagnose=False)
        self._only_counts = False

    @property
    def over(self) -> bool:
        """Whether it has ended, its recording as well."""
        return self._growth is None

    @property
    def state(self) -> str:
        """How far it is, or how it ended, in a few words."""
        if self.over:
            if self.how == "cancelled":
                return WHO.get(self.detail, ENDS[self.how])
            if self.how == "eof" and self.whole:
                return ENDS["done"]
            failed = self.how == "http_error" and self.http is not None
            return answer_words(self.http) if failed and self.http is not None else ENDS.get(self.how, self.how)
        return "waiting for the answer" if self.http is None else "streaming"

    def step(self, enough: Callable[[], bool] = lambda: False) -> bool:
        """Read what has come, until it is `enough`; whether anything changed."""
        growth = self._growth
        changed = False
        while growth is not None and not growth.ended:
            items = self.exchange.own.take(AT_ONCE)
            if not items:
                break
            changed = True
            self._analysis.feed(b"".join(growth.add(items)))
            self._let_go(growth)
            if enough():
                break
        if growth is None or not changed:
            return False
        self.http, self.stopped = growth.exchange.http, growth.stopped
        reading = self._analysis.reading
        if growth.ended:
            reading = self._analysis.finish()
            self._conclude(growth)
            # The reading refers to itself, and may stay for a while.
            growth.body.let_go()
        self.events, self.bytes = len(reading.events), len(growth.body)
        self.whole = reading.framing in PIECES or (not self.bytes and self._bodiless)
        self.dialect = reading.dialect or ""
        return True

    def _conclude(self, growth: Growth) -> None:
        end = growth.exchange.end or {}
        self.how, self.detail = str(end.get("how") or ""), str(end.get("detail") or "")
        self.lasted = growth.exchange.end_time or 0
        if not self._only_counts:
            self.first_token = self._first_token()
        self._growth = None
        self.exchange.forget()

    def _let_go(self, growth: Growth) -> None:
        """Keep no more of a long answer than the list shows of it."""
        if self._only_counts or len(growth.body) < COUNTED_FROM:
            return
        if not rung_events(self._analysis.reading).keys().isdisjoint(TOKENS):
            self._only_counts = True
            # What is not read to its end is judged otherwise: a thought whose tag is never closed is text.
            self.first_token = self._first_token()
            self._analysis.count_on()
            growth.body.let_go()

    def _first_token(self) -> int | None:
        first = ladder(self._analysis.reading)
        return min((at for name in TOKENS if (at := first[name]) is not None), default=None)
