"""What the recording proxy takes, and where it goes: pure rules over the bytes and names of a request.

A request never chooses its target: that is the base URL of its route, and its path only goes on below that. What any
server on this machine refuses (loopback.py) does not come as far as here.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv6Address, ip_address
from math import inf
from urllib.parse import unquote, urlsplit

from inspector_app.core.redact import redact_text
from inspector_app.core.rules import nearest
from inspector_app.live import provider_checks as checks
from inspector_app.live.base_urls import Setting, settings
from inspector_app.live.capture import Conditions
from inspector_app.live.loopback import Refusal, Request
from inspector_app.live.providers import Provider

OWN_HEADER = "x-stream-inspector-proxy"
"""Goes along to servers without TLS, which may be a way back to this proxy; lists the proxies that were passed."""

Fields = Sequence[tuple[str, str]]

_PER_HOP = frozenset(
    ("connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te",
     "transfer-encoding", "upgrade", "http2-settings")
)  # fmt: skip
"""Header fields that speak of one connection, not of the message."""
_NOT_ON = ("host", "expect", "content-length")
"""Fields of a request that are made anew: for the other server, and for a body that is there whole."""

_NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)=(.*)")
_VERSION_END = re.compile(r"/v\d\w*$")
_DOTS = re.compile(r"\.{1,2}")


class RouteFault(ValueError):
    """An upstream that cannot be used: one line, what and why."""


PATIENT = Conditions(idle_s=inf, http2=False, many=True)
"""Silence is never ended here: that is the client's to say. HTTP/1.1, whose chunks can be passed on one by one."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where requests go. `name` is the first part of their path, empty for the only route; `base` a URL without a slash
    at its end.
    """

    base: str
    name: str = ""
    conditions: Conditions = PATIENT
    dialect: str = ""
    """What is spoken there, as far as that is known: it says which clients fit."""

    @property
    def prefix(self) -> str:
        """What its requests have before their own path."""
        return f"/{self.name}" if self.name else ""

    @property
    def path(self) -> str:
        """The path of the base URL, empty where it has none."""
        return urlsplit(self.base).path

    @property
    def version(self) -> str:
        """The version that ends the path of the base URL, such as /v1; empty where it has none."""
        found = _VERSION_END.search(self.path)
        return found[0] if found else ""

    @property
    def host(self) -> str:
        """The host that is asked, with its port where it is said."""
        return urlsplit(self.base).netloc


def route_of(text: str, providers: Mapping[str, Provider]) -> Route:
    """The route that `URL`, `NAME=URL`, or the name of a provider describes. Raises RouteFault."""
    if text in providers:
        return provider_route(providers[text])
    named = _NAMED.fullmatch(text)
    name, url = (named[1], named[2]) if named else ("", text)
    if "://" not in url:
        raise RouteFault(
            f"{text!r} is neither a URL, such as https://api.openai.com/v1, nor a provider{nearest(text, providers)}"
        )
    return Route(base_url(url), name)


def base_url(text: str) -> str:
    """The URL of an upstream, fit to be joined with a path. Raises RouteFault, which never quotes it."""
    if why := _not_in_a_base(text):
        raise RouteFault(f"the upstream {why}")
    try:
        base = str(checks.CHECKS["base_url"](text))
        # Two programs may see two hosts in what is odd before the path.
        if not re.fullmatch(r"https?://[A-Za-z0-9._\-\[\]:]+(/[!-~]*)?", base):
            raise ValueError("has a character in it that no URL has")
    except ValueError as error:
        raise RouteFault(f"the upstream {error}") from None
    return base


def _not_in_a_base(text: str) -> str:
    """What of a URL is the client's to send."""
    if "@" in text.partition("://")[2].partition("/")[0]:
        return "has a user name or password before the @: leave it out, clients send their own key"
    if odd := next((mark for mark in "?#" if mark in text), ""):
        return f"has a {odd} in it: leave it out with all that follows, what a client asks goes along"
    if redact_text(text) != text:
        return "has a key in it: leave it out, clients send their own"
    return ""


def provider_route(provider: Provider, name: str = "") -> Route:
    """The route to a provider, with its own CA file and proxy. Raises RouteFault where it has no address."""
    if not provider.base_url:
        form = provider.knows.base_url_form
        raise RouteFault(f"{provider.name} has no address of its own: give the URL{form and f', like {form}'}")
    base = base_url(provider.base_url)
    if provider.dialect in VERSIONED:
        base = _VERSION_END.sub("", base)
    conditions = replace(PATIENT, ca_file=provider.ca_file, proxy=provider.proxy)
    return Route(base, name, conditions, provider.dialect)


