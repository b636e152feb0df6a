"""The net that is to be trained: its configuration, its vocabulary, its word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from headscope.errors import OptionError
from headscope.models import Model
from headscope.models.devices import device_here
from headscope.models.load import on_core
from headscope.models.vocabulary import count_words, word_tokenizer
from headscope.nets.disan import (
    DisanConfig,
    DisanForCausalLM,
    DisanForSequenceClassification,
    DisanForTokenClassification,
)
from headscope.nets.pooled import WINDOWS, PooledConfig, PooledForSequenceClassification
from headscope.probes.vectors import INSTALL, Vectors, digest_vectors, find_vectors, read_vectors, width_of
from headscope.questions.train.options import GLOVE, RANDOM, Options
from headscope.tasks.purposes import remember_training
from headscope.text import Corpus

WIDTH = 50
HIDDEN = {"disan": 50, "pooled": 64}
DISAN: dict[str, Any] = {
    "classification": DisanForSequenceClassification,
    "pairs": DisanForSequenceClassification,
    "tagging": DisanForTokenClassification,
    "causal": DisanForCausalLM,
}


@dataclass(frozen=True)
class Blueprint:
    """All that a net is made from; a seed gives the rest.

    words: in order, the vocabulary without padding and the unknown word. counts: how often each is met.
    vectors: None for random ones.
    """

    options: Options
    kind: str
    labels: Sequence[str]
    counts: dict[str, int]
    vectors: Vectors | None
    digest: str | None
    width: int

    @classmethod
    def of(cls, options: Options, kind: str, labels: Sequence[str], train: Corpus) -> Blueprint:
        """Read the words of the training data and their vectors."""
        _check_filters(options)
        texts = (text for document in train for text in (document.text, document.second) if text)
        counts = count_words(texts, lower=options.lower)
        counts = {word: count for word, count in counts.items() if count >= options.least}
        place = _place(options)
        width = (options.width or WIDTH) if place is None else width_of(place, options.width)
        vectors = None if place is None else read_vectors(place, counts.keys())
        return cls(
            options, kind, labels, counts, vectors, None if place is None else digest_vectors(place), width
        )

    @property
    def name(self) -> str:
        """What its run folder is called after."""
        return f"{self.options.net}-{self.hidden}"

    @property
    def hidden(self) -> int:
        return self.options.hidden or HIDDEN[self.options.net]

    def build(self, seed: int) -> Model:
        """A model before training; neither the number of models nor torch's random state changes it."""
        tokenizer = word_tokenizer(list(self.counts), lower=self.options.lower, types=self.kind == "pairs")
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = self._module(len(tokenizer))
        if self.vectors is not None:
            self._fill(module.get_input_embeddings().weight, self.vectors, seed)
        here = module.to(device_here(self.options.device)).eval()
        model = on_core(here, tokenizer, self.name, "memory", None, [])
        remember_training(model, self.kind)
        return model

    def _module(self, words: int) -> Any:
        options = self.options
        shared: dict[str, Any] = {
            "vocab_size": words,
            "embedding_size": self.width,
            "hidden_size": self.hidden,
            "dropout": options.dropout,
            "texts": 2 if self.kind == "pairs" else 1,
        }
        if self.labels:
            shared |= {
                "id2label": dict(enumerate(self.labels)),
                "label2id": {label: number for number, label in enumerate(self.labels)},
            }
        if options.net == "disan":
            return DISAN[self.kind](DisanConfig(**shared, layers=options.layers))
        config = PooledConfig(**shared, encoder=options.encoder, attention=options.attention)
        return PooledForSequenceClassification(config)

    def _fill(self, weight: torch.Tensor, vectors: Vectors, seed: int) -> None:
        """Known words get their vectors, others some of like length, drawn from the seed; padding zeros."""
        rows = vectors.rows(list(self.counts))
        known = vectors.table[1:]
        drawn = np.random.default_rng([seed, len(rows)]).normal(
            0.0, float(known.std()) if len(known) else 1.0, (len(rows) + 2, self.width)
        )
        drawn[0] = 0.0
        drawn[2:][rows > 0] = vectors.table[rows[rows > 0]]
        with torch.no_grad():
            weight.copy_(torch.from_numpy(drawn))

    def notes(self) -> list[str]:
        """What a reader must know of words and vectors."""
        words = f"{len(self.counts):,} words of the training data are known"
        if self.vectors is None:
            return [f"{words}; their vectors of {self.width} numbers are random"]
        share = f"{self.vectors.coverage(self.counts):.1%} of its running words"
        frozen = "not trained" if self.options.freeze_vectors else "trained, too"
        return [f"{words}; {share} have a vector of {self.vectors.name}, which is {frozen}"]


def _check_filters(options: Options) -> None:
    """Refuse filters that cannot be dealt out to windows evenly."""
    if options.encoder == "cnn" and options.hidden is not None and options.hidden % len(WINDOWS):
        raise OptionError(
            f"--hidden {options.hidden}: filters of cnn are dealt out to {len(WINDOWS)} sizes of windows; "
            f"give a multiple of {len(WINDOWS)}"
        )


def _place(options: Options) -> Path | None:
    """Where the vectors are; None for random ones."""
    if options.vectors == RANDOM:
        return None
    place = find_vectors(None if options.vectors in (None, GLOVE) else options.vectors)
    if place is None and options.vectors == GLOVE:
        raise OptionError(
            f"GloVe vectors are not installed; {INSTALL}, or give a file, or --vectors {RANDOM}"
        )
    if options.vectors is None and place is not None and options.width not in (None, width_of(place)):
        return None  # nobody asked for GloVe, and its vectors have another width
    return place
