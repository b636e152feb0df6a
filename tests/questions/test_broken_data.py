"""Every verb that reads data refuses what is broken, or leaves it out and says so in its notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import headscope
from headscope.errors import InputError
from headscope.questions import VERBS
from headscope.questions.groups import OfData
from tests.cli.conftest import FAST, command
from tests.cli.folders import save
from tests.questions.test_asking import CASES

BROKEN = {
    ".csv": ",1\nalone\n",
    ".tsv": "\t1\nalone\n",
    ".conllu": "# newdoc id = broken\n1\tA\t_\t_\t_\t_\t7\tdep\t_\t_\n\n",
    ".conll": "#begin document (broken); part 000\nbroken\t0\t0\tA\tNN\t_\t(1\n#end document\n",
}
"""What is put at the end of a file of each format; of a table also a row without text."""


@pytest.mark.parametrize("verb", CASES)
def test_broken_documents_are_refused_or_left_out(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    model, options = CASES[verb][0](tmp_path)
    if verb == "survey":
        (tmp_path / "mine.csv").write_text("text,note\nThe old keeper.,0\nA ship.,1\n")
        options["text"] = "mine.csv"
    path = Path(next(options[name] for name in ("text", "treebank", "corpus", "data") if name in options))
    with path.open("a") as file:
        file.write(BROKEN[path.suffix])
    line = len(path.read_text().rstrip("\n").split("\n")) - (path.suffix == ".conll")
    function = getattr(headscope, verb)
    with pytest.raises(InputError, match=rf"{path.name}:{line}: "):
        function(model, **options)
    result = function(model, **options, skip_broken=True)
    result = result if verb != "finetune" else result.result
    (note,) = [note for note in result.notes if "broken and left out" in note]
    assert note.startswith(f"{path.name}: 1 document is broken and left out: '")
    assert f"{path.name}:{line}: " in note
    assert result.asked["identity"]["options"]["skip_broken"] is True
    empty = [note for note in result.notes if "as the text has no word" in note]
    assert len(empty) == (path.suffix in (".csv", ".tsv"))


def test_every_verb_that_reads_data_can_skip() -> None:
    assert {name for name, verb in VERBS.items() if issubclass(verb.options, OfData)} == set(CASES)


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
