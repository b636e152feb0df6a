"""A tokenizer of whole words, with a vocabulary of a training text; the same one reads every file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import transformers
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

PAD, UNKNOWN = "[PAD]", "[UNK]"

_WORDS = r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+|[^\w\s]"
"""As in the Penn Treebank, `isn't` is `is` and `n't`, so that text is read alike before and after that."""

_LOWER = normalizers.Lowercase()
"""Python's own lower case is another one, at the end of Greek words for instance."""


def word_tokenizer(words: Sequence[str], *, lower: bool = True, types: bool = False) -> Any:
    """A tokenizer whose pieces are these words, in order, behind padding and one piece for all unknown words.

    types: whether it tells the two texts of a pair apart.

    >>> tokenizer = word_tokenizer(["is", "n't"])
    >>> tokenizer("ISN'T it?")["input_ids"]
    [2, 3, 1, 1]
    """
    pieces = dict.fromkeys((PAD, UNKNOWN, *words))
    inner = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(pieces)}, unk_token=UNKNOWN)
    )
    if lower:
        inner.normalizer = _LOWER
    inner.pre_tokenizer = _parts()
    inner.decoder = decoders.Fuse()
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token=PAD, unk_token=UNKNOWN, model_input_names=names
    )


def count_words(texts: Iterable[str], *, lower: bool = True) -> dict[str, int]:
    """How often each word stands in some texts, in the order in which they are met."""
    counts: dict[str, int] = {}
    parts = _parts()
    for text in texts:
        for word, _ in parts.pre_tokenize_str(_LOWER.normalize_str(text) if lower else text):
            counts[word] = counts.get(word, 0) + 1
    return counts


def _parts() -> Any:
    return pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex(_WORDS), "removed", invert=True)]
    )
