"""The labels that a model knows, and those of the data as numbers of the model's outputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from headscope.errors import InputError
from headscope.text import Document

_GENERIC = re.compile(r"LABEL_[0-9]+")
_SHOWN = 20


class Labels:
    """The labels of a model, in the order of its outputs.

    A label of the data is looked for as it is written, then in any case. Where the model's own names say
    nothing (LABEL_0), a whole number is the number of an output.

    >>> labels = Labels(["negative", "positive"])
    >>> labels.find("Positive"), labels.find("neutral")
    (1, None)
    >>> Labels(["LABEL_0", "LABEL_1"]).find("1")
    1
    """

    def __init__(self, names: Iterable[str], further: Iterable[str] = ()) -> None:
        """Take the names of the outputs; ``further`` names have numbers too, but no output."""
        self.names = tuple(names)
        every = (*self.names, *further)
        lowered = [name.lower() for name in every]
        self._lowered = {name: number for number, name in enumerate(lowered) if lowered.count(name) == 1}
        generic = _is_generic(self.names)
        self._numbers = {str(number): number for number in range(len(self.names))} if generic else {}
        self._numbers |= {name: number for number, name in enumerate(every)}

    @classmethod
    def of(cls, config: Any) -> Labels:
        """Those of a model's configuration: of label2id, unless only id2label was written."""
        shown = _by_number(config.id2label or {})
        read = _by_number({number: name for name, number in (config.label2id or {}).items()})
        named = read if read.keys() == shown.keys() and not _is_generic(read.values()) else shown
        return cls(named[number] for number in sorted(named))

    def find(self, label: str) -> int | None:
        """The number of a label, None where the model does not know it."""
        return self._numbers.get(label, self._lowered.get(label.lower()))

    def of_text(self, document: Document) -> int:
        """The number of a document's label."""
        if document.label is None:
            raise InputError(f"document '{document.id}' has no label; name its column (--label)")
        number = self.find(document.label)
        if number is None:
            raise self._unknown(document.label, f"document '{document.id}'")
        return number

    def of_words(self, document: Document) -> np.ndarray:
        """The numbers of a document's tags, (word,)."""
        if document.tags is None:
            raise InputError(
                f"document '{document.id}' has no tags; give a file of words with tags, one per line, or "
                "name the column of tags (--label)"
            )
        numbers = [self.find(tag) for tag in document.tags]
        if None in numbers:
            word = numbers.index(None)
            place = f"document '{document.id}', word {word + 1} ('{document.surface(word)}')"
            raise self._unknown(document.tags[word], place)
        return np.array(numbers, dtype=np.int64)

    def _unknown(self, label: str, place: str) -> InputError:
        known = ", ".join(self.names[:_SHOWN]) + (", ..." if len(self.names) > _SHOWN else "")
        return InputError(
            f"{place}: the model does not know the label '{label}'; its labels are {known}. Write one of "
            "these in the data, or name the model's labels as the data does (id2label and label2id in its "
            "config.json)"
        )


def _is_generic(names: Iterable[str]) -> bool:
    return all(_GENERIC.fullmatch(name) for name in names)


def _by_number(names: Mapping[Any, Any]) -> dict[int, str]:
    return {int(number): str(name) for number, name in names.items()}
