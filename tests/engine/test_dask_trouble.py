"""What a cluster can do wrong is told, and shards are sent out no faster than they come back."""

from __future__ import annotations

import gc
import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Lock

import psutil
import pytest
import torch
from distributed import Client

from headscope.analyses.analysis import Setting
from headscope.engine import crew, flight
from headscope.engine.dask import cluster
from headscope.engine.flight import AHEAD, SPREAD
from headscope.engine.local import Local
from headscope.engine.shards import Shard
from headscope.engine.work import Plan
from headscope.errors import InputError, OptionError, RunError
from headscope.models import Model, load
from headscope.questions.survey.surface import Surface
from headscope.text import Document
from tests.engine.conftest import NODES
from tests.engine.cutters import Fatal, Troubled
from tests.engine.machines import Machines, answers, forked, forking_workers, machines, reviving

WORKER = r"the worker tcp://127\.0\.0\.1:\d+ "


@pytest.fixture(scope="module")
def model(tiny: Path) -> Model:
    return load(str(tiny))


def plan_of(model: Model, kind: str, until: Path | None = None) -> Plan:
    return Plan(Setting(model), [Surface()], 32, 4, Troubled(kind, until))


def some(count: int, trouble: int | None = None) -> Iterator[Shard]:
    """Shards of one document, of which one makes trouble."""
    for number in range(count):
        name = "trouble" if number == trouble else f"d{number}"
        yield Shard(number, [Document.from_text(name, "The old keeper wrote. He never sleeps.")])


def run(nodes: Machines, plan: Plan, shards: Iterator[Shard]) -> list[int]:
    """The numbers in the order in which they come back."""
    with cluster(nodes.address) as runner:
        return [number for number, _ in runner.states(plan, shards)]


def test_a_mistake_found_on_a_worker_arrives_as_itself(two_nodes: Machines, model: Model) -> None:
    with pytest.raises(InputError, match=r"^a\.txt:7: a cut line$"):
        run(two_nodes, plan_of(model, "mistake"), some(6, 3))


def test_trouble_of_a_worker_names_worker_and_document(two_nodes: Machines, model: Model) -> None:
    message = WORKER + r"failed on shard 3, .* document 'trouble': OSError: .*of that machine is broken"
    with pytest.raises(RunError, match=message):
        run(two_nodes, plan_of(model, "disk"), some(6, 3))


def test_a_shard_that_kills_every_worker_is_found(
    two_nodes: Machines, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flight, "TRIES", 8)
    with reviving(two_nodes), pytest.raises(RunError, match=r"shard 0 lost its worker 8 times.*'trouble'"):
        run(two_nodes, plan_of(model, "death"), some(1, 0))
    two_nodes.wait(len(NODES))


def test_other_weights_on_a_worker(two_nodes: Machines, tiny: Path, tmp_path: Path) -> None:
    place = shutil.copytree(tiny, tmp_path / "model")
    plan = plan_of(load(str(place)), "none")
    weights = place / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    # A new file: the model that is loaded here may still read the old one.
    weights.unlink()
    weights.write_bytes(content)
    with pytest.raises(
        RunError, match=WORKER + "cannot load the model: .* has other weights there than here"
    ):
        run(two_nodes, plan, some(3))


def test_no_model_on_a_worker(two_nodes: Machines, tiny: Path, tmp_path: Path) -> None:
    place = shutil.copytree(tiny, tmp_path / "model")
    plan = plan_of(load(str(place)), "none")
    shutil.rmtree(place)
    with pytest.raises(
        RunError, match=WORKER + f"cannot load the model: there is no folder {re.escape(str(place))}"
    ):
        run(two_nodes, plan, some(3))


