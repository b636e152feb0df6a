"""Short names for what decides a model's output, to tell whether two runs used the same."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

import torch

from headscope.text.sentences import told_sentences

_PLACE = {"_name_or_path", "transformers_version", "_attn_implementation", "_attn_implementation_internal"}
"""What a configuration tells beside how to compute; attention is computed by our own function."""


class Fingerprints(NamedTuple):
    """Of the weights, the configuration and the tokenizer of a model."""

    weights: str
    settings: str
    tokenizer: str

    @classmethod
    def of(cls, module: Any, tokenizer: Any) -> Fingerprints:
        return cls(fingerprint(module), settings_fingerprint(module), tokenizer_fingerprint(tokenizer))


def fingerprint(module: torch.nn.Module) -> str:
    """Hash of every parameter's name, type, shape and bytes; the same on every number of threads."""
    digest = sha256()
    for name, parameter in module.state_dict().items():
        digest.update(f"{name}{parameter.dtype}{tuple(parameter.shape)}".encode())
        digest.update(parameter.detach().cpu().reshape(-1).view(torch.uint8).numpy())
    return digest.hexdigest()[:32]


def settings_fingerprint(module: Any) -> str:
    """Hash of the configuration, such as its activation and head counts."""
    return _short(_without_place(module.config.to_dict()) if hasattr(module, "config") else {})


def tokenizer_fingerprint(tokenizer: Any) -> str:
    """Hash of how text becomes pieces."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    pieces = tokenizer.get_vocab() if backend is None else _lasting(backend.to_str())
    told = told_sentences(tokenizer)  # most models are told none
    return _short([type(tokenizer).__name__, pieces, tokenizer.special_tokens_map, *([told] if told else [])])


def _lasting(written: str) -> str:
    """A tokenizer, as it is written, without how its last call cut and padded.

    >>> _lasting('{"version":"1.0","truncation":{"max_length":4},"padding":null,"model":{}}')
    '{"version":"1.0",,,"model":{}}'
    """
    for name in ("truncation", "padding"):  # they stand first, before all that users can name
        start = written.index(f'"{name}":')
        end = json.JSONDecoder().raw_decode(written, start + len(name) + 3)[1]
        written = written[:start] + written[end:]
    return written


def _without_place(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_place(inner) for key, inner in value.items() if key not in _PLACE}
    return value


def _short(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:32]
