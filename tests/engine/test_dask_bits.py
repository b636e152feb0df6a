"""Workers of a cluster give what this process gives on real text; the battery asks all verbs on tiny data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import headscope
from headscope.engine.dask import cluster
from headscope.engine.running import running_on
from tests.engine.machines import Machines
from tests.stops import results

Ask = Callable[[Path], Any]


def survey_of(data: Path, folder: Path) -> Ask:
    options = {"limit": 16, "distances": False, "gradients": False, "plots": False, "shard_characters": 400}
    return lambda out: headscope.survey("default", data / "07_wikitext2/valid.txt", out=out, **options)


def syntax_of(data: Path, folder: Path) -> Ask:
    options = {"limit": 6, "twins": 1, "plots": False, "shard_characters": 400}
    path = data / "01_ud_english_ewt/en_ewt-ud-dev.conllu"
    return lambda out: headscope.syntax("default", path, out=out, **options)


REAL = {"survey": survey_of, "syntax": syntax_of}


@pytest.mark.slow
@pytest.mark.parametrize("verb", REAL)
def test_real_text_with_the_embedded_model(
    verb: str, data: Path, two_nodes: Machines, tmp_path: Path, written: list[str]
) -> None:
    check_the_same(REAL[verb](data, tmp_path), two_nodes, tmp_path, written)


def check_the_same(ask: Ask, nodes: Machines, folder: Path, written: list[str]) -> None:
    """Run here and there: the same files, and each shard written once."""
    ask(folder / "here")
    here = written.copy()
    written.clear()
    with cluster(nodes.address) as runner, running_on(runner):
        ask(folder / "there")
    assert len(here) >= 6, "too few shards to tell"
    assert sorted(written) == sorted(here)
    assert results(folder / "there") == results(folder / "here")
    runs = [headscope.open(folder / place) for place in ("here", "there")]
    here_told, there_told = (run.notes(run.verbs[0]) for run in runs)
    assert here_told == there_told
