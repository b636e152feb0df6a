"""Many ask at once, some go away; maps are kept for a while."""

from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic, sleep
from typing import NoReturn, TypeVar

import httpx
import numpy as np
import pytest
from fastapi import Request

from headscope.questions.maps.live import Models
from headscope.results.look import Axis, Look, Sheet, StackMaps
from headscope.results.quantised import quantise
from headscope.web.live.recent_maps import RecentMaps
from headscope.web.live.turns import Turns
from tests.web.live.serving import POST, port_of, serving, tiny_models

Answer = TypeVar("Answer")
PATIENCE = 100
"""Seconds to wait for what happens in a moment, on a machine that is not too busy."""
WORDS = ("ship", "night", "book", "name", "small")


def post(client: httpx.Client, text: str, model: str = "tiny") -> httpx.Response:
    return client.post("/api/look", json={"model": model, "text": text})


def test_fifty_at_once_get_each_their_own_answer() -> None:
    models = tiny_models()
    texts = [" ".join(WORDS[number % 5] for _ in range(1 + number // 5)) for number in range(50)]
    expected = {text: models.look("tiny", text).stack() for text in texts}

    def ask(text: str) -> bool:
        told = post(client, text).json()
        maps = client.get(f"/api/maps/{told['id']}/encoder/1").content
        part = expected[text]
        return (
            told["axes"][0]["pieces"] == part.query.pieces
            and maps == quantise(part.sheets[1].weights).tobytes()
        )

    recent = RecentMaps(looks=50)
    with serving(models, recent=recent) as client, ThreadPoolExecutor(50) as threads:
        assert list(threads.map(ask, texts)) == [True] * 50


class Gated(Models):
    """Models that run only while a gate is open, and remember the texts they ran."""

    def __init__(self, models: Models) -> None:
        super().__init__(models._places)
        self.gate, self.begun = Event(), list[str]()

    def look(self, model: str, text: str, **options: object) -> Look:
        self.begun.append(text)
        assert self.gate.wait(PATIENCE)
        return super().look(model, text, **options)  # type: ignore[arg-type]


class Counted(Turns):
    """A line that counts who came into it and who has left it."""

    def __init__(self) -> None:
        super().__init__()
        self.came = self.left = 0

    async def take(self, request: Request, work: Callable[[], Answer]) -> Answer | None:
        self.came += 1
        try:
            return await super().take(request, work)
        finally:
            self.left += 1


def leave(client: httpx.Client, text: str, when: Callable[[], bool], path: str = "/api/look") -> None:
    """Ask, and go away without the answer as soon as a condition holds."""
    body = f'{{"model": "tiny", "text": "{text}"}}'
    with socket.create_connection(("127.0.0.1", port_of(client))) as connection:
        connection.sendall(
            f"{POST.replace('/api/look', path)}Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        wait_for(when)


def wait_for(condition: Callable[[], bool]) -> None:
    until = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < until
        sleep(0.01)


def test_who_goes_away_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    models, line = Gated(tiny_models()), Counted()
    monkeypatch.setattr("headscope.web.live.server.Turns", lambda: line)
    with serving(models) as client, ThreadPoolExecutor(1) as threads:
        leave(client, "the ship", lambda: models.begun == ["the ship"])
        leave(client, "a night", lambda: line.came == 2)
        leave(client, "a book", lambda: line.came == 3)
        wait_for(lambda: line.left == 2)
        answer = threads.submit(post, client, "a name")
        # The page itself is given while a model runs and others wait.
        assert client.get("/page.js").status_code == 200
        wait_for(lambda: line.came == 4)
        models.gate.set()
        assert answer.result().json()["axes"][0]["names"] == ["[CLS]", "a", "name", "[SEP]"]
        # The first was running when its client left; the two in line never ran.
        assert models.begun == ["the ship", "a name"]


class Endless:
    """Explains until it may not go on; remembers what it began and that it ended."""

    def __init__(self) -> None:
        self.begun, self.ended = list[str](), list[str]()

    def explanation(self, model: str, text: str, *, go_on: Callable[[], None], **_: object) -> NoReturn:
        self.begun.append(text)
        try:
            while True:
                go_on()
                sleep(0.01)
        finally:
            self.ended.append(text)

    made = explanation


@pytest.mark.parametrize("path", ["/api/explanation", "/api/made"])
def test_what_is_explained_to_nobody_ends(path: str) -> None:
    endless = Endless()
    with serving(tiny_models(), explains=endless) as client:
        leave(client, "the ship", lambda: endless.begun == ["the ship"], path)
        wait_for(lambda: endless.ended == ["the ship"])
        assert post(client, "a name").json()["axes"][0]["names"] == ["[CLS]", "a", "name", "[SEP]"]


def look(size: int, layers: int = 1) -> Look:
    names = [str(place) for place in range(size)]
    axis = Axis(names, list(range(size)), names, [False] * size)
    weights = np.full((2, size, size), 0.25)
    return Look(
        "m", [StackMaps("encoder", axis, axis, [Sheet(layer, [0, 1], weights) for layer in range(layers)])]
    )


def test_the_looks_asked_for_last_are_kept() -> None:
    recent = RecentMaps(looks=2)
    first, second = recent.add(look(3)), recent.add(look(3))
    # A quarter is half of 255 steps as a root, rounded to the even 128.
    assert recent.layer(first, "encoder", 0) == bytes([128] * 18)
    third = recent.add(look(3))
    assert recent.layer(second, "encoder", 0) is None
    assert recent.layer(first, "encoder", 0) is not None and recent.layer(third, "encoder", 0) is not None
    assert recent.layer(first, "encoder", 1) is None and recent.layer(first, "cross", 0) is None
    assert len({first, second, third}) == 3


@pytest.mark.parametrize(("size", "there"), [(64, [True, True]), (63, [False, True])])
def test_no_more_is_kept_than_may_be(size: int, there: list[bool]) -> None:
    """A look of 4 tokens, 2 heads and 1 layer has 32 weights of one byte each."""
    recent = RecentMaps(size=size)
    ids = [recent.add(look(4)), recent.add(look(4))]
    assert [recent.layer(id, "encoder", 0) is not None for id in ids] == there


def test_a_look_larger_than_the_room_is_kept_alone() -> None:
    recent = RecentMaps(size=10)
    small, large = recent.add(look(2)), recent.add(look(9, layers=2))
    assert recent.layer(small, "encoder", 0) is None
    assert recent.layer(large, "encoder", 1) is not None
