"""Every verb asked once of tiny models and tiny data: results with all the tables that a verb can give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from headscope.questions import VERBS
from headscope.questions.asking import ask, open_question, options_of
from headscope.results.result import Result
from tests.cli.conftest import written
from tests.cli.folders import save
from tests.cli.labelled import save_model, write_texts
from tests.mentions import conll, mixed
from tests.trees import conllu, treebank

VECTORS = "the 1 0 0\nship 0 1 0.5\nkeeper 0.2 0 1\nbook 0 0.7 0.1\n"


def asked(verb: str, out: Path | None = None, **options: Any) -> Result:
    """The result of a verb, as its command prints it."""
    question = open_question(VERBS[verb], options_of(VERBS[verb], (), options))
    return ask(VERBS[verb], question, out, plots=False)


def survey(place: Path) -> Result:
    known = [syntax(place)]
    text = _written(place / "text.txt", written(20))
    return asked("survey", model=save(place, "bert"), text=text, pieces=32, known=known)


def syntax(place: Path) -> Result:
    trees = _written(place / "trees.conllu", conllu(treebank(24)))
    return asked("syntax", model=save(place, "bert"), treebank=trees, least=5, twins=1)


def coref(place: Path) -> Result:
    corpus = _written(place / "small.conll", conll(mixed()))
    return asked("coref", model=save(place, "bert"), corpus=corpus, window=22, twins=1)


def probe(place: Path) -> Result:
    trees = _written(place / "trees.conllu", conllu(treebank(24)))
    vectors = _written(place / "vectors.txt", VECTORS)
    return asked(
        "probe", model=save(place, "bert"), treebank=trees, vectors=vectors, seeds=2, twins=1, epochs=1
    )


def finetune(place: Path) -> Result:
    data, test = write_texts(place / "train.tsv", 40), write_texts(place / "test.tsv", 20, 1)
    return asked("finetune", model=save(place, "bert"), data=data, test=test, epochs=2, batch_size=4)


def ablate(place: Path) -> Result:
    data, train, other = (write_texts(place / f"{seed}.tsv", 40, seed) for seed in range(3))
    return asked("ablate", model=save_model(place / "classifier"), data=data, train=train, other=other)


def prune(place: Path) -> Result:
    data, train = write_texts(place / "data.tsv", 20), write_texts(place / "train.tsv", 20, 1)
    options = {"steps": 4, "random": 3, "gate_steps": 4, "remove": 0.25, "pieces": 16}
    return asked("prune", model=save_model(place / "classifier"), data=data, train=train, **options)


def compare(place: Path) -> Result:
    text = _written(place / "text.txt", written(20))
    runs = [place / f"run-{name}" for name in ("bert", "bert-later")]
    options: dict[str, Any] = {"text": text, "pieces": 32, "gradients": False, "distances": False}
    for run, name in zip(runs, ("bert", "bert-later"), strict=True):
        asked("survey", run, model=save(place, name), **options)
    return asked("compare", runs=runs)


def maps(place: Path) -> Result:
    return asked("maps", model=save(place, "bert"), text="The old ship passed the old keeper.")


def show(place: Path) -> Result:
    options = {"head": ["L0H1", "L1H2"], "off": ["L0H0"]}
    return asked("show", model=save(place, "bert"), text="The old ship passed the old keeper.", **options)


ANSWERS: dict[str, Callable[[Path], Result]] = {
    "survey": survey, "syntax": syntax, "coref": coref, "probe": probe, "finetune": finetune,
    "ablate": ablate, "prune": prune, "compare": compare, "maps": maps, "show": show,
}  # fmt: skip
"""A result of each verb, made in an empty folder."""


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path
