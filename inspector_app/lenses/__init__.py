"""Lenses: a stream as a client would read it, and two readings compared."""

from inspector_app.core.rule_keys import LITERAL
from inspector_app.lenses.changes import VERDICTS
from inspector_app.lenses.compare import Difference, compare
from inspector_app.lenses.literal import literal, repaired, repairs_of
from inspector_app.lenses.load import REFERENCE, Lens, LensFault, load_lenses, shipped_folder, user_folder

__all__ = [
    "LITERAL", "REFERENCE", "VERDICTS", "Difference", "Lens", "LensFault", "compare", "literal", "load_lenses",
    "repaired", "repairs_of", "shipped_folder", "user_folder",
]  # fmt: skip
