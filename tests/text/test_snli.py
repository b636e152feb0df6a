"""SNLI as it is handed on: a table without a header, or parallel files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from headscope.errors import InputError
from headscope.text import read_labelled


def pairs(source: str, **options: bool) -> list[tuple[str, str | None, str | None]]:
    corpus = read_labelled(source, tagged=False, second=None, **options)
    return [(document.text, document.second, document.label) for document in corpus]


def write_parallel(folder: Path, labels: str = "neutral\nentailment\n") -> str:
    (folder / "s1.dev").write_text("A ship sails . \nNobody sleeps . \n")
    (folder / "s2.dev").write_text("A ship is n't old . \nAll are awake . \n")
    (folder / "labels.dev").write_text(labels)
    return f"snli:{folder}/dev"


def test_a_table(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text('3\t3\tA "ship" sails.\tIt moves.\n1\t1\tOne sleeps.\tOne dreams.\n')
    assert pairs(f"snli:{tmp_path}/train.csv") == [
        ('A "ship" sails.', "It moves.", "entailment"),
        ("One sleeps.", "One dreams.", "neutral"),
    ]


def test_parallel_files(tmp_path: Path) -> None:
    assert pairs(write_parallel(tmp_path)) == [
        ("A ship sails .", "A ship is n't old .", "neutral"),
        ("Nobody sleeps .", "All are awake .", "entailment"),
    ]
    assert len(pairs(write_parallel(tmp_path, "-\nneutral\n"))) == 1, "without a gold label it is left out"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("1\t1\tOne.", "3 fields"),
        ("1\t2\tOne.\tTwo.", "labels '1' and '2'"),
        ("4\t4\tOne.\tTwo.", "labels '4'"),
        ("1\t1\tOne.\t ", "the hypothesis is empty"),
    ],
)
def test_broken_rows_are_told_with_their_line_or_left_out(tmp_path: Path, row: str, told: str) -> None:
    (tmp_path / "train.csv").write_text(f"3\t3\tA ship.\tA boat.\n{row}\n")
    with pytest.raises(InputError, match=rf"train\.csv:2: {told}"):
        pairs(f"snli:{tmp_path}/train.csv")
    assert len(pairs(f"snli:{tmp_path}/train.csv", skip_broken=True)) == 1


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"labels\.dev:2: the file ends here"):
        pairs(write_parallel(tmp_path, "neutral\n"))
    with pytest.raises(InputError, match=r"labels\.dev:2: 'maybe' is no label"):
        pairs(write_parallel(tmp_path, "neutral\nmaybe\n"))
    (tmp_path / "s2.dev").unlink()
    with pytest.raises(InputError, match=r"s2\.dev: no such file"):
        pairs(f"snli:{tmp_path}/dev")


def test_the_real_files(data: Path) -> None:
    folder = data / "04_nli"
    if not folder.is_dir():
        pytest.skip("no SNLI here")
    train = pairs(f"snli:{folder}/snli_train_subset/train.csv")
    assert Counter(label for *_, label in train) == {
        "neutral": 5_899,
        "contradiction": 6_086,
        "entailment": 6_015,
    }
    assert len(pairs(f"snli:{folder}/esnli_dev_test/dev")) == 9_842


@pytest.mark.parametrize("source", ["snli:", "snli:.", "snli:/"])
def test_a_source_without_a_name_is_refused(source: str) -> None:
    with pytest.raises(InputError, match=rf"^{source}: no file is named; snli:PATH/train\.csv or "):
        pairs(source)
