"""What heads look at on the surface: offsets, special tokens, punctuation, and how spread out they are.

Clark et al. 2019 sections 3.1 to 3.3. A measure is averaged over the queries of a segment, then over segments
with equal weight; previous and next divide by the pairs that exist. Standard errors are over documents.
Beside each measure stands what attention spread evenly over the visible keys would give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.measures import compiled, surface
from headscope.measures.surface import OFFSETS, Lengths, QueryCounts, SurfaceSums
from headscope.models import Sides
from headscope.questions.survey.behind import OPENING, MeasuresBehind
from headscope.questions.survey.block_sums import with_block_sums
from headscope.questions.survey.even import beside_even, versions_of
from headscope.questions.survey.offers import RUNNING
from headscope.tallies import ClusterMeans, Tally
from headscope.text.kinds import KindTable

ANY = "any special"
PUNCTUATION = "all punctuation"
SHORT = 10
"""Segments of fewer pieces are counted: means over segments give them the same weight as long ones."""


class Measures:
    """What is measured, for a tokenizer's kinds of pieces.

    groups: of kinds, to which attention is summed. special: the groups of special tokens. names: one per
    measure, in order; ':' parts family and member.
    """

    def __init__(self, kinds: KindTable) -> None:
        self.groups = [*kinds.names, ANY, PUNCTUATION]
        self.special = [*kinds.added, ANY]
        joined = {ANY: (*kinds.added, "other special"), PUNCTUATION: (". or ,", "punctuation")}
        self._members = np.array(
            [[kind in joined.get(group, (group,)) for kind in kinds.names] for group in self.groups], float
        )
        self.behind = MeasuresBehind(self.groups, self._members, PUNCTUATION)
        self.names = [
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
        special = self._members[[self.groups.index(name) for name in self.special]]
        to_special = sums.flow @ special.T
        itself = np.einsum("shkg,gk->shg", to_special, special)
        queries = counts.kinds.sum(1, keepdims=True)
        own = counts.kinds @ special.T
        tops_and_counts = (
            (sums.offsets, counts.pairs),
            (sums.first[..., None], queries),
            (sums.flow.sum(2) @ self._members.T, queries.repeat(len(self.groups), 1)),
            (itself, own),
            (to_special.sum(2) - itself, queries - own),
            (sums.entropy[..., None], queries),
            (sums.strongest[..., None], queries),
            (sums.edges, counts.edges),
        )
        top, count = (np.concatenate(arrays, -1) for arrays in zip(*tops_and_counts, strict=True))
        count = count[:, None]
        return top / np.maximum(count, 1), np.broadcast_to(count > 0, top.shape)


class Surface:
    """The analysis; see the head of this file."""

    name = "surface"

    def work(self, setting: Setting) -> SurfaceWork:
        return SurfaceWork(setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        tally, behind, short = tallies["surface"], tallies["behind"], tallies["short"]
        assert isinstance(tally, ClusterMeans) and isinstance(behind, ClusterMeans)
        assert isinstance(short, ClusterMeans)
        measures = Measures(setting.model.kinds)
        data = {
            name + suffix: family
            for suffix, values in versions_of(tally, len(setting.chosen()), _site_of(setting)).items()
            for name, family in _families(values, measures).items()
        } | {
            name + suffix: family
            for suffix, values in versions_of(behind, len(setting.chosen())).items()
            for name, family in _families_behind(values, measures).items()
        }
        labels = {
            "distance": list(OFFSETS),
            "target": ["self", "previous", "next", "first", *measures.groups],
            "kind": measures.special,
            "origin": ["itself", "other"],
        }
        dataset = xr.Dataset(data, coords={**setting.coordinates(), **labels})
        columns = {name: place for place, name in enumerate(measures.names)}
        dataset = with_block_sums(dataset, tally, columns, RUNNING)
        dataset.attrs |= {"documents": int(tally.documents), "short": int(short.total.sum())}
        return dataset


def _site_of(setting: Setting) -> list[int]:
    """The number of the site of each head."""
    return [number for number, site in enumerate(setting.sites()) for _ in setting.indices(site)]


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


def _families_behind(values: np.ndarray, measures: Measures) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
    """The same of what is measured behind the first token, of which nothing is on that."""
    column = {name: number for number, name in enumerate(measures.behind.names)}
    near = [values[:, column[f"offset:{offset}"]] for offset in (0, -1, 1)]
    groups = [values[:, column[f"to:{name}"]] for name in measures.groups]
    first = np.full(len(values), np.nan)
    return {
        "share_behind": (("head", "target"), np.stack([*near, first, *groups], 1)),
        "offset_behind": (("head", "distance"), values[:, [column[f"offset:{each}"] for each in OFFSETS]]),
        OPENING: (("head",), values[:, column[OPENING]]),
    }


class SurfaceWork(ListeningWork):
    """Hears each layer once and turns it into sums at once."""

    needs: Need = "rows"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.measures = Measures(setting.model.kinds)
        heads = len(setting.chosen())
        self.tally = ClusterMeans(heads + len(self.sites), len(self.measures.names))
        self.behind = ClusterMeans(2 * heads, len(self.measures.behind.names))
        self.short = ClusterMeans(1, 1)
        self.tallies: Tallies = {"surface": self.tally, "behind": self.behind, "short": self.short}

    def begin(self, sides: Sides) -> None:
        self.sides = sides
        self._sums: dict[Site, SurfaceSums] = {}
        self._even: dict[Site, SurfaceSums] = {}
        self._counts: dict[Site, QueryCounts] = {}
        self._rows: dict[Site, list[np.ndarray]] = {}
        self._even_of_mask: dict[tuple[object, ...], tuple[SurfaceSums, torch.Tensor | None]] = {}

    def take(self, heard: Heard) -> None:
        site = heard.site
        lengths = self.sides.lengths(site.stack)
        weights = self.setting.weights_of(heard).detach()
        _add(self._sums, site, sums_of(weights, heard.rows, lengths))
        _add(self._even, site, self._even_sums(heard, lengths))
        self._rows.setdefault(site, []).append(heard.rows.cpu().numpy())
        if site.masked:
            seen = visible_keys(heard, lengths)[:, 0].cpu().numpy()
            counts = surface.count_seeing(seen, self._rows[site][-1], lengths)
            self._counts[site] = self._counts[site] + counts if site in self._counts else counts

    def _even_sums(self, heard: Heard, lengths: Lengths) -> SurfaceSums:
        """Sums of even attention; layers that share a mask share them."""
        mask = heard.mask
        key = (id(mask), heard.site.stack, heard.site.causal, int(heard.rows[0]), len(heard.rows))
        if key not in self._even_of_mask:
            visible = visible_keys(heard, lengths)
            even = visible / visible.sum(-1, keepdim=True).clamp_min(1)
            # The mask is kept with its sums, so that no other tensor can take its identity meanwhile.
            self._even_of_mask[key] = sums_of(even, heard.rows, lengths), mask
        return self._even_of_mask[key][0]

    def end(self, documents: Sequence[str]) -> None:
        by_site = [self._values(site, sums[site]) for sums in (self._sums, self._even) for site in self.sites]
        values, valid = (np.concatenate(arrays, axis=1) for arrays in zip(*by_site, strict=True))
        self.tally.update(documents, values, valid)
        own, even = (
            [self._values_behind(site, sums[site]) for site in self.sites]
            for sums in (self._sums, self._even)
        )
        self.behind.update(documents, *beside_even(own, even))
        is_short = np.array([[[float(len(segment) < SHORT)]] for segment in self.sides.segments])
        self.short.update(documents, is_short, np.full(is_short.shape, True))

    def _values(self, site: Site, sums: SurfaceSums) -> tuple[np.ndarray, np.ndarray]:
        return self.measures.values(sums, self._counted(site))

    def _values_behind(self, site: Site, sums: SurfaceSums) -> tuple[np.ndarray, np.ndarray]:
        """Nothing where a mask tells what each piece sees: such heads have no first token in common."""
        lengths = self.sides.lengths(site.stack)
        values, valid = self.measures.behind.values(sums, self._counted(site), lengths)
        return values, valid & (not site.masked)

    def _counted(self, site: Site) -> QueryCounts:
        if site.masked:
            return self._counts[site]
        rows, lengths = np.concatenate(self._rows[site]), self.sides.lengths(site.stack)
        return surface.count_queries(rows, lengths, site.causal, aligned=site.stack != "cross")


def sums_of(weights: torch.Tensor, rows: torch.Tensor, lengths: Lengths) -> SurfaceSums:
    """Sums on the fastest way there is for where the weights are."""
    if weights.device.type == "cpu":
        return compiled.surface_sums(weights.float().numpy(), rows.numpy(), lengths)
    return surface.surface_sums(weights, rows, lengths)


def visible_keys(heard: Heard, lengths: Lengths) -> torch.Tensor:
    """(batch, 1, query, key) bool: the real keys that each query may look at."""
    device = heard.weights.device
    keys = torch.arange(heard.weights.shape[-1], device=device)
    real = keys < torch.as_tensor(lengths.key, device=device)[:, None]
    visible = heard.visible & real[:, None, None]
    return visible & (keys <= heard.rows[:, None]) if heard.site.causal else visible


def _add(sums: dict[Site, SurfaceSums], site: Site, new: SurfaceSums) -> None:
    """Add the sums of a block; what even attention gives is shared by layers, so it is not changed."""
    sums[site] = sums[site] + new if site in sums else new
