"""What a module must be to be put on the core: it reads text, its weights are numbers, its pieces fit."""

from __future__ import annotations

import re
from inspect import signature
from typing import Any

import torch

from headscope.attention import Sites, find_sites
from headscope.errors import HeadscopeError, ModelError

_NO_TEXT = re.compile(r"pixel|image|video|audio|speech|features|bbox")
_LONGEST = 2048
"""Pieces; a model that runs on texts of one length alone is tried up to this one."""


def check_reads_text(module: Any) -> None:
    """Refuse a model of images or sound."""
    taken = list(signature(module.forward).parameters)
    if "input_ids" not in taken:
        raise ModelError(
            f"{type(module).__name__} reads {taken[0] if taken else 'nothing'} and takes no pieces of text "
            "(input_ids); headscope looks at models that read text"
        )


def check_numbers_and_pieces(module: Any, tokenizer: Any) -> None:
    """Refuse weights that are no numbers, and a tokenizer whose pieces the model has no vectors for."""
    broken = [name for name, weight in module.named_parameters() if not _is_finite(weight)]
    if broken:
        names = ", ".join(broken[:3])
        raise ModelError(
            f"{len(broken)} weights of {type(module).__name__} hold NaN or infinity ({names}); the training "
            "broke down or the file is damaged: load another checkpoint"
        )
    table = _embeddings(module)
    vectors = getattr(table, "weight", None)
    if vectors is None or vectors.ndim != 2 or tokenizer is None:
        return
    rows = getattr(table, "num_embeddings", vectors.shape[0])  # pieces may share a vector
    largest = max(tokenizer.get_vocab().values(), default=0)
    if largest >= rows:
        raise ModelError(
            f"the tokenizer has pieces up to number {largest:,}, but {type(module).__name__} has vectors for "
            f"{rows:,} only; give the tokenizer it was trained with, or resize its embeddings"
        )


def count_sites(module: Any, inputs: dict[str, torch.Tensor]) -> Sites:
    """The sites of a module; one that does not run on a few pieces is refused with the reason."""
    family = type(module).__name__
    try:
        return find_sites(module, inputs)
    except HeadscopeError:
        raise
    except Exception as error:
        others = [name for name in signature(module.forward).parameters if _NO_TEXT.search(name)]
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        if others:
            raise ModelError(
                f"{family} does not run on text alone, it also reads {others[0]}: {reason}"
            ) from error
        length = _length_that_runs(module, inputs)
        if length is not None:
            raise ModelError(f"{family} takes texts of {length} pieces alone, no shorter ones") from error
        raise ModelError(f"{family} did not run on a few pieces of text: {reason}") from error


def _length_that_runs(module: Any, inputs: dict[str, torch.Tensor]) -> int | None:
    """A length on which a module runs: its configuration names it. What is heard there may be refused."""
    numbers = {number for number in vars(module.config).values() if type(number) is int}
    for length in sorted(number for number in numbers if 16 <= number <= _LONGEST):
        repeats = -(-length // inputs["input_ids"].shape[1])
        longer = {**inputs, "input_ids": inputs["input_ids"].repeat(1, repeats)[:, :length]}
        try:
            find_sites(module, longer)
        except HeadscopeError:
            raise
        except Exception:  # a family may fail in any way on a length that it does not take
            continue
        return length
    return None


def _is_finite(weight: torch.Tensor) -> bool:
    if weight.is_meta or weight.dtype not in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        return True
    # One sum reads the weights once and needs no memory; only a strange one is looked at closely.
    total = weight.detach().sum(dtype=None if weight.itemsize > 2 else torch.float32)
    return bool(torch.isfinite(total)) or bool(torch.isfinite(weight).all())


def _embeddings(module: Any) -> Any:
    try:
        return module.get_input_embeddings()
    except (AttributeError, NotImplementedError):
        return None
