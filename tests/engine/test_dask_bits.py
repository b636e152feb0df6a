"""The workers of a cluster give what this process gives, to the last bit, for every verb with shards."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import headscope
from headscope.engine.dask import cluster
from headscope.engine.running import running_on
from tests.cli.labelled import save_model, write_texts
from tests.engine.machines import Machines
from tests.mentions import conll, mixed
from tests.stops import results
from tests.trees import conllu, document

Ask = Callable[[Path], Any]


def survey_of(data: Path, folder: Path) -> Ask:
    options = {"limit": 16, "distances": False, "gradients": False, "plots": False, "shard_characters": 400}
    return lambda out: headscope.survey("default", data / "07_wikitext2/valid.txt", out=out, **options)


def syntax_of(data: Path, folder: Path) -> Ask:
    options = {"limit": 6, "twins": 1, "plots": False, "shard_characters": 400}
    path = data / "01_ud_english_ewt/en_ewt-ud-dev.conllu"
    return lambda out: headscope.syntax("default", path, out=out, **options)


def ablate_of(tiny: Path, folder: Path) -> Ask:
    model, texts = save_model(folder / "classifier"), write_texts(folder / "test.tsv", 40)
    options = {"by": "mean", "plots": False, "shard_characters": 100}
    return lambda out: headscope.ablate(str(model), texts, out=out, **options)


def prune_of(tiny: Path, folder: Path) -> Ask:
    model, texts = save_model(folder / "classifier"), write_texts(folder / "test.tsv", 40)
    train = write_texts(folder / "train.tsv", 20, seed=1)
    options = {"steps": 2, "random": 1, "gate_steps": 4, "remove": 0.25, "speed": False, "plots": False}
    options |= {"shard_characters": 100}
    return lambda out: headscope.prune(str(model), texts, train=train, out=out, **options)


def coref_of(tiny: Path, folder: Path) -> Ask:
    path = folder / "small.conll"
    path.write_text(conll(mixed()))
    options = {"window": 22, "batch_size": 4, "twins": 1, "plots": False, "shard_characters": 300}
    return lambda out: headscope.coref(str(tiny), path, out=out, **options)


def probe_of(tiny: Path, folder: Path) -> Ask:
    draw = random.Random(0)
    nouns, verbs = ("ship", "night", "keeper"), ("sleep", "wrote")
    sentences = [
        f"the>2:det {draw.choice(nouns)}>3:nsubj {draw.choice(verbs)}>0:root .>3:punct" for _ in range(40)
    ]
    path = folder / "small.conllu"
    path.write_text(conllu([document(f"d{place}", one, one) for place, one in enumerate(sentences)]))
    options = {"seeds": 1, "twins": 1, "epochs": 1, "pieces": 40, "plots": False}
    options |= {"shard_characters": 300}
    return lambda out: headscope.probe(str(tiny), path, out=out, **options)


REAL = {"survey": survey_of, "syntax": syntax_of}
SMALL = {"ablate": ablate_of, "prune": prune_of, "coref": coref_of, "probe": probe_of}


@pytest.mark.parametrize("verb", REAL)
def test_real_text_with_the_embedded_model(
    verb: str, data: Path, two_nodes: Machines, tmp_path: Path, written: list[str]
) -> None:
    check_the_same(REAL[verb](data, tmp_path), two_nodes, tmp_path, written)


@pytest.mark.parametrize("verb", SMALL)
def test_every_other_verb(
    verb: str, tiny: Path, two_nodes: Machines, tmp_path: Path, written: list[str]
) -> None:
    check_the_same(SMALL[verb](tiny, tmp_path), two_nodes, tmp_path, written)


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
