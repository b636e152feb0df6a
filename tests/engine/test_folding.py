"""One state takes the place of the shards that are merged: few files, and the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from headscope.analyses.analysis import Setting
from headscope.engine import folding
from headscope.engine.running import run
from headscope.engine.states import to_state
from headscope.engine.work import Done, Plan
from headscope.models import load
from headscope.questions.survey.surface import Surface
from headscope.results.folder import RunFolder
from headscope.tallies import Means, Rows
from headscope.text import Document, Spans

SHARDS = 11


@pytest.fixture(scope="module")
def plan(tiny: Path) -> Plan:
    return Plan(Setting(load(str(tiny))), [Surface()], 32, 4, Spans(pair=False), characters=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunFolder]:
    with RunFolder.claim(tmp_path / "run", "survey", {"identity": {}}) as folder:
        yield folder


def some(stop: int | None = None) -> Iterator[Document]:
    """Each fills a shard; all of one block, so that merged ones are no larger."""
    for number in range(SHARDS):
        if number == stop:
            raise KeyboardInterrupt
        text = f"The old keeper wrote {number} lines. He never sleeps" + ", nor does she" * number
        yield Document.from_text("d", text + ".")


def bits(done: Done) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in to_state(done)[0].items()}


@pytest.mark.parametrize("every", [2, 3, SHARDS])
@pytest.mark.parametrize("part", ["survey", "survey/twin-1"])
def test_a_stopped_run_goes_on_to_the_same_bits(
    plan: Plan, store: RunFolder, every: int, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(plan, some(), "survey")
    monkeypatch.setattr(folding, "EVERY", every)
    told = []
    for stop in (5, 8):
        with pytest.raises(KeyboardInterrupt):
            run(plan, some(stop), part, store)
        assert len(store.part(part).numbers()) == stop % every
    again = run(plan, some(), part, store, lambda segments, words: told.append((segments, words)))
    assert bits(again) == bits(whole)
    assert np.sum(told, axis=0).tolist() == [whole.segments, whole.words]
    assert len(store.part(part).numbers()) == SHARDS % every


def test_what_only_grows_is_not_written_again(store: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "EVERY", 2)
    folded = folding.Folded(store.part("survey"))
    for number in range(6):
        rows = Rows((3,))
        rows.update([f"d{number}"], np.full((1, 3), number))
        folded.merge(Done({"scores": {"rows": rows}}))
    assert store.part("survey").read_merged() is None
    assert len(folded.done.tallies["scores"]["rows"].result()) == 6


def test_what_was_folded_does_not_count_again(store: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "EVERY", 2)
    folded = folding.Folded(store.part("survey"))
    for _ in range(2):
        folded.merge(Done({"sums": {"means": Means((100,))}}))
    for number in range(2):
        rows = Rows((50,))
        rows.update([f"d{number}"], np.ones((1, 50)))
        folded.merge(Done({"scores": {"rows": rows}}))
    kept = store.part("survey").read_merged()
    assert kept is not None and kept[1] == 2, "the sums; with the rows, it would be more than both came with"
