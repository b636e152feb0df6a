"""What stands beside the model on trial: models of other seeds, edited texts, words that people marked."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from headscope.errors import InputError, ModelError
from headscope.models import Model, load
from headscope.text import Corpus, Document, Segment, read

MODEL = "model"
"""The folder inside a run that holds the model which was trained there."""


def other_models(model: Model, against: Sequence[Any], loading: dict[str, Any]) -> list[Model]:
    """Models to compare with; refused where one is of another architecture, or not another model."""
    others = [load(_place(each), **loading) for each in against]
    for number, other in enumerate(others):
        if reason := _why_unlike(model, other) or _why_the_same(other, [model, *others[:number]]):
            raise ModelError(f"--against {other.name}: {reason}; give a model that differs in its seed alone")
    return others


def _place(model: Any) -> Any:
    """The model of a run, where a run is given."""
    if not isinstance(model, str | Path):
        return model
    inside = Path(model).expanduser() / MODEL
    return inside if (inside / "config.json").is_file() else model


def _why_unlike(model: Model, other: Model) -> str | None:
    kinds = [type(each.module).__name__ for each in (model, other)]
    if kinds[0] != kinds[1]:
        return f"it is a {kinds[1]}, and {model.name} a {kinds[0]}"
    if model.heads() != other.heads():
        return f"it has {len(other.heads())} heads, and {model.name} {len(model.heads())}, or others"
    if model.tokenizer.get_vocab() != other.tokenizer.get_vocab():
        return f"its tokenizer has other pieces than that of {model.name}"
    labels = [each.module.config.id2label for each in (model, other)]
    return None if labels[0] == labels[1] else f"its labels are others than those of {model.name}"


def _why_the_same(other: Model, known: Sequence[Model]) -> str | None:
    """A model agrees with itself, which says nothing of seeds."""
    same = [model.name for model in known if model.fingerprints.weights == other.fingerprints.weights]
    return f"its weights are the same as those of {same[0]}" if same else None


def texts_beside(data: Any, column: str, corpus: Corpus, split: str | None = None) -> Corpus:
    """The texts of another column, each with the label of its original; refused where none has one.

    data, split: what the corpus was read from; what is broken is left out where the corpus leaves it out.
    """
    labels = {document.id: document.label for document in corpus}
    other = _column(data, column, labels, split, corpus.skip_broken)

    def documents() -> Iterator[Document]:
        return (replace(each, label=labels[each.id]) for each in other if each.id in labels)

    return other.derived(documents)


def marked_words(data: Any, column: str, corpus: Corpus, split: str | None = None) -> dict[str, list[str]]:
    """The words that people marked in each text, in lower case, by the text's name."""
    known = {document.id for document in corpus}
    return {
        document.id: [word.lower() for word in document.surfaces()]
        for document in _column(data, column, known, split, corpus.skip_broken)
        if document.id in known
    }


def _column(data: Any, column: str, known: Container[str], split: str | None, skip_broken: bool) -> Corpus:
    if not isinstance(data, str | Path):
        raise InputError(f"the column '{column}' can be read from a file alone; give one as DATA")
    try:
        other = read(data, column=column, split=split, skip_broken=skip_broken)
    except InputError as problem:
        raise InputError(f"column '{column}': {problem}") from problem
    if not any(document.id in known for document in other):
        raise InputError(f"no text has anything in the column '{column}'")
    return other


def words_of_segment(segment: Segment) -> list[str]:
    """The words that have pieces, in the order in which they are numbered for answers."""
    numbers = np.unique(segment.word[segment.word >= 0]).tolist()
    return [segment.words[number].lower() for number in numbers]


def changed_words(before: Sequence[str], after: Sequence[str]) -> np.ndarray:
    """Which words of a text were not in the text before it was edited, (word,) bool.

    >>> changed_words(["a", "fine", "film"], ["a", "dull", "film"]).tolist()
    [False, True, False]
    """
    changed = np.ones(len(after), bool)
    for _, start, size in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        changed[start : start + size] = False
    return changed


def found_words(words: Sequence[str], marked: Sequence[str]) -> np.ndarray:
    """Which words of a text were marked, each as often as it was marked, (word,) bool.

    >>> found_words(["good", "and", "good"], ["good"]).tolist()
    [True, False, False]
    """
    left, found = list(marked), np.zeros(len(words), bool)
    for place, word in enumerate(words):
        if word in left:
            left.remove(word)
            found[place] = True
    return found
