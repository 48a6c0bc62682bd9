"""What a certificate says of itself, for a person who has to decide why it is not trusted.

Python decodes only certificates that it trusts, so the few fields that matter are read from the DER here.
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime

from inspector_app.core.text import clip, visible

LOOK_S = 5.0
"""Seconds that fetching a certificate may take."""
NAMES = 4
"""Names of a certificate that are shown."""

_COMMON_NAME = b"\x55\x04\x03"
_ORGANIZATION = b"\x55\x04\x0a"
_ALTERNATIVE_NAMES = b"\x55\x1d\x11"
_SEQUENCE, _OCTETS, _OID, _VERSION, _EXTENSIONS = 0x30, 0x04, 0x06, 0xA0, 0xA3
_DNS, _IP = 0x82, 0x87


async def certificate_of(host: str, port: int) -> str:
    """What the certificate of a server says, in words; empty when it cannot be had. Nothing is sent to the server."""
    try:
        pem = await asyncio.to_thread(ssl.get_server_certificate, (host, port), timeout=LOOK_S)
        return describe(ssl.PEM_cert_to_DER_cert(pem))
    except (OSError, ValueError):
        return ""


def describe(der: bytes) -> str:
    """For whom a certificate is, who issued it, and when it is valid; empty when it cannot be read."""
    try:
        parts = list(_children(_one(_one(der))))
        if parts[0][0] == _VERSION:
            parts.pop(0)
        _, _, (_, issuer), (_, validity), (_, subject) = parts[:5]
        since, until = (_date(tag, value) for tag, value in _children(validity))
        names = _alternative_names(parts) or [_name(subject)]
        more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
        by = "itself" if issuer == subject else _name(issuer)
    except (ValueError, IndexError):
        return ""
    return f"it is for {', '.join(names[:NAMES])}{more}, issued by {by}, valid from {since} to {until}"


def _children(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        tag, size = data[at], data[at + 1]
        at += 2
        if size & 0x80:
            count = size & 0x7F
            if not 1 <= count <= 4:
                raise ValueError("no length that a certificate has")
            size, at = int.from_bytes(data[at : at + count]), at + count
        if at + size > len(data):
            raise ValueError("cut off")
        yield tag, data[at : at + size]
        at += size


def _one(data: bytes) -> bytes:
    for tag, value in _children(data):
        if tag == _SEQUENCE:
            return value
        break
    raise ValueError("no sequence")


def _name(data: bytes) -> str:
    found: dict[bytes, str] = {}
    for _, group in _children(data):
        for _, pair in _children(group):
            (_, oid), (_, value) = _children(pair)
            found.setdefault(oid, _shown(value))
    return found.get(_COMMON_NAME) or found.get(_ORGANIZATION) or "nobody named"


def _alternative_names(parts: list[tuple[int, bytes]]) -> list[str]:
    names: list[str] = []
    for tag, value in parts:
        for _, extension in _children(_one(value)) if tag == _EXTENSIONS else ():
            fields = list(_children(extension))
            if fields[0] != (_OID, _ALTERNATIVE_NAMES) or fields[-1][0] != _OCTETS:
                continue
            for kind, name in _children(_one(fields[-1][1])):
                if kind == _DNS:
                    names.append(_shown(name))
                elif kind == _IP:
                    names.append(str(ipaddress.ip_address(name)))
    return names


def _shown(value: bytes) -> str:
    return visible(clip(value.decode("utf-8", "replace"), 100))


def _date(tag: int, value: bytes) -> str:
    text = value.decode("ascii")
    if tag == 0x17:  # Years of two digits: up to 49 they are of this century.
        text = ("20" if int(text[:2]) < 50 else "19") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC).date().isoformat()
