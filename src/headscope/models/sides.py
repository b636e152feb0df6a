"""What a batch looks like to each stack: the inputs, and the lengths and kinds of queries and keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from headscope.errors import InputError
from headscope.heads import Stack
from headscope.measures.surface import Lengths
from headscope.models.model import Model
from headscope.text import Batch, Document, Segment


@dataclass(frozen=True)
class Side:
    """Source or target of a batch: ids (batch, piece), lengths (batch,), kinds (batch, piece)."""

    ids: np.ndarray
    lengths: np.ndarray
    kinds: np.ndarray

    @property
    def real(self) -> np.ndarray:
        """Which pieces are no padding, (batch, piece) bool."""
        return np.arange(self.ids.shape[1]) < self.lengths[:, None]


@dataclass(frozen=True)
class Sides:
    """A batch ready to run: the module's inputs and, for sequence-to-sequence models, the labels."""

    inputs: dict[str, torch.Tensor]
    labels: torch.Tensor | None
    source: Side
    target: Side | None
    kinds: int
    segments: Sequence[Segment] = ()
    texts: Side | None = None
    sentences: Side | None = None

    def of(self, stack: Stack) -> tuple[Side, Side]:
        """The queries and the keys of a stack; what looks in a pool are texts or sentences, without ids."""
        if stack == "pool":
            looking = self.sentences or self.texts
            assert looking is not None
            return looking, self.source
        if stack == "document":
            assert self.texts is not None and self.sentences is not None
            return self.texts, self.sentences
        if stack in ("sees_earlier", "sees_later"):
            return self.source, self.source
        target = self.target or self.source
        return (
            self.source if stack == "encoder" else target,
            target if stack == "decoder" else self.source,
        )

    def documents(self) -> list[Document]:
        """The document of each example; the task's cutter has put it into the segment."""
        documents = [segment.part for segment in self.segments if segment.part is not None]
        assert len(documents) == len(self.segments), "segments that were not cut by the task's cutter"
        return documents

    def lengths(self, stack: Stack) -> Lengths:
        """Lengths and kinds of queries and keys as a stack has them."""
        query, key = self.of(stack)
        return Lengths(query.lengths, key.lengths, query.kinds, key.kinds, self.kinds)


def sides_of(model: Model, batch: Batch) -> Sides:
    """Prepare a batch for a model.

    The decoder of an encoder-decoder reads the target text, or, where the data has none, the source
    text again, each shifted right by the start token, as in training.
    """
    inputs = {name: tensor for name, tensor in batch.inputs.items() if name != "labels"}
    source = _side(model, inputs["input_ids"], batch.lengths)
    labels, target = None, None
    if model.shape == "encoder-decoder":
        labels = batch.inputs.get("labels")
        if labels is not None:
            _refuse_without_target(batch.segments)
        else:
            labels = inputs["input_ids"].masked_fill(inputs["attention_mask"] == 0, -100)
        decoder_ids = shifted_right(labels, model.module.config)
        inputs["decoder_input_ids"] = decoder_ids
        target = _side(model, decoder_ids, (labels != -100).sum(1))
    texts = _texts(model, inputs) if "pool" in model.stacks() else None
    sentences = _sentences(inputs) if "document" in model.stacks() else None
    return Sides(inputs, labels, source, target, len(model.kinds.names), batch.segments, texts, sentences)


def check_targets(model: Model, documents: Iterable[Document]) -> None:
    """Refuse that some documents have a target and some have none, whichever of them share a batch.

    An encoder-decoder would read the source again as the target of these.
    """
    if model.shape != "encoder-decoder":
        return
    without, some = None, False
    for document in documents:
        some = some or document.target is not None
        without = document.id if without is None and document.target is None else without
        if some and without is not None:
            raise _without_target(without)


def _refuse_without_target(segments: Sequence[Segment]) -> None:
    for segment in segments:
        if segment.target is None:
            raise _without_target(segment.document)


def _without_target(document: str) -> InputError:
    return InputError(f"document '{document}' has no target, and others have one")


def _texts(model: Model, inputs: dict[str, torch.Tensor]) -> Side:
    """The queries of a pool: one for each text that the model reads, real where it has a piece."""
    shape = len(inputs["input_ids"]), model.module.config.texts
    lengths = _parts(inputs).clip(max=shape[1])
    return Side(np.full(shape, -1), lengths, np.zeros(shape, np.int64))


def _sentences(inputs: dict[str, torch.Tensor]) -> Side:
    """The sentences of each text, where types of pieces number them."""
    lengths = _parts(inputs)
    shape = len(lengths), int(lengths.max())
    return Side(np.full(shape, -1), lengths, np.zeros(shape, np.int64))


def _parts(inputs: dict[str, torch.Tensor]) -> np.ndarray:
    """(text,) how many parts the types of its pieces tell apart."""
    types = inputs.get("token_type_ids", torch.zeros_like(inputs["input_ids"]))
    parts: np.ndarray = (1 + types.amax(1)).cpu().numpy()
    return parts


def shifted_right(labels: torch.Tensor, config: Any) -> torch.Tensor:
    """Labels (batch, piece) moved one to the right behind the start token; -100 becomes padding."""
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    padding = getattr(text, "pad_token_id", None) or 0
    start = getattr(config, "decoder_start_token_id", None)
    if start is None:
        start = getattr(text, "bos_token_id", None)
    first = torch.full_like(labels[:, :1], padding if start is None else start)
    return torch.cat([first, labels[:, :-1].masked_fill(labels[:, :-1] == -100, padding)], dim=1)


def _side(model: Model, ids: torch.Tensor, lengths: torch.Tensor) -> Side:
    array = ids.cpu().numpy()
    return Side(array, lengths.cpu().numpy(), model.kinds.kinds(array))
