"""Small treebanks written for these tests, and attention made by hand over their words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.analyses.syntax import Syntax
from headscope.attention import Heard, Site
from headscope.heads import Head, Stack
from headscope.text import Corpus, Dependencies, Document, Segment, sentences
from headscope.text.layers import ROOT


def document(id: str, *written: str) -> Document:
    """A document of sentences written as ``word>head:relation``; heads count from 1 in each, 0 is the root.

    >>> document("d", "ships>2:nsubj pass>0:root").dependencies.heads.tolist()
    [1, -1]
    """
    words, heads, relations, numbers = [], [], [], []
    for number, sentence in enumerate(written):
        base = len(words)
        for token in sentence.split():
            word, _, arc = token.rpartition(">")
            head, _, relation = arc.partition(":")
            words.append(word)
            heads.append(int(head) + base - 1 if int(head) else ROOT)
            relations.append(relation)
            numbers.append(number)
    nothing = ("",) * len(words)
    tree = Dependencies(np.array(heads), tuple(relations), np.array(numbers), nothing, nothing)
    return replace(Document.from_words(id, words), dependencies=tree)


def corpus(*documents: Document) -> Corpus:
    """A treebank in memory."""
    return Corpus("trees", "memory", lambda: list(documents))


def conllu(documents: Sequence[Document]) -> str:
    """The documents as a file in CoNLL-U."""
    return "".join(f"# newdoc id = {one.id}\n" + "".join(_lines(part) for _, part in sentences(one))
                   for one in documents)  # fmt: skip


def _lines(part: Document) -> str:
    tree = part.dependencies
    assert tree is not None
    rows = [
        "\t".join((str(word + 1), part.surface(word), "_", "X", "_", "_", str(head + 1), relation, "_", "_"))
        for word, (head, relation) in enumerate(zip(tree.heads.tolist(), tree.relations, strict=True))
    ]
    return "\n".join(rows) + "\n\n"


def segment(written: Document, sizes: Sequence[int] | None = None) -> Segment:
    """A sentence between two special pieces; `sizes` says how many pieces each word has, by default one."""
    ((_, part),) = sentences(written)
    words = tuple(part.surface(word) for word in range(len(part.words)))
    inside = np.repeat(np.arange(len(words)), [1] * len(words) if sizes is None else sizes)
    word = np.concatenate([[-1], inside, [-1]])
    return Segment(part.id, 0, np.arange(len(word)), None, word < 0, word, words, (0,), part=part)


def looking(
    segments: Sequence[Segment], targets: Sequence[Sequence[int]], special: float = 0.0
) -> torch.Tensor:
    """Attention (batch, 1, piece, piece) in which each word gives the rest of `special` to its target word.

    What is special goes to the first piece. A word with the target -1 gives everything there.
    """
    longest = max(len(one) for one in segments)
    weights = torch.zeros(len(segments), 1, longest, longest)
    for row, (one, wanted) in enumerate(zip(segments, targets, strict=True)):
        for query, word in enumerate(one.word.tolist()):
            target = -1 if word < 0 else wanted[word]
            keys = np.flatnonzero(one.word == target)
            if target < 0 or not len(keys):
                weights[row, 0, query, 0] = 1.0
            else:
                weights[row, 0, query, 0] = special
                weights[row, 0, query, keys] = (1 - special) / len(keys)
    return weights


@dataclass(frozen=True)
class OnlySites:
    """What counting asks of a model: where its heads are."""

    sites: Sequence[Site]

    def stacks(self) -> list[Stack]:
        return list(dict.fromkeys(site.stack for site in self.sites))

    def sites_of(self, stack: Stack, layers: Sequence[int] | None = None) -> list[Site]:
        return [one for one in self.sites if one.stack == stack and (layers is None or one.layer in layers)]

    def label(self, head: Head) -> str:
        return str(head)


def counted(
    analysis: Syntax, batches: Sequence[tuple[Sequence[Segment], torch.Tensor]], causal: bool = False
) -> xr.Dataset:
    """What the analysis makes of batches with attention (batch, head, piece, piece), all in one layer."""
    site = Site("encoder", 0, batches[0][1].shape[1], causal)
    setting = Setting(cast(Any, OnlySites([site])))
    work = analysis.work(setting)
    for segments, weights in batches:
        work.begin(cast(Any, SimpleNamespace(segments=list(segments))))
        work.hear(Heard(site, weights, torch.arange(weights.shape[-1]), None, None))
        work.end([one.document for one in segments])
    return analysis.arrays(work.tallies, setting)


NOUNS = ("keeper", "ship", "lighthouse", "book", "name", "night", "boats")
VERBS = ("passed", "wrote", "said", "sleeps", "saw")
ADJECTIVES = ("old", "small", "well-known")
ADVERBS = ("never", "here", "now")
ARTICLES = ("the", "a", "every")


def written_sentence(draw: random.Random) -> str:
    """A sentence of subject, verb, perhaps adverb and object, and a full stop, with its tree."""
    words: list[tuple[str, str, str]] = []  # word, relation, and the word that it hangs on

    def phrase(relation: str) -> None:
        noun = draw.choice(NOUNS)
        if draw.random() < 0.8:
            words.append((draw.choice(ARTICLES), "det", "noun"))
        words.extend((one, "amod", "noun") for one in draw.sample(ADJECTIVES, draw.choice((0, 0, 1, 2))))
        words.append((noun, relation, "verb"))

    phrase("nsubj")
    if draw.random() < 0.3:
        words.append((draw.choice(ADVERBS), "advmod", "verb"))
    verb = len(words)
    words.append((draw.choice(VERBS), "root", ""))
    if draw.random() < 0.8:
        phrase("obj")
    words.append((".", "punct", "verb"))
    nouns = [place for place, (_, relation, _) in enumerate(words) if relation in ("nsubj", "obj")]

    def head(place: int) -> int:
        kind = words[place][2]
        if kind == "noun":
            return min(noun for noun in nouns if noun > place) + 1
        return verb + 1 if kind else 0

    return " ".join(f"{word}>{head(place)}:{relation}" for place, (word, relation, _) in enumerate(words))


def treebank(documents: int, seed: int = 0) -> list[Document]:
    """Documents of one to five sentences each."""
    draw = random.Random(seed)
    return [
        document(f"d{number}", *(written_sentence(draw) for _ in range(draw.randint(1, 5))))
        for number in range(documents)
    ]
