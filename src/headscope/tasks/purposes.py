"""What a model was made for, as far as its class tells."""

from __future__ import annotations

from typing import Literal

from headscope.models import Model
from headscope.nets import CLASSES

NETS = tuple(CLASSES)

Purpose = Literal["classification", "tagging", "masked", "causal", "translation"]


def purpose_of(model: Model) -> Purpose | None:
    """The kind of task that the model's head answers; None for a model without such a head."""
    name = type(model.module).__name__
    if "SequenceClassification" in name:
        return "classification"
    if "TokenClassification" in name:
        return "tagging"
    if getattr(model.module, "get_output_embeddings", lambda: None)() is None:
        return None
    if model.shape == "encoder-decoder":
        return "translation"
    if model.shape == "decoder":
        return "causal"
    trained = "MaskedLM" in name or "PreTraining" in name
    return "masked" if trained and getattr(model.tokenizer, "mask_token_id", None) is not None else None


def why_not_generated(model: Model) -> str | None:
    """Why a model does not continue a text; None where it does."""
    if model.shape == "encoder":
        return f"{model.name} is an encoder; it does not generate"
    if purpose_of(model) not in ("causal", "translation"):
        return f"{model.name} has no language-model head; it does not generate"
    return None


_TRAINED_ON = "headscope_task"
"""Where the configuration of a model that was fine-tuned here tells the kind of task."""


def trained_on(model: Model) -> Literal["classification", "pairs"] | None:
    """Whether a classifier was fine-tuned here, and then on single texts or on pairs."""
    kind = getattr(model.module.config, _TRAINED_ON, None)
    return kind if kind in ("classification", "pairs") else None


def texts_read(model: Model) -> int | None:
    """How many texts a net of ours was made to read at once; None for other models, which read either."""
    texts: int | None = getattr(model.module.config, "texts", None)
    return texts if isinstance(model.module, NETS) else None


def remember_training(model: Model, kind: str) -> None:
    """Let a model's configuration tell what it is fine-tuned on."""
    setattr(model.module.config, _TRAINED_ON, kind)


def has_random_weights(model: Model) -> bool:
    """Whether some weights were not in the checkpoint, so that answers would mean nothing."""
    return any("random" in note for note in model.notes)
