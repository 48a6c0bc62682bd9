"""A command as a shell splits it: the POSIX form, and that of the Windows prompt (`^`), as browsers copy them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inspector_app.core.text import join_halves

VARIABLE = re.compile("\x00([A-Za-z_][A-Za-z0-9_]*)\x00")
"""How a variable stands in a word: a shell word cannot hold a NUL."""

_NAME = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?::?[?\-=+][^}]*)?\})")
_HERE = re.compile(r"<<(-?)[ \t]*(['\"]?)([A-Za-z0-9_]+)\2[ \t]*")
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_ANSI_CODE = re.compile(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})")
_SLASHES = re.compile(r"\\+")
_CARET = re.compile(r"\^(?:\"|[ \t]*\r?\n)")


class WordsFault(ValueError):
    """A command that cannot be split: one line that says why."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one command, and what it is given on standard input (a here-document)."""

    words: list[str]
    stdin: str | None = None


def split(text: str) -> Words:
    """The words of the first command in a text. Raises WordsFault."""
    if "\0" in text:
        raise WordsFault("the command has a NUL in it")
    text = text.strip().removeprefix("$ ")
    found = Words(_split_windows(text)) if _is_windows(text) else _Posix(text.replace("\r\n", "\n")).split()
    return Words([join_halves(word) for word in found.words], found.stdin)


def _is_windows(text: str) -> bool:
    """Whether a caret quotes or joins lines before anything that only a POSIX shell has."""
    quoted = False
    for at, sign in enumerate(text):
        if sign in "'\\":
            return False
        if sign == "^" and not quoted and _CARET.match(text, at):
            return True
        quoted ^= sign == '"'
    return False


class _Posix:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._words: list[str] = []
        self._word: list[str] | None = None

    def split(self) -> Words:
        text = self._text
        while self._at < len(text):
            sign = text[self._at]
            if sign in " \t":
                self._at += 1
                self._end_word()
            elif sign in "\n;|&" or (sign == "#" and self._word is None):
                break
            elif sign == "<" and (here := _HERE.match(text, self._at)):
                self._end_word()
                return self._document(here)
            elif sign in "<>":
                self._skip_redirection()
            else:
                self._piece(sign)
        self._end_word()
        return Words(self._words)

    def _piece(self, sign: str) -> None:
        text, at = self._text, self._at
        if sign == "\\":
            if text[at + 1 : at + 2] != "\n":
                self._add(text[at + 1 : at + 2])
            self._at += 2
        elif sign == "'":
            end = text.find("'", at + 1)
            if end < 0:
                raise WordsFault("a single quote is not closed")
            self._add(text[at + 1 : end])
            self._at = end + 1
        elif sign == '"':
            self._double()
        elif text.startswith("$'", at):
            self._ansi()
        elif sign in "$`":
            self._expansion()
        else:
            self._add(sign)
            self._at += 1

    def _double(self) -> None:
        text = self._text
        self._at += 1
        self._add("")
        while self._at < len(text):
            sign = text[self._at]
            if sign == '"':
                self._at += 1
                return
            if sign == "\\" and text[self._at + 1 : self._at + 2] in ("$", "`", '"', "\\", "\n"):
                self._add(text[self._at + 1].replace("\n", ""))
                self._at += 2
            elif sign in "$`":
                self._expansion()
            else:
                self._add(sign)
                self._at += 1
        raise WordsFault("a double quote is not closed")

    def _ansi(self) -> None:
        text = self._text
        self._at += 2
        self._add("")
        while self._at < len(text):
            sign = text[self._at]
            self._at += 1
            if sign == "'":
                return
            if sign != "\\":
                self._add(sign)
            elif code := _ANSI_CODE.match(text, self._at):
                number = int(code[4], 8) if code[4] else int(code[1] or code[2] or code[3], 16)
                if not 0 < number <= 0x10FFFF:
                    raise WordsFault("an escape in $'…' names no character")
                self._add(chr(number))
                self._at = code.end()
            else:
                escaped = text[self._at : self._at + 1]
                self._add(_ANSI.get(escaped, escaped))
                self._at += 1
        raise WordsFault("$'…' is not closed")

    def _expansion(self) -> None:
        text, at = self._text, self._at
        if text[at] == "`" or text.startswith("$(", at):
            raise WordsFault("the command runs another one inside: put its result there first")
        if found := _NAME.match(text, at):
            self._add(f"\0{found[1] or found[2]}\0")
            self._at = found.end()
        else:
            self._add(text[at])
            self._at += 1

    def _skip_redirection(self) -> None:
        # Where the answer would go is not ours; a number before the sign names a channel.
        if self._word is not None and "".join(self._word).isdigit():
            self._word = None
        self._end_word()
        while self._text[self._at : self._at + 1] in ("<", ">", "&", " ", "\t") and self._at < len(self._text):
            self._at += 1
        kept = len(self._words)
        while self._at < len(self._text) and self._text[self._at] not in " \t\n;|&<>":
            self._piece(self._text[self._at])
        self._end_word()
        del self._words[kept:]

    def _document(self, here: re.Match[str]) -> Words:
        rest = self._text[here.end() :]
        first, _, lines = rest.partition("\n")
        if first.strip():
            raise WordsFault("something follows a here-document on its line: put it on the command's own line")
        body: list[str] = []
        for line in lines.split("\n"):
            bare = line.lstrip("\t") if here[1] else line
            if bare == here[3]:
                break
            body.append(bare)
        else:
            raise WordsFault(f"the here-document is not closed by {here[3]}")
        document = "\n".join(body)
        return Words(self._words, document if here[2] else _expanded(document))

    def _add(self, piece: str) -> None:
        if self._word is None:
            self._word = []
        self._word.append(piece)

    def _end_word(self) -> None:
        if self._word is not None:
            self._words.append("".join(self._word))
            self._word = None


