"""Models whose outputs depend on padding are found out, and run without it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import headscope
from headscope.models import Model, load
from headscope.models.padding import NOTE
from headscope.text import Document, Spans, batches
from tests.families import build, small_tokenizer

SEEING = {"convbert", "mobilebert", "big_bird"}


@pytest.fixture(scope="module", params=["convbert", "mobilebert", "bert", "gpt2", "t5", "longt5", "big_bird"])
def model(request: pytest.FixtureRequest) -> Model:
    model = load(build(request.param), small_tokenizer())
    model.name = request.param
    return model


def written(texts: int = 12) -> list[str]:
    """Texts of 2 to 24 words."""
    draw = np.random.default_rng(0)
    return [" ".join(f"w{draw.integers(3, 50)}" for _ in range(2 * text + 2)) for text in range(texts)]


def test_it_is_found_out_by_trying(model: Model) -> None:
    assert model.sees_padding == (model.name in SEEING)
    assert (NOTE in model.notes) == (model.name in SEEING)


def test_a_survey_does_not_depend_on_the_batches(model: Model) -> None:
    options = {"pieces": 32, "distances": False, "gradients": False}
    alone, together = (
        headscope.survey(model, written(), batch_size=size, **options).arrays["heads"] for size in (1, 8)
    )
    for measure in ("share", "offset", "entropy", "strongest"):
        np.testing.assert_allclose(alone[measure].values, together[measure].values, atol=1e-5)


def test_equal_lengths_are_batched_together_and_nothing_is_lost() -> None:
    tokenizer = small_tokenizer()
    texts = ["w5 w6", "w7", "w8 w9", "w10", "w11 w12", "w13"]
    segments = [
        segment
        for number, text in enumerate(texts)
        for segment in Spans(pair=False)(Document.from_text(str(number), text), tokenizer, 10)
    ]
    made = list(batches(segments, tokenizer, 2, equal=True))
    # Three texts of 3 pieces and three of 4, special ones included, two at a time.
    assert [[segment.document for segment in batch.segments] for batch in made] == [
        ["1", "3"], ["5"], ["0", "2"], ["4"],
    ]  # fmt: skip
    assert all(bool((batch.inputs["attention_mask"] == 1).all()) for batch in made)


@pytest.mark.parametrize(("family", "passes"), [("bert", 3), ("mpnet", 4)])
def test_loading_runs_a_model_a_few_times_on_a_few_pieces(family: str, passes: int) -> None:
    module = build(family)
    lengths = []

    def note(_: torch.nn.Module, given: tuple, options: dict) -> None:
        lengths.append(options["input_ids"].shape)

    handle = module.register_forward_pre_hook(note, with_kwargs=True)
    load(module, small_tokenizer())
    handle.remove()
    assert len(lengths) == passes and max(lengths) <= (1, 12)
