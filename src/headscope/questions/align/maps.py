"""Cross-attention between words: maps of a batch in every way they are read.

Attention to a split word is summed over its pieces, attention from it averaged (Clark et al. 2019, 4.1).
The decoder's step t reads piece t - 1 of the target and writes piece t. Read at the output token, a target
word has the steps that write its pieces; at the input token, those that read them (Kobayashi et al. 2020,
section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from headscope.attention import Heard
from headscope.explainers.norms import head_norms_at, layer_norms_at
from headscope.measures.norms import rows_of_shares
from headscope.models import Model
from headscope.questions.align.readings import INPUT, NORMS, OUTPUT
from headscope.text import Segment


@dataclass(frozen=True, eq=False)
class Pairing:
    """Which steps and which pieces make up the words of a batch.

    rows: by token, (batch, 1, target word, step), shares of 1 for each word. columns: (batch, 1, piece,
    source word). unread: target words that no step reads in.
    """

    rows: dict[str, torch.Tensor]
    columns: torch.Tensor
    unread: int

    @classmethod
    def of(cls, segments: Sequence[Segment], device: torch.device) -> Pairing:
        """Take the words of a batch."""
        source = _padded([segment.word for segment in segments])
        target = _padded([_target_word(segment) for segment in segments])
        words, targets = (
            max(len(getattr(segment, name)) for segment in segments) for name in ("words", "target_words")
        )
        # The step that reads a piece in comes after the one that writes it.
        read = np.concatenate([np.full((len(segments), 1), -1), target[:, :-1]], axis=1)
        steps = {OUTPUT: _one_hot(target, targets), INPUT: _one_hot(read, targets)}
        rows = {token: own / own.sum(1, keepdims=True).clip(1) for token, own in steps.items()}
        unread = int((steps[OUTPUT].any(1) & ~steps[INPUT].any(1)).sum())
        given = {token: _tensor(own.transpose(0, 2, 1), device) for token, own in rows.items()}
        return cls(given, _tensor(_one_hot(source, words), device), unread)

    def words(self, maps: torch.Tensor, token: str) -> torch.Tensor:
        """Maps between words (batch, item, target word, source word) of maps (batch, item, step, piece)."""
        between: torch.Tensor = self.rows[token] @ maps.float() @ self.columns
        return between


def maps_of(model: Model, heard: Heard, heads: Sequence[int], measure: str) -> torch.Tensor:
    """Maps (batch, item, step, piece) of some heads of a layer, and last of the layer itself.

    Of weights, the layer's is the mean of its heads; of norms, that of the sum of all vectors, both as shares
    of each row.
    """
    if measure != NORMS:
        return torch.cat([heard.weights[:, heads], heard.weights.mean(1, keepdim=True)], 1)
    assert heard.value is not None
    own = head_norms_at(model, heard.site, heard.weights, heard.value)[:, heads]
    layer = layer_norms_at(model, heard.site, heard.weights, heard.value)
    return rows_of_shares(torch.cat([own, layer[:, None]], 1))


def reference(segments: Sequence[Segment], number: int) -> tuple[np.ndarray, np.ndarray]:
    """Possible and sure links of a batch by one reference, (batch, target word, source word) bool each."""
    shape = [max(len(getattr(each, name)) for each in segments) for name in ("target_words", "words")]
    possible, sure = np.zeros((2, len(segments), *shape), bool)
    for row, segment in enumerate(segments):
        assert segment.part is not None
        links = segment.part.links[number]
        possible[row, links.target, links.source] = True
        sure[row, links.target[links.sure], links.source[links.sure]] = True
    return possible, sure


def _target_word(segment: Segment) -> np.ndarray:
    assert segment.target_word is not None, "pairs are cut by `Paired`"
    return segment.target_word


def _padded(rows: Sequence[np.ndarray]) -> np.ndarray:
    """(batch, piece), -1 for special pieces and padding."""
    padded = np.full((len(rows), max(map(len, rows))), -1)
    for row, own in zip(padded, rows, strict=True):
        row[: len(own)] = own
    return padded


def _one_hot(words: np.ndarray, count: int) -> np.ndarray:
    """(batch, piece, word) bool."""
    hot: np.ndarray = words[..., None] == np.arange(count)
    return hot


def _tensor(array: np.ndarray, device: torch.device) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array, np.float32)).to(device)[:, None]
