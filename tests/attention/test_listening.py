"""Listening changes no number and hears every map, in every family."""

from __future__ import annotations

import pytest
import torch

from headscope.attention import Heard, Recorder, attach, find_sites
from tests.attention.conftest import Case, make_case
from tests.families import SEQUENCE_TO_SEQUENCE, build, inputs_for


def heard_maps(recorder: Recorder) -> dict[tuple[str, int], torch.Tensor]:
    assert all(len(maps) == 1 for maps in recorder.maps.values())
    return {(site.stack, site.layer): maps[0] for site, maps in recorder.maps.items()}


def test_outputs_are_those_of_eager_attention_bit_for_bit(case: Case) -> None:
    with attach(case.model, case.sites, [Recorder()]):
        outputs = case.run()
    assert outputs.keys() == case.outputs.keys()
    for name, expected in case.outputs.items():
        assert torch.equal(outputs[name], expected), name


def test_maps_are_those_of_output_attentions_bit_for_bit(case: Case) -> None:
    recorder = Recorder()
    with attach(case.model, case.sites, [recorder]):
        case.run()
    maps = heard_maps(recorder)
    assert maps.keys() == case.maps.keys()
    for where, expected in case.maps.items():
        assert torch.equal(maps[where], expected), where


def test_a_caller_who_asks_for_maps_gets_them_too(case: Case) -> None:
    name = "encoder_attentions" if case.family in SEQUENCE_TO_SEQUENCE else "attentions"
    with attach(case.model, case.sites, [Recorder()]), torch.no_grad():
        asked = case.model(**case.inputs, output_attentions=True)
        unasked = case.model(**case.inputs)
    first = min(case.maps, key=lambda where: (where[0] != "encoder", where[1]))
    assert torch.equal(asked[name][0], case.maps[first])
    assert unasked.get(name) is None


def test_a_recorder_keeps_only_the_layers_and_heads_it_was_made_for(bert: Case) -> None:
    recorder = Recorder(layers=[1], heads=[3, 0])
    with attach(bert.model, bert.sites, [recorder]):
        bert.run()
    assert list(recorder.maps) == [bert.site("encoder", 1)]
    assert torch.equal(recorder.maps[bert.site("encoder", 1)][0], bert.maps["encoder", 1][:, [3, 0]])


def test_a_listener_hears_rows_values_and_what_is_visible(llama: Case) -> None:
    class Keeper:
        needs = "map"

        def __init__(self) -> None:
            self.calls: list[Heard] = []

        def hear(self, heard: Heard) -> None:
            self.calls.append(heard)

    keeper = Keeper()
    with attach(llama.model, llama.sites, [keeper]):
        llama.run()
    heard = keeper.calls[0]
    assert heard.rows.tolist() == list(range(9))
    assert heard.value is not None and heard.value.shape == (3, 2, 9, 8)
    real = llama.inputs["attention_mask"].bool()
    triangle = torch.ones(9, 9, dtype=torch.bool).tril()
    for number in range(3):
        size = int(real[number].sum())
        assert torch.equal(heard.visible[number, 0, :size], (triangle & real[number])[:size])


@pytest.mark.parametrize("family", ["bert", "llama", "mpnet"])
def test_nested_attachments_all_hear_and_the_inner_one_ends_first(cases: dict, family: str) -> None:
    case = cases.get(family) or make_case(family)
    outer, inner = Recorder(), Recorder()
    with attach(case.model, case.sites, [outer]):
        with attach(case.model, case.sites, [inner]):
            outputs = case.run()
        case.run()
    assert [len(maps) for maps in outer.maps.values()] == [2, 2]
    assert [len(maps) for maps in inner.maps.values()] == [1, 1]
    for name, expected in case.outputs.items():
        assert torch.equal(outputs[name], expected)


def test_the_same_listener_attached_twice_hears_twice(bert: Case) -> None:
    recorder = Recorder()
    with attach(bert.model, bert.sites, [recorder]), attach(bert.model, bert.sites, [recorder]):
        bert.run()
    assert [len(maps) for maps in recorder.maps.values()] == [2, 2]


def test_soft_capping_is_in_the_maps_of_gemma() -> None:
    def maps(cap: float | None) -> torch.Tensor:
        model = build("gemma2")
        model.config.attn_logit_softcapping = cap
        for module in model.modules():
            if hasattr(module, "attn_logit_softcapping"):
                module.attn_logit_softcapping = cap
        recorder = Recorder()
        inputs = inputs_for("gemma2", batch=1)
        with torch.no_grad(), attach(model, find_sites(model, inputs), [recorder]):
            model(**inputs)
        return next(iter(recorder.maps.values()))[0]

    capped, free = maps(0.02), maps(None)
    # Scores within ±0.02 can differ by 0.04 at most: no weight is above e^0.04 times another of its row.
    seen = torch.ones(9, 9, dtype=torch.bool).tril().triu(-3)
    lowest = capped.masked_fill(~seen, 1.0).amin(-1)
    assert (capped.amax(-1) / lowest).max() <= 1.0409
    free_lowest = free.masked_fill(~seen, 1.0).amin(-1)
    assert (free.amax(-1) / free_lowest).max() > 1.2


def test_a_model_hears_generation_step_by_step(llama: Case) -> None:
    recorder = Recorder()
    one = {name: tensor[:1] for name, tensor in llama.inputs.items()}
    with attach(llama.model, llama.sites, [recorder]), torch.no_grad():
        llama.model.generate(**one, max_new_tokens=3, min_new_tokens=3, do_sample=False)
    for maps in recorder.maps.values():
        assert [tuple(step.shape) for step in maps] == [(1, 4, 9, 9), (1, 4, 1, 10), (1, 4, 1, 11)]
