"""Documents that are read or made once, however often they are gone through.

Parsing is slow, and a question goes through its text again for each twin and each split. So what was read, or
made of it, is written into a part of the run's store, chunk by chunk, and comes from there from then on, also
when a stopped run goes on. It lies on disk, since a text may be larger than memory, and is a corpus like any
other to whoever goes through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from tempfile import TemporaryDirectory

import numpy as np

from headscope.engine.effort import tell_past
from headscope.engine.shards import CHARACTERS, shards
from headscope.engine.stores import ShardStore
from headscope.errors import InputError, ModelError, OptionError, RunError
from headscope.results.folder import RunFolder
from headscope.results.shards import Part
from headscope.text import Corpus, Document
from headscope.text.batches import Progress
from headscope.text.packing import pack, unpack

Make = Callable[[list[Document]], Iterable[Document]]
"""Makes other documents of some; those of one chunk do not depend on another chunk."""


@contextmanager
def kept(
    corpus: Corpus,
    part: str,
    store: ShardStore | None = None,
    make: Make | None = None,
    progress: Progress | None = None,
    characters: int = CHARACTERS,
) -> Iterator[Corpus]:
    """Inside the `with`, the same documents, or what `make` makes of them, each read and made once.

    part: the name of what the store keeps of them; without a store, they lie in a temporary folder. progress:
    told of the words that were read, once. characters: of the text in a chunk, which is kept as soon as it is
    made.
    """
    with temporary_store() if store is None else nullcontext(store) as place:
        folder = place.part(part)
        try:
            yield corpus.derived(_Kept(corpus, folder, make, progress, characters).__iter__)
        except (InputError, ModelError, OptionError):
            # Who asks the same of the same text is refused again: that is no work to go on with. But where
            # shards are done, the same can go on, as where memory ran out for a while.
            if folder.is_alone:
                folder.drop()
            raise


@contextmanager
def temporary_store() -> Iterator[RunFolder]:
    """A store for who keeps no run; gone at the end."""
    with TemporaryDirectory(prefix="headscope-") as folder:
        yield RunFolder(folder)


class _Kept:
    """Goes through the source until all is in the part, and from then on through the part alone."""

    def __init__(
        self, corpus: Corpus, part: Part, make: Make | None, progress: Progress | None, characters: int
    ) -> None:
        self._corpus, self._part, self._make, self._progress = corpus, part, make, progress
        self._characters, self._complete = characters, False

    def __iter__(self) -> Iterator[Document]:
        if self._complete:
            for number in self._part.numbers():
                yield from self._read(number)
            return
        for chunk in shards(self._corpus, self._characters):
            words = sum(len(document.words) for document in chunk.documents)
            if self._part.has(chunk.number):
                tell_past(self._progress, 0, words)
            else:
                made = chunk.documents if self._make is None else self._make(chunk.documents)
                content = np.frombuffer(pack(made), np.uint8)
                self._part.write(chunk.number, {"documents": content}, {})
                if self._progress is not None:
                    self._progress(0, words)
            yield from self._read(chunk.number)
        self._complete = True

    def _read(self, number: int) -> Iterator[Document]:
        state = self._part.read(number)
        if state is None:
            raise RunError(f"{self._part.path(number)} has gone meanwhile; run the same command again")
        return unpack(state[0]["documents"].tobytes())
