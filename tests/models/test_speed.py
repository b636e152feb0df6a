"""Measuring speed: the rows are what they say, equal models are about equally fast, shares are shares."""

from __future__ import annotations

from time import process_time

import pytest
import torch
import transformers as tf

from headscope.errors import ModelError, OptionError
from headscope.heads import Head
from headscope.models import Model, load, speed
from headscope.models.pruning.removal import remove_heads
from headscope.models.speed import attention_share, ceiling, filled, measure
from tests.families import build
from tests.models.test_twin import model_of


def wide_bert(intermediate: int, layers: int = 2) -> Model:
    torch.manual_seed(0)
    config = tf.BertConfig(
        vocab_size=50, hidden_size=512, num_hidden_layers=layers, num_attention_heads=8,
        intermediate_size=intermediate, max_position_embeddings=128,
    )  # fmt: skip
    return model_of(tf.BertModel(config, add_pooling_layer=False).eval())


@pytest.fixture
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure what this process computes; a clock would measure its neighbours too."""
    monkeypatch.setattr(speed, "perf_counter", process_time)


@pytest.mark.usefixtures("own_time")
def test_a_model_against_itself() -> None:
    model = wide_bert(64)
    rows = measure({"one": model, "two": model}, (1, 3), 16, repeats=15)
    assert [(row.model, row.batch_size) for row in rows] == [("one", 1), ("two", 1), ("one", 3), ("two", 3)]
    for row in rows:
        assert row.pieces == 16
        assert 0 < row.seconds_low <= row.seconds <= row.seconds_high
        assert row.throughput == pytest.approx(row.batch_size / row.seconds)
        assert row.ratio_low <= row.ratio <= row.ratio_high
        assert 0.5 < row.ratio < 2
    assert all(row.ratio == row.ratio_low == row.ratio_high == 1 for row in rows if row.model == "one")


def test_ratios_are_of_batches_in_the_same_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow takes 2, 4, 6 seconds and fast 1, 1, 2, so ratios are 2, 4, 3; warming up does not count."""
    slow, fast = model_of(build("bert")), model_of(build("bert"))
    seconds = {id(slow): [9.0, 2.0, 4.0, 6.0], id(fast): [1.0, 1.0, 1.0, 2.0]}
    monkeypatch.setattr(speed, "_timed", lambda model, inputs: seconds[id(model)].pop(0))
    rows = measure({"slow": slow, "fast": fast}, (8,), 4, repeats=3, warmup=1)
    assert (rows[0].seconds, rows[1].seconds) == (4, 1)
    assert (rows[0].throughput, rows[1].throughput) == (2, 8)
    assert (rows[1].ratio, rows[1].ratio_low, rows[1].ratio_high) == pytest.approx((3, 2.2, 3.8))


def test_each_turn_begins_with_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    models = {name: model_of(build("bert")) for name in "ab"}
    order: list[str] = []

    def timed(model: Model, inputs: object) -> float:
        order.extend(name for name, one in models.items() if one is model)
        return 1.0

    monkeypatch.setattr(speed, "_timed", timed)
    measure(models, (1,), 4, repeats=2, warmup=1)
    assert "".join(order) == "abbaab"


@pytest.mark.usefixtures("own_time")
def test_a_pruned_model_is_faster() -> None:
    model = wide_bert(1)
    pruned = remove_heads(model, [Head("encoder", layer, index) for layer in (0, 1) for index in range(7)])
    before, after = measure({"whole": model, "pruned": pruned}, (4,), 64, repeats=7)
    assert after.ratio > 1.2 and before.ratio == 1


@pytest.mark.usefixtures("own_time")
@pytest.mark.parametrize(("intermediate", "low", "high"), [(1, 0.5, 1.0), (512 * 16, 0.03, 0.3)])
def test_attention_share(intermediate: int, low: float, high: float) -> None:
    """Matrices alone: 4 of 4 widths squared without feed-forward, 4 of 4 + 2 x 16 = 1/9 with a huge one."""
    model = wide_bert(intermediate)
    hooks = [len(part._forward_hooks) + len(part._forward_pre_hooks) for part in model.module.modules()]
    assert low < attention_share(model, 2, 64, repeats=5) < high
    assert sum(hooks) == sum(
        len(part._forward_hooks) + len(part._forward_pre_hooks) for part in model.module.modules()
    )


def test_the_share_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that ticks at every look, a pass of 2 layers has 4 timed parts: 4 of 4 x 2 + 1 ticks."""
    model = model_of(build("bert"))
    ticks = iter(range(10_000))
    monkeypatch.setattr(speed, "_now", lambda model: float(next(ticks)))
    assert attention_share(model, 1, 4, repeats=3, warmup=1) == pytest.approx(4 / 9)


@pytest.mark.parametrize("family", ["gpt2", "t5"])
def test_output_projections_inside_are_not_counted_twice(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GPT-2: 2 modules, so 2 of 5 ticks; T5: 2 + 2 + 2 modules, so 6 of 13."""
    model = model_of(build(family))
    ticks = iter(range(10_000))
    monkeypatch.setattr(speed, "_now", lambda model: float(next(ticks)))
    expected = {"gpt2": 2 / 5, "t5": 6 / 13}[family]
    assert attention_share(model, 1, 4, repeats=1, warmup=0) == pytest.approx(expected)


def test_ceiling() -> None:
    assert ceiling(0.5, 1) == 2 and ceiling(0.3, 0) == 1
    assert ceiling(0.376, 0.5) == pytest.approx(1.2315, abs=1e-4)


def test_inputs_fill_every_row(wordpiece) -> None:
    config = tf.BertConfig(
        vocab_size=len(wordpiece), hidden_size=16, num_hidden_layers=1, num_attention_heads=4,
        intermediate_size=8,
    )  # fmt: skip
    model = load(tf.BertModel(config).eval(), wordpiece)
    inputs = filled(model, 3, 20, seed=1)
    assert inputs["input_ids"].shape == (3, 20) and bool((inputs["attention_mask"] == 1).all())
    assert not set(inputs["input_ids"].flatten().tolist()) & set(wordpiece.all_special_ids)
    assert torch.equal(inputs["input_ids"], filled(model, 3, 20, seed=1)["input_ids"])
    assert not torch.equal(inputs["input_ids"], filled(model, 3, 20, seed=2)["input_ids"])
    both = filled(model_of(build("bart")), 2, 5, seed=0)
    assert both["decoder_input_ids"].shape == (2, 5) and both["input_ids"][:, -1].tolist() == [2, 2]


def test_the_model_is_left_as_it_was() -> None:
    model = model_of(build("bert"))
    model.module.train()
    measure({"one": model}, (1,), 4, repeats=1, warmup=0)
    assert model.module.training


def test_refusals() -> None:
    model = wide_bert(8, layers=1)
    with pytest.raises(ModelError, match="wide takes 1 to 128 pieces, not 129"):
        measure({"wide": model}, (1,), 129)
    with pytest.raises(OptionError, match="no model to measure"):
        measure({})
    with pytest.raises(OptionError, match="0 repeats; measure at least one"):
        measure({"wide": model}, (1,), 8, repeats=0)
    with pytest.raises(ModelError, match="mpnet computes attention outside the shared function"):
        attention_share(model_of(build("mpnet")), 1, 4)
