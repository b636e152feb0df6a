"""layers from files to tables, on a tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import headscope
from headscope.engine.kept import temporary_store
from headscope.models import Model
from headscope.questions.layers.answer import Question, answer
from headscope.questions.layers.options import Options
from tests.mentions import conll, marked
from tests.shapes import bert  # noqa: F401

FEW = {"seeds": 1, "twins": 0, "steps": 2, "width": 4, "control": False, "code": False}


def test_mentions_across_borders_are_skipped(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    """Documents of 12 words in windows of 5: of six mentions, that over words 4 to 6 is cut apart.

    In the first window are two of a and two of b: two pairs of one entity, four of two, which are all drawn.
    """
    words = "she saw a dog by the old ship and she saw it"
    spans = [(0, 1, "a"), (1, 2, "a"), (2, 3, "b"), (3, 4, "b"), (4, 7, "c"), (9, 10, "c")]
    path = tmp_path / "a.conll"
    path.write_text(conll([marked(f"d{number}", words, spans) for number in range(12)]))
    result = headscope.layers(bert, path, window=5, **FEW)
    table = result.table("layer_targets").set_index("split")
    assert table["read"].sum() == 12 * 6 and table["cut"].sum() == 12 and (table["pieceless"] == 0).all()
    assert table["used"].sum() == 12 * (2 + 4)
    assert any("windows of at most 5 words" in note for note in result.notes)


def test_what_was_learned_before_is_told_as_it_was_planned(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    """Progress ends where the plan does, also for fewer targets than a batch holds."""
    (tmp_path / "a.conll").write_text(
        conll([marked(f"d{n}", "she saw it", [(0, 1, "a"), (2, 3, "a")]) for n in range(12)])
    )
    options = Options(model=bert, data=tmp_path / "a.conll", **FEW | {"seeds": 2, "code": True})
    told: list[int] = []
    with temporary_store() as store:
        for _ in range(2):
            told.clear()
            answer(Question.of(options), store, lambda _, words: told.append(words))
    assert sum(told) == Question.of(options).steps[1].words


def test_layers_of_json_lines(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    """The whole way with control task, twin and code; what is asked of pairs reads two spans."""
    rows = [
        {"text": "the old ship passed", "targets": [
            {"span1": [3, 4], "span2": [0, 3], "label": "x" if number % 2 else "y"},
            {"span1": [2, 3], "span2": [1, 2], "label": "z"},
        ]} for number in range(16)
    ]  # fmt: skip
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = headscope.layers(bert, path, **{**FEW, "twins": 1, "control": True, "code": True})
    assert result.table("layer_scores")["layer"].tolist() == [0, 1, 2]
    assert result.table("layer_tasks")["labels"].tolist() == [3]
    beside = ["most frequent label", "embeddings alone", "random twin", "control task"]
    assert result.table("layer_baselines")["beside"].tolist() == beside
    heads = result.table("layer_heads")
    assert len(heads) == 8 and heads.groupby("layer")["gain"].nunique().max() == 1
    gains = result.table("layer_scores")["gain"].to_numpy()
    assert np.allclose(heads.loc[heads["layer"] == 1, "gain"], gains[2])
    targets = result.table("layer_targets")
    assert targets["used"].sum() == 32 and targets["cut"].sum() == 0
    codes = result.table("layer_codes")
    assert (codes["uniform"] * 1000 / codes["targets"]).tolist() == pytest.approx([np.log2(3)] * 3)
    quick = headscope.layers(bert, path, quick=True, steps=2, width=4)
    assert quick.table("layer_baselines")["beside"].tolist() == beside[:2]
    assert len(quick.table("layer_seeds")) == 1 and "layer_codes" not in quick.tables
