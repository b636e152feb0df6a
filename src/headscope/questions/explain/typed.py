"""One typed text, explained: what a page colours, beside the heads of the same text."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

import pandas as pd

from headscope.attention import Ablate
from headscope.errors import OptionError
from headscope.explainers import EXPLAINERS
from headscope.explainers.choosing import chosen
from headscope.heads import Named
from headscope.models import Model
from headscope.questions.explain.examples import Asking
from headscope.questions.explain.explaining import explanation_of, way_of
from headscope.questions.explain.opening import check_wishes, kind_of
from headscope.questions.explain.options import USUAL, Options
from headscope.questions.explain.tables import explained_in, importance_table
from headscope.results.look import Explanation, Way
from headscope.text import Document


def explain_text(
    model: Model,
    text: str,
    *,
    by: Sequence[str] = (),
    second: str | None = None,
    target: str | None = None,
    generate: int = 0,
    off: Sequence[Named] = (),
    pieces: int | None = None,
) -> Explanation:
    """What mattered in one text for what the model answers, by some ways or the usual ones.

    second, target, generate: as `headscope.look` takes them; a decoder that is not to continue is asked for
    its next piece. off: heads that the model is run without. pieces: of a longer text, so many are explained,
    beside those that a decoder writes.
    """
    generate = max(generate, 1)
    written = generate - 1 if model.shape == "decoder" else 0
    options = Options(
        model=model, data=[text], by=tuple(by), second=second, target=target, generate=generate,
        pieces=None if pieces is None else pieces + written,
    )  # fmt: skip
    kind = kind_of(model, options)
    check_wishes(model, kind, options)
    if kind == "pairs" and second is None:
        raise OptionError(f"{model.name} answers to pairs of texts; give the second one too")
    asking = Asking(model, kind, options)
    document = replace(Document.from_text("text", text, target), second=second)
    explainers, notes = chosen(model, options.by, USUAL, options.seed)
    with model.attached(edits=[Ablate(off)], whole=True) if off else nullcontext():
        segment, left_out = asking.segment(document)
        told = explanation_of(asking.example(segment, asking.sides(segment)), explainers)
    return replace(told, title=text, offered=ways_for(model), notes=[*notes, *left_out])


def token_table(explanation: Explanation, words: bool) -> pd.DataFrame:
    """A row for each token of each answer and way, with pieces or words as tokens."""
    table = importance_table(list(explained_in(explanation, words))).drop(columns="text")
    labels = [explanation.answers[number].label for number in table["answer"]]
    return table.assign(label=labels)


def ways_for(model: Model) -> list[Way]:
    """All ways that a model allows."""
    return [way_of(explainer) for explainer in EXPLAINERS.values() if explainer.refusal(model) is None]
