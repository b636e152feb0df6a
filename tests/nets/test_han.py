"""Hierarchical attention against its formulas, written a second time for one group at a time."""

from __future__ import annotations

import pytest
import torch

from headscope.attention import Recorder, attach, find_sites
from headscope.nets.han import Average, Han, HanConfig, HanForSequenceClassification, Maximum

SIZES = {"vocab_size": 12, "embedding_size": 4, "hidden_size": 3}
IDS = torch.tensor([[3, 4, 5, 6, 7, 8, 9], [5, 3, 4, 0, 0, 0, 0]])
SENTENCES = torch.tensor([[0, 0, 0, 1, 2, 2, 2], [0, 0, 1, 0, 0, 0, 0]])
READ = {"input_ids": IDS, "attention_mask": (IDS > 0).long(), "token_type_ids": SENTENCES}


def net_of(pooling: str = "attention") -> HanForSequenceClassification:
    torch.manual_seed(0)
    return HanForSequenceClassification(HanConfig(**SIZES, pooling=pooling)).eval()


def vector(read: torch.nn.Module, x: torch.Tensor, pool: torch.nn.Module, pooling: str) -> torch.Tensor:
    """One vector of the items of one group, (item, size), by the equations."""
    onwards, backwards = (
        read.onwards(x[:, None])[0][:, 0],
        read.backwards(x.flip(0)[:, None])[0][:, 0].flip(0),
    )
    h = torch.cat([onwards, backwards], -1)
    if pooling == "average":
        return h.mean(0)
    if pooling == "max":
        return h.amax(0)
    weights = torch.softmax(torch.tanh(h @ pool.hidden.weight.T + pool.hidden.bias) @ pool.query.weight[0], 0)
    return weights @ h


@pytest.mark.parametrize("pooling", ["attention", "average", "max"])
def test_sentences_are_read_by_themselves_and_then_together(pooling: str) -> None:
    net = net_of(pooling)
    with torch.no_grad():
        logits = net(**READ).logits
        for row, sizes in enumerate([(3, 1, 3), (2, 1)]):
            words = torch.split(net.han.embedding(IDS[row, : sum(sizes)]), sizes)
            made = [vector(net.han.words, own, net.han.pool, pooling) for own in words]
            v = vector(net.han.sentences, torch.stack(made), net.han.document, pooling)
            assert torch.allclose(logits[row], net.output(v), atol=1e-6)


def test_its_weights_are_those_of_the_formulas() -> None:
    """A GRU has three gates of hidden x (input + hidden) and two biases each, in two directions; attention a
    matrix, a bias and a context vector of 2 hidden."""
    gru = {size: 2 * (3 * 50 * (size + 50) + 2 * 3 * 50) for size in (50, 100)}
    attention, output = 100 * 100 + 100 + 100, 100 * 2 + 2
    assert (gru[50], gru[100], attention) == (30_600, 45_600, 10_200)
    for pooling, wanted in (("attention", 2 * attention), ("average", 0), ("max", 0)):
        net = HanForSequenceClassification(HanConfig(vocab_size=7, num_labels=2, pooling=pooling))
        counted = sum(weight.numel() for weight in net.parameters())
        assert counted == 7 * 50 + gru[50] + gru[100] + wanted + output
    assert 7 * 50 + gru[50] + gru[100] + 2 * attention + output == 97_152


def test_neither_padding_nor_a_number_without_words_matters() -> None:
    net = net_of()
    alone = net(IDS[1:, :3], token_type_ids=SENTENCES[1:, :3]).logits
    gap = net(IDS[1:, :3], token_type_ids=torch.tensor([[0, 0, 4]])).logits
    assert torch.allclose(net(**READ).logits[1], alone[0], atol=1e-6)
    assert torch.allclose(gap, alone, atol=1e-6)
    swapped = net(IDS[1:, :3], token_type_ids=torch.tensor([[0, 1, 1]])).logits
    assert not torch.allclose(swapped, alone, atol=1e-4), "but where a sentence ends does"


def test_a_document_of_one_sentence_and_one_of_nothing() -> None:
    net = net_of()
    untold = net(IDS[1:, :3]).logits
    assert torch.equal(untold, net(IDS[1:, :3], token_type_ids=torch.zeros(1, 3, dtype=torch.long)).logits)
    nothing = net(IDS[1:, :3], attention_mask=torch.zeros(1, 3, dtype=torch.long)).logits
    assert torch.equal(nothing, net.output.bias[None])


def test_words_are_heard_by_sentence_and_sentences_by_document() -> None:
    net = net_of()
    sites, recorder = find_sites(net.han, {"input_ids": IDS[:, :3]}), Recorder()
    with torch.no_grad(), attach(net.han, sites, [recorder]):
        net.han(**READ)
    by_sentence, by_document = sites.sites
    assert (by_sentence.stack, by_sentence.queries, by_sentence.keys) == ("pool", "sentence", "piece")
    assert (by_document.stack, by_document.queries, by_document.keys) == ("document", "text", "sentence")
    words, sentences = (recorder.maps[site][0] for site in sites.sites)
    assert words.shape == (2, 1, 3, 7) and sentences.shape == (2, 1, 1, 3)
    assert torch.allclose(words[0, 0].sum(-1), torch.ones(3)) and not words[0, 0, 1, [0, 1, 2, 4, 5, 6]].any()
    assert not words[1, 0, 2].any(), "a sentence that a document does not have"
    assert torch.allclose(sentences.sum(-1), torch.ones(2, 1, 1)) and sentences[1, 0, 0, 2] == 0


def test_means_and_largest_numbers_by_hand() -> None:
    h = torch.tensor([[[1.0, -5], [3, -1], [7, 7], [9, 9]]])
    own = torch.tensor([[[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]]).bool()[:, None]
    assert Average()(h, own)[0].tolist() == [[2, -3], [7, 7], [0, 0]]
    assert Maximum()(h, own)[0].tolist() == [[3, -1], [7, 7], [0, 0]]


def test_what_nothing_attends_in_has_no_site() -> None:
    sited = [module for module in Han(HanConfig(**SIZES, pooling="max")).modules() if hasattr(module, "site")]
    assert sited == []
