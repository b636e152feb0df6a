"""The rule that cuts a corpus into shards."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from headscope.engine.shards import CHARACTERS, OF_EXAMPLES, Shard, shards
from headscope.text import Document


def documents(sizes: list[int]) -> list[Document]:
    return [Document.from_text(f"d{number}", "x" * size) for number, size in enumerate(sizes)]


def cut(sizes: list[int], characters: int) -> list[list[str]]:
    return [[d.id for d in shard.documents] for shard in shards(documents(sizes), characters)]


def test_a_shard_is_full_when_it_holds_enough() -> None:
    assert cut([4, 4, 4, 1], 8) == [["d0", "d1"], ["d2", "d3"]]
    assert cut([4, 3, 1, 1], 8) == [["d0", "d1", "d2"], ["d3"]]
    assert cut([20, 1, 30], 8) == [["d0"], ["d1", "d2"]]
    assert cut([], 8) == []


def test_shards_are_numbered() -> None:
    assert [shard.number for shard in shards(documents([9, 9, 1]), 8)] == [0, 1, 2]


def test_shards_come_one_at_a_time() -> None:
    opened = []

    def stream():
        for document in documents([9, 9, 9]):
            opened.append(document.id)
            yield document

    assert next(iter(shards(stream(), 8))) == Shard(0, documents([9]))
    assert opened == ["d0"]


def test_the_rule_is_fixed() -> None:
    """Where nobody asks for another; runs that were stopped go on by these numbers."""
    assert (CHARACTERS, OF_EXAMPLES) == (60_000, 12_000)


@given(st.lists(st.integers(1, 30), max_size=30), st.integers(1, 60))
def test_every_document_is_in_one_shard_in_order(sizes: list[int], characters: int) -> None:
    found = cut(sizes, characters)
    assert [name for shard in found for name in shard] == [f"d{n}" for n in range(len(sizes))]
    for shard in found:
        held = [sizes[int(name[1:])] for name in shard]
        assert sum(held[:-1]) < characters
    for shard in found[:-1]:
        assert sum(sizes[int(name[1:])] for name in shard) >= characters