VERSIONED = ("anthropic-messages", "gemini", "gemini-interactions")
"""Dialects whose own clients put the version into the path themselves, also where they upload files."""


def check_routes(routes: Sequence[Route]) -> None:
    """Raises RouteFault where two routes have the same name."""
    names = [route.name for route in routes]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise RouteFault(f"two routes are named {twice!r}")
    if names.count("") > 1:
        raise RouteFault("of several routes each needs a name: NAME=URL")


def leads_here(route: Route, port: int) -> bool:
    """Whether the upstream of a route is this very proxy, however its address is written."""
    parts = urlsplit(route.base)
    return (parts.port or _PORTS[parts.scheme]) == port and _is_here(parts.hostname or "")


_PORTS = {"http": 80, "https": 443}


def _is_here(host: str) -> bool:
    """Whether a host is this machine by its loopback or by no address at all, which means the same."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ip_address(name)
    except ValueError:
        try:
            # As the system reads it: 127.1, 0x7f.1, 2130706433.
            address = ip_address(socket.inet_aton(name))
        except OSError:
            return False
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    return address.is_loopback or address.is_unspecified


def why_not(request: Request, own: str) -> Refusal | None:
    """Why a request that a server on this machine may answer is not passed on; None where it may be.

    `own` is the name of this proxy in OWN_HEADER.
    """
    path = request.target.partition("?")[0]
    if path.startswith("//") or "#" in request.target or "\\" in path or not request.target.isascii():
        return Refusal(400, "the path must begin with one /, and hold no # and no backslash")
    # Twice: a server behind the server may undo a second coding.
    parts = unquote(unquote(path)).replace("\\", "/").split("/")
    if any(_DOTS.fullmatch(part.partition(";")[0]) for part in parts):
        return Refusal(400, "the path has a . or .. in it, which would lead out of the upstream's own")
    upgrade = (request.header("upgrade") or "").strip()
    # A server may pass over this one; Java's client asks it of everybody.
    if upgrade and upgrade.lower() != "h2c":
        return Refusal(501, f"an upgrade to {upgrade[:40]} is not taken: this proxy passes HTTP only, no WebSocket")
    if any(name == OWN_HEADER and own in value for name, value in request.headers):
        return Refusal(508, "the request has been here before: the upstream of this proxy leads back to it")
    return None


def settings_of(route: Route, url: str) -> list[Setting]:
    """What to set in which client to go through a route of the proxy that listens at `url`; the key stays its own."""
    dialects = frozenset({route.dialect}) if route.dialect else None
    return settings(url + route.prefix, dialects, version=route.version.strip("/") or "v1", with_key=False)


def find_route(target: str, routes: Sequence[Route]) -> tuple[Route, str] | Refusal:
    """The route of a request, and what of its target is left for the upstream."""
    path = target.partition("?")[0]
    for route in routes:
        if route.name and (path == route.prefix or path.startswith(f"{route.prefix}/")):
            rest = target[len(route.prefix) :]
            return route, rest if rest.startswith("/") else f"/{rest}"
    plain = next((route for route in routes if not route.name), None)
    if plain is None:
        known = ", ".join(f"{route.prefix}/…" for route in routes)
        return Refusal(404, f"no upstream is behind this path; the paths are {known}")
    return plain, target


def upstream_url(route: Route, target: str) -> str:
    """The URL that is asked. People set a base URL with and without the path, or the version, of the upstream's."""
    path = target.partition("?")[0]
    for known in (route.path, route.version):
        if known and (path == known or path.startswith(f"{known}/")):
            return route.base + target[len(known) :]
    return route.base + target


def passed_fields(request: Request, route: Route, own: str) -> tuple[tuple[str, str], ...]:
    """The header fields that go on to the upstream, names and order as they came."""
    passed = end_to_end(request.sent, (*_NOT_ON, OWN_HEADER))
    if route.base.startswith("http:"):
        before = [value for name, value in request.headers if name == OWN_HEADER]
        passed.append((OWN_HEADER, ", ".join([*before, own])))
    return tuple(passed)


def end_to_end(fields: Fields, without: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The header fields that are about the message: those of one connection are left out, and those it names so."""
    named = ",".join(value for name, value in fields if name.lower() == "connection").lower().split(",")
    left = _PER_HOP | {one.strip() for one in named} | set(without)
    return [(name, value) for name, value in fields if name.lower() not in left]
