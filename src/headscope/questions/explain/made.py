"""One token of a typed text, or of what a model writes behind it: which heads made it, for pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from headscope.errors import ModelError, OptionError
from headscope.heads import Named
from headscope.models import Model
from headscope.questions.explain.declared import TABLES
from headscope.questions.explain.heads import made_in, parts_table
from headscope.questions.explain.opening import why_not_made
from headscope.questions.maps.offers import Window, cut_window, prepare
from headscope.results.look import LogitPart, MadeToken
from headscope.tasks.choice import kind_for
from headscope.text import piece_label

PARTS = ("heads", "attention_biases", "rest", "embedding", "bias")
WRITTEN = (
    "what is written, the model writes with all its heads; the numbers are those of the model without the "
    "heads that are off"
)


def made_token(
    model: Model,
    text: str,
    *,
    place: int | None = None,
    removal: bool = True,
    off: Sequence[Named] = (),
    **reading: Any,
) -> MadeToken:
    """Which heads made one token of a text, as `headscope.explain` tells with `heads`.

    place: which piece, from 1, for nothing stands before the first; by default the last. The pieces are those
    that `headscope.look` has, with all that the model writes; one that is not to continue writes one piece.
    removal: whether to run the model without each head, which takes a pass for each. off: heads that the
    model is run without in any case. reading: second, target, generate and window, as `headscope.look` takes
    them.
    """
    if reason := why_not_made(model, kind_for(model, None)):
        raise ModelError(reason)
    ready = _ready(model, text, **reading)
    written = ready.wanted if ready.generated and ready.wanted is not None else np.empty(0, int)
    pieces = np.concatenate([ready.segment.pieces, written])
    place = len(pieces) - 1 if place is None else place
    if not 1 <= place < len(pieces):
        raise OptionError(f"no piece {place}: heads make pieces 1 to {len(pieces) - 1} of this text")
    # No head looks ahead, so what stands behind the token does not matter.
    inputs = {name: values[:, :place] for name, values in ready.inputs.items()}
    entry = torch.as_tensor(pieces[place : place + 1])
    made = made_in(model, text, inputs, torch.tensor([place - 1]), entry, off, removal)
    sums = parts_table([made]).iloc[0]
    says = TABLES["logits"].columns
    return MadeToken(
        [piece_label(model.tokenizer, int(piece)) for piece in pieces],
        len(written),
        place,
        float(sums["logit"]),
        float(sums["loss"]),
        [LogitPart(says[name].says, float(sums[name])) for name in PARTS if sums[name]],
        list(model.heads()),
        made.parts["heads"][0],
        made.parts["removed"][0],
        [WRITTEN] if off else [],
    )


def _ready(
    model: Model,
    text: str,
    second: str | None = None,
    target: str | None = None,
    generate: int = 0,
    window: int = 0,
) -> Window:
    """What is looked at, with at least one piece behind it that the model writes, if there is room."""
    segment, _, _ = cut_window(model, text, second=second, target=target, generate=generate, window=window)
    room = model.longest is None or len(segment) < model.longest
    return prepare(model, segment, target, generate or int(room))
