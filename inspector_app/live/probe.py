"""Testing a connection: one tiny request, and in words what is wrong and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from inspector_app.core.errors import is_filled
from inspector_app.core.instead import LONGEST, content_type, json_in, kind_of, message_in
from inspector_app.core.redact import redact_text
from inspector_app.core.sniff import Sniffer
from inspector_app.core.text import clip, visible
from inspector_app.core.transfer import HANDSHAKE_CUT, NO_HANDSHAKE, NO_TLS, NOT_SET_UP
from inspector_app.core.types import Http
from inspector_app.live.asking import ASKING
from inspector_app.live.capture import Conditions, End, Head, Read, Sent, capture, conditions_of
from inspector_app.live.certificate import certificate_of
from inspector_app.live.keys import NO_CREDENTIALS, Credentials
from inspector_app.live.providers import Provider
from inspector_app.live.request import Outgoing, listing, models_path, outgoing, prompt_body, without
from inspector_app.live.wire import proxy_for

PROMPT = "Say OK."
ENOUGH = 1 << 16
"""Bytes of an answer that are read at most."""
LONGEST_LIST = 1 << 22
"""The same of a list of models: some gateways have thousands, each with a description."""

_DATA = re.compile(rb"(?:^(?:\xef\xbb\xbf)?|[\r\n])data:?([^\r\n]*)[\r\n]")

_STATUS = {
    400: "the server does not accept the request: look at model, extra_body and dialect",
    402: "the account has to be paid or topped up",
    404: "nothing answers there, or the model is not known: compare base_url and path with the documentation",
    405: "there is something, but it takes no such request: compare base_url and path with the documentation",
    407: "the proxy wants a name and a password: give them in the environment variable http_proxy",
    413: "the request is too large",
    415: "the server takes no JSON there: compare base_url and path with the documentation",
    422: "the server does not accept the request: look at model, extra_body and dialect",
    429: "too many requests, or the quota is used up",
    500: "the server failed",
    502: "a gateway got no proper answer from the server behind it",
    503: "the server is overloaded or being loaded: try again later",
    504: "a gateway waited in vain for the server behind it",
    529: "the server is overloaded: try again later",
}

_NAMED_SO = "models/"
"""Before each name in the list of Gemini, and in its path anyway."""
_USES = ("endpoints", "supportedGenerationMethods")
_TALKS = ("chat", "generateContent")
"""Where the lists of Cohere and Gemini say what a model is for, and the words for what is asked here."""

_PLAIN = "if the server speaks plain HTTP on this port, write http:// in base_url"
_TLS_ADVICE = (
    ("expired", "ask its owner to renew it"),
    ("not yet valid", "look at the clock of this machine"),
    ("mismatch", "base_url must have a name that the certificate is for"),
    ("not valid for", "base_url must have a name that the certificate is for"),
    ("self-signed", "if you trust it, put the certificate into a file and name it in ca_file"),
    ("self signed", "if you trust it, put the certificate into a file and name it in ca_file"),
    ("local issuer", "if you trust its issuer, perhaps your company, name its certificate in ca_file"),
    (NO_TLS.lower(), _PLAIN),
    (HANDSHAKE_CUT.lower(), _PLAIN),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a test. `kind`: stream, listed, no-stream, http-STATUS, or `how` of an end record.

    `models` are the names that the server listed.
    """

    ok: bool
    kind: str
    words: str
    models: tuple[str, ...] = ()


class _Enough(Exception):
    """What had to be known is known."""


class _First:
    """Takes the head and the first bytes of an answer, until they tell."""

    def __init__(self, framing: str) -> None:
        self.framing = framing
        """That of a stream, empty where none is asked for."""
        self.http: Http | None = None
        self.body = b""

    def put(self, item: Sent | Head | list[Read]) -> None:
        if isinstance(item, Head):
            self.http = item.http
        elif isinstance(item, list):
            self.body += b"".join(read.data for read in item)
            streams = self.http is not None and self.http.status < 300 and self.framing and self.streams()
            if streams or len(self.body) >= (ENOUGH if self.framing else LONGEST_LIST):
                raise _Enough

    def streams(self) -> bool:
        """Whether the first event of a stream is there."""
        if self.framing == "ndjson":
            first, newline, _ = self.body.lstrip().partition(b"\n")
            return bool(newline) and isinstance(json_in(first), dict)
        return Sniffer().feed(self.body) == "sse" and _DATA.search(self.body) is not None


