"""The maps of a few heads on one text, as `headscope show` gives them, made ready to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.drawing.glyphs import readable
from headscope.drawing.style import BY_MODEL, BY_MODEL_SAYS, FAINT, INK
from headscope.errors import OptionError
from headscope.results.result import Result
from headscope.results.rows import SCANT_TOLD, is_scant

DECADES = 3
"""On a log scale, a weight so many powers of ten below the whole is not to be seen."""


@dataclass(frozen=True)
class ShownMaps:
    """weights: (head, query, key). scant: (head, query), whether too little is left of a row to say anything.
    The inks tell special tokens and those that the model wrote itself."""

    heads: list[str]
    queries: list[str]
    keys: list[str]
    special_queries: np.ndarray
    special_keys: np.ndarray
    inks: tuple[list[str], list[str]]
    weights: np.ndarray
    scant: np.ndarray
    log: bool
    cross: bool

    def inks_with(self, pale: np.ndarray) -> tuple[list[str], list[str]]:
        """The inks of queries and of keys, where some queries (query,) are faint too."""
        queries = [FAINT if is_pale else ink for ink, is_pale in zip(self.inks[0], pale, strict=True)]
        return queries, self.inks[1]

    @property
    def says_below(self) -> list[str]:
        """What colours of tokens mean, where they have such."""
        written = any(BY_MODEL in inks for inks in self.inks)
        return [*([BY_MODEL_SAYS] if written else []), *([SCANT_TOLD] if self.scant.any() else [])]

    @property
    def longest(self) -> int:
        return max(len(self.queries), len(self.keys))

    @property
    def strongest(self) -> float:
        """The largest weight of rows of which enough is left, or of all where there are none."""
        telling = self.weights[~self.scant]
        return float((telling if telling.size else self.weights).max())

    def check_room(self, room: int) -> None:
        """Refuse more tokens than can be read."""
        if self.longest > room:
            raise OptionError(
                f"{self.longest} tokens are too many to read in a picture of {len(self.heads)} heads, which "
                f"has room for {room}; shorten the text, hide special tokens, show fewer heads, or save as "
                ".html"
            )


def _inks(maps: xr.Dataset, side: str) -> list[str]:
    """The colour of each token of a side."""
    special, by_model = (maps[f"{side}_{name}"].values.astype(bool) for name in ("special", "by_model"))
    return [str(ink) for ink in np.where(special, FAINT, np.where(by_model, BY_MODEL, INK))]


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
        (_inks(maps, "query"), _inks(maps, "key")),
        np.nan_to_num(maps["weights"].values),
        is_scant(maps["left"]),
        maps.attrs.get("scale") == "log",
        maps.attrs.get("stack") == "cross",
    )
