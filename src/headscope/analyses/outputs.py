"""Each head's mean output vector over a corpus: what mean ablation puts in a head's place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies, names_of_heads
from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.heads import Head
from headscope.models import Sides
from headscope.tallies import Means, Tally


class MeanOutputs:
    """The analysis: the mean, over all real queries, of what a head hands on.

    Every head of a layer in question counts, chosen or not: removing all but one needs the others' means.
    """

    name = "outputs"

    def work(self, setting: Setting) -> OutputsWork:
        return OutputsWork(setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """`output` (head, dim), and `size` (head,): layers may differ in it, so the rest of a row is NaN."""
        heads: list[Head] = []
        vectors: list[np.ndarray] = []
        for site in setting.sites():
            tally = tallies[_name(site)]
            assert isinstance(tally, Means)
            heads += site
            vectors += [*tally.result()]
        sizes = [len(vector) for vector in vectors]
        outputs = np.full((len(heads), max(sizes)), np.nan)
        for row, vector in zip(outputs, vectors, strict=True):
            row[: len(vector)] = vector
        return xr.Dataset(
            {"output": (("head", "dim"), outputs), "size": ("head", sizes)},
            coords={name: ("head", labels) for name, labels in names_of_heads(setting.model, heads).items()},
        )


class OutputsWork(ListeningWork):
    """Sums what the heads of each layer hand on."""

    needs: Need = "rows"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.tallies: Tallies = {}

    def begin(self, sides: Sides) -> None:
        self._sides = sides

    def take(self, heard: Heard) -> None:
        query, _ = self._sides.of(heard.site.stack)
        rows = heard.rows.cpu()
        real = torch.as_tensor(query.real)[:, rows]  # padding never counts
        # In float64 on the CPU, which every device can reach.
        outputs = heard.outputs.detach().cpu().double()[real].numpy()  # (row, head, dim)
        tally = self.tallies.setdefault(_name(heard.site), Means(outputs.shape[1:]))
        assert isinstance(tally, Means)
        tally.update(outputs)

    def end(self, documents: Sequence[str]) -> None:
        """All was taken in when it was heard."""


def vectors_of(outputs: xr.Dataset) -> dict[Head, torch.Tensor]:
    """(dim,) for each head, as `headscope.attention.Ablate` takes them."""
    places = zip(*(outputs[name].values.tolist() for name in ("stack", "layer", "index")), strict=True)
    rows = zip(outputs["output"].values, outputs["size"].values.tolist(), strict=True)
    return {Head(*place): torch.tensor(row[:size]) for place, (row, size) in zip(places, rows, strict=True)}


def _name(site: Site) -> str:
    return f"{site.stack} {site.layer}"
