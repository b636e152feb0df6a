"""Whether attention of a fine-tuned encoder may be trusted: every explanation beside it, seed by seed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
import pandas as pd

import headscope
from benchmarks.data import ROOT, path
from benchmarks.rows import Row, at_least, at_most, show, told
from benchmarks.timing import computing_with, counted, seconds_of

TITLE = "Trust: a fine-tuned encoder"
SAYS = (
    "`headscope trust` with the embedded encoder, fine-tuned (`headscope finetune`, 3 epochs) on the "
    "first 2,560 phrases of SST-2 train, on the first 300 sentences of its test data, and on the first 150 "
    "with two more seeds; all explanations, one thread, in seconds on the processor: half an hour on two "
    "cores is 3,600. The complete run is kept in build/trusted_encoder and goes on where it was stopped. "
    "Comprehensiveness "
    "(more is better) and sufficiency (less is better) are of the top 1, 5, 10, 20, 50 % of words, a "
    "mask in the place of each piece; NAOPC, the place between the model's own worst and best order, of "
    "sentences of at most 20 words; tau is Kendall's with leave-one-out. Each is the mean over seeds, "
    "with the least and the most of them behind it. Published beside them, of other models of SST-2: "
    "BERT (61 sentences) and RoBERTa (60) in the data of NAOPC (Edin et al. 2025), RoBERTa in that of "
    "ALTI (Ferrando et al. 2022), whose bins and sums are others: columns compare explanations of one "
    "model, not models."
)
SST = {name: f"05_text_classification/sst2/{name}.tsv" for name in ("test",)}
SST["train"] = "05_text_classification/sst2/train.tsv.xz"
DATA = tuple(SST.values())
SMALL: dict[str, Any] = {"by": ("gradient-input",), "words": 5, "adversaries": 1, "layers": (5,)}
REDUCED: dict[str, Any] = {"seeds": 1, "phrases": 64, "sentences": 4, "options": SMALL}
BUILT = ROOT / "build" / "trusted_encoder"
PHRASES, SENTENCES, FEWER = 2560, 300, 150
"""Trained on; put to the test with the first seed, and with each other one."""

SECONDS, QUICK_SECONDS = 3600, 240
FEWEST = 100
"""Sentences of at most 20 words that NAOPC is to be of."""

PUBLISHED = {
    "random": "BERT .155/.177, RoBERTa .128/.100",
    "attention": "BERT .214/.134, RoBERTa .088/.123",
    "rollout": "RoBERTa of ALTI .076/.179",
    "gradient-input": "BERT .245/.084, RoBERTa .092/.101, RoBERTa of ALTI .191/.078",
    "integrated-gradients": "BERT .270/.069, RoBERTa .152/.059, RoBERTa of ALTI .231/.067",
    "occlusion": "BERT .332/.053, RoBERTa .174/.049",
}
OTHERS = (
    "GlobEnc: RoBERTa of ALTI .161/.119; LIME: BERT .330/.053, RoBERTa .183/.046; ALTI: RoBERTa of ALTI "
    ".269/.057; DecompX: BERT .383/.041, RoBERTa .280/.025"
)


@dataclass(frozen=True)
class Tried:
    """What trust tells of the model of a seed, that model's accuracy, and seconds on the processor."""

    result: Tables
    accuracy: float
    seconds: float

    def cell(self, table: str, column: str, **keys: str) -> float:
        """One number of a table, in the row that the keys name; NaN where there is none."""
        frame: pd.DataFrame = self.result.table(table)
        for name, key in keys.items():
            frame = frame[frame[name] == key]
        return float(frame[column].iloc[0]) if len(frame) else float("nan")


class Tables(Protocol):
    """A result, or a run that was opened."""

    def table(self, name: str) -> pd.DataFrame: ...


def run(
    seeds: int = 3,
    phrases: int = PHRASES,
    sentences: int = SENTENCES,
    fewer: int = FEWER,
    options: dict[str, Any] | None = None,
    out: Path | None = None,
) -> list[Row]:
    """All seeds; with options of a small run, without judging them.

    fewer: sentences of all seeds but the first. out: a folder for the runs, of which those that have finished
    are read.
    """
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (BUILT if options is None else Path(folder))
        place.mkdir(parents=True, exist_ok=True)
        found = [
            tried(place, seed, phrases, fewer if seed else sentences, options or {}) for seed in range(seeds)
        ]
        rows = rows_of(found)
        if options is not None:
            return [told(row["name"], row["value"], row["unit"]) for row in rows]
        _, quick = asked(place / "quick", model_of(place, 0), quick=True)
    return [*rows, *time_rows([each.seconds for each in found], sentences, fewer, quick)]


def model_of(place: Path, seed: int) -> Path:
    """Where the model of a seed lies."""
    return place / f"model-{seed}" / "model"


def tried(place: Path, seed: int, phrases: int, sentences: int, options: dict[str, Any]) -> Tried:
    """A model trained and put to the test, in run folders of their own."""
    data: dict[str, Any] = {"limit": phrases, "seed": seed}
    data |= {"epochs": 1} if options else {"test": path(SST["test"])}
    headscope.finetune("default", path(SST["train"]), **data, out=place / f"model-{seed}", plots=False)
    scores = headscope.open(place / f"model-{seed}").table("finetuned").set_index("data")
    given = {**options, "limit": sentences, "seed": seed}
    result, seconds = asked(place / f"trust-{seed}", model_of(place, seed), **given)
    return Tried(result, float(scores["score"].iloc[-1]), seconds)


