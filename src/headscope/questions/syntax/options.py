"""What syntax can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from headscope.questions.groups import OfData, OfHeads, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfData, RunsShards):
    """Which heads know which grammatical relations.

    For every head and relation: how often a word's most attended other word is its head (dep->head), and
    the two readings of the other direction. The best head is chosen on one half of the documents and scored
    on the other, beside the best fixed offset and randomly initialised twins of the model. Plain text is
    parsed first with --parse.

    Example: headscope syntax default en_ewt-ud-dev.conllu --out runs/mine
    """

    treebank: Annotated[Any, Argument(1, "TREEBANK")]
    """Trees: CoNLL-U (.conllu) or word and head-relation (.dep); each also .gz, .xz or .bz2, or a folder
    of such files. With --parse, any text that survey takes."""

    parse: bool = False
    """Parse the text with spaCy first."""

    parser: str = "en_core_web_sm"
    """The spaCy pipeline for --parse."""

    least: Annotated[int, At(1)] = 100
    """Fewest words of a relation that is tested."""

    reach: Annotated[int, At(1)] = 5
    """Fixed offsets up to so many words away."""

    punctuation: bool = False
    """Score punctuation too."""

    subtypes: bool = True
    """Keep subtypes such as nmod:poss apart."""

    possessive: bool = False
    """Ask a possessor through the 's behind it, as the paper."""

    spaced: bool = True
    """Part words by single spaces; else encode sentences as written."""

    twins: Annotated[int, At(0)] = 3
    """Random twins of the model to hold against it."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest sentence in pieces. Default: 256, or what fits."""

    batch_size: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Sentences run together. Default: 128, or fewer where a layer has many heads."""
