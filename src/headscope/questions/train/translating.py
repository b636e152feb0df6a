"""The net that is to be trained to translate: its vocabulary of both languages, its configuration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch

from headscope.errors import OptionError
from headscope.models import Model, load
from headscope.models.bilingual import bilingual_pieces, bilingual_words
from headscope.models.devices import device_here
from headscope.models.load import on_core, without_attention
from headscope.models.places import quiet
from headscope.nets.seq2seq import Seq2seqConfig, Seq2seqForConditionalGeneration
from headscope.nets.translator import PLACES, translator
from headscope.questions.train.options import SEQ2SEQ, TRANSLATOR, Options
from headscope.text import Corpus

WIDTH = 128


@dataclass(frozen=True)
class Bilingual:
    """All that a net for translation is made from; a seed gives the rest."""

    options: Options
    tokenizer: Any
    kind: ClassVar[str] = "translation"
    labels: ClassVar[Sequence[str]] = ()
    digest: ClassVar[None] = None
    freezes: ClassVar[bool] = False

    @classmethod
    def of(cls, options: Options, train: Corpus) -> Bilingual:
        """Read the words of both sides of the training data."""
        pieces = options.chosen("pieces")
        if options.net == TRANSLATOR and pieces > PLACES:
            raise OptionError(f"--pieces {pieces}: translator has places for {PLACES} pieces")
        sources, targets = (list(_texts(train, side)) for side in ("text", "target"))
        size = options.chosen("subwords")
        if size:
            return cls(options, bilingual_pieces(sources, targets, size, options.lower))
        return cls(options, bilingual_words(sources, targets, options.chosen("least"), options.lower))

    @property
    def name(self) -> str:
        """What its run folder is called after."""
        return f"{self.options.net}-{self.options.chosen('hidden')}"

    @property
    def width(self) -> int:
        return (self.options.width or WIDTH) if self.options.net == SEQ2SEQ else self.options.chosen("hidden")

    def build(self, seed: int) -> Model:
        """A model before training; neither the number of models nor torch's random state changes it."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = self._module(len(self.tokenizer))
        here = module.to(device_here(self.options.device)).eval()
        if self.options.attention == "none":
            return without_attention(here, self.tokenizer, self.name)
        return on_core(here, self.tokenizer, self.name, "memory", None, [])

    def read(self, folder: Path, device: str) -> Model:
        """A model as it was saved."""
        if self.options.attention != "none":
            return load(folder, device=device)
        with quiet():
            module = Seq2seqForConditionalGeneration.from_pretrained(folder)
        return without_attention(module.to(device_here(device)).eval(), self.tokenizer, self.name)

    def _module(self, pieces: int) -> Any:
        options, hidden = self.options, self.options.chosen("hidden")
        if options.net != SEQ2SEQ:
            return translator(
                options.family,
                pieces,
                hidden=hidden,
                layers=options.chosen("layers"),
                heads=options.heads,
                dropout=options.dropout,
            )
        config = Seq2seqConfig(
            vocab_size=pieces,
            embedding_size=self.width,
            encoder_size=hidden // 2,
            hidden_size=hidden,
            attention=options.chosen("attention"),
            values=options.values,
            softmax=options.softmax,
            dropout=options.dropout,
        )
        return Seq2seqForConditionalGeneration(config)

    def notes(self) -> list[str]:
        """What a reader must know of words and vectors."""
        what = "subwords" if self.options.chosen("subwords") else "words"
        return [f"{len(self.tokenizer):,} {what} of both languages are known; their vectors are trained, too"]


def _texts(corpus: Corpus, side: str) -> Iterator[str]:
    return (text for document in corpus if (text := getattr(document, side)))