def test_other_versions_on_a_worker(
    two_nodes: Machines, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {**crew.computing(), "headscope": "0.0.1", "numba": "0.1"}
    monkeypatch.setattr(crew, "computing", lambda: here)
    message = WORKER + r"has headscope \S+ instead of 0\.0\.1, numba \S+ instead of 0\.1; install the same"
    with pytest.raises(RunError, match=message):
        run(two_nodes, plan_of(model, "none"), some(3))


def test_a_worker_without_headscope(model: Model) -> None:
    with machines() as nodes:
        nodes.start("bare", without_headscope=True)
        nodes.wait(1)
        with pytest.raises(RunError, match=r"a worker of the cluster lacks .*headscope"):
            run(nodes, plan_of(model, "none"), some(3))


def test_a_scheduler_without_headscope(model: Model) -> None:
    with machines(without_headscope=True) as nodes:
        nodes.start("node-0")
        nodes.wait(1)
        with pytest.raises(RunError, match=r"the scheduler cannot read .* the same environment"):
            run(nodes, plan_of(model, "none"), some(3))


def test_a_lost_scheduler(
    model: Model, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # Long enough to be found while it lives, on a busy machine too.
    monkeypatch.setattr("headscope.engine.dask.PATIENCE", "10s")
    with machines(*NODES) as nodes, cluster(nodes.address) as runner:
        states = runner.states(plan_of(model, "none"), some(500))
        next(states)
        nodes.kill_scheduler()
        with pytest.raises(RunError, match=r"scheduler .* no longer answers; finished shards are kept"):
            list(states)
    assert capfd.readouterr().err == "", "what Dask logs of it says nothing more"


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headscope.engine.dask.PATIENCE", "1s")
    with (
        pytest.raises(OptionError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster("tcp://127.0.0.1:9"),
    ):
        pass


def test_an_error_of_the_job_is_not_blamed_on_the_cluster(two_nodes: Machines) -> None:
    with pytest.raises(FileNotFoundError), cluster(two_nodes.address):
        raise FileNotFoundError("notes.txt")


def test_few_shards_are_in_flight(two_nodes: Machines, model: Model) -> None:
    taken: list[int] = []
    most = 0
    with cluster(two_nodes.address) as runner:
        for back, _ in enumerate(runner.states(plan_of(model, "none"), noted(some(60), taken))):
            most = max(most, len(taken) - back)
    assert len(taken) == 60
    assert most == AHEAD * len(NODES)


def noted(shards: Iterator[Shard], taken: list[int]) -> Iterator[Shard]:
    """The shards; those that were taken are written down."""
    for shard in shards:
        taken.append(shard.number)
        yield shard


def test_a_slow_shard_holds_back_those_far_behind_it(
    two_nodes: Machines, model: Model, tmp_path: Path
) -> None:
    """States that come before their turn wait in memory: all but the slow one of those that may fly."""
    spread, taken, back = SPREAD * len(NODES), list[int](), list[int]()
    plan = plan_of(model, "slow", tmp_path / "go on")
    with cluster(two_nodes.address) as runner:
        for number, _ in runner.states(plan, noted(some(2 * spread, 0), taken)):
            back.append(number)
            if len(back) == spread - 1:
                assert taken == list(range(spread)) and 0 not in back
                (tmp_path / "go on").touch()
    assert sorted(back) == taken == list(range(2 * spread))


def test_shards_are_let_go(model: Model) -> None:
    """The scheduler of a cluster of its own is in this process, and has seen them too."""
    with forking_workers(), cluster(workers=1) as runner:
        assert sum(1 for _ in runner.states(plan_of(model, "none"), some(80))) == 80
        assert sum(type(one) is Shard for one in gc.get_objects()) < 40


def test_a_cluster_of_its_own_is_reached_from_this_machine_alone() -> None:
    before = forked()
    with forking_workers(), cluster(workers=1):
        own = [psutil.Process(), *psutil.Process().children(recursive=True)]
        heard = list(chain.from_iterable(answers(own, listened_at)))
        workers = forked() - before
    assert len(heard) >= 3, "scheduler, dashboard, worker"
    assert workers & {pid for pid, _ in heard}, "the worker itself has answered"
    assert {ip for _, ip in heard} == {"127.0.0.1"}


def listened_at(process: psutil.Process) -> list[tuple[int, str]]:
    """A process's id with each address at which it can be reached."""
    return [(process.pid, one.laddr.ip) for one in process.net_connections() if one.status == "LISTEN"]


def test_the_environment_of_workers_is_theirs_alone(model: Model) -> None:
    before = dict(os.environ)
    with forking_workers(), cluster(workers=1) as runner:
        there = runner._client.run(lambda: dict(os.environ))
    (environment,) = there.values()
    assert environment["OMP_NUM_THREADS"] == "1"
    assert min(int(environment[f"MALLOC_{what}_THRESHOLD_"]) for what in ("TRIM", "MMAP")) >= 2**30
    assert dict(os.environ) == before


def test_another_tokenizer_on_a_worker(two_nodes: Machines, tiny: Path, tmp_path: Path) -> None:
    place = shutil.copytree(tiny, tmp_path / "model")
    plan = plan_of(load(str(place)), "none")
    vocabulary = place / "tokenizer.json"
    vocabulary.write_text(vocabulary.read_text().replace('"lowercase": true', '"lowercase": false'))
    with pytest.raises(RunError, match=WORKER + "cannot load the model: .* has another tokenizer there"):
        run(two_nodes, plan, some(3))


def plugins(client: Client) -> list[str]:
    """What is kept on the cluster for drivers."""
    names = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.worker_plugins))
    return [name for name in names if name.startswith("headscope")]


def test_nothing_stays_on_a_cluster(two_nodes: Machines, model: Model) -> None:
    plan = plan_of(model, "none")
    with Client(two_nodes.address) as client:
        run(two_nodes, plan, some(4))
        assert plugins(client) == []
        assert set(client.run(torch.get_num_threads).values()) == {1}
        # A driver that was killed could not take its plan with it.
        with Client(two_nodes.address) as killed:
            killed.register_plugin(crew.Crew(plan, killed.id))
            assert len(plugins(client)) == 1
            run(two_nodes, plan, some(2))
            assert len(plugins(client)) == 1, "while it lives, it stays"
        run(two_nodes, plan, some(2))
        assert plugins(client) == []


def test_a_worker_that_dies_while_it_forgets_is_replaced(two_nodes: Machines, model: Model) -> None:
    """What it is to forget is of a killed driver; that one worker goes meanwhile does not end the next."""
    with Client(two_nodes.address) as client:
        with Client(two_nodes.address) as killed:
            killed.register_plugin(Fatal(plan_of(model, "none"), killed.id))
        with reviving(two_nodes):
            assert sorted(run(two_nodes, plan_of(model, "none"), some(2))) == [0, 1]
            two_nodes.wait(len(NODES))
        assert plugins(client) == []


def test_a_second_client_slows_nothing(two_nodes: Machines, model: Model) -> None:
    with cluster(two_nodes.address) as runner:
        alone = seconds_of(runner, plan_of(model, "none"))
        with Client(two_nodes.address):
            beside = seconds_of(runner, plan_of(model, "none"))
    assert beside < 5 * alone + 2, "each shard would wait for seconds"


def seconds_of(runner: flight.Cluster, plan: Plan) -> float:
    started = time.monotonic()
    assert sum(1 for _ in runner.states(plan, some(30))) == 30
    return time.monotonic() - started


def test_a_plan_that_cannot_be_sent_is_told(two_nodes: Machines, model: Model) -> None:
    plan = replace(plan_of(model, "none"), edits=[Lock()])
    with pytest.raises(RunError, match="what is to be done cannot be sent to workers"):
        run(two_nodes, plan, some(3))


def test_a_model_without_a_place_travels(two_nodes: Machines, model: Model) -> None:
    carried = replace(model, recipe=None)
    plan = plan_of(carried, "none")
    with cluster(two_nodes.address) as runner:
        there = dict(runner.states(plan, some(3)))
    here = dict(Local().states(plan, some(3)))
    for number, (arrays, meta) in here.items():
        assert there[number][1] == meta
        assert {name: one.tobytes() for name, one in there[number][0].items()} == {
            name: one.tobytes() for name, one in arrays.items()
        }
