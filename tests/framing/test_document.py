"""Bodies that are no stream: their lines, web pages in them, and the document as it stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core import flags as F
from inspector_app.core.kit import load_kit
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.framing import document
from inspector_app.lenses.run import read

PIECES = st.sampled_from([b"a", b"<", b"<html", b"<!DOCTYPE", b"\n", b"\n", b"\r", b"\r\n", b"{}", b"\xef\xbb\xbf"])


@given(st.lists(PIECES, max_size=30).map(b"".join), st.sampled_from([1, 2, 5, 1000]), st.sampled_from([1, 3, 1 << 14]))
def test_lines_end_where_they_do_in_any_reads_and_batches(body: bytes, size: int, batch: int) -> None:
    lines = Lines()
    reader = document.create(ReadingRules(), lines, Events(), "text")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "BATCH", batch)
        for at in range(0, len(body), size):
            reader.feed(body[at : at + size])
        reader.close()
    wanted = re.findall(rb"([^\r\n]*)(\r\n|\n|\r|\Z)", body)
    found = [(body[line.start : line.end], line.eol) for line in map(lines.__getitem__, range(len(lines)))]
    assert found == [line for line in wanted if line != (b"", b"")]
    assert reader.counts[F.HTML] == sum(line.lower().startswith((b"<html", b"<!doctype")) for line, _ in wanted)


@pytest.mark.parametrize("body", [b'{"a":\r\n1}\r\n\r\n', b'\xef\xbb\xbf{\n"a":1\r}', b'\n[{"a":1}]'])
def test_a_document_is_shown_as_it_stands(body: bytes) -> None:
    reading = read(Exchange("x", "json-body", MemoryBody(body)), load_kit(), framing="json")
    assert reading.data(0) == body.removeprefix(b"\xef\xbb\xbf")
