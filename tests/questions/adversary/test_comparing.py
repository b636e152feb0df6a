"""A model beside the base: heads are matched before they are compared, and rankings are of matched heads."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
import torch

from headscope.models import Model
from headscope.models.load import with_module
from headscope.questions.adversary.comparing import Comparing
from headscope.questions.adversary.giving import edit_of, edited
from headscope.questions.adversary.kinds import EVEN
from tests.questions.adversary.made import KINDS, changed, known, made


def reordered(model: Model) -> Model:
    """The same tagger with its heads in another order: what they see, hand on and take in moves along."""
    other = with_module(model, deepcopy(model.module))
    attention = other.module.tagger.layers[0].attention
    size = attention.query.weight.shape[0] // attention.heads
    order = torch.cat([torch.arange(head * size, (head + 1) * size) for head in (2, 0, 3, 1)])
    with torch.no_grad():
        for part in (attention.query, attention.key, attention.value):
            part.weight.copy_(part.weight[order].clone())
        attention.output.weight.copy_(attention.output.weight[:, order].clone())
    return other


def test_another_numbering_is_no_other_way(folder: Path) -> None:
    model, task, prepared = made("tagger", folder)
    changed(model, seed=3)
    base, other = known(model, prepared), reordered(model)
    row = Comparing(other, base, task).row(prepared)
    assert row["variation"] < 1e-5 and row["agreement"] == 1
    assert row["jsd"] > 0.01 and row["kl"] > 0.01
    assert row["jsd_matched"] == pytest.approx(0, abs=1e-6)
    assert row["kl_matched"] == pytest.approx(0, abs=1e-5)
    assert row["top"] == 1 and row["tau"] == pytest.approx(1)


@pytest.mark.parametrize("kind", KINDS)
def test_batches_do_not_change_what_is_told(kind: str, folder: Path) -> None:
    model, task, prepared = made(kind, folder)
    other = with_module(model, deepcopy(model.module))
    changed(other)
    rows = [Comparing(other, known(model, some), task).row(some) for some in (prepared, prepared[::-1])]
    for name in rows[0]:
        assert rows[0][name] == pytest.approx(rows[1][name], abs=1e-6, nan_ok=True), name
    assert rows[0]["half_variation"] == pytest.approx(rows[0]["variation"] / 2)
    assert 0 < rows[0]["jsd_matched"] <= rows[0]["jsd"] + 1e-9


def test_even_attention_ranks_nothing(folder: Path) -> None:
    model, task, prepared = made("bert", folder)
    base = known(model, prepared)
    with edited(model, edit_of(EVEN, base.sites, 0)):
        row = Comparing(model, base, task).row(prepared)
    assert row["tau"] != row["tau"]  # not a number
    assert row["jsd"] > 0


def test_f1_of_the_second_label_by_hand(folder: Path) -> None:
    """As if all were called 1: F1 = 2 n / (8 + n) where n of 8 are."""
    model, task, prepared = made("pooled", folder)
    with torch.no_grad():
        model.module.output.weight.zero_()
        model.module.output.bias.copy_(torch.tensor([0.0, 1.0]))
    row = Comparing(model, known(model, prepared), task).row(prepared)
    ones = sum(int(sides.labels.sum()) for sides in prepared if sides.labels is not None)
    assert row["f1"] == pytest.approx(2 * ones / (8 + ones))
    assert row["score"] == pytest.approx(ones / 8)
