"""Taking heads out: the pruned model is the masked one, only smaller, or it is refused."""

from __future__ import annotations

import random
from copy import deepcopy
from functools import wraps
from typing import Any

import pytest
import torch
import transformers as tf
from torch import nn
from transformers.models.bert.modeling_bert import BertSelfAttention

import headscope
from headscope.attention import Ablate, Recorder
from headscope.errors import ModelError, OptionError
from headscope.heads import Head
from headscope.models import Model, load
from headscope.models.fingerprint import fingerprint
from headscope.models.pruning.removal import head_groups, remove_heads
from headscope.models.twin import random_twin
from tests.families import BYPASSING, FAMILIES, TYPICAL, build, inputs_for
from tests.models.conftest import tiny_bert
from tests.models.test_twin import model_of
from tests.sampling import sampled

PRUNABLE = [family for family in FAMILIES if family not in BYPASSING]


def some_heads(model: Model, seed: int) -> list[Head]:
    """Random groups of heads, at most all but one of each layer."""
    chosen: list[Head] = []
    groups, generator = head_groups(model), random.Random(seed)
    for group in generator.sample(groups, len(groups)):
        after = {*chosen, *group}
        if generator.random() < 0.6 and all(set(site) - after for site in model.sites.sites):
            chosen += group
    return chosen or list(groups[0])


def outputs(model: Model, family: str, *edits: Ablate) -> torch.Tensor:
    with torch.no_grad(), model.attached(edits=edits, whole=True) as module:
        return module(**inputs_for(family))[0]


