"""Parts of a logit: they add up, each is what its module adds, and removal is removal."""

from __future__ import annotations

import pytest
import torch
import transformers as tf

from headscope.attention import Ablate
from headscope.explainers.attribution import Attribution, attribute, why_no_attribution
from headscope.models import Model, load
from headscope.models.unembedding import Unembedding
from tests.families import FAMILIES, small_tokenizer
from tests.shapes import widened

SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 20}
IDS = torch.tensor([[7, 11, 3, 24, 9, 11]])
PLACES, ENTRIES = torch.tensor([2, 4, 5]), torch.tensor([24, 11, 30])


def made(name: str) -> Model:
    """A causal model with weights, gains and biases far from where they start."""
    torch.manual_seed(3)
    module = widened(FAMILIES[name]() if name != "qwen2" else tf.Qwen2ForCausalLM(
        tf.Qwen2Config(**SIZES, num_key_value_heads=2, vocab_size=50)
    ))  # fmt: skip
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim == 1:
                parameter.add_(torch.randn_like(parameter) * 0.3)
    return load(module, small_tokenizer())


@pytest.fixture(scope="module", params=["gpt2", "llama", "qwen2", "qwen3", "gpt_neox"])
def attributed(request: pytest.FixtureRequest) -> tuple[Model, Attribution]:
    model = made(request.param)
    return model, attribute(model, {"input_ids": IDS}, PLACES, ENTRIES)


def test_all_parts_add_up_to_the_logit_of_the_model(attributed: tuple[Model, Attribution]) -> None:
    model, parts = attributed
    with torch.no_grad():
        logits = model.module(input_ids=IDS).logits[0, PLACES].gather(1, ENTRIES[:, None])[:, 0]
    assert parts.sum.numpy() == pytest.approx(logits.numpy(), abs=1e-4)
    assert parts.logit.numpy() == pytest.approx(logits.numpy(), abs=1e-4)
    assert parts.heads.abs().max() > 1e-2, "heads have a part in it"


def test_what_is_left_of_a_layer_is_its_perceptron(attributed: tuple[Model, Attribution]) -> None:
    model, parts = attributed
    found = Unembedding.of(model)
    seen: list[torch.Tensor] = []
    hooks = [
        module.register_forward_hook(lambda module, given, out: seen.append(out[0, PLACES].double()))
        for name, module in model.module.named_modules()
        if name.endswith(".mlp")
    ]
    read: list[torch.Tensor] = []
    hooks.append(found.norm.register_forward_pre_hook(lambda module, given: read.append(given[0][0, PLACES])))
    with torch.no_grad():
        model.module(input_ids=IDS)
    for hook in hooks:
        hook.remove()
    towards = found.rows(ENTRIES).double() / found.spread(read[0].double())
    for layer, out in enumerate(seen):
        expected = (found.scaled(out) * towards).sum(-1)
        assert parts.rest[:, layer].numpy() == pytest.approx(expected.detach().numpy(), abs=1e-4)


def test_removal_is_what_a_pass_without_the_head_gives(attributed: tuple[Model, Attribution]) -> None:
    model, parts = attributed
    for number, head in list(enumerate(model.heads()))[::3]:
        with torch.no_grad(), model.attached(edits=[Ablate([head])], whole=True) as module:
            logits = module(input_ids=IDS).logits[0, PLACES]
        loss = torch.nn.functional.cross_entropy(logits, ENTRIES, reduction="none")
        assert (parts.loss + parts.removed[:, number]).numpy() == pytest.approx(loss.numpy(), abs=1e-5)


def test_where_parts_cannot_be_told_the_reason_is() -> None:
    assert why_no_attribution(made("llama")) is None
    assert "before that is added" in str(why_no_attribution(made("gemma2")))
    assert "next piece" in str(why_no_attribution(made("bert")))
