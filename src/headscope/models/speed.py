"""How fast models are, side by side, and how much faster taking heads out can make one at best.

Times are of the forward pass with the model's own kernel and nothing attached, on random pieces that fill
every row. Models take turns, batch by batch, so that a slow moment of the machine hits all of them alike.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import torch

from headscope.attention import in_eval_mode
from headscope.errors import ModelError, OptionError
from headscope.models.model import Model
from headscope.models.pruning.projections import find_projections

BATCH_SIZES = (1, 4, 16, 64)
"""Those of Michel et al. 2019, table 4."""

_QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True)
class Speed:
    """One model at one batch size: seconds per batch, examples per second, and times as fast as the first.

    low and high are the 10 % and 90 % quantiles over turns; a turn's ratio is between batches run right
    after one another.
    """

    model: str
    batch_size: int
    pieces: int
    seconds: float
    seconds_low: float
    seconds_high: float
    throughput: float
    ratio: float
    ratio_low: float
    ratio_high: float


def measure(
    models: Mapping[str, Model],
    batch_sizes: Sequence[int] = BATCH_SIZES,
    pieces: int = 128,
    *,
    repeats: int = 15,
    warmup: int = 2,
    seed: int = 0,
) -> list[Speed]:
    """The speed of each model at each batch size; ratios are to the first model."""
    _check(models, pieces, repeats)
    rows = []
    for batch_size in batch_sizes:
        inputs = {name: filled(model, batch_size, pieces, seed) for name, model in models.items()}
        with ExitStack() as stack:
            for model in models.values():
                stack.enter_context(in_eval_mode(model.module))
            times = _turns(models, inputs, repeats, warmup)
        first = times[next(iter(models))]
        for name, taken in times.items():
            low, middle, high = _quantiles(taken)
            ratio_low, ratio, ratio_high = _quantiles(first / taken)
            rate = batch_size / middle
            rows.append(
                Speed(name, batch_size, pieces, middle, low, high, rate, ratio, ratio_low, ratio_high)
            )
    return rows


def attention_share(
    model: Model, batch_size: int = 16, pieces: int = 128, *, repeats: int = 9, warmup: int = 2, seed: int = 0
) -> float:
    """The share of the forward pass that is spent on what taking heads out can shrink.

    Measured from the start to the end of every attention module (its projections and the attention itself),
    and in output projections that stand outside of it; the median over repeats of their share in the same
    pass. What does not shrink in there, such as the cost of calling, is counted too, so it is a bound.
    """
    _check({model.name: model}, pieces, repeats)
    projections = find_projections(model)
    inside = {part for module in projections for part in module.modules()}
    outputs = [of_site.output for of_site in projections.values() if of_site.output not in inside]
    started, spent = [0.0], [0.0]

    def start(module: Any, given: Any) -> None:
        started[0] = _now(model)

    def stop(module: Any, given: Any, result: Any) -> None:
        spent[0] += _now(model) - started[0]

    inputs = filled(model, batch_size, pieces, seed)
    shares = []
    with ExitStack() as stack:
        stack.enter_context(in_eval_mode(model.module))
        for part in [*projections, *outputs]:
            stack.callback(part.register_forward_pre_hook(start).remove)
            stack.callback(part.register_forward_hook(stop).remove)
        for _ in range(warmup + repeats):
            spent[0] = 0.0
            total = _timed(model, inputs)
            shares.append(spent[0] / total)
    return float(np.median(shares[warmup:]))


def ceiling(share: float, removed: float) -> float:
    """Times as fast at best, when a share of the heads is removed and attention has a share of the time.

    It takes attention's time to be in proportion to the heads; and as the share is measured, a measured
    ratio may come out some percent above it.

    >>> ceiling(share=0.4, removed=0.5)
    1.25
    """
    return 1 / (1 - share * removed)


def filled(model: Model, batch_size: int, pieces: int, seed: int) -> dict[str, torch.Tensor]:
    """Inputs of random pieces without padding; the same for the same seed."""
    size = model.module.get_input_embeddings().num_embeddings
    special = set() if model.tokenizer is None else set(model.tokenizer.all_special_ids)
    plain = torch.tensor([piece for piece in range(size) if piece not in special])
    generator = torch.Generator().manual_seed(seed)
    ids = plain[torch.randint(len(plain), (batch_size, pieces), generator=generator)]
    end = getattr(model.module.config, "eos_token_id", None)
    if isinstance(end, int) and end < size:
        # Some classifiers read the text's end.
        ids[:, -1] = end
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    if model.shape == "encoder-decoder":
        inputs["decoder_input_ids"] = ids
    return {name: tensor.to(model.device) for name, tensor in inputs.items()}


def _turns(
    models: Mapping[str, Model], inputs: Mapping[str, dict[str, torch.Tensor]], repeats: int, warmup: int
) -> dict[str, np.ndarray]:
    """Seconds of each model in each turn; each turn begins with another model."""
    names = deque(models)
    times: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(warmup + repeats):
        for name in names:
            times[name].append(_timed(models[name], inputs[name]))
        names.rotate(-1)
    return {name: np.array(taken[warmup:]) for name, taken in times.items()}


def _timed(model: Model, inputs: dict[str, torch.Tensor]) -> float:
    with torch.no_grad():
        started = _now(model)
        model.module(**inputs)
        return _now(model) - started


def _now(model: Model) -> float:
    """The time, once the device has done what it was told."""
    if model.device.type != "cpu":
        torch.accelerator.synchronize(model.device)
    return perf_counter()


def _quantiles(values: np.ndarray) -> list[float]:
    quantiles: list[float] = np.quantile(values, _QUANTILES).tolist()
    return quantiles


def _check(models: Mapping[str, Model], pieces: int, repeats: int) -> None:
    if not models:
        raise OptionError("no model to measure")
    if repeats < 1:
        raise OptionError(f"{repeats} repeats; measure at least one")
    for name, model in models.items():
        if pieces < 1 or (model.longest is not None and pieces > model.longest):
            raise ModelError(f"{name} takes 1 to {model.longest} pieces, not {pieces}")
