"""Word links: which words of a text and of its target belong together, and files that tell so.

A line tells the links of one pair: `i-j` is sure, `ipj` possible, i a word of the source and j one of the
target, both counted from 0 or both from 1 (Mihalcea and Pedersen 2003 call links sure and possible; with
sure ones alone this is the format of Pharaoh).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from headscope.errors import InputError
from headscope.text.lines import Place, read_lines

_LINK = re.compile(r"(\d+)([-p])(\d+)")


@dataclass(frozen=True, eq=False)
class Links:
    """Links between the words of a text and of its target.

    Shapes: source, target and sure are (link,), each link once; those that are not sure are possible. size
    and targets: how many words the text and its target have.

    >>> links = Links(np.array([0, 1]), np.array([1, 0]), np.array([True, False]), size=2, targets=2)
    >>> len(links), links.turned().source.tolist()
    (2, [1, 0])
    """

    source: np.ndarray
    target: np.ndarray
    sure: np.ndarray
    size: int
    targets: int

    def __post_init__(self) -> None:
        if not len(self.source) == len(self.target) == len(self.sure):
            raise InputError(f"links: {len(self.source)} sources, but {len(self.target)} targets")
        for name, places, size in (("source", self.source, self.size), ("target", self.target, self.targets)):
            if len(places) and (places.min() < 0 or places.max() >= size):
                raise InputError(f"links: one leaves the {size} words of the {name}")

    def __len__(self) -> int:
        return self.size

    def turned(self) -> Links:
        """The same with text and target exchanged."""
        return Links(self.target, self.source, self.sure, self.targets, self.size)

    @classmethod
    def of(cls, links: Iterable[tuple[int, int, bool]], size: int, targets: int) -> Links:
        """Take (source, target, sure), in any order; a link that is told twice is sure if once it is."""
        rows = np.array(sorted(links), np.int64).reshape(-1, 3)
        kept = np.ones(len(rows), bool)
        # Of equal links the last is the sure one.
        kept[:-1] = (rows[1:, :2] != rows[:-1, :2]).any(1)
        source, target, sure = rows[kept].T
        return cls(source, target, sure.astype(bool), size, targets)


@dataclass(frozen=True)
class LinkFile:
    """The links that a file tells, line by line, as they stand there; `base`: what its words count from."""

    path: Path
    lines: list[list[tuple[int, int, bool]]]
    base: int
    remark: str

    def __len__(self) -> int:
        return len(self.lines)

    def links(self, line: int, size: int, targets: int) -> Links:
        """The links of a line, counted from 0, of a pair of so many words."""
        base = self.base
        counted = [(source - base, target - base, sure) for source, target, sure in self.lines[line]]
        for source, target, _ in counted:
            for word, words, side in ((source, size, "source"), (target, targets, "target")):
                if not 0 <= word < words:
                    told = f"{source + base}-{target + base}"
                    raise Place(self.path, line + 1).error(
                        f"link {told} names word {word + base} of the {side}, which has {words} words "
                        f"({self.remark})"
                    )
        return Links.of(counted, size, targets)


def read_links(path: Path, base: int | None = None) -> LinkFile:
    """Read a file of links; base: what its words are counted from, or None to find out.

    A file that names a word 0 counts from 0; one that never does is taken to count from 1.
    """
    lines = [_links(line, Place(path, number)) for number, line in enumerate(read_lines(path), start=1)]
    least = min((min(link[:2]) for line in lines for link in line), default=None)
    if least is None:
        raise Place(path).error("no link; lines such as 0-0 1p2 are expected")
    if base is not None:
        return LinkFile(path, lines, base, f"words are counted from {base}, as told")
    if least == 0:
        return LinkFile(path, lines, 0, "words are counted from 0: word 0 is named")
    return LinkFile(path, lines, 1, "words are counted from 1: no word 0 is named")


def _links(line: str, place: Place) -> list[tuple[int, int, bool]]:
    links = []
    for told in line.split():
        match = _LINK.fullmatch(told)
        if match is None:
            raise place.error(f"'{told[:60]}' is no link; i-j (sure) or ipj (possible) is expected")
        source, kind, target = match.groups()
        links.append((int(source), int(target), kind == "-"))
    return links
