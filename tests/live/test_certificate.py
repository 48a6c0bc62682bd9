"""What a certificate says is read from its bytes, and no bytes break the reader."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.live import certificate
from inspector_app.live.certificate import certificate_of, describe
from tests.live.server import Server

AUTHORITY = trustme.CA(organization_name="Canary \u202eAuthority")


def der(*names: str, until: datetime | None = None) -> bytes:
    issued = AUTHORITY.issue_cert(*names, not_after=until)
    return ssl.PEM_cert_to_DER_cert(issued.cert_chain_pems[0].bytes().decode())


WHOLE = der("a.example", "*.b.example", "10.0.0.1", until=datetime(2061, 5, 6, tzinfo=UTC))


def test_a_certificate_says_for_whom_it_is_by_whom_and_until_when() -> None:
    said = describe(WHOLE)
    assert said.startswith(
        "it is for a.example, *.b.example, 10.0.0.1, issued by Canary ‹U+202E›Authority, valid from "
    )
    assert said.endswith(" to 2061-05-06")


def test_the_authority_issued_itself_and_has_no_names_but_its_own() -> None:
    own = ssl.PEM_cert_to_DER_cert(AUTHORITY.cert_pem.bytes().decode())
    assert describe(own).startswith("it is for Canary ‹U+202E›Authority, issued by itself, valid from ")


def test_of_many_names_a_few_are_shown() -> None:
    assert "n3.example and 6 more, issued" in describe(der(*(f"n{number}.example" for number in range(10))))


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    assert isinstance(describe(data), str)


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_no_damaged_byte_breaks_the_reader(at: int, byte: int) -> None:
    assert isinstance(describe(WHOLE[:at] + bytes([byte]) + WHOLE[at + 1 :]), str)
    assert isinstance(describe(WHOLE[:at]), str)


def test_a_certificate_is_fetched_although_it_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("elsewhere.example").configure_cert(context)
    with Server(context) as server:
        assert "it is for elsewhere.example" in asyncio.run(certificate_of("127.0.0.1", server.port))
        assert server.requests == []
    monkeypatch.setattr(certificate, "LOOK_S", 0.05)
    with Server() as plain:
        assert asyncio.run(certificate_of("127.0.0.1", plain.port)) == ""
    assert asyncio.run(certificate_of("127.0.0.1", 1)) == ""
