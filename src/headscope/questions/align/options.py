"""What align can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.questions.groups import OfData, OfHeads, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group

Words = Literal["spaced", "found"]
"""Parted by white space, as text that is split already; or found in text as it was written."""


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfData, RunsShards):
    """How well cross-attention links the words of a translation to those of its source.

    For each head and layer of an encoder-decoder: the alignment error rate of what it attends to most, and
    of all it attends to enough, by weights and by norms, read at the output and at the input token. The best
    is chosen on one half of the pairs and scored on the other, beside the diagonal, fixed offsets, IBM model
    1, a hidden Markov model and random twins. Without --gold, the agreement with these two models.

    Example: headscope align my-translator pairs.txt --gold pairs.gold
    """

    pairs: Annotated[Any, Argument(1, "PAIRS")]
    """Lines `source ||| target`, a table of two columns, or the lines of the source alone; each also .gz."""

    target: Path | None = None
    """File with the lines of the target, where PAIRS are those of the source."""

    gold: Path | None = None
    """Links by hand, a line for each pair: `i-j` sure, `ipj` possible (Pharaoh)."""

    counted_from: Annotated[int | None, At(0, 2)] = None
    """What words in --gold are counted from, 0 or 1. Default: found out."""

    words: Words | None = None
    """Words parted by white space, or found in running text. Default: spaced with --gold, else found."""

    reverse: Any = None
    """Model that translates the other way: the links of both are joined."""

    links: bool = False
    """Keep the links of every pair, which takes a second pass."""

    more: Any = None
    """More pairs, for the statistical aligners to learn from."""

    more_target: Path | None = None
    """File with the lines of the target, where --more are those of the source."""

    rounds: Annotated[int, At(1)] = 5
    """Rounds of learning of each statistical aligner."""

    twins: Annotated[int, At(0)] = 3
    """Random twins of the model to hold against it."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest side in pieces. Default: 128, or what fits."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Pairs run together."""

    @property
    def found(self) -> bool:
        """Whether words are found in running text."""
        return self.words == "found" if self.words is not None else self.gold is None

    def check(self) -> None:
        if self.gold is not None and self.words == "found":
            raise OptionError("--gold numbers words that white space parts; leave --words found out")
        if self.gold is None and self.counted_from is not None:
            raise OptionError("--counted-from is about --gold, which is not given")
        if self.more is None and self.more_target is not None:
            raise OptionError("--more-target needs --more, the file of its source")
