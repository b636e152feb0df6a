"""How much each token mattered: a row for each way to explain, the darker the more; a frame marks what speaks
against the answer."""

from __future__ import annotations

from matplotlib.figure import Figure

from headscope.drawing.shares import draw_shares, has_shares
from headscope.questions.explain.called import answer_names, unit_of
from headscope.results.result import Result


def needs(result: Result) -> bool:
    """Whether the result holds importances."""
    return has_shares(result.tables.get("importance"))


def draw(result: Result) -> Figure:
    """Draw the shares of the first answers, each under its label."""
    groups = [group for _, group in result.table("importance").groupby(["text", "answer"], sort=False)]
    return draw_shares(list(zip(answer_names(result), groups, strict=True)), unit_of(result))
