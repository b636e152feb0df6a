"""What show can be asked with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.heads import Head
from headscope.questions.groups import OfText
from headscope.questions.marks import OUTPUT, Group, InCommand, Suffix

ALL = "all"
MOST = 4
"""Heads, or ways to explain, that fit beside each other."""


@dataclass(frozen=True, kw_only=True)
class Options(OfText):
    """One picture for a paper: where a few heads look in one text, and what mattered in it for the answer.

    Prints the strongest link of each word, and with --by how much it mattered; --save draws them. With --off,
    also what the model makes of the text with and without those heads.

    Example: headscope show default "The cat sat on the mat." --head L2H8 --save cat.pdf
    """

    head: tuple[Any, ...] = field()
    """Head to show, such as `L2H8`, or `cross:L0H1`; up to four times."""

    by: tuple[str, ...] = ()
    """Colour the text by what mattered for the model's answer: `rollout`, `generic`, `occlusion`, or any
    other way of `headscope explain`; up to four."""

    off: tuple[Any, ...] = ()
    """Head to switch off; may be given several times."""

    pieces: bool = False
    """Between pieces instead of words."""

    view: Annotated[Literal["lines", "matrix", "words"], Group(OUTPUT)] = "lines"
    """Lines between words, a matrix, or words coloured by --by."""

    scale: Annotated[Literal["linear", "log"], Group(OUTPUT)] = "linear"
    """Log makes weak links visible."""

    save: Annotated[Path | None, Suffix((".png", ".svg", ".pdf", ".html")), Group(OUTPUT), InCommand()] = None
    """File to write: `.pdf`, `.svg`, `.png`, or `.html` to explore."""

    def check(self) -> None:
        super().check()
        heads = {Head.of(head) for head in self.head}
        if not 1 <= len(heads) <= MOST:
            raise OptionError(f"{len(heads)} heads: a picture shows one to {MOST}")
        if ALL in self.ways:
            raise OptionError(
                f"--by {ALL} is of headscope explain; a picture shows one to {MOST} ways, name them"
            )
        if len(self.ways) > MOST:
            raise OptionError(f"{len(self.ways)} ways to explain: a picture shows one to {MOST}")
        if self.view == "words" and not self.ways:
            raise OptionError("--view words colours them by a way to explain; name one, such as --by rollout")
        for head in self.off:
            Head.of(head)

    @property
    def draws_words(self) -> bool:
        """Whether the figure is of words; a page has room for all."""
        return self.view == "words" and (self.save is None or self.save.suffix.lower() != ".html")

    @property
    def ways(self) -> list[str]:
        """The names of the ways to explain, each once."""
        return list(dict.fromkeys(name.strip() for part in self.by for name in part.split(",")))
