"""A short name for a model's weights, to tell whether two runs used the same."""

from __future__ import annotations

from hashlib import sha256

import torch


def fingerprint(module: torch.nn.Module) -> str:
    """Hash of every parameter's name, type, shape and bytes; the same on every number of threads."""
    digest = sha256()
    for name, parameter in module.state_dict().items():
        digest.update(f"{name}{parameter.dtype}{tuple(parameter.shape)}".encode())
        digest.update(parameter.detach().cpu().reshape(-1).view(torch.uint8).numpy())
    return digest.hexdigest()[:32]
