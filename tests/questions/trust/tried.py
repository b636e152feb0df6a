"""Planted classifiers put to the test: their numbers, for any explanation in attention's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.permuted import Extended, permuted
from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.explainers import Explainer
from headscope.questions.trust.answering import Answering
from headscope.questions.trust.case import YARDSTICKS
from headscope.questions.trust.numbers import Numbers
from headscope.tasks.choice import task_for
from headscope.text import Document
from tests.explainers.planted import planted, texts

__all__ = ["numbers", "permuted"]

BESIDE = ("rollout", "generic", "attention-gradient", "gradient-input", "saliency")


class Heads:
    """All of them."""

    layers = heads = None
    seed = 0


def documents_of(count: int, seed: int) -> list[Document]:
    made, _ = texts(count, seed)
    return [replace(Document.from_text(f"{seed}/{n}", text), label="LABEL_0") for n, text in enumerate(made)]


def numbers(
    looks: bool,
    of: str = "attention",
    count: int = 40,
    seed: int = 0,
    more: Sequence[Explainer] = (),
    words: int = 12,
) -> Numbers:
    """The numbers of a planted classifier."""
    model = planted(looks)
    names = (of, *BESIDE, *(one.name for one in more))
    answering = Answering(task_for(model, "classification"), 1, 0)
    trial = Extended(answering, names, "mask", words, 1, False, 0, more=tuple(more))
    plan = Plan(setting_of(model, Heads(), ANY_UNIT), [trial], 64, 16, trial.answering.task.cutter)
    (dataset,) = plan.arrays(run(plan, documents_of(count, seed), "trial"))
    return Numbers.of_dataset(dataset, of, YARDSTICKS)
