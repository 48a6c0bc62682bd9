"""One secret in every place where a secret can be given, and every output that the program can write: it is in none.

The places are those of the list in core/redact.py; that this list has all that must be on it is held below. What a
server sends as the body of its answer is evidence and stands in the recording as it came: none of it is a secret here.
"""

from __future__ import annotations

import base64
import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractItemView, QApplication
from pytestqt.qtbot import QtBot

from inspector_app import cli_record
from inspector_app.cli import main
from inspector_app.core.redact import BODY, HEADERS, KEY_SHAPES, QUERY, is_credential_header, redact_text
from inspector_app.live.history import history_file
from inspector_app.live.keys import SERVICE
from inspector_app.live.providers import providers_file
from inspector_app.live.recorder import recordings_folder
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.settings import Settings
from inspector_app.ui.studio import WHATS, Wish
from inspector_app.ui.theme import Look
from inspector_app.ui.views.copies import copies
from inspector_app.ui.window import Window
from tests.live.server import CHUNKED, EVENTS, Server, Step, chunk, head
from tests.ui.panes_data import kit, shipped_lenses

CANARY = "Canary7f3a9d"
KEY = f"sk-proj-{CANARY}0123456789abcdef"
VARIABLE = "GATE_KEY"
PAGES = ("JSON and bytes", "Event", "Read", "HTTP", "Fields", "Timing")


def named(pattern: str) -> str:
    return pattern.replace("*", "x")


def of(place: str) -> str:
    """The secret of a place: what leaks says from where."""
    return f"{CANARY}-{place.replace('*', '')}-0123456789"


MUST_BE_HEADERS = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-goog-api-key",
    "xi-api-key", "x-amz-security-token", "x-any-token", "x-any-secret", "Ocp-Apim-Subscription-Key",
]  # fmt: skip
MUST_BE_QUERY = [
    "key", "api_key", "access_token", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "client_secret"
]  # fmt: skip
MUST_BE_SHAPES = (
    "sk-ant-api03-0123456789abcdefXYZ", "AIza" + "a1" * 17 + "Z", "AKIA0123456789ABCDEF",
    "eyJhbGciOiJI.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
)  # fmt: skip


def test_the_list_has_what_must_be_on_it() -> None:
    assert [name for name in MUST_BE_HEADERS if not is_credential_header(name)] == []
    assert [name for name in MUST_BE_QUERY if of("x") in redact_text(f"https://x.example/?{name}={of('x')}&y=1")] == []
    assert [shape for shape in MUST_BE_SHAPES if not KEY_SHAPES.fullmatch(shape)] == []


HEADER_SECRETS = [(named(name), of(f"header-{name}")) for name in HEADERS if name != "authorization"]
QUERY_SECRETS = [(named(name), of(f"query-{name}")) for name in QUERY]


def prompt(key: str) -> str:
    """What somebody asks who has a key at hand; the one of this run is found without a shape to know it by."""
    return f"my key is {key}, the other {KEY}, https://me:{of('user')}@x.example/?api_key={of('url')}"


def request(key: str) -> str:
    """A body with a secret in every place."""
    body = {
        "model": "m/1", "stream": True, "messages": [{"role": "user", "content": prompt(key)}],
        "metadata": {named(name): of(f"body-{name}") for name in BODY},
        "tools": [{"headers": {"api_key": of("nested")}}],
    }  # fmt: skip
    return json.dumps(body)


def answer(key: str) -> tuple[Step, ...]:
    """A server that repeats a key in every field, also where nobody expects one."""
    fields = [f"{name}: {value}" for name, value in (*HEADER_SECRETS, ("x-echo", f"you sent {key}"))]
    return head("200 OK", CHUNKED, *fields), *map(chunk, EVENTS), f"0\r\nx-trailer: {key}\r\n\r\n".encode()


def forms(secret: str) -> Iterator[str]:
    """How a secret may be written."""
    data = secret.encode()
    yield from (secret, secret.lower(), quote(secret, safe=""), data.hex(), data.hex(" "), secret[::-1])
    for shift in range(3):
        # Base64 of a part that does not depend on what stands before.
        yield base64.b64encode(b"x" * shift + data).decode()[4:12]


FORMS = tuple(dict.fromkeys(form for form in forms(CANARY) if len(form) >= 8))


def leaks(text: str | bytes) -> list[str]:
    """Where a part of a secret stands in an output, with what is around it."""
    shown = text if isinstance(text, str) else text.decode("latin-1")
    return [
        shown[max(0, at.start() - 60) : at.end() + 40] for form in FORMS for at in re.finditer(re.escape(form), shown)
    ]


