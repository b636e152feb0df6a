"""Maps between words, by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.attention import Heard, Site
from headscope.measures.links import Grid
from headscope.questions.align.analysis import links_by
from headscope.questions.align.beside import diagonal, offset
from headscope.questions.align.maps import Pairing, maps_of
from headscope.text import Document, Paired, Segment
from tests.tokenizers import BUILDERS


def segment(word: list[int], target: list[int]) -> Segment:
    words = tuple(map(str, range(max(word) + 1)))
    others = tuple(map(str, range(max(target) + 1)))
    pieces = np.zeros(len(word), np.int64)
    return Segment(
        "d", 0, pieces, None, pieces < 0, np.array(word), words, (0,), np.zeros(len(target), np.int64),
        target_word=np.array(target), target_words=others,
    )  # fmt: skip


def test_words_are_read_where_they_are_written_and_where_they_are_read() -> None:
    # Source: two words, the first of two pieces, then a special one. Target: the second word has two pieces.
    batch = [segment([0, 0, 1, -1], [0, 1, 1, -1]), segment([0, -1], [0, -1])]
    pairing = Pairing.of(batch, torch.device("cpu"))
    rows = [[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.2], [0.1, 0.1, 0.7, 0.1], [0.0, 0.0, 0.2, 0.8]]
    weights = torch.tensor(rows)
    maps = torch.stack([weights, torch.eye(4)])[:, None]
    written = pairing.words(maps, "output")
    np.testing.assert_allclose(written[0, 0], [[0.3, 0.3], [(0.6 + 0.2) / 2, (0.2 + 0.7) / 2]], rtol=1e-6)
    read = pairing.words(maps, "input")  # one step later
    np.testing.assert_allclose(read[0, 0], [[0.6, 0.2], [(0.2 + 0.0) / 2, (0.7 + 0.2) / 2]], rtol=1e-6)
    # The other pair has one word on either side; what fills it up has nothing.
    assert written[1, 0].tolist() == [[1, 0], [0, 0]] and pairing.unread == 0


def test_a_word_that_no_step_reads_in_is_counted() -> None:
    assert Pairing.of([segment([0], [0, 1])], torch.device("cpu")).unread == 1


def test_rules() -> None:
    maps = torch.tensor([[[[0.2, 0.5, 0.3], [0.0, 0.0, 0.0]]]])
    sizes = torch.tensor([3])

    def linked(rule: str) -> list[list[bool]]:
        answer: list[list[bool]] = links_by(maps, rule, sizes)[0, 0].int().tolist()
        return answer

    assert linked("argmax") == [[0, 1, 0], [0, 0, 0]]
    assert linked("threshold 0.3") == [[0, 1, 1], [0, 0, 0]]
    assert linked("moved +1") == [[0, 0, 1], [0, 0, 0]] and linked("moved -2") == [[0, 0, 0], [0, 0, 0]]
    shorter = links_by(maps, "moved +1", torch.tensor([2]))
    assert not shorter.any()  # beyond the sentence there is no word


def test_layers_are_the_mean_of_their_weights() -> None:
    weights = torch.tensor([[[[1.0, 0.0]], [[0.5, 0.5]]]])
    heard = Heard(Site("cross", 0, 2), weights, torch.arange(1), None, None)
    maps = maps_of(None, heard, [1], "weights")  # type: ignore[arg-type]
    assert maps[0, :, 0].tolist() == [[0.5, 0.5], [0.75, 0.25]]


def test_fixed_links() -> None:
    grid = Grid.of([3, 2], [2, 3])
    assert diagonal(grid).astype(int).tolist() == [1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1]
    assert offset(grid, -1).astype(int).tolist() == [1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1]


@pytest.mark.parametrize("name", [name for name in BUILDERS if name != "gpt2"])
def test_pieces_of_targets_know_their_words(name: str) -> None:
    tokenizer = BUILDERS[name]()
    pair = Document.from_text("d", "The old lighthouse keeper", target="passed by! a small book")
    (cut,) = Paired(found=True)(pair, tokenizer, 128)
    assert isinstance(cut, Segment) and cut.target is not None and cut.target_word is not None
    assert cut.target.tolist() == tokenizer(text_target=pair.target)["input_ids"]
    assert cut.target_words == ("passed", "by", "!", "a", "small", "book")
    known = cut.target_word[cut.target_word >= 0]
    assert (np.diff(known) >= 0).all() and set(known.tolist()) == set(range(6))
