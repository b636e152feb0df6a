"""What is heard is checked when a model is loaded: weights between 0 and 1, rows that sum to 1 or to less."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from transformers.modeling_outputs import BaseModelOutput

from headscope.attention import Recorder, attach, find_sites
from headscope.attention.weights import check_weights
from headscope.errors import ModelError
from tests.families import build, inputs_for


def maps(*rows: tuple[float, float]) -> torch.Tensor:
    return torch.tensor([[list(rows)]])


def test_weights_by_hand() -> None:
    whole, sink = maps((0.25, 0.75), (1.0, 0.0)), maps((0.25, 0.5), (1.0, 0.0))
    assert check_weights([whole], "it") == 0
    assert check_weights([whole, sink, sink], "it") == 2
    assert check_weights([sink[:, :, 1:] * 0], "it") == 1  # a query that sees nothing
    assert check_weights([whole.bfloat16() * 1.01], "it") == 0  # what is rounded is not refused


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            ((-0.2, 1.2), (0.5, 0.5)),
            r"lies between -0\.2 and 1\.2, with rows that sum to 1 to 1: these are no",
        ),
        (
            ((0.9, 0.9), (0.5, 0.5)),
            r"lies between 0\.5 and 0\.9, with rows that sum to 1 to 1\.8: these are no",
        ),
        (((float("nan"), 0.5), (0.5, 0.5)), r"the attention of it is not a number on a few pieces of text$"),
    ],
)
def test_what_is_no_attention_is_refused(rows: tuple, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        check_weights([maps(*rows)], "it")


def test_scores_are_no_weights() -> None:
    with pytest.raises(
        ModelError, match=r"what SqueezeBertModel shows as attention lies between -\d.*no attention"
    ):
        find_sites(build("squeezebert"), inputs_for("squeezebert", batch=1))


def test_rows_with_a_sink_are_told_of() -> None:
    model, inputs = build("gpt_oss"), inputs_for("gpt_oss")
    sites = find_sites(model, inputs_for("gpt_oss", batch=1))
    assert sites.facts.notes == [
        "in 2 of 2 layers the weights of a query sum to less than 1: the rest goes to no piece of the text"
    ]
    recorder = Recorder()
    with torch.no_grad(), attach(model, sites, [recorder]):
        model(**inputs)
    assert all(float(weights[0].sum(-1).min()) < 0.9 for weights in recorder.maps.values())


class Windowed(nn.Module):
    """Looks at all pieces of a short text, and in a long one at four places alone; scores instead of weights
    come out for texts that begin with piece 0."""

    def forward(self, input_ids, attention_mask=None, output_attentions=False, return_dict=True):
        size = input_ids.shape[1]
        keys = min(size, 4) if size > 8 else size
        maps = torch.full((len(input_ids), 1, size, keys), 1 / keys if input_ids[0, 0] else 3.0)
        return BaseModelOutput(last_hidden_state=input_ids[..., None].float(), attentions=(maps,))


@pytest.mark.parametrize(
    ("first", "length", "message"),
    [
        (
            1,
            9,
            r"Windowed shows no maps between the pieces of a text of 9 pieces, so headscope cannot listen",
        ),
        (0, 5, r"what Windowed shows as attention lies between 3 and 3, with rows that sum to 15 to 15"),
    ],
)
def test_what_is_shown_later_is_checked_too(first: int, length: int, message: str) -> None:
    model, text = Windowed().eval(), torch.ones(1, 6, dtype=torch.long)
    sites = find_sites(model, {"input_ids": text})
    with attach(model, sites, [Recorder()]):
        model(input_ids=text, attention_mask=text)
    other = torch.full((1, length), first)
    with pytest.raises(ModelError, match=message), attach(model, sites, [Recorder()]):
        model(input_ids=other, attention_mask=torch.ones_like(other))


def test_what_a_family_fills_its_blocks_with_is_left_out() -> None:
    # Block-sparse attention fills a text of 41 pieces up to 21 blocks of two.
    model, inputs = build("big_bird"), inputs_for("big_bird", batch=1, length=41)
    sites, recorder = find_sites(model, inputs_for("big_bird", batch=1)), Recorder()
    with torch.no_grad():
        own = model(**inputs, output_attentions=True).attentions
        with attach(model, sites, [recorder]):
            model(**inputs)
    for site, shown in zip(sites.sites, own, strict=True):
        assert shown.shape[2:] == (42, 42)
        assert torch.equal(recorder.maps[site][0], shown[:, :, :41, :41])
