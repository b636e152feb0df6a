"""Records kept whole: what was found of each text, in a form that its question knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np

from headscope.tallies.tally import State


class Records:
    """Texts of bytes, in the order they came.

    It grows with the records: for a few texts that are looked at closely, not for a corpus.

    >>> tally = Records()
    >>> tally.add([b"one", b""])
    >>> tally.result()
    [b'one', b'']
    """

    def __init__(self) -> None:
        self._records: list[bytes] = []

    def add(self, records: Iterable[bytes]) -> None:
        self._records += records

    def merge(self, other: Self) -> None:
        self._records += other._records

    def result(self) -> list[bytes]:
        return list(self._records)

    def to_state(self) -> State:
        sizes = np.array([len(record) for record in self._records], np.int64)
        return {"bytes": np.frombuffer(b"".join(self._records), np.uint8), "sizes": sizes}

    @classmethod
    def from_state(cls, state: State) -> Self:
        tally, content = cls(), state["bytes"].tobytes()
        ends = np.cumsum(state["sizes"]).tolist()
        starts = [0, *ends[:-1]] if ends else []
        tally.add(content[start:end] for start, end in zip(starts, ends, strict=True))
        return tally
