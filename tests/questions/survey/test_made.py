"""Made text in surveys of causal models: planted heads, chance, batches, and what other models lack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers as tf

import headscope
from headscope.attention import Heard, Replace
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.models import Model, load
from headscope.questions.survey.answer import make_plan
from headscope.questions.survey.causal import made_plan
from headscope.questions.survey.options import Options
from headscope.text.repeats import made_documents
from tests.shapes import widened

SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}


def plan_of(model: Model, pieces: int, batch_size: int = 4) -> Plan:
    options = Options(model=model, text=["no"], pieces=pieces, batch_size=batch_size, gradients=False)
    plan = made_plan(make_plan(model, options)[0], options, [])
    assert plan is not None
    return plan


def looking_back(offset: int):
    """Weights of heads that look so many tokens back, or at the first one where there are not so many."""

    def function(weights: torch.Tensor, heard: Heard) -> torch.Tensor:
        planted = torch.zeros_like(weights)
        places = (heard.rows - offset).clamp_min(0)
        planted[:, :, torch.arange(len(heard.rows)), places] = 1
        return planted

    return function


@pytest.mark.parametrize("pieces", [13, 24, 61])
def test_planted_heads_score_one_in_text_of_any_length(llama: Model, pieces: int) -> None:
    plan = plan_of(llama, pieces)
    size = plan.cutter.size
    offsets = {"L0H0": size - 1, "L0H1": size, "L1H2": 1}
    planted = [Replace([head], looking_back(offset)) for head, offset in offsets.items()]
    (made, _) = plan.arrays(run(replace(plan, edits=planted), made_documents(3), "made"))
    for head, pattern in zip(offsets, ("induction", "duplicate", "previous"), strict=True):
        at = {
            "head": list(made["head"].values).index(head),
            "made_pattern": list(made.made_pattern.values).index(pattern),
        }
        assert made["made"].isel(at).item() == 1.0
        assert made["made_behind"].isel(at).item() == 1.0
    first = list(made["head"].values).index("L0H0")
    assert made["made"][first].values[1] == 0.0, "an induction head looks at no duplicate"


def test_scores_do_not_depend_on_the_batch(llama: Model) -> None:
    alone, together = (
        plan.arrays(run(plan, made_documents(5), "made"))
        for plan in (plan_of(llama, 24, batch_size=1), plan_of(llama, 24, batch_size=5))
    )
    for one, other in zip(alone, together, strict=True):
        for name in one:
            assert other[name].values == pytest.approx(one[name].values, abs=1e-6, nan_ok=True)


def test_even_attention_by_hand(llama: Model) -> None:
    plan = plan_of(llama, 13)  # an opening token and twice 6
    (made, _) = plan.arrays(run(plan, made_documents(3), "made"))
    even = np.mean([1 / (query + 1) for query in range(7, 13)])
    assert made["made_uniform"].sel(made_pattern="induction").values == pytest.approx(even)
    assert made["made_uniform"].sel(made_pattern="duplicate").values == pytest.approx(even)


def test_heads_of_random_weights_are_at_chance(tokenizers) -> None:
    tokenizer = tokenizers["gpt2"]
    config = tf.LlamaConfig(**SIZES, vocab_size=len(tokenizer), max_position_embeddings=64)
    gaps = []
    for seed in range(6):
        model = load(widened(tf.LlamaForCausalLM(config), seed), tokenizer)
        made, copying = plan_of(model, 33).arrays(run(plan_of(model, 33), made_documents(6), "made"))
        chance = made["made"].values - made["made_uniform"].values
        gaps.append(np.concatenate([chance, copying["copying"].values[:, None]], 1))
    heads = np.concatenate(gaps)  # (head, score)
    error = heads.std(0, ddof=1) / np.sqrt(len(heads))
    assert (np.abs(heads.mean(0)) < 3 * error).all()
    assert heads[:, :2].max() < 0.25, "none is even partly an induction or duplicate head"


@pytest.mark.parametrize("sign", [1, -1])
def test_a_head_that_hands_on_what_it_reads_copies_and_its_opposite_suppresses(tokenizers, sign: int) -> None:
    tokenizer = tokenizers["gpt2"]
    config = tf.LlamaConfig(
        hidden_size=64, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8,
        vocab_size=len(tokenizer), max_position_embeddings=64, tie_word_embeddings=True,
    )  # fmt: skip
    module = widened(tf.LlamaForCausalLM(config))
    attention = module.model.layers[0].self_attn
    with torch.no_grad():
        attention.v_proj.weight.copy_(torch.eye(64))
        attention.o_proj.weight.copy_(sign * torch.eye(64))
    result = headscope.survey(
        load(module, tokenizer), ["A ship.", "A book."], pieces=24, distances=False, gradients=False
    )
    heads = result.table("heads")
    assert heads["copying"].tolist() == [pytest.approx(sign)]


def test_made_text_can_be_left_out_and_encoders_have_none(
    llama: Model, bert: Model, texts: list[str]
) -> None:
    quick = {"pieces": 24, "distances": False, "gradients": False}
    without = headscope.survey(llama, texts, made=0, **quick).table("heads")
    assert "induction" not in without and "otherwise" in without
    of_encoder = headscope.survey(bert, texts, **quick)
    assert not {"induction", "otherwise", "copying", "sink"} & {*of_encoder.table("heads")}
    assert not {"patterns", "behind", "sinks"} & {*of_encoder.tables}


def test_segments_too_short_to_repeat_anything_are_told(llama: Model, texts: list[str]) -> None:
    result = headscope.survey(llama, texts, pieces=8, distances=False, gradients=False)
    assert any("too short to repeat" in note for note in result.notes)


def test_a_run_that_is_kept_has_the_same_numbers(llama: Model, texts: list[str], tmp_path) -> None:
    quick = {"pieces": 24, "made": 4, "distances": False, "gradients": False}
    kept = headscope.survey(llama, texts, out=tmp_path / "run", plots=False, **quick)
    alone = headscope.survey(llama, texts, **quick)
    for name in ("patterns", "heads"):
        assert kept.table(name).equals(alone.table(name))
