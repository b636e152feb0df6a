"""What show can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.heads import Head
from headscope.questions.groups import OfText
from headscope.questions.marks import OUTPUT, Group, InCommand, Suffix

MOST = 4
"""Heads, or ways to explain, that fit beside each other."""


@dataclass(frozen=True, kw_only=True)
class Options(OfText):
    """One picture for a paper: where a few heads look in one text, or what mattered in it for the answer.

    Prints the strongest link of each word, and with --by how much it mattered; --save draws them. With --off,
    also what the model makes of the text with and without those heads.

    Example: headscope show default "The cat sat on the mat." --head L2H8 --save cat.pdf
    """

    head: tuple[Any, ...] = ()
    """Head to show, such as `L2H8`, or `cross:L0H1`; up to four times."""

    by: tuple[str, ...] = ()
    """Colour the text by what mattered for the model's answer: `rollout`, `generic`, `occlusion`, or any
    other way of `headscope explain`; up to four."""

    off: tuple[Any, ...] = ()
    """Head to switch off; may be given several times."""

    pieces: bool = False
    """Between pieces instead of words."""

    view: Annotated[Literal["lines", "matrix"], Group(OUTPUT)] = "lines"
    """Lines between words, or a matrix."""

    scale: Annotated[Literal["linear", "log"], Group(OUTPUT)] = "linear"
    """Log makes weak links visible."""

    save: Annotated[Path | None, Suffix((".png", ".svg", ".pdf", ".html")), Group(OUTPUT), InCommand()] = None
    """File to write: `.pdf`, `.svg`, `.png`, or `.html` to explore."""

    def check(self) -> None:
        super().check()
        heads = {Head.of(head) for head in self.head}
        if not heads and not self.ways:
            raise OptionError(
                "name a head to show (--head L2H8), or a way to explain the answer (--by rollout)"
            )
        for things, count in (("heads", len(heads)), ("ways to explain", len(self.ways))):
            if count > MOST:
                raise OptionError(f"{count} {things}: a picture shows one to {MOST}")
        if heads and self.ways and self.save is not None and self.save.suffix.lower() != ".html":
            raise OptionError(
                f"--save {self.save}: a picture shows heads or what mattered; leave out --head or --by, or "
                "save as .html, which shows both"
            )
        for head in self.off:
            Head.of(head)

    @property
    def ways(self) -> list[str]:
        """The names of the ways to explain, each once."""
        return list(dict.fromkeys(name.strip() for part in self.by for name in part.split(",")))
