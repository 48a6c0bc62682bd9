"""The recording proxy: clients on this machine are pointed at it, it asks one upstream per route, and records.

    proxy = Proxy([route_of("https://api.openai.com/v1", {})], folder, kit)
    proxy.start()                        # binds 127.0.0.1, raises OSError and RouteFault; then `proxy.url`
    for one in proxy.take(): ...         # exchanges as they begin (follow `one.own`), and what was refused
    proxy.stop(), proxy.join(2)          # every recording has its end by then

It works in a thread of its own, as a capture does, so the times are right whatever a window does. An answer goes to the
client before anything else is done with it: a full disk stops the recording and never the client.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
import threading
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from inspector_app.core.kit import Kit
from inspector_app.core.redact import redact_text
from inspector_app.core.text import clip
from inspector_app.live.loopback import ADDRESS, Refusal, Request
from inspector_app.live.proxy_client import Client
from inspector_app.live.proxy_exchange import CLOSED, ProxyExchange, secrets_of
from inspector_app.live.proxy_rules import (
    Route,
    RouteFault,
    check_routes,
    find_route,
    leads_here,
    passed_fields,
    upstream_url,
    why_not,
)
from inspector_app.live.request import Outgoing
from inspector_app.live.running import SWITCH_S, Waker
from inspector_app.live.wire import DaemonThreads

MOST_CLIENTS = 1000
"""Connections at once."""
LONGEST = 300
"""Characters of a path that was refused which are shown."""
CLOSING_S = 1.5
"""Seconds that recordings may take to be closed when the proxy is stopped."""


class Refused(NamedTuple):
    """A request that was not passed on, and why in words. `asked` is what of it can be shown, maybe nothing."""

    at: datetime
    status: int
    words: str
    asked: str


class Proxy:
    """One proxy, from `start` to `stop`. `take` is for one consumer."""

    def __init__(
        self, routes: Sequence[Route], folder: Path, kit: Kit, *, port: int = 0, followed: bool = True
    ) -> None:
        """`folder` gets the recordings; `port` 0 is any that is free. `followed`: an answer is kept while it comes, so
        that it can be followed from its beginning. Raises RouteFault where routes are ambiguous.
        """
        check_routes(routes)
        self.routes = tuple(routes)
        self.folder = folder
        self.port = port
        self.kit = kit
        self._followed = followed
        self._own = secrets.token_hex(6)
        self._begun = 0
        self._news: deque[ProxyExchange | Refused] = deque()
        self._filled = threading.Event()
        self._waker = Waker()
        self._loop = asyncio.SelectorEventLoop(self._waker)
        self._socket: socket.socket | None = None
        self._clients: set[Client] = set()
        self._exchanges: set[ProxyExchange] = set()
        self._conclusions: set[asyncio.Task[None]] = set()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._work, name="proxy", daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{ADDRESS}:{self.port}"

    def start(self) -> None:
        """Listen from now on. Raises OSError where the port is taken, RouteFault where an upstream is this proxy."""
        try:
            self._socket = socket.create_server((ADDRESS, self.port), backlog=MOST_CLIENTS)
            self.port = self._socket.getsockname()[1]
            if any(leads_here(route, self.port) for route in self.routes):
                raise RouteFault("the upstream is this proxy itself")
        except BaseException:
            if self._socket is not None:
                self._socket.close()
            self._loop.close()
            raise
        if sys.getswitchinterval() > SWITCH_S:
            sys.setswitchinterval(SWITCH_S)
        self._thread.start()

    def take(self) -> list[ProxyExchange | Refused]:
        """What has begun, and what was refused, since the last call."""
        self._filled.clear()
        return [self._news.popleft() for _ in range(len(self._news))]

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something to take; False when the time is over first."""
        return self._filled.wait(seconds)

    def stop(self) -> None:
        """Take no more requests, end what is under way, close the recordings; may be called again."""
        try:
            self._loop.call_soon_threadsafe(self._over.set)
        except RuntimeError:
            pass  # It has stopped already.

    def join(self, seconds: float | None = None) -> bool:
        """Wait until it has stopped; False when the time is over first."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    # in its own thread

    def _work(self) -> None:
        self._loop.set_default_executor(DaemonThreads())
        try:
            self._loop.run_until_complete(self._listen())
        finally:
            self._loop.close()
            self._filled.set()

    async def _listen(self) -> None:
        assert self._socket is not None
        server = await self._loop.create_server(lambda: Client(self.port, self._talk), sock=self._socket)
        await self._over.wait()
        server.close()
        for exchange in self._exchanges:
            exchange.end_now(CLOSED)
        until = self._loop.time() + CLOSING_S
        while (self._exchanges or self._conclusions) and (left := until - self._loop.time()) > 0:
            await asyncio.wait([self._loop.create_task(asyncio.sleep(0.01)), *self._conclusions], timeout=left)
        for client in list(self._clients):
            client.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=0.2)

    async def _talk(self, client: Client) -> None:
        self._clients.add(client)
        try:
            if len(self._clients) > MOST_CLIENTS:
                await self._refuse(client, Refusal(503, f"more than {MOST_CLIENTS} connections at once"), "")
            while client.keeps and not client.gone and not self._over.is_set():
                request = await client.request()
                if request is None:
                    break
                asked = ""
                if isinstance(request, Request):
                    asked = f"{request.method} {redact_text(clip(request.target, LONGEST))}"
                    request = await self._pass_on(client, request)
                if request is not None:
                    await self._refuse(client, request, asked)
        finally:
            self._clients.discard(client)
            client.close()

    async def _refuse(self, client: Client, refusal: Refusal, asked: str) -> None:
        self._tell(Refused(datetime.now(), refusal.status, refusal.why, asked))
        await client.dismiss(refusal.status, f"Stream Inspector: {refusal.why}")

    async def _pass_on(self, client: Client, request: Request) -> Refusal | None:
        """Until the answer has ended for the client; or why the request is not passed on."""
        refusal = why_not(request, self._own)
        if refusal is not None:
            return refusal
        found = find_route(request.target, self.routes)
        if isinstance(found, Refusal):
            return found
        route, target = found
        url, fields = upstream_url(route, target), passed_fields(request, route, self._own)
        outgoing = Outgoing(request.method, url, fields, request.body, secrets_of(fields, url.partition("?")[2]))
        self._begun += 1
        name = route.name or route.host
        exchange = ProxyExchange(self._begun, outgoing, route.conditions, name, client, self.kit)
        if not self._followed:
            exchange.forget()
        self._exchanges.add(exchange)
        self._tell(exchange)
        try:
            end = await exchange.run(self.folder, lambda: self._waker.woke_at)
            # The next request does not wait for the disk.
            concluding = self._loop.create_task(exchange.conclude(end))
            self._conclusions.add(concluding)
            concluding.add_done_callback(self._conclusions.discard)
        finally:
            self._exchanges.discard(exchange)
        return None

    def _tell(self, news: ProxyExchange | Refused) -> None:
        self._news.append(news)
        self._filled.set()
