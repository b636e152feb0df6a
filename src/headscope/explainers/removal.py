"""Pieces taken away from texts, any set of them at once: what the model answers then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from headscope.errors import ModelError, OptionError, choose_from
from headscope.explainers.asked import TARGET, Asked
from headscope.explainers.blank import blank_of, later_pieces, why_no_blank
from headscope.explainers.embedding import inputs_of, mean_vectors, reading, vectors_of
from headscope.models import Model
from headscope.text.batches import pad_id

REMOVALS = ("mask", "deletion", "mean")
"""A blank in the place of a piece, the text without it, or the mean of all pieces' vectors in its place."""

PIECES = 2048
"""Pieces of changed texts that are run together."""


def why_not(model: Model, how: str) -> str | None:
    """Why nothing can be removed in a way; None where it can."""
    if how not in REMOVALS:
        raise OptionError(choose_from("way to remove words", how, REMOVALS))
    return why_no_blank(model) if how == "mask" else None


@dataclass(frozen=True, eq=False)
class Judged:
    """likelihood: (answer, set) float64, the log probability of each answer without each set of pieces.

    decision: (answer, set) what is answered then. NaN and -1 where that was not wanted.
    """

    likelihood: torch.Tensor
    decision: torch.Tensor


@dataclass(frozen=True, eq=False)
class Changed:
    """Texts that lack pieces, each once for all answers that it serves.

    texts: (row,). gone: (row, piece) bool. emptied: (row,) bool, where nothing would be left to answer from,
    so that a blank is. rows: (answer, set) the changed text for each, -1 where none is wanted.
    """

    texts: torch.Tensor
    gone: torch.Tensor
    emptied: torch.Tensor
    rows: torch.Tensor


def without_sets(asked: Asked, gone: torch.Tensor, how: str) -> torch.Tensor:
    """Log probabilities of all that could be answered, float64 (answer, set, entry).

    gone: bool (answer, set, piece). The place itself of a mask or a tag is never taken away.
    """
    parts: torch.Tensor | None = None
    for answer, number, logits in answered(asked, spared(asked, gone), how):
        if parts is None:
            shape = (*gone.shape[:2], logits.shape[-1])
            parts = torch.full(shape, torch.nan, dtype=torch.float64, device=gone.device)
        parts[answer, number] = logits.double().log_softmax(-1)
    return torch.empty(*gone.shape[:2], 0, dtype=torch.float64) if parts is None else parts


def judged_without(asked: Asked, gone: torch.Tensor, how: str, wanted: torch.Tensor | None = None) -> Judged:
    """The same for the answers alone, which needs no room for what else could be answered.

    wanted: bool (answer, set), all by default.
    """
    likelihood = torch.full(gone.shape[:2], torch.nan, dtype=torch.float64, device=gone.device)
    decision = torch.full(gone.shape[:2], -1, device=gone.device)
    for answer, number, logits in answered(asked, spared(asked, gone), how, wanted):
        likelihood[answer, number] = log_likelihood(logits, asked.entries[answer])
        decision[answer, number] = logits.argmax(-1)
    return Judged(likelihood, decision)


def log_likelihood(logits: torch.Tensor, entries: torch.Tensor) -> torch.Tensor:
    """Log probability (answer,) of entries under logits (answer, entry)."""
    return logits.double().log_softmax(-1).gather(1, entries[:, None])[:, 0]


def spared(asked: Asked, gone: torch.Tensor) -> torch.Tensor:
    """Sets without what an answer does not see, and without its own place where it must stay."""
    gone = gone & asked.seen[:, None]
    if asked.model.shape != "encoder":
        return gone
    places = torch.arange(gone.shape[2], device=gone.device)
    return gone & (places != asked.own[:, None])[:, None]


def changed_texts(asked: Asked, gone: torch.Tensor, how: str, wanted: torch.Tensor | None = None) -> Changed:
    """The texts that have to be run for sets of pieces, bool (answer, set, piece)."""
    emptied = torch.zeros(gone.shape[:2], dtype=torch.bool, device=gone.device)
    if how == "deletion":
        source = asked.seen[:, : asked.sizes[0]]
        emptied = ~(source[:, None] & ~gone[..., : asked.sizes[0]]).any(2)
        first = torch.nn.functional.one_hot(source.long().argmax(1), gone.shape[2]).bool()
        gone = gone & ~(emptied[..., None] & first[:, None])
    chosen = torch.ones_like(emptied) if wanted is None else wanted
    answer, number = chosen.nonzero(as_tuple=True)
    told = [asked.texts[answer, None], emptied[answer, number][:, None], gone[answer, number]]
    kinds, inverse = torch.unique(torch.cat([each.int() for each in told], 1), dim=0, return_inverse=True)
    rows = torch.full(gone.shape[:2], -1, device=gone.device)
    rows[answer, number] = inverse
    return Changed(kinds[:, 0].long(), kinds[:, 2:].bool(), kinds[:, 1].bool(), rows)


