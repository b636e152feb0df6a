"""What stands in the place of a piece that is taken away."""

from __future__ import annotations

import torch

from headscope.explainers.asked import Asked
from headscope.models import Model


def blank_of(model: Model) -> int | None:
    """The piece that says nothing: a mask, an unknown word, padding or the end, the first that there is."""
    tokenizer = model.tokenizer
    names = ("mask_token_id", "unk_token_id", "pad_token_id", "eos_token_id")
    known = (getattr(tokenizer, name, None) for name in names)
    return next((int(piece) for piece in known if piece is not None), None)


def blanked(asked: Asked, blank: int) -> torch.Tensor:
    """The pieces (text, piece) with blanks for all that are not special."""
    return torch.where(asked.special, asked.ids, blank)


def later_pieces(asked: Asked, texts: torch.Tensor) -> torch.Tensor:
    """Pieces of some texts (row,) that go on with a word which the net makes of them, bool (row, piece)."""
    ids = asked.ids[texts]
    goes_on: torch.Tensor | None = getattr(asked.model.module.get_input_embeddings(), "goes_on", None)
    return torch.zeros_like(ids, dtype=torch.bool) if goes_on is None else goes_on[ids]


def why_no_blank(model: Model) -> str | None:
    """Why no piece can be blanked out; None where one can."""
    if blank_of(model) is None:
        return "its tokenizer has no piece that says nothing (mask, unknown, padding or end)"
    return None
