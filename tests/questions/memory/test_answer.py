"""The verb: a stopped net goes on to the same bits, what is refused and told, a model that knows the word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import headscope
from headscope.questions.memory import reading
from headscope.questions.memory.answer import about_change
from headscope.questions.memory.findings import findings
from headscope.questions.memory.learning import Kind
from headscope.questions.memory.nets import OfNets
from headscope.questions.memory.options import Options
from headscope.questions.memory.screen import screen
from headscope.questions.memory.tables_of_models import reach_table
from headscope.questions.pictures import available, draw
from headscope.results.result import Result
from tests.cli.conftest import command
from tests.cli.test_mistakes import refused
from tests.questions.memory.made import FEW
from tests.questions.noise import asked
from tests.stops import Stop, results


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result, int]:
    """A run of one net, and how often it told of progress."""
    run, counting = tmp_path_factory.mktemp("memory") / "whole", Stop()
    result = headscope.memory("gru", **FEW, out=run, plots=False, progress=counting)
    return run, result, counting.calls


@pytest.mark.parametrize("part", [0.2, 0.6, 0.9])
def test_a_stopped_net_goes_on_to_the_same_bits(
    whole: tuple[Path, Result, int], tmp_path: Path, part: float
) -> None:
    """In its training, behind it, and while it is made slower."""
    run, _, calls = whole
    with pytest.raises(KeyboardInterrupt):
        headscope.memory("gru", **FEW, out=tmp_path / "run", plots=False, progress=Stop(int(part * calls)))
    assert headscope.open(tmp_path / "run").unfinished == ["memory"]
    headscope.memory("gru", **FEW, out=tmp_path / "run", plots=False)
    assert results(tmp_path / "run", 2) == results(run, 2)


def test_the_pictures_of_nets_draw(whole: tuple[Path, Result, int], tmp_path: Path) -> None:
    result = whole[1]
    assert set(available(result)) == {"retention", "slow_points", "drifting_states"}
    for name in available(result):
        draw(name, result).savefig(tmp_path / f"{name}.png", dpi=50)
    before = result.tables | {"slow_points": result.table("slow_points").drop(columns="learned")}
    assert draw("slow_points", replace(result, tables=before)), "a run that does not tell who has learned"


def test_more_classes_than_words_are_refused() -> None:
    refused(command("memory", "gru", "--classes", 10, "--words", 5), "more classes than the 5 words")


def test_attention_is_trained_by_one_curriculum() -> None:
    kinds = OfNets.of(Options(model="all", seeds=1)).kinds
    assert Kind("gru", "vocabulary", 0) in kinds and Kind("gru-attention", "vocabulary", 0) not in kinds
    assert len(kinds) == 7


def test_statements_are_asked_too() -> None:
    result = asked(
        "memory", model="transformer", **FEW | {"task": "sentences", "classes": 2, "words": 4, "steps": 2}
    )
    assert set(result.tables) == {"retention", "retention_models"}


def test_a_model_that_sees_back_tells_the_word_and_its_embeddings_do_not() -> None:
    """The embedded one, of two words; its layer 0 sees one token alone."""
    result = asked("memory", model="default", classes=2, examples=30, delays=(1, 8), layers=(0, 3), twins=1)
    table = result.table("reading").set_index(["layer", "delay"])
    assert table.loc[(3, 1), "accuracy"] > 0.9 and table.loc[(3, 1), "above_shuffled_low"] > 0
    assert not table.loc[0, "sure"].any()
    assert abs(table["shuffled"].mean() - 0.5) < 0.25


def test_a_mistyped_net_is_told_the_nets() -> None:
    refused(command("memory", "grru"), "did you mean 'gru'")


def test_what_a_mistyped_net_is_told_in_python_is_not_told_in_a_shell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def load(*_: object, **__: object) -> None:
        raise headscope.errors.ModelError("grru holds no tokenizer", in_python="or give one in Python")

    monkeypatch.setattr(reading, "load", load)
    refused(command("memory", "grru"), "holds no tokenizer; unknown net 'grru'; did you mean 'gru'")
    with pytest.raises(headscope.errors.ModelError, match="or give one in Python"):
        headscope.memory("grru")


def test_embeddings_that_tell_the_word_are_not_said_to_be_silent() -> None:
    """Where the place of a token tells it, no sentence says that it is not shown."""
    result = asked("memory", model="default", classes=2, examples=8, delays=(1, 4), layers=(0, 1), twins=0)
    for sure in (True, False):
        reading = result.table("reading").assign(sure=sure)
        (told,) = [
            each.text
            for each in findings(replace(result, tables=result.tables | {"reading": reading}))
            if each.text.startswith("The embeddings")
        ]
        assert ("not shown" in told) != sure


def test_what_was_not_learned_and_cannot_be_decided_is_told() -> None:
    result = asked("memory", model="gru", **FEW | {"steps": 1, "seeds": 2})
    assert [title for title, _ in screen(result)] == ["Right answers by delay, over all seeds, in percent"]
    notes = result.notes
    (learned,) = [note for note in notes if "did not learn the task" in note]
    assert learned.startswith("of 4 models, 4 with") and "gru-delay-0, gru-delay-1" in learned
    tables = {"slowed_change": pd.DataFrame({"models": [6, 6, 6], "p": [0.1, 0.2, np.nan]})}
    (few,) = about_change(tables)
    assert "no p is below 0.062" in few, "two rows of 2 / 2^6 each"
    enough = {"slowed_change": pd.DataFrame({"models": [7, 7], "p": [0.1, 0.2]})}
    assert about_change(enough) == []


def test_delays_that_a_model_does_not_take_are_refused() -> None:
    with pytest.raises(headscope.errors.OptionError, match="--delays 900: texts for it have up to"):
        asked("memory", model="default", delays=(900,), examples=8, classes=2)


def test_a_layer_reaches_as_far_as_it_is_sure() -> None:
    """Right behind a word its random twin may be as good; what it tells later counts all the same."""
    reading = pd.DataFrame(
        {"layer": [6, 6, 6], "delay": [1, 8, 16], "accuracy": [1.0, 0.9, 0.7], "sure": [False, True, True]}
    ).assign(low=0.5, high=1.0, twin=0.2, shuffled=0.1)
    (row,) = reach_table(reading).to_dict("records")
    assert (row["farthest"], row["accuracy"], row["any"]) == (16, 0.7, True)
    (row,) = reach_table(reading.assign(sure=False)).to_dict("records")
    assert (row["farthest"], row["accuracy"], row["any"]) == (0, 1.0, False)
