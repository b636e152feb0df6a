"""A few short sentences of a corpus, with the maps of every head that is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise

import torch

from headscope.attention import Recorder
from headscope.engine.work import Plan
from headscope.errors import InputError
from headscope.models import sides_of
from headscope.questions.maps.offers import read_axis, written_axis
from headscope.results.look import Look, Part, Sheet
from headscope.text import Corpus, Document, Segment, batches, cut, window
from headscope.text.encoding import Tokenizer
from headscope.text.layout import line_starts, sentence_starts
from headscope.text.whole import whole

SENTENCES, LONGEST, FIRST_LONGEST = 3, 24, 15
"""How many are kept, of how many pieces at most; the first is drawn on paper too, so it is shorter."""

TRIED, TRIED_EACH = 32, 8
"""They are chosen from the first documents, and the first sentences of each."""

BUDGET = 2_000_000
"""Bytes that the maps of all sentences may take, one for each weight."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, or as much of one as fits, and what it is part of."""

    document: Document
    segment: Segment

    @property
    def text(self) -> str:
        """The words as they were written, on one line."""
        first = self.segment.first_word
        spans = self.document.words[first : first + len(self.segment.words)]
        return " ".join(self.document.text[spans[0][0] : spans[-1][1]].split())


def choose(plan: Plan, corpus: Corpus) -> list[Sentence]:
    """Up to three of the longest that fit, from different documents where there are several."""
    tokenizer = plan.setting.model.tokenizer
    tried = [list(islice(_sentences(document, tokenizer), TRIED_EACH)) for document in islice(corpus, TRIED)]
    shortest = min(plan.pieces, FIRST_LONGEST)
    first = next(iter(_ranked(tried, shortest)), None) or _begin(corpus, tokenizer, shortest)
    others = [one for one in _ranked(tried, min(plan.pieces, LONGEST)) if one is not first]
    others.sort(key=lambda one: one.document.id == first.document.id)
    return [first, *others[: SENTENCES - 1]]


def look_at(plan: Plan, sentence: Sentence) -> Look:
    """Run a sentence; the maps of all heads that the plan looks at."""
    setting, segment = plan.setting, sentence.segment
    model, recorder = setting.model, Recorder()
    batch = next(iter(batches([segment], model.tokenizer, 1, model.device)))
    sides = sides_of(model, batch)
    with torch.no_grad(), model.attached([recorder]) as module:
        module(**sides.inputs)
    written = sides.target.ids[0] if sides.target else segment.pieces
    read = read_axis(model, segment)
    write = written_axis(model, segment, sentence.document.target, written)
    axes = {"encoder": (read, read), "decoder": (write, write), "cross": (write, read)}
    parts = []
    for stack in setting.stacks():
        sheets = [
            Sheet(site.layer, heads, recorder.maps[site][0][0, heads].float().numpy())
            for site in setting.sites()
            if site.stack == stack and (heads := setting.indices(site))
        ]
        parts.append(Part(stack, *axes[stack], sheets))
    return Look(model.name, parts)


def within_budget(looks: list[Look]) -> list[Look]:
    """As many of the first looks as may be kept."""
    kept: list[Look] = []
    size = 0
    for look in looks:
        size += sum(sheet.weights.size for part in look.parts for sheet in part.sheets)
        if size > BUDGET:
            break
        kept.append(look)
    return kept


def _ranked(tried: list[list[Sentence]], pieces: int) -> list[Sentence]:
    """Those that fit: the longest of each document before others of it, longer before shorter."""
    ranked: list[tuple[int, int, Sentence]] = []
    for own in tried:
        fitting = [one for one in own if len(one.segment) <= pieces]
        fitting.sort(key=lambda one: -len(one.segment))
        ranked += [(place, -len(one.segment), one) for place, one in enumerate(fitting)]
    return [one for _, _, one in sorted(ranked, key=lambda entry: entry[:2])]


def _sentences(document: Document, tokenizer: Tokenizer) -> Iterator[Sentence]:
    """The sentences of a document; parallel text is taken whole, as nobody knows how its sides belong."""
    if not document.words:
        return
    if document.target is not None:
        yield from (Sentence(document, segment) for segment in cut(document, tokenizer, LONGEST, False))
        return
    edges = {0, *line_starts(document).tolist(), *sentence_starts(document).tolist(), len(document.words)}
    for start, stop in pairwise(sorted(edges)):
        part = window(document, start, stop)
        segment = whole(part, tokenizer)
        if not segment.special.all():
            yield Sentence(part, segment)


def _begin(corpus: Corpus, tokenizer: Tokenizer, pieces: int) -> Sentence:
    """As much of the text as fits, for texts without a short sentence."""
    parts = chain.from_iterable(
        (Sentence(document, segment) for segment in cut(document, tokenizer, pieces, False))
        for document in corpus
    )
    found = next(parts, None)
    if found is None:
        raise InputError(f"{corpus.name}: the tokenizer has no piece for any of its words")
    return found
