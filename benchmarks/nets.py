"""Nets trained here: DiSAN on SNLI, a BiLSTM under attention on SST, each with three seeds."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import headscope
from benchmarks.data import path
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import computing_with
from headscope.results.result import Result
from headscope.text.lines import read_lines

TITLE = "Nets"
SAYS = (
    "`headscope train` on one thread, in time on the processor: DiSAN with 50 features on 18,000 pairs of "
    "SNLI, scored on its dev data, which also choose the epoch; a BiLSTM of 64 states a direction under "
    "additive attention on the binary sentences of SST of more than 5 words (Jain and Wallace 2019), chosen "
    "on dev data. GloVe vectors of 50 numbers, trained too."
)
SNLI = {
    "data": "04_nli/snli_train_subset/train.csv",
    "dev": "04_nli/esnli_dev_test/s1.dev",
    "second": "04_nli/esnli_dev_test/s2.dev",
    "labels": "04_nli/esnli_dev_test/labels.dev",
}
SST = {name: f"05_text_classification/sst_trees/{name}.txt" for name in ("dev", "test")}
SST["data"] = "05_text_classification/sst_trees/train.txt.xz"
DATA = (*SNLI.values(), *SST.values())
REDUCED: dict[str, Any] = {"seeds": 1, "limit": 400}
DISAN: dict[str, Any] = {"epochs": 5, "rate": 2e-3, "batch_size": 64, "pieces": 80}
BILSTM: dict[str, Any] = {"hidden": 64, "epochs": 4, "optimiser": "amsgrad", "dropout": 0.3, "decay": 1e-5}
SHORTEST = 6
"""Words of a sentence of SST, counted as its authors do, without punctuation."""


def run(seeds: int = 3, limit: int | None = None) -> list[Row]:
    """Both nets; with a limit, on so many examples, and without judging them."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        rows = of_net("DiSAN-50 on SNLI", "disan", snli(), "dev", (62, 600), seeds, limit, DISAN)
        files = binary_sst(Path(folder), limit)
        rows += of_net("BiLSTM-64 on SST", "pooled", files, "test", (79, 60), seeds, limit, BILSTM)
    return rows


def of_net(
    name: str,
    net: str,
    files: dict[str, str],
    scored: str,
    limits: tuple[float, float],
    seeds: int,
    limit: int | None,
    options: dict[str, Any],
) -> list[Row]:
    """Train a net; mean score over seeds and time of one training."""
    began = process_time()
    result: Result = headscope.train(net, **files, seeds=seeds, limit=limit, **options).result
    seconds = (process_time() - began) / seeds
    row = result.table("seeds").set_index("data").loc[scored]
    label = f"{name}: mean accuracy on {scored} data, {worded(seeds)}"
    spread = f"{100 * row['lowest']:.1f} to {100 * row['highest']:.1f} %"
    time = f"{name}: processor time of one training with its scoring"
    if limit is not None:
        return [told(label, 100 * row["mean"], "%"), told(time, seconds, "s")]
    return [
        at_least(label, 100 * row["mean"], "%", limits[0]),
        told(f"{name}: over seeds", spread),
        at_most(time, seconds, "s", limits[1]),
    ]


def worded(seeds: int) -> str:
    return "1 seed" if seeds == 1 else f"{seeds} seeds"


def snli() -> dict[str, str]:
    """The files as they are."""
    return {"data": f"snli:{path(SNLI['data'])}", "dev": f"snli:{path(SNLI['dev']).with_name('dev')}"}


def binary_sst(folder: Path, limit: int | None = None, bare: bool = False) -> dict[str, str]:
    """Sentences of the trees with their root's label; neutral ones (2) and short ones are left out.

    With a limit, they are taken from all over the file, which does not mix the labels. bare: without
    punctuation, as Jain and Wallace 2019 read them.
    """
    files = {}
    for name, place in SST.items():
        rows = []
        for line in read_lines(path(place)):
            words = re.findall(r"([^\s()]+)\)", line)
            counted = sum(re.search(r"\w", word) is not None for word in words)
            if line[1] != "2" and counted >= SHORTEST:
                text = " ".join(words)
                text = " ".join(re.sub(r"\W", " ", text).split()) if bare else text
                rows.append(f"{text}\t{int(line[1] > '2')}")
        files[name] = str(folder / f"{name}.tsv")
        every = 1 if limit is None else max(1, len(rows) // limit)
        text = "\n".join(["sentence\tlabel", *rows[::every]])
        Path(files[name]).write_text(f"{text}\n", encoding="utf-8")
    return files
