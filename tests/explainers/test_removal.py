"""Sets of pieces taken away: the same as texts that are changed by hand and run one by one."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
import torch

from headscope.errors import OptionError
from headscope.explainers import Asked, ask, removal
from headscope.explainers.blank import blank_of
from headscope.explainers.embedding import tables_of
from headscope.explainers.removal import REMOVALS, changed_texts, judged_without, why_not, without_sets
from headscope.explainers.words import words_of
from tests.explainers.models import ALL, SOME, TEXTS, answers, asked_of, made, sides_for
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

ALWAYS = ("bert", "llama", "bart", "pooled")
NO_MEAN = ("gpt2", "opt", "bart", "t5", "bart-classifier", "roberta-tagger")
"""Models that write with the table that they read with, or count places by ids: more would change."""


def drawn(asked: Asked, sets: int, seed: int = 0) -> torch.Tensor:
    """Random sets of words as pieces, (answer, set, piece), of a text the same in every batch."""
    words = words_of(asked)
    chosen = torch.zeros(len(words.counts), sets, words.most, dtype=torch.bool)
    for row, count in enumerate(words.counts.tolist()):
        random = np.random.default_rng([seed, count])
        chosen[row, :, :count] = torch.from_numpy(random.random((sets, count)) < 0.5)
    return words.pieces(chosen)


def by_hand(asked: Asked, row: int, gone: torch.Tensor, how: str) -> torch.Tensor:
    """Log probabilities (entry,) of one text by itself, without padding."""
    model, sizes = asked.model, [int(side.lengths[row]) for side in asked.by_sides]
    module = deepcopy(model.module).eval()
    blank = blank_of(model)
    assert blank is not None
    sides = [part[:size] for part, size in zip(gone.split(asked.sizes), sizes, strict=True)]
    if how == "mean":
        (table,) = {*tables_of(model)}
        kept = dict(model.module.named_modules())
        own = next(module.get_submodule(name) for name, each in kept.items() if each is table)
        with torch.no_grad():
            mean = own(torch.arange(own.num_embeddings)).mean(0)
        own.register_forward_hook(lambda _, ids, made: torch.where((ids[0] == blank)[..., None], mean, made))
    inputs = {}
    for name, tensor in asked.inputs.items():
        lost = sides[name.startswith("decoder_")]
        values = tensor[asked.texts[row], : len(lost)]
        if how == "deletion":
            values = values[~lost]
        elif name.endswith("input_ids"):
            values = values.masked_fill(lost, blank)
        inputs[name] = values[None]
    with torch.no_grad():
        logits = module(**inputs).logits[0]
    if logits.ndim > 1:
        place = int(asked.places[row])
        if how == "deletion":
            place -= int(sides[-1][: place + (model.shape != "encoder")].sum())
        logits = logits[place]
    return logits.double().log_softmax(-1)


@pytest.mark.parametrize("how", REMOVALS)
@pytest.mark.parametrize("name", sampled(ALL, ALWAYS))
def test_the_same_as_texts_changed_by_hand(name: str, how: str) -> None:
    if (how == "mean" and name in NO_MEAN) or (how == "deletion" and name == "bart-classifier"):
        return  # that classifier reads the place of an end that has moved
    asked = asked_of(name, dtype=torch.float64)
    gone = drawn(asked, 4)
    found = without_sets(asked, gone, how)
    for row in range(len(asked.texts)):
        for number in range(gone.shape[1]):
            expected = by_hand(asked, row, gone[row, number], how)
            assert torch.allclose(found[row, number], expected, atol=1e-7), (row, number)


@pytest.mark.parametrize("how", REMOVALS)
@pytest.mark.parametrize("name", sampled(SOME, ("albert", "llama", "bart", "disan")))
def test_neither_padding_nor_batch_nor_portions_matter(
    name: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_of(name)
    together = without_sets(asked, drawn(asked, 5), how)
    monkeypatch.setattr(removal, "PIECES", 3 * sum(asked.sizes))
    assert torch.allclose(without_sets(asked, drawn(asked, 5), how), together, atol=2e-4)
    for row, text in enumerate(TEXTS):
        alone = answers(asked.model, sides_for(asked.model, [text]))
        expected = without_sets(alone, drawn(alone, 5), how)[0]
        assert torch.allclose(together[row], expected, atol=2e-4)


def test_answers_are_judged_as_they_are_given() -> None:
    asked = asked_of("pooled")
    gone = drawn(asked, 6)
    whole = without_sets(asked, gone, "mask")
    wanted = torch.arange(6) % 2 == 0
    judged = judged_without(asked, gone, "mask", wanted.expand(len(gone), -1))
    own = whole.gather(2, asked.entries[:, None, None].expand(-1, 6, 1))[..., 0]
    assert torch.allclose(judged.likelihood[:, wanted], own[:, wanted])
    assert torch.equal(judged.decision[:, wanted], whole.argmax(-1)[:, wanted])
    assert bool(judged.likelihood[:, ~wanted].isnan().all()) and bool(
        (judged.decision[:, ~wanted] == -1).all()
    )


@pytest.mark.parametrize("name", ["llama", "pooled"])
def test_of_a_text_without_a_word_a_blank_is_left(name: str) -> None:
    """Also where the model adds no piece of its own to a text."""
    model = made(name)
    asked = answers(model, sides_for(model, ["w3 w4 w5"]))
    every = asked.seen.clone()
    found = without_sets(asked, every[:, None], "deletion")[0, 0]
    blank = blank_of(model)
    with torch.no_grad():
        logits = model.module(
            input_ids=torch.tensor([[blank]]), attention_mask=torch.ones(1, 1, dtype=torch.long)
        ).logits
    assert torch.allclose(found, logits.reshape(-1).double().log_softmax(-1), atol=1e-5)


def test_the_place_of_a_tag_is_never_taken_away() -> None:
    asked = asked_of("roberta-tagger")
    own = torch.arange(asked.ids.shape[1]) == asked.own[:, None]
    for how in REMOVALS:
        kept = without_sets(asked, own[:, None], how)[:, 0]
        assert torch.allclose(kept, asked.answers(asked.hearing.logits).double().log_softmax(-1), atol=1e-5)


def test_a_model_that_sees_padding_is_given_texts_of_one_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where words of a text are deleted; so much of each text is run at once as there is room for."""
    asked = asked_of("bert", TEXTS[:1])
    gone, run, shapes = drawn(asked, 8), Asked.run, []

    def noted(self: Asked, module: object, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        shapes.append(tuple(inputs["input_ids"].shape))
        assert bool(inputs["attention_mask"].all()) or not asked.model.sees_padding
        return run(self, module, inputs)

    monkeypatch.setattr(Asked, "run", noted)
    together = without_sets(asked, gone, "deletion")
    assert len(shapes) == 1
    asked.model.sees_padding = True
    assert torch.allclose(without_sets(asked, gone, "deletion"), together, atol=1e-5)
    assert len(shapes) == 1 + len({int(row.sum()) for row in gone[0]})


def test_answers_to_one_text_share_what_is_run() -> None:
    model = made("llama")
    asked = ask(model, sides_for(model, TEXTS[:1]), np.zeros(3, int), np.array([3, 4, 5]))
    gone = torch.zeros(3, 2, asked.ids.shape[1], dtype=torch.bool)
    gone[:, 0, 1] = True
    gone[:, 1, 2] = True
    changed = changed_texts(asked, gone, "mask")
    assert len(changed.texts) == 2 and changed.rows[0].tolist() == changed.rows[2].tolist()


def test_ways_that_do_not_exist_are_refused() -> None:
    model = made("bert")
    assert [why_not(model, how) for how in REMOVALS] == [None] * 3
    with pytest.raises(OptionError, match="mask"):
        why_not(model, "magic")
