"""A new request on a page of its own, for the tests: no network, its files in a folder of the test."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.ui.compose.catalogue import Catalogue
from inspector_app.ui.compose.page import ComposePage
from inspector_app.ui.settings import Settings
from inspector_app.ui.theme import Look

GATEWAY = """# mine
[providers.gateway]
title = "My gateway"
base_url = "https://llm.example.com/v1"
dialect = "openai-chat"
model = "glm-5.2"
key_env = "GATEWAY_KEY"
"""


def made_page(qtbot: QtBot, look: Look, folder: Path, providers: str = GATEWAY) -> ComposePage:
    """A page in view with the keyboard, its providers, settings and history below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "providers.toml").write_text(providers, "utf-8")
    catalogue = Catalogue(folder / "providers.toml")
    page = ComposePage(look, catalogue, Settings(folder / "settings.json"), folder / "requests.jsonl")
    catalogue.setParent(page)
    qtbot.addWidget(page)
    page.resize(1280, 800)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    qtbot.waitUntil(lambda: not page._recall.running)
    return page


@pytest.fixture
def page(qtbot: QtBot, look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ComposePage:
    """A page that asks a gateway of the user's, whose key is not set."""
    for name in ("GATEWAY_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return made_page(qtbot, look, tmp_path)
