"""Known links over maps in a report, in Chromium: arcs of trees, frames of alignments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from headscope.results.linked import LINKED, LinkedMap
from headscope.web.report.pages import report
from tests.browser.axe import axe_script
from tests.browser.chromium import SIZES, Visitor, overflow
from tests.browser.test_access import expect_accessible
from tests.browser.test_hostile import SCRIPT, expect_no_harm
from tests.web.report.runs import write_run

SENTENCE = ["the", "old", "keeper", "saw", "a", "ship"]
PARENTS = {0: 2, 1: 2, 2: 3, 4: 5, 5: 3}
TARGET, SOURCE = ["Der", "Turm", SCRIPT], ["The", "tower", "sleeps", "."]


def maps() -> list[LinkedMap]:
    arcs = np.array([[word, parent, 0] for word, parent in PARENTS.items()])
    weights = np.random.default_rng(0).dirichlet(np.full(6, 0.3), 6)
    weights[0] = [0.125, 0.1, 0.5, 0.1, 0.1, 0.075]
    aligned = np.array([[0, 0, 0], [1, 1, 0], [2, 2, 1]])
    wide = np.random.default_rng(1).dirichlet(np.full(4, 0.3), 3)
    kinds = ["a link by gold", "a possible link by gold"]
    return [
        LinkedMap("L0H1", SENTENCE, SENTENCE, True, weights, ["a word and its parent"], arcs),
        LinkedMap("cross:L0H0", TARGET, SOURCE, False, wide, kinds, aligned),
    ]


def test_links_are_drawn_over_their_maps(visitor: Visitor, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", arrays=LINKED.arrays(maps()))
    page = visitor.open(report(run), script=axe_script())
    page.get_by_role("link", name="Known links").click()
    tree, pair = (page.get_by_test_id(f"linked-{number}") for number in range(2))
    expect(tree.get_by_test_id("known-arc")).to_have_count(5)
    expect(tree.get_by_test_id("known-frame")).to_have_count(5)
    expect(pair.get_by_test_id("known-arc")).to_have_count(0)
    expect(pair.get_by_test_id("known-frame")).to_have_count(3)
    expect(pair.locator("rect.unsure")).to_have_count(1)
    # The first frame is that of the first word and its parent; the canvas below tells its weight.
    frame = tree.get_by_test_id("known-frame").first.bounding_box()
    assert frame is not None
    page.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    expect(tree.get_by_test_id("readout")).to_have_text("the → keeper 50.0 % a word and its parent")
    expect(tree.locator("g.aside")).to_have_count(4)
    expect_accessible(page)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert overflow(page) <= 0
    expect_no_harm(page)
