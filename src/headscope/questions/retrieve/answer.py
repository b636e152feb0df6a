"""retrieve: needles in a long text, the heads that find them, and what is found without these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from inspect import signature
from itertools import compress
from typing import Any

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.blocks import number_of
from headscope.engine.effort import Step, tell_past
from headscope.engine.planning import setting_of
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.errors import InputError, ModelError, OptionError
from headscope.models import Model, load
from headscope.questions.asking import AboutCorpus
from headscope.questions.retrieve.analysis import Retrieval
from headscope.questions.retrieve.known import known_table
from headscope.questions.retrieve.needles import (
    Haystack,
    Trial,
    least_length,
    needle_pieces,
    trials,
    words_for_secrets,
)
from headscope.questions.retrieve.options import LENGTHS, Options
from headscope.questions.retrieve.tables import (
    NAMED,
    heads_dataset,
    heads_table,
    removal_table,
    retrieval_table,
    trials_table,
)
from headscope.results.folder import RunFolder
from headscope.results.reading import counted
from headscope.results.result import Result
from headscope.text import Corpus, Document
from headscope.text.batches import Progress

ROLES = "known_needles"
PIECES_OF_A_WORD = 8
"""For so many of each word of a secret there is room where no length is asked for."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, hay, and the needles in it."""

    options: Options
    plan: Plan
    trials: list[Trial]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        corpus = options.corpus
        model = load(options.model, **options.loading())
        setting = setting_of(model, options)
        check_model(model)
        most = max(options.lengths or LENGTHS)
        documents, hay = read_hay(corpus, model, most)
        words = words_for_secrets(documents)
        if not words:
            raise InputError(f"{corpus.name} has no word of letters that a secret could be made of")
        lengths = check_lengths(model, options, len(hay), corpus.name)
        made = trials(lengths, options.depths, options.needles, words, options.secret, options.seed)
        check_room(model, made, "" if options.lengths is None else "--lengths ")
        plan = Plan(
            setting, [Retrieval()], max(lengths), 1, Haystack(tuple(hay)), characters=options.shard_characters
        )
        return cls(options, model, corpus, _steps(made, options), plan, made)

    def decisions(self) -> dict[str, Any]:
        """The lengths."""
        return {"lengths": sorted({trial.length for trial in self.trials})}


def check_model(model: Model) -> None:
    """Refuse what does not write the next piece, or keeps nothing of what it has read."""
    writes = getattr(model.module, "get_output_embeddings", lambda: None)() is not None
    keeps = "past_key_values" in signature(model.module.forward).parameters
    if model.shape != "decoder" or not writes or not keeps:
        raise ModelError(f"{model.name} does not continue a text; retrieve asks causal language models")


def read_hay(corpus: Corpus, model: Model, most: int) -> tuple[list[Document], list[int]]:
    """As many documents as give so many pieces, and these pieces."""
    documents: list[Document] = []
    hay: list[int] = []
    for document in corpus:
        text = ("\n\n" if hay else "") + document.text
        documents.append(document)
        hay += model.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        if len(hay) >= most:
            break
    return documents, hay[:most]


def check_lengths(model: Model, options: Options, hay: int, name: str) -> list[int]:
    """The lengths that were asked for, refused where the text is too short; else those that fit."""
    if options.lengths is None:
        room = hay if model.longest is None else model.longest - PIECES_OF_A_WORD * options.secret
        return [length for length in LENGTHS if length <= min(hay, room)] or [max(1, min(hay, room))]
    for length in options.lengths:
        if length > hay:
            raise InputError(f"--lengths {length}: {name} gives {hay} tokens only; give a longer text")
    return sorted(set(options.lengths))


