"""What maps can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from headscope.errors import InputError, OptionError
from headscope.questions.groups import OfHeads, OfText
from headscope.questions.marks import OUTPUT, Argument, Group, InCommand, Suffix


@dataclass(frozen=True, kw_only=True)
class Options(OfText, OfHeads):
    """The raw attention maps of a text: (layer, head, query, key).

    Prints each head's strongest link; --save keeps the maps. In Python, `headscope.maps` gives a labelled
    array, and `headscope.open_maps(FILE)` reads one that was saved.

    Example: headscope maps default "The cat sat." --words --save cat.safetensors
    """

    text: Annotated[str | tuple[str, ...], Argument(1, "TEXT")]  # type: ignore[assignment]
    """The text itself, in quotes; in Python also a list of texts, which gives a list of arrays."""

    words: bool = False
    """Maps between words instead of pieces."""

    save: Annotated[Path | None, Suffix((".safetensors",)), Group(OUTPUT), InCommand()] = None
    """Write the maps here, as safetensors with labels."""

    @property
    def has_several(self) -> bool:
        """Whether a list of texts was given, be it of one."""
        return isinstance(self.text, tuple)

    @property
    def texts(self) -> tuple[str, ...]:
        return self.text if isinstance(self.text, tuple) else (self.text,)

    def check(self) -> None:
        if not self.texts:
            raise InputError("there are no texts: the list is empty")
        for number, text in enumerate(self.texts):
            if not text.strip():
                raise InputError(
                    f"{f'text {number} of the list' if self.has_several else 'the text'} is empty"
                )
        if self.has_several and (self.second is not None or self.target is not None):
            raise OptionError("a second text or a target goes with one text, not with a list")
