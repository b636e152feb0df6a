"""What a model is given when a text is looked at: windows of it, made ready to run."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch

from headscope.errors import InputError, OptionError
from headscope.models import Model, sides_of
from headscope.questions.maps.axes import read_axis, written_axis
from headscope.results.look import Axis
from headscope.tasks.generation import continued
from headscope.tasks.purposes import why_not_generated
from headscope.text import Document, Segment, Skipped, Spans, Texts, split_words
from headscope.text.segments import encode_target


@dataclass(frozen=True)
class Window:
    """One window ready to run.

    read and written: the tokens that the model reads, and those that its decoder reads. wanted: ids (piece,)
    that a decoder's last answers are held to, None where there are none. generated: whether the model wrote
    those itself.
    """

    segment: Segment
    inputs: dict[str, torch.Tensor]
    read: Axis
    written: Axis
    wanted: np.ndarray | None = None
    generated: bool = False


def check_wishes(model: Model, target: str | None, generate: int) -> None:
    """Refuse a target or a continuation where the model has no use for it."""
    if generate < 0:
        raise OptionError(f"{generate} pieces cannot be generated; ask for 0 or more")
    if target is not None and (generate or model.shape != "encoder-decoder"):
        why = "the model writes its own" if generate else f"{model.name} is no encoder-decoder"
        raise OptionError(f"no target can be given: {why}")
    if generate and (reason := why_not_generated(model)) is not None:
        raise OptionError(reason)
    if model.longest is not None and generate >= model.longest:
        raise OptionError(f"{generate} pieces cannot be generated: the model takes {model.longest} in all")


def windows_of(model: Model, text: str, second: str | None, limit: int) -> list[Segment | Skipped]:
    """The windows of a text of at most so many pieces each, or of a pair the one that fits."""
    document = Document.from_text("text", text)
    if not document.words:
        raise InputError("the text is empty")
    if second is None:
        windows = list(Spans(pair=False)(document, model.tokenizer, limit))
    else:
        if not split_words(second):
            raise InputError("the second text is empty")
        windows = list(Texts(pair=True)(replace(document, second=second), model.tokenizer, limit))
    if not windows:
        raise InputError("the text is empty: the tokenizer has no piece for any of its words")
    return windows


def target_pieces(model: Model, target: str, limit: int) -> np.ndarray:
    """The pieces of a target text, one more than the limit where it is longer."""
    document = Document.from_text("target", "", target)
    pieces = encode_target(document, model.tokenizer, limit + 1)
    if pieces is None or not split_words(target):
        raise InputError("the target text is empty")
    return pieces


def prepare(model: Model, segment: Segment, target: str | None, generate: int) -> Window:
    """Make a window ready; with `generate`, let the model continue it first, with all its heads."""
    batch = next(model.batches([segment], 1))
    sides = sides_of(model, batch)
    inputs, wanted, written = sides.inputs, None, segment.pieces
    if generate:
        made = continued(model, inputs, generate)
        # The last piece was never read, so it is wanted, but no query.
        inputs, every = _longer(model, inputs, made[:, :-1]), made[0].cpu().numpy()
        written, wanted = every[:-1], every[start_of_written(model, segment) :]
    elif sides.target is not None and sides.labels is not None:
        written, wanted = sides.target.ids[0], sides.labels[0].cpu().numpy()
    read = read_axis(model, segment)
    axis = read if model.shape == "encoder" else written_axis(model, segment, target, written)
    return Window(
        segment,
        inputs,
        read,
        axis.beginning_written(start_of_written(model, segment)) if generate else axis,
        wanted,
        generated=generate > 0,
    )


def start_of_written(model: Model, segment: Segment) -> int:
    """Where what a model writes begins: behind the text, or behind the piece that starts a decoder."""
    return 1 if model.shape == "encoder-decoder" else len(segment)


def _longer(model: Model, inputs: dict[str, torch.Tensor], written: torch.Tensor) -> dict[str, torch.Tensor]:
    """Inputs for one pass over what was written, ids (1, piece)."""
    if model.shape == "encoder-decoder":
        return {**inputs, "decoder_input_ids": written}
    more = written.shape[1] - inputs["input_ids"].shape[1]
    # Types and mask go on as they end.
    grown = {name: torch.cat([value, value[:, -1:].expand(-1, more)], 1) for name, value in inputs.items()}
    return {**grown, "input_ids": written}
