"""explain: importances of every way beside each other, their agreement and their cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from headscope.errors import InputError, ModelError, OptionError
from headscope.explainers import EXPLAINERS, Asked, Explainer, explainers_of
from headscope.explainers.blank import why_no_blank
from headscope.explainers.erasure import log_likelihood
from headscope.explainers.flipping import smallest_flips
from headscope.explainers.gradients import integrated
from headscope.explainers.through_layers import flows
from headscope.models import Model, load
from headscope.questions.asking import AboutCorpus
from headscope.questions.explain.examples import Asking, Example
from headscope.questions.explain.keeping import Text, from_state, to_state
from headscope.questions.explain.options import USUAL, Options
from headscope.questions.explain.tables import (
    Explained,
    agreement_table,
    answers_table,
    explainers_table,
    importance_table,
    summed,
    tokens_of,
)
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.choice import kind_for
from headscope.tasks.data import Source, open_data
from headscope.text import Corpus, read
from headscope.text.batches import Progress

ALL = "all"

MISSING = 0.01
"""Share that integrated gradients may miss without a note."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model with a head for a task, texts, and the ways to explain."""

    options: Options
    kind: str
    explainers: list[Explainer]
    notes: list[str]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        if options.is_lone_word:
            raise InputError(
                f"'{options.data}' is no file, and in one word alone there is nothing to tell apart; "
                "give a text of several words in quotes, or a file"
            )
        model = load(options.model, **options.loading())
        kind = kind_for(model, options.task)
        kind = "pairs" if kind == "classification" and options.second is not None else kind
        _check_wishes(model, kind, options)
        corpus = _explainable(_opened(options, kind), Asking(model, kind, options))
        words = sum(len(document.words) for document in corpus)
        explainers, notes = _chosen(model, options)
        return cls(options, model, corpus, words, kind, explainers, notes)

    def decisions(self) -> dict[str, Any]:
        """The task, and the explainers."""
        return {"task": self.kind, "by": [explainer.name for explainer in self.explainers]}


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every answer to every text, explained in each way."""
    asking = Asking(question.model, question.kind, question.options)
    part = None if store is None else store.part("explain")
    texts: list[Text] = []
    for number, document in enumerate(question.corpus):
        known = None if part is None else part.read(number)
        if known is None:
            example = asking.example(document)
            text = Text(list(_explained(example, question)), example.notes)
            if part is not None:
                part.write(number, *to_state(text))
        else:
            text = from_state(known)
        texts.append(text)
        if progress is not None:
            progress(1, len(document.words))
    explained = [answer for text in texts for answer in text.explained]
    of_texts = dict.fromkeys(note for text in texts for note in text.notes)
    explainers = question.explainers
    tables = {
        "importance": importance_table(explained, explainers),
        "answers": answers_table(explained),
        "agreement": agreement_table(explained, explainers, question.options.top),
        "explainers": explainers_table(explained, explainers),
    }
    notes = [*question.model.notes, *question.notes, *of_texts, *_about(question)]
    return Result("explain", {}, tables, notes=notes)


def _explained(example: Example, question: Question) -> Iterator[Explained]:
    asked, options = example.asked, question.options
    tokens, sides, special, members = tokens_of(example.axes, options.words)
    pieces = torch.stack([explainer(asked) for explainer in question.explainers], 1).cpu().numpy()
    likelihood = log_likelihood(asked.answers(asked.hearing.logits), asked.entries).exp().tolist()
    passes = np.array([explainer.cost(asked) for explainer in question.explainers], dtype=float)
    saturated = _saturated(asked, question)
    _note_missing(example, question)
    flips = _flips(example) if options.flip else [(None, None)] * len(likelihood)
    for number, label in enumerate(example.labels):
        seen = np.zeros(len(tokens), bool)
        seen[members[asked.seen[number].cpu().numpy()]] = True
        yield Explained(
            example.document,
            number,
            label,
            likelihood[number],
            [token for token, is_seen in zip(tokens, seen, strict=True) if is_seen],
            [side for side, is_seen in zip(sides, seen, strict=True) if is_seen],
            special[seen],
            # In the order in which a store would keep it: sums depend on it in their last digits.
            np.ascontiguousarray(summed(pieces[number], members, len(tokens))[:, seen]),
            passes,
            flips[number][0],
            saturated[number],
            flips[number][1],
        )


def _saturated(asked: Asked, question: Question) -> list[float]:
    if "flow" not in [explainer.name for explainer in question.explainers]:
        return [float("nan")] * len(asked.texts)
    shares: list[float] = flows(asked)[1].tolist()
    return shares


def _note_missing(example: Example, question: Question) -> None:
    """Say of which answers integrated gradients do not sum to the difference that they divide."""
    if "integrated-gradients" not in [explainer.name for explainer in question.explainers]:
        return
    for label, missing in zip(example.labels, integrated(example.asked).missing.tolist(), strict=True):
        if missing > MISSING:
            example.notes.append(
                f"integrated-gradients miss {missing:.1%} of what they divide for '{label}' in "
                f"'{example.document}', with the most points that are tried"
            )


def _flips(example: Example) -> list[tuple[list[str] | None, str | None]]:
    """The words of each smallest set that changes an answer, and what it becomes; notes why, where none."""
    asked = example.asked
    names, _, special, members = tokens_of(example.axes, words=True)
    units = torch.from_numpy(np.where(special[members], -1, members))[None].to(asked.texts.device)
    flips = smallest_flips(asked, units)
    found: list[tuple[list[str] | None, str | None]] = []
    for number, removed in enumerate(flips.removed.cpu().numpy()):
        if bool(flips.flipped[number]):
            words = [names[word] for word in np.unique(members[removed])]
            found.append((words, example.named(int(flips.becomes[number]))))
            continue
        found.append(([], None))
        answer = f"--flip: '{example.labels[number]}' is "
        example.notes.append(
            f"{answer}the answer to '{example.document}' whatever words are taken away"
            if bool(flips.given[number])
            else f"{answer}not what the model answers to '{example.document}', so no words can change it"
        )
    return found


def _chosen(model: Model, options: Options) -> tuple[list[Explainer], list[str]]:
    """The explainers that were asked for; without a wish or with `all`, those that the model allows."""
    wished = [name.strip() for part in options.by for name in part.split(",")]
    names = [*EXPLAINERS] if ALL in wished else wished or list(USUAL)
    explainers = explainers_of(names, options.seed)
    refused = {explainer.name: reason for explainer in explainers if (reason := explainer.refusal(model))}
    if refused and wished and ALL not in wished:
        name, reason = next(iter(refused.items()))
        raise ModelError(f"{name} is not defined for {model.name}: {reason}")
    notes = [f"{name} is left out, for it is not defined here: {reason}" for name, reason in refused.items()]
    return [explainer for explainer in explainers if explainer.name not in refused], notes


def _check_wishes(model: Model, kind: str, options: Options) -> None:
    """Refuse options that a task has no use for."""
    if options.word is not None and kind != "tagging":
        raise OptionError(f"--word is for taggers, and {model.name} answers otherwise")
    if options.generate > 1 and kind not in ("causal", "translation"):
        raise OptionError(f"--generate: {model.name} does not continue a text")
    if options.target is not None and kind != "translation":
        raise OptionError(f"--target: {model.name} is no translator")
    if options.second is not None and kind != "pairs":
        raise OptionError(f"--second: {model.name} gives no answer to a pair of texts")
    if kind == "pairs" and options.second is None and options.is_typed:
        raise OptionError(f'{model.name} answers to pairs of texts; give the second one too: --second "TEXT"')
    if options.flip and (reason := why_no_blank(model)):
        raise ModelError(f"--flip takes words away, and of {model.name} none can be: {reason}")
    if options.answer is not None and options.generate > 1:
        raise OptionError("--answer names one piece, so --generate must be 1")


def _opened(options: Options, kind: str) -> Corpus:
    if options.is_typed:
        return read([options.data])
    if kind == "pairs":
        source = Source(column=options.column, second=options.second, skip_broken=options.skip_broken)
        return open_data(options.data, kind, source, options.limit)[1]
    return read(options.data, column=options.column, target=options.target, **options.reading())


def _explainable(corpus: Corpus, asking: Asking) -> Corpus:
    """The texts that can be explained; refused before any work where none can."""
    reasons = {document.id: asking.why_not(document) for document in corpus}
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    if not left_out:
        return corpus
    first, count = next(iter(left_out.values())), len(left_out)
    if count == len(reasons):
        raise InputError(first if count == 1 else f"none of {count} texts can be explained: {first}")
    note = f"{count} of {len(reasons)} texts {'is' if count == 1 else 'are'} left out: {first}"
    note += "" if count == 1 else ", and others like it"
    return corpus.derived(lambda: (each for each in corpus if each.id not in left_out), note=note)


def _about(question: Question) -> list[str]:
    """What the numbers are, for the reader of a run."""
    unit = "word" if question.options.words else "piece"
    return [
        f"share is a {unit}'s part of the importance of all that is not special, its sign left out; "
        "agreement compares these",
        "tau: Kendall's tau-b, mean over answers; ties of a ranking count for neither side",
    ]
