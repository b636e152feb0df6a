"""Tokenizers of parallel text: words or subwords of both languages, with an end behind every text.

One vocabulary serves source and target. Pieces are numbered by how often targets have them, so that an
adaptive softmax finds the frequent ones first; words of sources alone come last.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from headscope.models.vocabulary import PAD, UNKNOWN, count_words, words_apart

END = "[END]"
SPECIAL = (PAD, UNKNOWN, END)
_SPACE = "▁"
"""How a subword that begins a word is marked."""


def bilingual_words(sources: Iterable[str], targets: Iterable[str], least: int, lower: bool) -> Any:
    """A tokenizer of words that sources or targets have at least so often.

    >>> tokenizer = bilingual_words(["ein hund", "ein Mann"], ["a dog", "a man"], 1, True)
    >>> tokenizer("Ein Hund!")["input_ids"], tokenizer.decode(tokenizer("a man")["input_ids"][:-1])
    ([6, 7, 1, 2], 'a man')
    """
    written, read = (_frequent(count_words(texts, lower=lower), least) for texts in (targets, sources))
    names = dict.fromkeys((*SPECIAL, *written, *read))
    inner = Tokenizer(models.WordLevel({name: place for place, name in enumerate(names)}, unk_token=UNKNOWN))
    if lower:
        inner.normalizer = normalizers.Lowercase()
    inner.pre_tokenizer = words_apart()
    return _ending(inner)


def bilingual_pieces(sources: Iterable[str], targets: Iterable[str], size: int, lower: bool) -> Any:
    """A tokenizer of so many subwords of both languages, the same ones for both (Sennrich et al. 2016).

    Words are parted from punctuation before, as those of `bilingual_words`, so decoded texts are alike.
    """
    texts = (list(sources), list(targets))
    normalizer = normalizers.Lowercase() if lower else None
    parts = pre_tokenizers.Sequence([words_apart(), pre_tokenizers.Metaspace(_SPACE, "always")])
    learned = Tokenizer(models.BPE(unk_token=UNKNOWN))
    learned.pre_tokenizer = parts
    if normalizer is not None:
        learned.normalizer = normalizer
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=list(SPECIAL), show_progress=False)
    learned.train_from_iterator(_alternating(*texts), trainer)
    inner = _renumbered(learned, texts[1])
    inner.decoder = decoders.Metaspace(_SPACE, "always")
    return _ending(inner)


def _renumbered(learned: Tokenizer, targets: list[str]) -> Tokenizer:
    """The same pieces, those that targets have most often first."""
    counts: dict[str, int] = dict.fromkeys(learned.get_vocab(), 0)
    for encoding in learned.encode_batch(targets, add_special_tokens=False):
        for piece in encoding.tokens:
            counts[piece] += 1
    ordered = sorted(
        (piece for piece in counts if piece not in SPECIAL), key=lambda piece: (-counts[piece], piece)
    )
    numbers = {piece: place for place, piece in enumerate((*SPECIAL, *ordered))}
    return Tokenizer.from_str(_with_vocabulary(learned.to_str(), numbers))


def _with_vocabulary(told: str, numbers: dict[str, int]) -> str:
    content = json.loads(told)
    content["model"]["vocab"] = numbers
    for token in content["added_tokens"]:
        token["id"] = numbers[token["content"]]
    return json.dumps(content)


def _frequent(counts: dict[str, int], least: int) -> list[str]:
    """Words that come at least so often, the most frequent first, ties in the order in which they are met."""
    return sorted((word for word, count in counts.items() if count >= least), key=lambda word: -counts[word])


def _alternating(*texts: list[str]) -> Iterator[str]:
    for some in texts:
        yield from some


def _ending(inner: Tokenizer) -> Any:
    """The tokenizer as transformers knows it, with an end behind each text."""
    number = inner.token_to_id(END)
    inner.post_processor = processors.TemplateProcessing(
        single=f"$A {END}", pair=f"$A {END} $B {END}", special_tokens=[(END, number)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token=PAD,
        unk_token=UNKNOWN,
        eos_token=END,
        model_input_names=["input_ids", "attention_mask"],
        clean_up_tokenization_spaces=False,
    )
