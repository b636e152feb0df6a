"""Perceptrons: they learn what no line parts, each as if it were alone, in the same bits again."""

from __future__ import annotations

import torch

from headscope.probes.perceptrons import Examples, Perceptron, Trainee, teach


def corners(size: int, seed: int) -> Examples:
    """Two kinds of features: of the first, the label is whether both are large; the second is noise."""
    draw = torch.Generator().manual_seed(seed)
    features = 2 * torch.randn(2, size, 2, generator=draw)
    return Examples(features, (features[0].norm(dim=1) > 2.4).long())


TRAIN, TUNE, TEST = (corners(size, seed) for seed, size in enumerate((500, 100, 300)))


def share(trainee: Trainee) -> float:
    return float((trainee.answers(TEST).argmax(1) == TEST.labels).double().mean())


def test_they_learn_what_is_there_and_nothing_else() -> None:
    asked = [Perceptron(0, 20, 0.0, 0), Perceptron(0, 8, 0.1, 1), Perceptron(1, 20, 0.0, 0)]
    first, second, noise = teach(asked, TRAIN, TUNE, 2, seed=0)
    assert share(first) > 0.8 and share(second) > 0.75
    assert abs(share(noise) - 0.5) < 0.1


def test_each_is_taught_as_if_it_were_alone_and_again_the_same() -> None:
    asked = [Perceptron(0, 5, 0.0, 3), Perceptron(1, 7, 0.2, 4)]
    together = teach(asked, TRAIN, TUNE, 2, seed=2)
    alone = [teach([one], TRAIN, TUNE, 2, seed=2)[0] for one in asked]
    for one, other in zip(together, alone, strict=True):
        assert torch.equal(one.answers(TEST), other.answers(TEST))


def test_a_perceptron_by_hand() -> None:
    """One unit: sigmoid(1 * 2 + 0) = 0.8808, times 3 and -3."""
    trainee = Trainee(Perceptron(0, 1, 0.0, 0), Examples(torch.zeros(1, 1, 1), torch.tensor([0])), 2)
    trainee.inner.data.fill_(2.0)
    trainee.outer.data.copy_(torch.tensor([[3.0, -3.0]]))
    logits = trainee.logits(torch.tensor([[1.0]]))
    assert torch.allclose(logits, torch.tensor([[2.6424, -2.6424]]), atol=1e-4)
