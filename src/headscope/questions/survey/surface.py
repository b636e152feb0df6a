"""What heads look at on the surface: offsets, special tokens, punctuation, and how spread out they are.

Clark et al. 2019 sections 3.1 to 3.3. A measure is averaged over the queries of a segment, then over segments
with equal weight; previous and next divide by the pairs that exist. Standard errors are over documents.
Beside each measure stands what attention spread evenly over the visible keys would give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.blocks import BLOCKS
from headscope.heads import Stack
from headscope.measures import compiled, surface
from headscope.measures.surface import OFFSETS, Lengths, QueryCounts, SurfaceSums
from headscope.models import Sides
from headscope.tallies import ClusterMeans, Tally

ANY = "any special"
PUNCTUATION = "all punctuation"


class Measures:
    """Names and order of what is measured, for a tokenizer's kinds of pieces."""

    def __init__(self, kinds: Sequence[str], added: Sequence[str]) -> None:
        self.kinds = list(kinds)
        self.groups = {name: [number] for number, name in enumerate(kinds)}
        special = [kinds.index(name) for name in (*added, "other special")]
        self.groups[ANY] = special
        self.groups[PUNCTUATION] = [kinds.index(". or ,"), kinds.index("punctuation")]
        self.special = [*added, ANY]

    @cached_property
    def names(self) -> list[str]:
        """One name per measure; ':' parts family and member."""
        return [
            *(f"offset:{offset}" for offset in OFFSETS),
            "first",
            *(f"to:{name}" for name in self.groups),
            *(f"itself:{name}" for name in self.special),
            *(f"other:{name}" for name in self.special),
            "entropy",
            "strongest",
            "edge:first",
            "edge:last",
        ]

    def values(self, sums: SurfaceSums, counts: QueryCounts) -> tuple[np.ndarray, np.ndarray]:
        """Means per segment, and which of them are defined, both (segment, head, measure)."""
        member = np.array(
            [[k in group for k in range(len(self.kinds))] for group in self.groups.values()], float
        )
        special = member[[list(self.groups).index(name) for name in self.special]]
        to_special = sums.flow @ special.T
        itself = np.einsum("shkg,gk->shg", to_special, special)
        queries = counts.kinds.sum(1, keepdims=True)
        own = counts.kinds @ special.T
        tops_and_counts = [
            (sums.offsets, counts.pairs),
            (sums.first[..., None], queries),
            (sums.flow.sum(2) @ member.T, queries.repeat(len(member), 1)),
            (itself, own),
            (to_special.sum(2) - itself, queries - own),
            (sums.entropy[..., None], queries),
            (sums.strongest[..., None], queries),
            (sums.edges, counts.edges),
        ]
        top = np.concatenate([one for one, _ in tops_and_counts], -1)
        count = np.concatenate([one for _, one in tops_and_counts], -1)[:, None, :]
        return top / np.maximum(count, 1), np.broadcast_to(count > 0, top.shape)


