"""A curl command is split as its shell would, and comes back as a provider, a body and credentials."""

from __future__ import annotations

import contextlib
import json
import shlex
import subprocess
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.core.curl import curl_command
from inspector_app.live.curl_import import from_curl
from inspector_app.live.curl_words import WordsFault, split
from inspector_app.live.keys import typed
from inspector_app.live.providers import Provider, ProviderFault, load_presets
from inspector_app.live.request import outgoing
from inspector_app.live.request_import import from_request

KEY = "sk-" + "canary0123456789" * 2
URL = "https://llm.example.com/v1/chat/completions"
BODY = """'{"model":"m","messages":[]}'"""
SHELL_TEXT = st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=20)
SHELL_SIGNS = st.text(st.sampled_from(list("ab \t\n'\"\\$`{}()<>|&;#^-=@*!~[]")), max_size=20)


@pytest.mark.parametrize(
    "text, words",
    [
        ("curl a b", ["curl", "a", "b"]),
        ("$ curl  a\tb", ["curl", "a", "b"]),
        ("curl \\\n  a\\\n b", ["curl", "a", "b"]),
        ("curl \\\r\n  a", ["curl", "a"]),
        ("curl 'a b'\"c d\"e\\ f", ["curl", "a bc de f"]),
        ("curl '' \"\"", ["curl", "", ""]),
        (r"""curl "a\"b\\c\d\$e" """, ["curl", 'a"b\\c\\d$e']),
        ("curl 'it'\"'\"'s'", ["curl", "it's"]),
        ("curl 'it'\\''s'", ["curl", "it's"]),
        (r"curl $'it\'s\n\t\x41\u00fc\U0001F600\101\\'", ["curl", "it's\n\tAü\U0001f600A\\"]),
        (r"curl $'\ud83d\ude00'", ["curl", "\U0001f600"]),
        ("curl a | jq .", ["curl", "a"]),
        ("curl a; rm -rf b", ["curl", "a"]),
        ("curl a && b", ["curl", "a"]),
        ("curl a\ncurl b", ["curl", "a"]),
        ("curl a > out.txt b", ["curl", "a", "b"]),
        ("curl a 2>/dev/null", ["curl", "a"]),
        ("curl a 2>&1 b", ["curl", "a", "b"]),
        ("curl a # why", ["curl", "a"]),
        ("curl a#b", ["curl", "a#b"]),
        ("curl $X ${Y} \"${Z:?}\" '$W'", ["curl", "\0X\0", "\0Y\0", "\0Z\0", "$W"]),
        ("curl $ $1", ["curl", "$", "$1"]),
        ('curl ^"a b^" ^\r\n  -H ^"c: d^"', ["curl", "a b", "-H", "c: d"]),
        ('curl ^\n ^"^{^\\^"a^\\^":^\\^"b^^c^\\^"^}^"', ["curl", '{"a":"b^c"}']),
        ('curl "a^b" ^\n c', ["curl", "a^b", "c"]),
        ('curl ^"a^\n\nb^"', ["curl", "a\nb"]),
        ('curl ^\n "a\\\\" "b""c"', ["curl", "a\\", 'b"c']),
    ],
)  # fmt: skip
def test_a_command_is_split_as_its_shell_would(text: str, words: list[str]) -> None:
    assert split(text).words == words


@pytest.mark.parametrize(
    "text, said",
    [
        ("curl 'a", "a single quote is not closed"),
        ('curl "a', "a double quote is not closed"),
        ("curl $'a", "is not closed"),
        ("curl $(cat key)", "runs another one inside"),
        ('curl "`cat key`"', "runs another one inside"),
        ("curl @- <<E\na", "the here-document is not closed by E"),
        ("curl @- <<E -x\na\nE", "something follows a here-document"),
        ("curl $'\\U00110000'", "names no character"),
        ("curl a\0", "has a NUL"),
        ('curl ^"a', "a double quote is not closed"),
    ],
)
def test_a_command_that_cannot_be_split_says_why(text: str, said: str) -> None:
    with pytest.raises(WordsFault, match=said):
        split(text)


