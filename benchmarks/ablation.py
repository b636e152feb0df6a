"""What removing every head once costs beside as many full forward passes, with the same numbers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import torch
import transformers

from benchmarks.rows import Row, at_most, show, told
from benchmarks.speed import interleaved, ratio, spread
from headscope.analyses.ablation import Ablation, AblationWork, single_heads
from headscope.analyses.analysis import Setting
from headscope.models import Model, Sides, load, sides_of
from headscope.models.embedded import embedded_folder
from headscope.tasks.classification import Classification
from headscope.tasks.labels import Labels
from headscope.tasks.metrics import ACCURACY
from headscope.text import Document, Segment, batches

THREADS, BATCH = 2, 32
LIMIT = 0.65
WORDS = ("quiet", "a", "river", "the", "and", "of", "old", "houses", "slow", "light", "never", "ends")


def run(number: int = 1, repeats: int = 3, slack: float = 1.0) -> list[Row]:
    """The comparison over some batches of sentences like those of SST-2; slack widens the limit."""
    torch.set_num_threads(THREADS)
    model = classifier()
    task = Classification(Labels.of(model.module.config), False, ACCURACY)
    setting = Setting(model)
    ready = prepared(model, task, number)
    analysis = Ablation(task, single_heads(setting))
    heads = len(setting.chosen())

    def plain() -> None:
        with torch.no_grad():
            for sides in ready:
                for _ in range(heads):
                    model.module(**sides.inputs)

    def ablated(replay: bool) -> AblationWork:
        work = Ablation(task, analysis.conditions, replay=replay).work(setting)
        for sides in ready:
            work.begin(sides)
            work.end([segment.document for segment in sides.segments])
        return work

    same = np.array_equal(ablated(True).tally.result(), ablated(False).tally.result())
    times = interleaved({"plain": plain, "replayed": lambda: ablated(True)}, repeats)
    layers = len(model.sites.sites)
    rows = [
        told(f"{number} batches of {BATCH} sentences, {heads} heads, {THREADS} threads", model.name),
        at_most(
            f"every head removed once / {heads} full forward passes (SDPA, nothing attached)",
            ratio(times["replayed"], times["plain"]), "x", LIMIT, LIMIT * slack,
        ),
        told("from replaying alone, nothing else costing time", (layers + 1) / (2 * layers), "x"),
        at_most("losses that differ between both, bit by bit", float(not same), "", 0),
        told("spread of the times", spread(times["replayed"])),
    ]  # fmt: skip
    return show("Ablation", rows)


def classifier() -> Model:
    """The embedded encoder with a head of random weights: what it answers does not matter here."""
    folder = embedded_folder()
    transformers.utils.logging.set_verbosity_error()
    torch.manual_seed(0)
    module = transformers.AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return load(module.eval(), tokenizer)


def prepared(model: Model, task: Classification, number: int) -> list[Sides]:
    """Batches of sentences of 10 to 40 words, with labels drawn at random."""
    draw = np.random.default_rng(0)
    documents = [
        Document.from_text(f"s{place}", " ".join(draw.choice(WORDS, size=draw.integers(10, 41))))
        for place in range(number * BATCH)
    ]
    names = [label_name(draw.integers(2)) for _ in documents]
    labelled = [
        Document(one.id, one.text, one.words, label=name) for one, name in zip(documents, names, strict=True)
    ]
    parts = (part for document in labelled for part in task.cutter(document, model.tokenizer, 128))
    segments = [part for part in parts if isinstance(part, Segment)]
    return [task.prepare(sides_of(model, batch)) for batch in batches(segments, model.tokenizer, BATCH)]


def label_name(number: int) -> str:
    """The name of a label as a model without names has it."""
    return f"LABEL_{number}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows; 1 where a limit was not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reduced", action="store_true")
    chosen = parser.parse_args(arguments)
    rows = run(1, 1, 1.5) if chosen.reduced else run()
    return 0 if all(row["passed"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
