"""What the attention nearest to an answer looks at: pieces of a text, or its sentences."""

from __future__ import annotations

import torch

from headscope.attention import Site
from headscope.explainers.asked import Asked


def keys_of(asked: Asked, site: Site) -> slice:
    """Where the keys of a site stand among all pieces, where they are pieces."""
    source = asked.sizes[0]
    return slice(source, None) if len(asked.sizes) > 1 and site.stack == "decoder" else slice(0, source)


def keys_seen(asked: Asked, site: Site) -> torch.Tensor:
    """(answer, key) bool: no padding, and nothing behind the place where a decoder answers.

    A sentence is seen if one of its pieces is.
    """
    if site.keys != "sentence":
        return asked.seen[:, keys_of(asked, site)]
    return _sentences_with(asked, asked.seen[:, None])[:, 0]


def keys_gone(asked: Asked, site: Site, pieces: torch.Tensor) -> torch.Tensor:
    """Sets of pieces, bool (answer, set, piece), as sets of keys (answer, set, key); a sentence is gone where
    none of its pieces is left."""
    if site.keys != "sentence":
        return pieces[..., keys_of(asked, site)]
    return ~_sentences_with(asked, asked.seen[:, None] & ~pieces)


def _sentences_with(asked: Asked, pieces: torch.Tensor) -> torch.Tensor:
    """Which sentences have any of some pieces, bool (answer, set, piece): (answer, set, sentence)."""
    assert asked.sides.sentences is not None
    numbers = torch.arange(asked.sides.sentences.ids.shape[1], device=pieces.device)
    belongs = asked.inputs["token_type_ids"][asked.texts][..., None] == numbers  # (answer, piece, sentence)
    return torch.bmm(pieces.float(), belongs.float()) > 0
