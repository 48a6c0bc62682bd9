"""The request as a command for curl, its key a variable of the shell."""

from __future__ import annotations

from inspector_app.core.curl import curl_command
from inspector_app.live.asking import AUTH_HEADERS
from inspector_app.live.keys import NO_CREDENTIALS
from inspector_app.live.providers import ProviderFault
from inspector_app.ui.compose.draft import Draft

VARIABLE = "API_KEY"
"""Where the provider names none."""
_BEFORE = " \\\n  --url "


def as_curl(draft: Draft) -> str:
    """The command. Raises ProviderFault where there is none."""
    draft_ask = draft.ask(NO_CREDENTIALS)
    request = draft_ask.request.record()
    style = AUTH_HEADERS.get(draft.provider.auth_style)
    if style is not None:
        request["headers"] = [pair for pair in request["headers"] if pair[0].lower() != style[0]]
    command = curl_command(request)
    if command is None:
        raise ProviderFault("this request cannot be given to curl: look at base_url, and for a NUL in the body")
    if style is None:
        return command
    name, before = style
    variable = draft.provider.key_env or VARIABLE
    header = f' \\\n  --header "{name}: {before}${{{variable}:?}}"'
    head, found, rest = command.partition(_BEFORE)
    return f"{head}{header}{found}{rest}"


def is_curl(text: str) -> bool:
    """Whether a text looks like a curl command."""
    return text.lstrip()[:5].lower().rstrip() in ("curl", "curl.") and len(text.split(None, 1)) == 2
