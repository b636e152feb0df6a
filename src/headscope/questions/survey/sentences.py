"""A few short sentences of a corpus, with the maps of every head that is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise

import numpy as np

from headscope.attention import Recorder
from headscope.engine.work import Plan, run_segment
from headscope.errors import InputError
from headscope.questions.maps.offers import axes_of, read_axis, written_axis
from headscope.results.look import Look, Sheet, StackMaps
from headscope.text import Corpus, Document, Segment, cut, window
from headscope.text.encoding import Tokenizer
from headscope.text.sentences import line_starts, reads_whole, sentence_numbers
from headscope.text.whole import whole

SENTENCES, LONGEST, FIRST_LONGEST = 3, 24, 15
"""How many are kept, of how many pieces at most; the first is drawn on paper too, so it is shorter."""

TRIED, TRIED_EACH = 32, 24
"""They are chosen from the first documents, and the first sentences of each."""

BUDGET = 2_000_000
"""Bytes that the maps of all sentences may take, one for each weight."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, or as much of one as fits, and what it is part of; whether it reads as a whole one."""

    document: Document
    segment: Segment
    is_whole: bool = False

    @property
    def text(self) -> str:
        """The words as they were written, on one line."""
        first = self.segment.first_word
        spans = self.document.words[first : first + len(self.segment.words)]
        return " ".join(self.document.text[spans[0][0] : spans[-1][1]].split())


def choose(plan: Plan, corpus: Corpus) -> list[Sentence]:
    """Up to three of the longest that fit, from different documents where there are several.

    Those that read as whole sentences come before all others.
    """
    tokenizer = plan.setting.model.tokenizer
    tried = [list(islice(_sentences(document, tokenizer), TRIED_EACH)) for document in islice(corpus, TRIED)]
    shortest = min(plan.pieces, FIRST_LONGEST)
    first = next(iter(_ranked(tried, shortest)), None) or _begin(corpus, tokenizer, shortest)
    others = [other for other in _ranked(tried, min(plan.pieces, LONGEST)) if other is not first]
    others.sort(key=lambda other: other.document.id == first.document.id)
    return [first, *others[: SENTENCES - 1]]


def look_at(plan: Plan, sentence: Sentence) -> Look:
    """Run a sentence; the maps of all heads that the plan looks at."""
    setting, segment = plan.setting, sentence.segment
    model, recorder = setting.model, Recorder()
    sides = run_segment(plan, segment, recorder)
    written = sides.target.ids[0] if sides.target else segment.pieces
    read = read_axis(model, segment)
    write = written_axis(model, segment, sentence.document.target, written)
    stacks = []
    for stack in setting.stacks():
        sheets = [
            Sheet(site.layer, heads, recorder.maps[site][0][0, heads].float().numpy())
            for site in setting.sites()
            if site.stack == stack and (heads := setting.indices(site))
        ]
        stacks.append(StackMaps(stack, *axes_of(model, stack, read, write), sheets))
    return Look(model.name, stacks)


def within_budget(looks: list[Look]) -> list[Look]:
    """As many of the first looks as may be kept."""
    sizes = (sum(sheet.weights.size for stack in look.stacks for sheet in stack.sheets) for look in looks)
    return [look for look, total in zip(looks, accumulate(sizes), strict=True) if total <= BUDGET]


def _ranked(tried: list[list[Sentence]], pieces: int) -> list[Sentence]:
    """Those that fit: whole ones, then the longest of each document before others of it, then longer ones."""
    ranked: list[tuple[bool, int, int, Sentence]] = []
    for sentences in tried:
        fitting = [sentence for sentence in sentences if len(sentence.segment) <= pieces]
        fitting.sort(key=lambda sentence: (not sentence.is_whole, -len(sentence.segment)))
        ranked += [(not each.is_whole, place, -len(each.segment), each) for place, each in enumerate(fitting)]
    return [sentence for *_, sentence in sorted(ranked, key=lambda entry: entry[:3])]


def _sentences(document: Document, tokenizer: Tokenizer) -> Iterator[Sentence]:
    """The sentences of a document; parallel text is taken whole, as nobody knows how its sides belong."""
    if not document.words:
        return
    if document.target is not None:
        yield from _cut(document, tokenizer, LONGEST)
        return
    ends = np.flatnonzero(np.diff(sentence_numbers(document, "marks"))) + 1
    edges = {0, *line_starts(document).tolist(), *ends.tolist(), len(document.words)}
    for start, stop in pairwise(sorted(edges)):
        words = window(document, start, stop)
        segment = whole(words, tokenizer)
        if not segment.special.all():
            yield Sentence(
                words, segment, reads_whole(words.text, document.text[document.words[stop - 1][1] :])
            )


def _begin(corpus: Corpus, tokenizer: Tokenizer, pieces: int) -> Sentence:
    """As much of the text as fits, for texts without a short sentence."""
    for document in corpus:
        for sentence in _cut(document, tokenizer, pieces):
            return sentence
    raise InputError(f"{corpus.name}: the tokenizer has no piece for any of its words")


def _cut(document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Sentence]:
    return (Sentence(document, segment) for segment in cut(document, tokenizer, pieces, False))