@pytest.fixture(scope="module", params=sampled(PRUNABLE, TYPICAL))
def family(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def original(family: str) -> Model:
    return model_of(build(family))


@pytest.mark.parametrize("seed", range(3))
def test_pruned_is_masked(family: str, original: Model, seed: int) -> None:
    heads = some_heads(original, seed)
    masked, pruned = outputs(original, family, Ablate(heads)), remove_heads(original, heads)
    scale = max(1.0, float(masked.abs().max()))
    assert float((outputs(pruned, family) - masked).abs().max()) <= 1e-5 * scale
    with torch.no_grad():
        fast = pruned.module(**inputs_for(family))[0]
    assert float((fast - masked).abs().max()) <= 1e-5 * scale
    assert float((outputs(original, family) - masked).abs().max()) > 1e-3 * scale


def test_what_differs_is_rounding(family: str) -> None:
    """In float64 next to nothing is left of the difference, so there is nothing else in it."""
    model = model_of(build(family).double())
    heads = some_heads(model, 1)
    masked, pruned = outputs(model, family, Ablate(heads)), remove_heads(model, heads)
    assert pruned.module.dtype == torch.float64
    assert float((outputs(pruned, family) - masked).abs().max()) < 1e-12


def test_the_heads_that_are_left_look_where_they_did(family: str, original: Model) -> None:
    heads = some_heads(original, 1)
    pruned, before, after = remove_heads(original, heads), Recorder(), Recorder()
    with torch.no_grad():
        for model, recorder, edits in ((original, before, [Ablate(heads)]), (pruned, after, [])):
            with model.attached([recorder], edits) as module:
                module(**inputs_for(family))
    for site, maps in after.maps.items():
        left = [head.index for head in before_site(original, site) if head not in heads]
        assert site.heads == len(left)
        assert torch.allclose(maps[0], before.maps[before_site(original, site)][0][:, left], atol=1e-5)


def before_site(model: Model, site: Any) -> Any:
    return next(one for one in model.sites.sites if (one.stack, one.layer) == (site.stack, site.layer))


def test_listening_to_a_pruned_model_changes_no_bit(family: str, original: Model) -> None:
    pruned = remove_heads(original, some_heads(original, 2))
    heard = outputs(pruned, family)
    pruned.module.set_attn_implementation("eager")
    with torch.no_grad():
        assert torch.equal(pruned.module(**inputs_for(family))[0], heard)


def test_the_original_is_unchanged(family: str, original: Model) -> None:
    bits, sites = fingerprint(original.module), [site.heads for site in original.sites.sites]
    remove_heads(original, some_heads(original, 0))
    assert fingerprint(original.module) == bits
    assert [site.heads for site in original.sites.sites] == sites
    assert all(type(part).__name__.find("Pruned") < 0 for part in original.module.modules())


def test_pruning_in_two_steps(family: str, original: Model) -> None:
    """The second time, heads are counted among those that are left."""
    heads = some_heads(original, 3)
    group = next(group for group in head_groups(original) if group[0] in heads)
    at_once = remove_heads(original, heads)
    first = remove_heads(original, group)
    rest = [
        Head(head.stack, head.layer, head.index - sum(gone < head for gone in group if same(gone, head)))
        for head in heads
        if head not in group
    ]
    twice = remove_heads(first, rest)
    assert fingerprint(twice.module) == fingerprint(at_once.module)
    assert twice.notes == at_once.notes
    assert torch.equal(outputs(twice, family), outputs(at_once, family))


def same(one: Head, other: Head) -> bool:
    return (one.stack, one.layer) == (other.stack, other.layer)


def test_gradients_flow_and_a_copy_is_the_same(family: str, original: Model) -> None:
    pruned = remove_heads(original, some_heads(original, 1))
    copy = deepcopy(pruned.module)
    with torch.no_grad():
        assert torch.equal(copy(**inputs_for(family))[0], pruned.module(**inputs_for(family))[0])
    copy(**inputs_for(family))[0].square().sum().backward()
    shrunk = [
        weight
        for name, weight in copy.named_parameters()
        if weight.shape != original.module.get_parameter(name).shape
    ]
    assert len(shrunk) >= 2
    assert all(
        bool(weight.grad.ne(0).any()) for weight in shrunk if weight.ndim == 2 and 0 not in weight.shape
    )


def test_parameters_of_a_head() -> None:
    """Width 16, heads of 4: 3 x (4 x 16 weights + 4 biases) before, 16 x 4 weights behind, each head."""
    model = model_of(build("bert"))
    pruned = remove_heads(model, [Head("encoder", 0, 1), Head("encoder", 1, 0), Head("encoder", 1, 2)])
    before, after = (sum(p.numel() for p in one.module.parameters()) for one in (model, pruned))
    assert before - after == 3 * (3 * (4 * 16 + 4) + 16 * 4)
    assert [site.heads for site in pruned.sites.sites] == [3, 2]
    first, old = (one.module.encoder.layer[0].attention for one in (pruned, model))
    left = [0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15]
    assert torch.equal(first.self.value.weight, old.self.value.weight[left])
    assert torch.equal(first.self.value.bias, old.self.value.bias[left])
    assert torch.equal(first.output.dense.weight, old.output.dense.weight[:, left])
    assert torch.equal(first.output.dense.bias, old.output.dense.bias)
    assert (first.self.num_attention_heads, first.self.all_head_size) == (3, 12)
    assert pruned.notes == ["pruned: 3 of 8 heads are removed: L0H1, L1H0, L1H2"]
    assert pruned.name == "tiny, pruned"


def test_fused_matrices_lose_the_right_rows() -> None:
    """GPT-2 joins queries, keys and values of all heads; GPT-NeoX those of each head."""
    gpt2 = model_of(build("gpt2"))
    pruned = remove_heads(gpt2, [Head("decoder", 0, 0), Head("decoder", 0, 1), Head("decoder", 0, 2)])
    left = [12, 13, 14, 15, 28, 29, 30, 31, 44, 45, 46, 47]
    assert torch.equal(
        pruned.module.transformer.h[0].attn.c_attn.weight,
        gpt2.module.transformer.h[0].attn.c_attn.weight[:, left],
    )
    neox = model_of(build("gpt_neox"))
    pruned = remove_heads(neox, [Head("decoder", 0, 0), Head("decoder", 0, 1), Head("decoder", 0, 2)])
    assert torch.equal(
        pruned.module.gpt_neox.layers[0].attention.query_key_value.weight,
        neox.module.gpt_neox.layers[0].attention.query_key_value.weight[36:],
    )


def test_t5_keeps_the_bias_columns_that_a_layer_still_reads() -> None:
    model = model_of(build("t5"))
    encoder = [Head("encoder", 0, 0), Head("encoder", 1, 0), Head("encoder", 1, 3)]
    pruned = remove_heads(model, [*encoder, Head("decoder", 0, 2), Head("decoder", 1, 2)])
    for stack, left in (("encoder", [1, 2, 3]), ("decoder", [0, 1, 3])):
        before, after = (getattr(one.module, stack).block[0].layer[0] for one in (model, pruned))
        table = before.SelfAttention.relative_attention_bias.weight[:, left]
        assert torch.equal(after.SelfAttention.relative_attention_bias.weight, table)
    kinds = [type(module).__name__ for module in pruned.sites.modules()]
    assert sorted(kinds) == ["PrunedT5Attention"] + 5 * ["T5Attention"]


@pytest.mark.parametrize("family_name", ["t5", "gpt2", "llama", "bart"])
def test_generating_with_and_without_a_cache(family_name: str) -> None:
    model = model_of(build(family_name))
    pruned = remove_heads(model, some_heads(model, 1))
    ids = inputs_for(family_name)["input_ids"][:1]
    options = {"max_new_tokens": 6, "do_sample": False, "attention_mask": torch.ones_like(ids)}
    given = [pruned.module.generate(ids, use_cache=cache, **options) for cache in (True, False)]
    assert torch.equal(*given)


def test_head_groups() -> None:
    alone = head_groups(model_of(build("bart")))
    assert [str(group[0]) for group in alone[:5]] == ["L0H0", "L0H1", "L0H2", "L0H3", "L1H0"]
    assert {len(group) for group in alone} == {1} and len(alone) == 8 + 6 + 6
    pairs = head_groups(model_of(build("llama")))
    assert [[str(head) for head in group] for group in pairs] == [
        ["L0H0", "L0H1"], ["L0H2", "L0H3"], ["L1H0", "L1H1"], ["L1H2", "L1H3"]
    ]  # fmt: skip
    through = head_groups(model_of(build("albert")))
    assert [[str(head) for head in group] for group in through[:2]] == [["L0H0", "L1H0"], ["L0H1", "L1H1"]]


def test_no_heads_give_a_copy() -> None:
    model = model_of(build("bert"))
    copy = remove_heads(model, [])
    assert copy.module is not model.module and fingerprint(copy.module) == fingerprint(model.module)
    assert copy.notes == []


def test_half_precision_stays_half() -> None:
    model = model_of(build("llama").to(torch.bfloat16))
    pruned = remove_heads(model, head_groups(model)[0])
    assert {weight.dtype for weight in pruned.module.parameters()} == {torch.bfloat16}
    before, after = (one.module.model.layers[0].self_attn.v_proj.weight for one in (model, pruned))
    assert torch.equal(after, before[8:])


def test_a_pruned_model_works_like_any_other(wordpiece) -> None:
    model = load(tiny_bert(wordpiece), wordpiece)
    pruned = remove_heads(model, [Head("encoder", 0, 0), Head("encoder", 0, 2), Head("encoder", 1, 3)])
    with pytest.raises(OptionError, match="the model has no head L0H2 in its encoder"):
        remove_heads(pruned, [Head("encoder", 0, 2)])
    with pruned.attached(edits=[Ablate([Head("encoder", 0, 1)])], whole=True) as module:
        masked = module(torch.arange(7)[None])[0]
    again = remove_heads(pruned, [Head("encoder", 0, 1)])
    assert torch.allclose(again.module(torch.arange(7)[None])[0], masked, atol=1e-5)
    assert again.notes == ["pruned: 4 of 8 heads are removed: L0H0, L0H2, L0H3, L1H3"]
    twin = random_twin(pruned, 1)
    assert [site.heads for site in twin.sites.sites] == [2, 3]
    assert pruned.module.cls.predictions.decoder.weight is pruned.module.get_input_embeddings().weight


def test_a_survey_of_a_pruned_model(wordpiece, texts) -> None:
    model = load(tiny_bert(wordpiece), wordpiece)
    pruned = remove_heads(model, [Head("encoder", 0, 0), Head("encoder", 1, 1), Head("encoder", 1, 3)])
    threads = torch.get_num_threads()
    result = headscope.survey(pruned, [texts["english"]])
    # The compiled sums share OpenMP with torch, and starting them sets the number of threads of both.
    torch.set_num_threads(threads)
    assert list(result.table("heads")["head"]) == ["L0H0", "L0H1", "L0H2", "L1H0", "L1H1"]


def test_a_head_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match="the model has no head L2H0 in its encoder"):
        remove_heads(model_of(build("bert")), [Head("encoder", 2, 0)])


