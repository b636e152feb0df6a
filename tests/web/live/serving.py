"""A real server on a free port, and real models for it to run."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx
import uvicorn

from headscope.models import load
from headscope.questions.maps.live import Models
from headscope.web.live.explorer import Explorer
from headscope.web.live.server import application
from tests.cli.folders import bert
from tests.tokenizers import wordpiece

JSON = {"Content-Type": "application/json"}
POST = "POST /api/look HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def tiny_models() -> Models:
    """One tiny random model under two names."""
    tokenizer = wordpiece()
    model = load(bert(tokenizer).eval(), tokenizer=tokenizer)
    return Models({"tiny": model, "twin": model})


@contextmanager
def serving(explorer: Explorer, **options: Any) -> Iterator[httpx.Client]:
    """A client of a server that runs in a thread until the block ends."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = application(explorer, port=port, **options)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", ws="none"))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=200) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def port_of(client: httpx.Client) -> int:
    port = client.base_url.port
    assert port is not None
    return port


def message(response: httpx.Response) -> str:
    """What a refusal says; nothing else is in it."""
    content = response.json()
    assert set(content) == {"message"} and response.headers["content-type"] == "application/json"
    return str(content["message"])
