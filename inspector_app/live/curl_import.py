"""A request out of a `curl` command: what would be asked, ready to be asked from here."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from inspector_app.live.curl_words import VARIABLE, Words, WordsFault, split
from inspector_app.live.providers import Provider, ProviderFault
from inspector_app.live.request_import import Imported, Raw, imported


@dataclass(slots=True)
class _Command:
    stdin: str | None
    raw: Raw = field(default_factory=Raw)
    data: list[str] = field(default_factory=list)
    sign: str = "&"


_NO_VALUE = {
    "--no-buffer": "",
    "--silent": "",
    "--show-error": "",
    "--include": "",
    "--verbose": "",
    "--fail": "",
    "--fail-with-body": "",
    "--globoff": "",
    "--no-progress-meter": "",
    "--progress-bar": "",
    "--compressed": "",
    "--compressed-ssh": "",
    "--http1.1": "",
    "--http2": "",
    "--http2-prior-knowledge": "",
    "--tcp-nodelay": "",
    "--no-keepalive": "",
    "--ipv4": "",
    "--ipv6": "",
    "--ssl-reqd": "",
    "--remote-name": "",
    "--create-dirs": "",
    "--location": "redirects are followed only where the recording is told to",
    "--location-trusted": "redirects are followed only where the recording is told to",
    "--insecure": "certificates are always verified here: name the server's own in ca_file",
}
"""Options without a value that change nothing of the request -> a note, where one is due."""

_IGNORED = (
    "--output",
    "--write-out",
    "--max-time",
    "--connect-timeout",
    "--retry",
    "--retry-delay",
    "--retry-max-time",
    "--keepalive-time",
    "--speed-limit",
    "--speed-time",
    "--limit-rate",
    "--dump-header",
    "--trace",
    "--trace-ascii",
    "--stderr",
    "--cookie-jar",
    "--resolve",
    "--noproxy",
    "--max-redirs",
    "--tls-max",
)
"""Options whose value is none of the request's."""

_REFUSED = {
    "--form": "it sends a form, not JSON",
    "--form-string": "it sends a form, not JSON",
    "--data-urlencode": "it sends a form, not JSON",
    "--upload-file": "it sends a file: put what is in it behind --data-raw",
    "--get": "it puts the data into the address; a stream is asked for with POST",
    "--head": "it asks for no body",
    "--config": "its options stand in a file: write them out",
    "--next": "it makes several requests: take one",
    "--aws-sigv4": "requests signed for AWS cannot be made here",
    "--cert": "client certificates are not supported",
    "--key": "client certificates are not supported",
    "--netrc": "the password stands in a file: write it out, it is taken for one run only",
    "--digest": "Digest authentication is not supported",
    "--ntlm": "NTLM authentication is not supported",
    "--unix-socket": "servers behind a socket file are not supported",
}

_SHORT = {
    "H": "--header", "d": "--data", "u": "--user", "X": "--request", "A": "--user-agent", "e": "--referer",
    "b": "--cookie", "x": "--proxy", "N": "--no-buffer", "s": "--silent", "S": "--show-error", "i": "--include",
    "v": "--verbose", "f": "--fail", "g": "--globoff", "L": "--location", "k": "--insecure", "o": "--output",
    "w": "--write-out", "m": "--max-time", "D": "--dump-header", "c": "--cookie-jar", "F": "--form", "G": "--get",
    "T": "--upload-file", "K": "--config", "I": "--head", "E": "--cert", "n": "--netrc", "#": "--progress-bar",
    "4": "--ipv4", "6": "--ipv6", "O": "--remote-name",
}  # fmt: skip


def from_curl(text: str, presets: Mapping[str, Provider] | None = None) -> Imported:
    """The provider, body and credentials that a curl command speaks of; keys go into the credentials, for this run.

    Takes the POSIX form and what browsers copy, for bash and for the Windows prompt. Raises ProviderFault.
    """
    try:
        words = split(text)
    except WordsFault as fault:
        raise ProviderFault(f"curl command: {fault}") from None
    command = _read(words)
    raw = command.raw
    if not raw.url:
        raise ProviderFault("curl command: there is no address in it")
    raw.body = command.sign.join(command.data) if command.data else ""
    if raw.method not in ("", "POST"):
        raise ProviderFault(f"curl command: it sends {raw.method}; a stream is asked for with POST")
    return imported(raw, "curl command", presets)


