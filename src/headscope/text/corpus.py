"""A corpus: documents that can be read again and again without being kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice

from headscope.errors import OptionError
from headscope.text.checksums import digest_derived, digest_documents
from headscope.text.documents import Document
from headscope.text.noticing import Broken, Item, Noticed


class Corpus:
    """Documents from one source; every iteration reads them afresh, those without a word are left out.

    ``stream`` opens the source and yields its documents; ``digest`` gives the checksum of the source
    (by default that of the documents). A broken document is refused, or with ``skip_broken`` left out.
    """

    def __init__(
        self,
        name: str,
        source: str,
        stream: Callable[[], Iterable[Item]],
        digest: Callable[[], str] | None = None,
        *,
        skip_broken: bool = False,
    ) -> None:
        self.name = name
        self.source = source
        self.stream = stream
        self.skip_broken = skip_broken
        self.noticed = Noticed()
        """By the pass that came furthest."""
        self._digest = digest

    def __iter__(self) -> Iterator[Document]:
        noticed = Noticed()
        for item in self.stream():
            if isinstance(item, Broken) and not self.skip_broken:
                raise item.error
            document = noticed.take(item)
            if noticed.items > self.noticed.items:
                self.noticed = noticed
            if document is not None:
                yield document

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

    @property
    def notes(self) -> list[str]:
        """What reading it has shown so far: what was left out, and what was decided for the user."""
        return [f"{self.name}: {note}" for note in self.noticed.notes()]

    def skipping_broken(self) -> Corpus:
        """The same source, without the documents that are broken."""
        return Corpus(self.name, self.source, self.stream, self._digest, skip_broken=True)

    def limited(self, count: int) -> Corpus:
        """The first ``count`` documents of the same source."""
        if count < 1:
            raise OptionError(f"a limit of {count} documents leaves nothing; give 1 or more")
        return self.derived(lambda: islice(self, count))

    def derived(
        self,
        stream: Callable[[], Iterable[Document]],
        maker: Callable[[], str] | None = None,
        note: str | None = None,
    ) -> Corpus:
        """Documents made of those of the same source; ``maker`` says what made others of them.

        ``note``: what a reader must know of that.
        """
        return _Derived(self, stream, maker, note)


class _Derived(Corpus):
    """Documents made of those of another corpus; what its source holds is noticed there."""

    def __init__(
        self,
        of: Corpus,
        stream: Callable[[], Iterable[Document]],
        maker: Callable[[], str] | None,
        note: str | None,
    ) -> None:
        def digest() -> str:
            return of.checksum if maker is None else digest_derived(of.checksum, maker())

        super().__init__(of.name, of.source, stream, digest, skip_broken=of.skip_broken)
        self._of, self._note = of, note

    @property
    def notes(self) -> list[str]:
        return [*self._of.notes, *([] if self._note is None else [f"{self.name}: {self._note}"])]

    def skipping_broken(self) -> Corpus:
        if self.skip_broken:
            return self
        raise OptionError(
            f"{self.source}: this corpus is made of one that refuses broken documents; open that one with "
            "skip_broken=True"
        )
