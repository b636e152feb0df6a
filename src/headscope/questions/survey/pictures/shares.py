"""Where heads look (Clark et al. 2019, figure 2): special tokens, the same by origin, and near positions."""

from __future__ import annotations

import json
from collections.abc import Iterable

import xarray as xr
from matplotlib.figure import Figure

from headscope.drawing.panels import Panel, Series, draw_panels
from headscope.drawing.stacks import has
from headscope.drawing.style import kind_symbol
from headscope.results.result import Result
from headscope.results.vocabulary import NEXT_TOKEN, PREVIOUS_TOKEN, SAME_TOKEN

_PUNCTUATION = (". or ,", "all punctuation")
_NEAR = {"previous": PREVIOUS_TOKEN, "next": NEXT_TOKEN, "self": SAME_TOKEN}
_MOST = 5  # kinds in one panel; more could not be told apart


def needs(result: Result) -> bool:
    """Whether the result holds mean attention to a target that a panel shows."""
    return has(result, "share") and bool(_panels(result.arrays["heads"]))


def draw(result: Result) -> Figure:
    """Draw one point per head: `share` (head, target) and, where known, `special` (head, kind, origin)."""
    heads = result.arrays["heads"]
    return draw_panels(heads, _panels(heads))


def _panels(heads: xr.Dataset) -> list[Panel]:
    panels = [_special_targets(heads), _special_origins(heads), _near_targets(heads)]
    return [panel for panel in panels if panel.series]


def _special_targets(heads: xr.Dataset) -> Panel:
    special = _strongest(heads, _present(heads, _special_names(heads)))
    others = [] if special else _present(heads, ["first"])
    punctuation = _present(heads, _PUNCTUATION)[:1]
    targets = {"special tokens": special, "first token": others, "punctuation": punctuation}
    title = " and ".join(kind for kind, names in targets.items() if names).capitalize()
    names = special + others + punctuation
    labels = {name: "first token" if name == "first" else name for name in names}
    return _panel(title, _series(heads, labels))


def _special_names(heads: xr.Dataset) -> list[str]:
    """The special tokens: a list, or its JSON where a file format could not hold a list."""
    names = heads.attrs.get("special", [])
    return [str(name) for name in (json.loads(names) if isinstance(names, str) else names)]


def _near_targets(heads: xr.Dataset) -> Panel:
    causal = bool(int(heads.attrs.get("causal", 0)))
    names = [name for name in _present(heads, _NEAR) if not (causal and name == "next")]
    series = _series(heads, {name: _NEAR[name] for name in names})
    return _panel("Near positions", series)


def _panel(title: str, series: list[Series]) -> Panel:
    return Panel(title, "mean attention", series, ceiling=1.03)


def _series(heads: xr.Dataset, labels: dict[str, str]) -> list[Series]:
    return [
        Series(label, heads["share"].sel(target=name), kind_symbol(place), _uniform(heads, name))
        for place, (name, label) in enumerate(labels.items())
    ]


def _uniform(heads: xr.Dataset, target: str) -> xr.DataArray | None:
    if "share_uniform" not in heads:
        return None
    # The level may be stored once for all heads: it is then repeated.
    return heads["share_uniform"].sel(target=target).broadcast_like(heads["layer"])


def _special_origins(heads: xr.Dataset) -> Panel:
    title = "Special tokens, by origin"
    if "special" not in heads:
        return _panel(title, [])
    is_looked_at = (heads["special"] > 0).any(["head", "origin"])  # a text may hold none of a kind
    known = heads["special"].sel(kind=is_looked_at)
    kinds = [str(kind) for kind in known["kind"].values][: _MOST - 2]
    pairs = [(kind, origin) for kind in kinds for origin in ("itself", "other")]
    series = [
        Series(_origin_label(kind, origin), known.sel(kind=kind, origin=origin), kind_symbol(place))
        for place, (kind, origin) in enumerate(pairs)
    ]
    return _panel(title, series)


def _origin_label(kind: str, origin: str) -> str:
    return f"{kind} → {kind}" if origin == "itself" else f"other → {kind}"


def _present(heads: xr.Dataset, wanted: Iterable[str]) -> list[str]:
    """Keep, in the order wanted, the targets that have at least one number."""
    held = {str(name) for name in heads["share"].dropna("target", how="all")["target"].values}
    return [name for name in wanted if name in held]


def _strongest(heads: xr.Dataset, names: list[str]) -> list[str]:
    """Keep the kinds that get most attention, in their own order."""
    means = {name: float(heads["share"].sel(target=name).mean()) for name in names}
    strongest = sorted(names, key=lambda name: -means[name])[: _MOST - 1]
    return [name for name in names if name in strongest]
