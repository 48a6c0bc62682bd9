"""Which upstreams a route of the proxy takes."""

from __future__ import annotations

import pytest

from inspector_app.live.proxy_rules import Route, RouteFault, base_url, leads_here

HERE = (
    "127.0.0.1", "127.1", "127.0.1", "127.9.9.9", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "0", "0.0.0.0",
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1.", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:0:0]",
)  # fmt: skip
ELSEWHERE = (
    "128.0.0.1", "10.0.0.1", "api.openai.com", "localhost.example", "127.0.0.1.example", "mylocalhost", "[::2]",
    "[::ffff:10.0.0.1]", "1", "example",
)  # fmt: skip


@pytest.mark.parametrize("host", HERE)
def test_every_spelling_of_this_machine_leads_back(host: str) -> None:
    base = base_url(f"http://{host}:8123/v1")
    assert leads_here(Route(base), 8123)
    assert not leads_here(Route(base), 8124)
    assert leads_here(Route(base_url(f"http://{host}")), 80)


@pytest.mark.parametrize("host", ELSEWHERE)
def test_other_hosts_do_not(host: str) -> None:
    assert not leads_here(Route(base_url(f"http://{host}:8123/v1")), 8123)


@pytest.mark.parametrize(
    "url, words",
    [
        (
            "http://host?x",
            "the upstream has a ? in it: leave it out with all that follows, what a client asks goes along",
        ),
        ("http://host/v1?key=abc", "the upstream has a ? in it"),
        ("http://host/v1#top", "the upstream has a # in it"),
        ("https://me:secret@host/v1", "the upstream has a user name or password before the @: leave it out"),
        ("https://me:secret@host?x", "the upstream has a user name or password before the @: leave it out"),
        ("https://host/sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789/v1", "the upstream has a key in it"),
        ("ftp://host", "the upstream must be a whole URL, beginning with https:// or http://"),
        ("http://ho st", "the upstream has a character in it that no URL has"),
    ],
)
def test_what_cannot_be_an_upstream_is_told_without_its_secrets(url: str, words: str) -> None:
    with pytest.raises(RouteFault) as fault:
        base_url(url)
    assert str(fault.value).startswith(words)
    assert not any(inside in str(fault.value) for inside in ("secret", "abc", "0123456789", "key_env", "query ="))