def test_every_head_of_a_layer_is_refused() -> None:
    model = model_of(build("bart"))
    with pytest.raises(
        ModelError, match=r"all heads of the cross's layer 1 would go; keep at least one of cross:L1H0, "
    ):
        remove_heads(model, [Head("cross", 1, 0), Head("cross", 1, 1)])


def test_a_part_of_a_group_is_refused() -> None:
    with pytest.raises(
        ModelError, match=r"L0H2, L0H3 share matrices, .*together: take L0H2 out too, or mask L0H3"
    ):
        remove_heads(model_of(build("llama")), [Head("decoder", 0, 3)])
    with pytest.raises(ModelError, match=r"L0H1, L1H1 share matrices, .*together: take L1H1 out too"):
        remove_heads(model_of(build("albert")), [Head("encoder", 0, 1)])


def test_one_key_for_all_heads_is_refused() -> None:
    config = tf.LlamaConfig(**{**build("llama").config.to_dict(), "num_key_value_heads": 1})
    model = model_of(tf.LlamaForCausalLM(config).eval())
    assert [len(group) for group in head_groups(model)] == [4, 4]
    with pytest.raises(ModelError, match="L0H0, L0H1, L0H2, L0H3 share matrices"):
        remove_heads(model, [Head("decoder", 0, 1)])
    with pytest.raises(ModelError, match="all heads of the decoder's layer 0 would go"):
        remove_heads(model, [Head("decoder", 0, index) for index in range(4)])


