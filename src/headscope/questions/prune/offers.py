"""What other questions may use of prune: orders in which heads go, and the curves of what is left."""

from headscope.questions.prune.curves import (
    Order,
    areas_table,
    by_score,
    counts_of,
    curve_conditions,
    curves_table,
    random_orders,
    removable,
)
from headscope.questions.prune.options import IMPORTANCE, RANDOM

__all__ = [
    "IMPORTANCE",
    "RANDOM",
    "Order",
    "areas_table",
    "by_score",
    "counts_of",
    "curve_conditions",
    "curves_table",
    "random_orders",
    "removable",
]
