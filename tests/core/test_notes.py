"""Notes: what stands at the end of all that was written, and what is no note."""

from __future__ import annotations

import pytest

from inspector_app.core.notes import Note, free_id, gone, notes_in

ONE = Note("n1", 4, "here it breaks", 6, (100, 900))
TWO = Note("n2", 2)


@pytest.mark.parametrize("note", [ONE, TWO])
def test_a_note_comes_back(note: Note) -> None:
    assert notes_in([note.to_json()]) == [note]


@pytest.mark.parametrize(
    "records, notes",
    [
        ([ONE.to_json(), TWO.to_json()], [TWO, ONE]),
        ([ONE.to_json(), ONE._replace(text="no, here", event=5).to_json()], [ONE._replace(text="no, here", event=5)]),
        ([ONE.to_json(), gone(ONE)], []),
        ([gone(ONE), ONE.to_json()], [ONE]),
        ([{"event": 1, "text": "by another program"}], [Note("#0", 1, "by another program")]),
        ([{"id": "a", "event": 3}], [Note("a", 3)]),
        ([{"id": "a", "event": 3, "text": "x", "until": 2}], [Note("a", 3, "x")]),
        ([{"id": "a", "event": 3, "text": "x", "view": [5, 5]}], [Note("a", 3, "x")]),
        ([{"id": "a", "event": 3, "text": "x", "view": [1.5, "5"]}], [Note("a", 3, "x")]),
        ([{"id": "a", "event": -3}, {"id": "b", "event": True}, {"id": "c"}, {"id": "d", "event": 1, "text": 5}], []),
        ([{"id": "a", "event": 1, "text": "y" * 30_000}], [Note("a", 1, "y" * 20_000)]),
    ],
)
def test_what_stands_at_the_end(records: list[dict[str, object]], notes: list[Note]) -> None:
    assert notes_in(records) == notes


def test_a_new_note_has_an_id_of_its_own() -> None:
    assert (free_id([]), free_id([TWO]), free_id([TWO, ONE])) == ("n1", "n1", "n3")
