"""The live page's server: the page, looks at texts, their maps, what explains them, and a run's files."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from headscope.errors import HeadscopeError
from headscope.results.provenance import version
from headscope.web.live.explorer import Explains, Explorer, cards
from headscope.web.live.guard import Guard
from headscope.web.live.recent_maps import RecentMaps
from headscope.web.live.refusals import refused
from headscope.web.live.requests import (
    LONGEST_TEXT,
    MOST_GENERATED,
    ask,
    ask_made,
    ask_why,
    refusal_of,
    shortened,
    validation_sentence,
)
from headscope.web.live.run_files import file_of
from headscope.web.live.turns import Turns
from headscope.web.live_wire import Live, MadeQuestion, Question, WhyQuestion
from headscope.web.look_wire import ExplanationWire, LookWire, MadeWire
from headscope.web.packing import as_json, wired, wired_explanation, wired_made
from headscope.web.page import asset, served
from headscope.web.report_wire import Report
from headscope.web.wire import Page

SAMPLE = "The lighthouse keeper lost her key, so she climbed in through the window."
GONE = 499
_ASSETS = {"page.js": "text/javascript", "page.css": "text/css"}


def application(
    explorer: Explorer, *, explains: Explains | None = None, report: Report | None = None,
    run_folder: Path | None = None, port: int, text: str = SAMPLE, recent: RecentMaps | None = None,
) -> FastAPI:  # fmt: skip
    """The server of some models and, if given, a run; port: the one it will be reached at.

    explains: asks the same models what made their answers. text: what the page shows first. Models
    run one question at a time, in the order they came.
    """
    app = FastAPI(title="headscope", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, port=port)
    _explain_mistakes(app)
    live = partial(Live, text=text, longest_text=LONGEST_TEXT, most_generated=MOST_GENERATED)
    _add_page(app, report, lambda: live(cards(explorer), explains=explains is not None))
    turns = app.state.turns = Turns()
    _add_looks(app, explorer, recent or RecentMaps(), turns)
    if explains is not None:
        _add_explanations(app, explorer, explains, turns)

    @app.get("/run/{path:path}")
    def run_file(path: str) -> Response:
        return file_of(run_folder, path)

    return app


def _add_page(app: FastAPI, report: Report | None, live: Callable[[], Live]) -> None:
    title = report.name if report is not None else "headscope"

    @app.get("/")
    def page(request: Request) -> Response:
        html = served(Page(title, version(), report=report, live=live()))
        return _squeezed(request, html.encode(), "text/html")

    @app.get("/favicon.ico")
    def icon() -> Response:
        # Browsers ask for one unbidden, and would report its absence as an error of the page.
        return Response(status_code=204)

    @app.get("/page.{suffix}")
    def client(request: Request, suffix: str) -> Response:
        name = f"page.{suffix}"
        if name not in _ASSETS:
            return refused(404, f"there is no {name}; the page is at /")
        return _squeezed(request, asset(name).encode(), _ASSETS[name])


def _add_looks(app: FastAPI, explorer: Explorer, recent: RecentMaps, turns: Turns) -> None:
    @app.get("/api/models")
    def models() -> Response:
        listed = ",".join(as_json(card) for card in cards(explorer))
        return Response(f"[{listed}]", media_type="application/json")

    @app.post("/api/look")
    async def answer(request: Request, question: Question) -> Response:
        def told() -> LookWire:
            look = ask(explorer, question)
            return wired(look, shortened(question.text), id=recent.add(look))

        return await _answer(request, question, told, explorer, turns)

    @app.get("/api/maps/{id}/{stack}/{layer}")
    def maps(request: Request, id: str, stack: str, layer: int) -> Response:
        content = recent.layer(id, stack, layer)
        if content is None:
            return refused(404, "these maps were asked too long ago; ask again")
        return _squeezed(request, content, "application/octet-stream")


def _add_explanations(app: FastAPI, explorer: Explorer, explains: Explains, turns: Turns) -> None:
    @app.post("/api/explanation")
    async def explanation(request: Request, question: WhyQuestion) -> Response:
        def told() -> ExplanationWire:
            return wired_explanation(ask_why(explains, question, turns.go_on))

        return await _answer(request, question, told, explorer, turns)

    @app.post("/api/made")
    async def made(request: Request, question: MadeQuestion) -> Response:
        def told() -> MadeWire:
            return wired_made(ask_made(explains, question, turns.go_on))

        return await _answer(request, question, told, explorer, turns)


async def _answer(
    request: Request, question: Question, told: Callable[[], Any], explorer: Explorer, turns: Turns
) -> Response:
    """What is told when its turn comes; a question that cannot be asked is refused at once."""
    refusal = refusal_of(question, explorer.names())
    if refusal is not None:
        return refusal

    def work() -> Response:
        return _squeezed(request, as_json(told()).encode(), "application/json")

    return await turns.take(request, work) or Response(status_code=GONE)


def _explain_mistakes(app: FastAPI) -> None:
    """Every mistake is answered with a sentence; the server's own are also logged by the one who runs it."""

    @app.exception_handler(HeadscopeError)
    async def mistake(_: Request, error: Any) -> Response:
        return refused(400, error.text)

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: Any) -> Response:
        return refused(422, validation_sentence(error.errors()))

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: Any) -> Response:
        return refused(
            error.status_code, f"{request.method} {request.url.path}: {error.detail}; the page is at /"
        )

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> Response:
        return refused(500, "something went wrong in the server; its window says what")


def _squeezed(request: Request, content: bytes, kind: str) -> Response:
    """Content deflated where the browser takes it and it becomes smaller by a tenth.

    On the lightest level, which takes 20 ms for the 1.2 MB of 72 maps of 128 tokens and saves a third.
    """
    if "gzip" in request.headers.get("accept-encoding", ""):
        small = gzip.compress(content, 1, mtime=0)
        if len(small) < 0.9 * len(content):
            return Response(small, media_type=kind, headers={"Content-Encoding": "gzip"})
    return Response(content, media_type=kind)
