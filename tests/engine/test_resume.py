"""A run that was stopped and taken up again gives the same bits as one that was not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as tf
import xarray as xr

from headscope import survey
from headscope.errors import InputError, RunError
from headscope.models import Model, load
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from tests.sampling import sampled
from tests.stops import Stop
from tests.tokenizers import TEXTS

TEXT = [TEXTS[name] for name in ("english", "german", "turkish", "emoji")] + [
    "A book.",
    "Why, he never said.",
]


@pytest.fixture(scope="module")
def model(wordpiece) -> Model:
    torch.manual_seed(0)
    config = tf.BertConfig(
        vocab_size=len(wordpiece), hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=20, max_position_embeddings=64, initializer_range=0.4,
    )  # fmt: skip
    return load(tf.BertForMaskedLM(config).eval(), wordpiece)


def run(model: Model, out: Path | None, stop: Stop | None = None, characters: int = 100) -> Result:
    """A shard is full with a hundred characters, so that there are four."""
    options = {"pieces": 20, "batch_size": 1, "plots": False, "shard_characters": characters}
    return survey(model, TEXT, out=out, progress=stop, **options)


def contents(dataset: xr.Dataset) -> dict[str, bytes]:
    return {str(name): np.ascontiguousarray(dataset[name].values).tobytes() for name in dataset.data_vars
            if dataset[name].dtype != object}  # fmt: skip


@pytest.fixture(scope="module")
def whole(model: Model) -> Result:
    return run(model, None)


@pytest.fixture(scope="module")
def batches(model: Model) -> int:
    counting = Stop()
    run(model, None, counting)
    return counting.calls


def test_there_is_something_to_stop(batches: int) -> None:
    assert batches >= 8


@pytest.mark.parametrize("stops", sampled([[1], [7], [2, 4, 6]], [[2, 4, 6]]))
def test_the_same_bits(model: Model, whole: Result, tmp_path: Path, stops: list[int]) -> None:
    for after in stops:
        with pytest.raises(KeyboardInterrupt):
            run(model, tmp_path / "run", Stop(after))
    result = run(model, tmp_path / "run")
    expected = contents(whole.arrays["heads"])
    found = contents(result.arrays["heads"])
    assert found.keys() == expected.keys() and len(found) > 15
    assert [name for name in found if found[name] != expected[name]] == []
    assert result.arrays["heads"].attrs["segments"] == whole.arrays["heads"].attrs["segments"]
    again = RunFolder(tmp_path / "run").read_result("survey")
    assert contents(again.arrays["heads"]) == expected


def test_finished_shards_are_not_run_again(model: Model, tmp_path: Path, batches: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(model, tmp_path / "run", Stop(5))
    kept = RunFolder(tmp_path / "run").part("survey").numbers()
    assert kept and kept == list(range(len(kept)))
    counting = Stop()
    seen: list[object] = []
    handle = model.module.register_forward_hook(lambda *_: seen.append(None))
    result = run(model, tmp_path / "run", counting)
    handle.remove()
    assert counting.calls < batches, "a finished shard is told as one"
    assert counting.segments == result.arrays["heads"].attrs["segments"]
    assert RunFolder(tmp_path / "run").part("survey").numbers() == [], "shards go when the run is done"


def test_another_cut_gives_the_same_numbers(model: Model, whole: Result) -> None:
    other = run(model, None, characters=10_000).arrays["heads"]
    expected = whole.arrays["heads"]
    assert np.array_equal(other["block_count"], expected["block_count"])
    for name in ("entropy", "share", "divergence", "gradient"):
        assert np.allclose(other[name], expected[name], rtol=1e-5, atol=1e-7, equal_nan=True)


def test_a_stopped_run_of_other_shards_is_refused(model: Model, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(model, tmp_path / "run", Stop(5))
    with pytest.raises(RunError, match=r"options\.shard_characters was 100, now 101"):
        run(model, tmp_path / "run", characters=101)


def test_text_without_pieces_is_refused(model: Model) -> None:
    with pytest.raises(InputError, match=r"the text gives no segment"):
        survey(model, ["\u0301"])  # an accent without its letter


def test_an_interruption_leaves_the_model_as_it_was(model: Model, tmp_path: Path) -> None:
    ids = {"input_ids": torch.arange(5, 15)[None]}
    call: Callable[[], torch.Tensor] = lambda: model.module(**ids).logits  # noqa: E731
    with torch.no_grad():
        before = call()
        with pytest.raises(KeyboardInterrupt):
            run(model, tmp_path / "run", Stop(2))
        assert torch.equal(call(), before)
