"""What the find bar says about a search."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from inspector_app.core.field_search import FIELDS, FieldSearch
from inspector_app.core.field_words import filter_path, reads_as_text, with_field
from inspector_app.core.pattern import Query
from inspector_app.core.search import SCOPES, Search
from inspector_app.core.text import THIN_SPACE, number


class Said(NamedTuple):
    """The count, a quiet remark, the ink of the count, and whether there is a match to go to."""

    found: str
    remark: str
    ink: str = "ink.1"
    some: bool = False


class Offer(NamedTuple):
    """Another query that may have been meant, and what it is called."""

    words: str
    query: Query


def said(
    query: Query,
    search: Search | FieldSearch | None,
    fault: str,
    running: bool,
    at: int,
    remark: str,
    offered: Sequence[Offer] = (),
) -> Said:
    """`at` is the place of the current match among all, -1 without one; `remark` is about the last step. `offered` is
    what may have been meant instead.
    """
    if not query.text:
        return Said("", "")
    if fault:
        if query.scope != FIELDS:
            return Said("Not a regular expression", fault, "error.text")
        text = any(offer.query.scope != FIELDS for offer in offered)
        return Said("Not a filter", "a filter says something of a field, as in t > 2s" if text else fault, "error.text")
    if search is None:
        return Said("", "nothing has been read yet")
    count = len(search.matches)
    notes = [note for note in (remark, _given_up(search)) if note]
    if running:
        notes.append(f"searching, {int(search.part * 100)}{THIN_SPACE}%")
    if not count:
        if running:
            return Said("", notes[-1])
        if query.scope == FIELDS:
            why = search.remark if isinstance(search, FieldSearch) else ""
            return Said("No event matches", " · ".join(filter(None, [why, *notes])), "ink.2")
        case = "" if query.case else ", in capital or small letters"
        return Said("Nothing found", " · ".join([f"in {SCOPES[query.scope]}{case}", *notes]), "ink.2")
    whole = f"the first {number(count)}" if search.stopped == "many" else number(count)
    if search.stopped == "many":
        notes.append("ended there: there are more")
    if query.scope == FIELDS:
        whole += " event" if whole == "1" else " events"
    return Said(f"{number(at + 1)} of {whole}" if at >= 0 else f"{whole} found", " · ".join(notes), "ink.1", True)


def offers(query: Query, meant: Mapping[str, Sequence[str]], fault: str, known: Collection[str]) -> list[Offer]:
    """What may have been meant by a field filter that finds nothing. `known` are the fields of what was searched, and
    `meant` is what `FieldSearch` says of fields that it has not.
    """
    if query.scope != FIELDS:
        return []
    found = [
        Offer(filter_path(path), query._replace(text=with_field(query.text, typed, path)))
        for typed, paths in meant.items()
        for path in paths
    ]
    # A filter that is half typed begins with a field; then it is no text.
    first = query.text.split()[:1]
    if (fault or meant) and reads_as_text(query.text) and first[0] not in known:
        found.append(Offer("Find it as text", Query(query.text.strip())))
    return found


def _given_up(search: Search | FieldSearch) -> str:
    if search.stopped == "slow":
        return f"ended: this expression took too long in {number(search.given_up)} texts"
    if search.given_up:
        texts = "text" if search.given_up == 1 else "texts"
        return f"{number(search.given_up)} {texts} left out: this expression takes too long there"
    return ""
