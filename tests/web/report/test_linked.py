"""Maps with known links: what runs of structure and align give the report, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import headscope
from benchmarks.planted_links import pairs, plant
from headscope.models import Model
from headscope.results.linked import LINKED, LinkedMap
from headscope.web.look_wire import LinkedWire
from headscope.web.report.content import report_of
from tests.shapes import bert  # noqa: F401
from tests.trees import corpus, document, treebank
from tests.web.report.runs import write_run

SENTENCE = "the>3:det old>3:amod keeper>4:nsubj saw>0:root a>6:det ship>4:obj"


def triples(linked: LinkedWire) -> list[tuple[int, int, int]]:
    return [(link.query, link.key, link.kind) for link in linked.links]


def test_structure_gives_words_and_their_parents(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    trees = corpus(document("first", SENTENCE), *treebank(11))
    result = headscope.structure(bert, trees, twins=0, out=tmp_path / "run", plots=False)
    first, second = report_of(headscope.open(tmp_path / "run")).linked
    assert first.verb == second.verb == "structure" and first.same
    assert first.query == first.key == ["the", "old", "keeper", "saw", "a", "ship"]
    # Every word but the root, which is the fourth.
    assert triples(first) == [(0, 2, 0), (1, 2, 0), (2, 3, 0), (4, 5, 0), (5, 3, 0)]
    assert first.kinds == ["a word and its parent"]
    best = result.arrays["structure_maps"].isel(tree=0)
    assert first.by.startswith(f"{best['closest'].values}, the closest head")
    np.testing.assert_allclose(first.weights, best["weights"].values[0, :6, :6], rtol=1e-5)
    np.testing.assert_allclose(np.sum(first.weights, axis=1), 1, rtol=1e-4)


def test_align_gives_sure_and_possible_links(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text(pairs(6)[1])
    plant(tmp_path / "planted")
    headscope.align(
        tmp_path / "planted", pairs(6)[0], gold=tmp_path / "gold", twins=0, out=tmp_path / "run", plots=False
    )
    linked = report_of(headscope.open(tmp_path / "run")).linked
    assert [len(each.query) for each in linked] == [4, 6, 4, 6]
    first = linked[0]
    assert (first.verb, first.same) == ("align", False)
    assert (first.query, first.key) == (["w8", "w3", "w18", "w13"], ["w3", "w8", "w13", "w18"])
    assert first.kinds == ["a link by gold", "a possible link by gold"]
    # The fourth word of each source is linked possibly, to the third of the target.
    assert triples(first) == [(0, 1, 0), (1, 0, 0), (2, 3, 1), (3, 2, 0)]
    assert [int(np.argmax(row)) for row in first.weights] == [1, 0, 3, 2]


def linked_map(links: list[list[int]]) -> LinkedMap:
    weights = np.array([[0.25, np.nan]])
    return LinkedMap("L0H0", ["owls"], ["few", "owls"], False, weights, ["sure"], np.reshape(links, (-1, 3)))


def test_maps_without_links_and_numbers_that_are_not_there(tmp_path: Path) -> None:
    run = write_run(tmp_path, arrays=LINKED.arrays([linked_map([]), linked_map([[0, 1, 0]])]))
    none, one = report_of(run).linked
    assert none.links == [] and none.weights == [[0.25, None]]
    assert triples(one) == [(0, 1, 0)]


def test_links_that_leave_the_words_are_left_out_of_the_report(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"links \[\[0, 2, 0\]\] do not fit \(1, 2\) words"):
        linked_map([[0, 2, 0]])
    arrays = LINKED.arrays([linked_map([[0, 1, 0]])])
    arrays["linked_0"].attrs["key"] = ["few"]
    told = report_of(write_run(tmp_path, arrays=arrays))
    assert told.linked == []
    assert "the maps with known links are not as headscope writes them" in told.verbs[0].notes[-1]
