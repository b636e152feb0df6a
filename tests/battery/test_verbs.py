"""What every verb of the table must do, whatever it answers.

A new verb needs `tests/questions/VERB/asked.py` and nothing here.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import torch

import headscope
from headscope.engine.dask import cluster
from headscope.engine.effort import cost_of, words_of
from headscope.engine.running import running_on
from headscope.errors import ModelError
from headscope.models.fingerprint import fingerprint
from headscope.models.twin import random_twin
from headscope.questions import VERBS
from headscope.questions.findings import findings_of
from headscope.questions.groups import KeepsRun, OfData, OfHeads, OfModel, RunsShards
from headscope.questions.options import Options, fields_of
from headscope.questions.pictures import available, draw
from tests.battery.desk import Desk, noted_parts
from tests.cli.conftest import command
from tests.engine.machines import Machines
from tests.stops import Stop, results

DOCS = Path(__file__).parents[2] / "docs"


def verbs_with(group: type[Options]) -> list[str]:
    return [name for name, verb in VERBS.items() if issubclass(verb.options, group)]


QUICK = [name for name, verb in VERBS.items() if any(f.name == "quick" for f in fields_of(verb.options))]


@pytest.mark.parametrize("verb", VERBS)
def test_the_command_gives_what_the_library_gives(desk: Desk) -> None:
    """All files of a run, bit by bit; of what keeps no run, all tables."""
    assert desk.whole.result.tables
    assert (desk.commanded.code, desk.commanded.err) == (0, "")
    if desk.keeps_run:
        assert results(desk.folder / "commanded", 2) == results(desk.folder / "whole", 2)


@pytest.mark.parametrize("verb", VERBS)
def test_json_holds_every_table(desk: Desk) -> None:
    told = json.loads(desk.commanded.out)
    if desk.keeps_run:
        assert told["run"] == "commanded"
        assert told["notes"] == headscope.open(desk.folder / "commanded").notes(desk.verb.name)
    else:
        assert told["notes"] == desk.whole.result.notes
    assert desk.whole.result.tables.keys() <= told.keys()
    for name, table in desk.whole.result.tables.items():
        rows = [[without_nan(value) for value in row] for row in table.astype(object).to_numpy().tolist()]
        assert [list(row.values()) for row in told[name]] == rows
        assert all(list(row) == list(table) for row in told[name])


@pytest.mark.parametrize("verb", VERBS)
def test_tables_can_be_read(desk: Desk) -> None:
    """Every column is declared, what stands beside it is there, and rows are told apart as declared."""
    result = desk.whole.result
    assert any(len(table) for table in result.tables.values())
    for name, table in result.tables.items():
        assert table.index.equals(pd.RangeIndex(len(table))), name
        assert len(set(table)) == len(list(table)) and all(isinstance(column, str) for column in table), name
        says = result.declared[name]
        assert says.title and set(says.row) <= set(table), name
        assert says.undeclared(table) == [], name
        assert len(table) < 2 or not table.duplicated(list(says.row)).any(), name
        assert all(set(says.column(column).beside.values()) <= set(table) for column in table), name


@pytest.mark.parametrize("verb", verbs_with(KeepsRun))
def test_the_steps_of_a_plan_are_those_that_are_done(desk: Desk) -> None:
    """As many words as progress is told of, but for what is left out and what nobody can know before."""
    steps, told = desk.question().steps, desk.whole.words
    assert all(step.what and step.words > 0 and step.passes > 0 for step in steps)
    assert bool(steps) == bool(told)
    assert 0.75 * words_of(steps) <= told <= 1.25 * words_of(steps)


@pytest.mark.parametrize("verb", QUICK)
def test_quick_is_told_beside_the_plan_and_is_less_work(desk: Desk) -> None:
    usual, quick = desk.question(quick=False), desk.question(quick=True)
    assert cost_of(quick.steps) == pytest.approx(cost_of(usual.quick), rel=0.1)
    assert cost_of(usual.quick) < cost_of(usual.steps) and not quick.quick


@pytest.mark.parametrize("verb", verbs_with(OfData))
def test_three_documents_decide_nothing(desk: Desk) -> None:
    """Whatever they show, it may be chance; what is counted or told of heads alone does not rest on them."""
    few = {"limit": 3} | ({"train_limit": 3} if "train_limit" in desk.fields else {})
    found = findings_of(desk.result(**few))
    assert [one.text for one in found if one.decided and one.table not in desk.asked.counted] == []


@pytest.mark.parametrize("verb", verbs_with(KeepsRun))
def test_stopped_and_resumed_equals_one_go(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in Python half-way, and by a command before the result is written; each goes on from there."""
    run, calls = desk.folder / "stopped", desk.whole.calls
    if calls:
        with pytest.raises(KeyboardInterrupt):
            desk.call(out="stopped", plots=False, progress=Stop((calls + 1) // 2))
        assert headscope.open(run).unfinished == [desk.verb.name]
    with monkeypatch.context() as patched:
        patched.setattr("headscope.results.folder.write_table", interrupt)
        again = command("resume", run) if calls else desk.command("--out", run, "--no-plots")
        assert again.code == 130
    assert headscope.open(run).unfinished == [desk.verb.name]
    done = command("resume", run, cwd=desk.folder.parent)
    assert (done.code, done.err) == (0, f"resuming {desk.verb.name} of {run}, asked in {desk.folder}\n")
    assert results(run, 2) == results(desk.folder / "whole", 2)


@pytest.mark.parametrize("verb", verbs_with(KeepsRun))
def test_what_has_finished_is_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    told = desk.commanded.out
    monkeypatch.setattr(desk.verb.module("answer"), "answer", interrupt)
    again = desk.command("--out", "commanded", "--no-plots", "--json")
    assert (again.code, again.out, again.err) == (0, told, "")


@pytest.mark.parametrize("verb", verbs_with(RunsShards))
def test_workers_give_what_this_process_gives(desk: Desk, nodes: Machines) -> None:
    assert len(desk.whole.parts) >= 4, "too few shards to tell"
    with cluster(nodes.address) as runner, running_on(runner), noted_parts() as parts:
        desk.call(out="there", plots=False)
    assert sorted(parts) == sorted(desk.whole.parts), "each is written once"
    assert results(desk.folder / "there", 2) == results(desk.folder / "whole", 2)


@pytest.mark.parametrize("verb", verbs_with(OfHeads))
def test_chosen_layers_and_heads(desk: Desk) -> None:
    tables = desk.result(layers=(1,), heads=(0, 2)).tables
    named = {name: heads_of(table) for name, table in tables.items() if "head" in table}
    assert set().union(*named.values()) == {"L1H0", "L1H2"}


def heads_of(table: pd.DataFrame) -> set[str]:
    """The heads that a table names, without their stack; where halves disagree, both."""
    columns = [name for name in ("head", "other_head") if name in table]
    named = {head for name in columns for head in table[name].dropna() if head}
    return {head.rpartition(":")[2] for head in named}


@pytest.mark.parametrize("verb", verbs_with(OfModel))
def test_a_random_twin_is_a_model(desk: Desk) -> None:
    """It gives the same kinds of answers with other numbers; neither a given model nor chance is changed."""
    twin = random_twin(headscope.load(desk.folder / desk.options["model"]), 5)
    before, chance = fingerprint(twin.module), torch.get_rng_state()
    if desk.asked.twins:
        found, known = desk.result(model=twin).tables, desk.whole.result.tables
        assert found.keys() <= known.keys()
        assert not all(table.equals(known[name]) for name, table in found.items())
    else:
        with pytest.raises(ModelError, match="random twin 5 would answer at random"):
            desk.result(model=twin)
    assert fingerprint(twin.module) == before and not twin.module.training
    assert torch.equal(torch.get_rng_state(), chance)


@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items() if verb.has("pictures")])
def test_all_pictures_draw(desk: Desk, tmp_path: Path) -> None:
    more = desk.asked.pictures
    result = desk.result(**more) if more else desk.whole.result
    assert set(available(result)) == desk.verb.module("pictures").PICTURES.keys() - {*desk.asked.undrawn}
    for name in available(result):
        draw(name, result).savefig(tmp_path / f"{name}.png", dpi=50)
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


@pytest.mark.parametrize("verb", VERBS)
def test_it_has_a_page(verb: str) -> None:
    """That the examples of the page run is checked in tests/docs."""
    assert f"headscope {verb} " in (DOCS / f"{verb}.md").read_text("utf-8")


def without_nan(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def interrupt(*given: object) -> None:
    raise KeyboardInterrupt
