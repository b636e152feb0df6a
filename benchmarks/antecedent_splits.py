"""Why the baselines of coreference stand in their order: mentions by person and genre, counter-examples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import headscope
from benchmarks.rows import Row, told
from headscope.questions.coref.antecedents import BASELINES, links, picks, right
from headscope.text import Corpus, Document, Segment, Windows
from headscope.text.head_words import with_heads
from headscope.text.mentions import KINDS, Mentions, mentions_of, without_singletons

WINDOW = 128
SHOWN = 8
NOTHING = "anything"


def windows(corpus: Corpus) -> Iterator[Document]:
    """The parts of documents that are looked at, cut without regard to pieces."""
    tokenizer = headscope.load("default").tokenizer
    for document in corpus:
        ready = without_singletons(with_heads(document))
        for segment in Windows(WINDOW)(ready, tokenizer, 10**6):
            if isinstance(segment, Segment) and segment.part is not None:
                yield segment.part


def splits(corpus: Corpus) -> Iterator[Row]:
    """Accuracy of the baselines for pronouns of either person and other mentions, and in news."""
    sums: dict[str, np.ndarray] = {}
    entities = []
    for part in windows(corpus):
        mentions = mentions_of(part)
        scored = links(mentions).any(1)
        found = np.concatenate([np.ones((len(mentions), 1)), right(mentions, picks(mentions))], axis=1)
        entities += [len(np.unique(mentions.entity))] if scored.any() else []
        for name, chosen in _groups(part, mentions).items():
            sums[name] = sums.get(name, 0) + found[scored & chosen].sum(0)
    yield told("entities in a window, mean", float(np.mean(entities)))
    for name, total in sums.items():
        if total[0]:
            scores = "; ".join(
                f"{one} {100 * top / total[0]:.1f}" for one, top in zip(BASELINES, total[1:], strict=True)
            )
            yield told(f"{name}, {total[0]:,.0f} mentions", scores)


def _groups(part: Document, mentions: Mentions) -> dict[str, np.ndarray]:
    pronoun = mentions.kind == KINDS.index("pronoun")
    third = mentions.features[:, 0] == 3
    every = np.ones(len(mentions), dtype=bool)
    return {
        "pronouns of the first and second person": pronoun & ~third,
        "pronouns of the third person": pronoun & third,
        "all but pronouns": ~pronoun,
        "all mentions in news": every & ("_news_" in part.id),
    }


def breaking(corpus: Corpus, kind: str, weaker: str, stronger: str) -> list[str]:
    """Some mentions where a weaker baseline is right and a stronger one wrong."""
    found = [
        line
        for part in windows(corpus)
        for line in _breaking_in(part, kind, BASELINES.index(weaker), BASELINES.index(stronger))
    ]
    empty = sum(line.endswith(f"not {NOTHING}") for line in found)
    return [f"{len(found)} mentions; for {empty} of them {stronger} finds nothing", *found[:SHOWN]]


def _breaking_in(part: Document, kind: str, weaker: int, stronger: int) -> Iterator[str]:
    mentions = mentions_of(part)
    picked = picks(mentions)
    correct = right(mentions, picked)
    chosen = links(mentions).any(1) & correct[:, weaker] & ~correct[:, stronger]
    if kind != "all":
        chosen &= mentions.kind == KINDS.index(kind)
    for one in np.flatnonzero(chosen):
        words = [
            part.surface(word) if word >= 0 else NOTHING
            for word in (mentions.head[one], *picked[one, [weaker, stronger]])
        ]
        yield f"{part.id}: {words[0]} -> {words[1]}, not {words[2]}"