@given(st.lists(SHELL_TEXT | SHELL_SIGNS, min_size=1, max_size=5))
@example(["'", "\\", '"', "$'", "a\n"])
def test_what_a_shell_quotes_is_split_back(words: list[str]) -> None:
    assert split(shlex.join(["curl", *words])).words == ["curl", *words]


@given(st.lists(SHELL_TEXT | SHELL_SIGNS, min_size=1, max_size=5))
def test_double_quotes_are_split_back(words: list[str]) -> None:
    quoted = ['"' + "".join(f"\\{sign}" if sign in '\\"$`' else sign for sign in word) + '"' for word in words]
    assert split(f"curl {' '.join(quoted)}").words == ["curl", *words]


@given(st.lists(SHELL_TEXT.filter(lambda word: "\n" not in word), min_size=1, max_size=5))
def test_what_is_quoted_for_the_windows_prompt_is_split_back(words: list[str]) -> None:
    quoted = subprocess.list2cmdline([f"{word} " for word in words])
    carets = "".join(sign if sign in " \t" else f"^{sign}" for sign in quoted)
    assert split(f"curl ^\n {carets}").words == ["curl", *(f"{word} " for word in words)]


@given(SHELL_TEXT | SHELL_SIGNS)
@example("$'\\x")
@example("<<")
@example("\\")
def test_no_text_breaks_the_import(text: str) -> None:
    for command in (text, f"curl {text}", f"curl {URL} -d {text}", f"curl ^\n{text}", f"curl <<{text}"):
        with contextlib.suppress(ProviderFault):
            from_curl(command, {})


def took(command: str) -> tuple[Provider, dict[str, Any], str]:
    found = from_curl(command)
    return found.provider, found.body, found.credentials.key


@pytest.mark.parametrize(
    "options",
    [
        f"-d {BODY}",
        f"-d{BODY}",
        f"--data {BODY}",
        f"--data-raw {BODY}",
        f"--data-binary {BODY}",
        f"--json {BODY}",
        """--json '{"model":"m",' --json '"messages":[]}'""",
        f"-X POST -sSN --compressed -o out.txt -m 5 -H 'content-type: application/json' -d {BODY}",
        f"-XPOST -H 'Content-Length: 3' -H 'Host: elsewhere' -H 'accept: */*' --data-raw {BODY}",
        f"--data-binary @- <<'E'\n{BODY[1:-1]}\nE\n",
    ],
)
def test_every_way_to_give_the_body_gives_it(options: str) -> None:
    provider, body, _ = took(f"curl {URL} {options}")
    assert body == {"model": "m", "messages": []}
    assert (provider.base_url, provider.dialect, provider.model) == ("https://llm.example.com/v1", "openai-chat", "m")
    assert provider.headers == {}


@pytest.mark.parametrize(
    "url, dialect, preset",
    [
        ("https://api.openai.com/v1/chat/completions", "openai-chat", "openai"),
        ("https://api.openai.com/v1/responses", "openai-responses", "openai-responses"),
        ("https://api.anthropic.com/v1/messages", "anthropic-messages", "anthropic"),
        ("https://api.deepseek.com/chat/completions", "openai-chat", "deepseek"),
        ("https://api.deepseek.com/anthropic/v1/messages", "anthropic-messages", ""),
        ("https://openrouter.ai/api/v1/chat/completions", "openai-chat", "openrouter"),
        ("http://localhost:11434/api/chat", "ollama-chat", "ollama"),
        ("http://localhost:11434/api/generate", "ollama-generate", "ollama-generate"),
        ("https://x/v1beta/models/m:streamGenerateContent?alt=sse", "gemini", ""),
        ("https://x/v1/models/m:streamGenerateContent?alt=sse", "gemini", ""),
        ("https://x/openai/deployments/d/chat/completions?api-version=1", "openai-chat", ""),
        ("https://x/some/thing", "openai-chat", ""),
        ("https://x/messages", "anthropic-messages", ""),
    ],
)
def test_the_address_gives_preset_and_dialect_and_is_asked_again_as_it_was(url: str, dialect: str, preset: str) -> None:
    found = from_curl(f"curl '{url}' -d {BODY}")
    assert (found.provider.dialect, found.provider.preset) == (dialect, preset)
    assert outgoing(found.provider, found.body).url == url


