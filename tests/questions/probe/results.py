"""A result of probe made by hand, of any number of layers and heads."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from headscope.results.result import Result

SCORES = {
    "right-branching": (0.32, 0.42, 0.26),
    "distances and words": (0.57, 0.64, 0.58),
    "attention only, random twins": (0.30, 0.38, np.nan),
    "attention and words, random twins": (0.45, 0.52, 0.30),
    "attention only": (0.56, 0.65, 0.61),
    "attention and words": (0.71, 0.77, 0.77),
}
MEASURES = ("uas", "uuas", "uas_tree", "uuas_tree")


def build_probe(
    layers: int = 6, heads: int = 12, seeds: int = 3, words: bool = True, seed: int = 0
) -> Result:
    """Probes with and without words, `drop` mostly of a few heads."""
    random = np.random.default_rng(seed)
    names = [name for name in SCORES if words or "words" not in name]
    rows = []
    for name in names:
        uas, uuas, _ = SCORES[name]
        for number in range(1 if name == "right-branching" else seeds):
            drawn = random.normal(0, 0.004, 4) if name != "right-branching" else np.zeros(4)
            values = np.array([uas, uuas, uas + 0.01, uuas + 0.02]) + drawn
            rows.append(
                {"probe": name, "seed": number, **dict(zip(MEASURES, values, strict=True)), "loss": 1.2}
            )
    probes = pd.DataFrame(rows)
    means = probes.groupby("probe", sort=False)[list(MEASURES)]
    summary = pd.DataFrame(
        [
            {
                "probe": name, "measure": measure, "mean": mean, "spread": 0.004, "low": mean - 0.011,
                "high": mean + 0.011, "runs": 1 if name == "right-branching" else seeds,
                "published": SCORES[name][2] if measure == "uas" else np.nan,
            }
            for name, one in means.mean().iterrows()
            for measure, mean in one.items()
        ]
        + [{"probe": "structural probe", "measure": "uuas", "runs": 0, "published": 0.8}]
    )  # fmt: skip
    count = layers * heads
    read = ["attention only", "attention and words"][: 2 if words else 1]
    drop = random.gamma(0.3, 0.004, (count, len(read))) - 0.0004
    labels = {
        "head": [f"L{place // heads}H{place % heads}" for place in range(count)],
        "stack": ("head", ["encoder"] * count),
        "layer": ("head", np.arange(count) // heads),
        "index": ("head", np.arange(count) % heads),
        "probe": read,
    }
    data = {"drop": drop, "drop_low": drop - 0.002, "drop_high": drop + 0.002}
    array = xr.Dataset({name: (("head", "probe"), values) for name, values in data.items()}, coords=labels)
    return Result("probe", {"heads": array}, {"probes": probes, "probe_summary": summary})
