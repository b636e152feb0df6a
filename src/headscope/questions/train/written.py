"""What a net that translates has written: its BLEU, by length of the source and beside sacrebleu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from headscope.models import Sides
from headscope.questions.finetune.offers import Scored
from headscope.tasks.choice import in_one_pass
from headscope.tasks.finetuning import Evaluation, evaluate
from headscope.tasks.metrics import BLEU
from headscope.tasks.translation import Translation, bleu_statistics
from headscope.text import Corpus
from headscope.text.batches import Progress

ALL, QUARTERS = "all", ("shortest", "second", "third", "longest")
OURS, SACREBLEU = "headscope", "sacrebleu"
WORDS = "none: words as the tokenizer parts them"
"""How texts are taken apart before they are compared."""


class Written(NamedTuple):
    """Of one example: its document, its source, the words that were wanted and those that were written."""

    document: str
    source: str
    wanted: Sequence[str]
    written: Sequence[str]
    words: int


def write(module: Any, task: Translation, prepared: Sequence[Sides]) -> list[Written]:
    """Translate every example, always taking the likeliest piece."""
    made = []
    for sides in prepared:
        pairs = task.texts(module, sides)
        for segment, document, (written, wanted) in zip(
            sides.segments, sides.documents(), pairs, strict=True
        ):
            made.append(Written(document.id, document.text, wanted, written, len(segment.words)))
    return made


def score_written(
    data: str,
    corpus: Corpus,
    module: Any,
    task: Translation,
    prepared: Sequence[Sides],
    progress: Progress | None,
) -> tuple[Scored, list[Written]]:
    """A data set scored by BLEU, and what was written."""
    loss = evaluate(module, in_one_pass(task), prepared, progress).loss
    made = write(module, task, prepared)
    statistics = np.stack([bleu_statistics(each.written, each.wanted) for each in made])
    evaluation = Evaluation(loss, float(BLEU.value(statistics.sum(0))), statistics)
    return Scored(data, corpus.name, evaluation, np.nan, np.nan), made


def bleu_table(made: Mapping[str, Sequence[Written]]) -> pd.DataFrame:
    """One row per data set, quarter of source length and scorer; sacrebleu's where it is installed.

    Where all sources are equally long, none of them are the longest.
    """
    rows = []
    for data, every in made.items():
        lengths = [each.words for each in every]
        order = np.argsort(lengths, kind="stable")
        parts = {ALL: order}
        if min(lengths) < max(lengths):
            parts |= dict(zip(QUARTERS, np.array_split(order, len(QUARTERS)), strict=True))
        for quarter, chosen in parts.items():
            some = [every[place] for place in chosen]
            if some:
                sizes = [each.words for each in some]
                scores = {OURS: own_bleu(some), SACREBLEU: sacrebleu_of(some)}
                rows += [
                    (data, quarter, min(sizes), max(sizes), len(some), scorer, WORDS, score)
                    for scorer, score in scores.items()
                    if score is not None
                ]
    names = ["data", "quarter", "least", "most", "examples", "scorer", "tokenisation", "bleu"]
    return pd.DataFrame(rows, columns=names)


def own_bleu(some: Sequence[Written]) -> float:
    """Corpus BLEU of Papineni et al. 2002."""
    return float(BLEU.value(np.sum([bleu_statistics(each.written, each.wanted) for each in some], axis=0)))


def sacrebleu_of(some: Sequence[Written]) -> float | None:
    """What sacrebleu (Post 2018) gives for the same words, tokenised no further; None without the package."""
    try:
        from sacrebleu.metrics import BLEU as Sacrebleu
    except ImportError:
        return None
    scorer = Sacrebleu(tokenize="none", smooth_method="none", force=True)  # it warns of parted words
    wanted = [" ".join(each.wanted) for each in some]
    return float(scorer.corpus_score([" ".join(each.written) for each in some], [wanted]).score) / 100


def translations_table(data: str, made: Sequence[Written]) -> pd.DataFrame:
    """One row per example of a data set."""
    rows = [
        (data, each.document, each.source, " ".join(each.wanted), " ".join(each.written)) for each in made
    ]
    return pd.DataFrame(rows, columns=["data", "document", "source", "wanted", "written"])
