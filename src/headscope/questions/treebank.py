"""The trees that a question is about: those of a treebank, or those that a parser finds in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from headscope.engine.effort import Step, Steps, passes_over
from headscope.engine.kept import kept
from headscope.engine.stores import ShardStore
from headscope.errors import InputError
from headscope.text import Corpus, Document, read
from headscope.text.batches import Progress
from headscope.text.parsing import Parser


class Asked(Protocol):
    """The options by which a question is told of its trees."""

    @property
    def treebank(self) -> Any: ...

    @property
    def parse(self) -> bool: ...

    @property
    def parser(self) -> str: ...

    @property
    def shard_characters(self) -> int: ...

    def reading(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Source:
    """What was read, what is to parse it, its words, and how often it has each relation, where that is known.

    characters: of the text that is kept at once. It is read once to check it and once to keep it; the parser
    runs while it is kept.
    """

    text: Corpus
    parser: Parser | None
    words: int
    relations: Counter[str] | None
    characters: int

    @classmethod
    def of(cls, options: Asked) -> Source:
        """Read everything: a broken line at the end is found now, not after hours of work."""
        text, characters = read(options.treebank, **options.reading()), options.shard_characters
        if not options.parse:
            relations = count_relations(text)
            return cls(text, None, relations.total(), relations, characters)
        parser = Parser(options.parser)
        words = sum(len(parser.check(document).words) for document in text)
        return cls(text, parser, words, None, characters)

    @property
    def corpus(self) -> Corpus:
        """What a run is known by."""
        return self.text if self.parser is None else self.parser.parsed(self.text)

    def steps(self, models: int) -> Steps:
        """What is done if so many models go over the trees."""
        # A parser finds other words than those that are counted before, but hardly more or fewer.
        parsing = [] if self.parser is None else [Step(f"{self.words:,} words to parse", self.words)]
        return [*parsing, passes_over(self.words, models)]

    def kept(
        self, part: str, store: ShardStore | None, progress: Progress | None
    ) -> AbstractContextManager[Corpus]:
        """The trees, to be gone through as often as wanted; who parses is told of its progress.

        part: the name of what the store keeps of them.
        """
        told = None if self.parser is None else progress
        return kept(self.text, part, store, self.parser, told, self.characters)


def count_relations(documents: Iterable[Document]) -> Counter[str]:
    """How many words bear each relation; refuses documents without trees."""
    relations: Counter[str] = Counter()
    for document in documents:
        if document.dependencies is None:
            raise InputError(
                f"document '{document.id}' has no trees; give a treebank (.conllu, .dep), "
                "or add --parse to have the text parsed"
            )
        relations.update(document.dependencies.relations)
    return relations
