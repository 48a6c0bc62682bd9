"""The request as it goes out, and as it may be kept: built of a provider, a body and credentials."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from inspector_app import __version__
from inspector_app.core.redact import mask, redact_request, redact_text
from inspector_app.live.asking import ASKING, AUTH_HEADERS
from inspector_app.live.key_in_json import pattern_of, spelling_of
from inspector_app.live.keys import NO_CREDENTIALS, Credentials
from inspector_app.live.providers import Provider, ProviderFault

SHORTEST_SECRET = 8
"""Characters from which a secret is looked for in any text; a shorter one (`ollama`, `sk-1234`) would tear words."""
_ODD = re.compile(r"[^A-Za-z0-9_.~-]")
_VERSION_END = re.compile(r"/v\d\w*$")
_VERSION_START = re.compile(r"^/v\d\w*(?=/)")


@dataclass(frozen=True, slots=True, repr=False)
class Outgoing:
    """One request, whole, secrets included; its repr shows none. `body` is what goes over the wire."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    secrets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        record = self.record()
        return f"Outgoing({self.method} {record['url']}, {len(self.headers)} headers, {len(self.body)} bytes)"

    def record(self) -> dict[str, Any]:
        """The request as a recording keeps it: method, url, headers and body with every secret masked."""
        body: Any = None
        if self.body:
            try:
                body = json.loads(self.body)
            except ValueError:
                body = self.body.decode("utf-8", "replace")
        request = {"method": self.method, "url": self.url, "headers": [list(one) for one in self.headers], "body": body}
        # A key that somebody wrote into a prompt is nobody's evidence.
        return without_keys(without(redact_request(request)[0], self.secrets))  # type: ignore[no-any-return]


def forms_of(secret: str) -> tuple[str, ...]:
    """How a secret may be written in the text of an answer, the longest first; none for one that is too short."""
    if len(secret) < SHORTEST_SECRET:
        return ()
    escaped = json.dumps(secret)[1:-1]
    percent = quote(secret, safe="")
    unicode = _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", secret)
    upper = _ODD.sub(lambda found: f"\\u{ord(found[0]):04X}", secret)
    lower = re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), percent)
    forms = {secret, escaped, escaped.replace("/", "\\/"), percent, lower, unicode, upper, html.escape(secret)}
    return tuple(sorted(forms, key=len, reverse=True))


def without(value: Any, secrets: Sequence[str]) -> Any:
    """A JSON value, or a text, in which no secret stands as it is, also not percent-encoded or within other text."""
    if isinstance(value, str):
        for secret in secrets:
            forms, masked = forms_of(secret), mask(secret)
            for form in forms:
                value = value.replace(form, masked)
            if forms and "\\" in value:
                value = masked.join(re.split(pattern_of(spelling_of(secret)).decode(), value))
        return value
    if isinstance(value, dict):
        return {without(key, secrets): without(one, secrets) for key, one in value.items()}
    if isinstance(value, list):
        return [without(one, secrets) for one in value]
    return value


def without_keys(value: Any) -> Any:
    """A JSON value, or a text, in which no key stands that is one by its shape, or by its place in a URL."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        return {without_keys(key): without_keys(one) for key, one in value.items()}
    if isinstance(value, list):
        return [without_keys(one) for one in value]
    return value


def prompt_body(provider: Provider, prompt: str) -> dict[str, Any]:
    """The body that sends one user message and asks for a stream, in the way of the provider's dialect."""
    asking = ASKING[provider.dialect]
    model = {"model": provider.model} if asking.model_in_body and provider.model else {}
    body = merged({**model, **asking.message(prompt)}, asking.stream)
    return merged(merged(body, provider.knows.stream_body), provider.extra_body)


