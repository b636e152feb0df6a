"""What a survey can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from headscope.questions.groups import OfCheckpoints, OfData, OfHeads, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Between, Group, InPython

if TYPE_CHECKING:
    from headscope.text import Corpus


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfData, RunsShards, OfCheckpoints):
    """What every head does on the surface, over a whole text.

    For each head: attention to the token itself, the previous and the next one, at every offset, to
    special tokens and punctuation, its entropy, its strongest key; the distance of every two heads; the
    gradient of the model's loss; of causal models also what they do behind the first token and with text
    that repeats itself; and from these a role. Numbers stand beside what even attention gives.

    Example: headscope survey default my.txt --out runs/mine
    """

    text: Annotated[Any, Argument(1, "TEXT")]
    """Plain text (documents parted by blank lines), .csv, .tsv, .jsonl, .conllu, .conll, .dep (each also
    .gz, .xz or .bz2), a folder, a saved dataset, or hf:NAME."""

    column: str | None = None
    """Which column or key holds the text."""

    target: str | None = None
    """Column of target texts, for encoder-decoders."""

    known: tuple[Any, ...] = ()
    """Run folder of a verb that finds what heads of this model know, such as syntax: they get roles. May be
    repeated."""

    distances: bool = True
    """Distances between heads, their map and clusters."""

    gradients: bool = True
    """Gradients of the model's own loss, if it has one."""

    loss: Annotated[Any, InPython()] = None
    """Another loss for the gradients."""

    masking: Annotated[float, Between(0, 1)] = 0.15
    """Share of pieces hidden for a masked-language-model loss."""

    made: Annotated[int, At(0)] = 32
    """Texts of random tokens, each repeated once, that causal models also read, for induction, duplicate
    tokens and copying; 0 for none."""

    rows: Annotated[int | None, At(1)] = None
    """Hear only so many sampled query rows of each segment."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest segment in pieces, special tokens included. Default: 128, or what the model takes."""

    shortest: Annotated[int, At(1)] = 1
    """Leave out segments of fewer pieces, special tokens included, such as headings: all segments count
    alike."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 16
    """Segments run together."""

    @cached_property
    def corpus(self) -> Corpus:
        """What is read."""
        from headscope.text import read

        return read(self.text, column=self.column, target=self.target, **self.reading())

    @cached_property
    def words(self) -> int:
        """How many there are; a broken line at the end is found by counting, not after hours of work."""
        return sum(len(document.words) for document in self.corpus)

    def read_ahead(self) -> None:
        self.words  # noqa: B018 - counted once
