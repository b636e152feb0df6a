"""Tokenizers of words, with a vocabulary of a training text; the same one reads every file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import transformers
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from headscope.text.sentences import Splitting, telling_sentences

PAD, UNKNOWN = "[PAD]", "[UNK]"
GOES_ON = "##"
"""Begins a piece that goes on with a word."""

LONGEST, FREQUENT = 4, 10
"""Endings that are pieces: at most so many characters, of at least so many different words."""

_WORDS = r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+|[^\w\s]"
"""As in the Penn Treebank, `isn't` is `is` and `n't`, so that text is read alike before and after that."""

_WRITTEN = (
    r"\w+?(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|(?:\p{L}\.){2,}|\w+(?:(?:[-.,:&]|\\?/)\w+)*"
    r"|``|''|--|\.{3}|[^\w\s]"
)
"""The same, but `U.S.`, `1,000.5` and `trade-weighted` stay whole."""

_LOWER = normalizers.Lowercase()
"""Python's own lower case is another one, at the end of Greek words for instance."""

_DIGITS = normalizers.Replace(Regex(r"\d"), "0")
"""Numbers of as many digits are alike."""


def word_tokenizer(
    words: Sequence[str], *, lower: bool = True, types: bool = False, sentences: Splitting | None = None
) -> Any:
    """A tokenizer whose pieces are these words, in order, behind padding and one piece for all unknown words.

    types: whether it tells the two texts of a pair apart. sentences: how texts are parted into those that its
    model is told (`text.sentences`).

    >>> tokenizer = word_tokenizer(["is", "n't"])
    >>> tokenizer("ISN'T it?")["input_ids"]
    [2, 3, 1, 1]
    """
    inner = Tokenizer(models.WordLevel(_numbered(words), unk_token=UNKNOWN))
    if lower:
        inner.normalizer = _LOWER
    inner.decoder = decoders.Fuse()
    inner.pre_tokenizer = _parts(_WORDS)
    return _fast(inner, types, sentences)


def piece_tokenizer(pieces: Sequence[str]) -> Any:
    """A tokenizer that keeps case, takes every digit for 0, and reads other words in the longest pieces.

    >>> tokenizer = piece_tokenizer(["Nets", "000", "net", "##ted"])
    >>> tokenizer.tokenize("Nets netted 512")
    ['Nets', 'net', '##ted', '000']
    """
    inner = Tokenizer(
        models.WordPiece(_numbered(pieces), unk_token=UNKNOWN, continuing_subword_prefix=GOES_ON)
    )
    inner.normalizer = _DIGITS
    inner.decoder = decoders.WordPiece(prefix=GOES_ON)
    inner.pre_tokenizer = _parts(_WRITTEN)
    return _fast(inner, types=False)


def count_words(texts: Iterable[str], *, lower: bool = True) -> dict[str, int]:
    """How often each word of `word_tokenizer` stands in some texts, in the order in which they are met."""
    return _counted(texts, _LOWER if lower else normalizers.Sequence([]), _parts(_WORDS))


def count_written(texts: Iterable[str]) -> dict[str, int]:
    """The same of the words of `piece_tokenizer`, before it takes them to pieces.

    >>> count_written(["The U.S. isn't 2.5 times so well-off."])
    {'The': 1, 'U.S.': 1, 'is': 1, "n't": 1, '0.0': 1, 'times': 1, 'so': 1, 'well-off': 1, '.': 1}
    """
    return _counted(texts, _DIGITS, _parts(_WRITTEN))


def _counted(texts: Iterable[str], normalizer: Any, parts: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for text in texts:
        for word, _ in parts.pre_tokenize_str(normalizer.normalize_str(text)):
            counts[word] = counts.get(word, 0) + 1
    return counts


def parts_of_words(words: Iterable[str], more: str = "") -> list[str]:
    """Pieces for words that a vocabulary lacks: all characters of some words, and how many of them end.

    more: other characters that words may have; a word with any but these is wholly unknown.

    >>> parts_of_words(["owed", "sowed"])
    ['o', 'w', 'e', 'd', 's', '##o', '##w', '##e', '##d', '##s']
    """
    words = list(words)
    characters = list(dict.fromkeys("".join([*words, more])))
    endings = Counter(word[-size:] for word in words for size in range(2, LONGEST + 1) if len(word) > size)
    frequent = sorted(ending for ending, count in endings.items() if count >= FREQUENT)
    return [*characters, *(f"{GOES_ON}{part}" for part in (*characters, *frequent))]


def _numbered(pieces: Iterable[str]) -> dict[str, int]:
    return {piece: number for number, piece in enumerate(dict.fromkeys((PAD, UNKNOWN, *pieces)))}


def _fast(inner: Tokenizer, types: bool, sentences: Splitting | None = None) -> Any:
    """The tokenizer as transformers knows it."""
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if types or sentences else [])]
    telling = {} if sentences is None else telling_sentences(sentences)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token=PAD, unk_token=UNKNOWN, model_input_names=names, **telling
    )


def words_apart() -> Any:
    """What parts a text into the words of `word_tokenizer`."""
    return _parts(_WORDS)


def _parts(words: str) -> Any:
    return pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex(words), "removed", invert=True)]
    )
