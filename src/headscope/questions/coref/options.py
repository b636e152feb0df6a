"""What coref can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from headscope.questions.groups import OfData, OfHeads, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group

Candidates = Literal["words", "mentions", "preceding"]
"""All other words, as in the paper; the head words of mentions; those of them that come before."""

HeadFinder = Literal["given", "tree", "rule"]  # as in text/head_words.py, which would bring numpy


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfData, RunsShards):
    """Which heads link a mention to its antecedent.

    For each head and type of mention (pronoun, proper, nominal): how often the mention's head word attends
    most to the head word of an antecedent. The best head is chosen on one half of the documents and scored on
    the other, beside the nearest mention, head match, rules, and randomly initialised twins of the model.

    Example: headscope coref default gum.conllu --out runs/mine
    """

    corpus: Annotated[Any, Argument(1, "CORPUS")]
    """Coreference: CoNLL-2012 (.conll, .gold_conll, ...), or CoNLL-U with Entity= (.conllu); each also .gz,
    .xz or .bz2, or a folder of such files."""

    trees: Any = None
    """Treebank of the same documents, for a CORPUS without tags and trees (OntoGUM)."""

    window: Annotated[int, At(1)] = 128
    """Most words of a window of whole sentences."""

    first: bool = False
    """Only the first window of each document, as in the paper."""

    candidates: Candidates = "words"
    """Choose among all other words (the paper), mentions, or earlier mentions."""

    head_finder: HeadFinder = "given"
    """Head words: as the source gives them (else tree, else rule), tree, rule."""

    singletons: bool = False
    """Keep entities that are named once as candidates."""

    spaced: bool = True
    """Part words by single spaces; else encode the text as it was written."""

    twins: Annotated[int, At(0)] = 3
    """Random twins of the model to hold against it."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 16
    """Windows run together."""
