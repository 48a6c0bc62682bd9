"""Testing a connection says in words what is wrong, and never shows a key."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from inspector_app.core.text import visible
from inspector_app.live.keys import NO_CREDENTIALS, Credentials, typed
from inspector_app.live.probe import ENOUGH, Verdict, list_models, try_connection
from inspector_app.live.providers import Knowledge, Provider
from tests.live.server import CHUNKED, ERROR, EVENTS, GATE, RESET, Server, Step, chunk, chunked, head, length

KEY = "canary-0123456789abcdef"
JSON = "application/json"
WHOLE = b'{"object":"chat.completion","choices":[{"message":{"content":"OK"}}]}'
MODELS = b'{"object":"list","data":[{"id":"a"},{"id":"b"}]}'
GEMINI = (
    b'{"models":[{"name":"models/gemini-2.5-flash","supportedGenerationMethods":["generateContent","countTokens"]},'
    b'{"name":"models/text-embedding-004","supportedGenerationMethods":["embedContent"]}]}'
)
COHERE = b'{"models":[{"name":"command-a","endpoints":["generate","chat"]},{"name":"rerank","endpoints":["rerank"]}]}'
TAGS = b'{"models":[{"name":"qwen3:4b"}]}'
START = b'event: message_start\ndata: {"type":"message_start","message":{"role":"assistant","content":[]}}\n\n'
LINE = b'{"model":"m","message":{"role":"assistant","content":"OK"},"done":false}\n'


def told(error: str, status: str, *fields: str, kind: str = JSON) -> tuple[Step, ...]:
    return (length(error.encode(), None, status, *fields, kind=kind),)


ANSWERS: dict[str, tuple[Step, ...]] = {
    "stream": (head("200 OK", CHUNKED), chunk(EVENTS[0]), GATE),
    "comments-first": (head("200 OK", CHUNKED), chunk(b": wait\n\n" * 20), chunk(EVENTS[0]), GATE),
    "mislabelled": (head("200 OK", CHUNKED, kind="text/plain"), chunk(b"\xef\xbb\xbf" + EVENTS[0]), GATE),
    "ndjson": (head("200 OK", CHUNKED, kind="application/x-ndjson"), chunk(LINE), GATE),
    "only-comments": chunked(b": wait\n\n" * 20),
    "whole": (length(WHOLE, kind=JSON),),
    "lines-of-json": chunked(LINE, LINE),
    "error-in-200": (length(b'{"error":{"message":"no such model"}}', kind=JSON),),
    "repeats-the-key": (length(b'{"error":{"message":"bad key: ' + KEY.encode() + b'"}}', kind=JSON),),
    "error-first": chunked(b'data: {"error":{"message":"overloaded\\u202e"}}\n\n'),
    "message-first": (head("200 OK", CHUNKED), chunk(START), GATE),
    "error-event-first": chunked(b'event: error\ndata: {"type":"error","error":{"message":"Overloaded"}}\n\n'),
    "page": (length(b"<!DOCTYPE html><title>Welcome to\nnginx!</title>", kind="text/html"),),
    "text": (length(b"hello there", kind="text/plain"),),
    "empty": (length(b""),),
    "packed": (length(b"\x1f\x8b\x08\x00junk", None, "200 OK", "Content-Encoding: gzip"),),
    "endless": (head("200 OK", CHUNKED, kind="text/plain"), *[chunk(b"x" * 4096)] * (ENOUGH // 2048)),
    "cut": (head("200 OK", CHUNKED), chunk(b"data: {")),
    "401": told(ERROR.decode(), "401 Unauthorized"),
    "403": told('{"detail":"Not authenticated"}', "403 Forbidden"),
    "404": told("404 page not found", "404 Not Found", kind="text/plain"),
    "404-model": told('{"error":{"message":"The model `m` does not exist"}}', "404 Not Found"),
    "405": told('{"detail":"Method Not Allowed"}', "405 Method Not Allowed"),
    "418": told("", "418 I'm a teapot"),
    "422": told('{"detail":[{"loc":["body","x"],"msg":"extra fields"}]}', "422 Unprocessable Entity"),
    "429": told('{"error":{"message":"Slow down"}}', "429 Too Many Requests", "Retry-After: 20"),
    "500": told("<html><body><h1>Oops</h1><script>alert(1)</script></body></html>", "500 Internal Server Error"),
    "502": told('{"error":"bad upstream"}', "502 Bad Gateway"),
    "599": told("", "599 Odd"),
    "307": told("", "307 Temporary Redirect", f"Location: https://elsewhere.example/v1?key={KEY}"),
    "models": (length(MODELS, kind=JSON),),
    "tags": (length(TAGS, kind=JSON),),
    "gemini-models": (length(GEMINI, kind=JSON),),
    "cohere-models": (length(COHERE, kind=JSON),),
    "many-models": (length(json.dumps({"data": [{"id": f"m/{n}"} for n in range(9000)]}).encode(), kind=JSON),),
    "key-as-model": (length(b'{"data":[{"id":"' + KEY.encode() + b'"},{"id":"m"}]}', kind=JSON),),
    "no-models": (length(b'{"ok":true}', kind=JSON),),
    "closed-at-once": (),
    "reset-at-once": (GATE, RESET),
    "silent": (GATE,),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server(scripts=lambda path: ANSWERS[path]) as running:
        yield running


def provider(server: Server, path: str, **more: str) -> Provider:
    values = {"dialect": "openai-chat", "model": "m"} | more
    return Provider("x", base_url=server.url, path=f"/{path}", **values)  # type: ignore[arg-type]


def ask(asked: Provider, credentials: Credentials = NO_CREDENTIALS) -> Verdict:
    verdict = asyncio.run(try_connection(asked, credentials))
    assert KEY not in verdict.words
    assert "\n" not in verdict.words
    assert verdict.words == visible(verdict.words)
    return verdict


@pytest.mark.parametrize(
    "path, dialect, ok, kind, said",
    [
        ("stream", "openai-chat", True, "stream", "streams (HTTP/1.1, text/event-stream)"),
        ("comments-first", "openai-chat", True, "stream", "streams"),
        ("mislabelled", "openai-chat", True, "stream", "streams (HTTP/1.1, text/plain)"),
        ("ndjson", "ollama-chat", True, "stream", "streams (HTTP/1.1, application/x-ndjson)"),
        ("only-comments", "openai-chat", False, "no-stream", "no stream came but an event stream without data"),
        ("whole", "openai-chat", False, "no-stream", "no stream came but one whole JSON document"),
        ("lines-of-json", "openai-chat", False, "no-stream", "no stream came but lines of JSON"),
        ("error-in-200", "openai-chat", False, "no-stream", "an error in one JSON document: no such model"),
        ("error-first", "openai-chat", False, "no-stream", "the stream begins with an error: overloaded‹U+202E›"),
        ("message-first", "anthropic-messages", True, "stream", "streams"),
        ("error-event-first", "anthropic-messages", False, "no-stream", "the stream begins with an error: Overloaded"),
        ("page", "openai-chat", False, "no-stream", "no stream came but an HTML page: Welcome to nginx!"),
        ("text", "openai-chat", False, "no-stream", "no stream came but plain text: hello there"),
        ("empty", "openai-chat", False, "no-stream", "no stream came but an empty body"),
        ("packed", "openai-chat", False, "no-stream", "a body compressed with gzip, although none was asked for"),
        ("endless", "openai-chat", False, "no-stream", "no stream came but plain text: xxx"),
        ("cut", "openai-chat", False, "no-stream", "an event stream without data"),
        ("401", "openai-chat", False, "http-401", "401: a key is wanted and none was sent"),
        ("401", "openai-chat", False, "http-401", "it says: Invalid key"),
        ("401", "ollama-chat", False, "http-401", "401: a key is wanted: choose how it is sent with auth"),
        ("403", "openai-chat", False, "http-403", "it says: Not authenticated"),
        ("404", "openai-chat", False, "http-404", "404: nothing answers there"),
        ("404", "openai-chat", False, "http-404", "it says: 404 page not found"),
        ("404-model", "openai-chat", False, "http-404", "it says: The model `m` does not exist"),
        ("405", "openai-chat", False, "http-405", "takes no such request"),
        ("418", "openai-chat", False, "http-418", "418: the server refuses the request"),
        ("422", "openai-chat", False, "http-422", "extra fields"),
        ("429", "openai-chat", False, "http-429", "quota is used up; Retry-After: 20; it says: Slow down"),
        ("500", "openai-chat", False, "http-500", "500: the server failed; it says: Oops"),
        ("502", "openai-chat", False, "http-502", "the server behind it; it says: bad upstream"),
        ("599", "openai-chat", False, "http-599", "599: the server failed"),
        ("307", "openai-chat", False, "http-307", "redirects to https://elsewhere.example/v1?key=<redacted"),
        ("closed-at-once", "openai-chat", False, "truncated", "closed the connection without an answer"),
    ],
)
def test_an_answer_is_put_in_words(server: Server, path: str, dialect: str, ok: bool, kind: str, said: str) -> None:
    verdict = ask(provider(server, path, dialect=dialect))
    assert (verdict.ok, verdict.kind) == (ok, kind)
    assert said in verdict.words
    assert "alert" not in verdict.words
    if verdict.kind.startswith("http"):
        assert f"POST {server.url}/{path}" in verdict.words, "the path tried"


def test_a_key_that_was_not_accepted_is_named_by_its_place(server: Server) -> None:
    credentials = Credentials(KEY, "the environment variable X_KEY")
    verdict = ask(provider(server, "401"), credentials)
    assert "401: the key was not accepted (the environment variable X_KEY)" in verdict.words
    assert server.requests[0][1]["authorization"] == f"bearer {KEY}"


def test_a_server_that_repeats_the_key_does_not_bring_it_onto_the_screen(server: Server) -> None:
    assert "<redacted" in ask(provider(server, "repeats-the-key"), typed(KEY)).words


def test_what_is_asked_is_tiny_and_a_stream(server: Server) -> None:
    ask(provider(server, "stream"))
    line, fields, body = server.requests[0]
    assert line == "POST /stream HTTP/1.1"
    assert fields["accept-encoding"] == "identity"
    assert json.loads(body) == {"model": "m", "messages": [{"role": "user", "content": "Say OK."}], "stream": True}


@pytest.mark.parametrize(
    "path, ok, said",
    [
        ("/models", True, "answers, with 2 models"),
        ("/tags", True, "answers, with 1 model:"),
        ("/no-models", False, "what came is no list of models but one whole JSON document"),
        ("/page", False, "what came is no list of models but an HTML page"),
        ("/401", False, "401: a key is wanted"),
    ],
)
def test_without_a_model_the_list_is_asked_for(server: Server, path: str, ok: bool, said: str) -> None:
    asked = replace(provider(server, "stream", model=""), knows=Knowledge(models_path=path))
    verdict = ask(asked)
    assert verdict.ok is ok
    assert said in verdict.words
    assert server.requests[0][0] == f"GET {path} HTTP/1.1"


@pytest.mark.parametrize(
    "path, names",
    [
        ("/models", ["a", "b"]),
        ("/tags", ["qwen3:4b"]),
        ("/gemini-models", ["gemini-2.5-flash"]),
        ("/cohere-models", ["command-a"]),
        ("/many-models", [f"m/{n}" for n in range(9000)]),
        ("/key-as-model", ["m"]),
        ("/no-models", []),
        ("/401", []),
        ("/closed-at-once", []),
        # As is usual for the dialect, where nobody knows of the provider.
        ("", ["a", "b"]),
    ],
)
def test_the_models_of_a_server_are_those_that_can_be_talked_with(server: Server, path: str, names: list[str]) -> None:
    asked = replace(provider(server, "stream"), knows=Knowledge(models_path=path))
    assert list(asyncio.run(list_models(asked, typed(KEY)))) == names
    line, fields, body = server.requests[0]
    assert (line, fields["authorization"], body) == (f"GET {path or '/models'} HTTP/1.1", f"bearer {KEY}", b"")
    if path and names:
        assert ask(replace(asked, model=""), typed(KEY)).models == tuple(names)


def test_silence_is_told_with_its_limit(server: Server) -> None:
    verdict = ask(replace(provider(server, "silent"), timeout_idle_s=0.05))
    assert verdict.kind == "timeout"
    assert "connected, but not a byte came within 0.05 s: raise timeout_idle_s" in verdict.words


def test_a_reset_is_told(server: Server) -> None:
    server.gate.set()
    verdict = ask(provider(server, "reset-at-once"))
    assert not verdict.ok
    assert "reset" in verdict.words


def free_port() -> int:
    with Server() as gone:
        return gone.port


@pytest.mark.parametrize(
    "base_url, said",
    [
        ("http://127.0.0.1:{port}/v1", "127.0.0.1:{port}: nothing listens there: look at base_url"),
        ("http://canary.invalid/v1", "canary.invalid:80: there is no server of that name: look at base_url"),
        ("https://canary.invalid/v1", "canary.invalid:443: there is no server of that name"),
    ],
)
def test_no_server_is_told_from_no_name(server: Server, base_url: str, said: str) -> None:
    port = free_port()
    verdict = ask(Provider("x", base_url=base_url.format(port=port), dialect="openai-chat", model="m"))
    assert verdict.kind == "connect_error"
    assert said.format(port=port) in verdict.words


def test_a_proxy_that_is_not_there_is_named_without_its_password(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    away = Provider("x", base_url="https://llm.example.com/v1", dialect="openai-chat", model="m")
    verdict = ask(replace(away, proxy=f"http://127.0.0.1:{port}"))
    assert f"(through the proxy http://127.0.0.1:{port})" in verdict.words
    monkeypatch.setenv("https_proxy", f"http://me:{KEY}@127.0.0.1:{port}")
    assert "(through the proxy http://<redacted" in ask(away).words


def test_a_proxy_that_refuses_is_told(server: Server) -> None:
    with Server(scripts=lambda path: told("", "407 Proxy Authentication Required")) as refusing:
        away = Provider("x", base_url="https://llm.example.com/v1", dialect="openai-chat", model="m")
        verdict = ask(replace(away, proxy=refusing.url))
    assert "the proxy refused: 407" in verdict.words


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA(organization_name="Canary Authority")


def context_of(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


LONG_AGO = datetime(2020, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "names, until, known, said",
    [
        (["127.0.0.1"], None, True, ""),
        (["127.0.0.1"], None, False, "it is for 127.0.0.1, issued by Canary Authority, valid from "),
        (["127.0.0.1"], None, False, "name its certificate in ca_file"),
        (["other.example"], None, True, "base_url must have a name that the certificate is for"),
        (["127.0.0.1"], LONG_AGO, True, "to 2020-01-02; ask its owner to renew it"),
    ],
)
def test_a_certificate_that_is_not_trusted_is_described(
    server: Server, authority: trustme.CA, tmp_path: Path, names: list[str], until: datetime | None, known: bool,
    said: str,
) -> None:  # fmt: skip
    since = until and until - timedelta(days=30)
    certificate = authority.issue_cert(*names, not_before=since, not_after=until)
    ca_file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_file))
    with Server(context_of(certificate), lambda path: ANSWERS[path]) as secure:
        asked = replace(provider(secure, "stream"), ca_file=str(ca_file) if known else "")
        verdict = ask(asked)
    if said:
        assert verdict.kind == "tls_error"
        assert said in verdict.words
    else:
        assert verdict.ok


def test_a_server_without_tls_is_told_from_a_bad_certificate() -> None:
    async def ask_plain_server() -> Verdict:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as plain:
            url = f"https://127.0.0.1:{plain.sockets[0].getsockname()[1]}"
            return await try_connection(Provider("x", base_url=url, dialect="openai-chat", model="m"))

    verdict = asyncio.run(ask_plain_server())
    assert verdict.kind == "tls_error"
    assert "speaks no TLS; if the server speaks plain HTTP on this port, write http://" in verdict.words


def test_a_certificate_file_that_is_not_there_is_named(server: Server) -> None:
    verdict = ask(replace(provider(server, "stream"), ca_file="/no/such/ca.pem"))
    assert not verdict.ok
    assert "ca.pem" in verdict.words


def test_nothing_that_is_logged_on_the_way_shows_the_key(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        ask(
            replace(provider(server, "stream"), query={"a": "b"}), Credentials(KEY, "typed", (), (("sig", f"{KEY}-2"),))
        )
    assert KEY in server.requests[0][0]
    assert KEY not in caplog.text
