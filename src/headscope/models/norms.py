"""What a norm does to the vectors that it reads: all of it is linear but for what it divides by."""

from __future__ import annotations

from typing import Any

import torch


def _is_centring(norm: Any) -> bool:
    """Whether a norm takes the mean away: what it makes of equal numbers is nothing but its bias."""
    return bool(_of_equals(norm).abs().max() < 1e-3)


def _of_equals(norm: Any) -> torch.Tensor:
    """What a norm makes of ones, less its bias, (width,)."""
    with torch.no_grad():
        even = torch.ones(1, norm.weight.shape[0], dtype=norm.weight.dtype, device=norm.weight.device)
        bias = getattr(norm, "bias", None)
        made: torch.Tensor = (norm(even) - (0 if bias is None else bias))[0]
        return made


def _epsilon(norm: Any) -> float:
    names = ("eps", "variance_epsilon")
    return float(next((getattr(norm, name) for name in names if hasattr(norm, name)), 0.0))


def scaled(norm: Any, vectors: torch.Tensor) -> torch.Tensor:
    """Vectors centred, where the norm does that, and times its gain, which may be told as its weight or as
    what that lies above 1 (Gemma)."""
    if _is_centring(norm):
        gain: torch.Tensor = norm.weight.detach()
        return (vectors - vectors.mean(-1, keepdim=True)) * gain
    root: float = (1 + _epsilon(norm)) ** 0.5
    return vectors * _of_equals(norm) * root


def spread(norm: Any, total: torch.Tensor) -> torch.Tensor:
    """What a norm divides each vector by, (text, query, 1)."""
    centred = total - total.mean(-1, keepdim=True) if _is_centring(norm) else total
    return (centred.pow(2).mean(-1, keepdim=True) + _epsilon(norm)).sqrt()
