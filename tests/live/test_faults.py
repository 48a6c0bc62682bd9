"""What `record` and `check` say of each fault of a server, with which status, and that no key is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector_app.cli import main
from inspector_app.live.providers import providers_file
from tests.live.faults import FAULTS
from tests.live.server import Server
from tests.live.streams import CANARY

KEY = "FAULT_TEST_KEY"
ENTRY = """
[providers.{name}]
base_url = "{url}"
path = "/{name}"
dialect = "openai-chat"
model = "m"
key_env = "{key}"
timeout_idle_s = {idle_s}
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv(KEY, CANARY)
    with Server(scripts=lambda path: FAULTS[path].steps) as running:
        entries = [ENTRY.format(name=n, url=running.url, key=KEY, idle_s=one.idle_s) for n, one in FAULTS.items()]
        providers_file().parent.mkdir(parents=True, exist_ok=True)
        providers_file().write_text("".join(entries))
        yield running


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_told(name: str, server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fault, out = FAULTS[name], tmp_path / "x.rec.jsonl"
    assert main(["record", name, "--prompt", "x", "--out", str(out)]) == fault.recorded
    printed = capfd.readouterr()
    before, _, told = printed.err.partition(f"stream-inspector: {out}: ")
    assert before == ""
    assert (fault.words in told) if fault.words else not told
    assert main(["check", str(out)]) == fault.checked
    checked = capfd.readouterr()
    rules = re.findall(r"(?m)^ *(?:error|warning|info) +([a-z0-9-]+)", checked.out)
    assert set(fault.rules) <= set(rules)
    assert not set(fault.without) & set(rules)
    assert "no dialect" not in checked.out or "first-event" not in name
    assert rules or name == "whole"
    assert CANARY not in printed.out + printed.err + checked.out + checked.err + out.read_text()


def test_a_cut_stands_under_our_own_giving_up(
    server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.rec.jsonl"
    main(["record", "stall-in-a-line", "--prompt", "x", "--out", str(out)])
    capfd.readouterr()
    assert _under(out, capfd) == ("end-silence", True)
    lines = out.read_text().splitlines(keepends=True)
    out.write_text("".join(lines[:-1]))
    assert _under(out, capfd) == ("file-torn-tail", True)


def _under(path: Path, capfd: pytest.CaptureFixture[str]) -> tuple[str, bool]:
    """What a cut only follows from, and whether that is a finding."""
    main(["check", str(path), "--json"])
    found = json.loads(capfd.readouterr().out)
    found = found[0] if isinstance(found, list) else found
    findings = {one["rule"]: one for one in found["findings"]}
    under = findings["frame-cut"]["under"]
    return under, under in findings


@pytest.mark.parametrize("name, advice", [
    ("401", "Look at the key"),
    ("429-empty-object", "Wait as long as the server asks"),
    ("307", "Name the new address"),
    ("304", "Show the status"),
    ("500-page", "Try again later"),
    ("error-under-200", "Answer failures with a 4xx or 5xx status"),
    ("long-head", "it was this side that gave up"),
    ("bad-chunk", "Look which server or gateway writes the chunks"),
    ("head-then-close", "Tell the user that the connection dropped"),
    ("no-http", "what listens there is another kind of server"),
    ("closed-at-once", "it took the connection and hung up"),
])  # fmt: skip
def test_advice_fits_the_status(
    name: str, advice: str, server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.rec.jsonl"
    main(["record", name, "--prompt", "x", "--out", str(out)])
    main(["check", str(out), "--json"])
    printed = capfd.readouterr().out
    assert advice in printed
    assert ("Answer failures with" in printed) == (name == "error-under-200")
