"""Importance summed over the sentences of a text (Yang et al. 2016, figure 5, for any way to explain)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from headscope.explainers import Asked
from headscope.models import Model
from headscope.questions.explain.tables import Parted, Text
from headscope.text import Corpus, Document, Segment
from headscope.text.sentences import Splitting, sentence_numbers, splitting_of, told_sentences

SUMMED = "importance of a sentence is the sum of that of its tokens; special tokens are of none (-1)"
ROW = ["text", "answer", "explainer", "sentence"]


def splitting_for(model: Model, corpus: Corpus) -> Splitting:
    """What parts sentences: as the model is told them, else as the texts have lines."""
    return told_sentences(model.tokenizer) or splitting_of(corpus)


def sentences_in(segment: Segment, asked: Asked, splitting: Splitting) -> Parted:
    """The sentence of each piece that is explained, and what sentences say; a second text has its own."""
    document = segment.part
    assert document is not None
    texts = [document, *([] if document.second is None else [Document.from_text("", document.second)])]
    numbers, says = np.empty(0, np.int64), list[str]()
    for text, begin in zip(texts, segment.spans, strict=False):
        own = sentence_numbers(text, splitting)
        # Of a text that is cut off, the beginning is read.
        numbers = np.concatenate([numbers[:begin], own + len(says)])
        says += _said(text, own)
    pieces = np.full(asked.seen.shape[1], -1)
    known = np.flatnonzero(segment.word >= 0)
    pieces[known] = numbers[segment.word[known]]
    return Parted(pieces, says)


def _said(text: Document, numbers: np.ndarray) -> list[str]:
    """What each sentence says."""
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    ends = [*begins[1:], len(numbers)]
    spans = (
        (text.words[first][0], text.words[last - 1][1]) for first, last in zip(begins, ends, strict=True)
    )
    return [text.text[start:end] for start, end in spans]


def sentences_table(importance: pd.DataFrame, texts: Sequence[Text]) -> pd.DataFrame:
    """A row for each sentence of each answer and explainer; all rows of an answer sum to that of its tokens.

    importance: a row for each token, with its sentence.
    """
    groups = importance.groupby(ROW, sort=False)["importance"]
    table = groups.agg(tokens="size", importance=lambda own: own.sum(min_count=1)).reset_index()
    says = {text.explanation.title: text.sentences.texts for text in texts if text.sentences is not None}
    pairs = zip(table["text"], table["sentence"], strict=True)
    table.insert(4, "says", [says[text][number] if number >= 0 else "" for text, number in pairs])
    sizes = table["importance"].abs().where(table["sentence"] >= 0)
    totals = sizes.groupby([table[name] for name in ROW[:3]], sort=False).transform("sum")
    table["share"] = (sizes / totals).where(totals > 0)
    return table
