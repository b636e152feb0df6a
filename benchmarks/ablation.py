"""What removing every head once costs beside as many full forward passes, with the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import transformers

from benchmarks.rows import Row, at_most, told
from benchmarks.timing import clock_for, computing_with, interleaved, ratio, spread, worded
from headscope.analyses.ablation import Ablation, AblationWork, single_heads
from headscope.analyses.analysis import Setting
from headscope.models import Model, Sides, load, sides_of
from headscope.models.embedded import embedded_folder
from headscope.tasks.classification import Classification
from headscope.tasks.labels import Labels
from headscope.tasks.metrics import ACCURACY
from headscope.text import Document, Segment, batches

TITLE = "Ablation"
SAYS = (
    "`headscope ablate` removing every head once, beside as many plain SDPA passes over the same "
    "batches, without tokenising and statistics."
)
DATA = ()
REDUCED: dict[str, Any] = {"size": 2, "threads": 1, "slack": 1.5}
LIMIT = 0.65
WORDS = ("quiet", "a", "river", "the", "and", "of", "old", "houses", "slow", "light", "never", "ends")


def run(size: int = 32, repeats: int = 3, threads: int = 2, slack: float = 1.0) -> list[Row]:
    """The comparison over a batch of sentences like those of SST-2; slack widens the limit."""
    with computing_with(threads):
        return compared(classifier(), size, repeats, threads, slack)


def compared(model: Model, size: int, repeats: int, threads: int, slack: float) -> list[Row]:
    """Plain passes and removals in turns."""
    task = Classification(Labels.of(model.module.config), False, ACCURACY)
    setting, sides = Setting(model), prepared(model, task, size)
    conditions, heads = single_heads(setting), len(setting.chosen())

    def plain() -> None:
        with torch.no_grad():
            for _ in range(heads):
                model.module(**sides.inputs)

    def ablated(replay: bool) -> AblationWork:
        work = Ablation(task, conditions, replay=replay).work(setting)
        work.begin(sides)
        work.end([segment.document for segment in sides.segments])
        return work

    same = np.array_equal(ablated(True).tally.result(), ablated(False).tally.result())
    jobs: dict[str, Callable[[], object]] = {"plain": plain, "replayed": lambda: ablated(True)}
    times = interleaved(jobs, repeats, clock_for(threads))
    layers = len(model.sites.sites)
    return [
        told(f"a batch of {size} sentences, {heads} heads, {worded(threads)}", model.name),
        at_most(
            f"every head removed once / {heads} full forward passes (SDPA, nothing attached)",
            ratio(times["replayed"], times["plain"]), "x", LIMIT, LIMIT * slack,
        ),
        told("from replaying alone, nothing else costing time", (layers + 1) / (2 * layers), "x"),
        at_most("losses that differ between both, bit by bit", float(not same), "", 0),
        told("spread of the times", spread(times["replayed"])),
    ]  # fmt: skip


def classifier() -> Model:
    """The embedded encoder with a head of random weights: what it answers does not matter here."""
    folder = embedded_folder()
    transformers.utils.logging.set_verbosity_error()
    torch.manual_seed(0)
    module = transformers.AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return load(module.eval(), tokenizer)


def prepared(model: Model, task: Classification, size: int) -> Sides:
    """A batch of sentences of 10 to 40 words, with labels drawn at random."""
    draw = np.random.default_rng(0)
    documents = [
        Document.from_text(f"s{place}", " ".join(draw.choice(WORDS, size=draw.integers(10, 41))))
        for place in range(size)
    ]
    names = [label_name(draw.integers(2)) for _ in documents]
    labelled = [
        Document(one.id, one.text, one.words, label=name) for one, name in zip(documents, names, strict=True)
    ]
    parts = (part for document in labelled for part in task.cutter(document, model.tokenizer, 128))
    segments = [part for part in parts if isinstance(part, Segment)]
    (batch,) = batches(segments, model.tokenizer, size)
    return task.prepare(sides_of(model, batch))


def label_name(number: int) -> str:
    """The name of a label as a model without names has it."""
    return f"LABEL_{number}"
