"""explain: importances of every way beside each other, their agreement and their cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from headscope.explainers import Asked, Explainer
from headscope.explainers.choosing import chosen
from headscope.explainers.flipping import smallest_flips
from headscope.explainers.gradients import integrated
from headscope.explainers.removal import log_likelihood
from headscope.explainers.through_layers import flows
from headscope.models import load
from headscope.questions.asking import AboutCorpus
from headscope.questions.explain.examples import Asking, Example
from headscope.questions.explain.keeping import Text, from_state, to_state
from headscope.questions.explain.opening import check_text, check_wishes, explainable, opened
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
from headscope.tasks.choice import check_texts, kind_for
from headscope.text.batches import Progress

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
        check_text(options)
        model = load(options.model, **options.loading())
        kind = kind_for(model, options.task)
        kind = "pairs" if kind == "classification" and options.second is not None else kind
        check_texts(model, kind)
        check_wishes(model, kind, options)
        corpus = explainable(opened(options, kind), Asking(model, kind, options))
        words = sum(len(document.words) for document in corpus)
        explainers, notes = chosen(model, options.by, USUAL, options.seed)
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


def _about(question: Question) -> list[str]:
    """What the numbers are, for the reader of a run."""
    unit = "word" if question.options.words else "piece"
    return [
        f"share is a {unit}'s part of the importance of all that is not special, its sign left out; "
        "agreement compares these",
        "tau: Kendall's tau-b, mean over answers; ties of a ranking count for neither side",
    ]
