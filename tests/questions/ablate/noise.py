"""ablate where nothing is to be found."""

from __future__ import annotations

from pathlib import Path

import transformers as tf

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, labelled, untrained


def answer(place: Path) -> Result:
    data, train, other = (labelled(place / f"{seed}.tsv", 40, seed) for seed in range(3))
    model = untrained(place, tf.BertForSequenceClassification)
    return asked("ablate", model=model, data=data, train=train, other=other)


NOISE = Noise(answer, about_heads=("ablation", "importance", "ablation_both"))
