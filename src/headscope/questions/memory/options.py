"""What memory can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.questions.groups import OfLoading, OfSeed, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Between, Group, Such
from headscope.questions.memory.words import DOING, GROUPS, PEOPLE
from headscope.questions.options import fields_of

NETS = ("lstm", "gru", "lstm-attention", "gru-attention", "transformer")
RECURRENT = NETS[:2]
"""Nets that know of the past what one state holds."""

ALL = "all"
CURRICULA = ("delay", "vocabulary")
SHORTEST = 4
"""Words from what is to be remembered to the question, at least."""

_OF_NETS = "delay curriculum seeds steps hidden rate slower descent penalty tested"
NETS_ONLY = tuple(_OF_NETS.split())
MODELS_ONLY = ("examples", "layers", "twins", "adapter", "revision", "dtype", "device")
"""Options that say nothing of the others."""

OF_NETS = (4, 10, 18, 30, 60, 100)
OF_MODELS = (1, 2, 4, 8, 16, 32, 64)
"""Delays without a wish; of models as far as they take texts of that length."""


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfSeed, RunsShards):
    """How long a word is kept in mind.

    Of nets that are trained here (Haviv et al. 2019): a word of one of some classes is read among fillers and
    asked for later. How accuracy falls with the delay, far beyond those trained; the slow points of the
    state, whether faster ones forget more, and what a penalty on their speed changes. Attention and a
    transformer stand beside. Of any other model: how well a probe reads the word from the hidden
    state so many tokens later, by layer, beside shuffled labels and random twins. All text is made here.

    Example: headscope memory gru --seeds 3
    """

    model: Annotated[Any, Argument(0, "NET/MODEL")] = "default"
    """A net to train: `lstm`, `gru`, `lstm-attention`, `gru-attention`, `transformer`, or `all` of them;
    or a model: folder, hub name, .gguf file, or `default`."""

    task: Literal["words", "sentences"] = "words"
    """What is remembered: a word, or a statement, who did something to whom."""

    classes: Annotated[int, At(2)] = 10
    """Answers to choose among."""

    words: Annotated[int | None, At(1)] = None
    """Different words, or statements, of all classes together. Default: 20 for each class; where a model is
    read, one for each, so that a class is a word."""

    delays: Annotated[tuple[int, ...] | None, Such("4,18,100")] = None
    """Ask after so many words, of a model tokens. Default: 4, 10, 18, 30, 60, 100; of a model 1,
    2, 4, ... 64, as far as it takes them."""

    delay: Annotated[int, At(SHORTEST)] = 18
    """Longest delay that a net is trained with."""

    curriculum: Literal["delay", "vocabulary", "both"] = "both"
    """How training of a net grows harder: by longer delays, by more classes, or a net for each. With
    attention, and of a transformer, only the first."""

    seeds: Annotated[int, At(1)] = 3
    """Train so many nets of each kind, with seeds from --seed on."""

    steps: Annotated[int, At(1)] = 1500
    """Steps of training."""

    hidden: Annotated[int, At(4)] = 64
    """Numbers of a state; of a transformer a multiple of 4."""

    rate: Annotated[float, Between(0, inf)] = 5e-3
    """Learning rate, at its highest."""

    slower: Annotated[int, At(0)] = 300
    """Train recurrent nets for so many steps more with a penalty on the speed of their slow points, and as
    long without it, for comparison; 0 leaves it."""

    descent: Annotated[int, At(1)] = 600
    """Steps from the mean state of a class down to its slow point."""

    penalty: Annotated[float, At(0)] = 1.0
    """Weight of the squared speed in that loss."""

    tested: Annotated[int, At(1)] = 1000
    """Sequences for each delay that a net is scored on."""

    examples: Annotated[int, At(8)] = 60
    """Texts for each class that a model reads: three fifths to train probes, a fifth to tune, a fifth to
    score them."""

    layers: tuple[int, ...] | None = None
    """Only these layers of a model, 0 the embeddings: `0,3,6`."""

    twins: Annotated[int, At(0)] = 1
    """Random twins of a model to read beside it."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 64
    """Sequences of a training step, or texts that a model reads together."""

    @property
    def nets(self) -> tuple[str, ...]:
        """The nets to train; none where a model is to be read."""
        if not isinstance(self.model, str):
            return ()
        return NETS if self.model == ALL else tuple(net for net in NETS if net == self.model)

    @property
    def different(self) -> int:
        """Words or statements of all classes together."""
        if self.words is not None:
            return self.words
        return min(20 * self.classes, self.most) if self.nets else self.classes

    @property
    def most(self) -> int:
        """How many there are."""
        if self.task == "words":
            return sum(map(len, GROUPS.values()))
        return min(self.classes, self.statements) * len(DOING)

    @property
    def statements(self) -> int:
        """Ways in which somebody does something to somebody else."""
        return len(PEOPLE) * (len(PEOPLE) - 1)

    def check_together(self) -> None:
        """Refuse what does not fit together, before any work."""
        self._check_kind()
        thing = "words" if self.task == "words" else "statements"
        if self.classes > self.different:
            raise OptionError(
                f"--classes {self.classes}: more classes than the {self.different} {thing} to tell apart; "
                f"ask for fewer classes{'' if self.classes > self.most else ', or for more with --words'}"
            )
        if self.task == "sentences" and self.classes > self.statements:
            raise OptionError(
                f"--classes {self.classes}: statements say who did something to whom, in {self.statements} "
                "ways; ask for fewer classes"
            )
        if self.task == "sentences" and self.classes % 2:
            raise OptionError(
                f"--classes {self.classes}: every statement has its reverse, so that no word alone tells it; "
                "ask for an even number"
            )
        if self.different > self.most:
            raise OptionError(f"--words {self.different}: there are {self.most} {thing}; ask for fewer")
        if self.words is not None and self.words % self.classes:
            raise OptionError(
                f"--words {self.words} cannot be dealt out evenly to {self.classes} classes; ask for "
                f"{self.words // self.classes * self.classes}"
            )
        if self.nets and self.tested < self.classes:
            raise OptionError(
                f"--tested {self.tested}: ask for a sequence of each of the {self.classes} classes at least"
            )
        if "transformer" in self.nets and self.hidden % 4:
            raise OptionError(f"--hidden {self.hidden} cannot be dealt out to the 4 heads of the transformer")
        if self.delays and min(self.delays) < 1:
            raise OptionError(f"--delays {min(self.delays)}: ask after one word at least")
        if self.nets and self.delays and min(self.delays) < SHORTEST:
            raise OptionError(f"--delays {min(self.delays)}: nets are trained with delays from {SHORTEST} on")

    def _check_kind(self) -> None:
        """Refuse what was asked of a net and means models, and the other way round."""
        names, whose = (MODELS_ONLY, "models to read") if self.nets else (NETS_ONLY, "nets to train")
        for field in fields_of(type(self)):
            if field.name in names and getattr(self, field.name) != field.default:
                raise OptionError(
                    f"{field.flag} is an option of {whose}, and not of {self.model}; leave it out"
                )