async def try_connection(
    provider: Provider, credentials: Credentials = NO_CREDENTIALS, conditions: Conditions | None = None
) -> Verdict:
    """Ask a provider for a stream and read its first event; without a model, for the list of models where known.

    Nothing is kept. Raises ProviderFault when the request cannot be made.
    """
    lists = not provider.model and bool(provider.knows.models_path)
    if lists:
        request = listing(provider, credentials)
    else:
        request = outgoing(provider, prompt_body(provider, PROMPT), credentials)
    framing = "ndjson" if "ndjson" in ASKING[provider.dialect].accept else "sse"
    first = _First("" if lists else framing)
    conditions = conditions or conditions_of(provider)
    end: End | None = None
    try:
        end = await capture(request, first.put, conditions)
    except _Enough:
        pass
    words = _Words(provider, credentials, request, conditions)
    if first.http is None:
        assert end is not None
        return Verdict(False, end.how, words.safe(await words.no_answer(end)))
    if not 200 <= first.http.status < 300:
        return Verdict(False, f"http-{first.http.status}", words.safe(words.refusal(first)))
    verdict = words.list_of_models(first) if lists else words.stream(first, end)
    return replace(verdict, words=words.safe(verdict.words))


async def list_models(
    provider: Provider, credentials: Credentials = NO_CREDENTIALS, conditions: Conditions | None = None
) -> tuple[str, ...]:
    """The names of the models that a provider lists for streaming; none where it lists none, or cannot be asked."""
    if not models_path(provider):
        return ()
    first = _First("")
    try:
        await capture(listing(provider, credentials), first.put, conditions or conditions_of(provider))
    except _Enough:
        pass
    if first.http is None or not 200 <= first.http.status < 300:
        return ()
    return tuple(_without(_models(json_in(first.body)) or (), credentials))


