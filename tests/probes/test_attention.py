"""The attention probes against their formula, written out with loops."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.probes.attention import AttentionProbe
from headscope.probes.features import Features
from headscope.probes.padded import Padded
from headscope.probes.training import masked_logits
from tests.probes.planted import noise, plant, plant_random, shelf, some_vectors

WORDS = ("ship", "keeper", "night", "old", "wrote", "a", "the")


def probe_and_batch(with_words: bool, seed: int = 0) -> tuple[AttentionProbe, Padded, Features]:
    features = plant_random([noise, noise], sentences=5, seed=seed)
    vectors = some_vectors(WORDS)
    (batch,) = shelf(features, vectors).batches()
    table = torch.from_numpy(vectors.table) if with_words else None
    probe = AttentionProbe(2, torch.Generator().manual_seed(seed), table)
    with torch.no_grad():
        probe.ends.copy_(torch.tensor([0.7, -1.3]))
        probe.root.fill_(0.4)
    return probe, batch, features


def by_formula(probe: AttentionProbe, maps: np.ndarray, ends: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Logits (word, 1 + word): maps (word, word, head), ends (word, 4, head), words (word, dim)."""
    size, heads = len(maps), maps.shape[-1]
    start, end = probe.ends.tolist()
    bias = probe.bias.detach().numpy()
    left = probe.dependent.detach().numpy() if probe.vectors is not None else np.zeros((3, 2 * heads))
    right = probe.candidate.detach().numpy() if probe.vectors is not None else np.zeros((3, 2 * heads))
    logits = np.zeros((size, size + 1))
    for i in range(size):
        at_root = words[i] @ left + bias  # ROOT's vector is zero
        for k in range(heads):
            logits[i, 0] += start * (at_root[k] * ends[i, 0, k] + at_root[heads + k] * ends[i, 1, k])
            logits[i, 0] += end * (at_root[k] * ends[i, 2, k] + at_root[heads + k] * ends[i, 3, k])
        logits[i, 0] += probe.root.item()
        for j in range(size):
            weights = words[i] @ left + words[j] @ right + bias
            for k in range(heads):
                logits[i, j + 1] += weights[k] * maps[i, j, k] + weights[heads + k] * maps[j, i, k]
    return logits


@pytest.mark.parametrize("with_words", [False, True])
def test_the_probe_computes_the_formula(with_words: bool) -> None:
    probe, batch, features = probe_and_batch(with_words)
    vectors = some_vectors(WORDS)
    logits = probe(batch).detach().numpy()
    order = np.argsort(features.sizes, kind="stable")
    cell, word = (np.concatenate([[0], np.cumsum(sizes)]) for sizes in (features.sizes**2, features.sizes))
    for row, sentence in enumerate(order):
        size = features.sizes[sentence]
        maps = features.maps[cell[sentence] : cell[sentence + 1]].reshape(size, size, 2).astype(float)
        span = slice(word[sentence], word[sentence + 1])
        known = vectors.table[vectors.rows([features.vocabulary[n] for n in features.word[span]])]
        expected = by_formula(probe, maps, features.ends[span].astype(float), known)
        np.testing.assert_allclose(logits[row, :size, : size + 1], expected, atol=1e-4)


def test_a_word_is_scored_with_its_own_vector_and_root_with_none() -> None:
    """The published code gives a candidate the vector of the word behind it, and ROOT that of the first."""
    sentence = [(["old", "ship", "night", "wrote"], [2, 4, 4, 0])]
    features = plant(sentence, [lambda heads, random: np.full((6, 6), 1 / 6)])
    table = some_vectors(["old", "ship", "night", "wrote"])
    changed = some_vectors(["old", "ship", "night", "wrote"])
    changed.table[3] += 1.0  # "night", the third word
    logits = []
    for vectors in (table, changed):
        (batch,) = shelf(features, vectors).batches()
        probe = AttentionProbe(1, torch.Generator().manual_seed(0), torch.from_numpy(vectors.table))
        logits.append(probe(batch)[0].detach().numpy())
    moved = np.abs(logits[1] - logits[0]) > 1e-6
    assert moved[:, 3].all()  # as candidate
    assert moved[2].all()  # as dependent
    moved[2], moved[:, 3] = False, False
    assert not moved.any()


@pytest.mark.parametrize("with_words", [False, True])
def test_the_shares_of_heads_add_up(with_words: bool) -> None:
    probe, batch, _ = probe_and_batch(with_words)
    shares = probe.shares(batch).detach()
    logits = probe(batch).detach()
    logits[..., 0] -= probe.root.detach()
    torch.testing.assert_close(shares.sum(-1), logits, atol=1e-5, rtol=1e-5)
    with torch.no_grad():
        for weights in (probe.bias, *([probe.dependent, probe.candidate] if with_words else [])):
            weights[..., [0, 2]] = 0
    torch.testing.assert_close(probe(batch).detach()[..., 1:], shares[..., 1:, 1], atol=1e-5, rtol=1e-5)


def test_no_word_is_its_own_head_but_in_the_control_task() -> None:
    probe, batch, _ = probe_and_batch(with_words=False)
    words = torch.arange(batch.maps.shape[1])
    tree, control = (masked_logits(probe, batch, task) for task in ("tree", "control"))
    assert (tree[:, words, words + 1] == -torch.inf).all()
    assert torch.isfinite(control[-1, words, words + 1]).all()
    assert torch.isfinite(tree[..., 0]).all()
    beyond = int(batch.sizes[0]) + 1
    assert (tree[0, :, beyond:] == -torch.inf).all() and (control[0, :, beyond:] == -torch.inf).all()
