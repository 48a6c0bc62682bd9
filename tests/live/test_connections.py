"""What is said where no request gets through: by `record`, by `check` of its recording, by a test of the connection."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest

from inspector_app.cli import main
from inspector_app.live.keys import typed
from inspector_app.live.probe import try_connection
from inspector_app.live.providers import known_providers, providers_file
from tests.live import connections as at
from tests.live.streams import CANARY

KEY = "CONNECTION_TEST_KEY"
ENTRY = """
[providers.x]
base_url = "{route.base_url}"
dialect = "openai-chat"
model = "m"
key_env = "{key}"
ca_file = "{route.ca_file}"
proxy = "{route.proxy}"
timeout_idle_s = {route.idle_s}
"""
PLAIN = "if the server speaks plain HTTP on this port, write http:// in base_url"
PROXY_AUTH = 'Proxy-Authenticate: Basic realm="x"'


class Told(NamedTuple):
    """How to be refused; what `record` says of it; the advice of `check`, and that of a test of the connection."""

    make: at.Make
    said: str
    advice: str
    tested: str
    recorded: int = 2


CONNECTIONS: dict[str, Told] = {
    "refused": Told(at.refused, "no connection: {at}: nothing listens there", "Look whether the server runs", "{at}: "),
    "no-such-name": Told(
        at.no_such_name, "no connection: {at}: there is no server of that name", "Look whether the server runs", "look"
    ),
    "silent-tls": Told(
        at.silent_tls,
        "silent too long: the server did not answer the TLS handshake within 0.3 s",
        "where the server speaks plain HTTP, write http://",
        PLAIN,
    ),
    "hangs-up-at-tls": Told(
        at.hangs_up_at_tls,
        "no trusted connection: {at}: the server hung up in the TLS handshake",
        "where the server speaks plain HTTP, write http://",
        PLAIN,
    ),
    "plain-behind-https": Told(
        at.plain_behind_https,
        "no trusted connection: {at}: what listens there speaks no TLS",
        "where the server speaks plain HTTP, write http://",
        PLAIN,
    ),
    "tls-behind-http": Told(
        at.tls_behind_http,
        "broke off: the server closed the connection without an answer",
        "Look into the log",
        "look at base_url (http or https?), and into the log of the server",
    ),
    "unknown-issuer": Told(
        at.certificate(lambda: at.certified("127.0.0.1"), known=False),
        "{at}: the certificate of the server is not trusted: unable to get local issuer certificate",
        "Compare the name in the base URL",
        "issued by Example Authority, valid from 2000-01-01 to 3000-01-01; if you trust its issuer",
    ),
    "self-signed": Told(
        at.certificate(lambda: at.certified(itself=True)),
        "{at}: the certificate of the server is not trusted: self-signed certificate",
        "give that certificate as ca_file",
        "issued by itself, valid from 2000-01-01 to 3000-01-01; if you trust it, put the certificate into a file",
    ),
    "expired": Told(
        at.certificate(lambda: at.certified("127.0.0.1", until=at.LONG_AGO)),
        "{at}: the certificate of the server is not trusted: certificate has expired",
        "Compare the name",
        "to 2020-01-02; ask its owner to renew it",
    ),
    "wrong-name": Told(
        at.certificate(lambda: at.certified("other.example")),
        "{at}: the certificate of the server is not trusted: IP address mismatch, certificate is not valid for",
        "Compare the name",
        "it is for other.example, issued by Example Authority",
    ),
    "no-ca-file": Told(
        at.no_ca_file,
        "the connection is not set up right: the CA file",
        "Mend what the entry of the provider says",
        "nowhere.pem cannot be read: No such file or directory",
    ),
    "no-proxy": Told(
        at.no_proxy,
        "no connection: llm.example.com: nothing listens there (through the proxy {proxy})",
        "Look whether the server runs, and whether base URL, port and proxy are right",
        "nothing listens there (through the proxy {proxy}): look at base_url and proxy",
    ),
    "proxy-407": Told(
        at.proxy("407 Proxy Authentication Required", PROXY_AUTH),
        "llm.example.com: the proxy refused: 407 Proxy Authentication Required (through the proxy {proxy})",
        "whether it wants a name and a password",
        "give its name and password in the environment variable https_proxy",
    ),
    "proxy-403": Told(
        at.proxy("403 Forbidden"),
        "llm.example.com: the proxy refused: 403 Forbidden (through the proxy {proxy})",
        "Look at the proxy",
        "look at base_url and proxy",
    ),
    "proxy-407-without-tls": Told(
        at.proxy("407 Proxy Authentication Required", PROXY_AUTH, base_url="http://llm.example.com/v1"),
        "HTTP 407: the proxy wants a name and a password",
        "in the environment variable http_proxy",
        "407: the proxy wants a name and a password: give them in the environment variable http_proxy",
    ),
    "silent-proxy": Told(
        at.silent_proxy,
        "silent too long: the proxy did not answer within 0.3 s (through the proxy {proxy})",
        "Look at the proxy",
        "look at proxy",
    ),
    "http2-reset": Told(
        at.http2(events=3),
        "reset by the other side: the server reset the stream with error 2, internal error (HTTP/2)",
        "Tell the user that the connection dropped",
        "streams (HTTP/2, text/event-stream)",
        0,
    ),
    "http2-reset-at-once": Told(
        at.http2(events=0, code=7),
        "reset by the other side: the server reset the stream with error 7, refused stream (HTTP/2)",
        "Look into the log",
        "look at base_url, and into the log of the server",
    ),
    "http2-goes-away": Told(
        at.http2(events=3, goes_away=True, code=0),
        "reset by the other side: the server ended the connection with error 0, no error (HTTP/2)",
        "Tell the user that the connection dropped",
        "streams (HTTP/2, text/event-stream)",
        0,
    ),
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, CANARY)
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", CONNECTIONS)
def test_what_is_in_the_way_is_told(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told, out = CONNECTIONS[name], tmp_path / "x.rec.jsonl"
    with told.make(tmp_path) as route:
        providers_file().parent.mkdir(parents=True, exist_ok=True)
        providers_file().write_text(ENTRY.format(route=route, key=KEY))
        places = {"at": route.base_url.partition("://")[2].partition("/")[0], "proxy": route.proxy}
        assert main(["record", "x", "--prompt", "x", "--out", str(out)]) == told.recorded
        printed = capfd.readouterr()
        verdict = asyncio.run(try_connection(known_providers(providers_file())["x"], typed(CANARY)))
    assert told.said.format(**places) in printed.err
    assert printed.err.count("\n") == 1
    assert main(["check", str(out)]) == 1
    checked = capfd.readouterr().out
    assert told.advice in checked
    assert told.tested.format(**places) in verdict.words
    assert verdict.ok == (told.recorded == 0)
    for words in (printed.err, checked, verdict.words):
        assert "_ssl.c" not in words
        assert "StreamReset" not in words
        assert CANARY not in words