def asked(folder: Path, model: Path, **options: Any) -> tuple[Tables, float]:
    """What trust answers, with the seconds of all its tries; where it has finished before, that is read."""
    with counted(folder.parent, folder.name):
        headscope.trust(model, path(SST["test"]), **options, out=folder, plots=False)
    return headscope.open(folder), seconds_of(folder.parent, folder.name)


def rows_of(found: Sequence[Tried]) -> list[Row]:
    """The table, and the card."""
    first = found[0].result
    frame = first.table("faithfulness").set_index("explanation")
    short = int(found[0].cell("faithfulness", "answers", explanation="best"))
    rows = [
        told("seeds", len(found)),
        told("accuracy on all test sentences", spread(found, lambda each: each.accuracy)),
        told("sentences, first seed", int(frame["answers"].max())),
        at_least("of them of at most 20 words, for NAOPC", short, "sentences", FEWEST),
    ]
    for name in frame.index:
        rows += explanation_rows(found, str(name))
    rows.append(told("comprehensiveness / sufficiency, published of others", OTHERS))
    for one in first.table("removals").itertuples():
        keys = {"removal": str(one.removal), "explanation": str(one.explanation)}
        label = f"{one.explanation}, by {one.removal}: comprehensiveness / sufficiency"
        rows.append(told(label, pair(found, "removals", keys)))
    return [*rows, *agreement_rows(found), *card_rows(found)]


def explanation_rows(found: Sequence[Tried], name: str) -> list[Row]:
    """What is told of one explanation."""
    beside = f" (published {PUBLISHED[name]})" if name in PUBLISHED else ""
    columns = ("naopc", "tau", "until")
    told_of = [of_all(found, "faithfulness", column, explanation=name) for column in columns]
    passes = [
        np.mean([one.cell("faithfulness", side, explanation=name) for one in found])
        for side in ("forward", "backward")
    ]
    cost = "" if np.isnan(passes[0]) else f"; {passes[0]:.1f} passes forward, {passes[1]:.1f} back"
    both = pair(found, "faithfulness", {"explanation": name})
    return [
        told(f"{name}: comprehensiveness / sufficiency{beside}", both),
        told(f"{name}: NAOPC; tau; share erased until the answer changes; cost", "; ".join(told_of) + cost),
    ]


def agreement_rows(found: Sequence[Tried]) -> list[Row]:
    """The three taus of Jain and Wallace 2019, and the best head, chosen on the other half."""
    taus = {
        "attention~gradient x input": ("attention", "tau_gradient"),
        "attention~leave-one-out": ("attention", "tau"),
        "gradient x input~leave-one-out": ("gradient-input", "tau"),
    }
    rows = [
        told(f"tau {names}", of_all(found, "faithfulness", column, explanation=name))
        for names, (name, column) in taus.items()
    ]
    for half in ("first", "second"):
        tables = [one.result.table("best_head").set_index("half")["head"] for one in found]
        heads = ", ".join(str(table.get(half, "none")) for table in tables)
        label = f"best head by tau of the {half} half, chosen on the other, by seed: {heads}; above attention"
        rows.append(told(label, of_all(found, "best_head", "difference", half=half), "tau"))
    return rows


def card_rows(found: Sequence[Tried]) -> list[Row]:
    """What may be said, of each seed."""
    rows = []
    for seed, each in enumerate(found):
        card = each.result.table("card").iloc[0]
        rows.append(told(f"card, seed {seed}", str(card["summary"])))
        if card["instead"]:
            instead = f"{card['instead']}, {card['passes']:.0f} passes forward, {card['backward']:.0f} back"
            rows.append(told(f"card, seed {seed}: use instead", instead))
        claims = each.result.table("claims")
        rows += [claim_row(seed, claim) for claim in claims[claims["answers"] > 0].itertuples()]
    return rows


def claim_row(seed: int, claim: Any) -> Row:
    """A verdict with its numbers."""
    best = "" if np.isnan(claim.ceiling) else f", at best {claim.ceiling:.3f}"
    value = f"{claim.value:.3f} ({claim.value_low:.3f} to {claim.value_high:.3f})"
    beside = f"held against {claim.baseline:.3f}{best}, {claim.answers} answers"
    return told(f"seed {seed}: {claim.claim}", f"{claim.verdict}: {value}, {beside}")


def time_rows(seconds: Sequence[float], sentences: int, fewer: int, quick: float) -> list[Row]:
    """How long it takes."""
    others = ", ".join(f"{each:,.0f}" for each in seconds[1:])
    return [
        at_most(f"one seed of {sentences} sentences", seconds[0], "CPU s", SECONDS),
        told(f"other seeds of {fewer} sentences each", others, "CPU s"),
        at_most("--quick", quick, "CPU s", QUICK_SECONDS),
    ]


def of_all(found: Sequence[Tried], table: str, column: str, **keys: str) -> str:
    """One number of a table, over seeds."""
    return spread(found, lambda one: one.cell(table, column, **keys))


def pair(found: Sequence[Tried], table: str, keys: dict[str, str]) -> str:
    """Comprehensiveness and sufficiency."""
    return " / ".join(of_all(found, table, name, **keys) for name in ("comprehensiveness", "sufficiency"))


def spread(found: Sequence[Tried], number: Callable[[Tried], float]) -> str:
    """The mean over seeds, and the least and the most of several."""
    values = [number(each) for each in found]
    if len(values) == 1 or np.isnan(values).all():
        return f"{np.mean(values):.3f}"
    return f"{np.mean(values):.3f} ({min(values):.3f} to {max(values):.3f})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="keep the run folders here, and go on with them")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--fewer", type=int, default=FEWER, help="sentences of each other seed")
    chosen = parser.parse_args()
    show(TITLE, run(chosen.seeds, sentences=chosen.sentences, fewer=chosen.fewer, out=chosen.out))
