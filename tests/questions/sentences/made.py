"""Sentences written for these tests, with morphology and trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from headscope.blocks import BLOCKS, block_of
from headscope.questions.sentences.making.examples import SCORED, TRAIN, TUNED, Parts
from headscope.text import Dependencies, Document
from headscope.text.layers import ROOT, Phrases
from headscope.text.lines import Place
from headscope.text.readers.propbank import parse_bits


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


def phrased(id: str, written: str) -> Document:
    """A sentence written as ``word/tag/bit``, such as ``dogs/NNS/(S(NP*) bark/VBP/(VP*))``."""
    words, tags, bits = zip(*(token.split("/") for token in written.split()), strict=True)
    spans = parse_bits([(Place("a", 1), bit) for bit in bits])
    layer = Phrases(
        np.array([span[:2] for span in spans]),
        tuple(label for *_, label in spans),
        np.zeros(len(words), np.int64),
        tags,
    )
    return replace(Document.from_words(id, list(words)), phrases=layer)


def parts(train: tuple[str, ...], tune: tuple[str, ...] = (), score: tuple[str, ...] = ()) -> Parts:
    """Documents in their parts; those not named are to train on."""
    given = dict.fromkeys(range(BLOCKS), TRAIN)
    for names, part in ((tune, TUNED), (score, SCORED), (train, TRAIN)):
        given |= {block_of(name): part for name in names}
    return Parts(given)


def draw(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)
