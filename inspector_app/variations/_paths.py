"""Fields as people name them: by a name, or by a path as the Fields page prints it, "choices[].delta.content"."""

from __future__ import annotations

import re

from inspector_app.variations._change import ArgumentFault

_NAME = r"[^\s.\[\]=\"]+"
_FIELD = re.compile(rf"(?:(?P<parents>{_NAME}(?:\[\d*\])*(?:\.{_NAME}(?:\[\d*\])*)*)\.)?(?P<name>{_NAME})")


def field_of(variation: str, text: str, example: str) -> str:
    """A name or a path that ends in one. Raises ArgumentFault, with the example, for anything else."""
    field = text.strip()
    if _FIELD.fullmatch(field) is None:
        raise ArgumentFault(
            f"{variation} needs a field as a name or as a path that ends in one, as {example}; this is {text!r}"
        )
    return field


def renaming(variation: str, text: str, form: str, example: str) -> tuple[str, str]:
    """The field and the new name in "FROM=TO". TO may repeat the parents of FROM; a field stays in its object.

    Raises ArgumentFault for anything else.
    """
    given, sign, wanted = (part.strip() for part in text.partition("="))
    before, after = _FIELD.fullmatch(given), _FIELD.fullmatch(wanted)
    if not sign or before is None or after is None:
        raise ArgumentFault(f"{variation} needs {form}, as {example}; this is {text!r}")
    if after["parents"] is not None and after["parents"] != before["parents"]:
        raise ArgumentFault(
            f"{variation} leaves a field where it is: TO is a name, or a path with the parents of FROM, as "
            f"choices[].delta.{example}; this is {text!r}"
        )
    return given, after["name"]
