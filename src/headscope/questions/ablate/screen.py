"""What is printed after an ablation."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from headscope.questions.screens import Shown, readable, shown
from headscope.results.result import Result
from headscope.results.vocabulary import BETTER, VERDICTS, WORSE

EFFECTS = ["score", "effect", "p_adjusted", "verdict", "loss_effect"]
HEADS_SHOWN = 8
TWO_TESTS = (
    "An interval may hold 0 where p is small: p exchanges answers at random, the interval draws examples "
    "anew and is widened for what no example showed; the verdict goes by p"
)


def screen(result: Result) -> Iterator[Shown]:
    """The heads that matter, whole layers, and what importance would have said."""
    summary = result.table("ablation_summary")
    base = f"{summary['metric'][0]} {100 * summary['score'][0]:.2f} on {summary['data'][0]}"
    yield Shown(f"All heads in place: {base}", summary[["examples", "loss", "heads", *VERDICTS]])
    heads = result.table("ablation").sort_values(["effect", "loss_effect"], ascending=[True, False])
    first = heads.head(HEADS_SHOWN)
    yield Shown(
        "Heads that are missed most, in percent and points", _effects(result, "ablation", first[["head"]])
    )
    layers = result.table("ablation_layers")
    yield Shown("Layers, in percent and points", _effects(result, "ablation_layers", _removed(layers)))
    if _is_at_odds(first) or _is_at_odds(layers):
        yield Shown(TWO_TESTS)
    for name in ("importance_agreement", "ablation_agreement"):
        if name in result.tables:
            yield shown(result, name)


def _effects(result: Result, name: str, names: pd.DataFrame) -> pd.DataFrame:
    """The effects of some rows behind what was removed; for the interval of the loss there is no room."""
    table = result.table(name).loc[names.index].drop(columns=["loss_low", "loss_high"])
    short = {"score %": "score", "p adjusted": "p", "loss effect (nats)": "loss"}
    return names.join(readable(table, result.declaration(name), EFFECTS).rename(columns=short))


def _is_at_odds(table: pd.DataFrame) -> bool:
    """Whether a test decides what the interval beside it leaves open."""
    decided = table["verdict"].isin([WORSE, BETTER])
    return bool((decided & (table["low"] <= 0) & (table["high"] >= 0)).any())


def _removed(layers: pd.DataFrame) -> pd.DataFrame:
    """What was removed, as short as it can be said."""
    several = layers["stack"].nunique() > 1
    layer = (layers["stack"] + " " if several else "") + layers["layer"].astype(str)
    removed = layers["removed"].where(layers["kept"] == "", "all but " + layers["kept"])
    return layers[[]].assign(layer=layer, removed=removed)
