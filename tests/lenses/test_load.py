"""The shipped lenses are whole, and a lens file that is wrong says where in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.rules import differences
from inspector_app.lenses import Lens, LensFault, load_lenses, shipped_folder, user_folder

FIXED = {"zcode-3.11": "zcode-fixed", "openclaw": "openclaw-fixed", "wingmate-2026-06": "wingmate-fixed"}
WHOLE = {
    "name": '"mine"',
    "title": '"My client"',
    "kind": '"client"',
    "dialects": '["openai-chat"]',
    "evidence": '"report"',
    "source": '"a report"',
    "summary": '"It reads badly."',
}


def toml(**changed: str | None) -> str:
    """A whole lens file with some values set otherwise; None takes the key out."""
    return "".join(f"{key} = {value}\n" for key, value in (WHOLE | changed).items() if value is not None)


@pytest.fixture(scope="module")
def shipped() -> dict[str, Lens]:
    return load_lenses([shipped_folder()])


def test_the_lenses_of_the_three_reports_are_shipped(shipped: dict[str, Lens]) -> None:
    assert {*FIXED, *FIXED.values()} <= set(shipped)


def test_a_shipped_lens_is_named_like_its_file_and_says_where_it_is_from(shipped: dict[str, Lens]) -> None:
    for lens in shipped.values():
        assert lens.path.name == f"{lens.name}.toml"
        assert set(lens.dialects) <= set(load_kit().names)
        assert lens.summary.endswith(".")
        assert len(lens.source) > 20


@pytest.mark.parametrize("name", FIXED)
def test_a_reported_client_differs_from_the_reference_and_its_repair_does_not(
    shipped: dict[str, Lens], name: str
) -> None:
    assert differences(shipped[name].rules)
    assert shipped[name].evidence == "report"
    assert differences(shipped[FIXED[name]].rules) == {}


def test_zcode(shipped: dict[str, Lens]) -> None:
    assert differences(shipped["zcode-3.11"].rules) == {"reasoning_end": "non-null-tool-calls", "repairs": []}


def test_openclaw(shipped: dict[str, Lens]) -> None:
    rules = shipped["openclaw"].rules
    assert rules.reasoning_fields == ("reasoning_content", "reasoning", "reasoning_text")
    assert rules.empty_turn == "error"
    message = rules.empty_turn_error.format(payloads=0)
    assert "incomplete turn detected" in message
    assert message.endswith("payloads=0")


def test_wingmate(shipped: dict[str, Lens]) -> None:
    assert differences(shipped["wingmate-2026-06"].rules) == {
        "space_required": True,
        "id_policy": "non-null-overwrite",
        "name_policy": "non-null-overwrite",
        "repairs": [],
    }


def test_a_users_lens_stands_beside_the_shipped_ones(home: Path, shipped: dict[str, Lens]) -> None:
    assert user_folder() == home / "config" / "stream-inspector" / "lenses"
    assert set(load_lenses([shipped_folder(), user_folder()])) == set(shipped)
    user_folder().mkdir(parents=True)
    (user_folder() / "notes.txt").write_text("no lens")
    (user_folder() / "mine.toml").write_text(toml() + '[rules]\nthink_tags = "literal"\n')
    lenses = load_lenses([shipped_folder(), user_folder()])
    assert set(lenses) - set(shipped) == {"mine"}
    assert differences(lenses["mine"].rules) == {"think_tags": "literal"}


@pytest.mark.parametrize("head", ["", "\ufeff"], ids=["plain", "byte-order mark"])
def test_a_file_without_rules_is_the_reference(tmp_path: Path, head: str) -> None:
    (tmp_path / "mine.toml").write_text(head + toml(), "utf-8")
    assert differences(load_lenses([tmp_path])["mine"].rules) == {}


@pytest.mark.parametrize(
    "text, line",
    [
        (toml(titel='"x"'), "unknown key 'titel'; did you mean 'title'?"),
        (toml(title=None), "title is missing"),
        (toml(title="3"), "title must be a text that is not empty"),
        (toml(summary='" "'), "summary must be a text that is not empty"),
        (toml(kind='"robot"'), "kind = 'robot': not allowed; allowed: 'client', 'sdk', 'decoder'"),
        (toml(evidence='"rumour"'), "evidence = 'rumour': not allowed; allowed: 'measured', 'source', 'report'"),
        (toml(name='"reference"'), "name = 'reference' is reserved for the reference reading"),
        (toml(name='"literal"'), "name = 'literal' is reserved for the literal reading"),
        (
            toml(name='"My Client"'),
            "name = 'My Client': only a-z, 0-9, dot, hyphen and underscore, a letter or digit first",
        ),
        (toml(dialects="[]"), "dialects must be a list of one or more dialect names"),
        (toml(dialects='"openai-chat"'), "dialects must be a list of one or more dialect names"),
        (toml(dialects="[1]"), "dialects must be a list of one or more dialect names"),
        (toml(dialects=None), "dialects must be a list of one or more dialect names"),
        (toml(dialects='["openai-chatt"]'), "dialects: 'openai-chatt' is not known"),
        (toml(rules="3"), "rules must be a table"),
        (toml(rules="{ bomb = 1 }"), "[rules]: unknown rule 'bomb'; did you mean 'bom'?"),
        (toml(rules='{ bom = "eaten" }'), "[rules]: bom = 'eaten': not allowed; allowed: 'stripped', 'kept'"),
        (toml(rules='{ skips_on = ["sse-commend"] }'), "skips_on: 'sse-commend' is not known"),
        (toml(rules='{ stops_on = { sse-commend = "x" } }'), "stops_on: 'sse-commend' is not known"),
    ],
)
def test_a_wrong_lens_is_one_line_with_file_and_key(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(LensFault) as fault:
        load_lenses([tmp_path], dialects={"openai-chat"}, findings={"sse-comment"})
    assert str(fault.value) == f"{path}: {line}"


def test_known_names_pass(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(toml(rules='{ stops_on = { sse-comment = "x" } }'))
    assert set(load_lenses([tmp_path], dialects={"openai-chat"}, findings={"sse-comment"})) == {"mine"}


def test_text_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("name = \n")
    with pytest.raises(LensFault, match=r"mine\.toml: is not TOML: [^\n]*line 1, column 8[^\n]*$"):
        load_lenses([tmp_path])


def test_bytes_that_are_no_text_and_a_folder_named_like_a_lens(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(LensFault, match=r"mine\.toml: is not UTF-8 at byte 8$"):
        load_lenses([tmp_path])
    path.unlink()
    path.mkdir()
    with pytest.raises(LensFault, match=r"mine\.toml: cannot be read: "):
        load_lenses([tmp_path])


def test_one_name_for_two_lenses(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(toml())
    (tmp_path / "b.toml").write_text(toml())
    with pytest.raises(LensFault) as fault:
        load_lenses([tmp_path])
    assert str(fault.value) == f"{tmp_path / 'b.toml'}: name = 'mine' is already taken by {tmp_path / 'a.toml'}"


def test_a_repaired_client_stands_after_its_original(shipped: dict[str, Lens]) -> None:
    order = list(shipped)
    pairs = [("openclaw", "openclaw-fixed"), ("wingmate-2026-06", "wingmate-fixed"), ("zcode-3.11", "zcode-fixed")]
    assert all(order.index(repaired) > order.index(original) for original, repaired in pairs)
