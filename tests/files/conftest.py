"""What the tests of the file room share: bytes in, exchanges out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inspector_app.core.types import Exchange
from inspector_app.files import read_input


@pytest.fixture
def read_all(tmp_path: Path) -> Callable[..., list[Exchange]]:
    """Writes bytes to a file and reads it: all its exchanges."""

    def read(data: bytes, name: str = "answer.sse") -> list[Exchange]:
        path = tmp_path / name
        path.write_bytes(data)
        return read_input(str(path))

    return read


@pytest.fixture
def read_one(read_all: Callable[..., list[Exchange]]) -> Callable[..., Exchange]:
    """Writes bytes to a file and reads it: its only exchange."""

    def read(data: bytes, name: str = "answer.sse") -> Exchange:
        (exchange,) = read_all(data, name)
        return exchange

    return read
