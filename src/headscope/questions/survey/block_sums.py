"""Sums by blocks of documents, of every measure in which surveys can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from headscope.blocks import BLOCKS
from headscope.tallies import ClusterMeans

SUMS = ("block_total", "block_count")


def with_block_sums(
    dataset: xr.Dataset, tally: ClusterMeans, columns: Mapping[str, int], text: str
) -> xr.Dataset:
    """With `block_total` and `block_count`, (block, head, measure): columns of a tally by their names.

    The first items of the tally are the heads. Beside each measure stand its text, and how many documents
    that has.
    """
    tally.close()
    heads, chosen = slice(dataset.sizes["head"]), list(columns.values())
    labels = {
        "measure": list(columns),
        "measure_text": ("measure", [text] * len(chosen)),
        "measure_documents": ("measure", [int(tally.documents)] * len(chosen)),
        "block": np.arange(BLOCKS),
    }
    sums = {
        name: (("block", "head", "measure"), each[:, heads][..., chosen])
        for name, each in zip(SUMS, (tally.total, tally.count), strict=True)
    }
    return dataset.assign(sums).assign_coords(labels)


def joined(analyses: Sequence[xr.Dataset]) -> list[xr.Dataset]:
    """The arrays of analyses, with the measures of all of them along one axis, at last."""
    sums = [each[list(SUMS)] for each in analyses if SUMS[0] in each]
    rest = [each.drop_dims("measure", errors="ignore") for each in analyses]
    return [*rest, xr.concat(sums, "measure", combine_attrs="drop")]
