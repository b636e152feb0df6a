"""Tasks from treebanks and from files: parts, names, what is too few."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.errors import InputError, OptionError
from headscope.questions.sentences.making.examples import SHARES, Example
from headscope.questions.sentences.reading import MADE, Sources, Task, chosen
from tests.questions.sentences.made import conllu


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    path = tmp_path / "my.conllu"
    path.write_text(conllu(12, 8))
    return path


def labelled(path: Path, splits: str = "tr va te") -> Path:
    lines = [f"{split}\t{label}\ta b c {label}\n" for split in splits.split() for label in "AB"]
    path.write_text("".join(lines))
    return path


def test_tasks_are_made_and_read(trees: Path, tmp_path: Path) -> None:
    sources = Sources.of([trees, labelled(tmp_path / "mine.txt")], limit=None, skip_broken=False)
    tasks = {task.name: task for task in sources.tasks(seed=0)}
    assert list(tasks)[-1] == "mine" and tasks["mine"].source == "mine.txt"
    assert tasks["SentLen"].source == MADE and not tasks["TreeDepth"].examples
    assert tasks["mine"].lacks(6) == "" and [tasks["mine"].count(split) for split in SHARES] == [2, 2, 2]
    assert sources.corpus().name == "my.conllu, mine.txt"


def test_no_document_is_in_two_parts_and_no_target_is(trees: Path) -> None:
    tasks = {task.name: task for task in Sources.of([trees]).tasks(seed=0)}
    for name in ("SentLen", "BShift", "SOMO"):
        homes = {(example.document, example.split) for example in tasks[name].examples}
        assert len(homes) == len({document for document, _ in homes}), name
    verbs = {"saw", "sees", "wrote", "writes", "passed"}
    targets = {(word, one.split) for one in tasks["Tense"].examples for word in one.words if word in verbs}
    assert len(targets) == len({word for word, _ in targets})


def test_equal_sentences_count_once(tmp_path: Path) -> None:
    path = tmp_path / "twice.conllu"
    text = conllu(6, 3)
    path.write_text(text + text.replace("id = d", "id = e"))
    assert len(Sources.of([path]).trees) == len({one.surfaces() for one in Sources.of([path]).trees})


@pytest.mark.parametrize(
    ("examples", "lacks"),
    [
        ([("A", "tr")], "1 examples, at least 2 are wanted"),
        ([("A", "tr"), ("B", "te")], "no example in va"),
        ([("A", "tr"), ("A", "va"), ("A", "te")], "all examples in tr have the same label"),
        ([("A", "tr"), ("B", "va"), ("B", "te")], "all examples in tr have the same label"),
        ([("A", "tr"), ("B", "tr"), ("B", "va"), ("A", "te")], ""),
    ],
)
def test_what_a_task_lacks(examples: list[tuple[str, str]], lacks: str) -> None:
    made = [Example(("a",), label, "d", split) for label, split in examples]
    assert Task("mine", "mine.txt", made).lacks(2) == lacks


def test_files_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    places = [tmp_path / name / "tense.txt" for name in ("tr", "ru")]
    for place in places:
        place.parent.mkdir()
        labelled(place)
    assert [task.name for task in Sources.of(places).tasks(seed=0)] == ["tense-1", "tense-2"]


def test_tasks_are_chosen_by_name() -> None:
    tasks = [Task(name, MADE, []) for name in ("SentLen", "BShift")]
    assert [task.name for task in chosen(tasks, ["BShift"])] == ["BShift"] and chosen(tasks, []) == tasks
    with pytest.raises(OptionError, match="BShift"):
        chosen(tasks, ["Bshift"])


def test_what_has_no_trees_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    (path / "plain.txt").write_text("Only words.\n")
    with pytest.raises(InputError, match="has no trees; give treebanks"):
        Sources.of([path])
