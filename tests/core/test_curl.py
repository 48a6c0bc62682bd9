"""A request as a command: nothing in it can leave its quotes, and no secret is in it."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from inspector_app.core.curl import LONGEST_ARGUMENT, curl_command
from inspector_app.core.redact import mask

URL = "https://api.example/v1/chat/completions"
KEY = "sk-" + "a1B2" * 8

SHELL = shutil.which("sh")
needs_shell = pytest.mark.skipif(SHELL is None, reason="the command is for a POSIX shell")


def run(command: str, **variables: str) -> list[str]:
    """The arguments that the shell would give to curl, and its standard input as the last one."""
    assert SHELL is not None
    script = 'curl() { for word; do printf "%s\\0" "$word"; done; case "$*" in *@-*) cat;; esac; }\n' + command + "\n"
    done = subprocess.run([SHELL], input=script.encode(), capture_output=True, env=variables, check=True)
    assert not done.stderr
    return done.stdout.decode().split("\0")


def test_a_whole_request() -> None:
    request = {
        "method": "POST",
        "url": URL,
        "headers": [["content-type", "application/json"], ["Authorization", f"Bearer {KEY}"], ["Content-Length", "9"]],
        "body": {"model": "it's", "stream": True},
    }
    assert curl_command(request) == (
        "curl --no-buffer \\\n"
        f"  --url {URL} \\\n"
        "  --header 'content-type: application/json' \\\n"
        "  --header 'Authorization: '\"${AUTHORIZATION:?}\" \\\n"
        '  --data-binary \'{"model":"it\'"\'"\'s","stream":true}\''
    )


@pytest.mark.parametrize(
    "request_",
    [None, {}, {"url": 7}, {"url": "file:///etc/passwd"}, {"url": "-o/tmp/x"}, {"url": URL, "body": "a\0b"}],
)
def test_what_cannot_be_asked_again_has_no_command(request_: dict[str, Any] | None) -> None:
    assert curl_command(request_) is None


@pytest.mark.parametrize(
    "request_, name",
    [
        ({"url": URL, "headers": [["x-api-key", mask(KEY)]]}, "X_API_KEY"),
        ({"url": URL, "headers": [["x-trace", f"of {KEY}"]]}, "X_TRACE"),
        ({"url": f"{URL}?a=1&key=hunter2&b=2"}, "KEY"),
        ({"url": "https://user:hunter2@api.example/"}, "SECRET"),
        ({"url": URL, "body": {"api_key": "hunter2"}}, "SECRET"),
        ({"url": URL, "body": f"hello {KEY}"}, "SECRET"),
        ({"url": URL, "headers": [["path-token", mask(KEY)], ["1-token", mask("x")]]}, "PATH_TOKEN"),
    ],
)
def test_secrets_are_variables(request_: dict[str, Any], name: str) -> None:
    command = curl_command(request_)
    assert command is not None
    assert f'"${{{name}:?}}"' in command
    assert not any(word in command for word in (KEY, "hunter2", "redacted"))


@needs_shell
def test_one_secret_is_one_variable() -> None:
    command = curl_command({"url": f"{URL}?key={KEY}", "headers": [["x-api-key", KEY], ["authorization", "other"]]})
    assert command is not None
    words = run(command, KEY="k 1", AUTHORIZATION="Bearer x")
    assert words[1:7] == [
        "--url",
        f"{URL}?key=k 1",
        "--header",
        "x-api-key: k 1",
        "--header",
        "authorization: Bearer x",
    ]


@pytest.mark.parametrize(
    "request_, part",
    [
        ({"method": "GET", "url": URL, "body": {"a": 1}}, "--request GET"),
        ({"method": "DELETE", "url": URL}, "--request DELETE"),
        ({"method": "x y", "url": URL}, "--url"),
        ({"url": "http://[::1]:8080/x"}, "--globoff"),
        ({"url": URL, "headers": [["x-empty", ""]]}, "--header 'x-empty;'"),
        ({"url": URL, "headers": [["x", "a\r\nEvil: b"]]}, "--header 'x: a Evil: b'"),
        ({"url": URL, "body": "@/etc/passwd"}, "--data-raw @/etc/passwd"),
    ],
)
def test_parts(request_: dict[str, Any], part: str) -> None:
    command = curl_command(request_)
    assert command is not None
    assert part in command
    assert "--request 'x" not in command


@pytest.mark.parametrize("name", ["@/etc/passwd", "a b", "", "x\n"])
def test_what_is_no_name_of_a_header_is_left_out(name: str) -> None:
    assert "--header" not in (curl_command({"url": URL, "headers": [[name, "v"]]}) or "")


@needs_shell
def test_a_long_body_goes_through_standard_input() -> None:
    body = {"text": "`id` $HOME \\ BODY '\"\n" * 20_000, "secret": "x"}
    command = curl_command({"url": URL, "body": body})
    assert command is not None
    assert len(command) > LONGEST_ARGUMENT
    words = run(command, SECRET="s")
    assert json.loads(words[-1]) == {**body, "secret": "s"}


@needs_shell
@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_body_and_header_reach_curl_as_they_are(text: str) -> None:
    value = "'" + text.replace("\r", "").replace("\n", "") + "'"
    command = curl_command({"url": URL, "headers": [["x", value]], "body": text})
    assert command is not None
    assume("${" not in command or "${" in text)  # a text that looks like a key
    words = run(command)
    assert words[words.index("--header") + 1] == f"x: {value}"
    assert text in words
