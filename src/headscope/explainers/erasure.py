"""Pieces taken away one at a time: what becomes of the answer's log probability (Li et al. 2016)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from headscope.explainers.asked import TARGET, Asked
from headscope.explainers.blank import blank_of, why_no_blank
from headscope.explainers.embedding import inputs_of
from headscope.explainers.explainer import Cost, Explainer
from headscope.text.batches import pad_id

ROWS = 32
"""Changed texts that are run together."""

CERTAIN = 0.05
"""A log probability nearer to 0 than this is too small to divide by."""


@dataclass(frozen=True)
class Changed:
    """Texts without a piece each: inputs, and where an answer at a place (answer,) of its text is given now.

    rows: (row,) the texts, pieces: (row,) what each lacks.
    """

    inputs: dict[str, torch.Tensor]
    rows: torch.Tensor
    pieces: torch.Tensor
    shortened: bool = False


Change = Callable[[Asked, torch.Tensor, torch.Tensor], Changed]


def without(asked: Asked, removable: torch.Tensor, change: Change) -> torch.Tensor:
    """Log probability of each answer without each piece, (answer, piece), NaN where it cannot be removed.

    removable: (answer, piece) bool. A text is changed once for all of its answers.
    """
    rows, pieces = _changes(asked, removable)
    result = torch.full(removable.shape, torch.nan, dtype=torch.float64, device=asked.ids.device)
    with torch.no_grad(), asked.attached() as module:
        for first in range(0, len(rows), ROWS):
            some = slice(first, first + ROWS)
            changed = change(asked, rows[some], pieces[some])
            logits = asked.run(module, changed.inputs)
            # An answer whose place is gone has no row to be read from.
            pairs = (asked.texts[:, None] == changed.rows) & removable[:, changed.pieces]
            answer, row = pairs.nonzero(as_tuple=True)
            found = _at(asked, changed, logits, answer, row)
            result[answer, changed.pieces[row]] = log_likelihood(found, asked.entries[answer])
    return result


def _changes(asked: Asked, removable: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The texts (row,) that are changed and what each lacks (row,), once for all answers to a text."""
    wanted = torch.zeros_like(asked.ids).index_add_(0, asked.texts, removable.long())
    rows, pieces = wanted.nonzero(as_tuple=True)
    return rows, pieces


def _at(
    asked: Asked, changed: Changed, logits: torch.Tensor, answer: torch.Tensor, row: torch.Tensor
) -> torch.Tensor:
    """Logits (pair, entry) of pairs of an answer and a changed text."""
    if logits.ndim == 2:
        return logits[row]
    places = asked.places[answer]
    if changed.shortened:
        gone, own = changed.pieces[row], asked.own[answer]
        # A decoder that lacks the piece it would answer at answers at the one before.
        moved = (gone <= own) if asked.model.shape != "encoder" else (gone < own)
        same_side = (gone >= asked.sizes[0]) == (own >= asked.sizes[0])
        places = places - (moved & same_side).long()
    return logits[row, places.clamp_min(0)]


def log_likelihood(logits: torch.Tensor, entries: torch.Tensor) -> torch.Tensor:
    """Log probability (answer,) of entries under logits (answer, entry)."""
    return logits.double().log_softmax(-1).gather(1, entries[:, None])[:, 0]


def blanked_out(asked: Asked, rows: torch.Tensor, pieces: torch.Tensor) -> Changed:
    """Texts with a blank in the place of a piece."""
    blank = blank_of(asked.model)
    ids = asked.ids[rows].scatter(1, pieces[:, None], 0 if blank is None else blank)
    return Changed(inputs_of(asked, ids, rows), rows, pieces)


def deleted(asked: Asked, rows: torch.Tensor, pieces: torch.Tensor) -> Changed:
    """Texts in which what follows a piece has moved up; the other side of an encoder-decoder stays."""
    inputs = {name: tensor[rows] for name, tensor in asked.inputs.items()}
    sides = [(False, pieces, asked.sizes[0])]
    if len(asked.sizes) > 1:
        sides.append((True, pieces - asked.sizes[0], asked.sizes[1]))
    for is_target, gone, size in sides:
        place = torch.arange(size, device=rows.device)
        inside = (gone >= 0) & (gone < size)
        # The last column becomes padding, so that rows of both kinds fit one array.
        order = (place + ((place >= gone[:, None]) & inside[:, None])).clamp_max(size - 1)
        for name in [name for name in inputs if name.startswith(TARGET) == is_target]:
            inputs[name] = inputs[name].gather(1, order)
        if not is_target:
            hidden = inside[:, None] & (place == size - 1)
            for name, filling in (("attention_mask", 0), ("input_ids", pad_id(asked.model.tokenizer) or 0)):
                inputs[name] = inputs[name].masked_fill(hidden, filling)
    if len(asked.sizes) == 1:
        inputs = {name: tensor[:, :-1] for name, tensor in inputs.items()}
    return Changed(inputs, rows, pieces, shortened=True)


def _removable(asked: Asked, keeping_own: bool) -> torch.Tensor:
    """(answer, piece): what is seen and not special; without an answer's own place, where it must stay.

    A decoder needs one piece to answer at, and so does a model that adds none to a text.
    """
    removable = asked.seen & ~asked.special[asked.texts]
    if keeping_own and asked.model.shape == "encoder":
        places = torch.arange(removable.shape[1], device=removable.device)
        removable = removable & (places != asked.own[:, None])
    alone = asked.seen[:, : asked.sizes[0]].sum(1, keepdim=True) < 2
    return removable & ~alone if keeping_own else removable


def _occlusion(asked: Asked) -> torch.Tensor:
    """By how much the log probability falls with a blank in the place of the piece."""
    return _likelihood(asked) - without(asked, _removable(asked, keeping_own=False), blanked_out)


def _deletion(asked: Asked) -> torch.Tensor:
    """By how much the log probability falls without the piece."""
    return _likelihood(asked) - without(asked, _removable(asked, keeping_own=True), deleted)


def _relative(asked: Asked) -> torch.Tensor:
    """The fall divided by the size of the log probability, unless that is near 0: Li et al. 2016, eq. 2."""
    before = _likelihood(asked)
    size = before.abs()
    return _occlusion(asked) / torch.where(size < CERTAIN, torch.ones_like(size), size)


def _likelihood(asked: Asked) -> torch.Tensor:
    """The log probability of each answer, (answer, 1)."""
    return log_likelihood(asked.answers(asked.hearing.logits), asked.entries)[:, None]


def _cost(asked: Asked, keeping_own: bool) -> Cost:
    """The text as it is, and a changed one for each piece that some answer to it can do without."""
    changed = len(_changes(asked, _removable(asked, keeping_own))[0])
    return Cost(1 / asked.answers_to_a_text + changed / len(asked.texts))


def _blanks(asked: Asked) -> Cost:
    return _cost(asked, keeping_own=False)


def _deletions(asked: Asked) -> Cost:
    return _cost(asked, keeping_own=True)


ERASURE = (
    Explainer(
        "occlusion", "a blank for the piece", "Zeiler and Fergus 2014", "runs", _blanks, _occlusion,
        why_no_blank, signed=True,
    ),
    Explainer(
        "deletion", "the text without the piece", "Li et al. 2016", "runs", _deletions, _deletion, signed=True
    ),
    Explainer(
        "erasure", "relative fall of the log likelihood", "Li et al. 2016", "runs", _blanks, _relative,
        why_no_blank, signed=True,
    ),
)  # fmt: skip