@pytest.mark.parametrize(
    "options, key, auth, key_env",
    [
        (f"-H 'Authorization: Bearer {KEY}'", KEY, "", ""),
        (f"-H 'authorization: bearer {KEY}'", KEY, "", ""),
        (f"--oauth2-bearer {KEY}", KEY, "", ""),
        (f"-H 'x-api-key: {KEY}'", KEY, "x-api-key", ""),
        (f"-H 'api-key: {KEY}'", KEY, "api-key", ""),
        ('-H "Authorization: Bearer $MY_KEY"', "", "", "MY_KEY"),
        ("-H 'Authorization: Bearer ${MY_KEY}'", "", "", "MY_KEY"),
        ('-H "x-api-key: ${MY_KEY:?}"', "", "x-api-key", "MY_KEY"),
        ("-H 'Authorization: Bearer <YOUR KEY>'", "", "", ""),
        ("-H 'Authorization: Bearer '", "", "", ""),
    ],
)
def test_a_key_becomes_a_credential_or_the_name_of_a_variable(options: str, key: str, auth: str, key_env: str) -> None:
    found = from_curl(f"curl {URL} {options} -d {BODY}")
    assert (found.credentials.key, found.provider.auth, found.provider.key_env) == (key, auth, key_env)
    assert KEY not in repr(found)


def test_all_other_secrets_become_credentials_for_this_run() -> None:
    found = from_curl(
        f"curl '{URL}?api-version=1&sig={KEY}' -u me:pass-canary -b 'sid=canary' -H 'x-secret: canary-1' -d {BODY}"
        f" -H 'x-mine: {KEY}' -H 'x-team: infra' -A tool/1"
    )
    assert [name for name, _ in found.credentials.headers] == ["authorization", "cookie", "x-secret", "x-mine"]
    assert found.credentials.query == (("sig", KEY),)
    assert found.provider.query == {"api-version": "1"}
    assert found.provider.headers == {"x-team": "infra", "user-agent": "tool/1"}
    assert "canary" not in repr(found)
    sent = outgoing(found.provider, found.body, found.credentials)
    assert dict(sent.headers)["authorization"] == "Basic bWU6cGFzcy1jYW5hcnk="
    assert "canary" not in json.dumps(sent.record())


def test_a_key_in_the_query_may_be_a_variable() -> None:
    found = from_curl(f'curl "https://x/v1beta/models/m:generateContent?key=$G_KEY" -d {BODY}')
    assert (found.provider.key_env, found.provider.query, found.provider.model) == ("G_KEY", {}, "m")


