"""After the `with`, also after an exception, a model is exactly as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import pytest
import torch
from torch import nn

from headscope.attention import Ablate, Heard, Recorder, attach, find_sites
from headscope.attention.function import sessions
from headscope.heads import Head
from tests.attention.conftest import Case
from tests.families import build, inputs_for

HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


class Failing:
    """Raises at its second call: in the middle of a forward pass."""

    needs = "map"

    def __init__(self) -> None:
        self.calls = 0

    def hear(self, heard: Heard) -> None:
        self.calls += 1
        if self.calls == 2:
            fail()


class Planned(Exception):
    pass


def fail() -> NoReturn:
    raise Planned


def hooks_on(model: nn.Module) -> list[list[int]]:
    """Ids of the hooks of each module; transformers keeps some of its own."""
    return [list(getattr(module, name)) for module in model.modules() for name in HOOKS]


@dataclass
class Before:
    """What a model was before it was attached."""

    outputs: dict[str, torch.Tensor]
    names: list[str | None]
    hooks: list[list[int]]

    @classmethod
    def of(cls, case: Case) -> Before:
        return cls(case.run(), implementations(case.model), hooks_on(case.model))


def implementations(model: nn.Module) -> list[str | None]:
    configs = [getattr(module, "config", None) for module in model.modules()]
    return [
        getattr(config, "_attn_implementation_internal", None) for config in configs if config is not None
    ]


def check_restored(case: Case, before: Before) -> None:
    assert implementations(case.model) == before.names
    assert hooks_on(case.model) == before.hooks
    assert not any(module in sessions for module in case.model.modules())
    after = case.run()
    assert after.keys() == before.outputs.keys()
    assert all(torch.equal(after[name], before.outputs[name]) for name in after)


def some_head(case: Case) -> Head:
    return next(iter(case.sites.sites[0]))


def test_after_listening_and_editing(case: Case) -> None:
    before = Before.of(case)
    with attach(case.model, case.sites, [Recorder()], [Ablate([some_head(case)])]):
        changed = case.run()
        assert not all(torch.equal(changed[name], before.outputs[name]) for name in changed)
    check_restored(case, before)


def test_after_an_exception_in_the_block(case: Case) -> None:
    before = Before.of(case)
    with pytest.raises(Planned), attach(case.model, case.sites, [Recorder()], [Ablate([some_head(case)])]):
        case.run()
        fail()
    check_restored(case, before)


def test_after_an_exception_of_a_listener_in_the_middle_of_a_pass(case: Case) -> None:
    before = Before.of(case)
    failing = Failing()
    with pytest.raises(Planned), attach(case.model, case.sites, [failing]):
        case.run()
    assert failing.calls == 2
    check_restored(case, before)
    recorder = Recorder()
    with attach(case.model, case.sites, [recorder]):
        case.run()
    for site, maps in recorder.maps.items():
        assert torch.equal(maps[0], case.maps[site.stack, site.layer])


def test_nothing_is_left_on_a_model_that_was_never_attached_before() -> None:
    model, inputs = build("bert"), inputs_for("bert")
    with torch.no_grad(), attach(model, find_sites(model, inputs), [Recorder()]):
        model(**inputs)
    assert not any(hooks_on(model))
    assert len(sessions) == 0


def test_after_an_exception_in_the_inner_of_two_attachments(bert: Case) -> None:
    before = Before.of(bert)
    recorder = Recorder()
    with attach(bert.model, bert.sites, [recorder]):
        with pytest.raises(Planned), attach(bert.model, bert.sites, [Failing()], [Ablate([some_head(bert)])]):
            bert.run()
        recorder.maps.clear()
        outputs = bert.run()
    assert all(torch.equal(outputs[name], bert.outputs[name]) for name in bert.outputs)
    assert {s.layer: len(maps) for s, maps in recorder.maps.items()} == {0: 1, 1: 1}
    check_restored(bert, before)


def test_weights_and_their_gradient_flags_stay_as_they_were(bert: Case) -> None:
    before = {name: tensor.clone() for name, tensor in bert.model.state_dict().items()}
    flags = [parameter.requires_grad for parameter in bert.model.parameters()]
    with attach(bert.model, bert.sites, [Recorder(gradient=True)], gradients=True):
        bert.model(**bert.inputs).last_hidden_state.sum()
    assert all(torch.equal(tensor, before[name]) for name, tensor in bert.model.state_dict().items())
    assert [parameter.requires_grad for parameter in bert.model.parameters()] == flags
