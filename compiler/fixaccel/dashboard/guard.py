# SPDX-License-Identifier: Apache-2.0
"""Who may see the page: by the address that it was asked at, a token, and where a script comes from."""

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fixaccel.addresses import is_loopback

_TOKEN_BYTES = 32
_HEADERS = {
    # No script and no style but the page's own files; nobody may put the page into a frame.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_TELL = "This page needs the token that `fixaccel dashboard` printed: open the whole address, with `?token=...`.\n"
_OPEN = "/healthz"  # says nothing but that the server runs


def new_token() -> str:
    """One that nobody guesses."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


class Guard:
    """Around an application. Without a ``token`` it is asked at the machine's own names only, which are no other's.

    With one, `?token=` of the first visit becomes a cookie.
    """

    def __init__(self, app: ASGIApp, token: str = "", port: int = 0) -> None:
        self._app, self._token = app, token
        self._cookie = f"fixaccel_dashboard_{port}"  # cookies are of a host, whatever the port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is None:
            await self._app(scope, receive, _adding(send, scope["path"]))
        elif scope["type"] == "websocket":
            await receive()  # of the handshake, which is answered with 403
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            await refusal(scope, receive, _adding(send, scope["path"]))

    def _refusal(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """What is answered instead; None where all is as it should be."""
        host = headers.get("host", "")
        if not self._token and not _is_of_this_machine(host):
            # A page from elsewhere whose name leads here would be of the same origin as ours.
            return PlainTextResponse("Ask at 127.0.0.1 or localhost.\n", 421)
        if scope["type"] == "websocket" and not _same_origin(headers.get("origin", ""), host):
            return PlainTextResponse("", 403)
        if not self._token or scope["path"] == _OPEN or self._is_token(self._of_cookie(headers)):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.pop("token", [""])[0]
        if scope["type"] == "http" and given and self._is_token(given):
            return self._first_visit(scope["path"], urlencode(query, doseq=True))
        return PlainTextResponse(_TELL, 401)

    def _first_visit(self, path: str, query: str) -> RedirectResponse:
        # One slash: what begins with two is another host's.
        answer = RedirectResponse("/" + path.lstrip("/") + (f"?{query}" if query else ""), 303)
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return answer

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _of_cookie(self, headers: Headers) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return ""
        return found.value if found is not None else ""


def _adding(send: Send, path: str) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            # The names of what the page loads change with their contents; the page's own does not.
            headers["cache-control"] = "max-age=31536000, immutable" if path.startswith("/assets/") else "no-store"
        await send(message)

    return with_headers


def _is_of_this_machine(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return is_loopback(name)


def _same_origin(origin: str, host: str) -> bool:
    try:
        return bool(host) and urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False
