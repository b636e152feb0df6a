"""Documents as shards through a runner: states on disk at once, merged in the order of the shards."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Protocol

from headscope.engine.effort import tell_past
from headscope.engine.folding import Folded
from headscope.engine.local import Local
from headscope.engine.shards import Shard, shards
from headscope.engine.states import from_state
from headscope.engine.stores import ShardStore
from headscope.engine.work import Done, Plan
from headscope.errors import InputError, RunError
from headscope.results.shards import Part, ShardState
from headscope.text import Document
from headscope.text.batches import Progress


class Runner(Protocol):
    """Runs shards somewhere; gives each number and state once, in any order, reading only a few ahead."""

    def states(
        self, plan: Plan, shards: Iterable[Shard], progress: Progress | None = None
    ) -> Generator[tuple[int, ShardState], None, None]: ...


_runner: ContextVar[Runner] = ContextVar("runner", default=Local())  # noqa: B039 - it holds no state


@contextmanager
def running_on(runner: Runner) -> Iterator[None]:
    """Inside the `with`, every analysis runs its shards on this runner."""
    token = _runner.set(runner)
    try:
        yield
    finally:
        _runner.reset(token)


def run(
    plan: Plan,
    documents: Iterable[Document],
    part: str,
    store: ShardStore | None = None,
    progress: Progress | None = None,
) -> Done:
    """Merged tallies over all documents, in shard order; `part`: the name of what the store keeps of it."""
    folded = Folded(None if store is None else store.part(part))
    tell_past(progress, folded.done.segments, folded.done.words)
    for done in each(plan, documents, part, store, progress, folded.past):
        folded.merge(done)
    refuse_nothing(folded.done)
    return folded.done


def refuse_nothing(done: Done) -> None:
    """Refuse a text of which nothing was run, and say what was left out."""
    if not done.segments:
        left_out = sorted(done.skipped.items())
        skipped = [f"{words:,} words are skipped, {reason}" for reason, words in left_out]
        reasons = "; ".join(skipped) or "it has no word that the tokenizer knows pieces for"
        raise InputError(f"the text gives no segment: {reasons}")


def each(
    plan: Plan,
    documents: Iterable[Document],
    part: str,
    store: ShardStore | None = None,
    progress: Progress | None = None,
    first: int = 0,
) -> Iterator[Done]:
    """The tallies of one shard after the other, from the shard with the number `first` on.

    With a store, finished shards are read back instead of run again, so that a stopped run goes on; what
    is given is always what the store would give, so both ways end in the same bits.
    """
    shelf = _Shelf(None if store is None else store.part(part), progress, first)
    states = _runner.get().states(plan, shelf.missing(shards(documents, plan.characters)), progress)
    # Closed also after an error here, such as a full disk, while the cluster that it lives on still stands.
    with closing(states):
        for number, state in states:
            shelf.put(number, state)
            yield from shelf.ready()
    yield from shelf.ready()


class _Shelf:
    """Puts states in order: what comes early waits, what was on disk is read when its turn comes."""

    def __init__(self, part: Part | None, progress: Progress | None, first: int) -> None:
        self._part, self._progress = part, progress
        self._next = self._seen = first
        self._waiting: dict[int, ShardState] = {}
        self._asked: set[int] = set()
        self._told: set[int] = set()

    def missing(self, shards: Iterable[Shard]) -> Iterator[Shard]:
        """The shards that are not on disk; the numbers of all are kept in mind."""
        for shard in islice(shards, self._next, None):
            self._seen = shard.number + 1
            if self._part is None or not self._part.has(shard.number):
                self._asked.add(shard.number)
                yield shard

    def put(self, number: int, state: ShardState) -> None:
        """Keep a state that has come; one shard without a segment is not stored: it is soon made again.

        What is on disk does not wait in memory for its turn.
        """
        if self._part is not None and state[1]["segments"]:
            self._part.write(number, *state)
            if number > self._next:
                self._asked.discard(number)
                self._told.add(number)
                return
        self._waiting[number] = state

    def ready(self) -> Iterator[Done]:
        """All states whose turn has come."""
        while self._next < self._seen:
            number = self._next
            if number in self._waiting:
                yield from_state(self._waiting.pop(number))
            elif number in self._asked:
                return
            else:
                yield self._read(number)
            self._asked.discard(number)
            self._next += 1

    def _read(self, number: int) -> Done:
        """A shard on disk; one that an earlier attempt has done is told now."""
        assert self._part is not None
        state = self._part.read(number)
        if state is None:
            raise RunError(f"{self._part.path(number)} has gone meanwhile; run the same command again")
        done = from_state(state)
        if number not in self._told:
            tell_past(self._progress, done.segments, done.words)
        self._told.discard(number)
        return done