@pytest.mark.parametrize("family_name", sorted(BYPASSING))
def test_families_outside_the_shared_function_are_refused(family_name: str) -> None:
    model = model_of(build(family_name))
    with pytest.raises(
        ModelError, match="outside the shared function: its heads can be masked, but not taken out"
    ):
        remove_heads(model, [Head("encoder", 0, 0)])


def with_attention(kind: type) -> Model:
    """A BERT whose layers attend in a way of their own."""
    module = build("bert")
    for layer in module.encoder.layer:
        layer.attention.self.__class__ = kind
    return model_of(module)


class Counting(BertSelfAttention):
    """Sharpens by the number of heads: right for the whole model, other for a pruned one."""

    @wraps(BertSelfAttention.forward)
    def forward(self, *given, **options):
        self.scaling = self.query.out_features / 100
        return super().forward(*given, **options)


class Mixing(BertSelfAttention):
    """Changes what heads put out before the output projection takes it."""

    @wraps(BertSelfAttention.forward)
    def forward(self, *given, **options):
        output, weights = super().forward(*given, **options)
        return output.cumsum(-1), weights


class Fixed(BertSelfAttention):
    """Has the number of heads written into its code."""

    @wraps(BertSelfAttention.forward)
    def forward(self, hidden_states, *given, **options):
        output, weights = super().forward(hidden_states, *given, **options)
        return output.reshape(*hidden_states.shape[:2], 16), weights


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Counting, "the pruned model differs from the masked one by"),
        (Mixing, "what its heads put out is changed before a matrix takes it"),
        (Fixed, "it does not run without them"),
    ],
)
def test_a_family_that_would_come_out_wrong_is_refused(kind: type, reason: str) -> None:
    with pytest.raises(ModelError, match=rf"heads of the family bert cannot be taken out: {reason}"):
        remove_heads(with_attention(kind), [Head("encoder", 0, 1)])


def test_an_adapter_is_refused(wordpiece) -> None:
    peft = pytest.importorskip("peft")
    model = model_of(tiny_bert(wordpiece))
    peft.inject_adapter_in_model(peft.LoraConfig(r=2, target_modules=["query"]), model.module)
    with pytest.raises(ModelError, match="tiny has an adapter; merge it into the model before"):
        remove_heads(model, [Head("encoder", 0, 0)])


def test_quantised_weights_are_refused() -> None:
    model = model_of(build("bert"))
    dense = model.module.encoder.layer[0].output.dense
    dense.weight = nn.Parameter(dense.weight.data.to(torch.int8), requires_grad=False)
    with pytest.raises(ModelError, match="tiny is quantised; load it in float32"):
        remove_heads(model, [Head("encoder", 0, 0)])


def test_a_module_that_cannot_be_copied_is_refused() -> None:
    model = model_of(build("bert"))
    model.module.lines = (line for line in "ab")
    with pytest.raises(ModelError, match="tiny cannot be copied, so it cannot be pruned"):
        remove_heads(model, [Head("encoder", 0, 0)])
