"""The net that is to be trained: its configuration, its vocabulary, its word vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from headscope.errors import InputError, OptionError
from headscope.models import Model, load
from headscope.models.devices import device_here
from headscope.models.load import on_core, without_attention
from headscope.models.places import quiet
from headscope.models.vocabulary import GOES_ON, count_written
from headscope.nets.disan import (
    DisanConfig,
    DisanForCausalLM,
    DisanForSequenceClassification,
    DisanForTokenClassification,
)
from headscope.nets.han import HanConfig, HanForSequenceClassification
from headscope.nets.pooled import WINDOWS, PooledConfig, PooledForSequenceClassification
from headscope.nets.tagger import TaggerConfig, TaggerForTokenClassification, spelled
from headscope.probes.vectors import (
    INSTALL,
    Vectors,
    digest_vectors,
    find_vectors,
    first_words,
    read_vectors,
    width_of,
)
from headscope.questions.train.options import GLOVE, HAN, RANDOM, TAGGER, Options
from headscope.questions.train.words import Words
from headscope.tasks.purposes import remember_training
from headscope.text import Corpus
from headscope.text.sentences import TOLD, Splitting, splitting_of

WIDTH = 50
DISAN: dict[str, Any] = {
    "classification": DisanForSequenceClassification,
    "pairs": DisanForSequenceClassification,
    "tagging": DisanForTokenClassification,
    "causal": DisanForCausalLM,
}


@dataclass(frozen=True)
class Blueprint:
    """All that a net is made from; a seed gives the rest.

    vectors: None for random ones. digest: of their file. splitting: into the sentences that han reads.
    """

    options: Options
    kind: str
    labels: Sequence[str]
    words: Words
    vectors: Vectors | None
    digest: str | None
    width: int
    splitting: Splitting | None = None

    @classmethod
    def of(cls, options: Options, kind: str, labels: Sequence[str], train: Corpus) -> Blueprint:
        """Read the words of the training data and their vectors."""
        _check(options, kind)
        texts = (text for document in train for text in (document.text, document.second) if text)
        place = _place(options)
        width = (options.width or WIDTH) if place is None else width_of(place, options.width)
        words, vectors = (_spelled if options.net == TAGGER else _whole)(options, texts, place)
        digest = None if place is None else digest_vectors(place)
        splitting = options.sentences or (splitting_of(train) if options.net == HAN else None)
        return cls(options, kind, labels, words, vectors, digest, width, splitting)

    @property
    def name(self) -> str:
        """What its run folder is called after."""
        return f"{self.options.net}-{self.hidden}"

    @property
    def hidden(self) -> int:
        hidden: int = self.options.chosen("hidden")
        return hidden

    @property
    def freezes(self) -> bool:
        """Whether word vectors stay: as was asked, or those that tagger has read; random ones say nothing."""
        asked = self.options.freeze_vectors
        return self.options.net == TAGGER and self.vectors is not None if asked is None else asked

    @property
    def attends_not(self) -> bool:
        """Whether something simpler stands in the place of attention."""
        return self.options.pooling != "attention"

    def build(self, seed: int) -> Model:
        """A model before training; neither the number of models nor torch's random state changes it."""
        tokenizer = self.words.tokenizer(self.kind == "pairs", self.splitting)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = self._module(len(tokenizer))
        if self.vectors is not None:
            with torch.no_grad():
                drawn = torch.from_numpy(self.vectors.drawn(list(self.words.names), seed))
                module.get_input_embeddings().weight.copy_(drawn)
                if self.words.pieces is not None:  # a net that spells knows the unknown word by its spelling
                    module.get_input_embeddings().weight[1] = 0.0
        if self.options.net == TAGGER:
            self._spell(module.get_input_embeddings(), tokenizer)
        here = module.to(device_here(self.options.device)).eval()
        model = (
            without_attention(here, tokenizer, self.name)
            if self.attends_not
            else on_core(here, tokenizer, self.name, "memory", None, [])
        )
        remember_training(model, self.kind)
        return model

    def read(self, folder: Path, device: str) -> Model:
        """A model as it was saved."""
        if not self.attends_not:
            return load(folder, device=device)
        with quiet():
            module = HanForSequenceClassification.from_pretrained(folder)
        tokenizer = self.words.tokenizer(False, self.splitting)
        return without_attention(module.to(device_here(device)).eval(), tokenizer, self.name)

    def _module(self, pieces: int) -> Any:
        options = self.options
        shared: dict[str, Any] = {
            "vocab_size": pieces,
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
        if options.net == TAGGER:
            sizes = {"vectors": len(self.words.names) + 2, "characters": options.characters}
            config = TaggerConfig(**shared, **sizes, layers=options.chosen("layers"), heads=options.heads)
            return TaggerForTokenClassification(config)
        if options.net == "disan":
            return DISAN[self.kind](DisanConfig(**shared, layers=options.chosen("layers")))
        if options.net == HAN:
            return HanForSequenceClassification(HanConfig(**shared, pooling=options.pooling))
        pooled = PooledConfig(**shared, encoder=options.encoder, attention=options.chosen("attention"))
        return PooledForSequenceClassification(pooled)

    def _spell(self, table: Any, tokenizer: Any) -> None:
        """Tell a table of embeddings which vector each piece has, and how it is spelled."""
        buckets = table.characters.num_embeddings if table.characters is not None else 1
        pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
        table.row.copy_(torch.from_numpy(self.words.rows()))
        table.spelling.copy_(torch.tensor([spelled(piece, buckets) for piece in pieces]))
        table.goes_on.copy_(torch.tensor([piece.startswith(GOES_ON) for piece in pieces]))

    def notes(self) -> list[str]:
        """What a reader must know of words, vectors and sentences."""
        return [*self._about_words(), *([] if self.splitting is None else [TOLD[self.splitting]])]

    def _about_words(self) -> list[str]:
        words, least = f"{len(self.words.names):,} words are known", self.options.chosen("least")
        if self.words.pieces is not None:
            words += f", in {len(self.words.pieces):,} forms and pieces"
        elif least > 1:
            words += (
                f", those that the training data have at least {least} times (--least), "
                f"{self.words.known():.1%} of their running words"
            )
        frozen = "not trained" if self.freezes else "trained, too"
        if self.vectors is None:
            return [f"{words}; their vectors of {self.width} numbers are random at first, and {frozen}"]
        share = f"{self.vectors.coverage(self.words.counts):.1%} of the running words of the training data"
        return [f"{words}; {share} have a vector of {self.vectors.name}, which is {frozen}"]


def _whole(options: Options, texts: Iterable[str], place: Path | None) -> tuple[Words, Vectors | None]:
    """Words of the training data alone."""
    words = Words.whole(texts, options.chosen("least"), options.lower)
    return words, None if place is None else read_vectors(place, dict.fromkeys(words.names))


def _spelled(options: Options, texts: Iterable[str], place: Path | None) -> tuple[Words, Vectors | None]:
    """Words of the training data, and the first ones of the vectors."""
    counts = count_written(texts)
    more = [] if place is None else first_words(place, options.added)
    more = list(count_written(more))  # as they would be read in a text
    asked = {word.lower() if options.lower else word for word in counts}
    vectors = None if place is None else read_vectors(place, asked.union(more))
    return Words.spelled(counts, options.chosen("least"), options.lower, vectors, more), vectors


def _check(options: Options, kind: str) -> None:
    """Refuse sizes that cannot be dealt out evenly, and data of another kind than a net can learn."""
    hidden = options.hidden
    if options.encoder == "cnn" and hidden is not None and hidden % len(WINDOWS):
        raise OptionError(
            f"--hidden {hidden}: filters of cnn are dealt out to {len(WINDOWS)} sizes of windows; "
            f"give a multiple of {len(WINDOWS)}"
        )
    if options.net == TAGGER and kind != "tagging":
        raise InputError(f"tagger has an answer for each word, so it wants words with tags, not {kind}")
    if options.net == HAN and kind != "classification":
        raise InputError(f"han has one answer for a text, so it wants texts with labels, not {kind}")


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
