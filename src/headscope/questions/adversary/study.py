"""The work of adversary: every model trained or taken up, and set beside the one on trial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from headscope.attention import Site
from headscope.attention.edit import Edit
from headscope.explainers.given_attention import sites_in
from headscope.models import Model, Sides
from headscope.questions.adversary.beginning import Beginning
from headscope.questions.adversary.comparing import Comparing
from headscope.questions.adversary.giving import Given, edit_of, edited, known_maps
from headscope.questions.adversary.hearing import Known
from headscope.questions.adversary.kinds import BASE, CONTROLS, MEASURES, NONE, SAME
from headscope.questions.adversary.opposing import Opposing
from headscope.questions.adversary.recipients import recipient
from headscope.questions.adversary.runs import Run
from headscope.results.folder import RunFolder
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.checkpoints import Checkpoints, Memory
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import FineTuning
from headscope.tasks.training import Diverged
from headscope.text.batches import Progress, pad_id

if TYPE_CHECKING:
    from headscope.questions.adversary.answer import Question

_ROW = 0


@dataclass
class Study:
    """All trainings of one question, each in a part of the store of its own.

    notes: the runs whose loss was no longer a number, by their names.
    """

    question: Question
    store: RunFolder | None
    progress: Progress | None
    notes: list[str] = field(default_factory=list)
    _rows: dict[str, dict[str, float] | None] = field(default_factory=dict)
    _weights: dict[str, dict[str, torch.Tensor]] = field(default_factory=dict)
    _sources: dict[str, Known] = field(default_factory=dict)
    _needed: Counter[str] = field(default_factory=Counter)

    @cached_property
    def sites(self) -> list[Site]:
        return sites_in(self.question.model, self.question.scope)

    @cached_property
    def beginning(self) -> Beginning:
        return Beginning(self.question.model, self.question.options, self.question.vectors)

    @cached_property
    def prepared(self) -> dict[str, list[Sides]]:
        """Batches of the data by what they are for, in their order."""
        question = self.question
        size = question.options.batch_size
        return {
            name: list(ExampleBatches(question.model, question.task, corpus, question.pieces, size))
            for name, corpus in question.data.items()
        }

    @cached_property
    def examples(self) -> Examples:
        return Examples.of(self.prepared["train"])

    @cached_property
    def base(self) -> Known:
        return self._known(self.question.model)

    def keep(self, sources: Iterable[Run]) -> None:
        """Name the runs whose maps are given later, each as often as they are: their weights are kept."""
        self._needed.update(run.name for run in sources)

    def row(self, run: Run) -> dict[str, float] | None:
        """What is told of a run; None where its loss was no longer a number."""
        if run.name not in self._rows:
            self._rows[run.name] = self._row(run)
            if run.source is not None:
                self._given(run.source.name)
        return self._rows[run.name]

    def _given(self, name: str) -> None:
        """The maps of a run were given once; weights that nobody needs any more are dropped."""
        self._needed[name] -= 1
        if self._needed[name] < 1:
            self._weights.pop(name, None)

    def _row(self, run: Run) -> dict[str, float] | None:
        kept = self._place(f"{run.name}/row")
        state = kept.read(_ROW)
        if state is not None:
            return {name: float(value) for name, value in zip(MEASURES, state[0]["row"], strict=True)}
        try:
            model, edit = self._trained(run)
        except Diverged as problem:
            self.notes.append(f"{run.told} is left out: {problem}")
            return None
        with edited(model, edit):
            comparing = Comparing(model, self.base, self.question.task, self._hears_maps(run))
            row = comparing.row(self.prepared["data"])
        kept.write(_ROW, {"row": np.array([row[name] for name in MEASURES])}, {})
        return row

    def beside_base(self, model: Model) -> dict[str, float]:
        """The same of a model that was trained elsewhere."""
        return Comparing(model, self.base, self.question.task).row(self.prepared["data"])

    def _hears_maps(self, run: Run) -> bool:
        """Whether the maps that are heard are of the same heads as the base's, and in use."""
        return run.attention != NONE and run.net == SAME

    def _trained(self, run: Run) -> tuple[Model, Edit | None]:
        """A model with its best weights, and what its attention is changed by."""
        model = recipient(self.beginning, run.net, run.seed)
        edit = self._edit(run, model)
        if run.name in self._weights:
            model.module.load_state_dict(self._weights[run.name])
            return model, edit
        with edited(model, edit), self.beginning.learning(model):
            self._training(run, model).run(self._place(run.name), self.progress)
        if self.store is None and self._needed[run.name] > 0:
            self._weights[run.name] = {
                name: value.clone() for name, value in model.module.state_dict().items()
            }
        return model, edit

    def _edit(self, run: Run, model: Model) -> Edit | None:
        sites = self._sites_of(model)
        if run.source is not None:
            return Given(sites, known_maps(self._source(run.source)))
        return edit_of(run.attention, sites, run.seed) if run.attention in CONTROLS else None

    def _sites_of(self, model: Model) -> list[Site]:
        """The same places in a net that may be of another kind."""
        return [site for site in model.sites.sites if site in self.sites]

    def _training(self, run: Run, model: Model) -> FineTuning:
        common: dict[str, Any] = {
            "module": model.module,
            "task": self.question.task,
            "examples": self.examples,
            "dev": self.prepared["dev"],
            "course": self.beginning.course(run.seed),
            "descent": self.beginning.descent,
            "padding": pad_id(model.tokenizer) or 0,
        }
        if run.penalty is None:
            return FineTuning(**common)
        options = self.question.options
        common |= {"distance": options.distance, "divergence": options.divergence}
        return Opposing(**common, model=model, base=self.base, penalty=run.penalty)

    def _source(self, run: Run) -> Known:
        """The model whose maps are given; of many, the last one is kept."""
        if run.kind == BASE:
            return self.base
        if run.name not in self._sources:
            self._sources = {run.name: self._known(self._trained(run)[0])}
        return self._sources[run.name]

    def _known(self, model: Model) -> Known:
        texts = [sides for name in ("train", "dev", "data") for sides in self.prepared[name]]
        return Known(model, self.sites, texts)

    def _place(self, name: str) -> Checkpoints:
        if self.store is not None:
            return self.store.part(f"adversary/{name}")
        return Memory()
