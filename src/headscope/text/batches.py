"""Batches: segments of like length, padded on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from headscope.errors import OptionError
from headscope.text.encoding import Tokenizer
from headscope.text.segments import Segment

if TYPE_CHECKING:
    import torch  # reading a text must not wait for it

_WINDOW = 8  # batches sorted by length together: enough to save padding, few enough to keep in memory
_IGNORED = -100  # the label that losses skip

Progress = Callable[[int, int], None]
"""Told of every batch: how many segments and words it held."""


@dataclass
class Batch:
    """Segments as a model takes them; every tensor of ``inputs`` is (batch, piece), lengths is (batch,)."""

    segments: list[Segment]
    inputs: dict[str, torch.Tensor]
    lengths: torch.Tensor


def batches(
    segments: Iterable[Segment],
    tokenizer: Tokenizer,
    batch_size: int,
    device: str | torch.device = "cpu",
    *,
    equal: bool = False,
) -> Iterator[Batch]:
    """Group segments of like length; each comes back once, and order changes only within windows of batches.

    equal: a batch holds segments of one length alone (and targets of one length), so that nothing is padded.

    The inputs are input_ids, attention_mask, token_type_ids where the tokenizer knows them, and labels
    where a segment has a target. Padding is always on the right, whatever side the tokenizer prefers.
    """
    if batch_size < 1:
        raise OptionError(f"a batch of {batch_size} segments is empty; give 1 or more")
    waiting = iter(segments)
    while window := list(islice(waiting, _WINDOW * batch_size)):
        groups = _of_one_length(window) if equal else [sorted(window, key=len)]
        for group in groups:
            for first in range(0, len(group), batch_size):
                yield _collate(group[first : first + batch_size], tokenizer, device)


def _of_one_length(segments: list[Segment]) -> list[list[Segment]]:
    """Segments whose pieces, and whose targets, are equally many, together; the shortest first."""
    groups: dict[tuple[int, int], list[Segment]] = {}
    for segment in segments:
        target = 0 if segment.target is None else len(segment.target)
        groups.setdefault((len(segment), target), []).append(segment)
    return [groups[lengths] for lengths in sorted(groups)]


def _collate(segments: list[Segment], tokenizer: Tokenizer, device: str | torch.device) -> Batch:
    import torch

    pieces = [segment.pieces for segment in segments]
    inputs = {
        "input_ids": _pad(pieces, pad_id(tokenizer) or 0),
        "attention_mask": _pad([np.ones_like(ids) for ids in pieces], 0),
    }
    if "token_type_ids" in tokenizer.model_input_names:
        types = [np.zeros_like(s.pieces) if s.types is None else s.types for s in segments]
        inputs["token_type_ids"] = _pad(types, 0)
    if any(segment.target is not None for segment in segments):
        nothing = np.empty(0, dtype=np.int64)
        targets = [nothing if segment.target is None else segment.target for segment in segments]
        inputs["labels"] = _pad(targets, _IGNORED)
    lengths = torch.tensor([len(segment) for segment in segments])
    return Batch(segments, {name: t.to(device) for name, t in inputs.items()}, lengths.to(device))


def _pad(rows: Sequence[np.ndarray], value: int) -> torch.Tensor:
    """Stack rows of different length, (batch, piece)."""
    import torch

    lengths = np.array([len(row) for row in rows])
    padded = np.full((len(rows), lengths.max()), value, dtype=np.int64)
    padded[np.arange(lengths.max()) < lengths[:, None]] = np.concatenate(rows)
    return torch.from_numpy(padded)


def pad_id(tokenizer: Tokenizer) -> int | None:
    """The piece that fills up short rows: the padding token, else the end token; None without either."""
    known = (tokenizer.pad_token_id, tokenizer.eos_token_id)
    return next((int(id) for id in known if id is not None), None)
