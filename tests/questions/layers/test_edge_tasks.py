"""What is asked of hidden states: targets by hand, and what is skipped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headscope.errors import InputError, OptionError
from headscope.questions.layers.cases import marked as bracketed
from headscope.questions.layers.edge_tasks import NEGATIVES, TASKS, Target, tasks_named
from headscope.questions.layers.reading import read_data
from headscope.text import Corpus, Dependencies, Document
from headscope.text.edges import Edge, Edges
from tests.mentions import marked


def found(name: str, document: Document, seed: int = 0) -> list[Target]:
    return TASKS[name].find(document, np.random.default_rng(seed))


def tree() -> Document:
    layer = Dependencies(
        np.array([1, 2, -1]),
        ("det", "nsubj", "root"),
        np.zeros(3, int),
        ("DT", "NN", ""),
        ("DET", "NOUN", "VERB"),
    )
    return replace(Document.from_words("d", ["The", "dog", "sleeps"]), dependencies=layer)


def test_words_and_edges_of_a_tree() -> None:
    """A word without a tag is not asked, and the root has no head."""
    assert found("pos", tree()) == [Target("DET", (0, 1)), Target("NOUN", (1, 2)), Target("VERB", (2, 3))]
    assert found("xpos", tree()) == [Target("DT", (0, 1)), Target("NN", (1, 2))]
    assert found("deps", tree()) == [Target("det", (0, 1), (1, 2)), Target("nsubj", (1, 2), (2, 3))]


def test_pairs_of_mentions() -> None:
    """Of 5 mentions, 3 of one entity: 3 pairs are of it, and 6 of the 7 others are drawn."""
    spans = [(0, 1, "a"), (1, 2, "b"), (2, 3, "a"), (3, 4, "c"), (4, 5, "a")]
    document = marked("d", "she Rome she town she", spans)
    targets = found("coref", document)
    assert sorted(target.label for target in targets) == ["0"] * 6 + ["1"] * 3
    same = [target for target in targets if target.label == "1"]
    assert [(one.span, one.other) for one in same] == [((0, 1), (2, 3)), ((0, 1), (4, 5)), ((2, 3), (4, 5))]
    assert found("coref", document, 1) != targets and found("coref", document) == targets
    assert NEGATIVES == 2 and TASKS["coref"].count(document) == 5


def test_scores_are_over_the_labels_that_count() -> None:
    roles = ("ARG0", "R-ARG0", "C-ARG1", "ARGM-TMP")
    assert [TASKS["srl"].counted(role) for role in roles] == [True, False, False, True]
    assert [TASKS["coref"].counted(label) for label in "01"] == [False, True] and TASKS["pos"].counted("X")


def test_names() -> None:
    assert [task.name for task in tasks_named(["pos, deps", "pos"])] == ["pos", "deps"]
    with pytest.raises(OptionError, match="unknown task 'tags'"):
        tasks_named(["tags"])


def test_a_case_in_words() -> None:
    words = [f"w{number}" for number in range(40)]
    text = bracketed(words, [[20, 21], [22, 24]])
    assert text.startswith("... w12 ") and "[w20] w21 {w22 w23} w24" in text and text.endswith("w31 ...")


def corpus(*documents: Document) -> Corpus:
    return Corpus("made", "made.jsonl", lambda: list(documents))


def labelled(id: str, *edges: Edge) -> Document:
    return replace(Document.from_words(id, ["a", "b", "c"]), edges=Edges(edges, np.zeros(3, int)))


def test_what_data_has_is_asked() -> None:
    """Without a wish: all tasks with two labels or more. Labels come from what is trained on, by number."""
    some = [labelled(f"d{number}", Edge("edges", "xyy"[number % 3], 0, 2)) for number in range(30)]
    data = read_data(corpus(*some), corpus(labelled("t", Edge("edges", "z", 1, 2))), [], 0)
    assert [task.name for task in data.tasks] == ["edges"]
    (labels,) = data.labels("sentences")
    assert labels.names == ("y", "x") and labels.shares == pytest.approx((2 / 3, 1 / 3)) and labels.spans == 1


def test_refusals() -> None:
    pair, single = Edge("edges", "x", 0, 1, (1, 2)), Edge("edges", "y", 0, 1)
    with pytest.raises(InputError, match="some targets have span2 and some have not"):
        read_data(corpus(labelled("d", pair, single)), None, [], 0)
    with pytest.raises(InputError, match="some targets have span2 and some have not"):
        read_data(corpus(labelled("d", pair), labelled("e", single)), corpus(tree()), [], 0)
    with pytest.raises(InputError, match="some targets have span2 and some have not"):
        read_data(corpus(labelled("d", pair)), corpus(labelled("t", single)), [], 0)
    with pytest.raises(InputError, match="nothing to train on for the task coref"):
        read_data(corpus(tree()), corpus(tree()), tasks_named(["coref"]), 0)
    with pytest.raises(InputError, match="all targets of edges have one label, 'y'"):
        read_data(corpus(labelled("d", single)), corpus(labelled("t", single)), tasks_named(["edges"]), 0)
    with pytest.raises(InputError, match="nothing that a probe could learn"):
        read_data(corpus(labelled("d", single)), corpus(labelled("t", single)), [], 0)
    with pytest.raises(InputError, match="too few documents to hold some out"):
        read_data(corpus(labelled("d", single)), None, [], 0)