def answered(
    asked: Asked, gone: torch.Tensor, how: str, wanted: torch.Tensor | None = None
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """In portions answers (pair,), numbers of sets (pair,), and what could be answered, logits (pair, entry).

    A text is run once for all answers that lack the same pieces of it.
    """
    reason = why_not(asked.model, how)
    if reason is not None:
        raise ModelError(f"no word of {asked.model.name} can be taken away: {reason}")
    changed = changed_texts(asked, gone, how, wanted)
    change = {"mask": _blanked, "deletion": _deleted, "mean": _averaged}[how]
    with torch.no_grad(), asked.attached() as module:
        for some in _portions(asked, changed, how):
            place = torch.full_like(changed.texts, -1)
            place[some] = torch.arange(len(some), device=some.device)
            answer, number = ((changed.rows >= 0) & (place[changed.rows.clamp_min(0)] >= 0)).nonzero(
                as_tuple=True
            )
            logits = change(asked, module, changed, some)
            row = place[changed.rows[answer, number]]
            yield answer, number, _at(asked, changed.gone[some][row], logits, answer, row, how)


def _portions(asked: Asked, changed: Changed, how: str) -> Iterator[torch.Tensor]:
    """Numbers of changed texts that are run together, (row,), those of like length."""
    real = torch.from_numpy(asked.sides.source.real).to(changed.texts.device)[changed.texts]
    if how == "deletion":
        real = real & ~changed.gone[:, : asked.sizes[0]]
    else:
        real = real & (torch.arange(real.shape[1], device=real.device) < asked.reach[changed.texts][:, None])
    ordered, order = real.sum(1).sort(stable=True)
    lengths, several = ordered.tolist(), len(asked.sizes) > 1
    first = 0
    for last, length in enumerate(lengths):
        wide = sum(asked.sizes) if several else length
        is_full = (last + 1 - first) * wide > PIECES
        is_other = asked.model.sees_padding and length > lengths[first]
        if last > first and (is_full or is_other):
            yield order[first:last]
            first = last
    if lengths:
        yield order[first:]


def _at(
    asked: Asked,
    gone: torch.Tensor,
    logits: torch.Tensor,
    answer: torch.Tensor,
    row: torch.Tensor,
    how: str,
) -> torch.Tensor:
    """Logits (pair, entry) of pairs of an answer and a changed text, which lacks `gone` (pair, piece)."""
    if logits.ndim == 2:
        return logits[row]
    places = asked.places[answer]
    if how == "deletion":
        numbers, own = torch.arange(gone.shape[1], device=gone.device), asked.own[answer][:, None]
        # A decoder that lacks the piece it would answer at answers at the one before.
        before = (numbers <= own) if asked.model.shape != "encoder" else (numbers < own)
        same_side = (numbers >= asked.sizes[0]) == (own >= asked.sizes[0])
        places = places - (gone & before & same_side).sum(1)
    return logits[row, places.clamp_min(0)]


def _blanked(asked: Asked, module: Any, changed: Changed, some: torch.Tensor) -> torch.Tensor:
    """Texts with a blank in the place of each piece.

    Where a net itself makes words of pieces, a word is one blank: its later pieces are not read, so that no
    other word moves.
    """
    blank, texts, gone = blank_of(asked.model), changed.texts[some], changed.gone[some]
    ids, unread = asked.ids[texts], later_pieces(asked, texts) & gone
    blanks = ids.masked_fill(gone & ~unread, 0 if blank is None else blank)
    inputs = inputs_of(asked, blanks, texts)
    if bool(unread.any()):
        inputs["attention_mask"] = inputs["attention_mask"].masked_fill(unread, 0)
    return asked.run(module, _without_padding(asked, inputs, texts))


def _averaged(asked: Asked, module: Any, changed: Changed, some: torch.Tensor) -> torch.Tensor:
    """Texts with the mean vector in the place of each piece's own."""
    texts = changed.texts[some]
    ids, means = asked.ids[texts], mean_vectors(asked)
    gone = torch.split(changed.gone[some], asked.sizes, dim=1)
    inputs = _without_padding(asked, inputs_of(asked, ids, texts), texts)
    width = inputs["input_ids"].shape[1] if len(asked.sizes) == 1 else None
    vectors = [
        torch.where(lost[..., None], mean, own)[:, :width]
        for lost, mean, own in zip(gone, means, vectors_of(asked, ids), strict=True)
    ]
    with reading(asked.model, vectors):
        return asked.run(module, inputs)


def _without_padding(
    asked: Asked, inputs: dict[str, torch.Tensor], texts: torch.Tensor
) -> dict[str, torch.Tensor]:
    """Inputs as wide as their texts have to be read; those of two sides stay, as they may be compared."""
    if len(asked.sizes) > 1:
        return inputs
    longest = int(asked.reach[texts].max())
    return {name: tensor[:, :longest] for name, tensor in inputs.items()}


def _deleted(asked: Asked, module: Any, changed: Changed, some: torch.Tensor) -> torch.Tensor:
    """Texts in which what follows a piece has moved up."""
    texts = changed.texts[some]
    inputs = {name: tensor[texts] for name, tensor in asked.inputs.items()}
    longest = 0
    for number, (side, gone) in enumerate(
        zip(asked.by_sides, torch.split(changed.gone[some], asked.sizes, dim=1), strict=True)
    ):
        kept = torch.from_numpy(side.real).to(texts.device)[texts] & ~gone
        order = (~kept).long().argsort(dim=1, stable=True)
        for name in [name for name in inputs if name.startswith(TARGET) == bool(number)]:
            inputs[name] = inputs[name].gather(1, order)
        if number == 0:
            lengths = kept.sum(1, keepdim=True)
            hidden, longest = torch.arange(kept.shape[1], device=texts.device) >= lengths, int(lengths.max())
            for name, filling in (("attention_mask", 0), ("input_ids", pad_id(asked.model.tokenizer) or 0)):
                inputs[name] = inputs[name].masked_fill(hidden, filling)
    blank = blank_of(asked.model)
    inputs["input_ids"][changed.emptied[some], 0] = 0 if blank is None else blank
    if len(asked.sizes) == 1:
        inputs = {name: tensor[:, :longest] for name, tensor in inputs.items()}
    return asked.run(module, inputs)
