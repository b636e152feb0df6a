"""A head's slice is what changes when its map changes, wherever a family puts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from torch import nn

from headscope.attention import Ablate, Recorder, Scale, Uniform, attach, find_sites
from headscope.attention.slices import columns_of
from headscope.errors import ModelError
from headscope.heads import Head
from tests.families import build, inputs_for

WHERE = {
    # family: the projection of the first site; does it take queries before the batch?
    "convbert": ("encoder.layer.0.attention.output.dense", False),
    "bloom": ("transformer.h.0.self_attention.dense", False),
    "fsmt": ("encoder.layers.0.self_attn.out_proj", True),
}


def first(outputs: object) -> torch.Tensor:
    return next(item for item in outputs.to_tuple() if isinstance(item, torch.Tensor))


def run(model: nn.Module, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    with torch.no_grad():
        return first(model(**inputs))


@contextmanager
def scaled(module: nn.Module, columns: slice, gate: torch.Tensor) -> Iterator[None]:
    """Multiply some columns of what a module is given."""

    def change(_: nn.Module, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        joined = given[0].clone()
        joined[..., columns] *= gate
        return (joined, *given[1:])

    handle = module.register_forward_pre_hook(change)
    yield
    handle.remove()


@pytest.mark.parametrize("family", WHERE)
def test_each_head_has_its_own_columns(family: str) -> None:
    model, inputs = build(family), inputs_for(family)
    name, queries_first = WHERE[family]
    sites = find_sites(model, inputs_for(family, batch=1))
    site, module = sites.sites[0], model.get_submodule(name)
    width = 4  # 16 for 4 heads; ConvBERT has 2 heads of attention and as much convolution
    gate = torch.tensor([0.0, 2.0, -1.0])
    by_example = gate.reshape(1, -1, 1) if queries_first else gate.reshape(-1, 1, 1)
    for index in range(site.heads):
        columns = slice(index * width, (index + 1) * width)
        for edit, change in ((Ablate, torch.zeros(1)), (Scale, by_example)):
            head = [Head(site.stack, 0, index)]
            with attach(model, sites, edits=[edit(head) if edit is Ablate else edit(head, gate)]):
                found = run(model, inputs)
            with scaled(module, columns, change):
                expected = run(model, inputs)
            assert torch.allclose(found, expected, atol=1e-5), (index, edit)
            assert not torch.allclose(found, run(model, inputs), atol=1e-3)


def test_the_convolution_of_convbert_is_no_head() -> None:
    model = build("convbert")
    sites = find_sites(model, inputs_for("convbert", batch=1))
    assert [site.heads for site in sites.sites] == [2, 2]
    assert [slices.columns.tolist() for slices in sites.slices.values()] == 2 * [[[0, 1, 2, 3], [4, 5, 6, 7]]]


def test_columns_by_hand() -> None:
    weights = torch.rand(1, 2, 3, 3, requires_grad=True)
    value = torch.rand(1, 2, 3, 2)
    value[:, 1] = 0  # a head without values has its columns all the same
    mixed = weights @ value  # (batch, head, query, dim)
    other = torch.rand(1, 3, 1)
    # The columns: first head, something else, second head, first head, second head.
    parts = [mixed[:, 0, :, :1], other, mixed[:, 1, :, :1], mixed[:, 0, :, 1:], mixed[:, 1, :, 1:]]
    assert columns_of(weights, torch.cat(parts, -1)).tolist() == [[0, 3], [2, 4]]
    shared = torch.cat([*parts, mixed.sum(1)[..., :1]], -1)
    assert columns_of(weights, shared) is None
    uneven = torch.cat(parts[:-1], -1)
    assert columns_of(weights, uneven) is None


def test_heads_that_cannot_be_told_apart_are_heard_and_not_edited() -> None:
    model, inputs = build("xlnet"), inputs_for("xlnet")
    sites = find_sites(model, inputs_for("xlnet", batch=1))
    recorder = Recorder()
    with attach(model, sites, [recorder]):
        run(model, inputs)
    assert all(torch.allclose(maps[0][0].sum(-1), torch.ones(4, 9)) for maps in recorder.maps.values())
    for edit in (Ablate(["L1H0"]), Scale(["L1H0"], 0.5), Uniform(["L1H0"])):
        with pytest.raises(ModelError) as refusal, attach(model, sites, edits=[edit]):
            pass
        assert str(refusal.value) == (
            f"{type(edit).__name__}: what a head of XLNetModel hands on cannot be told from the rest "
            "(encoder layer 1), so its heads can be heard, but neither ablated, scaled nor masked"
        )


def test_weights_are_not_edited_where_the_output_is_more_than_weights_times_values() -> None:
    model, inputs = build("granite_swa"), inputs_for("granite_swa")
    sites = find_sites(model, inputs_for("granite_swa", batch=1))
    message = r"hands on more than its weights times its values \(decoder layer 0\)"
    with pytest.raises(ModelError, match=message), attach(model, sites, edits=[Uniform(["L0H1"])]):
        pass
    # A sink scales each head by itself, so a head can be removed all the same.
    with scaled(model.get_submodule("model.layers.0.self_attn.o_proj"), slice(8, 16), torch.zeros(1)):
        expected = run(model, inputs)
    with attach(model, sites, edits=[Ablate(["L0H1"])]):
        assert torch.allclose(run(model, inputs), expected, atol=1e-5)
    assert sites.facts.notes == [
        "in 2 of 2 layers a head hands on more than its weights times its values, so its map does not tell "
        "all of it"
    ]
