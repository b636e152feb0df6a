"""The verb on a file whose labels a random model's vectors hold, and on labels that they do not."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError, OptionError
from headscope.probes.regression import Sets, regress
from headscope.questions.pictures import draw
from headscope.questions.sentences.learning import Arrays
from headscope.results.result import Result
from tests.questions.noise import WORDS, asked, untrained

SPLITS = ["tr"] * 120 + ["va"] * 40 + ["te"] * 120


def write(path: Path, is_planted: bool) -> Path:
    """Sentences of seven words; the label is whether the first is `ship`, or drawn."""
    draw = random.Random(0)
    lines = []
    for split in SPLITS:
        first = draw.choice(("ship", "night"))
        label = ("B", "A")[first == "ship"] if is_planted else draw.choice("AB")
        lines.append(f"{split}\t{label}\t{first} {' '.join(draw.choices(WORDS, k=6))}\n")
    path.write_text("".join(lines))
    return path


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Result:
    place = tmp_path_factory.mktemp("planted")
    data = [write(place / "planted.txt", True), write(place / "drawn.txt", False)]
    (place / "vectors.txt").write_text("the 1 0\nship 0 1\n")
    few = {"vectors": place / "vectors.txt", "least": 100, "mlp": False, "pooling": ["mean", "first"]}
    return asked("sentences", model=untrained(place), data=data, **few)


def test_what_is_there_is_read_and_what_is_not_is_not(planted: Result) -> None:
    scores = planted.table("sentence_scores").set_index("task")
    assert scores["accuracy"]["planted"] > 0.65 and abs(scores["accuracy"]["drawn"] - 0.5) < 0.15
    assert scores["low"]["planted"] > 0.55 and scores["pooling"]["planted"] == "mean"
    assert not scores["sure"]["drawn"]


def test_accuracies_are_shares_of_right_answers(planted: Result) -> None:
    """Of 120 scored sentences; baselines as worked out from the file."""
    layers, baselines = planted.table("sentence_layers"), planted.table("sentence_baselines")
    for shares in (layers["accuracy"], baselines["accuracy"]):
        assert np.allclose(120 * shares, np.round(120 * shares))
    own = baselines[baselines["task"] == "planted"].set_index("baseline")["accuracy"]
    assert list(own.index) == ["majority", "length", "bag of words", "bag of vectors"]
    assert own["length"] == own["majority"], "all sentences are equally long"
    array = planted.arrays["sentences"]["accuracy"].sel(task="planted", pooling="mean")
    table = layers[(layers["task"] == "planted") & (layers["pooling"] == "mean")]
    assert array.values.tolist() == table["accuracy"].tolist()


def test_a_chosen_layer_is_the_best_on_tuning_examples(planted: Result) -> None:
    layers = planted.table("sentence_layers")
    for one in planted.table("sentence_scores").itertuples():
        own = layers[(layers["task"] == one.task) & (layers["pooling"] == one.pooling)]
        assert own.loc[own["tuned"].idxmax(), "layer"] == one.layer
        assert own.set_index("layer")["accuracy"][one.layer] == one.accuracy
        assert own["twin"].notna().all()


def test_twins_are_read_by_the_chosen_pooling_alone(planted: Result) -> None:
    layers = planted.table("sentence_layers")
    chosen = planted.table("sentence_scores").set_index("task")["pooling"]
    others = layers[layers["pooling"] != layers["task"].map(chosen)]
    assert len(others) and others["twin"].isna().all()


def test_pictures_have_a_panel_for_each_task(planted: Result) -> None:
    for name in ("sentence_layers", "sentence_erasure"):
        titles = [axes.get_title(loc="left") for axes in draw(name, planted).axes]
        assert titles == ["planted", "drawn"]


def test_a_question_that_cannot_be_asked(tmp_path: Path) -> None:
    data, model = write(tmp_path / "planted.txt", True), untrained(tmp_path)
    with pytest.raises(InputError, match="no task can be probed: planted: 280 examples, at least 500"):
        asked("sentences", model=model, data=data)
    with pytest.raises(OptionError, match="--pooling"):
        asked("sentences", model=model, data=data, pooling=["middle"])
    with pytest.raises(OptionError, match="layer"):
        asked("sentences", model=model, data=data, least=10, layers=(3,))


@pytest.mark.parametrize(
    ("layers", "there"), [((0, 1), ["middle"]), ((0, 2), ["last"]), ((1, 2), ["middle", "last", "fall"])]
)
def test_middle_and_last_are_those_of_the_model(
    tmp_path: Path, layers: tuple[int, ...], there: list[str]
) -> None:
    """The model has the layers 0 to 2; what was not chosen is not told, nor set beside."""
    few = {"least": 100, "mlp": False, "twins": 0, "pooling": ["mean"], "layers": layers}
    result = asked("sentences", model=untrained(tmp_path), data=write(tmp_path / "planted.txt", True), **few)
    own, summary = result.table("sentence_scores").iloc[0], result.table("sentence_summary").iloc[0]
    assert [name for name in ("middle", "last", "fall") if not np.isnan(own[name])] == there
    assert (summary["middle_layer"], summary["last_layer"]) == (1, 2)
    assert np.isnan(summary["lower"]) == ("fall" not in there)
    said = " ".join(one.text for one in result.findings)
    assert ("The last layer" in said or "the last layer" in said) == ("fall" in there)


def test_a_task_without_vectors_in_a_part_is_refused(tmp_path: Path) -> None:
    """All tuning sentences are longer than a segment may be."""
    lines = write(tmp_path / "long.txt", True).read_text().splitlines()
    longer = [f"{line} the old ship at night" if line.startswith("va") else line for line in lines]
    (tmp_path / "long.txt").write_text("\n".join(longer) + "\n")
    few = {"least": 100, "mlp": False, "twins": 0, "pooling": ["mean"], "pieces": 10}
    with pytest.raises(InputError, match="long: no example in va where 240 of 280 sentences have a vector"):
        asked("sentences", model=untrained(tmp_path), data=tmp_path / "long.txt", **few)


def test_vectors_of_a_model_stay_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A classifier is handed a map of a file, of which it reads a task's rows of one layer."""
    handed: list[np.ndarray] = []

    def listen(vectors: np.ndarray, sets: Sets) -> Arrays:
        handed.append(vectors)
        return regress(vectors, sets)

    monkeypatch.setattr("headscope.questions.sentences.rounds.regress", listen)
    few = {"least": 100, "mlp": False, "twins": 1, "pooling": ["mean"], "task": ["planted"]}
    asked("sentences", model=untrained(tmp_path), data=write(tmp_path / "planted.txt", True), **few)
    assert len(handed) == 2
    for vectors in handed:
        assert isinstance(vectors, np.memmap) and vectors.shape[1] == 3
        assert vectors[:, 1].flags.c_contiguous, "a layer lies together"


def test_a_quick_answer_takes_one_pooling_and_reads_no_twin(tmp_path: Path) -> None:
    few = {"pooling": ["max", "mean"], "least": 100, "quick": True}
    result = asked("sentences", model=untrained(tmp_path), data=[write(tmp_path / "a.txt", True)], **few)
    scores = result.table("sentence_scores")
    assert set(scores["pooling"]) == {"max"} and scores["twin"].isna().all()
    assert set(result.table("sentence_layers")["pooling"]) == {"max"}
