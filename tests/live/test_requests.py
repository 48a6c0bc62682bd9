"""A request says what its dialect wants, settings reach where they point, and no record of it shows a secret."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.redact import mask
from inspector_app.files._writer import RecordingWriter
from inspector_app.live.asking import ASKING, dialect_of
from inspector_app.live.keys import Credentials, typed
from inspector_app.live.providers import Provider, ProviderFault, load_presets
from inspector_app.live.request import Outgoing, address, listing, merged, outgoing, prompt_body, with_settings

KEY = "canary/+0123456789abcdef"
CHAT = Provider("x", base_url="https://llm.example.com/v1", dialect="openai-chat", model="m")
PLAIN_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def sent(provider: Provider, body: dict[str, Any] | None = None, key: str = "", *settings: str) -> Outgoing:
    credentials = typed(key) if key else Credentials()
    return outgoing(provider, prompt_body(provider, "hi") if body is None else body, credentials, settings)


@pytest.mark.parametrize(
    "dialect, base, url, body",
    [
        (
            "openai-chat", "https://x/v1", "https://x/v1/chat/completions",
            {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": True},
        ),
        ("openai-responses", "https://x/v1", "https://x/v1/responses", {"model": "m", "input": "hi", "stream": True}),
        ("openai-completions", "https://x", "https://x/completions", {"model": "m", "prompt": "hi", "stream": True}),
        (
            "anthropic-messages", "https://x", "https://x/v1/messages",
            {"model": "m", "max_tokens": 1024, "messages": [{"role": "user", "content": "hi"}], "stream": True},
        ),
        (
            "gemini", "https://x/v1beta", "https://x/v1beta/models/m:streamGenerateContent?alt=sse",
            {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
        ),
        (
            "ollama-chat", "http://x", "http://x/api/chat",
            {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": True},
        ),
        ("ollama-generate", "http://x", "http://x/api/generate", {"model": "m", "prompt": "hi", "stream": True}),
        (
            "cohere-v2", "http://x", "http://x/v2/chat",
            {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": True},
        ),
        ("tgi", "http://x", "http://x/generate_stream", {"inputs": "hi"}),
    ],
)  # fmt: skip
def test_a_prompt_is_asked_in_the_way_of_the_dialect(dialect: str, base: str, url: str, body: dict[str, Any]) -> None:
    made = sent(Provider("x", base_url=base, dialect=dialect, model="m"))
    assert (made.method, made.url, json.loads(made.body)) == ("POST", url, body)


@pytest.mark.parametrize("dialect", ASKING)
def test_the_path_of_a_dialect_tells_the_dialect(dialect: str) -> None:
    assert dialect_of(ASKING[dialect].path) == dialect


@pytest.mark.parametrize(
    "dialect, base, url",
    [
        ("anthropic-messages", "https://x/v1", "https://x/v1/messages"),
        ("anthropic-messages", "https://x/api/anthropic", "https://x/api/anthropic/v1/messages"),
        ("gemini", "https://x/v1", "https://x/v1/models/m:streamGenerateContent"),
        ("gemini", "https://x", "https://x/v1beta/models/m:streamGenerateContent"),
        ("cohere-v2", "https://x/v2/", "https://x/v2/chat"),
        ("openai-chat", "https://x/api/paas/v4", "https://x/api/paas/v4/chat/completions"),
    ],
)
def test_a_version_in_the_base_url_is_not_asked_twice(dialect: str, base: str, url: str) -> None:
    assert address(Provider("x", base_url=base, dialect=dialect), "m") == url


def test_a_path_of_the_user_is_taken_as_it_is() -> None:
    own = replace(CHAT, path="/v1/openai/deployments/{model}/chat")
    assert address(own, "a b/c") == "https://llm.example.com/v1/v1/openai/deployments/a%20b%2Fc/chat"
    assert address(replace(CHAT, dialect="gemini"), "../x") == (
        "https://llm.example.com/v1/models/..%2Fx:streamGenerateContent"
    )


@pytest.mark.parametrize(
    "provider, said",
    [
        (load_presets()["custom"], "custom: base_url is missing; it looks like https://llm.example.com/v1"),
        (replace(CHAT, dialect="gemini", model=""), "x: no model"),
    ],
)
def test_a_request_that_cannot_be_made_says_why(provider: Provider, said: str) -> None:
    with pytest.raises(ProviderFault, match=said):
        sent(provider)


@pytest.mark.parametrize(
    "auth, field",
    [
        ("", ("authorization", f"Bearer {KEY}")),
        ("bearer", ("authorization", f"Bearer {KEY}")),
        ("x-api-key", ("x-api-key", KEY)),
        ("api-key", ("api-key", KEY)),
        ("x-goog-api-key", ("x-goog-api-key", KEY)),
    ],
)
def test_the_key_goes_where_the_style_says(auth: str, field: tuple[str, str]) -> None:
    assert field in sent(replace(CHAT, auth=auth), None, KEY).headers
    assert not [one for one in sent(replace(CHAT, auth=auth)).headers if one[0] == field[0]]


def test_no_key_is_sent_where_none_is_wanted() -> None:
    assert KEY not in str(sent(replace(CHAT, auth="none"), None, KEY).headers)


def test_the_headers_of_the_provider_win_and_each_stands_once() -> None:
    made = sent(replace(CHAT, headers={"Accept": "*/*", "x-team": "infra"}))
    assert dict(made.headers) == {
        "Accept": "*/*",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "user-agent": dict(made.headers)["user-agent"],
        "x-team": "infra",
    }
    assert dict(outgoing(CHAT, {}, encoding="gzip").headers)["accept-encoding"] == "gzip"
    assert dict(sent(load_presets()["anthropic"]).headers)["anthropic-version"] == "2023-06-01"


def test_a_preset_asks_for_the_usage_only_with_a_stream() -> None:
    openai = replace(load_presets()["openai"], model="m")
    assert json.loads(sent(openai).body)["stream_options"] == {"include_usage": True}
    assert json.loads(sent(openai, {"messages": []}).body) == {"model": "m", "messages": []}


def test_extra_body_beats_the_prompt_and_is_beaten_by_a_body_and_by_settings() -> None:
    extra = replace(CHAT, extra_body={"stream": False, "reasoning": {"effort": "low", "exclude": True}})
    assert json.loads(sent(extra).body)["stream"] is False
    given = {"model": "other", "stream": True, "reasoning": {"effort": "high"}}
    assert json.loads(sent(extra, given, "", "reasoning.effort=max").body) == {
        "model": "other",
        "stream": True,
        "reasoning": {"effort": "max", "exclude": True},
    }


def test_the_model_of_the_body_goes_into_the_path_where_the_dialect_wants_it_there() -> None:
    gemini = Provider("x", base_url="https://x/v1beta", dialect="gemini", model="m")
    made = sent(gemini, {"contents": [], "model": "other"})
    assert made.url.startswith("https://x/v1beta/models/other:")
    assert json.loads(made.body) == {"contents": []}
    assert sent(gemini, None, "", "model=third").url.startswith("https://x/v1beta/models/third:")


def test_query_parameters_are_added_and_encoded() -> None:
    made = sent(replace(CHAT, query={"api-version": "2026-01-01", "q": "a b&c"}))
    assert made.url == "https://llm.example.com/v1/chat/completions?api-version=2026-01-01&q=a%20b%26c"


@pytest.mark.parametrize(
    "setting, where, value",
    [
        ("temperature=0.5", ("temperature",), 0.5),
        ("stream=false", ("stream",), False),
        ("model=glm-5.2", ("model",), "glm-5.2"),
        ("model=", ("model",), ""),
        ("note=a=b", ("note",), "a=b"),
        ("reasoning.effort=high", ("reasoning", "effort"), "high"),
        ("thinking={\"type\":\"enabled\"}", ("thinking", "type"), "enabled"),
        ("messages.0.content=bye", ("messages", 0, "content"), "bye"),
        ("messages.1.role=user", ("messages", 1, "role"), "user"),
        ("/a.b/c~1d=1", ("a.b", "c/d"), 1),
    ],
)  # fmt: skip
def test_a_setting_reaches_where_it_points(setting: str, where: tuple[Any, ...], value: Any) -> None:
    body = {"messages": [{"role": "user", "content": "hi"}]}
    changed: Any = with_settings(body, [setting])
    for step in where:
        changed = changed[step]
    assert changed == value
    assert body == {"messages": [{"role": "user", "content": "hi"}]}, "the body given is left alone"


@pytest.mark.parametrize(
    "setting, said",
    [
        ("temperature", "write it as key=value"),
        ("=1", "write it as key=value"),
        ("messages.x=1", "'x' is no place in a list of 1"),
        ("messages.5=1", "'5' is no place in a list of 1"),
        ("messages.0.content.x=1", "neither a table nor a list"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(setting: str, said: str) -> None:
    with pytest.raises(ProviderFault, match=said):
        with_settings({"messages": [{"content": "hi"}]}, [setting])


@given(st.dictionaries(st.text(), PLAIN_JSON, max_size=4), st.dictionaries(st.text(), PLAIN_JSON, max_size=4))
def test_merging_keeps_every_member_and_lets_the_second_win(under: dict[str, Any], over: dict[str, Any]) -> None:
    result = merged(under, over)
    assert set(result) == {*under, *over}
    assert merged(result, over) == result
    assert merged({}, over) == over


@given(st.dictionaries(st.text(), PLAIN_JSON, max_size=4))
def test_any_body_of_json_goes_out_as_it_is(body: dict[str, Any]) -> None:
    assert json.loads(outgoing(replace(CHAT, model=""), body).body) == body


def test_half_a_surrogate_pair_goes_out_as_an_escape() -> None:
    assert b'"\\ud83d"' in sent(CHAT, {"a": "\ud83d"}).body


@pytest.mark.parametrize("body", [{"a": float("nan")}, {"a": {1}}])
def test_a_body_that_is_no_json_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ProviderFault, match="cannot be written as JSON"):
        sent(CHAT, body)


def test_the_question_for_models() -> None:
    made = listing(load_presets()["gemini"], typed(KEY))
    assert (made.method, made.url, made.body) == (
        "GET",
        "https://generativelanguage.googleapis.com/v1beta/models",
        b"",
    )
    assert ("x-goog-api-key", KEY) in made.headers
    with pytest.raises(ProviderFault, match="not known where this provider lists its models"):
        listing(replace(CHAT, dialect="tgi"))
    assert listing(CHAT).url == f"{CHAT.base_url}/models", "as is usual for the dialect"


def everywhere() -> Outgoing:
    """A request with its key, a cookie and a signed query, and the key again wherever else it could stand."""
    provider = replace(CHAT, headers={"x-mine": f"see {KEY}"}, query={"mine": KEY})
    credentials = Credentials(KEY, "typed", (("cookie", f"sid={KEY}"), ("x-own", f"{KEY}-2")), (("sig", f"{KEY}-3"),))
    body = {"user": KEY, "messages": [{"content": f"my key is {KEY}!"}], KEY: {"auth_token": "abc"}}
    return outgoing(provider, body, credentials)


def test_no_repr_and_no_record_shows_a_secret() -> None:
    made = everywhere()
    assert KEY in str(made.headers)
    assert KEY.encode() in made.body
    file = io.BytesIO()
    RecordingWriter(file, source="live", request=made.record())
    for shown in (repr(made), f"{made}", f"{[made]}", json.dumps(made.record()), file.getvalue().decode()):
        assert KEY not in shown
        assert "canary" not in shown
    header = json.loads(file.getvalue())
    assert set(header["redacted"]) == {"authorization", "cookie", "x-mine", "x-own", "url", "body"}
    assert dict(map(tuple, header["request"]["headers"]))["authorization"] == mask(f"Bearer {KEY}")


def test_a_record_says_what_was_asked() -> None:
    assert sent(CHAT, {"a": [1.5, "ü"]}, KEY).record() == {
        "method": "POST",
        "url": "https://llm.example.com/v1/chat/completions",
        "headers": [
            *([name, value] for name, value in sent(CHAT).headers),
            ["authorization", mask(f"Bearer {KEY}")],
        ],
        "body": {"model": "m", "a": [1.5, "ü"]},
    }


def test_a_key_that_is_a_common_word_does_not_tear_the_record() -> None:
    assert sent(CHAT, {"a": "ollama"}, "ollama").record()["body"]["a"] == "ollama"
