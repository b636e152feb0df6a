"""The tagger against its formulas, its number of weights, how it reads words, and a task that it learns."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from torch import nn

from headscope.attention import Freeze, Recorder, attach, find_sites
from headscope.explainers import ask
from headscope.explainers.removal import without_sets
from headscope.heads import Head
from headscope.models import load
from headscope.models.fingerprint import fingerprint
from headscope.models.twin import random_twin
from headscope.nets.tagger import (
    FEATURES,
    Attention,
    Layer,
    Spelled,
    TaggerConfig,
    TaggerForTokenClassification,
    sinusoids,
    spelled,
)
from tests.explainers.models import sides_for
from tests.nets.made import save_tagger


def net_of(**sizes: int | float) -> TaggerForTokenClassification:
    torch.manual_seed(0)
    given = {"vocab_size": 9, "vectors": 9, "hidden_size": 8, "heads": 2, "dropout": 0.0, **sizes}
    net = TaggerForTokenClassification(TaggerConfig(**given)).eval()
    net.tagger.embedding.row.copy_(torch.arange(9))
    return net


def test_its_weights_are_those_of_the_formulas() -> None:
    """The published model learned 140,953 weights beside frozen vectors of 300 numbers, with 25 tags."""
    config = TaggerConfig(vectors=3, embedding_size=300, characters=0, num_labels=25)
    net = TaggerForTokenClassification(config)
    counts = {name: sum(w.numel() for w in part.parameters()) for name, part in net.named_modules()}
    assert counts["tagger.projection"] == 300 * 128
    assert counts["tagger.layers.0.attention"] == 4 * 128 * 128
    assert counts["tagger.layers.0"] == 4 * 128 * 128 + 2 * (128 * 128 + 128) + 2 * 256
    assert counts["output"] == 128 * 25 + 25
    assert counts[""] - counts["tagger.embedding"] == 38_400 + 99_072 + 256 + 3_225 == 140_953
    assert sum(w.numel() for w in Spelled(TaggerConfig(vectors=3)).parameters()) == 3 * 50 + 4096 * 50


def test_attention_by_hand() -> None:
    """One head of two numbers, x = (1, 0), (0, 1): scores x x' / sqrt 2; padding is not seen."""
    attention = Attention(TaggerConfig(hidden_size=2, heads=1, dropout=0.0), 0).eval()
    for weight in attention.parameters():
        nn.init.eye_(weight)
    x = torch.tensor([[[1.0, 0], [0, 1], [5, 5]]])
    visible = torch.tensor([True, True, False])[None, None, None].expand(-1, -1, 3, -1)
    own = math.exp(2**-0.5) / (math.exp(2**-0.5) + 1)
    mixed = attention(x, visible)
    assert torch.allclose(mixed[0, 0], torch.tensor([own, 1 - own]), atol=1e-6)


def test_a_layer_adds_to_what_it_is_given() -> None:
    """Weights of zero hand the input on as it is: the norms stand inside."""
    layer = Layer(TaggerConfig(hidden_size=4, heads=1), 0).eval()
    for name, weight in layer.named_parameters():
        if "before" not in name:
            nn.init.zeros_(weight)
    x = torch.randn(1, 3, 4)
    assert torch.equal(layer(x, torch.ones(1, 1, 3, 3, dtype=torch.bool)), x)


def test_places_are_sinusoids() -> None:
    places = sinusoids(3, 4, torch.zeros(1))
    assert torch.allclose(places[0], torch.tensor([0.0, 0, 1, 1]))
    wanted = [math.sin(2), math.sin(2 / 100), math.cos(2), math.cos(2 / 100)]
    assert torch.allclose(places[2], torch.tensor(wanted))


def test_pieces_are_told_by_their_vector_and_their_characters() -> None:
    """Forms that differ in case share all but the bucket of their shape."""
    low, high, other = (spelled(piece, 4096) for piece in ("rates", "Rates", "plates"))
    assert len(low) == FEATURES and low[:4] == high[:4] and low[4] != high[4]
    assert low[:2] == other[:2] and not {*low[2:4]} & {*other[2:4]} and low[4] == other[4]
    table = Spelled(TaggerConfig(vocab_size=2, vectors=1, embedding_size=2, characters=1, buckets=4096))
    table.spelling.copy_(torch.tensor([low, high]))
    vectors = table(torch.tensor([0, 1]))
    assert torch.equal(vectors[0, :2], vectors[1, :2]) and vectors.shape == (2, 3)
    assert torch.allclose(vectors[0, 2], table.characters.weight[low].sum())


def test_padding_changes_nothing() -> None:
    net = net_of(layers=2)
    alone = net(torch.tensor([[1, 2, 3]])).logits
    padded = net(torch.tensor([[1, 2, 3, 0]]), attention_mask=torch.tensor([[1, 1, 1, 0]])).logits
    assert torch.allclose(alone, padded[:, :3], atol=1e-6)


