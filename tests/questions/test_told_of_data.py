"""What was left out or guessed while reading is told on the screen, in the record and by a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import headscope
from headscope.errors import InputError
from tests.cli.conftest import FAST, command
from tests.cli.folders import save


def test_the_screen_and_the_record_tell_it_too(tmp_path: Path) -> None:
    model, table, run = save(tmp_path, "bert"), tmp_path / "mine.tsv", tmp_path / "run"
    table.write_text("text\tnote\nThe old keeper.\tx\n \tx\nA ship.\n")
    asked = ("survey", model, table, "--out", run, *FAST)
    done = command(*asked)
    assert done.code == 2 and f"{table}:4: 1 fields, but the header has 2: text, note" in done.err
    done = command(*asked, "--skip-broken")
    assert done.code == 0
    screen = " ".join(done.out.split())
    left_out = "mine.tsv: 1 document is left out, as the text has no word: mine.tsv:3"
    for note in (
        "mine.tsv: texts from column 'text'",
        "1 document is broken and left out: 'mine.tsv:4'",
        left_out,
    ):
        assert note in screen
    record = json.loads((run / "run.json").read_text())["verbs"]["survey"]
    assert left_out in record["notes"] and record["asked"]["identity"]["options"]["skip_broken"] is True
    assert command(*asked).code == 2, "the same folder with other options is refused"


def test_fine_tuning_takes_pairs_and_its_model_knows(tmp_path: Path) -> None:
    model, table = save(tmp_path, "bert"), tmp_path / "pairs.tsv"
    rows = [f"the old ship {number}\ta night {number}\t{number % 2}" for number in range(20)]
    table.write_text("\n".join(["premise\thypothesis\tlabel", *rows]) + "\n")
    result, _ = headscope.finetune(model, table, epochs=1, out=tmp_path / "run", plots=False)
    told = "pairs.tsv: texts from column 'premise', second texts from 'hypothesis', labels from 'label'"
    assert told in result.notes and result.asked["identity"]["options"]["task"] == "pairs"
    alone = tmp_path / "alone.tsv"
    alone.write_text("text\tother\tlabel\nthe ship\ta night\t1\nthe ship\ta night\t0\n")
    with pytest.raises(
        InputError, match=r"alone\.tsv:1: no column called sentence2 or text2 .* name the second"
    ):
        headscope.ablate(tmp_path / "run" / "model", alone)
    ablated = headscope.ablate(tmp_path / "run" / "model", table, gradients=False)
    assert told in ablated.notes and ablated.asked["identity"]["options"]["task"] == "pairs"
