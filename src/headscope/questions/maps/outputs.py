"""What a model made of a text, with all its heads and with some switched off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import torch

from headscope.models import Model
from headscope.questions.maps.inputs import Window
from headscope.results.look import Output, Score
from headscope.tasks.labels import Labels
from headscope.tasks.purposes import has_random_weights, purpose_of
from headscope.text import piece_label

LIKELIEST = 10
"""How many fillings or next pieces are shown."""

Answers = Literal["one", "several", "values"]
"""What a classifier's outputs are: one label of many, several labels, or plain values."""


class Reader(Protocol):
    """How one kind of model is read: the numbers of a pass, and what two passes tell.

    whole: whether the model is run with its task head.
    """

    whole: bool

    def read(self, outputs: Any) -> torch.Tensor:
        """The few numbers of the outputs that matter, on the CPU."""

    def output(self, before: torch.Tensor, after: torch.Tensor | None) -> Output | None:
        """What they say; None where that is nothing."""


def reader_for(model: Model, window: Window) -> Reader:
    """The reader that fits the model's task head; without one its hidden vectors are compared."""
    purpose = None if has_random_weights(model) else purpose_of(model)
    if purpose == "classification":
        return Classes(Labels.of(model.module.config).names, _answers(model))
    if purpose == "tagging":
        return Tags(Labels.of(model.module.config).names, *_first_pieces(window))
    if purpose == "masked":
        return _masked(model, window)
    if purpose == "causal" and window.wanted is None:
        return Ranking(model.tokenizer, -1, "Likeliest next pieces")
    if purpose in ("causal", "translation") and window.wanted is not None:
        return Pieces(model.tokenizer, window.wanted, _wanted_title(window))
    return Hidden(window)


@dataclass
class Classes:
    """One number for each label of a text."""

    names: Sequence[str]
    answers: Answers
    whole: bool = True

    def read(self, outputs: Any) -> torch.Tensor:
        logits: torch.Tensor = outputs.logits[0].detach().double().cpu()
        if self.answers == "values":
            return logits
        return logits.sigmoid() if self.answers == "several" else logits.softmax(-1)

    def output(self, before: torch.Tensor, after: torch.Tensor | None) -> Output:
        order = before.argsort(descending=True, stable=True)
        labels = [self.names[place] for place in order.tolist()]
        rows = _scores(labels, before[order], None if after is None else after[order])
        if self.answers == "values":
            return Output("Value of each output", "value", rows)
        return Output("Probability of each label", "probability", rows)


@dataclass
class Tags:
    """The likeliest label of each word, asked at its first piece."""

    names: Sequence[str]
    places: list[int]
    words: list[str]
    whole: bool = True

    def read(self, outputs: Any) -> torch.Tensor:
        logits: torch.Tensor = outputs.logits[0, self.places]
        return logits.detach().double().cpu().softmax(-1)

    def output(self, before: torch.Tensor, after: torch.Tensor | None) -> Output:
        best = before.argmax(-1, keepdim=True)
        labels = [
            f"{word}: {self.names[label]}"
            for word, label in zip(self.words, best[:, 0].tolist(), strict=True)
        ]
        rows = _scores(labels, before.gather(1, best), None if after is None else after.gather(1, best))
        return Output("Probability of the label of each word", "probability", rows)


@dataclass
class Ranking:
    """The likeliest pieces at one place of the text."""

    tokenizer: Any
    place: int
    title: str
    whole: bool = True

    def read(self, outputs: Any) -> torch.Tensor:
        return _logits(outputs)[0, self.place].detach().double().cpu().softmax(-1)

    def output(self, before: torch.Tensor, after: torch.Tensor | None) -> Output:
        best = before.topk(min(LIKELIEST, len(before))).indices
        labels = _piece_labels(self.tokenizer, best.tolist())
        rows = _scores(labels, before[best], None if after is None else after[best])
        return Output(self.title, "probability", rows)


