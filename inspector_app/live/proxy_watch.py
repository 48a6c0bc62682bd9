"""What a list says of an exchange through the proxy: read as it comes, by whoever keeps the list, without diagnosis."""

from __future__ import annotations

from collections.abc import Callable

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit
from inspector_app.core.timing import ladder
from inspector_app.core.transfer import ENDS, answer_words
from inspector_app.core.types import Http
from inspector_app.live.growth import Growth
from inspector_app.live.proxy_exchange import CLOSED, LEFT, STOPPED, ProxyExchange
from inspector_app.live.request import Outgoing

AT_ONCE = 32
"""Items that are taken between two looks at the clock: reads of up to 64 KiB each."""
WHO = {LEFT: "the client left", STOPPED: "ended by hand", CLOSED: "the proxy was stopped"}
"""Why an exchange was cancelled -> the same in few words."""
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
            if enough():
                break
        if growth is None or not changed:
            return False
        self.http, self.stopped = growth.exchange.http, growth.stopped
        reading = self._analysis.reading
        if growth.ended:
            reading = self._analysis.finish()
            self._conclude(growth)
        self.events, self.bytes = len(reading.events), len(growth.body)
        self.whole = reading.framing in PIECES or (not self.bytes and self._bodiless)
        self.dialect = reading.dialect or ""
        return True

    def _conclude(self, growth: Growth) -> None:
        end = growth.exchange.end or {}
        self.how, self.detail = str(end.get("how") or ""), str(end.get("detail") or "")
        self.lasted = growth.exchange.end_time or 0
        first = ladder(self._analysis.reading)
        tokens = (first[name] for name in ("first_reasoning", "first_text", "first_tool"))
        self.first_token = min((at for at in tokens if at is not None), default=None)
        self._growth = None
        self.exchange.forget()
