"""Notes of a recording in reports and in the lines of check: short, safe, without keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspector_app.cli import main
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.resources import resource
from inspector_app.files import read_input
from inspector_app.files.recording import add_note
from inspector_app.lenses.run import read
from inspector_app.report.notes import MOST, notes_as_markdown, notes_listed

NAME = "mixed-spacing.rec.jsonl"


def reading(notes: list[dict[str, Any]]) -> Reading:
    exchange = read_input(str(resource("recordings", NAME)))[0]
    exchange.notes.extend(notes)
    return read(exchange, load_kit())


CASES: list[tuple[dict[str, Any], str, str]] = [
    ({"event": 3, "text": "here\n\nit breaks"}, "- event 3: here it breaks", "event 3: here it breaks"),
    ({"event": 3, "text": "", "until": 9}, "- events 3 to 9: marked", "events 3 to 9: marked"),
    ({"event": 3, "text": ""}, "- event 3: bookmark", "event 3: bookmark"),
    ({"event": 3, "text": "*a* <b>"}, r"- event 3: \*a\* \<b\>", "event 3: *a* <b>"),
    ({"event": 3, "text": "思考"}, "- event 3: 思考", "event 3: 思考"),
]


@pytest.mark.parametrize(("note", "markdown", "listed"), CASES)
def test_a_note_is_a_line(note: dict[str, Any], markdown: str, listed: str) -> None:
    told = reading([note])
    assert notes_as_markdown(told) == ["", "### Notes", "", markdown]
    assert notes_listed(told) == [f"  note  {listed}"]


def test_keys_controls_and_floods_stay_out() -> None:
    text = "\x1b[2J sk-canary-0123456789abcdef " + "x" * 5000
    hostile = [{"id": f"{n}", "event": n, "text": text} for n in range(60)]
    told = reading(hostile)
    for lines in (notes_as_markdown(told), notes_listed(told)):
        words = "\n".join(lines)
        assert "\x1b" not in words
        assert "canary" not in words
        assert len(words) < 600 * MOST
        assert lines[-1].strip(" -…").startswith("and 40 more")


def test_without_notes_nothing_is_said() -> None:
    gone = [{"event": 1, "text": "a", "id": "n1"}, {"event": 1, "text": None, "id": "n1"}]
    told = reading([*gone, {"text": "no event"}])
    assert notes_as_markdown(told) == []
    assert notes_listed(told) == []


def test_check_ends_with_the_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / NAME
    path.write_bytes(Path(str(resource("recordings", NAME))).read_bytes())
    main(["check", str(path)])
    before = capsys.readouterr().out
    add_note(str(path), {"id": "n1", "event": 8, "text": "the space is missing"})
    main(["check", str(path)])
    assert capsys.readouterr().out == before + "  note  event 8: the space is missing\n"