def check_room(model: Model, made: Sequence[Trial], asked: str) -> None:
    """Refuse a length that leaves no hay, or that with the answer is beyond what the model takes.

    asked: the option that names it; where none does, it is what the text and the model have.
    """
    texts, lengths = [trial.document.text for trial in made], [trial.length for trial in made]
    least = least_length(model.tokenizer, texts)
    if min(lengths) < least:
        takes = f"needle, question and some hay take {least} tokens"
        if asked:
            raise OptionError(f"{asked}{min(lengths)}: {takes}")
        raise InputError(f"text and model have room for {min(lengths)} tokens, but {takes}; give longer ones")
    whole = max(lengths) + max(len(needle_pieces(model.tokenizer, text)[1]) for text in texts)
    if model.longest is not None and whole > model.longest:
        raise OptionError(
            f"{asked}{max(lengths)}: with the answer that is {whole} tokens, and {model.name} takes "
            f"{model.longest}"
        )


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """The trials as they are, then those that succeeded without the heads found and without random ones."""
    plan, options = question.plan, question.options
    found = in_order(_run(plan, question.trials, "retrieve", store, progress), question.trials)
    heads = heads_dataset(found, plan.setting, question.trials)
    sets = removed_sets(heads, plan.setting, options)
    again = list(compress(question.trials, found["retrieved"].values))
    recalls = {"none": found["recall"].values[found["retrieved"].values]}
    for number, (name, off) in enumerate(sets.items()):
        edited = replace(plan, analyses=[Retrieval(off)])
        ended = _run(edited, again, f"retrieve/without-{number}", store, progress)
        tell_past(progress, 0, _words(question.trials) - _words(again))
        recalls[name] = in_order(ended, again)["recall"].values
    by_head = heads_table(heads)
    tables = {
        "retrieval": retrieval_table(found, heads),
        "heads": by_head,
        "trials": trials_table(found, question.trials),
        "removal": removal_table(recalls, sets, question.model),
        ROLES: known_table(by_head, found),
    }
    arrays = {"heads": heads, "trials": found.drop_vars("document").reset_coords(drop=True)}
    notes = [*question.model.notes, *about(question, found)]
    return Result("retrieve", arrays, tables, notes=notes, roles=ROLES)


def _steps(made: Sequence[Trial], options: Options) -> list[Step]:
    """All trials, and at most all of them again without some heads."""
    longest = max(trial.length for trial in made)
    steps = [Step(f"{len(made):,} trials of up to {longest:,} tokens", _words(made))]
    if times := bool(options.remove) * (1 + options.draws):
        told = "once" if times == 1 else f"{times} times"
        steps.append(Step(f"those that succeed {told} more without heads", times * _words(made)))
    return steps


def _words(made: Sequence[Trial]) -> int:
    return sum(len(trial.secret) for trial in made)


def _run(
    plan: Plan, made: Sequence[Trial], part: str, store: RunFolder | None, progress: Progress | None
) -> xr.Dataset:
    documents = [trial.document for trial in made]
    (arrays,) = plan.arrays(run(plan, documents, part, store, progress))
    return arrays


def in_order(arrays: xr.Dataset, made: Sequence[Trial]) -> xr.Dataset:
    """Trials in the order of a list, and which succeeded: more than half of the secret was written."""
    place = {int(number): row for row, number in enumerate(arrays["document"].values)}
    arrays = arrays.isel(trial=[place[number_of(trial.document.id)] for trial in made])
    return arrays.assign(retrieved=arrays["recall"] > 0.5)


def removed_sets(heads: xr.Dataset, setting: Setting, options: Options) -> dict[str, list[Any]]:
    """Heads that are removed together, by name of the set: those found, and as many others at random."""
    score, chosen = heads["score"].values, setting.chosen()
    order = np.argsort(-np.nan_to_num(score), kind="stable")
    best = [int(place) for place in order if score[place] >= NAMED][: options.remove]
    if not best:
        return {}
    others = [place for place in range(len(chosen)) if not score[place] >= NAMED]
    random = np.random.default_rng(options.seed)
    sets = {"found": [chosen[place] for place in best]}
    for draw in range(options.draws if len(others) >= len(best) else 0):
        drawn = random.choice(others, len(best), replace=False)
        sets[f"random {draw + 1}"] = [chosen[place] for place in drawn]
    return sets


def about(question: Question, found: xr.Dataset) -> list[str]:
    """What the numbers are, for the reader of a run."""
    lengths = ", ".join(f"{length:,}" for length in dict.fromkeys(trial.length for trial in question.trials))
    notes = [
        f"{counted(len(question.trials), 'trial')} in texts of {lengths} tokens; a head's score is its mean "
        "over those in which more than half of the secret was written; standard errors are over these trials"
    ]
    if not found["retrieved"].any():
        notes.append("no secret was found again in any trial, so no head is named and none is removed")
    return notes
