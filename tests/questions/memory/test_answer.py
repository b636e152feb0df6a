"""The verb: a stopped net goes on to the same bits, what is told of speeds, a model that knows the word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import headscope
from headscope.questions.memory.learning import Kind
from headscope.questions.memory.nets import LONGER, PLAIN, SLOWER, OfNets
from headscope.questions.memory.options import Options
from headscope.questions.memory.tables import tables_of_nets
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


def test_more_classes_than_words_are_refused() -> None:
    refused(command("memory", "gru", "--classes", 10, "--words", 5), "more classes than the 5 words")


def measured(speed: np.ndarray, right: np.ndarray) -> dict[str, np.ndarray]:
    """What a net left: speeds and accuracy at the longest delay, (class,) each."""
    read = np.ones_like(speed)
    found = {"right": np.stack([np.ones_like(right), right]), "moved": speed}
    for after in (PLAIN, LONGER, SLOWER):
        slower = speed / 2 if after == SLOWER else speed
        found |= {f"{after}/speed": slower, f"{after}/mean_speed": 2 * speed, f"{after}/read": read}
        found[f"{after}/right"] = found["right"]
    return found


def test_faster_classes_that_forget_more_are_found() -> None:
    """In each of four models the faster class is the worse one, and all right answers follow from that."""
    options = Options(model="gru", classes=10, delays=(4, 40), seeds=4, curriculum="delay", tested=100)
    question, speed = OfNets.of(options), np.linspace(0.1, 1.0, 10)
    found = {kind: measured(speed * (1 + kind.seed), 1 - speed) for kind in question.kinds}
    tables = tables_of_nets(question, found)
    rows = tables["forgetting"].set_index("scope")
    assert rows.loc["within models", "spearman"] == -1 and rows.loc["within models", "sure"]
    assert rows.loc["pooled", "spearman"] < 0 and np.isnan(rows.loc["between models", "spearman"])
    retention = tables["retention"].set_index("delay")
    assert retention["mean"].to_dict() == {4: 1.0, 40: pytest.approx(0.45)}
    assert retention["change"][40] == pytest.approx(-0.55) and retention["beyond"].to_dict() == {
        4: False,
        40: True,
    }
    change = tables["slowed_change"].set_index("delay")
    assert change["speed"][40] == pytest.approx(0.5) and change["change"][40] == 0.0
    assert change["speed_p"][40] == pytest.approx(2 / 2**4)


def test_shuffled_speeds_are_not_found() -> None:
    options = Options(model="gru", classes=10, delays=(4, 40), seeds=4, curriculum="delay", tested=100)
    question, random = OfNets.of(options), np.random.default_rng(0)
    found = {kind: measured(random.random(10), random.random(10)) for kind in question.kinds}
    assert not tables_of_nets(question, found)["forgetting"]["sure"].any()


def test_attention_is_trained_by_one_curriculum() -> None:
    kinds = OfNets.of(Options(model="all", seeds=1)).kinds
    assert Kind("gru", "vocabulary", 0) in kinds and Kind("gru-attention", "vocabulary", 0) not in kinds
    assert len(kinds) == 7


def test_statements_are_asked_too() -> None:
    result = asked("memory", model="transformer", **FEW | {"task": "sentences", "steps": 2})
    assert set(result.tables) == {"retention", "retention_models"}


def test_a_model_that_sees_back_tells_the_word_and_its_embeddings_do_not() -> None:
    """The embedded one, of two words; its layer 0 sees one token alone."""
    result = asked("memory", model="default", classes=2, examples=30, delays=(1, 8), layers=(0, 3), twins=1)
    table = result.table("reading").set_index(["layer", "delay"])
    assert table.loc[(3, 1), "accuracy"] > 0.9 and table.loc[(3, 1), "above_shuffled_low"] > 0
    assert not table.loc[0, "sure"].any()
    assert abs(table["shuffled"].mean() - 0.5) < 0.25


def test_delays_that_a_model_does_not_take_are_refused() -> None:
    with pytest.raises(headscope.errors.OptionError, match="--delays 900: texts for it have up to"):
        asked("memory", model="default", delays=(900,), examples=8, classes=2)
