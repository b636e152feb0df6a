"""Table 3 of Clark et al. 2019 with the embedded model on the English Web Treebank, beside the paper."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pandas as pd
import torch

import headscope
from benchmarks.rows import Row, at_least, at_most, show, told
from headscope.probes.outcomes import ATTENTION, WORDS
from headscope.questions.probe.tables import of_twins
from headscope.results.result import Result

THREADS = 2
FOLDER = "01_ud_english_ewt"
TRAIN, DEV = "en_ewt-ud-train.conllu.xz", "en_ewt-ud-dev.conllu"
REDUCED: dict[str, Any] = {"limit": 40, "seeds": 1, "twins": 1, "epochs": 3}
GAP = 10
"""Points of UAS that a probe must find more in the model than in its random twins."""


def run(reduced: bool = False, out: Path | None = None) -> list[Row]:
    """Train on EWT train and score on EWT dev; reduced, both on some documents of dev."""
    torch.set_num_threads(THREADS)
    folder = os.environ.get("HEADSCOPE_DATA")
    place = Path(folder) / FOLDER if folder else None
    if place is None or not place.exists():
        return show("Probes", [told(f"not measured: HEADSCOPE_DATA has no {FOLDER}", "")])
    start = perf_counter()
    if reduced:
        result = headscope.probe("default", place / DEV, out=out, **REDUCED)
    else:
        result = headscope.probe("default", place / TRAIN, test=place / DEV, out=out)
    minutes = (perf_counter() - start) / 60
    limit = 1.5 if reduced else 25
    return show("Probes", [*rows_of(result), at_most(f"time, {THREADS} threads", minutes, "min", limit)])


def rows_of(result: Result) -> list[Row]:
    """Every probe's scores in percent, and how far it is above random twins."""
    summary = result.table("probe_summary")
    uas = summary[summary["measure"] == "uas"].set_index("probe")
    rows = [told(note, "") for note in result.notes if "sentences to" in note or "word vectors" in note]
    for name, one in uas.iterrows():
        rows.append(told(f"{name}: UAS{_beside(one)}", 100 * float(one["mean"]), "%"))
    for measure in ("uas_tree", "uuas", "uuas_tree"):
        means = summary[(summary["measure"] == measure) & summary["mean"].notna()].set_index("probe")["mean"]
        numbers = ", ".join(f"{name} {100 * mean:.1f}" for name, mean in means.items())
        rows.append(told(f"{measure}: {numbers}", ""))
    rows.append(told("published structural probe, hidden states: UUAS", 80, "%"))
    for probe in (ATTENTION, WORDS):
        if of_twins(probe) in uas.index:
            gap = 100 * float(uas["mean"][probe] - uas["mean"][of_twins(probe)])
            rows.append(at_least(f"{probe}: above random twins", gap, "points", GAP))
    if "probe_control" in result.tables:
        for one in result.table("probe_control").itertuples():
            label = f"{one.probe}: selectivity (control task {100 * one.control:.1f})"
            rows.append(told(label, 100 * one.selectivity, "points"))
    heads = result.table("probe_heads").groupby("probe", sort=False).head(5)
    for probe, part in heads.groupby("probe", sort=False):
        lost = ", ".join(
            f"{head} {100 * drop:.1f}" for head, drop in zip(part["head"], part["drop"], strict=True)
        )
        rows.append(told(f"{probe}: heads leaned on, points lost without: {lost}", ""))
    return rows


def _beside(one: pd.Series) -> str:
    parts = [f"interval {100 * one['low']:.1f} to {100 * one['high']:.1f}"]
    if one["spread"] == one["spread"]:
        parts.append(f"spread {100 * one['spread']:.1f} over {one['runs']}")
    if one["published"] == one["published"]:
        parts.append(f"published {100 * one['published']:.0f}")
    return f" ({'; '.join(parts)})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reduced", action="store_true", help="some documents of dev, one seed, one twin")
    parser.add_argument("--out", type=Path, help="keep the run folder, and go on with it if it was stopped")
    chosen = parser.parse_args()
    sys.exit(not all(row["passed"] for row in run(chosen.reduced, chosen.out)))
