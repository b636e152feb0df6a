"""What structure can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from headscope.questions.groups import OfCheckpoints, OfData, OfHeads, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfData, RunsShards, OfCheckpoints):
    """How close attention comes to trees, and since when.

    For every head: the Kullback-Leibler divergence of its attention from distributions made of trees (each
    word to its parent, to its children, by distance), the weight and the rank of what they point at. Beside
    it: even attention, false trees of four kinds, random twins, and earlier checkpoints.

    Example: headscope structure default en_ewt-ud-dev.conllu --out runs/mine
    """

    treebank: Annotated[Any, Argument(1, "TREEBANK")]
    """Trees: CoNLL-U (.conllu) or word and head-relation (.dep); each also .gz, .xz or .bz2, or a folder
    of such files. With --parse, any text that survey takes."""

    parse: bool = False
    """Parse the text with spaCy first."""

    parser: str = "en_core_web_sm"
    """The spaCy pipeline for --parse."""

    scheme: Literal["ud", "sd"] = "ud"
    """How trees are read: as they are, or with prepositions above their nouns as in Stanford Dependencies."""

    spaced: bool = True
    """Part words by single spaces; else encode sentences as written."""

    twins: Annotated[int, At(0)] = 1
    """Random twins of the model to hold against it."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest sentence in pieces. Default: 256, or what fits."""

    batch_size: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Sentences run together. Default: 128, or fewer where a layer has many heads."""