@pytest.mark.parametrize(
    "command, said",
    [
        ("", "this is no curl command"),
        ("wget x", "this is no curl command"),
        ("Invoke-WebRequest -Uri x", "this is the form of PowerShell"),
        (f"curl -d {BODY}", "there is no address in it"),
        (f"curl {URL} {URL} -d {BODY}", "more than one address"),
        (f"curl {URL}", "its body must be a JSON object"),
        (f"curl {URL} -d 'a=b'", "its body is not JSON"),
        (f"curl {URL} -d '[1]'", "its body must be a JSON object"),
        (f"curl {URL} -d @body.json", "its data stand in a file"),
        (f"curl {URL} --data-binary @-", "its data stand in a file"),
        (f"curl {URL} -H @headers -d {BODY}", "its headers stand in a file"),
        (f"curl {URL} -b jar.txt -d {BODY}", "its cookies stand in a file"),
        (f"curl {URL} -F a=b", "it sends a form"),
        (f"curl {URL} -T file", "it sends a file"),
        (f"curl {URL} -K file", "its options stand in a file"),
        (f"curl {URL} -X GET -d {BODY}", "it sends GET"),
        (f"curl {URL} --frobnicate -d {BODY}", "the option --frobnicate is not known here"),
        (f"curl {URL} -Z -d {BODY}", "the option -Z is not known here"),
        (f"curl {URL} -d", "--data has no value"),
        (f"curl https://me:{KEY}@x/v1 -d {BODY}", "a user name or password before the @"),
        (f"curl {URL} -x http://me:{KEY}@p:1 -d {BODY}", "proxy: a key may not stand in this file"),
        (f"curl {URL} -x http://me:word@p:1 -d {BODY}", "proxy: has a user name or password"),
        (f"curl ftp://x/v1 -d {BODY}", "must begin with http:// or https://"),
        (f"curl https://[x/v1 -d {BODY}", "is not a URL"),
        (f'curl {URL} -u "me:$P" -d {BODY}', "-u has a variable in it"),
        (f"curl {URL} -d 'a", "a single quote is not closed"),
    ],
)
def test_a_command_that_cannot_be_taken_over_says_why(command: str, said: str) -> None:
    with pytest.raises(ProviderFault, match=said) as fault:
        from_curl(command)
    assert KEY not in str(fault.value)


@pytest.mark.parametrize(
    "options, said",
    [
        ("-k", "certificates are always verified here"),
        ("-L", "redirects are followed only where"),
        ('-H "x-team: $TEAM"', "the header x-team has a variable of the shell in it"),
        ("-H 'Authorization: Bearer <YOUR KEY>'", "what stands in the place of the key is none"),
        ('-H "Authorization: ${AUTHORIZATION:?}"', "the variable AUTHORIZATION holds more than the key"),
    ],
)
def test_what_is_not_taken_over_is_told(options: str, said: str) -> None:
    assert said in " / ".join(from_curl(f"curl {URL} {options} -d {BODY}").notes)


def test_proxy_and_authority_are_taken_over() -> None:
    provider, _, _ = took(f"curl -x http://p:3128 --cacert ca.pem {URL} -d {BODY}")
    assert (provider.proxy, provider.ca_file) == ("http://p:3128", "ca.pem")


@pytest.mark.parametrize("size", [1, 30_000])
@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini", "ollama", "dashscope"])
def test_a_copied_command_is_taken_back(name: str, size: int) -> None:
    provider = replace(load_presets()[name], model="m", headers={"x-team": "it's $5 `now`"}, preset=name)
    body = {"text": 'it\'s "$HOME" `x` \\ \n\u2028ü@' * size if size == 1 else "$\\`x" * size}
    sent = outgoing(provider, body, typed(KEY))
    command = curl_command(sent.record())
    assert command is not None
    found = from_curl(command)
    again = outgoing(found.provider, found.body, found.credentials)
    assert (again.url, again.body) == (sent.url, sent.body)
    assert found.provider.headers == provider.headers
    assert found.provider.knows == provider.knows


def test_the_request_of_a_recording_is_asked_again() -> None:
    provider = replace(load_presets()["openrouter"], model="m", query={"a": "b"}, headers={"x-team": "infra"})
    sent = outgoing(provider, {"messages": []}, typed(KEY))
    found = from_request(sent.record())
    assert found.provider == replace(provider, preset="openrouter")
    assert found.credentials.key == ""
    assert "the key is masked" in found.notes[0]
    assert outgoing(found.provider, found.body, typed(KEY)) == sent


@pytest.mark.parametrize(
    "request_, said",
    [
        (None, "does not say what was asked"),
        ({"url": None}, "does not say what was asked"),
        ({"url": URL, "method": "GET"}, "is a GET"),
        ({"url": URL, "body": None}, "its body must be a JSON object"),
        ({"url": URL, "body": "text"}, "its body is not JSON"),
    ],
)
def test_a_recording_that_knows_too_little_says_so(request_: Any, said: str) -> None:
    with pytest.raises(ProviderFault, match=said):
        from_request(request_)