@dataclass
class Pieces:
    """The probability of known pieces, each at its own place; the last places are theirs."""

    tokenizer: Any
    wanted: np.ndarray
    title: str
    places: list[int] | None = None
    whole: bool = True

    def read(self, outputs: Any) -> torch.Tensor:
        places = slice(-len(self.wanted), None) if self.places is None else self.places
        logits = _logits(outputs)[0, places].detach().float()
        wanted = logits.gather(1, torch.as_tensor(self.wanted, device=logits.device)[:, None])[:, 0]
        return (wanted - logits.logsumexp(-1)).exp().double().cpu()

    def output(self, before: torch.Tensor, after: torch.Tensor | None) -> Output:
        labels = [piece_label(self.tokenizer, piece) for piece in self.wanted.tolist()]
        return Output(self.title, "probability", _scores(labels, before, after))


@dataclass
class Hidden:
    """Where the last hidden vector of each piece points; told only if heads are switched off."""

    window: Window
    whole: bool = False

    def read(self, outputs: Any) -> torch.Tensor:
        vectors: torch.Tensor = outputs[0][0]
        return vectors.detach().double().cpu()

    def output(self, before: torch.Tensor, after: torch.Tensor | None) -> Output | None:
        if after is None:
            return None
        with_mean, without = (
            torch.cat([vectors.mean(0, keepdim=True), vectors]) for vectors in (before, after)
        )
        cosines = torch.cosine_similarity(with_mean, without, dim=1)
        labels = ["mean of all pieces", *self.window.written.pieces]
        title = "Cosine of the last hidden vectors with and without the heads"
        return Output(title, "cosine", _scores(labels, torch.ones_like(cosines), cosines))


def _scores(labels: Iterable[str], before: torch.Tensor, after: torch.Tensor | None) -> list[Score]:
    later = [None] * len(before) if after is None else after.flatten().tolist()
    return [Score(*row) for row in zip(labels, before.flatten().tolist(), later, strict=True)]


def _answers(model: Model) -> Answers:
    config = model.module.config
    if config.problem_type == "multi_label_classification":
        return "several"
    return "values" if config.problem_type == "regression" or config.num_labels == 1 else "one"


def _first_pieces(window: Window) -> tuple[list[int], list[str]]:
    """Places of the first piece of each word that is not special, and the words."""
    read = window.read
    first = [place for place in range(len(read.words)) if read.words[place] not in read.words[:place]]
    places = [place for place in first if not read.special[place]]
    return places, [read.names[read.words[place]] for place in places]


def _masked(model: Model, window: Window) -> Reader:
    """The first mask of the text, or without one every piece that is not special."""
    masks = np.flatnonzero(window.segment.pieces == model.tokenizer.mask_token_id)
    if len(masks):
        title = f"Likeliest fillings of the first {model.tokenizer.mask_token}"
        return Ranking(model.tokenizer, int(masks[0]), title)
    places = np.flatnonzero(~np.array(window.read.special))
    title = f"Probability of each piece at its own place (no {model.tokenizer.mask_token} in the text)"
    return Pieces(model.tokenizer, window.segment.pieces[places], title, places.tolist())


def _wanted_title(window: Window) -> str:
    if window.generated:
        return "Probability of each generated piece"
    if window.segment.target is not None:
        return "Probability of each piece of the target"
    return "Probability of each piece of the text, which the decoder reads as its target"


def _logits(outputs: Any) -> torch.Tensor:
    logits: torch.Tensor = outputs.logits if "logits" in outputs else outputs.prediction_logits
    return logits


def _piece_labels(tokenizer: Any, pieces: list[int]) -> list[str]:
    """Readable names; two that would look the same (at the start of a word and inside) are told apart."""
    labels = [piece_label(tokenizer, piece) for piece in pieces]
    times = Counter(labels)
    return [
        label if times[label] == 1 else f"{label} ({tokenizer.convert_ids_to_tokens(piece)})"
        for label, piece in zip(labels, pieces, strict=True)
    ]