class Keyring(ModuleType):
    """A stand-in for the package."""

    def __init__(self) -> None:
        super().__init__("keyring")
        self.backend = type("Keyring", (), {"priority": 5, "__module__": "keyring.backends.SecretService"})()

    def get_keyring(self) -> Any:
        return self.backend

    def get_password(self, service: str, entry: str) -> str:
        assert service == SERVICE
        return of("keyring")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that repeats what it was told in every field; the providers ask it, one key each place."""
    monkeypatch.setenv(VARIABLE, of("environment"))
    monkeypatch.setitem(sys.modules, "keyring", Keyring())
    with Server(scripts=lambda path: answer(of("keyring" if path.startswith("ring") else "environment"))) as running:
        entry = 'dialect = "openai-chat"\nmodel = "m/1"\n'
        providers_file().parent.mkdir(parents=True)
        for name, place in (("gate", f'key_env = "{VARIABLE}"'), ("ring", 'key_keyring = "mine"')):
            with providers_file().open("a", encoding="utf-8") as file:
                file.write(f'[providers.{name}]\nbase_url = "{running.url}/{name}/v1"\n{entry}{place}\n')
        yield running


@pytest.fixture
def window(qtbot: QtBot, look: Look, tmp_path: Path) -> Iterator[Window]:
    window = Window(kit(), shipped_lenses(), look, settings=Settings(tmp_path / "settings.json"))
    qtbot.addWidget(window)
    window.resize(1600, 1400)
    window.show()
    yield window
    window.close()


def files_below(*folders: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}


def sent(server: Server) -> str:
    """All that the server was told, in lower case."""
    return json.dumps(server.requests, default=lambda data: data.decode()).lower()


def test_nothing_that_the_commands_write_holds_a_secret(
    server: Server, home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture,
    texts: list[str],
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    body = tmp_path / "request.json"
    for name, key in (("gate", of("environment")), ("ring", of("keyring"))):
        body.write_text(request(key), "utf-8")
        assert main(["record", name, "--request", str(body), "--count", "2"]) == 0
    assert (
        main(
            [
                "record",
                "gate",
                "--prompt",
                prompt(of("environment")),
                "--set",
                f"user={KEY}",
                "--out",
                str(tmp_path / "x.rec.jsonl"),
            ]
        )
        == 0
    )
    whole = sent(server)
    assert all(value.lower() in whole for value in (of("environment"), of("keyring"), KEY, of("nested"))), "it was sent"
    first, *_ = map(str, sorted(recordings_folder().glob("*.rec.jsonl")))
    both = ["--as", "reference", "--with", "zcode-3.11"]
    for command in (
        ["check", first], ["check", first, "--json"], ["check", str(recordings_folder())], ["diff", first, *both],
        ["diff", first, *both, "--json"], ["check", first, "--as", "reference"],
        ["providers"], ["providers", "--json"],
        ["shot", first, str(tmp_path / "x.svg")], ["shot", first, str(tmp_path / "x.png")],
    ):  # fmt: skip
        assert main(command) in (0, 1)
    body.unlink()
    out, err = capfd.readouterr()
    assert "m/1" in out
    assert texts
    found = {name: leaks(data) for name, data in files_below(home, tmp_path).items()}
    found |= {"out": leaks(out), "err": leaks(err), "log": leaks(caplog.text), "drawn": leaks("\n".join(texts))}
    assert {name: where for name, where in found.items() if where} == {}
    assert len(found) > 9
    for path in recordings_folder().glob("*.rec.jsonl"):
        assert path.read_text("utf-8").count("<redacted: sha256:") > len(HEADER_SECRETS) + len(BODY)


def test_nothing_that_the_window_writes_holds_a_secret(
    qtbot: QtBot, window: Window, server: Server, home: Path, tmp_path: Path, texts: list[str],
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    written: dict[str, list[str]] = {}

    def clipboard(what: str) -> str:
        """What lies on the clipboard, in all its forms."""
        mime = QApplication.clipboard().mimeData()
        data = b"\n".join(bytes(mime.data(form).data()) for form in mime.formats())
        written[what] = leaks(mime.text()) + leaks(data)
        return mime.text()

    query = "&".join(f"{name}={value}" for name, value in QUERY_SECRETS)
    fields = " ".join(f"-H '{name}: {value}'" for name, value in HEADER_SECRETS if name != "set-cookie")
    page = window.compose()
    command = (
        f"curl '{server.url}/v1/chat/completions?{query}' -H 'authorization: Bearer {of('environment')}' {fields} "
        f"-d '{request(of('environment'))}'"
    )
    assert page.take_curl(command), page.strip.said.text
    page.draft.headers += (("x-typed-token", of("typed")),)
    page.copy_curl()
    assert clipboard("curl").startswith("curl ")
    for what in ("request.svg", "request.png"):
        with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
            window.save_picture(str(tmp_path / what))
    page.send()
    recording = window.page()
    assert recording is not None
    qtbot.waitUntil(lambda: recording.session.complete and recording.session.idle, timeout=20_000)
    whole = sent(server)
    secrets = [value for _, value in (*HEADER_SECRETS, *QUERY_SECRETS)]
    assert [value for value in secrets if value.lower() not in whole and "set-cookie" not in value] == [], (
        "they were sent"
    )
    assert of("typed").lower() in whole
    copy_everything(window, recording, clipboard)
    for name in PAGES:
        recording.detail.show_page(name)
        recording.session.selection.select(Selection(1), None)
        with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
            window.save_picture(str(tmp_path / f"{name}.svg"))
    for what in WHATS:
        with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
            window.copy_picture(Wish(what))
        clipboard(f"picture of {what}")
    window.run("Send this again…")
    again = window.composing.page()
    assert again is not None
    again.copy_curl()
    clipboard("curl again")
    written["said"] = leaks(f"{page.strip.said.text} {again.strip.said.text} {again.side.verdict.text}")
    window.close()
    assert history_file() in map(Path, files_below(home))
    out, err = capfd.readouterr()
    written |= {name: leaks(data) for name, data in files_below(home, tmp_path).items()}
    written |= {"out": leaks(out), "err": leaks(err), "log": leaks(caplog.text), "drawn": leaks("\n".join(texts))}
    for path in tmp_path.glob("*.png"):
        image = QImage(str(path))
        written[f"text in {path.name}"] = leaks(" ".join(image.text(key) for key in image.textKeys()))
    assert {what: where for what, where in written.items() if where} == {}
    assert len(written) > 30


def copy_everything(window: Window, page: RecordingPage, clipboard: Any) -> None:
    """All that can be copied of a recording: by the menus, by commands, and the rows of every table."""
    session, reading = page.session, page.session.reference
    assert reading is not None
    for n in range(len(reading.events)):
        for selection in (Selection(n), Selection(n, delta=0)):
            for entry in copies(session, selection):
                if not entry.fault:
                    QApplication.clipboard().setText(entry.text())
                    clipboard(f"{entry.words} of event {n}")
    for words in ("Copy report", "Copy report of the findings"):
        window.run(words)
        clipboard(words)
    for name in PAGES:
        page.detail.show_page(name)
        for table in page.findChildren(QAbstractItemView):
            copied = getattr(table, "copied", None)
            if copied is None or table.model() is None:
                continue
            table.selectAll()
            rows = list(range(table.model().rowCount()))
            QApplication.clipboard().setText(copied(rows) if copied.__code__.co_argcount == 2 else copied())
            clipboard(f"{name}: {type(table).__name__}")


@pytest.mark.parametrize("line", [
    f'api_key = "{of("file")}"', f'key = "{of("file")}"', f'key_env = "{KEY}"', f'key_env = "{of("file")}"',
    f'model = "{KEY}"', f'headers = {{ x-api-key = "{of("file")}" }}', f'headers = {{ x-note = "{KEY}" }}',
    f'query = {{ api_key = "{of("file")}" }}', f'extra_body = {{ client_secret = "{of("file")}" }}',
    f'proxy = "http://me:{of("file")}@127.0.0.1:1"', f'base_url = "https://me:{of("file")}@x.example"', f'"{KEY}" = 1',
    f'title = "{KEY}', f'dialect = "{KEY}"', f'preset = "{KEY}"',
])  # fmt: skip
def test_a_secret_in_the_file_of_providers_is_refused_and_not_repeated(
    line: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, qtbot: QtBot, window: Window
) -> None:
    caplog.set_level(logging.DEBUG)
    providers_file().parent.mkdir(parents=True)
    more = "" if line.startswith("base_url") else 'base_url = "http://127.0.0.1:1"\n'
    more += "" if line.startswith("dialect") else 'dialect = "openai-chat"\n'
    providers_file().write_text(f"[providers.gate]\n{more}{line}\n", "utf-8")
    for command in (["providers"], ["providers", "--json"], ["record", "gate", "--prompt", "hi"]):
        assert main(command) == 2
    out, err = capfd.readouterr()
    page = window.compose()
    assert page.catalogue.fault, "the window says so too"
    assert leaks(out + err + caplog.text + page.catalogue.fault + page.side.fault.text) == []


def test_a_crash_tells_no_secret(
    server: Server, window: Window, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever is shown of the objects that hold secrets, as a careless message of an error would."""
    held: list[Any] = []

    def fails(*given: Any, **more: Any) -> None:
        held.extend(given)
        raise RuntimeError(f"{given!r} {more!r}")

    for place in ("_summary", "conditions_of", "outgoing", "prompt_body"):
        out = str(providers_file().with_name(f"{place}.rec.jsonl"))
        with monkeypatch.context() as patch:
            patch.setattr(cli_record, place, fails)
            with pytest.raises(RuntimeError) as caught:
                main(["record", "gate", "--prompt", "hi", "--out", out])
        report = "".join(traceback.format_exception(caught.value))
        assert "RuntimeError" in report
        assert leaks(report) == []
    page = window.compose()
    page.choose(page.catalogue.own["gate"])
    ask = page.draft.ask(page.catalogue.credentials(page.draft.provider))
    assert of("environment") in str(ask.request.headers)
    held += [ask, ask.request, ask.provider, ask.conditions, page.draft.whole(page.catalogue.credentials(ask.provider))]
    assert leaks(" ".join(f"{one!r} {one}" for one in held)) == []
    assert leaks("".join(capfd.readouterr())) == []
