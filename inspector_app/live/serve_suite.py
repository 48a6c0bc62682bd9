"""The torture suite: each variation of a recording under a path of its own, a page that names them, and a score card.

Where the meaning is kept a correct client must not notice; where it is changed a robust one must.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from inspector_app.core.kit import Kit
from inspector_app.core.text import clip, visible
from inspector_app.core.types import Exchange
from inspector_app.live.base_urls import settings
from inspector_app.live.serve import Page, ReplayServer
from inspector_app.live.serve_item import Item, changed_item, dialects_of, named, read
from inspector_app.live.serve_plan import AS_RECORDED, at_speed
from inspector_app.live.serve_score import ought
from inspector_app.variations import TROUBLE, Wish, unfit, variations

INDEX, SCORE = "/index", "/score"
WIDEST = 72
"""Characters of a column that is no path."""


def cases() -> Iterator[tuple[str, ModuleType, str, str]]:
    """What the suite consists of: name in the path, variation, its argument, what it does.

    A variation is one case, under its own name and without an argument, unless its `CASES` name others: name ->
    (argument, what it does).
    """
    for module in variations(TROUBLE).values():
        for name, (argument, title) in getattr(module, "CASES", {module.NAME: ("", module.TITLE)}).items():
            yield name, module, argument, title


def wish_of(name: str, exchange: Exchange, kit: Kit) -> Wish:
    """One case of the suite as a wish. Raises ValueError for a name that is not known, or does not fit a recording."""
    for known, module, argument, _ in cases():
        if known == name:
            if why := unfit(module, read(exchange, kit)):
                raise ValueError(f"{name} does not fit {exchange.name}: it {why}")
            return module.NAME, argument
    raise ValueError(f"no variation is named {name!r}; known: {', '.join(known for known, *_ in cases())}")


def suite_of(
    exchanges: Iterable[Exchange], kit: Kit, *, speed: float | None = 1.0, end: str = AS_RECORDED
) -> list[Item]:
    """The recordings, each followed by all variations that fit it; what changes nothing is left out.

    Those that keep the meaning come first. Each ends as recorded, or as `end` says, unless the end is what it changes.
    """
    found: list[Item] = []
    ordered = sorted(cases(), key=lambda case: not case[1].KEEPS_MEANING)
    for recording, file, exchange in named(exchanges):
        before = read(at_speed(exchange, speed), kit)
        found.append(
            changed_item(
                before, kit, end=end, recording=recording, file=file, variation=AS_RECORDED, title="Send it as recorded"
            )
        )
        for name, module, argument, title in ordered:
            if unfit(module, before):
                continue
            changes_end = getattr(module, "CHANGES_END", False)
            item = changed_item(
                before,
                kit,
                [(module.NAME, argument)],
                AS_RECORDED if changes_end else end,
                recording=recording,
                file=file,
                variation=name,
                title=title,
                keeps_meaning=module.KEEPS_MEANING,
            )
            if item.exchange is not before.exchange:
                found.append(item)
    return found


def index_page(server: ReplayServer) -> tuple[str, Any]:
    """What there is, where, and what a client should make of it: as text, and for programs."""
    score, items = server.score, server.items
    rows = [("PATH", "A CORRECT CLIENT", "WHAT THE SERVER DOES")]
    rows += [(score.path(item), ought(item), item.title) for item in items]
    first = server.url + score.path(items[-1])
    lines = [
        f"Ask for one of these paths with the client, and compare what it makes of the answer with /{AS_RECORDED}.",
        f"{SCORE} tells what the client did. For programs there are {INDEX}.json and {SCORE}.json.",
        "",
        columns(rows),
        "",
        "In the client, for the last one:",
        *(f"  {one.client}: {one.line}" for one in settings(first, dialects_of(items))),
        "",
    ]
    held = [
        {
            "path": score.path(item),
            "url": server.url + score.path(item),
            "recording": item.recording,
            "variation": item.variation,
            "title": item.title,
            "keeps_meaning": item.keeps_meaning,
            "dialect": item.dialect,
        }
        for item in items
    ]
    return "\n".join(lines), {"answers": held, "score": server.url + SCORE}


def score_page(server: ReplayServer) -> tuple[str, Any]:
    """The score card, as text and for programs."""
    score = server.score
    lines = [columns(score.table()), *filter(None, [score.strays()]), ""]
    return "\n".join(lines), {"answers": score.object(), "unknown": dict(score.unknown)}


PAGES: dict[str, Page] = {"/": index_page, INDEX: index_page, SCORE: score_page}


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows as plain text; what came over the wire cannot move the cursor."""
    fit = [[visible(row[0]), *(clip(visible(cell), WIDEST) for cell in row[1:])] for row in rows]
    widths = [max(map(len, column)) for column in zip(*fit, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in fit
    )
