"""What train can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.questions.groups import KeepsRun, OfColumns, OfData
from headscope.questions.marks import COMPUTING, Argument, At, Between, Group
from headscope.tasks.course import Optimiser

GLOVE, RANDOM = "glove", "random"
EPOCH = "epoch"
NETS_OF = {"layers": "disan", "apart": "disan", "encoder": "pooled", "attention": "pooled"}
"""Options that only one net has."""


@dataclass(frozen=True, kw_only=True)
class Options(OfColumns, OfData, KeepsRun):
    """Train a small net from nothing, and keep what it was on the way.

    `disan` is the directional self-attention network of Shen et al. 2018, whose every feature is a head;
    `pooled` a BiLSTM, CNN or average of words under one attention. Vocabulary and labels come from the
    training data. Each model and checkpoint is a folder that every verb takes as its MODEL.

    Example: headscope train disan train.tsv --dev dev.tsv --test test.tsv --keep epoch
    """

    net: Annotated[Literal["disan", "pooled"], Argument(0, "NET")]
    """What to train: `disan` or `pooled`."""

    data: Annotated[Any, Argument(1, "DATA")]
    """Labelled data, as finetune takes them; `snli:FILE`; plain text with `--task causal`."""

    dev: Any = None
    """Data to choose the best weights on. Default: a part of DATA, held out."""

    held_out: Annotated[float, Between(0, 1)] = 0.1
    """The part that is held out without --dev."""

    test: Any = None
    """Data to score once, at the end."""

    task: Literal["classification", "pairs", "tagging", "causal"] | None = None
    """What to learn; `causal` is the next word. Default: as the data have tags, second texts, or neither."""

    hidden: Annotated[int | None, At(4)] = None
    """Features of disan (default 50), states of one direction or filters (a multiple of 4) of pooled (64)."""

    layers: Annotated[int, At(1)] = 1
    """Blocks of disan on top of each other."""

    encoder: Literal["bilstm", "cnn", "average"] = "bilstm"
    """What pooled reads words with; `average` takes each alone."""

    attention: Literal["tanh", "dot"] = "tanh"
    """How pooled scores words."""

    dropout: Annotated[float, At(0, 1)] = 0.1
    """Share of numbers that is dropped while training."""

    apart: Annotated[float, At(0)] = 0.0
    """Weight of a penalty on the mean cosine of disan's features, so that they look at different words."""

    vectors: str | None = None
    """Word vectors: `glove` (the package), `random`, or a file of lines `word number number ...`. Default:
    glove if the package is installed."""

    width: Annotated[int | None, At(1)] = None
    """Numbers of a word vector. Default: as the vectors have; 50 of random ones."""

    freeze_vectors: bool = False
    """Leave the word vectors as they are."""

    least: Annotated[int, At(1)] = 1
    """Words that the training data have more rarely are unknown ones."""

    lower: bool = True
    """Read all words in lower case."""

    epochs: Annotated[int, At(1)] = 5
    """How often to go through the data."""

    optimiser: Optimiser = "adam"
    """What moves the weights."""

    rate: Annotated[float, Between(0, inf)] = 1e-3
    """Learning rate; 0.5 is usual for adadelta."""

    rho: Annotated[float, Between(0, 1)] = 0.9
    """How slowly adadelta forgets; TensorFlow's is 0.95."""

    eps: Annotated[float | None, Between(0, 1)] = None
    """Added to the optimiser's divisor. Default: torch's, 1e-8, of adadelta 1e-6; TensorFlow's is 1e-8."""

    decay: Annotated[float, At(0)] = 0.0
    """Weight decay of matrices; of adam and adadelta it is an L2 penalty."""

    seeds: Annotated[int, At(1)] = 1
    """Train so many models, with seeds from --seed on."""

    keep: str | None = None
    """Keep checkpoints: `epoch` after each epoch, a number after each so many; the untrained model too."""

    patience: Annotated[int | None, At(1)] = None
    """Stop after so many epochs without a better one."""

    device: Annotated[str, Group(COMPUTING)] = "cpu"
    """Where to compute: `cpu`, `cuda`, `cuda:1`, `mps`, or `auto`, a GPU if there is one."""

    pieces: Annotated[int, At(2), Group(COMPUTING)] = 128
    """Longest text in pieces."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Examples in a step."""

    def check(self) -> None:
        for name, net in NETS_OF.items():
            if net != self.net and getattr(self, name) != getattr(type(self), name):
                raise OptionError(
                    f"--{name} is an option of {net}, and {self.net} is to be trained; leave it out"
                )
        if self.net == "pooled" and self.task in ("tagging", "causal"):
            raise OptionError(f"pooled has one answer for a text, so it cannot be trained for {self.task}")
        if self.keep is not None and self.every is None:
            raise OptionError(f"--keep takes `{EPOCH}` or a number of epochs, not '{self.keep}'")
        if self.vectors not in (None, GLOVE, RANDOM) and not Path(self.vectors).expanduser().is_file():
            raise OptionError(
                f"--vectors {self.vectors}: no such file; give one, or `{GLOVE}`, or `{RANDOM}`"
            )

    @property
    def every(self) -> int | None:
        """After how many epochs a checkpoint is kept; None for never."""
        if self.keep == EPOCH:
            return 1
        return int(self.keep) if self.keep and self.keep.isdecimal() and int(self.keep) > 0 else None
