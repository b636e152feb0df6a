"""What a picture is: a caption, what it needs of a result, and what draws it."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getdoc
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from headscope.results.result import Result


class Picture(NamedTuple):
    """One picture that a question can give."""

    caption: str
    needs: Callable[[Result], bool]
    draw: Callable[[Result], Figure]


def pictures_of(*modules: ModuleType) -> dict[str, Picture]:
    """A picture for each module, under its name: what it needs, what draws it, and its first sentence."""
    return {
        module.__name__.rpartition(".")[2]: Picture(caption_of(module), module.needs, module.draw)
        for module in modules
    }


def caption_of(module: ModuleType) -> str:
    """The first paragraph of a module's documentation."""
    return " ".join((getdoc(module) or "").split("\n\n")[0].split()).removesuffix(".")
