"""A text is parsed once, a treebank is read to check it and to keep it, a model is hashed once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import headscope
from headscope.text import read
from tests.cli.conftest import command, written
from tests.cli.folders import save
from tests.cli.labelled import write_texts
from tests.questions.counted import counts
from tests.sampling import sampled
from tests.stops import Stop, results
from tests.trees import conllu, treebank

__all__ = ["counts"]

PARSED = {"parse": True, "least": 2, "twins": 2, "plots": False}
TREES = 12


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("models"), "bert")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "my.txt"
    path.write_text(written(TREES))
    return path


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    path = tmp_path / "trees.conllu"
    path.write_text(conllu(treebank(TREES)))
    return path


def test_a_text_is_parsed_once(model: Path, text: Path, counts: Counter[str], tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    headscope.syntax(str(model), text, **PARSED)
    assert counts["parsed"] == TREES
    headscope.syntax(str(model), text, out=tmp_path / "run", **PARSED)
    assert counts["parsed"] == 2 * TREES


@pytest.mark.parametrize("after", sampled([2, 5, 9], [5]))
def test_a_stopped_run_parses_only_what_it_had_not(
    after: int, model: Path, text: Path, counts: Counter[str], tmp_path: Path
) -> None:
    """Stopped while it parses the second chunk of several, or in a shard after that."""
    pytest.importorskip("spacy")
    options = {**PARSED, "shard_characters": 400}
    headscope.syntax(str(model), text, out=tmp_path / "whole", **options)
    counts.clear()
    with pytest.raises(KeyboardInterrupt):
        headscope.syntax(str(model), text, out=tmp_path / "run", progress=Stop(after), **options)
    assert (counts["parsed"] < TREES) == (after == 2)
    headscope.syntax(str(model), text, out=tmp_path / "run", **options)
    assert counts["parsed"] == TREES
    assert results(tmp_path / "run") == results(tmp_path / "whole")


def test_progress_tells_all_words(model: Path, text: Path) -> None:
    """Those that are parsed, and those of each pass, as the parser parts them."""
    pytest.importorskip("spacy")
    told: list[int] = []
    headscope.syntax(str(model), text, progress=lambda segments, words: told.append(words), **PARSED)
    parsed, *passes = told
    assert parsed == sum(len(document.words) for document in read(text))
    assert len(passes) == 1 + PARSED["twins"] and passes == pytest.approx([parsed] * 3, rel=0.02)


def test_a_text_without_relations_leaves_no_folder(model: Path, tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    (tmp_path / "a.txt").write_text("Stop!\n")
    done = command("syntax", model, tmp_path / "a.txt", "--parse", "--out", tmp_path / "run")
    assert (done.code, (tmp_path / "run").exists()) == (2, False)
    assert "no relation to score" in done.err


def test_a_treebank_is_read_to_check_it_and_to_keep_it(
    model: Path, trees: Path, counts: Counter[str], tmp_path: Path
) -> None:
    options = {"twins": 2, "plots": False}
    headscope.probe(str(model), trees, seeds=1, epochs=1, pieces=40, control=False, **options)
    assert counts["read"] == 1 + 2 * TREES, "the first document tells whether it can be read at all"
    counts.clear()
    headscope.syntax(str(model), trees, least=5, out=tmp_path / "run", **options)
    assert counts["read"] == 1 + 2 * TREES


def test_a_test_file_too(model: Path, trees: Path, counts: Counter[str], tmp_path: Path) -> None:
    (tmp_path / "test.conllu").write_text(conllu(treebank(3, seed=1)))
    options = {"seeds": 1, "epochs": 1, "pieces": 40, "control": False, "twins": 2, "plots": False}
    headscope.probe(str(model), trees, test=tmp_path / "test.conllu", **options)
    assert counts["read"] == 2 + 2 * (TREES + 3)


def test_model_and_data_are_hashed_once(
    model: Path, trees: Path, text: Path, counts: Counter[str], tmp_path: Path
) -> None:
    """Also where the folder of a run is looked for, and where what heads know is compared."""
    assert command("syntax", model, trees, "--twins", "1", "--no-plots", "-q", cwd=tmp_path).code == 0
    assert (counts["hashed"], counts["digested"]) == (3, 1)
    counts.clear()
    known = ("--known", "runs/syntax-bert-1", "--no-plots", "-q", "--pieces", "32")
    assert command("survey", model, text, *known, cwd=tmp_path).code == 0
    assert (counts["hashed"], counts["digested"]) == (3, 1)


def test_a_model_is_hashed_before_it_is_trained(model: Path, tmp_path: Path) -> None:
    options = {"epochs": 1, "plots": False}
    data = write_texts(tmp_path / "train.tsv", 30)
    results = [
        headscope.finetune(str(model), data, out=out, **options).result for out in (None, tmp_path / "run")
    ]
    names = [result.asked["identity"]["model"]["weights"] for result in results]
    assert names[0] == names[1]


def test_a_model_that_was_changed_is_hashed_again(model: Path, text: Path, tmp_path: Path) -> None:
    loaded = headscope.load(model)
    options = {"gradients": False, "distances": False, "plots": False, "pieces": 32}

    def weights() -> str:
        result = headscope.survey(loaded, text, **options)
        name: str = result.asked["identity"]["model"]["weights"]
        return name

    before = weights()
    assert weights() == before
    next(loaded.module.parameters()).data[0] += 1  # of which torch itself takes no note
    assert weights() != before
