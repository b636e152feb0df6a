"""Examples of one kind kept beside a result, each as arrays with a number in their name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import xarray as xr

from headscope.errors import RunError

Example = TypeVar("Example")


@dataclass(frozen=True)
class Numbered(Generic[Example]):
    """A kind of examples; name: that of their arrays, before the number. says: what they are, in messages."""

    name: str
    says: str
    stored: Callable[[Example], xr.Dataset]
    restored: Callable[[xr.Dataset], Example]

    def has(self, name: str) -> bool:
        """Whether arrays of that name are such an example."""
        return self._number(name) is not None

    def arrays(self, examples: Sequence[Example]) -> dict[str, xr.Dataset]:
        """Examples as arrays by name."""
        return {f"{self.name}_{number}": self.stored(each) for number, each in enumerate(examples)}

    def read(self, arrays: Mapping[str, xr.Dataset]) -> list[Example]:
        """The examples that `arrays` was given, in their order."""
        numbered = {number: name for name in arrays if (number := self._number(name)) is not None}
        try:
            return [self.restored(arrays[numbered[number]]) for number in sorted(numbered)]
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(
                f"the {self.says} are not as headscope writes them ({error!r}); "
                "restore arrays.zarr, or run the command again with another --out"
            ) from error

    def _number(self, name: str) -> int | None:
        match = re.fullmatch(rf"{self.name}_(\d+)", name)
        return None if match is None else int(match[1])
