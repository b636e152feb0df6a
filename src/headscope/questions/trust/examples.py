"""One example in which the explanation works and one in which it fails, word by word."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from headscope.blocks import number_of
from headscope.engine.work import Plan
from headscope.models import sides_of
from headscope.questions.trust.analysis import Trial, Tried
from headscope.questions.trust.answering import Answered
from headscope.questions.trust.numbers import AOPC, LEAVE_ONE_OUT, PLACE, RANDOM, SEGMENT, WORDS, Numbers
from headscope.tasks.labels import Labels
from headscope.text import Corpus, Segment, piece_label

WORKED, FAILING = "worked", "failing"
LONGEST = 40
"""Words of a text that is shown, if there is one so short."""

COLUMNS = ("example", "text", "answer", "probability", "place", "word", "importance", "leave_one_out")


def examples_table(numbers: Numbers, plan: Plan, trial: Trial, corpus: Corpus) -> pd.DataFrame:
    """A row for each word of the two answers in which it does best and worst, against random orders."""
    rows = [
        row
        for example, answer in _picked(numbers).items()
        for row in _rows(example, answer, numbers, plan, trial, corpus)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _picked(numbers: Numbers) -> dict[str, int]:
    gain = numbers.on_trial(AOPC) - numbers.measure(AOPC, RANDOM)
    short = numbers.fact(WORDS) <= LONGEST
    fitting = np.flatnonzero(~np.isnan(gain) & (short if short.any() else True))
    if not len(fitting):
        return {}
    order = fitting[np.argsort(-gain[fitting], kind="stable")]
    return {WORKED: int(order[0]), FAILING: int(order[-1])}


def _rows(
    example: str, answer: int, numbers: Numbers, plan: Plan, trial: Trial, corpus: Corpus
) -> Iterator[dict[str, object]]:
    """The text is run once more, alone."""
    model = plan.setting.model
    segment = _segment(numbers, answer, plan, corpus)
    answered = trial.answering(model, sides_of(model, next(model.batches([segment], 1))))
    assert answered is not None
    places = answered.asked.places.tolist()
    row = places.index(int(numbers.fact(PLACE)[answer]))
    tested = Tried(trial, answered)
    for place, word in enumerate(_words(answered, row, segment)):
        yield {
            "example": example,
            "text": segment.document,
            "answer": _name(answered, row, trial),
            "probability": float(tested.erasing.before[row]),
            "place": place,
            "word": word,
            "importance": float(tested.explained[numbers.of][row, place]),
            "leave_one_out": float(tested.explained[LEAVE_ONE_OUT][row, place]),
        }


def _segment(numbers: Numbers, answer: int, plan: Plan, corpus: Corpus) -> Segment:
    wanted, index = int(numbers.documents[answer]), int(numbers.fact(SEGMENT)[answer])
    document = next(document for document in corpus if number_of(document.id) == wanted)
    return next(segment for segment in plan.segments([document]) if segment.index == index)


def _words(answered: Answered, row: int, segment: Segment) -> list[str]:
    """The words that can be taken away, as they are written."""
    members, asked = answered.words.members[row].cpu().numpy(), answered.asked
    ids = asked.ids[asked.texts[row]].tolist()
    names = []
    for word in range(int(answered.words.counts[row])):
        piece = int(np.flatnonzero(members == word)[0])
        number = int(segment.word[piece]) if piece < len(segment) else -1
        names.append(segment.words[number] if number >= 0 else piece_label(asked.model.tokenizer, ids[piece]))
    return names


def _name(answered: Answered, row: int, trial: Trial) -> str:
    """What the model answers."""
    entry, model = int(answered.asked.entries[row]), answered.asked.model
    if trial.answering.task.name in ("classification", "pairs", "tagging"):
        return Labels.of(model.module.config).names[entry]
    return piece_label(model.tokenizer, entry)