class Surface:
    """The analysis; see the head of this file."""

    name = "surface"

    def work(self, setting: Setting) -> SurfaceWork:
        return SurfaceWork(setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        tally = tallies["surface"]
        assert isinstance(tally, ClusterMeans)
        measures = measures_of(setting)
        means, errors = tally.means(), tally.standard_errors()
        heads = len(setting.chosen())
        site_of = [n for n, site in enumerate(setting.sites()) for _ in setting.indices(site)]
        parts = {"": means[:heads], "_se": errors[:heads], "_uniform": means[heads:][site_of]}
        data: dict[str, tuple[tuple[str, ...], np.ndarray]] = {}
        for suffix, values in parts.items():
            for name, (dims, array) in _families(values, measures).items():
                data[name + suffix] = (dims, array)
        data["block_total"] = (("block", "head", "measure"), tally.total[:, :heads])
        data["block_count"] = (("block", "head", "measure"), tally.count[:, :heads])
        labels = {
            "distance": list(OFFSETS),
            "target": ["self", "previous", "next", "first", *measures.groups],
            "kind": measures.special,
            "origin": ["itself", "other"],
            "measure": measures.names,
            "block": np.arange(BLOCKS),
        }
        dataset = xr.Dataset(data, coords={**setting.coordinates(), **labels})
        dataset.attrs["documents"] = int(tally.documents)
        return dataset


def measures_of(setting: Setting) -> Measures:
    """The measures for a model's tokenizer."""
    return Measures(setting.model.kinds.names, setting.model.kinds.added)


def _families(values: np.ndarray, measures: Measures) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
    """Split (head, measure) into the labelled arrays that a reader wants."""
    column = {name: number for number, name in enumerate(measures.names)}

    def pick(names: Sequence[str]) -> np.ndarray:
        return values[:, [column[name] for name in names]]

    near = pick(["offset:0", "offset:-1", "offset:1", "first"])
    special = [pick([f"{origin}:{name}" for name in measures.special]) for origin in ("itself", "other")]
    return {
        "share": (("head", "target"), np.concatenate([near, pick([f"to:{n}" for n in measures.groups])], 1)),
        "offset": (("head", "distance"), pick([f"offset:{offset}" for offset in OFFSETS])),
        "special": (("head", "kind", "origin"), np.stack(special, -1)),
        "entropy": (("head",), values[:, column["entropy"]]),
        "strongest": (("head",), values[:, column["strongest"]]),
        "entropy_first": (("head",), values[:, column["edge:first"]]),
        "entropy_last": (("head",), values[:, column["edge:last"]]),
    }


class SurfaceWork:
    """Hears each layer once and turns it into sums at once."""

    needs: Need = "rows"

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.measures = measures_of(setting)
        self._site_number = {site: number for number, site in enumerate(setting.sites())}
        items = len(setting.chosen()) + len(self._site_number)
        self.tally = ClusterMeans(items, len(self.measures.names))
        self.tallies: Tallies = {"surface": self.tally}

    def listeners(self) -> Sequence[Listener]:
        return [self]

    def begin(self, sides: Sides) -> None:
        self.sides = sides
        self._lengths: dict[Stack, Lengths] = {}
        self._sums: dict[Site, SurfaceSums] = {}
        self._even: dict[Site, SurfaceSums] = {}
        self._rows: dict[Site, list[np.ndarray]] = {}
        self._even_of_mask: dict[tuple[object, ...], tuple[SurfaceSums, torch.Tensor | None]] = {}

    def hear(self, heard: Heard) -> None:
        site = heard.site
        if site not in self._site_number:
            return
        lengths = self._lengths.setdefault(site.stack, self.sides.lengths(site.stack))
        indices = self.setting.indices(site)
        weights = heard.weights.detach()
        weights = weights if len(indices) == site.heads else weights[:, indices]
        _add(self._sums, site, sums_of(weights, heard.rows, lengths))
        _add(self._even, site, self._even_sums(heard, lengths))
        self._rows.setdefault(site, []).append(heard.rows.cpu().numpy())

    def _even_sums(self, heard: Heard, lengths: Lengths) -> SurfaceSums:
        """Sums of even attention; layers that share a mask share them."""
        mask = heard.mask
        key = (id(mask), heard.site.stack, heard.site.causal, int(heard.rows[0]), len(heard.rows))
        if key not in self._even_of_mask:
            even = even_attention(heard, lengths)
            # The mask is kept with its sums, so that no other tensor can take its identity meanwhile.
            self._even_of_mask[key] = sums_of(even, heard.rows, lengths), mask
        return self._even_of_mask[key][0]

    def end(self, documents: Sequence[str]) -> None:
        found = [
            self._values(site, sums[site]) for sums in (self._sums, self._even) for site in self._site_number
        ]
        values, valid = (np.concatenate(part, axis=1) for part in zip(*found, strict=True))
        self.tally.update(documents, values, valid)

    def _values(self, site: Site, sums: SurfaceSums) -> tuple[np.ndarray, np.ndarray]:
        rows = np.concatenate(self._rows[site])
        lengths = self._lengths[site.stack]
        counts = surface.count_queries(rows, lengths, site.causal, aligned=site.stack != "cross")
        return self.measures.values(sums, counts)


def sums_of(weights: torch.Tensor, rows: torch.Tensor, lengths: Lengths) -> SurfaceSums:
    """Sums on the fastest way there is for where the weights are."""
    if weights.device.type == "cpu":
        return compiled.surface_sums(weights.float().numpy(), rows.numpy(), lengths)
    return surface.surface_sums(weights, rows, lengths)


def even_attention(heard: Heard, lengths: Lengths) -> torch.Tensor:
    """(batch, 1, query, key): attention spread evenly over what each query may look at."""
    batch, _, queries, keys = heard.weights.shape
    device = heard.weights.device
    real = torch.arange(keys, device=device) < torch.as_tensor(lengths.key, device=device)[:, None]
    visible = heard.visible.expand(batch, 1, queries, keys) & real[:, None, None]
    if heard.site.causal:
        visible = visible & (torch.arange(keys, device=device) <= heard.rows[:, None])
    return visible / visible.sum(-1, keepdim=True).clamp_min(1)


def _add(sums: dict[Site, SurfaceSums], site: Site, new: SurfaceSums) -> None:
    if site in sums:
        sums[site] += new
    else:
        sums[site] = new
