"""Which task a model is scored on: the one that is asked for, or the one that its class was made for."""

from __future__ import annotations

from dataclasses import replace

from headscope.errors import ModelError, OptionError, choose_from
from headscope.models import Model
from headscope.tasks.chunks import are_chunk_tags
from headscope.tasks.classification import Classification
from headscope.tasks.labels import Labels
from headscope.tasks.language import LanguageModelling
from headscope.tasks.metrics import ACCURACY, BLEU, F1, PIECE_ACCURACY, TOKEN_F1, WORD_ACCURACY, Metric
from headscope.tasks.predictions import Masking, causal, masked
from headscope.tasks.purposes import has_random_weights, purpose_of, texts_read, trained_on
from headscope.tasks.tagging import Tagging
from headscope.tasks.task import Task
from headscope.tasks.translation import Translation
from headscope.text.batches import pad_id

METRICS: dict[str, tuple[Metric, ...]] = {
    "classification": (ACCURACY,),
    "pairs": (ACCURACY,),
    "tagging": (F1, WORD_ACCURACY, TOKEN_F1),
    "masked": (PIECE_ACCURACY,),
    "causal": (PIECE_ACCURACY,),
    "translation": (PIECE_ACCURACY, BLEU),
}
"""What can be asked for, the first by default; tags that mark no chunks have word accuracy alone."""

KINDS = tuple(METRICS)
"""Every kind of task."""

_HEADS = {
    "classification": "classification head",
    "tagging": "tagging head",
    "masked": "head that predicts masked pieces",
    "causal": "head that predicts the next piece",
    "translation": "encoder-decoder with an output layer",
}
_TEACH = "train one: headscope finetune MODEL DATA"


def task_for(
    model: Model, kind: str | None = None, metric: str | None = None, *, masking: float = 0.15, seed: int = 0
) -> Task:
    """The task of a model; refused where the model has no trained head for it.

    kind: one of `KINDS`, by default what the model's class was made for. metric: by name, see `METRICS`.
    masking, seed: the share of pieces that are hidden from a masked language model, and which.
    """
    kind = kind_for(model, kind)
    if kind == "tagging":
        labels = Labels.of(model.module.config)
        offered = METRICS[kind] if are_chunk_tags(labels.names) else (WORD_ACCURACY,)
        return Tagging(labels, _metric(kind, metric, offered))
    chosen = _metric(kind, metric, METRICS[kind])
    if kind == "translation":
        return Translation(model.tokenizer, chosen, model.longest)
    if kind == "masked":
        return LanguageModelling(kind, masked, Masking(model, masking, seed), metric=chosen)
    if kind == "causal":
        return LanguageModelling(kind, causal, metric=chosen)
    _check_classifier(model)
    check_texts(model, kind)
    return Classification(Labels.of(model.module.config), kind == "pairs", chosen)


def in_one_pass(task: Task) -> Task:
    """The task scored without writing anything: the loss is the same, and it takes one forward pass."""
    if isinstance(task, Translation) and not task.replayable:
        return replace(task, metric=PIECE_ACCURACY)
    return task


def kind_for(model: Model, kind: str | None = None) -> str:
    """The kind that was asked for, or that of the model's class; checked against what the model has."""
    if kind is not None and kind not in KINDS:
        raise OptionError(choose_from("task", kind, KINDS))
    purpose, name = purpose_of(model), type(model.module).__name__
    if kind is None:
        kind = trained_on(model) or purpose if purpose == "classification" else purpose
    if kind is None:
        raise ModelError(
            f"{model.name} answers nothing: {name} has no classifier, tagger or language model on top; "
            f"{_TEACH}"
        )
    needed = "classification" if kind == "pairs" else kind
    if needed != purpose:
        hint = _TEACH if needed in ("classification", "tagging") else "load a model that has one"
        raise ModelError(f"{name} has no {_HEADS[needed]}; {hint}")
    if has_random_weights(model):
        note = next(note for note in model.notes if "random" in note)
        raise ModelError(f"{model.name} would answer at random: {note}; {_TEACH}")
    return kind


def check_texts(model: Model, kind: str) -> None:
    """Refuse pairs for a net that was made for single texts, and single texts for one made for pairs."""
    texts = texts_read(model)
    if kind == "pairs" and texts == 1:
        raise ModelError(
            f"{model.name} was made for single texts, and these have a second one; take a net trained on "
            "pairs, or read the first text alone (--task classification)"
        )
    if kind == "classification" and texts == 2:
        raise ModelError(
            f"{model.name} was made for pairs, and these texts have no second one; name its column "
            "(--second), or take a net trained on single texts"
        )


def _metric(kind: str, asked: str | None, offered: tuple[Metric, ...]) -> Metric:
    named = {metric.name.lower(): metric for metric in offered}
    if asked is not None and asked.lower() not in named:
        raise OptionError(choose_from(f"metric of {kind}", asked, [metric.name for metric in offered]))
    return offered[0] if asked is None else named[asked.lower()]


def _check_classifier(model: Model) -> None:
    """Refuse what gives no single answer, or not the same answer in every batch."""
    config, name, padding = model.module.config, type(model.module).__name__, pad_id(model.tokenizer)
    if len(config.id2label or {}) < 2 or config.problem_type in ("regression", "multi_label_classification"):
        raise ModelError(f"{name} gives a number or several labels at once; one label of several is needed")
    ignored = config.get_text_config().pad_token_id
    if model.shape == "decoder" and ignored != padding:
        raise ModelError(
            f"{name} answers at the last piece that is no padding, but its pad_token_id is {ignored} and "
            f"the tokenizer pads with {padding}; make them equal in config.json"
        )
