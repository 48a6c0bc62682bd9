"""A lens that is written is the lens that is read; what stands in the way is one line and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.lenses.load import Lens, LensFault, lens_from, load_lenses, shipped_folder
from inspector_app.lenses.save import as_toml, delete_lens, save_lens, table_of

KIT = load_kit()
SHIPPED = load_lenses([shipped_folder()])


def table(**changes: Any) -> dict[str, Any]:
    return {
        "name": "mine", "title": "Mine", "kind": "client", "dialects": ["openai-chat"], "evidence": "report",
        "source": "here", "summary": "Mine.", "rules": {},
    } | changes  # fmt: skip


RULES = {
    "space_required": True, "max_line": 65536, "reasoning_fields": ["reasoning", "thinking"], "repairs": [],
    "blank_fires": ["id"], "finish_default": "ende \"so\" \\ \n\t\x7f", "stops_on": {"sse-no-space": "Fehler: ü"},
    "reasoning_end": "non-null-tool-calls",
}  # fmt: skip


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    lens = save_lens(table(rules=RULES), tmp_path / "new", SHIPPED, findings=KIT.rules, dialects=KIT.names)
    (again,) = load_lenses([tmp_path / "new"], findings=KIT.rules, dialects=KIT.names).values()
    assert again == lens
    assert table_of(again) == table(rules=RULES)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["mine.toml"]


@pytest.mark.parametrize("lens", SHIPPED.values(), ids=list(SHIPPED))
def test_every_shipped_lens_survives_the_way(lens: Lens, tmp_path: Path) -> None:
    path = tmp_path / lens.path.name
    path.write_text(as_toml(table_of(lens)), "utf-8")
    (again,) = load_lenses([tmp_path]).values()
    assert (again.rules, again.name, again.summary) == (lens.rules, lens.name, lens.summary)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"name": ""}, "name must be a text that is not empty"),
        ({"name": "My Client"}, "only a-z, 0-9, dot, hyphen and underscore"),
        ({"name": "zcode-3.11"}, "is already taken by"),
        ({"name": "reference"}, "reserved"),
        ({"dialects": []}, "dialects must be a list"),
        ({"dialects": ["openai-chatt"]}, "'openai-chatt' is not known"),
        ({"kind": "app"}, "kind = 'app'"),
        ({"rules": {"space_requird": True}}, "did you mean 'space_required'"),
        ({"rules": {"framing": "lines"}}, "framing = 'lines'"),
        ({"rules": {"stops_on": {"sse-nospace": "x"}}}, "'sse-nospace' is not known"),
        ({"rules": {"max_line": "many"}}, "must be a whole number"),
    ],
)
def test_what_is_not_right_is_one_line_and_nothing_is_written(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(LensFault) as caught:
        save_lens(table(**changes), tmp_path, SHIPPED, findings=KIT.rules, dialects=KIT.names)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_another_name_takes_the_file_along(tmp_path: Path) -> None:
    first = save_lens(table(), tmp_path, SHIPPED)
    known = {**SHIPPED, first.name: first}
    with pytest.raises(LensFault, match="already taken"):
        save_lens(table(title="Other"), tmp_path, known)
    same = save_lens(table(title="Other"), tmp_path, known, instead_of=first)
    assert same.title == "Other"
    moved = save_lens(table(name="yours"), tmp_path, known, instead_of=same)
    assert [path.name for path in tmp_path.iterdir()] == ["yours.toml"]
    delete_lens(moved)
    delete_lens(moved)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LensFault, match="cannot be written"):
        save_lens(table(), tmp_path / "file", SHIPPED)


def test_a_table_is_judged_as_a_file_would_be() -> None:
    assert lens_from(table(), Path("mine.toml")).name == "mine"
    with pytest.raises(LensFault, match=r"mine.toml: unknown key 'titel'"):
        lens_from(table(titel="x"), Path("mine.toml"))
