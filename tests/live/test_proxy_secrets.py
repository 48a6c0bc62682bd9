"""What of a request is masked in an answer that repeats it."""

from __future__ import annotations

import pytest

from inspector_app.live.proxy_exchange import secrets_of

LONG = "a-long-value-of-a-cookie"


@pytest.mark.parametrize(
    "fields, query, secret",
    [
        ([("Cookie", f"a=b; sid={LONG}; c=d")], "", LONG),
        ([("X-Custom", f"Bearer {LONG}")], "", LONG),
        ([("Authorization", "Basic dXNlcjpodXNoLWh1c2g=")], "", "hush-hush"),
        ([], "alt=sse&key=one%2Btwo%3D", "one+two="),
        ([], "key=one+two", "one two"),
    ],
)
def test_a_secret_is_known_as_the_server_reads_it(fields: list[tuple[str, str]], query: str, secret: str) -> None:
    assert secret in secrets_of(fields, query)


@pytest.mark.parametrize("value", ["Basic", "Basic !", "Basic /w==", "basic Og=="])
def test_what_is_no_basic_key_is_no_fault(value: str) -> None:
    assert "" not in secrets_of([("Authorization", value)], "")
