"""What layers can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from headscope.questions.groups import OfData, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfData, RunsShards):
    """At which layer a model's hidden states hold which structure.

    Trains small probes that name a label of a span, or of two, from a mix of the layers up to each one
    (edge probing, Tenney et al. 2019). Says what each layer adds, where a task is solved on average, what a
    random twin and a task that can only be learned by heart give, and what the labels cost in bits.

    Example: headscope layers default train.conllu --test test.conllu --task pos,deps
    """

    data: Annotated[Any, Argument(1, "DATA")]
    """What to train on: a treebank (.conllu), coreference (.conll), PropBank (.gold_conll), edge probing
    (.jsonl with text and targets), each also compressed, or a folder of such files."""

    test: Any = None
    """What to score. Default: a fifth of DATA's documents, held out."""

    task: tuple[str, ...] = ()
    """What is asked: `pos`, `xpos`, `deps`, `constituents`, `entities`, `srl`, `coref`, or `edges` (of JSON
    lines). Default: all that DATA has."""

    seeds: Annotated[int, At(1)] = 3
    """Train each probe so many times."""

    twins: Annotated[int, At(0)] = 1
    """Random twins of the model to probe beside it."""

    control: bool = True
    """Train on a control task too, for selectivity."""

    code: bool = True
    """Measure what the labels cost in bits (online code), with the first seed."""

    quick: bool = False
    """A first answer, whatever else is asked for: one seed, no twin, no control task, no code."""

    steps: Annotated[int, At(1)] = 900
    """Train for so many batches of 256 targets."""

    width: Annotated[int, At(1)] = 128
    """Numbers that a word is projected to."""

    pooling: Literal["attention", "mean"] = "attention"
    """How the words of a span become one vector."""

    normalise: bool = False
    """Give the states of all layers the same size before they are mixed."""

    window: Annotated[int, At(2)] = 128
    """Words that coreference is looked for in, whole sentences where they fit."""

    precision: Annotated[Literal["float16", "float32"], Group(COMPUTING)] = "float16"
    """How hidden states are kept."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest segment in pieces. Default: 256, or what fits."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Segments the model runs together."""

    @property
    def trained(self) -> int:
        """How often each probe is trained."""
        return 1 if self.quick else self.seeds

    @property
    def at_random(self) -> int:
        """How many twins are probed."""
        return 0 if self.quick else self.twins

    @property
    def controlled(self) -> bool:
        """Whether the control task is learned."""
        return self.control and not self.quick

    @property
    def coded(self) -> bool:
        """Whether it is measured what the labels cost in bits."""
        return self.code and not self.quick

    def read_ahead(self) -> None:
        # Tasks find targets in arrays, and help does without them.
        from headscope.questions.layers.edge_tasks import tasks_named

        tasks_named(self.task)
