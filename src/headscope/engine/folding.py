"""Merging shards in their order; now and then one state takes the place of all that are merged, on disk too.

So the disk holds few states, however long the text is. Merging goes from left to right, so a run that goes on
from such a state ends in the same bits.
"""

from __future__ import annotations

from headscope.engine.states import from_state, to_state
from headscope.engine.work import Done
from headscope.results.shards import Part, ShardState

EVERY = 64
"""Shards between one fold and the next."""


class Folded:
    """The tallies of the first `past` shards."""

    def __init__(self, part: Part | None) -> None:
        self._part = part
        self._waiting = self._size = 0
        self.done, self.past = Done(), 0
        merged = None if part is None else part.read_merged()
        if merged is not None:
            state, self.past = merged
            self.done = from_state(state)

    def merge(self, done: Done) -> None:
        """Take in the next shard."""
        if self._part is not None:
            self._size += _bytes_of(to_state(done))
            self._waiting += 1
        self.done.merge(done)
        self.past += 1
        if self._waiting >= EVERY:
            self._fold()

    def _fold(self) -> None:
        assert self._part is not None
        state = to_state(self.done)
        # Rows of examples only get longer by merging: to write them again and again would save nothing.
        if _bytes_of(state) < self._size:
            self._part.write_merged(self.past, *state)
            self._size = 0
        self._waiting = 0


def _bytes_of(state: ShardState) -> int:
    return sum(array.nbytes for array in state[0].values())
