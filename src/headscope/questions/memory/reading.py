"""What a probe reads of a word from hidden states so many tokens later, beside shuffled labels and twins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

from headscope.analyses.analysis import Setting
from headscope.analyses.hidden_states import HiddenStates
from headscope.blocks import block_of, number_of
from headscope.engine.effort import Steps, passes_over, tell_past
from headscope.engine.gathering import Gathered, gather
from headscope.engine.stores import ShardStore
from headscope.engine.work import Plan
from headscope.errors import ModelError, OptionError, choose_from
from headscope.heads import check_numbers
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast, to_reduce
from headscope.models.states import measure_states
from headscope.models.twin import random_twin
from headscope.probes.regression import Sets, Split, regress
from headscope.questions.asking import identity_of
from headscope.questions.memory.options import NETS, OF_MODELS, Options
from headscope.questions.memory.texts import PARTS, Behind, Texts
from headscope.tallies.hidden import HiddenTally
from headscope.text import Corpus
from headscope.text.batches import Progress
from headscope.text.examples import Tagged

TRAINED, TUNED = (0, 1, 2), 3
"""Parts of the texts; the last one is scored."""


@dataclass(frozen=True)
class OfModel:
    """A model, texts for it to read, and how to run."""

    options: Options
    model: Model
    delays: tuple[int, ...]
    texts: Texts
    plan: Plan
    asked: HiddenStates

    @classmethod
    def of(cls, options: Options) -> OfModel:
        model = opened(options)
        count, dim = measure_states(model)
        layers = tuple(check_numbers(options.layers, count, "layer") or range(count))
        delays, texts, pieces = fitting(model, options)
        asked = HiddenStates(layers, dim, Behind(delays))
        needed = forecast(model, pieces, options.batch_size)
        check_memory(needed, to_reduce(batch_size=options.batch_size))
        setting = Setting(model, seed=options.seed)
        characters = options.shard_characters
        plan = Plan(setting, [asked], pieces, options.batch_size, Tagged(), characters=characters)
        return cls(options, model, delays, texts, plan, asked)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def steps(self) -> Steps:
        return [passes_over(self.texts.words, 1 + self.options.twins)]

    @cached_property
    def identity(self) -> dict[str, Any]:
        options = self.options
        decided = {"delays": self.delays, "layers": self.asked.layers, "words": options.different}
        return identity_of(self.model, self.texts.corpus(), options.decided(**decided))

    @property
    def corpora(self) -> Sequence[Corpus]:
        return ()


def opened(options: Options) -> Model:
    """The model; where there is none of a name that is all but that of a net, that net is told."""
    try:
        return load(options.model, **options.loading())
    except ModelError as error:
        if isinstance(options.model, str) and get_close_matches(options.model, NETS):
            told = f"{error.text}; {choose_from('net', options.model, NETS)}"
            raise ModelError(told, in_python=error.in_python) from error
        raise


def fitting(model: Model, options: Options) -> tuple[tuple[int, ...], Texts, int]:
    """The delays, texts that are long enough for them, and how many pieces the longest of these has.

    Without a wish, as many delays as fit into what the model takes.
    """
    delays = tuple(sorted(set(options.delays or OF_MODELS)))
    while delays:
        texts, longest = Texts.of(options, delays[-1]).cut(model.tokenizer)
        if model.longest is None or longest <= model.longest:
            return delays, texts, longest
        if options.delays is not None:
            raise OptionError(
                f"--delays {delays[-1]}: texts for it have up to {longest} pieces, and {model.name} takes "
                f"{model.longest}"
            )
        delays = delays[:-1]
    raise ModelError(f"{model.name} takes {model.longest} pieces, which is too few for any text here")


@dataclass(frozen=True)
class Read:
    """Whether probes are right: each (layer, delay, scored text), bool. blocks: (scored text,).

    right: of the model. shuffled: trained on shuffled labels. twins: of each random twin.
    """

    right: np.ndarray
    shuffled: np.ndarray
    twins: list[np.ndarray]
    blocks: np.ndarray


def read_all(question: OfModel, store: ShardStore, progress: Progress | None) -> Read:
    """Probes over the model and its twins; what the store knows already is not made again."""
    model, seed = question.model, question.options.seed
    own = _probed(question, question.plan, "memory/model", store, progress, shuffled=True)
    twins = [
        _probed(
            question,
            question.plan.with_model(random_twin(model, seed + twin)),
            f"memory/twin-{twin}",
            store,
            progress,
        )["right"]
        for twin in range(question.options.twins)
    ]
    return Read(own["right"], own["shuffled"], twins, own["blocks"])


def _probed(
    question: OfModel,
    plan: Plan,
    name: str,
    store: ShardStore,
    progress: Progress | None,
    shuffled: bool = False,
) -> dict[str, np.ndarray]:
    part = store.part(name)
    if part.has(0):
        tell_past(progress, 0, question.texts.words)
    else:
        gathered = gather(plan, question.texts.corpus(), f"{name}-vectors", store, progress)
        vectors, known = _vectors(gathered, question)
        sets = _sets(question, known)
        arrays = {"right": _right(vectors, sets), "blocks": sets.blocks}
        if shuffled:
            random = np.random.default_rng([question.options.seed, len(known)])
            mixed = [
                replace(split, labels=random.permutation(split.labels)) for split in (sets.train, sets.tune)
            ]
            arrays["shuffled"] = _right(vectors, replace(sets, train=mixed[0], tune=mixed[1]))
        part.write(0, arrays, {})
        gathered.drop()
    state = part.read(0)
    assert state is not None
    return state[0]


def _vectors(gathered: Gathered, question: OfModel) -> tuple[np.ndarray, np.ndarray]:
    """(text, layer, delay, dim), and whether a text has them all, (text,)."""
    documents, delays = question.texts.documents, len(question.delays)
    rows = {number_of(document.id): row for row, document in enumerate(documents)}
    asked = question.asked
    vectors = np.zeros((len(documents), len(asked.layers), delays, asked.dim), asked.precision)
    known = np.zeros(len(documents), bool)
    for done in gathered:
        tally = done.tallies["hidden"]["hidden"]
        assert isinstance(tally, HiddenTally)
        hidden = tally.result()
        own = [rows[number] for number in hidden.documents.tolist()]
        units = hidden.vectors[:, 0].reshape(len(own), delays, len(asked.layers), asked.dim)
        vectors[own] = units.swapaxes(1, 2)
        known[own] = hidden.known.reshape(len(own), delays).all(1)
    return vectors, known


def _sets(question: OfModel, known: np.ndarray) -> Sets:
    texts, parts = question.texts, question.texts.parts
    rows = [np.flatnonzero(np.isin(parts, part) & known) for part in (TRAINED, (TUNED,), (PARTS - 1,))]
    labels = [texts.classes[own] for own in rows]
    if any(len(set(own.tolist())) < question.options.classes for own in labels):
        raise ModelError(f"{question.model.name} has no hidden state behind a word in too many texts")
    train, tune, test = (Split(own, label) for own, label in zip(rows, labels, strict=True))
    blocks = np.array([block_of(texts.documents[row].id) for row in test.rows.tolist()], np.int32)
    return Sets(train, tune, test, question.options.classes, blocks)


def _right(vectors: np.ndarray, sets: Sets) -> np.ndarray:
    """(layer, delay, scored text) of (text, layer, delay, dim)."""
    layers, delays = vectors.shape[1:3]
    flat = vectors.reshape(len(vectors), layers * delays, -1)
    return regress(flat, sets)["right"].reshape(layers, delays, -1)
