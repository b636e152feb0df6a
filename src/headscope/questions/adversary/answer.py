"""adversary: models that answer alike and look elsewhere, and what given attention is worth to a net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from headscope.blocks import number_of
from headscope.engine.effort import TRAINING, Step, Steps, passes_over
from headscope.engine.scoring import longest_example
from headscope.errors import ModelError, OptionError
from headscope.explainers.explainer import why_weights_stay
from headscope.explainers.given_attention import Scope, sites_in
from headscope.models import Model, load
from headscope.nets import is_net
from headscope.probes.vectors import Vectors
from headscope.questions.adversary.beginning import start_vectors
from headscope.questions.adversary.filling import learned
from headscope.questions.adversary.giving import controls_of
from headscope.questions.adversary.options import Options
from headscope.questions.adversary.recipients import recipients_of
from headscope.questions.adversary.runs import adversaries, beside, frozen
from headscope.questions.asking import AboutCorpus
from headscope.questions.trust.offers import other_models, scope_of
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.data import Opened, Source, open_task
from headscope.tasks.task import Task
from headscope.text import Corpus
from headscope.text.batches import Progress
from headscope.text.splits import hold_out

LEARNED = ("classification", "pairs", "tagging")
"""Tasks with answers that can be learned from another model."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """The model on trial, its task, and data: `train`, `dev`, and `data` that all are scored on."""

    options: Options
    task: Task
    scope: Scope
    data: dict[str, Corpus]
    against: dict[str, Model]
    beside: dict[str, Result]
    vectors: Vectors | None
    digest: str | None
    quick: Steps

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        scope, model = scope_of(options.scope), load(options.model, **options.loading())
        source = Source.of(options)
        opened = open_task(model, options.data, source, options.limit)
        _check(model, opened.task, options)
        sites_in(model, scope)  # refused where there is no such layer
        same = replace(source, task=opened.task.name)
        train = open_task(model, options.train, same, options.texts)
        data = {"data": opened.corpus} | _parts(model, options, same, train.corpus)
        others = other_models(model, options.against, options.loading())
        quick = () if options.quick else _steps(model, replace(options, quick=True), scope, opened, train)
        named = {f"{number}: {other.name}": other for number, other in enumerate(others)}
        return cls(
            options,
            model,
            opened.corpus,
            _steps(model, options, scope, opened, train),
            opened.task,
            scope,
            data,
            named,
            _beside(options),
            *start_vectors(model, options.vectors),
            quick,
        )

    @property
    def pieces(self) -> int:
        """The longest example in pieces."""
        return longest_example(self.model, self.task, self.options.pieces)

    def decisions(self) -> dict[str, Any]:
        """The task, the length of its examples, and the other data."""
        others = {name: other.fingerprints._asdict() for name, other in self.against.items()}
        known = {name: corpus.identity for name, corpus in self.data.items() if name != "data"}
        return {
            "pieces": self.pieces,
            "task": self.task.name,
            "against": others,
            "vectors": self.digest,
            "beside": list(self.beside),
            **known,
        }

    @property
    def corpora(self) -> Sequence[Corpus]:
        return list(self.data.values())


def planned(model: Model, options: Options, scope: Scope) -> int:
    """How many models are trained."""
    own = [*adversaries(options), *beside(options, controls_of(sites_in(model, scope)))]
    return len(own) + len(list(frozen(options, recipients_of(model))) if is_net(model.module) else [])


def _steps(model: Model, options: Options, scope: Scope, data: Opened, train: Opened) -> Steps:
    """The model over its data, and every model that is trained."""
    models = planned(model, options, scope)
    words = train.at_most(options.texts).words
    told = f"{models} models x {options.passes} epochs over {words:,} words"
    return [passes_over(data.words), Step(told, models * options.passes * words, TRAINING)]


def _check(model: Model, task: Task, options: Options) -> None:
    """Refuse what cannot be learned, or not be heard and edited."""
    if task.name not in LEARNED:
        raise OptionError(
            f"adversaries of classifiers and taggers are trained here, and this task is {task.name}"
        )
    if options.weights == "attention" and is_net(model.module):
        raise OptionError(
            f"--weights attention is for copies, and nets as {model.name} start from nothing; leave it out"
        )
    reason = why_weights_stay(model)
    if model.shape == "encoder-decoder":
        reason = "it attends in an encoder and a decoder, and its answers are of one text"
    if "document" in model.stacks():
        reason = "it looks at sentences, whose number differs from text to text, and then at words"
    if reason is not None:
        raise ModelError(f"attention of {model.name} cannot be learned against and given: {reason}")


def _parts(model: Model, options: Options, source: Source, train: Corpus) -> dict[str, Corpus]:
    """What is learned from, and what chooses the weights."""
    if options.dev is not None:
        return {"train": train, "dev": open_task(model, options.dev, source).corpus}
    texts = np.array([number_of(document.text) for document in train], np.uint64)
    learned_from, held = hold_out(train, texts, options.held_out)
    return {"train": learned_from, "dev": held}


def _beside(options: Options) -> dict[str, Result]:
    """Finished runs of the same verb, by the names of their folders."""
    found: dict[str, Result] = {}
    for each in options.beside:
        result = each if isinstance(each, Result) else RunFolder(each).read_result("adversary")
        name = Path(each).name if isinstance(each, str | Path) else f"run {len(found) + 1}"
        if name in found:
            raise OptionError(f"--beside names {name} twice; give each run once, in a folder of its own name")
        found[name] = result
    return found


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Adversaries, what stands beside them, and maps that are given to nets."""
    return learned(question, store, progress)
