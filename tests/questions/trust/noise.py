"""trust where there is nothing to trust: weights as before training, labels that say nothing."""

from __future__ import annotations

from pathlib import Path

import transformers as tf

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, untrained
from tests.questions.trust.asked import write_edited


def answer(place: Path) -> Result:
    data = write_edited(place / "data.tsv", 40)
    model, other = (untrained(place, tf.BertForSequenceClassification, seed) for seed in (0, 1))
    columns = {"edited": "edited", "marked": "marked", "reworded": "reworded", "train": data, "epochs": 1}
    return asked(
        "trust", model=model, data=data, by=("rollout", "gradient-input"), against=(other,), **columns
    )


# That an explanation fails is said of noise too, and is true; that none holds, its own tests say.
NOISE = Noise(answer, about_heads=("trust_heads",), untested=("claims", "card"))