class _Words:
    def __init__(self, provider: Provider, credentials: Credentials, request: Outgoing, conditions: Conditions) -> None:
        self._provider = provider
        self._credentials = credentials
        self._request = request
        self._conditions = conditions
        self._at = f"{request.method} {redact_text(request.url)}"

    def safe(self, words: str) -> str:
        """One line that shows no secret, whatever the server said."""
        return visible(redact_text(str(without(words, self._request.secrets))))

    async def no_answer(self, end: End) -> str:
        """Nothing came back at all."""
        parts = urlsplit(self._request.url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        why = end.detail or end.how
        proxy = proxy_for(self._request.url, self._conditions.proxy)
        through = f" (through the proxy {redact_text(proxy)})" if proxy and "(through" not in why else ""
        if why.startswith(NOT_SET_UP):
            return why
        if end.how == "tls_error":
            advice = next((advice for sign, advice in _TLS_ADVICE if sign in why.lower()), "")
            about = "" if proxy or advice == _PLAIN else await certificate_of(host, port)
            return f"{host}: {'; '.join(filter(None, [why, about, advice]))}{through}"
        if end.how == "timeout" and why.startswith(NO_HANDSHAKE):
            return f"{host}:{port}: {why}; {_PLAIN}{through}"
        if end.how == "timeout" and why.startswith("the proxy"):
            return f"{host}:{port}: {why}: look at proxy"
        if end.how == "timeout":
            waited = f"connected, but not a byte came within {self._conditions.idle_s:g} s"
            return f"{self._at}: {waited}: raise timeout_idle_s if the model is slow to start{through}"
        if end.how in ("truncated", "reset"):
            scheme = " (http or https?)" if end.how == "truncated" else ""
            return f"{host}:{port}: {why}: look at base_url{scheme}, and into the log of the server{through}"
        if proxy and " 407 " in f" {why} ":
            return f"{host}:{port}: {why}: give its name and password in the environment variable https_proxy"
        return f"{host}:{port}: {why}: look at base_url{' and proxy' if proxy else ''}{through}"

    def refusal(self, first: _First) -> str:
        """The server answered with a status that is no success."""
        assert first.http is not None
        http, status = first.http, first.http.status
        message = message_in(first.body)
        said = f"; it says: {message}" if message else ""
        wait = f"; Retry-After: {clip(retry, 40)}" if (retry := http.header("retry-after")) else ""
        if status in (401, 403):
            return f"{self._at}: {status}: {self._key()}{said}"
        if 300 <= status < 400 and (location := http.header("location")):
            to = clip(redact_text(location), LONGEST)
            return f"{self._at}: {status}: redirects to {to}: redirects are not followed, name that in base_url{said}"
        why = _STATUS.get(status) or ("the server failed" if status >= 500 else "the server refuses the request")
        return f"{self._at}: {status}: {why}{wait}{said}"

    def _key(self) -> str:
        credentials = self._credentials
        if credentials.key:
            return f"the key was not accepted ({credentials.source or 'given for this run'})"
        if self._provider.auth_style == "none":
            return "a key is wanted: choose how it is sent with auth, and where it is with key_env"
        return "a key is wanted and none was sent: name its environment variable with key_env, or give it for this run"

    def list_of_models(self, first: _First) -> Verdict:
        """The server answered the question for its models."""
        names = _models(json_in(first.body))
        if names is None:
            return Verdict(False, "no-stream", f"{self._at}: what came is no list of models but {_kind(first)}")
        untested = "that it streams, and that it wants the key, is known only with a model to ask"
        count = f"{len(names)} model{'' if len(names) == 1 else 's'}"
        usable = tuple(_without(names, self._credentials))
        return Verdict(True, "listed", f"{self._at}: answers, with {count}: {untested}", usable)

    def stream(self, first: _First, end: End | None) -> Verdict:
        """The server answered the question for a stream with success."""
        if not first.streams():
            broke = f", then: {end.detail}" if end is not None and end.how != "eof" and end.detail else ""
            return Verdict(False, "no-stream", f"{self._at}: no stream came but {_kind(first)}{broke}")
        data = first.body if first.framing == "ndjson" else (_DATA.search(first.body) or [b"", b""])[1]
        event = json_in(data.split(b"\n")[0].strip())
        # An event may have a message that is none of an error: the first one of Anthropic has.
        if isinstance(event, dict) and (is_filled(event.get("error")) or event.get("type") == "error"):
            return Verdict(False, "no-stream", f"{self._at}: the stream begins with an error: {message_in(data)}")
        assert first.http is not None
        return Verdict(True, "stream", f"{self._at}: streams ({first.http.version}, {content_type(first.http)})")


def _kind(first: _First) -> str:
    assert first.http is not None
    if first.body and (coding := first.http.header("content-encoding")):
        return f"a body compressed with {clip(coding, 40)}, although none was asked for"
    return kind_of(first.http, first.body)


def _models(value: Any) -> list[str] | None:
    if isinstance(value, dict):
        value = value.get("data", value.get("models"))
    if not isinstance(value, list):
        return None
    ids = [one.get("id") or one.get("name") for one in value if isinstance(one, dict) and _may_stream(one)]
    return [one.removeprefix(_NAMED_SO) for one in ids if isinstance(one, str)]


def _without(names: Iterable[str], credentials: Credentials) -> list[str]:
    """No name of a server's is one that repeats the key."""
    return [name for name in names if without(redact_text(name), credentials.secrets) == name]


def _may_stream(model: dict[str, Any]) -> bool:
    """Whether an entry of a list is a model to talk with, as far as it says what it is for."""
    uses = [use for key in _USES if isinstance(use := model.get(key), list)]
    return not uses or any(word in use for use in uses for word in _TALKS)
