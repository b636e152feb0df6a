"""Labelled data to train on: how it is read, which labels it has, which documents are held out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np

from headscope.blocks import number_of
from headscope.errors import InputError
from headscope.tasks.chunks import unseen_tags
from headscope.tasks.data import Source, open_data
from headscope.text import Corpus, Document
from headscope.text.lines import text_suffix
from headscope.text.readers import READERS
from headscope.text.readers.tag_lines import read_tags
from headscope.text.splits import hold_out

_SHOWN = 20

Labelled = Literal["label", "tags"]
"""Whether a text has one label, or each of its words a tag."""


def labelled_with(kind: str) -> Labelled | None:
    """How the data of a kind of task are labelled; None where the next word is all that is learned."""
    return None if kind in ("causal", "translation") else "tags" if kind == "tagging" else "label"


def kind_of(data: Any, source: Source) -> str | None:
    """The kind that was asked for; else words with tags mean tagging, and of others their texts decide."""
    if source.task is not None:
        return source.task
    is_path = isinstance(data, str | PathLike)
    tagged = is_path and READERS.get(text_suffix(Path(data))) is read_tags
    return "tagging" if tagged and source.second is None else None


@dataclass(frozen=True)
class Contents:
    """What a corpus holds: its labels in order, each with the first document that has it; a number for the
    text of each document; and its words."""

    labels: dict[str, str]
    texts: np.ndarray
    words: int

    @classmethod
    def of(cls, corpus: Corpus, labelled: Labelled | None) -> Contents:
        """Read a corpus once; a document without a label, where there should be one, is refused."""
        labels: dict[str, str] = {}
        texts, words = [], 0
        for document in corpus:
            for label in _labels(document, labelled):
                labels.setdefault(label, document.id)
            texts.append(number_of(document.text))
            words += len(document.words)
        ordered = {label: labels[label] for label in _ordered(labels)}
        return cls(ordered, np.array(texts, np.uint64), words)

    def check_known(self, other: Contents) -> None:
        """Refuse a label that only other data has; a tag such as I-LST may lack where B-LST is known."""
        known = [*self.labels, *unseen_tags(list(self.labels))]
        for label, document in other.labels.items():
            if label not in known:
                shown = ", ".join(known[:_SHOWN]) + (", ..." if len(known) > _SHOWN else "")
                raise InputError(
                    f"document '{document}': the label '{label}' is not in the training data, whose labels "
                    f"are {shown}; train on data that has it, or leave it out"
                )


def open_files(
    options: Any, data: Any = None, kind: str | None = None
) -> tuple[str, dict[str, Corpus], dict[str, Contents]]:
    """The kind of task, its data by what they are for, and what each file holds; each file is read once.

    options: with data, dev, test and held_out. Without dev, a part of the training data is held out. data,
    kind: where they are not as the options say.
    """
    source, given = Source.of(options), options.data if data is None else data
    if given is not options.data:  # files that are parallel have no columns
        source = replace(source, target=None)
    files = {"train": given, "dev": options.dev, "test": options.test}
    kind, train = open_data(given, kind or kind_of(given, source), source, options.limit)
    data = {"train": train} | {
        name: open_data(files[name], kind, source, options.limit)[1]
        for name in ("dev", "test")
        if files[name] is not None
    }
    contents = {name: Contents.of(corpus, labelled_with(kind)) for name, corpus in data.items()}
    for other in contents.values():
        contents["train"].check_known(other)
    labels = list(contents["train"].labels)
    if len(labels) == 1:
        raise InputError(f"{data['train'].source}: {labels[0]} is the only label; two are needed")
    if options.dev is None:
        train, held = hold_out(data["train"], contents["train"].texts, options.held_out)
        data = {**data, "train": train, "dev": held}
    return kind, {name: data[name] for name in files if name in data}, contents


def _labels(document: Document, labelled: Labelled | None) -> tuple[str, ...]:
    if labelled is None:
        return ()
    labels = document.tags if labelled == "tags" else document.label
    if labels is None:
        raise InputError(f"document '{document.id}' has no {labelled}; give labelled data")
    return (labels,) if isinstance(labels, str) else labels


def _ordered(labels: Iterable[str]) -> list[str]:
    """Whole numbers by size, all else by name.

    >>> _ordered({"10", "9", "-1"}), _ordered({"b", "10", "9"})
    (['-1', '9', '10'], ['10', '9', 'b'])
    """
    known = list(labels)
    whole = all(label.removeprefix("-").isdecimal() for label in known)
    return sorted(known, key=lambda label: (int(label) if whole else 0, label))
