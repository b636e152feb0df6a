"""The server gives the page, looks and maps; each mistake is told in a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import numpy as np
import pytest

from headscope.errors import ModelError
from headscope.heads import Head
from headscope.models import load
from headscope.questions.explain.offers import Explaining
from headscope.questions.maps.live import Models
from headscope.results.look import Look
from headscope.results.quantised import quantise
from headscope.web.live.requests import LONGEST_TEXT, MOST_GENERATED
from headscope.web.page import asset
from headscope.web.report_wire import Report
from tests.cli.folders import llama
from tests.tokenizers import gpt2
from tests.web.live.serving import JSON, message, serving, tiny_models

TEXT = "The old lighthouse keeper couldn't sleep."
REPORT = Report("my run </script><script>", [], [], None, [], [], [])


@pytest.fixture(scope="module")
def models() -> Models:
    return tiny_models()


@pytest.fixture(scope="module")
def client(models: Models) -> Iterator[httpx.Client]:
    with serving(models, report=REPORT) as client:
        yield client


def ask(client: httpx.Client, **question: object) -> httpx.Response:
    return client.post("/api/look", json={"model": "tiny", "text": TEXT, **question})


def test_the_page_comes_with_the_client_and_the_models(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    told = re.search(r'<script type="application/json" id="page">(.*?)</script>', page.text)
    assert told is not None
    content = json.loads(told[1])
    assert [model["name"] for model in content["live"]["models"]] == ["tiny", "twin"]
    assert content["report"]["name"] == REPORT.name and content["view"] is None
    for name, kind in (("page.js", "text/javascript"), ("page.css", "text/css")):
        got = client.get(f"/{name}")
        assert got.text == asset(name)
        assert got.headers["content-type"] == f"{kind}; charset=utf-8"


def test_the_head_of_an_answer_can_be_asked_for_alone(client: httpx.Client) -> None:
    for path in ("/", "/page.js", "/api/models"):
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == whole.headers["content-length"]
        assert head.headers["content-type"] == whole.headers["content-type"]
    assert client.head("/nothing").status_code == 404


def test_every_answer_has_its_headers(client: httpx.Client) -> None:
    answers = [client.get(path) for path in ("/", "/page.js", "/api/models", "/nowhere", "/api/maps/x/y/0")]
    answers += [ask(client), ask(client, model="no"), client.get("/", headers={"Host": "elsewhere.org"})]
    for answer in answers:
        assert "default-src 'none'; script-src 'self';" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"


def test_a_look_and_its_maps_are_those_of_the_model(client: httpx.Client, models: Models) -> None:
    expected = models.look("tiny", TEXT, off=[Head("encoder", 0, 1)])
    told = ask(client, off=[{"stack": "encoder", "layer": 0, "index": 1}]).json()
    part = expected.stack("encoder")
    assert told["axes"][0]["pieces"] == part.query.pieces
    assert [layer["data"] for layer in told["parts"][0]["layers"]] == [None, None]
    assert told["output"]["rows"][0]["after"] == pytest.approx(expected.output.rows[0].after)
    for sheet in part.sheets:
        for encoding in ("gzip", "identity"):
            path = f"/api/maps/{told['id']}/encoder/{sheet.layer}"
            got = client.get(path, headers={"Accept-Encoding": encoding})
            assert got.headers["content-type"] == "application/octet-stream"
            assert got.headers.get("content-encoding", "identity") in (encoding, "identity")
            assert got.content == quantise(sheet.weights).tobytes()


def test_models_are_told_with_what_is_known_of_them(client: httpx.Client) -> None:
    ask(client)
    tiny, twin = client.get("/api/models").json()
    assert tiny == {"name": "tiny", "loaded": True, "shape": "encoder", "longest": 64}
    assert twin == {"name": "twin", "loaded": False, "shape": None, "longest": None}


@pytest.mark.parametrize(
    ("question", "status", "expected"),
    [
        ({"model": "tinny"}, 404, "unknown model 'tinny'; did you mean 'tiny'? Available: tiny, twin"),
        ({"text": " "}, 400, "the text is empty"),
        ({"text": "a" * (LONGEST_TEXT + 1)}, 413, "the text has 100,001 characters, at most 100,000"),
        ({"second": "a" * LONGEST_TEXT}, 413, "at most 100,000 can be asked; shorten it"),
        ({"generate": MOST_GENERATED + 1}, 400, "generate is 201; let the model continue by 0 to 200 pieces"),
        ({"generate": -1}, 400, "generate is -1"),
        ({"text": "a \ud800 b"}, 400, "the text holds half of a character"),
        ({"second": "\udfff"}, 400, "the text holds half of a character"),
        ({"text": 5}, 422, "the question cannot be read: text: Input should be a valid string; 5 came"),
        ({"text": None}, 422, "text: Input should be a valid string; None came"),
        ({"off": [{"stack": "middle", "layer": 0, "index": 0}]}, 422, "off.0.stack: .*'middle' came"),
        ({"off": [{"stack": "encoder", "layer": 9, "index": 0}]}, 400, "L9H0"),
        ({"window": 7}, 400, "window"),
    ],
)
def test_a_question_that_cannot_be_answered(
    client: httpx.Client, question: dict, status: int, expected: str
) -> None:
    body = json.dumps({"model": "tiny", "text": TEXT, **question})
    answer = client.post("/api/look", content=body, headers=JSON)
    assert answer.status_code == status
    assert re.search(expected.replace("?", r"\?"), message(answer))


@pytest.mark.parametrize("body", [b"{nope", b"", b"\xff\xfe", b"[]", b"{}", b'{"model": "tiny"}'])
def test_a_body_that_is_no_question(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/api/look", content=body, headers=JSON)
    assert answer.status_code == 422
    assert message(answer).startswith("the question cannot be read: ")


def test_what_is_not_there(client: httpx.Client) -> None:
    known = ask(client).json()["id"]
    for path in (f"/api/maps/{known}/encoder/5", f"/api/maps/{known}/cross/0", "/api/maps/older/encoder/0"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert message(answer) == "these maps were asked too long ago; ask again"
    assert message(client.get("/docs")) == "GET /docs: Not Found; the page is at /"
    assert client.get("/openapi.json").status_code == client.get("/page.map").status_code == 404
    assert client.put("/api/look").status_code == client.get("/api/look").status_code == 405
    assert "headscope serve RUN" in message(client.get("/run/run.json"))


def test_what_mattered_is_told_with_what_can_be_asked(models: Models) -> None:
    text, by = "The old [MASK] keeper.", ["attention", "occlusion"]
    with serving(models, explains=Explaining(models)) as client:
        assert '"explains":true' in client.get("/").text

        def why(**question: object) -> httpx.Response:
            return client.post("/api/explanation", json={"model": "tiny", "text": text, **question})

        told = why(by=by, off=[{"stack": "encoder", "layer": 0, "index": 1}]).json()
        expected = Explaining(models).explanation("tiny", text, by=by, off=[Head("encoder", 0, 1)])
        assert [way["name"] for way in told["ways"]] == by
        assert {"rollout", "generic"} < {way["name"] for way in told["offered"]}
        assert told["answers"][0]["label"] == expected.answers[0].label
        found = np.array(told["importance"], dtype=float)
        np.testing.assert_allclose(found, expected.importance, rtol=1e-5)
        assert np.isnan(found[1, 0, 0]), "occlusion judges no special token"
        assert "has no [MASK]; write one" in message(why(text=TEXT))
        assert message(why(model="tinny")).startswith("unknown model 'tinny'")
        assert message(why(by=5)).startswith("the question cannot be read: by")


def test_which_heads_made_a_token(models: Models) -> None:
    tokenizer = gpt2()
    writes = load(llama(tokenizer).eval(), tokenizer=tokenizer)
    both = Models({"tiny": models._places["tiny"], "writes": writes})
    with serving(both, explains=Explaining(both)) as client:

        def made(**question: object) -> httpx.Response:
            return client.post("/api/made", json={"model": "writes", "text": TEXT, **question})

        off = [{"stack": "decoder", "layer": 0, "index": 1}]
        told = made(place=2, off=off, generate=2, removal=True).json()
        expected = Explaining(both).made("writes", TEXT, place=2, off=[Head("decoder", 0, 1)], generate=2)
        assert (told["pieces"], told["place"], told["written"]) == (expected.pieces, 2, 2)
        assert sum(part["value"] for part in told["parts"]) == pytest.approx(told["logit"], abs=1e-4)
        assert told["heads"][1] == {"name": "L0H1", "stack": "decoder", "layer": 0, "index": 1}
        assert told["direct"] == pytest.approx(expected.direct, rel=1e-5) and told["direct"][1] == 0
        assert told["removed"] == pytest.approx(expected.removed, rel=1e-5, abs=1e-9)
        direct = made().json()
        assert direct["removed"] == [None] * 8 and direct["place"] == len(direct["pieces"]) - 1
        assert message(made(place=0)).startswith("no piece 0: heads make pieces 1 to ")
        assert message(made(place="x")).startswith("the question cannot be read: place")
        assert message(made(target="A ship.")) == "no target can be given: writes is no encoder-decoder"
        assert "cannot be told: it does not write the next piece" in message(made(model="tiny"))
        assert message(made(model="tinny")).startswith("unknown model 'tinny'")


def test_without_a_way_to_explain_nothing_is_offered(client: httpx.Client) -> None:
    assert '"explains":false' in client.get("/").text
    for path in ("/api/explanation", "/api/made"):
        assert client.post(path, json={"model": "tiny", "text": TEXT}).status_code == 404


class Failing(Models):
    """Models of which one cannot be loaded and one breaks in a way that nobody foresaw."""

    def look(self, model: str, text: str, **options: object) -> Look:
        if model == "missing":
            raise ModelError("there is no folder missing")
        raise RuntimeError("a secret of the server")


def test_a_mistake_is_explained_and_a_failure_tells_nothing() -> None:
    with serving(Failing(["missing", "broken"])) as client:
        missing, broken = (ask(client, model=name) for name in ("missing", "broken"))
        assert (missing.status_code, message(missing)) == (400, "there is no folder missing")
        assert broken.status_code == 500
        assert message(broken) == "something went wrong in the server; its window says what"
        assert "nosniff" in broken.headers["x-content-type-options"]
        assert client.get("/api/models").status_code == 200


def test_128_tokens_of_the_embedded_model_are_light() -> None:
    words = ["the", "old", "keeper", "wrote", "a", "long", "letter", "about", "storm", "and", "friend"]
    text = " ".join(np.random.default_rng(0).choice(words, 126))
    with serving(Models(["default"])) as client:
        answers = [
            client.get("/"),
            client.get("/page.js"),
            client.get("/page.css"),
            ask(client, model="default", text=text),
        ]
        look = answers[-1].json()
        assert len(look["axes"][0]["pieces"]) == 128
        layers = look["parts"][0]["layers"]
        assert sum(len(layer["heads"]) for layer in layers) == 72
        answers += [client.get(f"/api/maps/{look['id']}/encoder/{layer['layer']}") for layer in layers]
    assert sum(len(answer.content) for answer in answers[4:]) == 72 * 128 * 128
    assert sum(answer.num_bytes_downloaded for answer in answers) < 1_300_000
