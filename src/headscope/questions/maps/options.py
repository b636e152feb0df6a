"""What maps can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from headscope.questions.groups import OfHeads, OfText
from headscope.questions.marks import OUTPUT, Group, InCommand, Suffix


@dataclass(frozen=True, kw_only=True)
class Options(OfText, OfHeads):
    """The raw attention maps of one text: (layer, head, query, key).

    Prints each head's strongest link; --save keeps the maps. In Python, `headscope.maps` gives a labelled
    array, and `headscope.open_maps(FILE)` reads one that was saved.

    Example: headscope maps default "The cat sat." --words --save cat.safetensors
    """

    words: bool = False
    """Maps between words instead of pieces."""

    save: Annotated[Path | None, Suffix((".safetensors",)), Group(OUTPUT), InCommand()] = None
    """Write the maps here, as safetensors with labels."""
