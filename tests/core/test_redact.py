"""A canary in every place where a credential stands, and none of them comes out."""

from __future__ import annotations

import json

import pytest

from inspector_app.core.redact import (
    KEY_SHAPES,
    is_credential_header,
    looks_like_key,
    mask,
    redact_headers,
    redact_request,
    redact_text,
    secrets_in,
)

CANARY = "canary-7f3a9d"
MASK = "<redacted: sha256:07ffdb0f, 13 chars>"


def test_the_mask_tells_length_and_start_of_the_hash_and_is_not_masked_again() -> None:
    shown = mask(CANARY)
    assert shown == MASK
    assert mask(shown) == shown


@pytest.mark.parametrize(
    "name",
    [
        "Authorization", "authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "x-api-key", "api-key",
        "X-Goog-Api-Key", "xi-api-key", "X-Amz-Security-Token", "x-auth-token", "X-Client-Secret", "Helicone-Auth",
        "Ocp-Apim-Subscription-Key", "x-portkey-api-key", "x-functions-key",
    ],
)  # fmt: skip
def test_credential_headers_are_masked(name: str) -> None:
    assert redact_headers([(name, CANARY)]) == ([[name, MASK]], [name.lower()])


@pytest.mark.parametrize(
    "name, value",
    [
        ("Content-Type", "text/event-stream"),
        ("x-ratelimit-remaining-tokens", "149999975"),
        ("anthropic-ratelimit-tokens-reset", "2026-01-01T00:00:00Z"),
        ("X-Amzn-Bedrock-Input-Token-Count", "21"),
        ("access-control-allow-credentials", "true"),
        ("x-request-id", "req_0123456789abcdef"),
        ("authorization", ""),
        ("location", "https://llm.example.com/v1?model=glm-5.2"),
    ],
)
def test_other_headers_stay_as_they_are(name: str, value: str) -> None:
    assert redact_headers([(name, value)]) == ([[name, value]], [])


@pytest.mark.parametrize(
    "value, shown",
    [
        (f"Bearer {CANARY}", f"Bearer {MASK}"),
        (f"bearer  {CANARY}", f"bearer  {MASK}"),
        (f"Basic {CANARY}==", f"Basic {mask(CANARY + '==')}"),
        (f"Token {CANARY}", f"Token {MASK}"),
        (f'Token token="{CANARY}"', f'Token token="{MASK}"'),
        (f"Key {CANARY}:{CANARY}", f"Key {mask(f'{CANARY}:{CANARY}')}"),
        ("Bearer letters", f"Bearer {mask('letters')}"),
    ],
)
def test_what_follows_an_auth_scheme_is_masked_in_a_field_of_any_name(value: str, shown: str) -> None:
    fit, masked = redact_headers([("X-Custom", value)])
    assert (fit, masked) == ([["X-Custom", shown]], ["x-custom"])
    assert redact_headers(fit) == (fit, masked)


@pytest.mark.parametrize(
    "value",
    [
        'Bearer realm="example", error="invalid_token"', 'Basic realm="x"', "Basic auth", "Token bucket",
        "key features", "Token 5", "Key", "Bearer", "Token count exceeded by 5", "keyboard abc-7f3a9d-0123",
    ],
)  # fmt: skip
def test_words_that_are_schemes_too_hide_nothing(value: str) -> None:
    assert redact_headers([("X-Custom", value)]) == ([["X-Custom", value]], [])


def test_which_names_are_credentials_does_not_depend_on_the_value() -> None:
    assert is_credential_header("X-Api-Key")
    assert not is_credential_header("access-control-allow-headers")


@pytest.mark.parametrize(
    "text, shown",
    [
        (f"https://h/v1?key={CANARY}&alt=sse", f"https://h/v1?key={MASK}&alt=sse"),
        (f"https://h/v1?alt=sse&api_key={CANARY}", f"https://h/v1?alt=sse&api_key={MASK}"),
        (f"https://h/?%61ccess_token={CANARY}#top", f"https://h/?%61ccess_token={MASK}#top"),
        (f"https://h/?X-Amz-Signature={CANARY}&X-Amz-Date=2026", f"https://h/?X-Amz-Signature={MASK}&X-Amz-Date=2026"),
        (f"https://{CANARY}@h/v1", f"https://{MASK}@h/v1"),
        ("https://h/v1?model=key&stream=1", "https://h/v1?model=key&stream=1"),
        ("nothing to hide: 3 tokens", "nothing to hide: 3 tokens"),
    ],
)
def test_urls_keep_everything_but_the_secret(text: str, shown: str) -> None:
    assert redact_text(text) == shown
    assert redact_text(shown) == shown


