"""The maps of a few heads on one text, as `headscope show` gives them, made ready to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.drawing.glyphs import readable
from headscope.errors import OptionError
from headscope.results.result import Result

DECADES = 3
"""On a log scale, a weight so many powers of ten below the whole is not to be seen."""


@dataclass(frozen=True)
class ShownMaps:
    """weights: (head, query, key). The specials say which tokens are special."""

    heads: list[str]
    queries: list[str]
    keys: list[str]
    special_queries: np.ndarray
    special_keys: np.ndarray
    weights: np.ndarray
    log: bool
    cross: bool

    @property
    def longest(self) -> int:
        return max(len(self.queries), len(self.keys))

    def check_room(self, room: int) -> None:
        """Refuse more tokens than can be read."""
        if self.longest > room:
            raise OptionError(
                f"{self.longest} tokens are too many to read in a picture of {len(self.heads)} heads, which "
                f"has room for {room}; shorten the text, hide special tokens, show fewer heads, or save as "
                ".html"
            )


def has_maps(result: Result) -> bool:
    """Whether a result holds maps of one text."""
    maps = result.arrays.get("maps")
    return maps is not None and maps["weights"].size > 0


def shown_maps(result: Result, signs: int) -> ShownMaps:
    """Take the maps of a result; tokens are cut after so many signs."""
    maps: xr.Dataset = result.arrays["maps"]

    def tokens(name: str) -> list[str]:
        return [readable(token, signs) for token in maps[name].values]

    return ShownMaps(
        [readable(head) for head in maps["head"].values],
        tokens("query_token"),
        tokens("key_token"),
        maps["query_special"].values.astype(bool),
        maps["key_special"].values.astype(bool),
        np.nan_to_num(maps["weights"].values),
        maps.attrs.get("scale") == "log",
        maps.attrs.get("stack") == "cross",
    )
