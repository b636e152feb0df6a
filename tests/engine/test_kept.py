"""Documents that are kept: read and made once, also over several attempts, and gone where of no use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from headscope.engine.kept import kept as kept_in_chunks
from headscope.errors import InputError, ModelError, RunError
from headscope.results.folder import RunFolder
from headscope.text import Corpus, Document

TEXTS = [f"The keeper wrote {number} lines." for number in range(7)]
CHUNKS = 4  # of two documents each, but for the last

kept = partial(kept_in_chunks, characters=30)


class Source:
    """Documents, and how many of them were read so far."""

    def __init__(self) -> None:
        self.read = 0

    def __iter__(self) -> Iterator[Document]:
        for number, text in enumerate(TEXTS):
            self.read += 1
            yield Document.from_text(f"d{number}", text)

    @property
    def corpus(self) -> Corpus:
        return Corpus("texts", "memory", lambda: iter(self))


class Tagger:
    """Gives each word a tag; counts the documents, and stops before one of them."""

    def __init__(self, stop: int | None = None) -> None:
        self.made, self.stop = 0, stop

    def __call__(self, documents: list[Document]) -> Iterable[Document]:
        for document in documents:
            if self.made == self.stop:
                raise KeyboardInterrupt
            self.made += 1
            yield replace(document, tags=("X",) * len(document.words))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunFolder]:
    with RunFolder.claim(tmp_path / "run", "syntax", {"identity": {}}) as folder:
        yield folder


def check(documents: Iterable[Document], tagged: bool = False) -> None:
    documents = list(documents)
    assert [(document.id, document.text) for document in documents] == [
        (f"d{number}", text) for number, text in enumerate(TEXTS)
    ]
    assert all((document.tags is not None) == tagged for document in documents)


@pytest.mark.parametrize("with_store", [True, False])
def test_a_source_is_read_once(store: RunFolder, with_store: bool) -> None:
    source = Source()
    with kept(source.corpus, "syntax/text", store if with_store else None) as corpus:
        assert source.read == 0, "nobody has asked"
        for _ in range(4):
            check(corpus)
    assert source.read == len(TEXTS)
    assert store.part("syntax/text").numbers() == (list(range(CHUNKS)) if with_store else [])


def test_what_is_made_of_it_is_made_once(store: RunFolder) -> None:
    source, tagger, told = Source(), Tagger(), []
    progress: Callable[[int, int], None] = lambda segments, words: told.append((segments, words))  # noqa: E731
    with kept(source.corpus, "syntax/text", store, tagger, progress) as corpus:
        for _ in range(3):
            check(corpus, tagged=True)
    assert (source.read, tagger.made) == (len(TEXTS), len(TEXTS))
    words = sum(len(document.words) for document in Source())
    assert [sum(column) for column in zip(*told, strict=True)] == [0, words] and len(told) == CHUNKS


def test_one_who_leaves_early_leaves_the_rest_to_others(store: RunFolder) -> None:
    tagger = Tagger()
    with kept(Source().corpus, "syntax/text", store, tagger) as corpus:
        next(iter(corpus))
        assert tagger.made == 2, "no more than a chunk is ahead"
        check(corpus, tagged=True)
    assert tagger.made == len(TEXTS)


def test_another_attempt_makes_only_what_is_missing(store: RunFolder) -> None:
    for stop in (3, 2):
        stopped = Tagger(stop)
        with kept(Source().corpus, "syntax/text", store, stopped) as corpus, pytest.raises(KeyboardInterrupt):
            list(corpus)
    assert store.part("syntax/text").numbers() == [0, 1], "whole chunks"
    later = Tagger()
    with kept(Source().corpus, "syntax/text", store, later) as corpus:
        check(corpus, tagged=True)
    assert later.made == len(TEXTS) - 4


def test_what_was_damaged_or_removed_is_told(store: RunFolder) -> None:
    with kept(Source().corpus, "syntax/text", store) as corpus:
        check(corpus)
        path = store.part("syntax/text").path(1)
        content = path.read_bytes()
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        with pytest.raises(RunError, match=r"000001\.safetensors: this shard is damaged"):
            list(corpus)
        path.unlink()
        documents = iter(corpus)
        store.part("syntax/text").path(2).unlink()
        assert [next(documents).id for _ in range(2)] == ["d0", "d1"]


def test_a_text_that_is_refused_leaves_nothing(store: RunFolder) -> None:
    with pytest.raises(InputError), kept(Source().corpus, "syntax/text", store) as corpus:
        check(corpus)
        raise InputError("nothing to score")
    assert not any(path.is_file() for path in (store.path / "shards").rglob("*"))


@pytest.mark.parametrize("part", ["syntax", "syntax/twin-0"])
def test_what_ends_in_the_middle_of_work_leaves_what_was_made(store: RunFolder, part: str) -> None:
    with pytest.raises(ModelError), kept(Source().corpus, "syntax/text", store) as corpus:
        check(corpus)
        store.part(part).write(0, {}, {})
        raise ModelError("memory ran out")
    assert store.part("syntax/text").numbers() == list(range(CHUNKS))


def test_an_interruption_leaves_what_was_made(store: RunFolder) -> None:
    with pytest.raises(KeyboardInterrupt), kept(Source().corpus, "syntax/text", store) as corpus:
        check(corpus)
        raise KeyboardInterrupt
    assert store.part("syntax/text").numbers() == list(range(CHUNKS))


def test_without_a_store_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with kept(Source().corpus, "syntax/text") as corpus:
        check(corpus)
        assert len(list(tmp_path.rglob("*.safetensors"))) == CHUNKS
    assert list(tmp_path.iterdir()) == []