def _expanded(document: str) -> str:
    def piece(found: re.Match[str]) -> str:
        return found[1].replace("\n", "") if found[1] else f"\0{found[2] or found[3]}\0"

    return re.sub(rf"\\([\\$`\n])|{_NAME.pattern}", piece, document)


def _split_windows(text: str) -> list[str]:
    # The prompt takes its carets out first, outside quotes only; the program then splits what is left.
    plain: list[str] = []
    quoted = False
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "^" and not quoted:
            at += 1
            if text.startswith("\r\n", at):
                at += 1
            if text[at : at + 1] == "\n":
                at += 1
                # The line that a caret joins is taken as it is: an empty one is a line break in the text.
                if text[at : at + 1] == "\n" or text.startswith("\r\n", at):
                    plain.append("\n")
                    at += 2 if text[at] == "\r" else 1
                continue
            plain.append(text[at : at + 1])
        elif sign == "\n" and not quoted:
            break
        else:
            quoted ^= sign == '"'
            plain.append(sign)
        at += 1
    return _arguments("".join(plain))


def _arguments(line: str) -> list[str]:
    """The arguments as a C program of Windows sees them."""
    words: list[str] = []
    word: list[str] | None = None
    quoted = False
    at = 0
    while at < len(line):
        sign = line[at]
        if sign == "\\":
            slashes = len(_SLASHES.match(line, at)[0])  # type: ignore[index]
            quote = line[at + slashes : at + slashes + 1] == '"'
            word = word or []
            word.append("\\" * (slashes // 2 if quote else slashes))
            at += slashes
            if quote and slashes % 2:
                word.append('"')
                at += 1
            continue
        if sign == '"':
            word = word or []
            word.append('"' if quoted and line[at + 1 : at + 2] == '"' else "")
            if word[-1]:
                at += 1
            else:
                quoted = not quoted
        elif sign in " \t\r\n" and not quoted:
            if word is not None:
                words.append("".join(word))
            word = None
        else:
            word = word or []
            word.append(sign)
        at += 1
    if quoted:
        raise WordsFault("a double quote is not closed")
    if word is not None:
        words.append("".join(word))
    return words
