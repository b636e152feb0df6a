"""Table 3 of Clark et al. 2019 with the embedded model on the English Web Treebank, beside the paper."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import pandas as pd

import headscope
from benchmarks.data import path
from benchmarks.passes import seconds_of_pass
from benchmarks.rows import Row, at_least, at_most, show, told
from benchmarks.timing import clock_for, computing_with, timed, worded
from headscope.probes.outcomes import ATTENTION, WORDS
from headscope.questions.probe.tables import of_twins
from headscope.results.result import Result
from headscope.text import Sentences, read

TITLE = "Probes"
SAYS = (
    "`headscope probe` trained on the English Web Treebank; the paper's numbers are BERT-base's on the Penn "
    "Treebank. Its time stands beside that of a plain SDPA pass over the sentences it is trained on."
)
TRAIN, DEV = "01_ud_english_ewt/en_ewt-ud-train.conllu.xz", "01_ud_english_ewt/en_ewt-ud-dev.conllu"
DATA = (TRAIN, DEV)
REDUCED: dict[str, Any] = {
    "treebank": DEV, "test": None, "judged": False,
    "limit": 30, "seeds": 1, "twins": 1, "epochs": 3,
}  # fmt: skip
BATCH = 32
PASSES = 30
"""So many passes over the treebank may probing take: features of the model and of 5 twins, and training
all probes. It is what 25 minutes were on two cores, where a pass takes 50 seconds."""
GAP = 10
"""Points of UAS that a probe must find more in the model than in its random twins."""


def run(
    treebank: str = TRAIN,
    test: str | None = DEV,
    threads: int = 1,
    judged: bool = True,
    out: Path | None = None,
    **options: Any,
) -> list[Row]:
    """Train on a treebank and score on another, or on a part of the same; judged: the time is."""
    found: list[Result] = []

    def probe() -> None:
        tested = None if test is None else path(test)
        found.append(headscope.probe("default", path(treebank), test=tested, out=out, **options))

    with computing_with(threads):
        clock = clock_for(threads)
        taken = timed(probe, clock)
        sentences = read(path(treebank), limit=options.get("limit"))
        plain = seconds_of_pass(headscope.load("default"), sentences, Sentences(), BATCH, clock)
    beside = f"probing / a plain pass over the {treebank.rpartition('/')[2]} it is trained on"
    return [
        *rows_of(found[0]),
        told(f"time, {worded(threads)}", taken / 60, "min"),
        at_most(beside, taken / plain, "x", PASSES) if judged else told(beside, taken / plain, "x"),
    ]


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
    parser.add_argument("--out", type=Path, help="keep the run folder, and go on with it if it was stopped")
    sys.exit(not all(row["passed"] for row in show(TITLE, run(out=parser.parse_args().out))))
