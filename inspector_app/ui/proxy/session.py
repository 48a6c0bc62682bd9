"""A session that follows an exchange between others: to look away does not end it."""

from __future__ import annotations

from inspector_app.live.proxy_exchange import Following
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.session import Session

NO_LIMIT = 0.0
"""Nobody here gives up on a silence: that is the client's to do."""


class ProxiedSession(LiveSession):
    """`stop` ends the exchange, as a person wants it; `cancel`, as when its tab is closed, only stops to follow."""

    def cancel(self) -> None:
        if isinstance(self._running, Following):
            self._running.leave()
        Session.cancel(self)

    def join(self, seconds: float) -> bool:
        """The recording is closed by the proxy, which waits for it."""
        return True
