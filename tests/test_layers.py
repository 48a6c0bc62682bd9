"""Who may import whom, and what may stand in one place only."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
APP = ROOT / "inspector_app"
MODULES = sorted(APP.rglob("*.py"))

ROOMS: dict[str, set[str]] = {
    "core": set(),
    "framing": {"core"},
    "dialects": {"core"},
    "findings": {"core"},
    "lenses": {"core", "variations"},
    "files": {"core"},
    "variations": {"core", "framing"},
    "report": {"core"},
    "live": {"core", "files", "variations"},
    "ui": {"core", "framing", "dialects", "findings", "lenses", "files", "report", "live", "variations"},
}
"""Room -> the other rooms it may import. A module at the top, such as the command line, may import all."""

STRANGERS = {"dialects", "findings", "files", "variations"}
"""Rooms whose modules do not import each other, helpers (`_name.py`) aside."""

ONLY_IN = {
    "PySide6": "ui",
    "shiboken6": "ui",
    "qasync": "ui",
    "httpx": "live",
    "httpcore": "live",
    "h11": "live",
    "socket": "live",
}
"""Package -> the one room that may import it."""

ONLY_IN_LABELS = re.compile(r"\b(QLabel|QMessageBox|setToolTip|setHtml|appendHtml|insertHtml)\(")
"""Calls that let Qt read text as HTML; text of a recording is hostile, so one module makes them safe."""


def imports(module: Path) -> Iterator[str]:
    """The full name of every module that `module` imports, wherever in it the import stands."""
    package = module.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            name = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                inner = ROOT.joinpath(*name.split("."), alias.name)
                yield f"{name}.{alias.name}" if inner.is_dir() or inner.with_suffix(".py").is_file() else name


def trespasses(module: Path, imported: str) -> bool:
    room, *inside = module.relative_to(APP).with_suffix("").parts
    top, *target = imported.split(".")
    if top != APP.name:
        return ONLY_IN.get(top, room) != room
    if not inside or not target:
        return False
    if target[0] != room:
        return target[0] not in ROOMS[room]
    return room in STRANGERS and inside != ["__init__"] and len(target) > 1 and not target[1].startswith("_")


def test_every_import_is_allowed() -> None:
    found = [(str(m.relative_to(ROOT)), name) for m in MODULES for name in imports(m) if trespasses(m, name)]
    assert not found


def test_every_room_is_in_the_table() -> None:
    assert {path.parent.name for path in APP.glob("*/__init__.py")} <= set(ROOMS)


@pytest.mark.parametrize(
    "module, imported, wrong",
    [
        ("core/analysis.py", "inspector_app.core.types", False),
        ("core/analysis.py", "inspector_app.framing.sse", True),
        ("core/analysis.py", "inspector_app.cli", True),
        ("core/analysis.py", "PySide6.QtCore", True),
        ("core/analysis.py", "orjson", False),
        ("dialects/ollama.py", "inspector_app.dialects.openai_chat", True),
        ("dialects/ollama.py", "inspector_app.dialects._usage", False),
        ("dialects/__init__.py", "inspector_app.dialects.ollama", False),
        ("files/http.py", "inspector_app.live.capture", True),
        ("files/http.py", "inspector_app", False),
        ("live/capture.py", "inspector_app.files.recording", False),
        ("live/capture.py", "httpx", False),
        ("ui/views/lines.py", "httpx", True),
        ("ui/views/lines.py", "inspector_app.live.capture", False),
        ("ui/views/lines.py", "inspector_app.cli", True),
        ("cli.py", "inspector_app.ui.app", False),
        ("cli.py", "PySide6.QtWidgets", True),
    ],
)
def test_what_counts_as_a_trespass(module: str, imported: str, wrong: bool) -> None:
    assert trespasses(APP / module, imported) is wrong


def run_without_qt(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `program` in a fresh interpreter, then fails it (status 9) when Qt was imported on the way."""
    tail = "\nsys.exit(9 if any(name.partition('.')[0] in ('PySide6', 'shiboken6') for name in sys.modules) else 0)"
    return subprocess.run(
        [sys.executable, "-c", f"import sys\n{program}{tail}", *arguments],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def test_importing_everything_but_ui_leaves_qt_unimported() -> None:
    names = [
        ".".join(module.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for module in MODULES
        if module.relative_to(APP).parts[0] not in ("ui", "__main__.py")
    ]
    ran = run_without_qt("import importlib\nfor name in sys.argv[1:]: importlib.import_module(name)", *names)
    assert (ran.returncode, ran.stderr) == (0, "")


COMMAND_LINE = """
from inspector_app.cli import main
try:
    status = main()
except SystemExit as stop:
    status = stop.code
assert not status, status
"""


@pytest.mark.parametrize(
    "command", ["--version", "--help", "check", "check --json", "rules", "lenses", "dialects", "formats", "providers"]
)
def test_commands_that_open_no_window_leave_qt_unimported(command: str, tmp_path: Path) -> None:
    answer = tmp_path / "answer.sse"
    answer.write_bytes(
        b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"hi"}}]}\n\n'
        b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
        b"data: [DONE]\n\n"
    )
    ran = run_without_qt(COMMAND_LINE, *command.split(), *([str(answer)] if command.startswith("check") else []))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.strip()


def test_qt_reads_no_text_as_html_but_through_the_labels_module() -> None:
    found = [
        f"{module.relative_to(ROOT)}: {line.strip()}"
        for module in MODULES
        if module != APP / "ui" / "labels.py"
        for line in module.read_text("utf-8").splitlines()
        if ONLY_IN_LABELS.search(line)
    ]
    assert not found


def test_files_stay_short_enough_to_read() -> None:
    lengths = {str(path): path.read_bytes().count(b"\n") for path in [*MODULES, *ROOT.glob("tests/**/*.py")]}
    assert {path: lines for path, lines in lengths.items() if lines > 440} == {}
