"""What a plan leaves of each shard, gathered on disk and read back one shard at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from headscope.engine.running import each, refuse_nothing
from headscope.engine.states import from_state
from headscope.engine.stores import ShardStore
from headscope.engine.work import Done, Plan
from headscope.errors import RunError
from headscope.results.shards import Part
from headscope.text import Document
from headscope.text.batches import Progress


@dataclass(frozen=True)
class Gathered:
    """The shards of a part of a store, by number, and what they were taken over (without tallies)."""

    part: Part
    numbers: Sequence[int]
    total: Done

    def read(self, number: int) -> Done:
        """The tallies of one shard, of each analysis by its name."""
        state = self.part.read(number)
        if state is None:
            raise RunError(f"{self.part.path(number)} has gone meanwhile; run the same command again")
        return from_state(state)

    def __iter__(self) -> Iterator[Done]:
        """One shard after the other; only one is in memory."""
        return map(self.read, self.numbers)

    def drop(self) -> None:
        """Remove the shards: they are large, and what was made of them is kept elsewhere."""
        self.part.drop()


def gather(
    plan: Plan,
    documents: Iterable[Document],
    part: str,
    store: ShardStore,
    progress: Progress | None = None,
    look: Callable[[Done], None] | None = None,
) -> Gathered:
    """Run a plan over documents into shards on disk; those that are there already are not run again.

    look: is shown every shard, in order.
    """
    total = Done()
    for done in each(plan, documents, part, store, progress):
        total.merge(replace(done, tallies={}))
        if look is not None:
            look(done)
    refuse_nothing(total)
    place = store.part(part)
    return Gathered(place, place.numbers(), total)
