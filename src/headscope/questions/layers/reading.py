"""One pass over the data: which tasks it has, their labels, and which blocks of documents are for what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from headscope.blocks import block_of
from headscope.errors import InputError
from headscope.questions.layers.edge_tasks import NEGATIVES, TASKS, Task
from headscope.questions.layers.targets import Labels
from headscope.text import Corpus, Document
from headscope.text.splits import some_of
from headscope.text.treebanks import TEST

SENTENCES, WINDOWS = "sentences", "windows"
"""How documents are cut: for most tasks sentence by sentence, for coreference into runs of them."""

NOTHING = (
    "nothing that a probe could learn; give a treebank (.conllu), coreference (.conll), PropBank "
    "(.gold_conll) or JSON lines with text and targets"
)


@dataclass
class Contents:
    """What some documents hold: of each task its labels and items, and words by how they are cut."""

    labels: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    items: Counter[str] = field(default_factory=Counter)
    spans: dict[str, int] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)

    def take(self, document: Document, tasks: Sequence[Task]) -> None:
        random = np.random.default_rng(0)
        for task in tasks:
            if not task.has(document):
                continue
            if task.labels:
                self.labels[task.name].update(task.labels)
                self.items[task.name] += task.count(document)
            else:
                targets = task.find(document, random)
                self.labels[task.name].update(target.label for target in targets)
                self.items[task.name] += len(targets)
            self._agree(task.name, task.spans or _spans(document))
        for view in {view_of(task) for task in tasks if task.has(document)}:
            self.words[view] += len(document.words)

    def merge(self, other: Contents) -> None:
        for name, labels in other.labels.items():
            self.labels[name].update(labels)
        self.items.update(other.items)
        self.words.update(other.words)
        for name, spans in other.spans.items():
            self._agree(name, spans)

    def _agree(self, name: str, spans: int) -> None:
        """Refuse targets of one span beside targets of two."""
        if self.spans.setdefault(name, spans) != spans:
            raise InputError(
                f"{name}: some targets have span2 and some have not; give them as data of their own"
            )


def _spans(document: Document) -> int:
    """How many spans the targets of a JSON line have; a file has either one or two."""
    assert document.edges is not None
    spans = {1 if edge.other is None else 2 for edge in document.edges.edges if edge.kind == "edges"}
    if len(spans) > 1:
        raise InputError(f"document '{document.id}': some targets have span2 and some have not; part them")
    return spans.pop()


@dataclass(frozen=True)
class Data:
    """The tasks that are asked, what is trained on and what is scored, and their blocks."""

    tasks: tuple[Task, ...]
    train: Contents
    test: Contents
    blocks: frozenset[int] | None  # of what is scored, where that is no file of its own

    def corpora(self, view: str, data: Corpus, test: Corpus | None) -> dict[str, Corpus]:
        """The documents of each split that have a task of this view."""
        own = [task for task in self.tasks if view_of(task) == view]

        def has(document: Document) -> bool:
            return any(task.has(document) for task in own)

        if test is not None:
            return {"train": some_of(data, has), "test": some_of(test, has)}
        held = self.blocks or frozenset()
        return {
            "train": some_of(data, lambda document: has(document) and block_of(document.id) not in held),
            "test": some_of(data, lambda document: has(document) and block_of(document.id) in held),
        }

    def views(self) -> list[str]:
        return list(dict.fromkeys(view_of(task) for task in self.tasks))

    def labels(self, view: str) -> tuple[Labels, ...]:
        """The labels of each task of a view, as training has them."""
        return tuple(_labels(task, self.train) for task in self.tasks if view_of(task) == view)


def view_of(task: Task) -> str:
    """How its documents are cut."""
    return WINDOWS if task.windows else SENTENCES


def read_data(data: Corpus, test: Corpus | None, asked: Sequence[Task], seed: int) -> Data:
    """Read everything once, and refuse what has no targets to train on or to score."""
    wanted = list(asked) or list(TASKS.values())
    by_block = _by_block(data, wanted)
    if not (asked or any(contents.items for contents in by_block.values())):
        raise InputError(f"{data.source}: {NOTHING}")
    if test is None:
        drawn = np.random.default_rng(seed).permutation(sorted(by_block)).tolist()
        held = max(1, round(TEST * len(drawn)))
        if len(drawn) <= held:
            raise InputError(
                f"{data.source}: too few documents to hold some out; at least 2 are needed, or other data "
                "to score (--test)"
            )
        blocks = frozenset(drawn[:held])
        train = _together(by_block[block] for block in drawn[held:])
        scored = _together(by_block[block] for block in blocks)
    else:
        blocks, train = None, _together(by_block.values())
        scored = _together(_by_block(test, wanted).values())
    _together((train, scored))  # refused where they differ in kind
    tasks = tuple(task for task in wanted if asked or _is_learnable(task, train, scored))
    _check(data, test, tasks, train, scored)
    return Data(tasks, train, scored, blocks)


def _is_learnable(task: Task, train: Contents, scored: Contents) -> bool:
    return len(train.labels[task.name]) > 1 and scored.items[task.name] > 0


def _by_block(corpus: Corpus, tasks: Sequence[Task]) -> dict[int, Contents]:
    contents: defaultdict[int, Contents] = defaultdict(Contents)
    for document in corpus:
        contents[block_of(document.id)].take(document, tasks)
    return contents


def _together(several: Iterable[Contents]) -> Contents:
    together = Contents()
    for contents in several:
        together.merge(contents)
    return together


def _check(
    data: Corpus, test: Corpus | None, tasks: Sequence[Task], train: Contents, scored: Contents
) -> None:
    if not tasks:
        raise InputError(f"{data.source}: {NOTHING}")
    for task in tasks:
        for contents, use in ((train, "train on"), (scored, "score")):
            source = data.source if contents is train or test is None else test.source
            if not contents.items[task.name]:
                raise InputError(f"{source}: nothing to {use} for the task {task.name} ({task.says})")
        if len(train.labels[task.name]) < 2:
            (label,) = train.labels[task.name]
            raise InputError(f"{data.source}: all targets of {task.name} have one label, '{label}'")


def _labels(task: Task, train: Contents) -> Labels:
    counts = train.labels[task.name]
    if task.labels:
        # Pairs are drawn later, so many of each kind.
        drawn = NEGATIVES / (1 + NEGATIVES)
        return Labels(task.name, task.labels, (drawn, 1 - drawn), train.spans[task.name])
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    names = tuple(name for name, _ in ordered)
    shares = tuple(count / counts.total() for _, count in ordered)
    return Labels(task.name, names, shares, train.spans[task.name])
