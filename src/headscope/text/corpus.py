"""A corpus: documents that can be read again and again without being kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice

from headscope.errors import OptionError
from headscope.text.checksums import digest_derived, digest_documents
from headscope.text.documents import Document


class Corpus:
    """Documents from one source; every iteration reads them afresh, those without a word are left out.

    ``stream`` opens the source and yields its documents; ``digest`` gives the checksum of the source
    (by default that of the documents).
    """

    def __init__(
        self,
        name: str,
        source: str,
        stream: Callable[[], Iterable[Document]],
        digest: Callable[[], str] | None = None,
    ) -> None:
        self.name = name
        self.source = source
        self._stream = stream
        self._digest = digest

    def __iter__(self) -> Iterator[Document]:
        return (document for document in self._stream() if document.words)

    def __repr__(self) -> str:
        return f"Corpus({self.name!r}, source={self.source!r})"

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the whole source, limited or not; for a single file the same as `sha256sum` prints."""
        return digest_documents(self) if self._digest is None else self._digest()

    @property
    def identity(self) -> dict[str, str]:
        """What tells it from other data, in a record."""
        return {"name": self.name, "checksum": self.checksum}

    def limited(self, count: int) -> Corpus:
        """The first ``count`` documents of the same source."""
        if count < 1:
            raise OptionError(f"a limit of {count} documents leaves nothing; give 1 or more")
        return self.derived(lambda: islice(self, count))

    def derived(
        self, stream: Callable[[], Iterable[Document]], maker: Callable[[], str] | None = None
    ) -> Corpus:
        """Documents made of those of the same source; ``maker`` says what made others of them."""
        if maker is None:
            return Corpus(self.name, self.source, stream, lambda: self.checksum)
        return Corpus(self.name, self.source, stream, lambda: digest_derived(self.checksum, maker()))
