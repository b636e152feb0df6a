"""Counting by blocks of documents: by hand on planted attention, and by brute force on random attention."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
import xarray as xr

from headscope.blocks import block_of
from headscope.questions.syntax.analysis import Syntax
from headscope.results.vocabulary import READINGS
from headscope.text import Segment
from tests.tree_counts import brute_force, counted, looking, segment
from tests.trees import document

SLEEP = document("sleep", "Now>3:advmod he>3:nsubj sleeps>0:root well>3:advmod .>3:punct")
SHIPS = document("ships", "The>2:det ships>3:nsubj pass>0:root")
NAMES = {"advmod": "advmod", "nsubj": "nsubj", "det": "det"}


@pytest.fixture(scope="module")
def planted() -> xr.Dataset:
    """One head: in `sleep` all look at sleeps and it at well; in `ships` all look at the next word."""
    texts = [segment(SLEEP, [1, 2, 1, 1, 1]), segment(SHIPS)]
    return counted(Syntax(NAMES, reach=2), [(texts, looking(texts, [[2, 2, 3, 2, 2], [1, 2, -1]], 0.25))])


def test_what_the_head_is_right_in(planted: xr.Dataset) -> None:
    right = planted["right"].sum("block").sel(head="L0H0", relation=["advmod", "det", "nsubj"])
    # both adverbs and both subjects and the article look at their heads
    assert right.sel(reading="dep->head").values.tolist() == [2, 1, 2]
    # who looks most at Now? nobody. At he? nobody. At well? sleeps. At The? nobody. At ships? The.
    assert right.sel(reading="head<-dep").values.tolist() == [1, 0, 0]
    # sleeps looks at well, an adverb of its own; ships at pass; pass at nothing
    assert right.sel(reading="head->dep").values.tolist() == [1, 0, 0]


def test_out_of_how_many(planted: xr.Dataset) -> None:
    count = planted["count"].sum("block").sel(relation=["advmod", "det", "nsubj"])
    assert count.sel(reading="dep->head").values.tolist() == [2, 1, 2]
    assert count.sel(reading="head<-dep").values.tolist() == [2, 1, 2]
    assert count.sel(reading="head->dep").values.tolist() == [1, 1, 2]
    assert planted["pairs"].sel(relation="advmod").values.tolist() == [2, 1]
    assert planted.attrs == {"documents": 2, "words": 8}


def test_offsets(planted: xr.Dataset) -> None:
    offsets = planted["offset_right"].sum("block").sel(reading="dep->head")
    assert planted["offset"].values.tolist() == [-2, -1, 1, 2]
    # Now +2, he +1, well -1; The +1, ships +1
    assert offsets.sel(relation="advmod").values.tolist() == [0, 1, 0, 1]
    assert offsets.sel(relation="nsubj").values.tolist() == [0, 0, 2, 0]
    assert offsets.sel(relation="det").values.tolist() == [0, 0, 1, 0]
    # a head word whose neighbour at the offset is its dependent: sleeps +1, sleeps -2
    back = planted["offset_right"].sum("block").sel(reading="head->dep", relation="advmod")
    assert back.values.tolist() == [1, 0, 1, 0]


def test_offsets_kept_inside_the_sentence(planted: xr.Dataset) -> None:
    inside = planted["inside_right"].sum("block").sel(reading="dep->head")
    # ships +2 is now pass, the last word, and The -2 and -1 are ships, the word beside it
    assert inside.sel(relation="nsubj").values.tolist() == [0, 0, 2, 1]
    assert inside.sel(relation="det").values.tolist() == [1, 1, 1, 0]
    assert inside.sel(relation="advmod").values.tolist() == [0, 1, 0, 1]


def test_blocks_are_those_of_the_documents(planted: xr.Dataset) -> None:
    words = planted["count"].sel(reading="dep->head").sum("relation").values
    assert {block: int(words[block]) for block in np.flatnonzero(words)} == {
        block_of("sleep"): 3,
        block_of("ships"): 2,
    }
    subjects = planted["right"].sel(reading="dep->head", relation="nsubj", head="L0H0").values
    assert subjects[block_of("sleep")] == subjects[block_of("ships")] == 1


def test_attention_to_special_tokens(planted: xr.Dataset) -> None:
    """A quarter from every word, but all from `pass`, which looks at nothing else."""
    special = planted["special"].sel(head="L0H0")
    assert special.sel(relation="advmod").values.tolist() == [0.5, 0.25]  # two adverbs, one verb
    assert special.sel(relation="nsubj").values.tolist() == [0.5, 1.25]  # sleeps and pass
    assert special.sel(relation="det").values.tolist() == [0.25, 0.25]
    assert planted["special_all"].values.tolist() == [7 * 0.25 + 1]


def test_one_shard_counts_its_documents() -> None:
    """Also a document without a word that counts, and one that comes in two batches."""
    root = document("root", "Ships>0:root")
    batches = [([segment(one)], looking([segment(one)], [[-1] * 5])) for one in (SHIPS, root, SHIPS)]
    found = counted(Syntax(NAMES), batches)
    assert found.attrs == {"documents": 2, "words": 7}
    assert found["count"].sum().item() == 4 + 4 + 4


def test_a_word_without_pieces_is_no_word() -> None:
    text = segment(SLEEP, [1, 0, 1, 1, 0])
    found = counted(Syntax(NAMES), [([text], looking([text], [[2, 2, 0, 2, 2]], 0.5))])
    assert found.attrs["words"] == 3
    assert found["pairs"].sel(relation="nsubj").values.tolist() == [0, 0]
    assert found["special_all"].values.tolist() == [1.5]
    # its place still counts for the offsets: Now is two before sleeps
    near = found["offset_right"].sum("block").sel(relation="advmod", reading="dep->head")
    assert near.sel(offset=2).item() == 1


def test_possessors_are_asked_through_their_mark_by_heads_and_offsets() -> None:
    text = segment(document("d", "Anna>3:nmod:poss 's>1:case dog>4:nsubj barks>0:root"))
    maps = looking([text], [[3, 2, 0, 2]])
    plain, asked = (
        counted(Syntax({"nmod:poss": "poss"}, 2, possessive), [([text], maps)]).sum("block").isel(relation=0)
        for possessive in (False, True)
    )
    assert plain["right"].values.tolist() == [[0, 1, 1]] and asked["right"].values.tolist() == [[1, 0, 1]]
    dep_to_head = {"reading": "dep->head"}
    assert plain["offset_right"].sel(dep_to_head).values.tolist() == [0, 0, 0, 1]
    assert asked["offset_right"].sel(dep_to_head).values.tolist() == [0, 0, 1, 0]


LABELS = ("det", "nsubj", "obj", "punct")


def random_tree(id: str, words: int, draw: np.random.Generator) -> Segment:
    """Every word but the first hangs on an earlier one, then their order is shuffled; some have no piece."""
    order = draw.permutation(words)
    heads = np.zeros(words, int)
    for place in range(1, words):
        heads[order[place]] = order[draw.integers(place)] + 1
    arcs = (f"w>{head}:{draw.choice(LABELS) if head else 'root'}" for head in heads)
    return segment(document(id, " ".join(arcs)), draw.choice([0, 1, 1, 2, 3], words))


def random_maps(texts: list[Segment], heads: int, causal: bool, draw: np.random.Generator) -> torch.Tensor:
    longest = max(len(text) for text in texts)
    scores = torch.from_numpy(draw.normal(0, 2, (len(texts), heads, longest, longest)))
    for row, text in enumerate(texts):
        scores[row, :, :, len(text) :] = -torch.inf
    if causal:
        scores = scores.masked_fill(torch.ones(longest, longest).triu(1).bool(), -torch.inf)
    return torch.softmax(scores, -1).float()


NAMED = {"det": "det", "nsubj": "nsubj", "obj": "obj"}


@pytest.mark.parametrize("causal", [False, True])
def test_random_trees_and_maps_against_brute_force(causal: bool) -> None:
    draw = np.random.default_rng(5)
    heads = 3
    batches, expected = [], [Counter() for _ in range(heads)]
    for number in range(12):
        texts = [random_tree(f"d{number}-{one}", int(draw.integers(1, 12)), draw) for one in range(4)]
        maps = random_maps(texts, heads, causal, draw)
        batches.append((texts, maps))
        for head in range(heads):
            for text, weights in zip(texts, maps[:, head].double().numpy(), strict=True):
                expected[head] += brute_force(text, weights, NAMED, causal)
    found = counted(Syntax(NAMED, reach=3), batches, causal).sum("block")
    assert sum(expected[0].values()) > 200
    for head, of_head in enumerate(expected):
        for relation in NAMED:
            for reading in READINGS:
                at = {"relation": relation, "reading": reading}
                assert found["right"].sel(at).item(head) == of_head["right", relation, reading]
                assert found["count"].sel(at).item() == of_head["count", relation, reading]


def test_of_equals_the_first_is_chosen() -> None:
    """Weights in eighths, which tie often, over words of one piece each, so that no rounding parts them."""
    draw = np.random.default_rng(7)
    texts = [segment(random_tree(f"d{number}", 6, draw).part) for number in range(40)]
    maps = torch.from_numpy(draw.integers(1, 4, (40, 2, 8, 8)) / 8).float()
    found = counted(Syntax(NAMED), [(texts, maps)]).sum("block")
    for head in range(2):
        expected: Counter[tuple[str, str, str]] = Counter()
        for text, weights in zip(texts, maps[:, head].numpy(), strict=True):
            expected += brute_force(text, weights, NAMED)
        for relation in NAMED:
            right = found["right"].sel(relation=relation, head=f"L0H{head}").values
            assert right.tolist() == [expected["right", relation, reading] for reading in READINGS]


def test_the_cut_into_batches_does_not_change_counts() -> None:
    draw = np.random.default_rng(6)
    texts = [random_tree(f"d{number}", int(draw.integers(1, 9)), draw) for number in range(10)]
    maps = random_maps(texts, 2, False, draw)
    whole = counted(Syntax(NAMED), [(texts, maps)])
    one_by_one = [([text], maps[n : n + 1, :, : len(text), : len(text)]) for n, text in enumerate(texts)]
    other = counted(Syntax(NAMED), one_by_one[::-1])
    for name in ("right", "offset_right", "inside_right", "count", "pairs"):
        assert np.array_equal(whole[name], other[name]), name
    assert np.allclose(whole["special"], other["special"], rtol=1e-12)
