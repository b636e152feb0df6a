"""How broadly heads look, by layer, from all tokens and from the edge token (Clark et al. 2019, figure 4)."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from headscope.drawing.panels import Panel, Series, draw_panels
from headscope.drawing.stacks import has
from headscope.drawing.style import kind_symbol
from headscope.results.result import Result

_YLABEL = "entropy (nats)"


def needs(result: Result) -> bool:
    """Whether the result holds entropies."""
    return has(result, "entropy")


def draw(result: Result) -> Figure:
    """Draw `entropy` and `entropy_edge`, both of shape (head,), under the level of uniform attention."""
    heads = result.arrays["heads"]
    uniform = heads.get("entropy_uniform")
    panels = [Panel("Entropy of attention, all tokens", _YLABEL, [_heads(heads["entropy"], uniform)])]
    if has(result, "entropy_edge"):
        series = [_heads(heads["entropy_edge"], _edge_uniform(heads))]
        panels.append(Panel(f"Entropy of attention, {_edge(heads)} alone", _YLABEL, series))
    return draw_panels(heads, panels)


def _heads(values: xr.DataArray, uniform: xr.DataArray | None) -> Series:
    return Series("heads, and their mean", values, kind_symbol(0), uniform)


def _edge_uniform(heads: xr.Dataset) -> xr.DataArray | None:
    """The level of uniform attention from the edge token alone."""
    own = heads.get(f"entropy_{_edge(heads).split()[0]}_uniform")
    # In a causal model tokens see differently much, so that the mean level is not the edge token's.
    if own is None and not int(heads.attrs.get("causal", 0)):
        return heads.get("entropy_uniform")
    return own


def _edge(heads: xr.Dataset) -> str:
    return str(heads["entropy_edge"].attrs.get("edge", heads.attrs.get("edge", "edge token")))
