"""Sentences written for these tests, with morphology and trees."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from headscope.blocks import BLOCKS, block_of
from headscope.questions.sentences.making.examples import SCORED, TRAIN, TUNED, Parts
from headscope.text import Dependencies, Document
from headscope.text.edges import Edge, Edges
from headscope.text.layers import ROOT
from headscope.text.readers.propbank import CONSTITUENTS


def parsed(id: str, written: str) -> Document:
    """A sentence written as ``word/UPOS/FEATS>head:relation``; UPOS and FEATS may be left out.

    >>> parsed("d", "She/PRON>2:nsubj came/VERB/Tense=Past|VerbForm=Fin>0:root").dependencies.feats
    ('', 'Tense=Past|VerbForm=Fin')
    """
    fronts, arcs = zip(*(token.rsplit(">", 1) for token in written.split()), strict=True)
    words, upos, feats = zip(*((*front.split("/"), "X", "")[:3] for front in _filled(fronts)), strict=True)
    heads, relations = zip(*(arc.split(":", 1) for arc in arcs), strict=True)
    places = np.array([int(head) - 1 if int(head) else ROOT for head in heads])
    marks, tags = np.zeros(len(words), np.int64), ("",) * len(words)
    tree = Dependencies(places, tuple(relations), marks, tags, upos, feats)
    return replace(Document.from_words(id, list(words)), dependencies=tree)


def _filled(fronts: tuple[str, ...]) -> list[str]:
    return [f"{front}/X/" if "/" not in front else f"{front}/" for front in fronts]


def phrased(id: str, written: str, *phrases: str) -> Document:
    """A sentence written as ``word/tag``, and its phrases as label, start and end: ``NP 0 2``."""
    words, tags = zip(*(token.split("/") for token in written.split()), strict=True)
    cells = [phrase.split() for phrase in phrases]
    edges = tuple(Edge(CONSTITUENTS, label, int(start), int(end)) for label, start, end in cells)
    layer = Edges(edges, np.zeros(len(words), np.int64))
    return replace(Document.from_words(id, list(words)), edges=layer, tags=tags)


def parts(train: tuple[str, ...], tune: tuple[str, ...] = (), score: tuple[str, ...] = ()) -> Parts:
    """Documents in their parts; those not named are to train on."""
    given = dict.fromkeys(range(BLOCKS), TRAIN)
    for names, part in ((tune, TUNED), (score, SCORED), (train, TRAIN)):
        given |= {block_of(name): part for name in names}
    return Parts(given)


def draw(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


NOUNS = (("keeper", "Sing"), ("ships", "Plur"), ("book", "Sing"), ("names", "Plur"), ("night", "Sing"))
VERBS = (("saw", "Past"), ("sees", "Pres"), ("wrote", "Past"), ("writes", "Pres"), ("passed", "Past"))


def conllu(documents: int, sentences: int, seed: int = 0) -> str:
    """A treebank with morphology: article, perhaps adjectives, subject, verb, object, adverbs, full stop."""
    draw = random.Random(seed)
    lines = []
    for number in range(documents):
        lines.append(f"# newdoc id = d{number}")
        for _ in range(sentences):
            lines += [*_rows(draw), ""]
    return "\n".join(lines) + "\n"


def _rows(draw: random.Random) -> list[str]:
    (subject, number), (verb, tense), (other, others) = map(draw.choice, (NOUNS, VERBS, NOUNS))
    words = [("the", "DET", "", "det", "subject")]
    words += [
        (one, "ADJ", "", "amod", "subject")
        for one in draw.sample(("old", "small", "pale"), draw.randint(0, 3))
    ]
    words.append((subject, "NOUN", f"Number={number}", "nsubj", "verb"))
    words.append((verb, "VERB", f"Tense={tense}|VerbForm=Fin", "root", ""))
    words += [("a", "DET", "", "det", "other"), (other, "NOUN", f"Number={others}", "obj", "verb")]
    words += [
        (one, "ADV", "", "advmod", "verb") for one in draw.sample(("here", "now", "then"), draw.randint(0, 3))
    ]
    words.append((".", "PUNCT", "", "punct", "verb"))
    relations = [relation for *_, relation, _ in words]
    places = {
        "subject": relations.index("nsubj") + 1,
        "verb": relations.index("root") + 1,
        "other": relations.index("obj") + 1,
        "": 0,
    }
    return [
        "\t".join((str(place), word, "_", upos, "_", feats or "_", str(places[head]), relation, "_", "_"))
        for place, (word, upos, feats, relation, head) in enumerate(words, start=1)
    ]
