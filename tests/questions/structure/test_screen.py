"""What structure prints of a series."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from headscope.questions.structure.screen import by_tree
from headscope.results.vocabulary import FALSE_TREES, TRUE_TREE


def test_trees_keep_their_order_and_checkpoints_theirs() -> None:
    """Matched trees were never seen, and the first checkpoint saw no tree but the true ones."""
    names, trees = ("epoch-10", "epoch-2"), ("swapped", "true", "matched", "arc_standard", "uniform")
    rows = [("", name, "encoder", tree, len(tree) + 0.12345) for name, tree in product(names, trees)]
    curves = pd.DataFrame(rows, columns=["series", "checkpoint", "stack", "tree", "kl"])
    curves.loc[curves["tree"] == "matched", "kl"] = np.nan
    curves.loc[(curves["checkpoint"] == names[0]) & (curves["tree"] != "true"), "kl"] = np.nan
    wide = by_tree(curves)
    assert [*wide.columns] == [TRUE_TREE, *FALSE_TREES]
    assert wide.index.get_level_values("checkpoint").tolist() == [*names]
    assert wide.loc[("", "epoch-2", "encoder")].fillna(-1).tolist() == [4.123, 12.123, 7.123, -1, 7.123]