def with_settings(body: Mapping[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """A copy of a body with `key=value` settings in it.

    A key is a dotted path (`reasoning.effort`, `messages.0.content`) or, with a / first, a JSON Pointer. A value is
    JSON where it reads as such, else text. Raises ProviderFault when a setting does not fit.
    """
    changed: dict[str, Any] = deepcopy(dict(body))
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise ProviderFault(f"--set {key or '…'}: write it as key=value")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
        _put(changed, _steps(key), value, key)
    return changed


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both tables in one, `over` winning; tables within tables are merged too."""
    result = deepcopy(dict(under))
    for key, value in over.items():
        below = result.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        result[key] = merged(below, value) if both else deepcopy(value)  # type: ignore[arg-type]
    return result


def address(provider: Provider, model: str = "", path: str = "") -> str:
    """The URL that is asked, without its query; `path` is another than the one for streams. Raises ProviderFault."""
    if not provider.base_url:
        form = provider.knows.base_url_form
        raise ProviderFault(f"{provider.name}: base_url is missing{form and f'; it looks like {form}'}")
    base = provider.base_url.rstrip("/")
    below = path or provider.path or ASKING[provider.dialect].path
    # People give a base URL with or without the version, and a path that is not theirs may bring one.
    if (path or not provider.path) and _VERSION_END.search(base):
        below = _VERSION_START.sub("", below)
    if "{model}" in below:
        if not model:
            raise ProviderFault(f"{provider.name}: no model: its name is part of the path; give one with model=NAME")
        below = below.replace("{model}", quote(model, safe="-._~:@"))
    return base + below


def outgoing(
    provider: Provider,
    body: Mapping[str, Any],
    credentials: Credentials = NO_CREDENTIALS,
    settings: Iterable[str] = (),
    *,
    encoding: str = "identity",
) -> Outgoing:
    """The request that sends `body` to a provider.

    The body wins over the provider's extra_body, and `settings` (key=value) over both. `encoding` is the
    Accept-Encoding: by default no compression, so that the times are not smeared. Raises ProviderFault.
    """
    asking = ASKING[provider.dialect]
    whole = with_settings(merged(provider.extra_body, body), settings)
    given = whole.get("model", provider.model)
    model = given if isinstance(given, str) else ""
    if asking.model_in_body:
        whole = ({"model": provider.model} if provider.model else {}) | whole
    else:
        whole.pop("model", None)
    headers = {
        "accept": asking.accept,
        "accept-encoding": encoding,
        "content-type": "application/json",
        "user-agent": f"stream-inspector/{__version__}",
        **asking.headers,
    }
    return _outgoing(provider, "POST", address(provider, model), asking.query, headers, _encoded(whole), credentials)


def models_path(provider: Provider) -> str:
    """Where below its base URL a provider lists its models: as it is known, else as is usual for its dialect."""
    return provider.knows.models_path or ASKING[provider.dialect].models


def listing(provider: Provider, credentials: Credentials = NO_CREDENTIALS) -> Outgoing:
    """The request that asks a provider which models it has. Raises ProviderFault where none is known."""
    path = models_path(provider)
    if not path:
        raise ProviderFault(f"{provider.name}: it is not known where this provider lists its models")
    headers = {
        "accept": "application/json",
        "user-agent": f"stream-inspector/{__version__}",
        **ASKING[provider.dialect].headers,
    }
    return _outgoing(provider, "GET", address(provider, path=path), {}, headers, b"", credentials)


def _outgoing(
    provider: Provider,
    method: str,
    url: str,
    query: Mapping[str, str],
    headers: Mapping[str, str],
    body: bytes,
    credentials: Credentials,
) -> Outgoing:
    fields = {name.lower(): (name, value) for name, value in (*headers.items(), *provider.headers.items())}
    if credentials.key and (style := AUTH_HEADERS.get(provider.auth_style)):
        name, before = style
        fields[name] = (name, before + credentials.key)
    for name, value in credentials.headers:
        fields[name.lower()] = (name, value)
    parameters = [*{**query, **provider.query, **dict(credentials.query)}.items()]
    if parameters:
        url += ("&" if urlsplit(url).query else "?") + urlencode(parameters, quote_via=quote)
    return Outgoing(method, url, tuple(fields.values()), body, credentials.secrets)


def _encoded(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # Half a surrogate pair: only an escape can carry it.
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ProviderFault(f"the body cannot be written as JSON: {error}") from None


def _steps(key: str) -> list[str]:
    if key.startswith("/"):
        return [step.replace("~1", "/").replace("~0", "~") for step in key[1:].split("/")]
    return key.split(".")


def _put(body: dict[str, Any], steps: list[str], value: Any, key: str) -> None:
    at: Any = body
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        if isinstance(at, list):
            if not step.isdecimal() or int(step) > len(at):
                raise ProviderFault(f"--set {key}: {step!r} is no place in a list of {len(at)}")
            if int(step) == len(at):
                at.append({})
            index: Any = int(step)
        elif isinstance(at, dict):
            index = step
            at.setdefault(index, {})
        else:
            raise ProviderFault(f"--set {key}: what {step!r} should go into is neither a table nor a list")
        if last:
            at[index] = value
        at = at[index]
