"""The tasks of a question: made from treebanks, or read from files that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from os import PathLike
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from headscope.errors import InputError, OptionError, choose_from
from headscope.questions.sentences.making import FROM_PHRASES, MAKERS
from headscope.questions.sentences.making.examples import SHARES, TRAIN, Example, Parts
from headscope.questions.sentences.making.surface import BINS
from headscope.text import Corpus, Document, read, window
from headscope.text.checksums import digest_derived
from headscope.text.lines import text_suffix
from headscope.text.readers import read_split
from headscope.text.windows import sentence_edges

TREEBANKS, PHRASES = (".conllu",), (".gold_conll",)
MADE = "made"
"""The source of tasks that are made from treebanks."""


@dataclass(frozen=True)
class Task:
    """Labelled sentences to train on, to tune and to score. source: the file they come from, or `MADE`."""

    name: str
    source: str
    examples: Sequence[Example]

    @property
    def labels(self) -> list[str]:
        return sorted({example.label for example in self.examples})

    @property
    def words(self) -> int:
        return sum(len(example.words) for example in self.examples)

    def count(self, split: str) -> int:
        return sum(example.split == split for example in self.examples)

    def lacks(self, least: int) -> str:
        """Why it cannot be probed; "" if it can."""
        if len(self.examples) < least:
            return f"{len(self.examples):,} examples, at least {least:,} are wanted"
        empty = [split for split in SHARES if not self.count(split)]
        if empty:
            return f"no example in {' and '.join(empty)}"
        learned = {example.label for example in self.examples if example.split == TRAIN}
        return "" if len(learned) > 1 else f"all examples in {TRAIN} have the same label"


@dataclass
class Sources:
    """What was read: the corpora, sentences with dependencies and with phrases, and tasks in files."""

    corpora: list[Corpus] = field(default_factory=list)
    trees: list[Document] = field(default_factory=list)
    phrases: list[Document] = field(default_factory=list)
    files: list[Task] = field(default_factory=list)

    @classmethod
    def of(cls, data: Iterable[Any], **reading: Any) -> Sources:
        """Read everything; of equal sentences of the treebanks the first one counts."""
        sources, seen = cls(), (set[tuple[str, ...]](), set[tuple[str, ...]]())
        for given in data:
            corpus = open_source(given, **reading)
            sources.corpora.append(corpus)
            examples: list[Example] = []
            for document in corpus:
                if document.split is not None and document.label is not None:
                    examples.append(Example(document.surfaces(), document.label, document.id, document.split))
                elif document.dependencies is not None:
                    sources.trees += _sentences(document, seen[0])
                elif document.edges is not None and document.tags is not None:
                    sources.phrases += _sentences(document, seen[1])
                else:
                    raise InputError(
                        f"document '{document.id}' has no trees; give treebanks (.conllu, .gold_conll with "
                        "phrases), or files of labelled sentences"
                    )
            if examples:
                sources.files.append(Task(corpus.name.partition(".")[0], corpus.name, examples))
        return sources

    def corpus(self) -> Corpus:
        """All of it as one, by which a run is known."""
        names, first = ", ".join(corpus.name for corpus in self.corpora), self.corpora[0]
        if len(self.corpora) == 1:
            return first
        sums = [corpus.checksum for corpus in self.corpora]
        digest = digest_derived(sums[0], " ".join(sums[1:]))
        source = ", ".join(corpus.source for corpus in self.corpora)
        return Corpus(names, source, lambda: chain.from_iterable(self.corpora), lambda: digest)

    def tasks(self, seed: int) -> list[Task]:
        """Those that can be made, in the order of the paper, then those of the files."""
        everyone = [*self.trees, *self.phrases]
        if not everyone:
            return _named_apart(self.files)
        parts = Parts.drawn((sentence.id for sentence in everyone), seed)
        made = []
        for name, make in MAKERS.items():
            sentences = self.phrases if name in FROM_PHRASES else self.trees
            draw = np.random.default_rng([seed, crc32(name.encode())])
            made.append(Task(name, MADE, make(sentences, parts, draw) if sentences else []))
        return _named_apart([*made, *self.files])


def open_source(given: Any, **reading: Any) -> Corpus:
    """A treebank by its suffix, or a file of labelled sentences."""
    is_path = isinstance(given, str | PathLike)
    if is_path and not Path(given).is_dir() and text_suffix(Path(given)) not in (*TREEBANKS, *PHRASES):
        return read_split(given, **reading)
    return read(given, **reading)


def chosen(tasks: Sequence[Task], names: Sequence[str]) -> list[Task]:
    """The tasks of these names, which commas may part, in their order; all without a name."""
    known = [task.name for task in tasks]
    asked = [name.strip() for part in names for name in part.split(",")]
    for name in asked:
        if name not in known:
            raise OptionError(choose_from("--task", name, known))
    return [task for task in tasks if not asked or task.name in asked]


def _sentences(document: Document, seen: set[tuple[str, ...]]) -> Iterable[Document]:
    """The sentences of 5 to 28 words that were not seen before."""
    surfaces = document.surfaces()
    for start, stop in pairwise(sentence_edges(document).tolist()):
        words = surfaces[start:stop]
        if BINS[0][0] <= len(words) <= BINS[-1][1] and words not in seen:
            seen.add(words)
            yield window(document, start, stop)


def _named_apart(tasks: Sequence[Task]) -> list[Task]:
    """Tasks of equal names, such as those of two languages, get the number of their file."""
    names = [task.name for task in tasks]
    counts: dict[str, int] = {}
    apart = []
    for task in tasks:
        counts[task.name] = number = counts.get(task.name, 0) + 1
        name = task.name if names.count(task.name) == 1 else f"{task.name}-{number}"
        apart.append(Task(name, task.source, task.examples))
    return apart
