"""A task with its data: what the model is asked, and documents that have all it needs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from headscope.errors import OptionError
from headscope.models import Model
from headscope.tasks.choice import kind_for, task_for
from headscope.tasks.purposes import texts_read, trained_on
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
    Hugging Face data set. skip_broken: leave out documents that are broken.
    """

    task: str | None = None
    metric: str | None = None
    column: str | None = None
    label: str | None = None
    second: str | None = None
    target: str | None = None
    split: str | None = None
    skip_broken: bool = False

    @classmethod
    def of(cls, options: Any) -> Source:
        """What options say of it; some questions do not have them all."""
        names = [field.name for field in fields(cls) if hasattr(options, field.name)]
        return cls(**{name: getattr(options, name) for name in names})


class Opened(NamedTuple):
    """A task, its documents, and how many documents and words there are."""

    task: Task
    corpus: Corpus
    documents: int
    words: int

    def at_most(self, documents: int | None) -> Opened:
        """About how it would be with so many documents."""
        kept = min(documents or self.documents, self.documents)
        return self._replace(documents=kept, words=round(self.words * kept / self.documents))


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
    translation). Where neither the source nor the model tells the kind, a classifier is on pairs if the data
    have a second text; so it is where a net is made for single texts, which then refuses them. limit: how
    many documents, the first ones.
    """
    source = source or Source()
    kind: str | None = kind_for(model, source.task)
    told_by_model = trained_on(model) is not None and texts_read(model) != 1
    is_told = source.task is not None or (source.second is None and told_by_model)
    if kind in ("classification", "pairs") and not is_told:
        kind = None
    kind, corpus = open_data(data, kind, source, limit)
    task = task_for(model, kind, source.metric, masking=masking, seed=seed)
    documents = words = 0
    for document in corpus:
        task.check(document)
        documents += 1
        words += len(document.words)
    return Opened(task, corpus, documents, words)


def open_data(data: Any, kind: str | None, source: Source, limit: int | None = None) -> tuple[str, Corpus]:
    """Open the data of a kind of task; names of columns that it does not read are refused.

    kind: None for single texts or pairs, whichever the data hold; it comes back decided.
    """
    if kind is None and source.second is not None:
        kind = "pairs"
    corpus = _read(data, kind, source, limit)
    if kind is None:
        first = next(iter(corpus), None)
        kind = "classification" if first is None or first.second is None else "pairs"
    return kind, corpus


def _read(data: Any, kind: str | None, source: Source, limit: int | None) -> Corpus:
    kept: dict[str, Any] = {"limit": limit, "skip_broken": source.skip_broken}
    if isinstance(data, Corpus):
        return read(data, **kept)
    name_of_kind = kind or "classification"
    for name in ("label", "second", "target"):
        if getattr(source, name) is not None and name not in _COLUMNS[name_of_kind]:
            raise OptionError(f"--{name} names a column, but {name_of_kind} has no {name}; leave it out")
    where: dict[str, Any] = {"column": source.column, "split": source.split, **kept}
    if "label" not in _COLUMNS[name_of_kind]:
        usual = kind == "translation" or None
        return read(data, target=source.target or usual, **where)
    second = None if kind is None else source.second or kind == "pairs"
    return read_labelled(data, tagged=kind == "tagging", label=source.label, second=second, **where)
