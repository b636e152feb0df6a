"""Example maps kept beside a result with links that are known: words and their parents, aligned words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.results.numbered import Numbered


@dataclass(frozen=True, eq=False)
class LinkedMap:
    """A map between words, and which of them are known to be linked.

    by: what made the map. same: whether both sides are one text. weights: (query, key). kinds: the kinds of
    links by name, the surest first. links: (link, 3) whole numbers, query, key and kind of each.
    """

    by: str
    query: list[str]
    key: list[str]
    same: bool
    weights: np.ndarray
    kinds: list[str]
    links: np.ndarray

    def __post_init__(self) -> None:
        sizes = (len(self.query), len(self.key))
        if self.weights.shape != sizes:
            raise ValueError(f"weights {self.weights.shape} do not fit {sizes} words")
        inside = (self.links >= 0) & (self.links < (*sizes, len(self.kinds)))
        if self.links.shape[1:] != (3,) or not inside.all():
            raise ValueError(f"links {self.links.tolist()} do not fit {sizes} words")


def links_of(*kinds: np.ndarray) -> np.ndarray:
    """Links (link, 3) of bool arrays (query, key), one for each kind; the first that has a pair counts.

    >>> links_of(np.array([[True, False]]), np.array([[True, True]])).tolist()
    [[0, 0, 0], [0, 1, 1]]
    """
    told = np.stack(kinds).astype(bool)
    query, key = np.nonzero(told.any(0))
    links: np.ndarray = np.stack([query, key, told.argmax(0)[query, key]], axis=1)
    return links


def _stored(linked: LinkedMap) -> xr.Dataset:
    told = ("by", "query", "key", "same", "kinds")
    return xr.Dataset(
        {"weights": (("query", "key"), linked.weights), "links": (("link", "part"), linked.links)},
        attrs={name: getattr(linked, name) for name in told},
    )


def _restored(kept: xr.Dataset) -> LinkedMap:
    about = kept.attrs
    return LinkedMap(
        str(about["by"]),
        [str(word) for word in about["query"]],
        [str(word) for word in about["key"]],
        bool(about["same"]),
        kept["weights"].values.astype(float),
        [str(kind) for kind in about["kinds"]],
        kept["links"].values.astype(int).reshape(-1, 3),
    )


LINKED = Numbered("linked", "maps with known links", _stored, _restored)
