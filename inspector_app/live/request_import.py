"""A request that was made elsewhere, or recorded here, as something that can be asked again.

Keys go into credentials for this run; what is left may be shown and kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from inspector_app.core.redact import has_mask, is_credential_header, redact_headers, redact_text
from inspector_app.live.asking import ASKING, AUTH_HEADERS, dialect_of
from inspector_app.live.curl_words import VARIABLE
from inspector_app.live.keys import Credentials, typed
from inspector_app.live.providers import Provider, ProviderFault, load_presets, provider_of

OURS = (
    "host",
    "content-length",
    "connection",
    "transfer-encoding",
    "accept-encoding",
    "keep-alive",
    "te",
    "expect",
    "upgrade",
    "proxy-connection",
)
"""Header fields that belong to a connection, or that are set anew for each request."""

KEY_MASKED = "the key is masked: it is taken from where the provider keeps it, or give it anew"
"""The note that is of no use to whoever has the key at hand."""

_WRITTEN_VARIABLE = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")
_GEMINI = re.compile(r"(?P<base>.*?)/models/(?P<model>[^/:]+):(?:stream)?[gG]enerateContent")
_VERSION = re.compile(r"^/v\d\w*(?=/)")
_STYLES = {name: (style, before) for style, (name, before) in AUTH_HEADERS.items()}


@dataclass(slots=True)
class Raw:
    """A request as it was found. A variable of a shell stands in it as `curl_words.VARIABLE`."""

    url: str = ""
    method: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: str = ""
    proxy: str = ""
    ca_file: str = ""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Imported:
    """A request ready to be asked again. `notes` say what could not be taken over, a line each."""

    provider: Provider
    body: dict[str, Any]
    credentials: Credentials
    notes: tuple[str, ...] = ()


def from_request(request: Mapping[str, Any] | None, presets: Mapping[str, Provider] | None = None) -> Imported:
    """The request of a recording, to be sent again. Its masked secrets have to be given anew.

    Raises ProviderFault when the recording knows too little of it.
    """
    if not request or not isinstance(request.get("url"), str):
        raise ProviderFault("this recording does not say what was asked: there is no request in it")
    method = request.get("method")
    if isinstance(method, str) and method.upper() != "POST":
        raise ProviderFault(f"the recorded request is a {method}; a stream is asked for with POST")
    headers = [
        (str(pair[0]), str(pair[1]))
        for pair in request.get("headers") or ()
        if isinstance(pair, list | tuple) and len(pair) == 2
    ]
    body = request.get("body")
    text = body if isinstance(body, str) else json.dumps(body)
    return imported(Raw(request["url"], "POST", headers, text), "recorded request", presets)


def imported(raw: Raw, where: str, presets: Mapping[str, Provider] | None = None) -> Imported:
    """What a found request comes to. `where` begins each fault. Raises ProviderFault, which quotes no secret."""
    return _Import(raw, where, load_presets() if presets is None else presets).result()


class _Import:
    def __init__(self, raw: Raw, where: str, presets: Mapping[str, Provider]) -> None:
        self._raw = raw
        self._where = where
        self._presets = presets
        self._notes = raw.notes
        self._entry: dict[str, Any] = {}
        self._headers: list[tuple[str, str]] = []
        self._query: list[tuple[str, str]] = []
        self._key = ""
        self._dialect = ""
        self._authenticated = False

    def result(self) -> Imported:
        body = self._body()
        url = VARIABLE.sub(r"$\1", self._raw.url)
        try:
            parts = urlsplit(url)
            _ = parts.port
        except ValueError:
            raise ProviderFault(f"{self._where}: its address is not a URL") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ProviderFault(f"{self._where}: its address must begin with http:// or https://")
        if "@" in parts.netloc:
            raise ProviderFault(f"{self._where}: its address has a user name or password before the @: take them out")
        self._address(f"{parts.scheme}://{parts.netloc}", parts.path, body)
        self._parameters(parts.query)
        for name, value in self._raw.headers:
            self._header(name, value)
        for key in ("proxy", "ca_file"):
            if value := getattr(self._raw, key):
                self._entry[key] = self._plain(value, key)
        name = self._entry.get("preset") or _slug(parts.hostname)
        provider = provider_of(self._where, name, self._entry, self._presets)
        credentials = Credentials(
            self._key, "given with the request" if self._key else "", tuple(self._headers), tuple(self._query)
        )
        return Imported(provider, body, credentials, tuple(dict.fromkeys(self._notes)))

    def _body(self) -> dict[str, Any]:
        text = self._plain(self._raw.body, "the body")
        try:
            body = json.loads(text) if text.strip() else None
        except (ValueError, RecursionError):
            raise ProviderFault(f"{self._where}: its body is not JSON") from None
        if not isinstance(body, dict):
            raise ProviderFault(f"{self._where}: its body must be a JSON object")
        if has_mask(text):
            self._notes.append("the body has masked secrets in it: give them anew")
        return body

    def _address(self, origin: str, path: str, body: dict[str, Any]) -> None:
        found = dialect_of(path)
        self._dialect = found or "openai-chat"
        if found is None:
            self._notes.append("the address does not tell the dialect: openai-chat is assumed")
        base, below = origin, path
        if self._dialect == "gemini" and (gemini := _GEMINI.fullmatch(path)):
            base, below = origin + gemini["base"], ""
            if not re.search(r"/v\d\w*$", base):
                base, below = origin, path
            self._entry["model"] = unquote(gemini["model"])
        else:
            own = ASKING[self._dialect].path
            for end in (own, _VERSION.sub("", own)):
                # Without its version the path fits only below a base that has one.
                rest = path.removesuffix(end)
                if rest != path and (end == own or re.search(r"/v\d\w*$", rest)):
                    base, below = origin + rest, ""
                    break
        if isinstance(model := body.get("model"), str):
            self._entry["model"] = model
        same = [one for one in self._presets.values() if one.base_url == base and not below]
        preset = next((one for one in same if one.dialect == self._dialect), same[0] if same else None)
        if preset is not None:
            self._entry["preset"] = preset.name
        else:
            self._entry["base_url"] = base
        if preset is None or preset.dialect != self._dialect:
            self._entry["dialect"] = self._dialect
        if below:
            self._entry["path"] = below
        self._warn_of_variables(base + below, "the address")

    def _parameters(self, query: str) -> None:
        default = ASKING[self._dialect].query
        kept: dict[str, str] = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            if default.get(name) == value:
                continue
            if redact_text(f"?{name}={value}") == f"?{name}={value}":
                kept[name] = value
                self._warn_of_variables(value, f"the parameter {name}")
            elif variable := _WRITTEN_VARIABLE.fullmatch(value):
                self._variable(variable[1])
            elif has_mask(value):
                self._notes.append(f"the parameter {name} is masked: give it anew")
            else:
                self._query.append((name, value))
        if kept:
            self._entry["query"] = kept

    def _header(self, name: str, value: str) -> None:
        lower = name.lower()
        if lower in OURS or lower.startswith(":") or value == "":
            return
        if _same_as_ours(lower, value, self._dialect):
            return
        style, before = _STYLES.get(lower, ("", ""))
        bare = value[len(before) :].strip() if value.lower().startswith(before.lower()) else ""
        variable = VARIABLE.fullmatch(bare or value) or _WRITTEN_VARIABLE.fullmatch(bare or value)
        if style and (bare or variable or has_mask(value)) and not self._authenticated:
            self._authenticated = True
            self._auth(style, bare, variable[1] if variable else "", has_mask(value))
            return
        value = self._plain(value, f"the header {name}")
        if has_mask(value):
            self._notes.append(f"the header {name} is masked: give it anew")
        elif is_credential_header(name) or redact_headers([(name, value)])[1]:
            self._headers.append((name, value))
        else:
            self._entry.setdefault("headers", {})[name] = value

    def _auth(self, style: str, key: str, variable: str, masked: bool) -> None:
        preset = self._presets.get(self._entry.get("preset", ""))
        if style != (preset.auth_style if preset else ASKING[self._dialect].auth):
            self._entry["auth"] = style
        if variable and not key:
            self._notes.append(f"the variable {variable} holds more than the key: give the key")
        elif variable:
            self._variable(variable)
        elif masked:
            self._notes.append(KEY_MASKED)
        else:
            try:
                self._key = typed(key).key
            except ProviderFault:
                self._notes.append("what stands in the place of the key is none: give it")

    def _variable(self, name: str) -> None:
        preset = self._presets.get(self._entry.get("preset", ""))
        if preset is None or preset.key_env != name:
            self._entry["key_env"] = name

    def _plain(self, text: str, place: str) -> str:
        if VARIABLE.search(text):
            self._warn_of_variables("$X", place)
        return VARIABLE.sub(r"$\1", text)

    def _warn_of_variables(self, text: str, place: str) -> None:
        if _WRITTEN_VARIABLE.search(text):
            self._notes.append(f"{place} has a variable of the shell in it: put its value there")


def _same_as_ours(name: str, value: str, dialect: str) -> bool:
    asking = ASKING[dialect]
    if name == "accept":
        return value in ("*/*", asking.accept, "application/json")
    if name == "content-type":
        return value.partition(";")[0].strip().lower() == "application/json"
    if name == "user-agent":
        return value.startswith("stream-inspector/")
    return asking.headers.get(name) == value


def _slug(host: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "-", host).strip("-.") or "imported"
