"""How much each token of one text mattered: a row for each way to explain, the darker the more; a frame marks
what speaks against the answer."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from headscope.drawing.shares import draw_shares, has_shares, left_out
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether the result holds importances."""
    return has_shares(result.tables.get("importance"))


def draw(result: Result) -> Figure:
    """Draw the shares of the first answers, each under its label."""
    return draw_shares(_answers(result), result.arrays["maps"].attrs["unit"])


def not_drawn(result: Result) -> list[str]:
    """What the picture has no room for, as a note."""
    told = left_out(_answers(result), result.arrays["maps"].attrs["unit"])
    return (
        [f"the picture of words has no room for {told}; a page (--save FILE.html) shows them"] if told else []
    )


def _answers(result: Result) -> list[tuple[str, pd.DataFrame]]:
    """Each answer's name and importances."""
    groups = [group for _, group in result.table("importance").groupby("answer", sort=False)]
    return list(zip(result.arrays["maps"].attrs["answers"], groups, strict=True))
