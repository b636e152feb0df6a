"""What retrieve can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from headscope.questions.groups import OfHeads, OfLoading, OfSeed, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group, Such

if TYPE_CHECKING:
    from headscope.text import Corpus

LENGTHS = (256, 512, 1024, 2048)
"""Lengths without a wish, as far as the model and the text allow them."""


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfSeed, RunsShards):
    """Which heads of a language model find a needle in a long text.

    A sentence with a secret of a few words is put into the text, at several depths and lengths; the model
    continues a question for it, always with the likeliest token. A head scores where its strongest key lies
    on a token of the secret that is the token produced. The heads that score are then removed, beside as many
    random ones. Where no needle is found again, no head is named.

    Example: headscope retrieve my-model long.txt --lengths 512,2048
    """

    text: Annotated[Any, Argument(1, "TEXT")]
    """Any text that survey takes, as the hay."""

    column: str | None = None
    """Which column or key holds the text."""

    lengths: Annotated[tuple[int, ...] | None, Such("512,2048")] = None
    """Tokens of hay, needle and question together. Default: 256, 512, 1024 and 2048, as far as
    the model takes them and the text fills them."""

    depths: Annotated[int, At(1)] = 5
    """At so many places the needle stands, evenly from the beginning to the end."""

    needles: Annotated[int, At(1)] = 1
    """Needles for each length and depth."""

    secret: Annotated[int, At(1)] = 5
    """Words of a secret, drawn from the text."""

    remove: Annotated[int, At(0)] = 8
    """Remove at most so many of the heads that are named, the best first; 0 removes none."""

    draws: Annotated[int, At(0)] = 3
    """Draws of as many random heads, removed for comparison."""

    shard_characters: Annotated[int, At(1), Group(COMPUTING)] = 1
    """Characters of secrets in a shard, which a worker gets at once and which is kept when it is done."""

    @cached_property
    def corpus(self) -> Corpus:
        """What is read."""
        from headscope.text import read

        return read(self.text, column=self.column)

    def read_ahead(self) -> None:
        self.corpus  # noqa: B018 - read once
