"""A request fit for a picture: what is a secret in it, or may be one, gives way to its mask in a copy of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from inspector_app.core.redact import mask, redact_request, redact_text
from inspector_app.core.text import clip, visible
from inspector_app.live.keys import NO_CREDENTIALS
from inspector_app.live.request import without, without_keys
from inspector_app.ui.compose.draft import is_secret
from inspector_app.ui.compose.page import ComposePage


def can_be_drawn(page: ComposePage) -> bool:
    """Whether the page itself may be in a picture: nothing in it is a secret, and there is nothing that cannot be read,
    and no form of a provider, in which one could stand unseen.
    """
    return not page.draft.faults and not page.edits_provider and _clean(page) == _shown(page)


def fill_without_secrets(copy: ComposePage, page: ComposePage) -> None:
    """Shows the request of another page, its secrets masked."""
    draft = page.draft
    body, model, headers = _clean(page)
    provider = replace(draft.provider, base_url=redact_text(draft.provider.base_url))
    copy.draft.take(provider, body, NO_CREDENTIALS, None, model)
    copy.draft.headers = headers
    copy.form.refresh()
    copy.side.refresh()
    copy.side.key.state.setText(page.side.key.state.text())
    copy.side.key.field.hide()
    copy.side.key.use.hide()


def caption_of(page: ComposePage, masked: bool) -> str:
    """What the picture shows: the request, who is asked, and whether something is masked."""
    draft = page.draft
    words = [page.title, draft.provider.title or draft.provider.name, draft.model, "keys masked" if masked else ""]
    return visible(clip(redact_text(" · ".join(filter(None, words))), 200))


def _shown(page: ComposePage) -> tuple[dict[str, Any], str, tuple[tuple[str, str], ...]]:
    return page.draft.body, page.draft.model, page.draft.headers


def _clean(page: ComposePage) -> tuple[dict[str, Any], str, tuple[tuple[str, str], ...]]:
    """Body, model and header fields without secrets: by name, by shape, and those that are known."""
    body, model, headers = _shown(page)
    typed = page.catalogue.typed_key(page.draft.provider) or NO_CREDENTIALS
    secrets = page.draft.whole(typed).secrets
    whole = {
        "body": redact_request({"body": body})[0]["body"],
        "model": model,
        "headers": [[name, mask(value) if is_secret(name, value) else value] for name, value in headers],
    }
    found = without_keys(without(whole, secrets))
    return found["body"], found["model"], tuple((name, value) for name, value in found["headers"])
