"""Random twins: embeddings kept, all else drawn anew, the model itself untouched."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers as tf
from torch import nn

from headscope.attention import Recorder, find_sites
from headscope.errors import ModelError
from headscope.models import Model, load
from headscope.models.fingerprint import fingerprint
from headscope.models.load import counting_inputs
from headscope.models.twin import random_twin
from tests.families import FAMILIES, build, inputs_for
from tests.models.conftest import tiny_bert

_BERT = {"embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"}
_TWO_STACKS = {
    "model.shared.weight",
    "model.encoder.embed_positions.weight",
    "model.decoder.embed_positions.weight",
}
# Read off the modelling files: word embeddings and tables of absolute positions.
KEPT = {
    "bert": _BERT,
    "roberta": _BERT,
    "distilbert": _BERT,
    "albert": _BERT,
    "electra": _BERT,
    "modernbert": {"embeddings.tok_embeddings.weight"},
    "gpt2": {"transformer.wte.weight", "transformer.wpe.weight"},
    "llama": {"model.embed_tokens.weight"},
    "qwen3": {"model.embed_tokens.weight"},
    "gemma2": {"model.embed_tokens.weight"},
    "gpt_neox": {"gpt_neox.embed_in.weight"},
    "opt": {"model.decoder.embed_tokens.weight", "model.decoder.embed_positions.weight"},
    "t5": {"shared.weight"},
    "bart": _TWO_STACKS,
    "marian": _TWO_STACKS,
    "deberta_v2": _BERT,
    "mpnet": _BERT,
}


def model_of(module: nn.Module, name: str = "tiny") -> Model:
    base = getattr(module, "base_model", module)
    return Model(module, None, find_sites(base, counting_inputs(base, None)), name)


@pytest.fixture(scope="module", params=list(FAMILIES))
def family(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def original(family: str) -> Model:
    return model_of(build(family))


def test_only_embeddings_are_kept(family: str, original: Model) -> None:
    before = dict(original.module.named_parameters())
    after = dict(random_twin(original, 1).module.named_parameters())
    assert before.keys() == after.keys()
    assert {name for name in before if torch.equal(before[name], after[name])} == KEPT[family]


def test_the_original_is_unchanged(original: Model) -> None:
    bits, sites = fingerprint(original.module), list(original.sites.sites)
    twin = random_twin(original, 1)
    assert fingerprint(original.module) == bits and original.sites.sites == sites
    places = {parameter.data_ptr() for parameter in original.module.parameters()}
    assert places.isdisjoint(parameter.data_ptr() for parameter in twin.module.parameters())


def test_the_seed_decides(original: Model) -> None:
    torch.manual_seed(5)
    first = fingerprint(random_twin(original, 1).module)
    torch.manual_seed(6)
    assert fingerprint(random_twin(original, 1).module) == first
    assert fingerprint(random_twin(original, 2).module) != first


def test_the_twin_can_be_heard(family: str, original: Model) -> None:
    twin, recorder = random_twin(original, 1), Recorder()
    assert twin.sites.sites == original.sites.sites
    with torch.no_grad(), twin.attached([recorder]) as module:
        module(**inputs_for(family))
    assert recorder.maps.keys() == set(original.sites.sites)
    for maps in recorder.maps.values():
        sums = maps[0].sum(-1)
        assert torch.allclose(sums, torch.ones_like(sums), atol=1e-5)


def test_the_random_state_is_left_alone() -> None:
    model = model_of(build("bert"))
    torch.manual_seed(9)
    before = torch.get_rng_state()
    random_twin(model, 1)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("family_name", ["gpt2", "bart"])
def test_tied_outputs_stay_tied(family_name: str) -> None:
    module = random_twin(model_of(build(family_name)), 1).module
    assert module.lm_head.weight is module.get_input_embeddings().weight


def test_outputs_that_are_not_tied_are_drawn_anew() -> None:
    model = model_of(build("llama"))
    assert model.module.lm_head.weight is not model.module.get_input_embeddings().weight
    twin = random_twin(model, 1)
    assert not torch.equal(twin.module.lm_head.weight, model.module.lm_head.weight)


def test_two_stacks_with_words_of_their_own_keep_both() -> None:
    config = tf.EncoderDecoderConfig.from_encoder_decoder_configs(
        build("bert").config, tf.BertConfig(**{**build("bert").config.to_dict(), "vocab_size": 30})
    )
    config.decoder_start_token_id, config.pad_token_id = 1, 0
    torch.manual_seed(0)
    model = model_of(tf.EncoderDecoderModel(config).eval())
    twin = random_twin(model, 1)
    for stack in ("encoder", "decoder"):
        tables = [getattr(one.module, stack).get_input_embeddings().weight for one in (model, twin)]
        assert torch.equal(*tables)


def test_positions_held_as_a_bare_parameter_are_kept() -> None:
    class Holding(tf.BertModel):
        def __init__(self, config: tf.BertConfig) -> None:
            super().__init__(config)
            self.position_embedding = nn.Parameter(torch.full((3, 4), 7.0))

    twin = random_twin(model_of(Holding(build("bert").config).eval()), 1)
    assert torch.equal(twin.module.position_embedding, torch.full((3, 4), 7.0))


@pytest.mark.parametrize(
    ("place", "name"),
    [("encoder.layer.1.attention", "position_embeddings"), ("", "relative_position_embeddings")],
)
def test_positions_that_are_relative_or_inside_attention_are_drawn_anew(place: str, name: str) -> None:
    model = model_of(build("bert"))
    table = nn.Embedding(5, 4)
    model.module.get_submodule(place).add_module(name, table)
    twin = random_twin(model, 1)
    drawn = getattr(twin.module.get_submodule(place), name)
    assert not torch.equal(drawn.weight, table.weight) and bool(drawn.weight.isfinite().all())


def test_the_default_model_is_as_before_training() -> None:
    """Its weights are read from a file, which marks them as not to be initialised."""
    model = load("default")
    twin = random_twin(model, 4)
    assert twin.name == f"{model.name}, random twin 4" and twin.origin == model.origin
    assert twin.notes == [
        *model.notes,
        "random twin: all weights are drawn with seed 4, but for embeddings.word_embeddings.weight, "
        "embeddings.position_embeddings.weight",
    ]
    norms = [part for part in model.module.modules() if isinstance(part, nn.LayerNorm)]
    fresh = [part for part in twin.module.modules() if isinstance(part, nn.LayerNorm)]
    assert len(norms) == len(fresh) == 13
    assert not any(bool((norm.weight == 1).all()) for norm in norms)
    assert all(bool((norm.weight == 1).all() and (norm.bias == 0).all()) for norm in fresh)
    for layer in twin.module.encoder.layer:
        spread = layer.attention.self.query.weight.std().item()
        assert spread == pytest.approx(model.module.config.initializer_range, rel=0.02)


def test_a_saved_model_in_half_precision(saved: Path) -> None:
    model = load(saved, dtype="bfloat16")
    twin = random_twin(model, 1)
    before, after = dict(model.module.named_parameters()), dict(twin.module.named_parameters())
    assert {parameter.dtype for parameter in after.values()} == {torch.bfloat16}
    name = "bert.encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(before[name], after[name])


def test_an_adapter_is_refused(wordpiece) -> None:
    peft = pytest.importorskip("peft")
    model = model_of(tiny_bert(wordpiece))
    peft.inject_adapter_in_model(peft.LoraConfig(r=2, target_modules=["query"]), model.module)
    with pytest.raises(ModelError, match=r"BertForMaskedLM has an adapter; take the random twin"):
        random_twin(model, 1)


def test_quantised_weights_are_refused() -> None:
    model = model_of(build("bert"))
    dense = model.module.encoder.layer[0].output.dense
    dense.weight = nn.Parameter(dense.weight.data.to(torch.int8), requires_grad=False)
    with pytest.raises(ModelError, match=r"BertModel is quantised; load it in float32"):
        random_twin(model, 1)


def test_weights_that_are_not_in_memory_are_refused() -> None:
    model = model_of(build("bert"))
    model.module.pooler.to("meta")
    with pytest.raises(ModelError, match=r"BertModel is on cpu, meta; put it on one device"):
        random_twin(model, 1)


def test_a_module_without_an_initialiser_is_refused() -> None:
    model = model_of(build("bert"))
    model.module = nn.Sequential(model.module)
    with pytest.raises(ModelError, match=r"Sequential has no random twin: only models of transformers"):
        random_twin(model, 1)


def test_a_module_that_cannot_be_copied_is_refused() -> None:
    model = model_of(build("bert"))
    model.module.lines = (line for line in "ab")
    with pytest.raises(ModelError, match=r"tiny cannot be copied, so it has no random twin"):
        random_twin(model, 1)


def test_a_weight_that_the_initialiser_does_not_reach_is_refused() -> None:
    model = model_of(build("bert"))
    model.module.scale = nn.Parameter(torch.ones(3))
    with pytest.raises(ModelError, match=r"BertModel does not say how scale start"):
        random_twin(model, 1)