@pytest.mark.parametrize(
    "text, secrets",
    [
        (f"https://{CANARY}@h/v1?key={CANARY}&alt=sse", [CANARY, CANARY]),
        ("say sk-proj-0123456789abcdefghij to AKIA0123456789ABCDEF", [
            "sk-proj-0123456789abcdefghij", "AKIA0123456789ABCDEF",
        ]),
        (f"https://{MASK}@h/v1?key={MASK}", []),
        ("https://h/v1?model=key", []),
    ],
)  # fmt: skip
def test_where_the_secrets_of_a_text_stand(text: str, secrets: list[str]) -> None:
    assert [text[start:end] for start, end in secrets_in(text)] == secrets


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-0123456789abcdefghij", "sk-ant-api03-0123456789abcdef", "AIza" + "x" * 35, "AKIA0123456789ABCDEF",
        "gsk_0123456789abcdef0123", "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ],
)  # fmt: skip
def test_text_that_is_a_key_by_its_shape_is_masked_where_it_stands(key: str) -> None:
    assert redact_text(f"before {key} after") == f"before {mask(key)} after"
    assert redact_headers([("x-upstream", key)])[0] == [["x-upstream", mask(key)]]


def test_words_that_only_resemble_a_key_stay() -> None:
    text = "risk-assessment-of-the-whole-team, task-0123456789abcdefghij, sk-short"
    assert redact_text(text) == text


def test_a_request_loses_its_secrets_and_nothing_else() -> None:
    request = {
        "method": "POST",
        "url": f"https://h/v1/chat?key={CANARY}",
        "headers": [["Authorization", f"Bearer {CANARY}"], ["accept", "text/event-stream"]],
        "body": {
            "model": "m",
            "max_tokens": 5,
            "api_key": CANARY,
            "tools": [{"type": "mcp", "headers": {"Authorization": CANARY}, "authorization": CANARY}],
            "messages": [{"role": "user", "content": "what is a key?"}],
        },
    }
    before = json.dumps(request)
    fit, masked = redact_request(request)
    assert CANARY not in json.dumps(fit)
    assert masked == ["authorization", "url", "body"]
    assert fit["headers"][1] == ["accept", "text/event-stream"]
    assert fit["body"]["messages"] == request["body"]["messages"]
    assert json.dumps(request) == before


@pytest.mark.parametrize("start", ["sk-", "nvapi-", "github_pat_", "hf_", "AIza", "AKIA", "eyJ"])
@pytest.mark.parametrize(
    "before, is_key", [("", True), (" ", True), ("-", True), ("é", False), ("x", False), ("_", False)]
)
def test_a_key_begins_where_no_word_goes_on(start: str, before: str, is_key: bool) -> None:
    key = start + {"AIza": "a" * 35, "AKIA": "A" * 16, "eyJ": "a" * 8 + "." + "b" * 8 + "."}.get(start, "a" * 16)
    found = KEY_SHAPES.search(before + key)
    assert (found is not None and found[0] == key) is is_key


@pytest.mark.parametrize(
    "body",
    [
        {"auth": {"token": CANARY, "bearer": "words", "key": "letters", "value": "hush"}},
        {"api_key": CANARY},
        {"apiKey": CANARY},
        {"key": "sk-short"},
        {"key": "0123456789abcdef0123"},
        {"token": f"{CANARY}-{CANARY}"},
        {"access-token": "x", "refreshToken": "x", "private_key": "x", "secretAccessKey": "x", "bearer": "x"},
        {"tools": [{"type": "mcp", "headers": {"X-Custom": f"Bearer {CANARY}", "X-Team-Token": CANARY}}]},
        {"auth": f"Bearer {CANARY}"},
        {"credentials": {"api": {"key": "sk-short"}}},
    ],
    ids=str,
)
def test_members_that_are_secrets_are_masked(body: dict[str, object]) -> None:
    fit, masked = redact_request({"headers": [], "body": body})
    said = json.dumps(fit["body"])
    assert masked == ["body"]
    for secret in (CANARY, "hush", "words", "letters", "sk-short", '"x"', "0123456789abcdef0123"):
        assert secret not in said
    assert redact_request(fit) == (fit, masked)


@pytest.mark.parametrize(
    "body",
    [
        {"max_tokens": 5, "max_completion_tokens": 7, "token_count": "12", "thinking": {"budget_tokens": 1024}},
        {"logprobs": [{"token": " think", "logprob": -0.1}, {"token": "answer"}, {"token": "2026-11-30"}]},
        {"input": {"key": "think", "value": "about it"}, "auth": {"type": "bearer", "token_type": "jwt"}},
        {"input": {"key": "document-2026-section", "token": "EUR", "credentials": "same-origin"}},
        {"eos_token": "<|end_of_text|>", "stop_token": "</s>", "prompt_cache_key": "team-7f3a9d-0123456789"},
        {"parameters": {"properties": {"key": {"type": "string", "description": "the key to press"}}}},
        {"key": "a key of several words, 7f3a9d 0123456789", "locale": "sk-SK"},
        {"input": {"key": "sk-SK", "auth": "basic", "token": "gpt-4o-2024-08-06"}},
    ],
    ids=str,
)
def test_members_that_are_no_secrets_stay(body: dict[str, object]) -> None:
    assert redact_request({"headers": [], "body": body}) == ({"headers": [], "body": body}, [])


@pytest.mark.parametrize(
    "value, is_key", [("think", False), ("user_id", False), ("7f3a9d00-0123-4abc", True), ("", False)]
)
def test_a_key_is_told_from_a_word(value: str, is_key: bool) -> None:
    assert looks_like_key(value) is is_key
