"""Who sent an answer, by the address it was asked from. Payloads that betray their sender come first (section 3)."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

_SHORT = 2
"""Characters up to which a name alone says too little: z.ai, not z."""


def provider_of(request: dict[str, Any] | None) -> str | None:
    """The name in the host of a request's URL: openrouter for openrouter.ai, None for a local or numbered address."""
    url = request.get("url") if request is not None else None
    if not isinstance(url, str):
        return None
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return None
    labels = host.split(".")
    if len(labels) < 2 or not re.fullmatch(r"[a-z]{2,}", labels[-1]) or labels[-1] in ("local", "internal"):
        return None
    name = labels[-2]
    if len(labels) > 2 and name in ("co", "com") and len(labels[-1]) == 2:
        name = labels[-3]
    return f"{name}.{labels[-1]}" if len(name) <= _SHORT else name
