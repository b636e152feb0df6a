"""coref through the command line: what it prints and writes, how it goes on, what it refuses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest

import headscope
from headscope.errors import HeadscopeError, InputError, ModelError, OptionError
from headscope.questions import VERBS
from tests.cli.conftest import command
from tests.mentions import conll, mixed

SMALL = ("--window", "22", "--batch-size", "4", "--twins", "1")
TABLES = ["coref_types", "coref_baselines", "coref_heads", "known_mentions"]
OPTIONS = {"window": 22, "batch_size": 4, "twins": 1}


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve small documents."""
    path = tmp_path_factory.mktemp("coref") / "small.conll"
    path.write_text(conll(mixed()))
    return path


@pytest.fixture(scope="session")
def finished(models: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; not to be changed."""
    path = tmp_path_factory.mktemp("finished") / "run"
    done = command("coref", models / "bert", corpus, *SMALL, "--out", path, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    return path


def test_mentions_are_counted_once(finished: Path) -> None:
    run = headscope.open(finished)
    types = run.table("coref_types")
    assert types["type"].tolist() == ["all", "pronoun", "proper", "nominal"]
    assert len(run.table("coref_heads")) == 8 * 4 and len(run.table("coref_baselines")) == 16
    # The three kinds of documents by turns; the doubled one is two windows, each like the single one.
    assert types["mentions"][0] == sum((6, 2, 12)[number % 3] for number in range(12))


def test_the_picture_is_written(finished: Path) -> None:
    assert (finished / "plots" / "coref.png").read_bytes().startswith(b"\x89PNG")


def test_it_prints_the_best_heads_and_the_rules(models: Path, corpus: Path, tmp_path: Path) -> None:
    done = command("coref", models / "bert", corpus, *SMALL, "--out", tmp_path / "run", "--no-plots")
    assert done.code == 0
    for part in (
        "How often the best head finds an antecedent",
        "How often simple rules do",
        "pronoun",
        "covered",
    ):
        assert part in done.out


def test_chosen_heads_have_the_numbers_of_the_full_run(
    models: Path, corpus: Path, tmp_path: Path, finished: Path
) -> None:
    chosen = ("--layers", "1", "--heads", "0,2-3", "--no-plots", "--quiet")
    assert command("coref", models / "bert", corpus, *SMALL, *chosen, "--out", tmp_path / "run").code == 0
    part = headscope.open(tmp_path / "run").table("coref_heads")
    full = headscope.open(finished).table("coref_heads")
    assert list(part["head"].unique()) == ["L1H0", "L1H2", "L1H3"]
    same = full[full["head"].isin(part["head"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(part, same, check_exact=True)


def test_the_first_window_is_a_part(models: Path, corpus: Path, tmp_path: Path, finished: Path) -> None:
    options = ("--window", "22", "--twins", "0", "--first", "--no-plots", "--quiet")
    assert command("coref", models / "bert", corpus, *options, "--out", tmp_path / "run").code == 0
    run = headscope.open(tmp_path / "run")
    # Of the doubled documents only the first half is seen: 6 mentions count there, as in the single ones.
    assert run.table("coref_types")["mentions"][0] == sum((6, 2, 6)[number % 3] for number in range(12))
    assert any("88 words left out: after the first window" in note for note in run.notes("coref"))


def test_mistakes_end_with_two(models: Path, corpus: Path, text: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "run")
    cases = [
        (("coref", models / "bert", text, *out), "has no mentions; read CoNLL-2012 (.conll)"),
        (("coref", models / "bert", corpus, "--head-finder", "tree", *out), "has no tree to find the heads"),
        (("coref", models / "bert", corpus, "--trees", corpus, *out), "has no tree"),
        (
            ("coref", models / "bert", corpus, "--window", "2", *out),
            "no mention has an antecedent in its window",
        ),
        (
            ("coref", models / "bert", corpus, "--layers", "7", *out),
            "no layer 7: the model has layers 0 to 1",
        ),
    ]
    for arguments, message in cases:
        done = command(*arguments)
        assert done.code == 2 and message in done.err, (arguments, done.err)
        assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("refusal", [InputError, ModelError])
def test_a_refusal_before_any_work_leaves_no_folder(
    refusal: type[HeadscopeError],
    models: Path,
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text has been kept by then, as memory runs out in the first batch."""

    def refuse(plan: object, documents: Iterable[object], *rest: object) -> None:
        assert len(list(documents)) == 12 and list(tmp_path.rglob("*.safetensors"))
        raise refusal("memory ran out")

    monkeypatch.setattr("headscope.questions.coref.answer.run", refuse)
    for out in ((), ("--out", "mine")):
        done = command("coref", models / "bert", corpus, *SMALL, *out, cwd=tmp_path)
        assert (done.code, done.err) == (2, "headscope: memory ran out\n")
    assert not list(tmp_path.glob("runs/*")) and not (tmp_path / "mine").exists()


def test_another_way_to_find_heads_of_mentions_is_refused() -> None:
    with pytest.raises(OptionError) as refused:
        VERBS["coref"].options(corpus="small.conll", head_finder="trees")
    told = "unknown --head-finder 'trees'; did you mean 'tree'? Available: given, tree, rule"
    assert str(refused.value) == told
