"""Whether attention of a fine-tuned encoder may be trusted: every explanation beside it, seed by seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

import headscope
from benchmarks.data import path
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import computing_with
from headscope.results.result import Result

TITLE = "Trust: a fine-tuned encoder"
SAYS = (
    "`headscope trust` with the embedded encoder, fine-tuned (`headscope finetune`, 3 epochs) on the "
    "first 2,560 phrases of SST-2 train, on the first 300 sentences of its test data; all explanations, "
    "one thread, in seconds on the processor: half an hour on two cores is 3,600. Comprehensiveness "
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
SMALL: dict[str, Any] = {"by": ("rollout", "gradient-input"), "words": 5, "adversaries": 2, "layers": "5"}
REDUCED: dict[str, Any] = {"seeds": 1, "phrases": 96, "sentences": 8, "options": SMALL}
PHRASES, SENTENCES = 2560, 300
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
    """What trust tells of the model of a seed, its accuracy on all test data, and seconds on the processor."""

    result: Result
    accuracy: float
    seconds: float

    def cell(self, table: str, column: str, **keys: str) -> float:
        """One number of a table, in the row that the keys name; NaN where there is none."""
        frame: pd.DataFrame = self.result.table(table)
        for name, key in keys.items():
            frame = frame[frame[name] == key]
        return float(frame[column].iloc[0]) if len(frame) else float("nan")


def run(
    seeds: int = 3,
    phrases: int = PHRASES,
    sentences: int = SENTENCES,
    options: dict[str, Any] | None = None,
    out: Path | None = None,
) -> list[Row]:
    """All seeds; with options of a small run, without judging them. out: run folders, finished ones are read."""
    judged = options is None
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = Path(folder) if out is None else out
        found = [tried(place, seed, phrases, sentences, options or {}) for seed in range(seeds)]
        began = process_time()
        headscope.trust(model_of(place, 0), path(SST["test"]), quick=True)
        quick = process_time() - began
    rows = [*rows_of(found), *time_rows([each.seconds for each in found], quick)]
    return rows if judged else [told(row["name"], row["value"], row["unit"]) for row in rows]


def model_of(place: Path, seed: int) -> Path:
    return place / f"model-{seed}" / "model"


def tried(place: Path, seed: int, phrases: int, sentences: int, options: dict[str, Any]) -> Tried:
    """A model trained and put to the test, in run folders of their own."""
    trained = headscope.finetune(
        "default", path(SST["train"]), limit=phrases, test=path(SST["test"]), seed=seed,
        out=place / f"model-{seed}", plots=False,
    ).result.table("finetuned").set_index("data")  # fmt: skip
    run, note = place / f"trust-{seed}", place / f"trust-{seed}.json"
    given = {**options, "limit": sentences, "seed": seed, "out": run, "plots": False}
    began = process_time()
    result = headscope.trust(model_of(place, seed), path(SST["test"]), **given)
    if not note.exists():
        note.write_text(json.dumps({"seconds": process_time() - began}), encoding="utf-8")
    return Tried(result, float(trained["score"]["test"]), json.loads(note.read_text("utf-8"))["seconds"])


def rows_of(found: Sequence[Tried]) -> list[Row]:
    """The table, and the card."""
    first = found[0].result
    frame = first.table("faithfulness").set_index("explanation")
    short = min(int(each.cell("faithfulness", "answers", explanation="best")) for each in found)
    rows = [
        told("seeds", len(found)),
        told("accuracy on all test sentences", spread(found, lambda each: each.accuracy)),
        told("sentences", int(frame["answers"].max())),
        at_least("sentences of at most 20 words, for NAOPC", short, "sentences", FEWEST),
    ]
    for name in frame.index:
        rows += explanation_rows(found, str(name))
    rows.append(told("comprehensiveness / sufficiency, published of others", OTHERS))
    for removal, part in first.table("removals").groupby("removal", sort=False):
        for name in part["explanation"]:
            keys = {"removal": str(removal), "explanation": str(name)}
            rows.append(
                told(f"{name}, by {removal}: comprehensiveness / sufficiency", pair(found, "removals", keys))
            )
    return [*rows, *agreement_rows(found), *card_rows(found)]


def explanation_rows(found: Sequence[Tried], name: str) -> list[Row]:
    """What is told of one explanation."""
    beside = f" (published {PUBLISHED[name]})" if name in PUBLISHED else ""
    keys = {"explanation": name}

    def each(column: str) -> str:
        return spread(found, lambda one: one.cell("faithfulness", column, **keys))

    cost = [
        np.mean([one.cell("faithfulness", side, **keys) for one in found]) for side in ("forward", "backward")
    ]
    passes = "" if np.isnan(cost[0]) else f"; passes {cost[0]:.1f} forward, {cost[1]:.1f} back"
    return [
        told(f"{name}: comprehensiveness / sufficiency{beside}", pair(found, "faithfulness", keys)),
        told(
            f"{name}: NAOPC; tau; share erased until the answer changes",
            f"{each('naopc')}; {each('tau')}; {each('until')}{passes}",
        ),
    ]


def agreement_rows(found: Sequence[Tried]) -> list[Row]:
    """The three taus of Jain and Wallace 2019, and the best head, chosen on the other half."""
    taus = {
        "attention~gradient x input": ("attention", "tau_gradient"),
        "attention~leave-one-out": ("attention", "tau"),
        "gradient x input~leave-one-out": ("gradient-input", "tau"),
    }
    rows = [
        told(
            f"tau {pair}",
            spread(found, lambda one, at=at: one.cell("faithfulness", at[1], explanation=at[0])),
        )
        for pair, at in taus.items()
    ]
    for half in ("first", "second"):
        heads = ", ".join(
            one.result.table("best_head").set_index("half")["head"].get(half, "none") for one in found
        )
        more = spread(found, lambda one, half=half: one.cell("best_head", "difference", half=half))
        rows.append(
            told(f"best head by tau, {half} half, of each seed: {heads}; tau above attention's", more)
        )
    return rows


def card_rows(found: Sequence[Tried]) -> list[Row]:
    """What may be said, of each seed."""
    rows = []
    for seed, each in enumerate(found):
        card = each.result.table("card").iloc[0]
        rows.append(told(f"card, seed {seed}", str(card["summary"])))
        if card["instead"]:
            rows.append(
                told(f"card, seed {seed}: use instead", f"{card['instead']}, {card['passes']:.0f} passes")
            )
        for claim in each.result.table("claims").itertuples():
            if claim.answers:
                told_of = (
                    f"{claim.verdict}: {claim.value:.3f} ({claim.value_low:.3f} to {claim.value_high:.3f})"
                )
                beside = (
                    f", beside {claim.baseline:.3f}, at best {claim.ceiling:.3f}"
                    if claim.ceiling == claim.ceiling
                    else f", held to {claim.baseline:.3f}"
                )
                rows.append(
                    told(f"seed {seed}: {claim.claim}", f"{told_of}{beside}, {claim.answers} answers")
                )
    return rows


def time_rows(seconds: Sequence[float], quick: float) -> list[Row]:
    """How long it takes."""
    return [
        told("of each seed", ", ".join(f"{each:,.0f}" for each in seconds), "CPU s"),
        at_most("one seed, slowest", max(seconds), "CPU s", SECONDS),
        at_most("--quick, one seed", quick, "CPU s", QUICK_SECONDS),
    ]


def pair(found: Sequence[Tried], table: str, keys: dict[str, str]) -> str:
    """Comprehensiveness and sufficiency."""
    both = ("comprehensiveness", "sufficiency")
    return " / ".join(spread(found, lambda one, name=name: one.cell(table, name, **keys)) for name in both)


def spread(found: Sequence[Tried], number: Callable[[Tried], float]) -> str:
    """The mean over seeds, and the least and the most of several."""
    values = [number(each) for each in found]
    if len(values) == 1 or np.isnan(values).all():
        return f"{np.mean(values):.3f}"
    return f"{np.mean(values):.3f} ({min(values):.3f} to {max(values):.3f})"
