"""trust where there is nothing to trust: weights as before training, labels that say nothing."""

from __future__ import annotations

from pathlib import Path

import transformers as tf

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, labelled, untrained


def answer(place: Path) -> Result:
    data, model = labelled(place / "data.tsv", 40, 0), untrained(place, tf.BertForSequenceClassification)
    return asked("trust", model=model, data=data, by=("rollout", "gradient-input"))


# That an explanation fails is said of noise too, and is true; that none holds, its own tests say.
NOISE = Noise(answer, about_heads=("trust_heads",), untested=("claims", "card"))
