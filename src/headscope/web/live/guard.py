"""What stands before the server: only this machine's own page may ask, in small bodies of JSON.

A page of another site that is open in the same browser can send requests to localhost, under its own name
(Origin) or, after changing what its name resolves to, under the server's (Host). Both are checked.
"""

from __future__ import annotations

from collections.abc import Iterable

import anyio
from fastapi.responses import Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headscope.web.live.refusals import HEADERS, refused

HOSTS = ("localhost", "127.0.0.1", "[::1]")
LARGEST_BODY = 1_000_000
TOO_LARGE = 413
_SECONDS_TO_STOP = 1.0


class Guard:
    """Refuses what does not come from the page itself; gives every answer its headers."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app, self._port = app, port
        self._hosts = {*HOSTS, *(f"{host}:{port}" for host in HOSTS)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is None and scope["method"] == "POST":
            body = await _whole_body(receive)
            if body is None:
                refusal = _too_large()
            else:
                receive = _again(body, receive)
        if refusal is None:
            # Who asks for the head alone gets that of the answer; the server below leaves out its body.
            asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self._app(asked, receive, _with_headers(send))
            return
        if refusal.status_code == TOO_LARGE:
            await _discard_rest(receive)
        await refusal(scope, receive, send)

    def _refusal(self, method: str, headers: Headers) -> Response | None:
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return refused(
                421,
                f"this server answers to 127.0.0.1:{self._port} and localhost:{self._port} only, not to "
                f"'{host}'; through a tunnel, use the same port number at both ends",
            )
        origin = headers.get("origin")
        if origin not in (None, f"http://{host}"):
            return refused(
                403, f"pages of '{origin}' may not ask this server; open http://{host} and ask there"
            )
        if _comes_from_elsewhere(headers):
            return refused(
                403, f"another page may not ask this server; type http://{host} into the address bar"
            )
        return _body_refusal(headers) if method == "POST" else None


def _comes_from_elsewhere(headers: Headers) -> bool:
    """Whether the browser says that another site sent this; a link on localhost may lead here."""
    site = headers.get("sec-fetch-site")
    return site == "cross-site" or (site == "same-site" and headers.get("sec-fetch-mode") != "navigate")


def _body_refusal(headers: Headers) -> Response | None:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return refused(415, f"the content type is '{kind}'; send the question as application/json")
    length = headers.get("content-length", "0")
    return _too_large() if not length.isdecimal() or int(length) > LARGEST_BODY else None


def _too_large() -> Response:
    answer = refused(
        TOO_LARGE,
        f"the question is larger than {LARGEST_BODY // 1_000_000} MB; send a shorter text, part by part",
    )
    # Of a longer body the rest is not read, so the connection cannot serve another request.
    answer.headers["Connection"] = "close"
    return answer


async def _whole_body(receive: Receive) -> bytes | None:
    """The body, or None as soon as it grows too large: a body in chunks does not say its length."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)


async def _discard_rest(receive: Receive) -> None:
    """Let a client finish, for a moment: one that is cut off while it sends never reads the answer."""
    with anyio.move_on_after(_SECONDS_TO_STOP):
        while (await receive()).get("more_body", False):
            pass


def _again(body: bytes, receive: Receive) -> Receive:
    """A receive that gives the body first and then what else comes."""
    first: Iterable[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def give() -> Message:
        for message in first:
            return message
        return await receive()

    return give


def _with_headers(send: Send) -> Send:
    async def send_with(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with
