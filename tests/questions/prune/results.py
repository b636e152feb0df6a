"""Results of prune made by hand, of any number of tasks, random orders and batch sizes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from headscope.results.result import Result

ORDERS = ["importance", "importance, recomputed", "single-head effect", "gates", "reversed"]


def build_pruning(tasks: int = 1, runs: int = 20, heads: int = 72, batch_sizes: int = 4) -> Result:
    """Curves that fall the later the better the order."""
    random = np.random.default_rng(1)
    shares = np.linspace(0, 1, 11)
    rows = []
    for task in range(tasks):
        lines = [(order, 0, 9 - 1.5 * place) for place, order in enumerate(ORDERS)]
        lines += [("random", run, random.uniform(3, 5)) for run in range(runs)]
        for order, run, power in lines:
            for share in shares:
                score = 0.5 + 0.41 * (1 - share**power) + (random.normal(0, 0.004) if 0 < share < 1 else 0)
                rows.append(
                    {"task": f"task {task}", "metric": "accuracy", "order": order, "run": run,
                     "removed": round(share * heads), "share": share, "score": score, "loss": 1 - score}
                )  # fmt: skip
    sizes = np.array([1, 4, 16, 64])[:batch_sizes]
    speed = pd.DataFrame(
        {"batch_size": sizes, "before": [17.0, 67.3, 114.0, 124.7][:batch_sizes],
         "after": [17.3, 69.1, 134.0, 146.6][:batch_sizes]}
    )  # fmt: skip
    speed["ratio"] = speed["after"] / speed["before"]
    speed = speed.assign(ratio_low=speed["ratio"] - 0.03, ratio_high=speed["ratio"] + 0.04, ceiling=1.24)
    gone = np.linspace(0, 0.75, 4)
    curve = pd.DataFrame({"share": gone, "batch_size": 16, "ratio": 1 / (1 - 0.3 * gone)})
    curve = curve.assign(
        ratio_low=curve["ratio"] - 0.03, ratio_high=curve["ratio"] + 0.03, ceiling=1 / (1 - 0.4 * gone)
    )
    areas = pd.DataFrame({"task": "task 0", "order": ORDERS, "area": 0.8})
    tables = {"pruning": pd.DataFrame(rows), "pruning_areas": areas, "speed": speed, "speed_curve": curve}
    return Result("prune", tables=tables)
