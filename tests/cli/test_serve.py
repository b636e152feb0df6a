"""`headscope serve`: which models it offers, at which port, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from headscope.cli.serve import SECONDS_TO_END, listen
from headscope.cli.served_models import choose_models
from headscope.errors import OptionError
from headscope.results.run import open as open_run
from tests.cli.conftest import ENVIRONMENT, child, command

WITHOUT = """
import sys
sys.modules["uvicorn" if "--uvicorn" in sys.argv else "fastapi"] = None
sys.argv = ["headscope", "serve", "--port", "0"]
from headscope.cli.main import run
run()
"""

COMPUTING = """
import sys
from time import sleep
from headscope.cli.serve import _run, listen
from headscope.web.live.server import application

class Computing:
    def names(self):
        return ["one"]
    def describe(self, model):
        return None
    def explanation(self, model, text, *, go_on, **options):
        print("computing")
        while True:
            sleep(int(sys.argv[1]) or 0.01)
            go_on()

listening = listen(0)
port = listening.getsockname()[1]
print(f"http://127.0.0.1:{port}")
_run(application(Computing(), explains=Computing(), port=port), listening)
"""


def test_it_shows_a_run_and_its_model_until_it_is_interrupted(run_of: Callable[[str], Path]) -> None:
    run = run_of("llama")
    started = subprocess.Popen(
        child("serve", run, "--port", "0"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert started.stdout is not None
        told = "".join(iter(started.stdout.readline, "Ctrl-C ends it.\n"))
        address = re.search(r"^http://127\.0\.0\.1:\d+$", told, re.MULTILINE)
        assert "Models of the run: llama\n" in told and address is not None
        with httpx.Client(base_url=address[0], timeout=200) as client:
            assert [model["name"] for model in client.get("/api/models").json()] == ["llama"]
            asked = client.post("/api/look", json={"model": "llama", "text": "The old ship.", "generate": 2})
            assert [part["stack"] for part in asked.json()["parts"]] == ["decoder"]
            assert client.get("/run/run.json").json()["verbs"].keys() == {"survey"}
            assert '"name":"llama"' in client.get("/").text
        started.send_signal(signal.SIGINT)
        _, errors = started.communicate(timeout=200)
    finally:
        started.kill()
        started.wait()
    assert (started.returncode, errors) == (0, "")


@pytest.mark.parametrize("seconds", [0, SECONDS_TO_END + 1])
def test_it_ends_in_order_while_a_model_computes(seconds: int) -> None:
    """Also where one step of the work takes longer than the server waits."""
    started = subprocess.Popen(
        [sys.executable, "-c", COMPUTING, str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert started.stdout is not None
        address = started.stdout.readline().strip()
        with httpx.Client(base_url=address, timeout=200) as client, ThreadPoolExecutor(1) as threads:
            threads.submit(client.post, "/api/explanation", json={"model": "one", "text": "The old ship."})
            assert started.stdout.readline() == "computing\n"
            assert client.get("/").status_code == 200, "the page is given while a model computes"
            started.send_signal(signal.SIGINT)
            _, errors = started.communicate(timeout=200)
    finally:
        started.kill()
        started.wait()
    assert (started.returncode, errors) == (0, "")


def test_a_taken_port_is_told_with_a_free_one() -> None:
    with listen(0) as taken:
        port = taken.getsockname()[1]
        done = command("serve", "--port", port)
        assert (done.code, done.out) == (2, "")
        offered = re.fullmatch(
            rf"headscope: port {port} is taken by another program; try --port (\d+)\n", done.err
        )
        assert offered is not None
        with listen(int(offered[1])) as free:
            assert free.getsockname() == ("127.0.0.1", int(offered[1]))


def test_only_this_machine_can_reach_it() -> None:
    with listen(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OptionError, match="is taken"):
            listen(listening.getsockname()[1])
        socket.create_connection(listening.getsockname(), timeout=5).close()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["no-such-run"], "no-such-run: there is no such run folder"),
        (["--port", "70000"], "--port must be at least 0 and below 65,536, not 70000"),
        (["--model", "./nowhere"], "there is no folder ./nowhere"),
        (["--host", "0.0.0.0"], "unknown option '--host'; headscope serve --help lists all"),
    ],
)
def test_mistakes(arguments: list[str], expected: str, tmp_path: Path) -> None:
    port = [] if "--port" in arguments else ["--port", "0"]
    done = command("serve", *arguments, *port, cwd=tmp_path)
    assert done.code == 2
    assert expected in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize("package", ["fastapi", "uvicorn"])
def test_a_missing_package_is_named(package: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, f"--{package}"], capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.returncode == 2
    assert f"needs the package {package}; run pip install fastapi uvicorn" in done.stderr


def test_the_models_that_are_offered(run_of: Callable[[str], Path], models: Path) -> None:
    folder = str(models / "llama")
    assert choose_models([], None).places == {"default": "default"}
    assert choose_models([folder, "default"], None).places == {"llama": folder, "default": "default"}
    offer = choose_models([], open_run(run_of("llama")))
    assert (offer.places, offer.why) == ({"llama": folder}, "Models of the run: llama")
    named = choose_models(["default"], open_run(run_of("llama")))
    assert named.places == {"default": "default"}


def test_a_comparison_offers_the_models_of_its_runs(
    run_of: Callable[[str], Path], models: Path, tmp_path: Path
) -> None:
    content = json.loads((run_of("llama") / "run.json").read_text())
    entry = content["verbs"].pop("survey")
    asked = entry["asked"]["identity"]
    other = {"model": {**asked["model"], "name": "bert", "origin": str(models / "bert")}}
    entry["asked"]["identity"] = {"runs": [asked, other, {"model": {"origin": 5}}, "lost"]}
    content["verbs"]["compare"] = entry
    (tmp_path / "run.json").write_text(json.dumps(content))
    places = choose_models([], open_run(tmp_path)).places
    assert places == {"llama": str(models / "llama"), "bert": str(models / "bert")}


def test_models_of_one_name_are_offered_by_their_places(
    run_of: Callable[[str], Path], models: Path, tmp_path: Path
) -> None:
    """As the report calls them, also where one of them is gone."""
    content = json.loads((run_of("llama") / "run.json").read_text())
    identity = content["verbs"]["survey"]["asked"]["identity"]
    gone = {"model": {**identity["model"], "origin": "/moved/away/llama"}}
    identity |= {"runs": [gone, {"model": identity.pop("model")}]}
    (tmp_path / "run.json").write_text(json.dumps(content))
    assert choose_models([], open_run(tmp_path)).places == {str(models / "llama"): str(models / "llama")}


def test_a_model_that_is_gone_is_replaced_by_the_embedded_one(
    run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    content = json.loads((run_of("llama") / "run.json").read_text())
    model = content["verbs"]["survey"]["asked"]["identity"]["model"]
    for origin in ("/moved/away", "someone/no-such-model", "memory", "no/such/name/at all"):
        model["origin"] = origin
        (tmp_path / "run.json").write_text(json.dumps(content))
        offer = choose_models([], open_run(tmp_path))
        assert offer.places == {"default": "default"}
        assert f"the run's own is not on this machine ({origin}); name its place with --model" in offer.why
