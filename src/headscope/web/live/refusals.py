"""Answers that say no: a sentence in JSON, and the headers that every answer carries."""

from __future__ import annotations

from fastapi.responses import Response

from headscope.web.live_wire import Problem
from headscope.web.packing import as_json

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    # What a model said of a private text must not stay on the disk.
    "Cache-Control": "no-store",
}


def refused(status: int, message: str) -> Response:
    """A refusal; its message says what to do."""
    return Response(as_json(Problem(message)), status, HEADERS, "application/json")
