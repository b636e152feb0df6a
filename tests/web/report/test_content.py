"""The report of run folders written by hand: all of it, what is left of it, and as one file."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from headscope.errors import OptionError, RunError
from headscope.results.declaration import HEAD, Column, Declaration
from headscope.results.explanations import EXPLANATIONS
from headscope.results.look import Answer, Axis, Explanation, Look, Sheet, StackMaps, Way
from headscope.results.quantised import quantise
from headscope.results.result import Finding
from headscope.results.run import Run
from headscope.results.sentences import sentence_arrays
from headscope.web.report import content as reporting
from headscope.web.report import tables as tabling
from headscope.web.report.content import report_of
from headscope.web.report.pages import report, report_page
from tests.web.report.runs import begin_run, write_run
from tests.web.test_page import Elements

HOSTILE = "</script><script>alert(1)</script>\"'`&<!--\u202e\u2028🦉" + "w" * 10_000
TABLE = pd.DataFrame(
    {
        "head": ["L0H0", "L0H1"],
        "stack": ["encoder"] * 2,
        "layer": [0, 0],
        "index": [0, 1],
        "entropy": [1, 2.5],
    }
)
SAYS = Declaration(
    "Heads",
    ("head",),
    {**HEAD, "effect": Column("change", low="low", high="high"), "role": Column("role", kind="category")},
)
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(2), (2, 2))


def look(word: str = "owls") -> Look:
    axis = Axis(["[CLS]", word], [0, 1], ["[CLS]", word], [True, False])
    return Look("tiny", [StackMaps("encoder", axis, axis, [Sheet(0, [0, 1], WEIGHTS)])])


def full(path: Path, word: str = "owls") -> Run:
    return write_run(
        path, tables={"heads": TABLE}, declared={"heads": SAYS},
        arrays=sentence_arrays(0, f"Few {word}.", look(word)),
        plots={"roles.svg": b"<svg/>", "roles.pdf": b"%PDF"}, notes=[f"on {word}"],
    )  # fmt: skip


def page_data(path: Path) -> Any:
    """What the page in a file is given, read as a browser finds it."""
    elements = Elements(path.read_text("utf-8"))
    scripts = [attributes for tag, attributes in elements.found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "page"}, {}]
    return json.loads(next(text for tag, text in elements.texts if tag == "script"))


def test_roles_for_other_questions_are_a_table_but_no_measure(tmp_path: Path) -> None:
    roles = pd.DataFrame({"head": ["L0H1"], "role": "syntax", "name": "obj", "score": 0.5, "rule": "why"})
    found = report_of(
        write_run(
            tmp_path,
            "syntax",
            {"heads": TABLE, "known": roles},
            roles="known",
            declared={"heads": SAYS, "known": SAYS},
        )
    )
    assert [table.name for table in found.tables] == ["heads", "known"]
    assert found.atlas is not None
    assert [measure.name for measure in found.atlas.measures] == ["syntax.heads.entropy"]


def test_everything_in_a_folder_is_in_its_report(tmp_path: Path) -> None:
    full(tmp_path / "mine")
    ablation = TABLE.drop(columns="entropy").assign(effect=[-0.5, 0.25], low=[-1.0, 0.0], high=[0.0, 0.5])
    write_run(tmp_path / "mine", "ablate", {"ablation": ablation}, declared={"ablation": SAYS})
    begin_run(tmp_path / "mine", "syntax")
    found = report_of(Run(tmp_path / "mine"))
    assert found.name == "mine"
    assert [(card.verb, card.finished) for card in found.verbs] == [
        ("survey", True), ("ablate", True), ("syntax", False),
    ]  # fmt: skip
    assert [(table.verb, table.name) for table in found.tables] == [
        ("survey", "heads"),
        ("ablate", "ablation"),
    ]
    assert [figure.name for figure in found.figures] == ["roles"]
    assert found.atlas is not None
    assert [measure.name for measure in found.atlas.measures] == [
        "survey.heads.entropy", "ablate.ablation.effect",
    ]  # fmt: skip


def test_findings_come_with_their_verb(tmp_path: Path) -> None:
    found = [Finding(f"L0H1 is {HOSTILE}.", "heads", 1, head="L0H1")]
    run = write_run(tmp_path, tables={"heads": TABLE}, declared={"heads": SAYS}, findings=found)
    (told,) = report_of(run).findings
    assert (told.verb, told.text, told.head, told.mark) == ("survey", found[0].text, "L0H1", None)
    assert run.result("survey").findings == found


def test_sentences_keep_every_byte(tmp_path: Path) -> None:
    (sentence,) = report_of(full(tmp_path)).sentences
    assert (sentence.title, sentence.model, sentence.id) == ("Few owls.", "tiny", None)
    assert sentence.axes == [look().stacks[0].query]
    (layer,) = sentence.parts[0].layers
    assert layer.heads == [0, 1] and layer.data is not None
    assert zlib.decompress(b64decode(layer.data)) == quantise(WEIGHTS).tobytes()


def test_a_run_without_heads_has_no_atlas(tmp_path: Path) -> None:
    found = report_of(write_run(tmp_path, "finetune", {"training": pd.DataFrame({"step": [1]})}))
    assert (found.atlas, found.figures, found.sentences) == (None, [], [])
    assert len(found.tables) == 1


def test_heads_that_tables_only_name_are_told_by_arrays(tmp_path: Path) -> None:
    labels = {
        "head": ["L0H0"],
        "stack": ("head", ["decoder"]),
        "layer": ("head", [0]),
        "index": ("head", [0]),
    }
    table = pd.DataFrame({"head": ["L0H0"], "difference": [0.5]})
    run = write_run(
        tmp_path,
        "compare",
        {"differences": table},
        {"differences": xr.Dataset(coords=labels)},
        declared={"differences": SAYS},
    )
    atlas = report_of(run).atlas
    assert atlas is not None and [head.stack for head in atlas.heads] == ["decoder"]


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("tables/survey/heads.parquet", "missing"), ("tables/survey/heads.parquet", "broken"),
        ("plots/roles.svg", "missing"), ("plots/roles.pdf", "missing"), ("plots/roles.svg", "folder"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_left_out_and_named(tmp_path: Path, name: str, damage: str) -> None:
    full(tmp_path)
    path = tmp_path / name
    path.unlink()
    if damage == "broken":
        path.write_bytes(b"PAR1")
    elif damage == "folder":
        path.mkdir()
    found = report_of(Run(tmp_path))
    notes = found.verbs[0].notes
    assert len(notes) == 2 and notes[1].startswith("left out of this report: ") and name in notes[1]
    assert (len(found.tables), len(found.figures)) == ((0, 1) if name.startswith("tables") else (1, 0))
    assert len(found.sentences) == 1


def test_damaged_arrays_are_left_out_and_named(tmp_path: Path) -> None:
    full(tmp_path)
    meta = tmp_path / "arrays.zarr" / "survey" / "sentence_0_encoder" / "zarr.json"
    told = json.loads(meta.read_text())
    told["attributes"]["query"]["pieces"].append("one too many")
    meta.write_text(json.dumps(told))
    found = report_of(Run(tmp_path))
    assert found.sentences == [] and "has changed since it was written" in found.verbs[0].notes[1]
    forget_checksums(tmp_path)
    found = report_of(Run(tmp_path))
    assert found.sentences == [] and "do not fit the tokens" in found.verbs[0].notes[1]
    for content in ("{", "null"):
        meta.write_text(content)
        found = report_of(Run(tmp_path))
        assert found.sentences == [] and "sentence_0_encoder" in found.verbs[0].notes[1]


def forget_checksums(folder: Path) -> None:
    """As if what was changed had been written so."""
    record = folder / "run.json"
    told = json.loads(record.read_text())
    for entry in told["verbs"].values():
        entry["checksums"] = {}
    record.write_text(json.dumps(told))


def test_a_long_table_is_told_to_be_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = full(tmp_path)
    monkeypatch.setattr(reporting, "MOST_ROWS", 1)
    monkeypatch.setattr(tabling, "MOST_ROWS", 1)
    found = report_of(run)
    assert found.tables[0].cut
    assert found.verbs[0].notes[1] == (
        "this report has the first 1 of 2 rows of the table heads; all are in tables/survey/heads.csv"
    )
    # The atlas is of the whole table.
    assert found.atlas is not None and len(found.atlas.heads) == 2


def test_text_stays_text_in_the_file(tmp_path: Path) -> None:
    table = TABLE.assign(role=[HOSTILE, "b"], **{HOSTILE: [0.5, 0.25]})
    identity = {"model": {"name": HOSTILE}, "data": {"name": HOSTILE}, "options": {HOSTILE: HOSTILE}}
    arrays = sentence_arrays(0, HOSTILE, look(HOSTILE))
    run = write_run(
        tmp_path / "run",
        tables={"heads": table},
        declared={"heads": SAYS},
        arrays=arrays,
        notes=[HOSTILE],
        identity=identity,
    )
    told = page_data(report(run, tmp_path / "out.html"))["report"]
    assert told["verbs"][0]["notes"] == [HOSTILE]
    assert told["verbs"][0]["facts"][0] == {"name": HOSTILE, "value": HOSTILE}
    assert told["sentences"][0]["title"] == HOSTILE
    assert told["sentences"][0]["axes"][0]["pieces"][1] == HOSTILE
    assert [measure["label"] for measure in told["atlas"]["measures"]] == ["entropy", "role", HOSTILE]
    assert told["atlas"]["measures"][1]["values"] == [HOSTILE, "b"]
    assert told["tables"][0]["columns"][-1]["name"] == HOSTILE
    values = json.loads(zlib.decompress(b64decode(told["tables"][0]["data"])))
    assert values[5] == [HOSTILE, "b"]


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "<script>alert(1)<" / "\u202e&'\"</title>"
    page = report_page(full(path))
    assert page.title == f"{path.name} · headscope" and page.report is not None
    written = report(path)
    assert written == path / "report.html"
    assert page_data(written)["report"]["name"] == path.name


def test_the_file_is_written_in_one_step_and_beside_later_verbs(tmp_path: Path) -> None:
    run = full(tmp_path)
    report(run)
    first = (tmp_path / "report.html").read_bytes()
    write_run(tmp_path, "ablate", {"ablation": TABLE})
    assert (tmp_path / "report.html").read_bytes() == first
    report(tmp_path)
    assert len(page_data(tmp_path / "report.html")["report"]["verbs"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "arrays.zarr",
        "plots",
        "report.html",
        "run.json",
        "tables",
    ]


def test_where_it_cannot_be_written_is_told(tmp_path: Path) -> None:
    run = full(tmp_path / "run")
    with pytest.raises(OptionError, match=r"is a folder; name the file to write, such as .*report\.html"):
        report(run, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be written"):
        report(run, tmp_path / "file" / "report.html")


def test_a_broken_record_is_told(tmp_path: Path) -> None:
    full(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(RunError, match=r"run\.json:1: is not JSON"):
        report(tmp_path)


def explained(title: str) -> Explanation:
    axis = Axis(["[CLS]", title], [0, 1], ["[CLS]", title], [True, False])
    answers = [Answer(f"answer {number}", 0.5) for number in range(15)]
    importance = np.tile([np.nan, -0.25], (1, 15, 1))
    ways = [Way("occlusion", "a blank", True)]
    return Explanation(title, "tiny", [axis], answers, ways, importance, np.ones((15, 2), bool))


def test_explained_texts_are_there_as_far_as_they_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [explained(word) for word in ("owls", HOSTILE, "cats")]
    run = write_run(tmp_path / "run", arrays=EXPLANATIONS.arrays(texts))
    told = report_of(run).explanations
    assert [each.title for each in told] == ["owls", HOSTILE, "cats"]
    assert told[0].importance[0][0] == [None, -0.25]
    assert len(told[0].answers) == len(told[0].seen) == 12 and told[0].answers_left == 3
    assert "<script>alert(1)" not in report(run).read_text("utf-8")
    monkeypatch.setattr(reporting, "MOST_NUMBERS", 50)
    cut = report_of(run)
    assert [each.title for each in cut.explanations] == ["owls", HOSTILE]
    assert any("colours the words of 2 texts, of 3" in note for card in cut.verbs for note in card.notes)
