"""A head's name: which stack, which layer, which index. Counting starts at 0 everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from headscope.errors import OptionError

Stack = Literal["encoder", "decoder", "cross", "sees_earlier", "sees_later", "pool", "document"]
"""Of transformers, the first three; of nets trained here, those whose queries see earlier or later pieces
alone, `pool`, where one learned query looks over a whole text or over each of its sentences, and `document`,
where one looks over these sentences."""

STACKS: tuple[Stack, ...] = get_args(Stack)

POOLS: tuple[Stack, ...] = ("pool", "document")
"""Those where a learned query looks, the nearest to the text first."""

_NAME = re.compile(rf"^(?:({'|'.join(STACKS)})[: .])?L(\d+)H(\d+)$", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class Head:
    """One attention head.

    >>> str(Head("encoder", 3, 7)), Head("encoder", 3, 7).one_based()
    ('L3H7', '4-8')
    """

    stack: Stack
    layer: int
    index: int

    def __str__(self) -> str:
        return f"L{self.layer}H{self.index}"

    def one_based(self) -> str:
        """The name as Clark et al. 2019 prints it: layer-head, both counted from 1."""
        return f"{self.layer + 1}-{self.index + 1}"

    @classmethod
    def of(cls, head: Head | str, stack: Stack = "encoder") -> Head:
        """The head itself, or the one of that name."""
        return head if isinstance(head, Head) else cls.parse(str(head), stack)

    @classmethod
    def parse(cls, name: str, stack: Stack = "encoder") -> Head:
        """Read 'L3H7', or 'cross:L3H7' where a model has several stacks."""
        match = _NAME.match(name.strip())
        if match is None:
            raise OptionError(f"'{name}' is not a head; write L3H7 (layer 3, head 7, counted from 0)")
        where = match[1].lower() if match[1] else stack
        return cls(where, int(match[2]), int(match[3]))  # type: ignore[arg-type]


Named = Head | str
"""A head, or its name."""


SELECTION = "0,2,5-7"
"""How some layers or heads are written."""


def parse_numbers(text: str, what: str, such: str = SELECTION) -> list[int]:
    """Read a selection such as '0,2,5-7'; such: what a user is told to write.

    >>> parse_numbers("0,2,5-7", "layers")
    [0, 2, 5, 6, 7]
    """
    chosen: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        if match is None:
            raise OptionError(f"--{what} '{text}': write numbers from 0, such as {such}")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise OptionError(f"--{what} '{text}': {first}-{last} counts backwards")
        chosen.extend(range(first, last + 1))
    return sorted(set(chosen))


def check_numbers(chosen: Iterable[int] | None, size: int, what: str) -> list[int]:
    """Return the chosen layers or heads, all of them for None; refuse numbers the model does not have."""
    if chosen is None:
        return list(range(size))
    numbers = sorted(set(chosen))
    wrong = [number for number in numbers if not 0 <= number < size]
    if wrong:
        raise OptionError(f"no {what} {wrong[0]}: the model has {what}s 0 to {size - 1}")
    if not numbers:
        raise OptionError(f"no {what} chosen")
    return numbers
