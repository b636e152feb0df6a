"""train on labels that are noise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from headscope.results.result import Result
from tests.questions.noise import Noise, asked, labelled

LETTERS = "abcdef"
draw = Random(0).choice


def answer(place: Path) -> Result:
    data, test = labelled(place / "train.tsv", 40, 0), labelled(place / "test.tsv", 40, 1)
    size = {"hidden": 4, "vectors": "random", "width": 4, "epochs": 2, "batch_size": 8}
    result = asked("train", place / "run", net="disan", data=data, test=test, seeds=2, keep="epoch", **size)
    pairs = [f"{draw(LETTERS)} {draw(LETTERS)} {draw(LETTERS)}\t{draw(LETTERS)}" for _ in range(24)]
    (place / "pairs.tsv").write_text("\n".join(["source\ttarget", *pairs]) + "\n")
    lines = {"data": place / "pairs.tsv", "test": place / "pairs.tsv", "least": 1}
    own = {name: value for name, value in size.items() if name != "vectors"}
    written = asked("train", place / "written", net="seq2seq", seeds=2, **lines, **own)
    # What only nets that write have, beside what all have.
    return replace(result, tables=written.tables | result.tables, declared=written.declared | result.declared)


NOISE = Noise(answer)
