"""A task with its data: what the model is asked, and documents that have all it needs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from headscope.errors import OptionError
from headscope.models import Model
from headscope.tasks.choice import kind_for, task_for
from headscope.tasks.task import Task
from headscope.text import Corpus, read, read_labelled

_COLUMNS: dict[str, tuple[str, ...]] = {
    "classification": ("label",),
    "pairs": ("label", "second"),
    "tagging": ("label",),
    "masked": (),
    "causal": (),
    "translation": ("target",),
}
"""Which columns each kind of task reads, beside that of the text."""


@dataclass(frozen=True)
class Source:
    """The task that is asked for, and where its data stand; None leaves the choice to us.

    task, metric: see `headscope.tasks.choice`. column, label, second, target: names of columns. split: of a
    Hugging Face data set.
    """

    task: str | None = None
    metric: str | None = None
    column: str | None = None
    label: str | None = None
    second: str | None = None
    target: str | None = None
    split: str | None = None

    @classmethod
    def of(cls, options: Any) -> Source:
        """What options say of it; those that a question does not have are None."""
        return cls(**{field.name: getattr(options, field.name, None) for field in fields(cls)})


class Opened(NamedTuple):
    """A task, its documents, and how many documents and words there are."""

    task: Task
    corpus: Corpus
    documents: int
    words: int


def open_task(
    model: Model,
    data: Any,
    source: Source | None = None,
    limit: int | None = None,
    *,
    masking: float = 0.15,
    seed: int = 0,
) -> Opened:
    """Choose the task and open its data, all of which is read once: a broken line is found before any work.

    data: a corpus, or anything that `headscope.text.read_labelled` takes (`read` for language models and
    translation). Where no kind is asked for, a classifier with a second text is on pairs. limit: how many
    documents, the first ones.
    """
    source = source or Source()
    kind = kind_for(model, source.task)
    if source.task is None and kind == "classification" and source.second is not None:
        kind = "pairs"
    task = task_for(model, kind, source.metric, masking=masking, seed=seed)
    corpus = read_data(data, kind, source, limit)
    documents = words = 0
    for document in corpus:
        task.check(document)
        documents += 1
        words += len(document.words)
    return Opened(task, corpus, documents, words)


def read_data(data: Any, kind: str, source: Source, limit: int | None = None) -> Corpus:
    """Open the data of a kind of task; names of columns that it does not read are refused."""
    if isinstance(data, Corpus):
        return data if limit is None else data.limited(limit)
    for name in ("label", "second", "target"):
        if getattr(source, name) is not None and name not in _COLUMNS[kind]:
            raise OptionError(f"--{name} names a column, but {kind} has no {name}; leave it out")
    where: dict[str, Any] = {"column": source.column, "split": source.split, "limit": limit}
    if "label" not in _COLUMNS[kind]:
        return read(data, target=source.target, **where)
    second = source.second or kind == "pairs"
    return read_labelled(data, tagged=kind == "tagging", label=source.label, second=second, **where)