def _read(words: Words) -> _Command:
    rest = list(words.words)
    while rest and re.fullmatch(r"[A-Za-z_]\w*=.*", rest[0], re.DOTALL):
        rest.pop(0)  # Variables that are set for this one command.
    program = re.split(r"[/\\]", rest.pop(0))[-1].lower() if rest else ""
    if program in ("invoke-webrequest", "iwr", "invoke-restmethod"):
        raise ProviderFault("this is the form of PowerShell: copy it as cURL (bash) or cURL (cmd)")
    if program not in ("curl", "curl.exe"):
        raise ProviderFault("this is no curl command: it must begin with curl")
    command = _Command(words.stdin)
    only_addresses = False
    while rest:
        word = rest.pop(0)
        if only_addresses or not word.startswith("-") or word == "-":
            _address(command, word)
        elif word == "--":
            only_addresses = True
        elif word.startswith("--"):
            _long(command, word, rest)
        else:
            _bundle(command, word[1:], rest)
    return command


def _bundle(command: _Command, letters: str, rest: list[str]) -> None:
    """Short options in one word: -sSN, -XPOST, -d'…'."""
    while letters:
        letter, letters = letters[0], letters[1:]
        name = _SHORT.get(letter)
        if name is None:
            raise ProviderFault(f"curl command: the option -{letter} is not known here: leave it out")
        if name in _NO_VALUE or name in _REFUSED:
            _long(command, name, rest)
        else:
            _long(command, name, [letters, *rest] if letters else rest)
            letters = ""


def _long(command: _Command, name: str, rest: list[str]) -> None:
    if name in _REFUSED:
        raise ProviderFault(f"curl command: {name}: {_REFUSED[name]}")
    if name in _NO_VALUE:
        if note := _NO_VALUE[name]:
            command.raw.notes.append(note)
        return
    act = _ACTS.get(name)
    if act is None and name not in _IGNORED:
        raise ProviderFault(f"curl command: the option {name} is not known here: leave it out")
    if not rest:
        raise ProviderFault(f"curl command: {name} has no value")
    value = rest.pop(0)
    if act is not None:
        act(command, value)


def _address(command: _Command, value: str) -> None:
    if command.raw.url:
        raise ProviderFault("curl command: it has more than one address: take one")
    command.raw.url = value if "://" in value else f"http://{value}"


def _header(command: _Command, value: str) -> None:
    if value.startswith("@"):
        raise ProviderFault("curl command: its headers stand in a file: write them out")
    name, colon, text = value.partition(":")
    if not colon:
        return  # `Name;` sends an empty header, a bare name nothing.
    command.raw.headers.append((name.strip(), text.strip()))


def _data(command: _Command, value: str) -> None:
    if value.startswith("@"):
        if value != "@-" or command.stdin is None:
            raise ProviderFault("curl command: its data stand in a file: put what is in it behind --data-raw")
        value = command.stdin
    command.data.append(value)


def _data_raw(command: _Command, value: str) -> None:
    command.data.append(value)


def _json(command: _Command, value: str) -> None:
    _data(command, value)
    command.sign = ""


def _user(command: _Command, value: str) -> None:
    if VARIABLE.search(value):
        raise ProviderFault("curl command: -u has a variable in it: write it out, it is taken for one run only")
    encoded = base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()
    command.raw.headers.append(("authorization", f"Basic {encoded}"))


def _set(name: str) -> Callable[[_Command, str], None]:
    def act(command: _Command, value: str) -> None:
        setattr(command.raw, name, value)

    return act


def _named(name: str) -> Callable[[_Command, str], None]:
    def act(command: _Command, value: str) -> None:
        command.raw.headers.append((name, value))

    return act


def _cookie(command: _Command, value: str) -> None:
    if "=" not in value:
        raise ProviderFault("curl command: its cookies stand in a file: write them out")
    command.raw.headers.append(("cookie", value))


def _bearer(command: _Command, value: str) -> None:
    command.raw.headers.append(("authorization", f"Bearer {value}"))


_ACTS: dict[str, Callable[[_Command, str], None]] = {
    "--url": _address,
    "--header": _header,
    "--data": _data,
    "--data-ascii": _data,
    "--data-binary": _data,
    "--data-raw": _data_raw,
    "--json": _json,
    "--user": _user,
    "--oauth2-bearer": _bearer,
    "--request": _set("method"),
    "--user-agent": _named("user-agent"),
    "--referer": _named("referer"),
    "--cookie": _cookie,
    "--proxy": _set("proxy"),
    "--cacert": _set("ca_file"),
}
