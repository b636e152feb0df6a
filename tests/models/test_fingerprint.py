"""A fingerprint is of the weights alone, and of all of them."""

from __future__ import annotations

import torch
from torch import nn

from headscope.models.fingerprint import fingerprint


def layer() -> nn.Linear:
    torch.manual_seed(0)
    return nn.Linear(300, 300)


def test_the_same_weights_give_the_same_name() -> None:
    assert fingerprint(layer()) == fingerprint(layer())
    assert len(fingerprint(layer())) == 32


def test_one_weight_anywhere_changes_it() -> None:
    expected = fingerprint(layer())
    for row, column in ((0, 0), (150, 150), (299, 299)):
        changed = layer()
        with torch.no_grad():
            changed.weight[row, column] += 1e-6
        assert fingerprint(changed) != expected


def test_the_order_of_the_weights_counts() -> None:
    swapped = layer()
    with torch.no_grad():
        swapped.weight[[100, 200]] = swapped.weight[[200, 100]].clone()
    assert fingerprint(swapped) != fingerprint(layer())


def test_names_shapes_and_types_count() -> None:
    assert fingerprint(nn.Sequential(layer())) != fingerprint(layer())
    assert fingerprint(layer().double()) != fingerprint(layer())
    halves = {dtype: fingerprint(layer().to(dtype)) for dtype in (torch.float16, torch.bfloat16)}
    assert len(set(halves.values())) == 2


def test_the_number_of_threads_does_not_count() -> None:
    torch.manual_seed(0)
    large = nn.Linear(3000, 3000)
    before = torch.get_num_threads()
    found = set()
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        found.add(fingerprint(large))
    torch.set_num_threads(before)
    assert len(found) == 1
