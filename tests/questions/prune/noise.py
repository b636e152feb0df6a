"""prune where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

import transformers as tf

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, labelled, untrained


def answer(place: Path) -> Result:
    data, train = labelled(place / "data.tsv", 20, 0), labelled(place / "train.tsv", 20, 1)
    options = {"steps": 4, "random": 3, "gate_steps": 4, "remove": 0.25, "pieces": 16}
    model = untrained(place, tf.BertForSequenceClassification)
    return asked("prune", model=model, data=data, train=train, **options)


NOISE = Noise(answer, about_heads=("pruning_orders",), untested=("pruned_model", "speed"))
