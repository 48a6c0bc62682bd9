"""The request that is being made: provider, body, headers, secrets for this run. Form and JSON show the same one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from inspector_app.core.redact import is_credential_header, redact_headers
from inspector_app.live import provider_checks as checks
from inspector_app.live.asking import ASKING
from inspector_app.live.capture import Conditions, conditions_of
from inspector_app.live.keys import NO_CREDENTIALS, Credentials
from inspector_app.live.providers import Provider, ProviderFault
from inspector_app.live.request import Outgoing, merged, outgoing, prompt_body
from inspector_app.ui.compose.folds import Folds
from inspector_app.ui.compose.json_text import compact, parse
from inspector_app.ui.compose.places import NOTHING, leaves, look, put, without
from inspector_app.ui.compose.reasoning import OWN, UNSET, level_of, with_level
from inspector_app.ui.compose.shapes import SHAPES, Shape, text_path


@dataclass(frozen=True, slots=True)
class Ask:
    """All that is needed to send a request. The repr shows no secret.

    `provider` is as it is asked, with the model and the headers of this request; `request` is what goes over the wire,
    its body byte for byte what the JSON shows; `conditions` say how to connect.
    """

    provider: Provider
    request: Outgoing
    conditions: Conditions


class Draft(QObject):
    """`changed(origin)`: the body or the provider is another one; a view passes over what came from itself.

    `faulted`: what hinders sending came or went, `faults` says it by its place. The body is the last one that could be
    read, always. `undo_asked` and `redo_asked`: somebody wants the history of the JSON, which is that of the form too.
    """

    changed = Signal(object)
    faulted = Signal()
    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self, provider: Provider, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.provider = provider
        self.folds = Folds()
        self.body: dict[str, Any] = {}
        self.model_apart = ""
        """The model, where it is no part of the body."""
        self.headers: tuple[tuple[str, str], ...] = ()
        """Header fields of this request alone."""
        self.given = NO_CREDENTIALS
        """Secrets that came with an imported request."""
        self.faults: dict[str, str] = {}
        self._sent: tuple[dict[str, Any], str, bytes] = ({}, "{}", b"{}")
        self._begin(prompt_body(provider, ""))

    @property
    def shape(self) -> Shape:
        """What the dialect's body looks like."""
        return SHAPES[self.provider.dialect]

    @property
    def model(self) -> str:
        """The model that is asked."""
        if not ASKING[self.provider.dialect].model_in_body:
            return self.model_apart
        model = look(self.body, ("model",))
        return model if isinstance(model, str) else ""

    @property
    def text(self) -> str:
        """The body as it is sent."""
        return self._written()[1]

    @property
    def data(self) -> bytes:
        """The bytes that are sent."""
        return self._written()[2]

    def _written(self) -> tuple[dict[str, Any], str, bytes]:
        """The body in its forms, which are made once for each."""
        if self._sent[0] is not self.body:
            text = compact(self.body)
            self._sent = (self.body, text, text.encode())
        return self._sent

    @property
    def streams(self) -> bool:
        """Whether the body asks for a stream, as far as the dialect wants to be asked."""
        return all(look(self.body, (key,)) == value for key, value in ASKING[self.provider.dialect].stream.items())

    def _begin(self, body: dict[str, Any]) -> None:
        self.body = body
        if not ASKING[self.provider.dialect].model_in_body:
            model = body.pop("model", self.provider.model)
            self.model_apart = model if isinstance(model, str) else ""

    def set_model(self, model: str, origin: object) -> None:
        """Asks another model; an empty name takes it out."""
        if not ASKING[self.provider.dialect].model_in_body:
            self.model_apart = model
            self.changed.emit(origin)
        else:
            self.set_body(put(self.body, ("model",), model) if model else without(self.body, ("model",)), origin)

    def set_body(self, body: dict[str, Any], origin: object) -> None:
        """Another body."""
        self.body = body
        self.changed.emit(origin)

    def set_provider(self, provider: Provider, origin: object) -> None:
        """Asks another provider.

        In the same dialect the body stays, but for what either provider wants in it; else a new one begins with the
        last message. The JSON can undo both.
        """
        before, self.provider = self.provider, provider
        if before.dialect != provider.dialect:
            self._begin(prompt_body(provider, _last_text(SHAPES[before.dialect], self.body)))
        else:
            body = self.body
            level = level_of(body, before.knows.reasoning)
            if level != OWN:
                body = with_level(body, before.knows.reasoning, UNSET)
            for path, value in leaves(_extras(before)):
                if path and look(body, path) == value:
                    body = without(body, path)
            body = merged(body, _extras(provider))
            if level not in (OWN, UNSET) and level in provider.knows.reasoning.levels:
                body = with_level(body, provider.knows.reasoning, level)
            model = provider.model or ("" if before.model and before.model == self.model else self.model)
            self.body, self.model_apart = body, model
            if ASKING[provider.dialect].model_in_body:
                self.body = put(body, ("model",), model) if model else without(body, ("model",))
        self.changed.emit(origin)

    def take(
        self, provider: Provider, body: Mapping[str, Any], given: Credentials, origin: object, model: str = ""
    ) -> None:
        """The request of before, of a recording or of a curl command; `model` is the one asked, where that is not in
        the body. Raises ProviderFault where it is no JSON.
        """
        try:
            read = parse(compact(dict(body)))
        except (ValueError, RecursionError):
            raise ProviderFault("the body cannot be edited: it has NaN in it, or is nested too deep") from None
        self.provider, self.given, self.headers = provider, given, ()
        self._begin(read)
        if model and not ASKING[provider.dialect].model_in_body:
            self.model_apart = model
        self.changed.emit(origin)

    def forget_given(self) -> None:
        """The secrets of an imported request are kept no longer."""
        self.given = NO_CREDENTIALS

    def fault(self, place: str, words: str = "") -> None:
        """Says what hinders sending at a place, or that it is mended."""
        if self.faults.get(place, "") == words:
            return
        self.faults.pop(place, None)
        if words:
            self.faults[place] = words
        self.faulted.emit()

    def asked(self) -> Provider:
        """The provider as this request asks it: with its model and its headers, but for those that are secret."""
        plain = {name: value for name, value in self.headers if not is_secret(name, value)}
        return replace(self.provider, model=self.model, headers={**self.provider.headers, **plain})

    def whole(self, credentials: Credentials) -> Credentials:
        """The credentials together with the secrets of this request."""
        hidden = tuple((name, value) for name, value in self.headers if is_secret(name, value))
        given = self.given
        return Credentials(
            credentials.key or given.key,
            credentials.source if credentials.key else given.source,
            (*credentials.headers, *given.headers, *hidden),
            (*credentials.query, *given.query),
        )

    def ask(self, credentials: Credentials) -> Ask:
        """The request, ready to be sent. Raises ProviderFault."""
        asked = replace(self.asked(), extra_body={})
        head = {"model": self.model} if self.model else {}
        request = replace(outgoing(asked, head, self.whole(credentials)), body=self.data)
        return Ask(asked, request, conditions_of(asked))


def is_secret(name: str, value: str) -> bool:
    """Whether a header field must not be shown, by its name or by what it holds."""
    return is_credential_header(name) or bool(redact_headers([(name, value)])[1])


def header_trouble(name: str, value: str) -> str:
    """Why a header field cannot be sent, in words; empty where it can. Never quotes the value."""
    try:
        checks.CHECKS["headers"]({name: "" if is_secret(name, value) else value})
    except ValueError as error:
        return str(error)
    return "" if value.isascii() and value.isprintable() else f"{name} may hold printable ASCII only"


def _extras(provider: Provider) -> dict[str, Any]:
    return merged(provider.knows.stream_body, provider.extra_body)


def _last_text(shape: Shape, body: Mapping[str, Any]) -> str:
    held = look(body, shape.messages)
    last = held[-1] if isinstance(held, list) and held else held
    path = text_path(shape, last) if last is not NOTHING else None
    text = look(last, path) if path is not None else ""
    return text if isinstance(text, str) else ""
