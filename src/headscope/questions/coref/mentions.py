"""The mentions of a question about coreference: made ready, counted, and told of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import xarray as xr

from headscope.engine.work import Done
from headscope.questions.coref.options import Candidates, Options
from headscope.text import Document
from headscope.text.head_words import HeadFinder, with_heads
from headscope.text.mentions import KINDS, linked, mentions_of, without_singletons


@dataclass
class Census:
    """Words and mentions of all documents; mentions of singletons, with an antecedent, without a type."""

    words: int = 0
    mentions: int = 0
    singletons: int = 0
    linked: int = 0
    untyped: int = 0

    def count(self, document: Document) -> None:
        """Take in a document whose mentions have heads."""
        self.words += len(document.words)
        every, named_again = mentions_of(document), mentions_of(without_singletons(document))
        self.mentions += len(every)
        self.singletons += len(every) - len(named_again)
        self.linked += int(linked(named_again).sum())
        self.untyped += int((named_again.kind == KINDS.index("untyped")).sum())


@dataclass(frozen=True)
class Preparing:
    """Gives mentions heads and, unless ``singletons``, leaves out those that are not named again."""

    finder: HeadFinder
    singletons: bool

    def __call__(self, documents: Iterable[Document]) -> Iterator[Document]:
        return map(self.ready, self.headed(documents))

    def headed(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Documents whose mentions have heads."""
        return (with_heads(document, self.finder) for document in documents)

    def ready(self, headed: Document) -> Document:
        """A document as it is scored."""
        return headed if self.singletons else without_singletons(headed)


_CANDIDATES: dict[Candidates, str] = {
    "words": "all other words",
    "mentions": "the head words of all other mentions",
    "preceding": "the head words of earlier mentions",
}


def about(dataset: xr.Dataset, done: Done, census: Census, options: Options) -> list[str]:
    """What the numbers are, for the reader of a run."""
    scored = dataset.attrs["scored"]
    cut = "the first window of each document" if options.first else "consecutive windows"
    notes = [
        f"{scored:,} mentions with an antecedent in their window count, in {done.segments:,} windows of "
        f"{dataset.attrs['documents']:,} documents; {census.linked:,} have one in their document "
        f"({scored / max(census.linked, 1):.0%} covered)",
        f"{cut}, of whole sentences, at most {options.window} words; head words of mentions by "
        f"'{options.head_finder}'; candidates are {_CANDIDATES[options.candidates]}",
        "accuracy is that of heads chosen on the other half of the documents, same_data that of the best "
        "head on the data that chose it; intervals over blocks of documents; p corrected for the types",
        "the paper's numbers are of BERT-base on CoNLL-2012, the first 128 tokens of each document; "
        "agreement knows English only",
        f"{census.singletons:,} of {census.mentions:,} mentions name what the document names only once; they "
        + ("stay as candidates" if options.singletons else "are left out"),
    ]
    if shared := dataset.attrs["shared"]:
        notes.append(
            f"{shared:,} mentions share their head word with all their antecedents, so no attention to "
            "another word can find them; they do not count"
        )
    if census.untyped:
        notes.append(
            f"{census.untyped:,} mentions have no tag and are no pronoun, so they count in 'all' alone; "
            "give trees of the same documents"
        )
    if windows := dataset.attrs["cut windows"]:
        notes.append(
            f"{windows:,} windows end within a sentence, which is longer than they are and is cut between "
            f"words; {dataset.attrs['cut mentions']:,} mentions are cut apart there and left out"
        )
    if missing := dataset.attrs["without pieces"]:
        notes.append(f"{missing:,} mentions whose head word has no pieces are left out")
    return notes + [f"{words:,} words left out: {reason}" for reason, words in done.skipped.items()]