def test_pieces_of_a_word_are_one_word() -> None:
    """The same as one piece whose vector is their sum: in one place, seen once, with one answer."""
    net = net_of(characters=0)
    table = net.tagger.embedding
    table.goes_on[5] = True
    with torch.no_grad():
        table.weight[6] = table.weight[2] + table.weight[5]
    parts, whole = net(torch.tensor([[1, 2, 5, 3]])).logits, net(torch.tensor([[1, 6, 3]])).logits
    assert torch.allclose(parts[:, [0, 1, 3]], whole, atol=1e-6)
    assert torch.equal(parts[:, 1], parts[:, 2])
    ids, mask = torch.tensor([[1, 2, 5, 3]]), torch.tensor([[1, 1, 0, 1]])
    less = net(ids, attention_mask=mask).logits
    assert torch.allclose(less[:, [0, 1, 3]], net(torch.tensor([[1, 2, 3]])).logits, atol=1e-6)


def test_a_word_in_pieces_that_is_taken_away_moves_no_other(tmp_path: Path) -> None:
    """ "the keepers said": without its second word, the last one stands where it stood."""
    model = load(save_tagger(tmp_path / "net"))
    sides = sides_for(model, ["the keepers said a book"])
    words = sides.segments[0].word
    assert words.tolist() == [0, 1, 1, 2, 3, 4]
    gone = torch.from_numpy(words == 1)[None, None]
    found = without_sets(ask(model, sides, [0], [3]), gone, "mask")[0, 0]
    ids = sides.inputs["input_ids"][:, [0, 1, 3, 4, 5]].clone()
    ids[0, 1] = model.tokenizer.unk_token_id
    with torch.no_grad():
        wanted = model.module(ids).logits[0, 2].double().log_softmax(-1)
    assert torch.allclose(found, wanted, atol=1e-6)


def test_it_is_heard_and_frozen_maps_are_used() -> None:
    """Other maps give other answers, and then queries and keys get no gradient."""
    net = net_of()
    few = {"input_ids": torch.tensor([[1, 2, 3]]), "attention_mask": torch.tensor([[1, 1, 0]])}
    sites, recorder = find_sites(net, few), Recorder()
    with torch.no_grad(), attach(net, sites, [recorder]):
        net(**few)
    ((site, maps),) = recorder.maps.items()
    assert (site.stack, site.heads, site.causal) == ("encoder", 2, False)
    assert torch.allclose(maps[0].sum(-1), torch.ones(1, 2, 3)) and not maps[0][..., 2].any()

    heads = [Head("encoder", 0, index) for index in range(2)]
    answers = []
    for given in (torch.eye(3), torch.full((3, 3), 1 / 3)):
        with attach(net, sites, edits=[Freeze(dict.fromkeys(heads, given))]):
            answers.append(net(**few).logits)
    assert not torch.allclose(*answers)
    answers[0].sum().backward()
    attention = net.tagger.layers[0].attention
    assert not attention.query.weight.grad.any() and not attention.key.weight.grad.any()
    assert attention.value.weight.grad.any()


def test_it_learns_which_word_came_before() -> None:
    """A tag that only the neighbour decides: right after a few seconds, also on texts that were not shown."""
    net = net_of(embedding_size=16, characters=0, hidden_size=32).train()
    texts = torch.randint(1, 9, (400, 8))
    tags = (texts.roll(1, 1) > 4).long()
    optimiser = torch.optim.Adam(net.parameters(), 1e-2)
    for step in range(150):
        some = slice(start := step % 6 * 50, start + 50)
        logits = net(texts[some]).logits[:, 1:]
        optimiser.zero_grad()
        nn.functional.cross_entropy(logits.flatten(0, 1), tags[some, 1:].flatten()).backward()
        optimiser.step()
    right = net.eval()(texts[300:]).logits.argmax(-1) == tags[300:]
    assert right[:, 1:].float().mean() > 0.95


def test_a_folder_is_a_model_and_has_a_random_twin(tmp_path: Path) -> None:
    model = load(save_tagger(tmp_path / "net"))
    assert (model.shape, model.stacks(), len(model.heads())) == ("encoder", ["encoder"], 4)
    assert (model.notes, model.sees_padding) == ([], False)
    table = model.module.tagger.embedding
    assert table.row.any() and table.spelling.any(), "which lie in the folder"
    twin = random_twin(model, 1)
    assert fingerprint(twin.module) == fingerprint(random_twin(model, 1).module)
    again = twin.module.tagger
    assert torch.equal(again.embedding.row, table.row) and torch.equal(again.embedding.weight, table.weight)
    assert not torch.equal(again.projection.weight, model.module.tagger.projection.weight)
