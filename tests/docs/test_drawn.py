"""What is kept of the runs behind pictures, for pages that tell it."""

from __future__ import annotations

import pandas as pd
import xarray as xr

from docs.drawn import rows_of
from headscope.results.result import Result

ONE = {"accuracy": 0.8076, "low": 0.79, "high": 0.825, "offset_accuracy": 0.596, "twin": 0.135}


def test_relations_of_enough_words_are_kept() -> None:
    relations = pd.DataFrame(
        [
            {"relation": "det", "words": 1817, "head": "L2H8", "other_head": "L2H8", **ONE},
            {"relation": "cop", "words": 627, "head": "L2H1", "other_head": "L1H7", **ONE},
            {"relation": "expl", "words": 99, "head": "L2H1", "other_head": "L1H7", **ONE},
        ]
    )
    result = Result("syntax", {"heads": xr.Dataset()}, {"relations": relations})
    det, cop = rows_of("trees", "syntax", result)
    assert det["name"] == "syntax of EWT dev: det"
    assert det["value"] == "80.8 % (79.0 to 82.5) by L2H8; offset 59.6; twins 13.5; of 1,817 words"
    assert "by L2H1 / L1H7; " in str(cop["value"])
