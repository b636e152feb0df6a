"""The baseline without a model against its formula."""

from __future__ import annotations

import numpy as np
import torch

from headscope.probes.distances import DistanceProbe, distance_features
from tests.probes.planted import noise, plant, shelf, some_vectors


def test_features_by_hand() -> None:
    found = distance_features(torch.tensor([4, 3]), 4)
    # ahead, behind, itself, 1 before, 1 behind, 2 before, 2 behind, ROOT
    assert found[0, 1, 4].tolist() == [0.5, 0, 0, 0, 0, 0, 1, 0]  # the second word and the fourth
    assert found[0, 3, 1].tolist() == [0, 0.75, 0, 0, 0, 0, 0, 0]  # the fourth word and the first
    assert found[0, 2, 3].tolist() == [0, 0, 1, 0, 0, 0, 0, 0]  # itself
    assert found[0, 0, 0].tolist() == [0, 0.25, 0, 1, 0, 0, 0, 1]  # the first word and ROOT before it
    torch.testing.assert_close(found[1, 0, 2], torch.tensor([1 / 3, 0, 0, 0, 1, 0, 0, 0]))


def test_the_factorised_layer_is_the_layer() -> None:
    sentences = [(["old", "ship", "passed", "by"], [2, 3, 0, 3]), (["ship", "old"], [0, 1])]
    vectors = some_vectors(["old", "ship", "by"])
    (batch,) = shelf(plant(sentences, [noise]), vectors).batches()
    probe = DistanceProbe(torch.Generator().manual_seed(0), torch.from_numpy(vectors.table))
    logits = probe(batch).detach().numpy()
    parts = (probe.dependent, probe.candidate, probe.distance)
    layer = np.concatenate([part.detach().numpy() for part in parts])
    words = vectors.table[batch.rows.numpy()]
    distances = distance_features(torch.as_tensor(batch.sizes), 4).numpy()
    for row, i, j in [(1, 0, 0), (1, 3, 2), (0, 1, 1), (1, 2, 4)]:
        candidate = np.zeros(3) if j == 0 else words[row, j - 1]
        hidden = np.concatenate([words[row, i], candidate, distances[row, i, j]]) @ layer
        expected = np.tanh(hidden + probe.bias.detach().numpy()) @ probe.out.detach().numpy()
        np.testing.assert_allclose(logits[row, i, j], expected, rtol=1e-4, atol=1e-5)


def test_many_sentences_at_once_change_nothing() -> None:
    sentences = [(["ship"] * 40, [*range(2, 41), 0])] * 9
    vectors = some_vectors(["ship"])
    (batch,) = shelf(plant(sentences, [noise]), vectors).batches()
    logits = DistanceProbe(torch.Generator().manual_seed(0), torch.from_numpy(vectors.table))(batch).detach()
    assert logits.shape == (9, 40, 41)
    torch.testing.assert_close(logits, logits[:1].expand_as(logits))
