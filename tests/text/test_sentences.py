"""Sentences of a treebank as a model's inputs: nothing is cut off, and what is left out is counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from transformers import PreTrainedTokenizerBase

from headscope.text import Dependencies, Document, Segment, Sentences, Skipped, has_piece
from tests.trees import document

ZERO_WIDTH = "\u200b"  # a format character, which BERT's tokenizer drops


def parts(
    one: Document, tokenizer: PreTrainedTokenizerBase, pieces: int = 100, spaced: bool = True
) -> tuple[list[Segment], dict[str, int]]:
    """Segments, and skipped words by their reason."""
    found = list(Sentences(spaced)(one, tokenizer, pieces))
    skipped: dict[str, int] = {}
    for part in found:
        if isinstance(part, Skipped):
            skipped[part.reason] = skipped.get(part.reason, 0) + part.words
    return [part for part in found if isinstance(part, Segment)], skipped


def test_every_sentence_is_an_input_with_its_tree(tokenizer: PreTrainedTokenizerBase) -> None:
    two = document("d", "The>2:det ship>3:nsubj passed>0:root", "He>2:nsubj wrote>0:root")
    (first, second), skipped = parts(two, tokenizer)
    assert skipped == {}
    assert (first.words, second.words) == (("The", "ship", "passed"), ("He", "wrote"))
    assert first.part.dependencies.heads.tolist() == [1, 2, -1]
    assert second.part.dependencies.heads.tolist() == [1, -1]
    assert (first.document, first.index, second.document, second.index) == ("d", 0, "d", 1)
    for segment in (first, second):
        assert has_piece(segment).all() and (np.diff(segment.word[segment.word >= 0]) >= 0).all()
        assert (segment.word[segment.special] == -1).all() and (segment.word[~segment.special] >= 0).all()


def test_words_are_parted_by_spaces(wordpiece: PreTrainedTokenizerBase, tokenizers) -> None:
    glued = document("d", "can>3:aux not>3:advmod sleep>0:root !>3:punct")
    text = "cannot sleep!"
    as_written = replace(glued, text=text, words=((0, 3), (3, 6), (7, 12), (12, 13)))
    (apart,), _ = parts(as_written, tokenizers["gpt2"])
    assert apart.part.text == "can not sleep !"
    assert apart.pieces.tolist() == tokenizers["gpt2"]("can not sleep !")["input_ids"]
    (together,), _ = parts(as_written, tokenizers["gpt2"], spaced=False)
    assert together.pieces.tolist() == tokenizers["gpt2"](text)["input_ids"]
    # a tokenizer that parts at every sign of punctuation sees no difference there
    (one,), _ = parts(as_written, wordpiece)
    assert one.words == ("can", "not", "sleep", "!")


def test_a_sentence_that_is_too_long_is_left_out_whole(wordpiece: PreTrainedTokenizerBase) -> None:
    two = document("d", "a>0:root " + "a>1:det " * 8, "a>0:root a>1:det")
    segments, skipped = parts(two, wordpiece, pieces=10)
    assert [len(one.words) for one in segments] == [2]
    assert skipped == {"in a sentence of more than 10 pieces": 9}
    segments, skipped = parts(two, wordpiece, pieces=11)
    assert [len(one) for one in segments] == [11, 4] and skipped == {}


def test_words_without_pieces_and_their_dependents_are_counted(wordpiece: PreTrainedTokenizerBase) -> None:
    one = document(
        "d", f"The>2:det {ZERO_WIDTH}>4:nsubj {ZERO_WIDTH}>2:amod passed>0:root small>2:amod .>4:punct"
    )
    (segment,), skipped = parts(one, wordpiece)
    assert has_piece(segment).tolist() == [True, False, False, True, True, True]
    assert skipped == {
        "the tokenizer has no piece for the word": 2,
        "no piece for the word's head": 2,  # The and small; the amod without a piece is counted above
    }


def test_a_sentence_without_any_piece(wordpiece: PreTrainedTokenizerBase) -> None:
    segments, skipped = parts(document("d", f"{ZERO_WIDTH}>0:root {ZERO_WIDTH}>1:det"), wordpiece)
    assert segments == [] and skipped == {"the tokenizer has no piece for the word": 2}


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (3, 1)])
def test_heads_in_another_sentence_are_counted(
    wordpiece: PreTrainedTokenizerBase, sizes: tuple[int, int]
) -> None:
    """A layer may link sentences; within each of them such a head is out of reach."""
    size = sum(sizes)
    plain = Document.from_words("d", ["ship"] * size)
    heads = np.array([size - 1] * sizes[0] + [-1] * sizes[1])
    nothing = ("",) * size
    tree = Dependencies(heads, ("obj",) * size, np.repeat([0, 1], sizes), nothing, nothing)
    segments, skipped = parts(replace(plain, dependencies=tree), wordpiece)
    assert [len(one.words) for one in segments] == list(sizes)
    assert skipped == {"the word's head is in another sentence": sizes[0]}
