"""The pictures of probes: scores beside baselines, and the heads that probes lean on."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.drawing.style import DOUBLE, SINGLE, TALLEST
from headscope.questions.pictures import available, draw
from tests.questions.probe.results import build_probe
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def test_they_are_drawn_for_their_own_results_alone() -> None:
    assert available(build_probe()) == ["probes", "probe_heads"]
    assert not {"probes", "probe_heads"} & set(available(build_survey()))


def test_means_seeds_intervals_and_published_numbers_are_drawn() -> None:
    result = build_probe()
    figure = draw("probes", result)
    left, right = figure.axes
    summary, probes = result.table("probe_summary"), result.table("probes")
    uas = summary[summary["measure"] == "uas"]
    drawn = [np.asarray(line.get_xdata()).tolist() for line in left.lines]
    assert (100 * uas["mean"]).tolist() in drawn
    assert (100 * probes.loc[probes["probe"] != "right-branching", "uas"]).tolist() in drawn
    assert (100 * uas["published"].dropna()).tolist() in drawn
    assert [80.0] in [np.asarray(line.get_xdata()).tolist() for line in right.lines]
    segments = [part[:, 0] for lines in left.collections for part in lines.get_segments()]
    assert any(np.allclose(part, 100 * uas[["low", "high"]].iloc[0]) for part in segments)
    assert [label.get_text() for label in left.get_yticklabels()] == list(summary["probe"].unique())
    assert {f"{100 * mean:.1f}" for mean in uas["mean"]} <= {text.get_text() for text in left.texts}


def test_one_seed_without_words_and_without_intervals_is_drawn() -> None:
    result = build_probe(2, 4, seeds=1, words=False)
    result.tables["probe_summary"][["low", "high", "spread"]] = np.nan
    figure = draw("probes", result)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["each word by itself", "best tree", "Clark et al. 2019"]
    assert len(draw("probe_heads", result).axes) == 2


def test_a_head_stands_in_its_cell_and_what_is_sure_is_bold() -> None:
    result = build_probe(2, 3)
    heads = result.arrays["heads"]
    heads["drop"][4] = [0.0312, -0.001]
    heads["drop_low"][4], heads["drop_high"][4] = [0.02, -0.004], [0.04, 0.002]
    first, second, _ = draw("probe_heads", result).axes
    (mesh,) = first.collections
    assert np.asarray(mesh.get_array()).reshape(2, 3)[1, 1] == pytest.approx(3.12)
    told = [{text.get_position(): text for text in axes.texts}[1, 1] for axes in (first, second)]
    assert [(one.get_text(), one.get_fontweight()) for one in told] == [("3.1", "bold"), ("-0.1", "normal")]
    assert first.get_ylim() == (1.5, -0.5)


@pytest.mark.parametrize(("layers", "heads"), [(1, 1), (12, 16), (32, 32), (80, 64)])
def test_any_size_fits_a_page(layers: int, heads: int) -> None:
    figure = draw("probe_heads", build_probe(layers, heads))
    assert figure.get_figwidth() in (SINGLE, DOUBLE) and figure.get_figheight() <= TALLEST
