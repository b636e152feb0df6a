"""Maps in the forms that models return them, as layers of (head, query, key)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from headscope.errors import OptionError
from headscope.results.look import Sheet

_ROUNDING = 0.01
_NONE = (
    "there are no attention weights: the fast attention of a model does not keep them. Load the model with "
    'attn_implementation="eager" and call it with output_attentions=True; or use headscope.maps(model, '
    "text), which needs neither"
)


def sheets_of(maps: Any) -> list[Sheet]:
    """Layers from arrays (1, head, query, key) or (head, query, key), or from the steps of generate().

    Arrays are tensors of any library with `numpy()`, numpy arrays or nested lists of numbers.
    """
    if maps is None or len(maps) == 0:
        raise OptionError(_NONE)
    layers = _joined(maps) if are_steps(maps) else [_array(layer) for layer in maps]
    for layer in layers:
        _check_weights(layer)
    return [Sheet(number, list(range(len(layer))), layer) for number, layer in enumerate(layers)]


def are_steps(maps: Any) -> bool:
    """Whether these are the steps of generate(), each a sequence of layers."""
    if not isinstance(maps, list | tuple) or not maps or not isinstance(maps[0], list | tuple):
        return False
    return len(maps[0]) > 0 and len(getattr(maps[0][0], "shape", ())) >= 3


def _joined(steps: Sequence[Sequence[Any]]) -> list[np.ndarray]:
    """The rows of all steps below one another; keys that a step did not have yet get weight 0."""
    layers = []
    for layer_steps in zip(*steps, strict=True):
        arrays = [_array(step) for step in layer_steps]
        keys = max(array.shape[-1] for array in arrays)
        layers.append(
            np.concatenate([np.pad(a, ((0, 0), (0, 0), (0, keys - a.shape[-1]))) for a in arrays], axis=1)
        )
    return layers


def _array(layer: Any) -> np.ndarray:
    """A layer as floats (head, query, key); tensors may be on a GPU, need gradients, or be bfloat16."""
    if layer is None:
        raise OptionError(_NONE)
    for step in ("detach", "float", "cpu"):
        layer = getattr(layer, step, lambda unchanged=layer: unchanged)()
    try:
        weights = np.asarray(layer, dtype=np.float32)
    except (TypeError, ValueError):
        raise OptionError(
            f"a layer is a {type(layer).__name__} that does not hold weights; give layers of (1, head, "
            "query, key), such as outputs.attentions"
        ) from None
    if weights.ndim == 4 and len(weights) != 1:
        raise OptionError(
            f"the attention holds {len(weights)} texts; expected one. Give one of them, such as "
            "[layer[:1] for layer in attention]"
        )
    weights = weights[0] if weights.ndim == 4 else weights
    if weights.ndim != 3:
        raise OptionError(
            f"a layer has the shape {weights.shape}; expected (1, head, query, key) or (head, query, key)"
        )
    return weights


def _check_weights(layer: np.ndarray) -> None:
    low, high = np.nanmin(layer, initial=0.0), np.nanmax(layer, initial=0.0)
    if low < -_ROUNDING or high > 1 + _ROUNDING:
        raise OptionError(
            f"the weights go from {low:.3g} to {high:.3g}; expected 0 to 1, as they are after the softmax"
        )
