"""A changed copy of a recording says of itself that it is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

from inspector_app.core.types import Exchange

SOURCE = "what-if"
"""What a recording of a changed copy has as its source: nobody has sent these bytes."""


def as_copy(original: Exchange, changed: Exchange, wishes: Iterable[tuple[str, str]]) -> Exchange:
    """The changed exchange with a title and a sentence that name the recording and what was changed."""
    did = " and ".join(f"{name} {argument}".strip() for name, argument in wishes) or "nothing"
    name = PurePath(original.name.replace("\\", "/")).name
    title = original.about.get("title") or name
    about = {"title": f"{title}, with {did}", "story": f"A copy of {name} that was changed: {did}."}
    return replace(changed, source=SOURCE, about=about, notes=[])
