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


@pytest.mark.parametrize("tied", [False, True])
def test_copying_of_random_weights_is_as_far_from_0_as_turned_values_are(tokenizers, tied: bool) -> None:
    """Where embeddings are tied, single heads are far from 0 by the error over texts alone."""
    tokenizer = tokenizers["gpt2"]
    sizes = SIZES | {"vocab_size": len(tokenizer), "max_position_embeddings": 64}
    scores = []
    for seed in range(5):
        config = tf.LlamaConfig(**sizes, tie_word_embeddings=tied)
        model = load(widened(tf.LlamaForCausalLM(config), seed), tokenizer)
        _, copying = plan_of(model, 33).arrays(run(plan_of(model, 33), made_documents(8), "made"))
        scores.append(copying[["copying", "copying_se", "copying_chance"]].to_array().values)
    score, error, chance = np.concatenate(scores, 1)
    assert np.mean(np.abs(score) > 2 * chance) <= 0.1, "a Student's t of 16 degrees: 6 %"
    assert 0.5 < np.mean((score / chance) ** 2) < 2
    if tied:
        assert np.mean(np.abs(score) > 2 * error) > 0.25


def test_a_head_of_one_dimension_copies_as_much_by_chance(tokenizers) -> None:
    """Its values can only be turned into their opposite, so that nothing is told of it."""
    tokenizer = tokenizers["gpt2"]
    config = tf.GPT2Config(
        n_embd=4, n_layer=1, n_head=4, vocab_size=len(tokenizer), n_positions=64, bos_token_id=None,
        eos_token_id=None,
    )  # fmt: skip
    plan = plan_of(load(widened(tf.GPT2LMHeadModel(config)), tokenizer), 33)
    _, copying = plan.arrays(run(plan, made_documents(3), "made"))
    assert copying["copying_chance"].values == pytest.approx(np.abs(copying["copying"].values))


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
    assert heads["copying_chance"].item() < 0.35, "what is planted is no chance"


def test_what_is_taken_from_the_first_token_is_at_chance_in_random_weights(tokenizers) -> None:
    """Beside even attention by the same lengths, over heads."""
    tokenizer, gaps = tokenizers["gpt2"], []
    config = tf.LlamaConfig(**SIZES, vocab_size=len(tokenizer), max_position_embeddings=64)
    texts = ["The old keeper wrote its name in a small book.", "A ship passed by at night."]
    for seed in range(6):
        model = load(widened(tf.LlamaForCausalLM(config), seed), tokenizer)
        result = headscope.survey(model, texts, made=0, distances=False, gradients=False)
        heads = result.arrays["heads"]
        gaps.append((heads["first_taken"] - heads["first_taken_uniform"]).values)
    gap = np.concatenate(gaps)
    assert abs(gap.mean()) < 3 * gap.std(ddof=1) / np.sqrt(len(gap))


def test_what_even_attention_takes_from_the_first_token_by_hand(tokenizers) -> None:
    """A piece sees itself and those before it: the first one's length over the sum of theirs."""
    tokenizer = tokenizers["gpt2"]
    config = tf.LlamaConfig(**SIZES | {"num_hidden_layers": 1}, vocab_size=len(tokenizer))
    module = widened(tf.LlamaForCausalLM(config))
    texts = ["The old keeper wrote its name in a small book.", "A ship passed by at night."]
    found = headscope.survey(load(module, tokenizer), texts, made=0, distances=False, gradients=False)
    layer, shares = module.model.layers[0], []
    for text in texts:
        states = layer.input_layernorm(module.model.embed_tokens(torch.tensor(tokenizer(text)["input_ids"])))
        values = layer.self_attn.v_proj(states).unflatten(-1, (4, 4))  # (piece, head, 4)
        out = layer.self_attn.o_proj.weight.unflatten(-1, (4, 4))  # (hidden, head, 4)
        lengths = torch.einsum("phd,ohd->pho", values, out).norm(dim=-1)
        shares.append((lengths[0] / lengths.cumsum(0)).mean(0))
        assert lengths.std(0).min() > 0.1 * lengths.mean(), "of unequal lengths"
    by_hand = torch.stack(shares).mean(0).detach().numpy()
    np.testing.assert_allclose(found.arrays["heads"]["first_taken_uniform"], by_hand, rtol=1e-4)


def test_what_is_behind_the_first_token_does_not_depend_on_batch_and_padding(
    llama: Model, texts: list[str]
) -> None:
    quick = {"pieces": 24, "made": 0, "distances": False, "gradients": False}
    alone, together = (
        headscope.survey(llama, texts, batch_size=size, **quick).arrays["heads"] for size in (1, 8)
    )
    for name in ("running", "running_behind", "running_uniform", "first_taken", "first_taken_uniform"):
        assert together[name].values == pytest.approx(alone[name].values, abs=1e-6, nan_ok=True), name


def test_sinks_and_streaming_of_random_weights_are_at_chance(tokenizers) -> None:
    tokenizer, gaps = tokenizers["gpt2"], []
    config = tf.LlamaConfig(**SIZES, vocab_size=len(tokenizer), max_position_embeddings=128)
    text = ["The old keeper wrote the name of every ship into a small book, and slept. " * 4] * 2
    for seed in range(6):
        model = load(widened(tf.LlamaForCausalLM(config), seed), tokenizer)
        quick = {"pieces": 100, "made": 0, "distances": False, "gradients": False}
        heads = (
            headscope.survey(model, text, **quick).arrays["heads"].sel(running_pattern=["sink", "outside"])
        )
        gaps.append((heads["running"] - heads["running_uniform"]).values)
    gap = np.concatenate(gaps)  # (head, pattern)
    assert (np.abs(gap.mean(0)) < 3 * gap.std(0, ddof=1) / np.sqrt(len(gap))).all()


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
