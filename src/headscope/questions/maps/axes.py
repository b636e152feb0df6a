"""The axes of a map: which pieces they are, and which words those pieces make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headscope.errors import InputError
from headscope.heads import POOLS, Stack
from headscope.models import Model
from headscope.results.look import Axis
from headscope.text import Document, Segment, cut, piece_label
from headscope.text.alignment import number_all

WORD_STARTS = ("Ġ", "▁")
"""How byte-level and SentencePiece tokens begin that begin a word."""

BEGINNING = 3
"""Words of a sentence by which it is named."""


def read_axis(model: Model, segment: Segment) -> Axis:
    """The axis of a text, or of two, that the model reads."""
    second = None
    if len(segment.spans) > 1 and (segment.word >= segment.spans[1]).any():
        second = int(np.argmax(segment.word >= segment.spans[1]))
    return _axis(model, segment.pieces, segment.word, segment.words, second)


def axes_of(
    model: Model, stack: Stack, read: Axis, written: Axis, sentences: np.ndarray | None = None
) -> tuple[Axis, Axis]:
    """Queries and keys of a stack, given what the model reads, and what its decoder reads.

    sentences: (piece,) of what is read, where the model is told them.
    """
    if stack in POOLS:  # looks from texts, each as a whole, or from sentences
        texts = _named(["text", "second text"][: model.module.config.texts])
        if "document" not in model.stacks() or sentences is None:
            return texts, read
        parts = _named(_beginnings(read, sentences))
        return (parts, read) if stack == "pool" else (texts, parts)
    return read if stack == "encoder" else written, read if stack in ("encoder", "cross") else written


def _named(names: list[str]) -> Axis:
    """An axis of things that are no pieces."""
    return Axis(names, list(range(len(names))), names, [False] * len(names))


def _beginnings(read: Axis, sentences: np.ndarray) -> list[str]:
    """How each sentence begins, with its number."""
    names = []
    for number in range(int(sentences.max()) + 1):
        words = dict.fromkeys(read.words[place] for place in np.flatnonzero(sentences == number))
        shown = [read.names[word] for word in words]
        more = " …" if len(shown) > BEGINNING else ""
        names.append(f"{number}: {' '.join(shown[:BEGINNING])}{more}")
    return names


def written_axis(model: Model, segment: Segment, target: str | None, written: np.ndarray) -> Axis:
    """The axis of what a decoder reads: `written`, ids (piece,), begun by the text and perhaps continued.

    The words of the text come from its own alignment; those of generated pieces from their markers.
    """
    begun = segment
    if model.shape == "encoder-decoder":
        if target is not None:
            begun = _whole(target, model)
        word = np.concatenate([[-1], begun.word])
    else:
        word = begun.word
    known = min(len(word), len(written)) if _begins_with(written, begun, model) else 0
    words, names = list(word[:known]), list(begun.words) if known else []
    for piece in written[known:]:
        token = model.tokenizer.convert_ids_to_tokens(int(piece))
        if int(piece) in model.tokenizer.all_special_ids:
            words.append(-1)
            continue
        if not names or not words or words[-1] < 0 or token.startswith(WORD_STARTS):
            names.append("")
        words.append(len(names) - 1)
        names[-1] += piece_label(model.tokenizer, int(piece))
    return _axis(model, written, np.array(words), names)


def _whole(target: str, model: Model) -> Segment:
    for segment in cut(Document.from_text("target", target), model.tokenizer, 10**9, False):
        return segment
    raise InputError("the target text is empty: the tokenizer has no piece for any of its words")


def _begins_with(written: np.ndarray, begun: Segment, model: Model) -> bool:
    """Whether the written pieces start with the text (behind a start token) or are generated anew."""
    start = 1 if model.shape == "encoder-decoder" else 0
    common = min(len(written) - start, len(begun))
    return bool(np.array_equal(written[start : start + common], begun.pieces[:common]))


def _axis(
    model: Model, pieces: np.ndarray, word: np.ndarray, names: Sequence[str], second: int | None = None
) -> Axis:
    labels = [piece_label(model.tokenizer, int(piece)) for piece in pieces]
    numbers = number_all(word).tolist()
    # Typed into the text, a mask is one piece, though by its signs it is several words.
    typed = {*model.tokenizer.all_special_ids} - {model.tokenizer.unk_token_id}
    shown = [""] * (numbers[-1] + 1)
    for label, number, at, piece in zip(labels, numbers, word.tolist(), pieces.tolist(), strict=True):
        shown[number] = label if at < 0 or piece in typed else names[at]
    return Axis(labels, numbers, shown, (word < 0).tolist(), second)
