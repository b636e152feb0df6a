"""Means over segments with standard errors over documents, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.blocks import BLOCKS, block_of
from headscope.tallies import ClusterMeans


def tally_of(documents: list[str], values: list[float], valid: list[bool] | None = None) -> ClusterMeans:
    tally = ClusterMeans(1, 1)
    marked = np.ones(len(values), bool) if valid is None else np.array(valid)
    tally.update(documents, np.array(values).reshape(-1, 1, 1), marked.reshape(-1, 1, 1))
    return tally


def test_every_segment_has_the_same_weight() -> None:
    assert tally_of(["a", "a", "b"], [1.0, 2.0, 6.0]).means().item() == 3.0


def test_standard_error_by_hand() -> None:
    # Documents a, d: sum 3 of 2 segments, b, e: 6 of 1, c, f: 3 of 1; mean 24 / 8 = 3.
    tally = tally_of(list("aabcddef"), [1.0, 2.0, 6.0, 3.0] * 2)
    assert tally.means().item() == 3.0
    # Residuals sum - mean x count: 3 - 6 = -3, 6 - 3 = 3, 3 - 3 = 0, and again; squares add up to 36.
    # sqrt(36 x 6 / 5) / 8 segments.
    assert tally.standard_errors().item() == pytest.approx(np.sqrt(43.2) / 8)


def test_one_segment_per_document_gives_the_textbook_standard_error() -> None:
    values = [0.3, 0.9, 0.1, 0.5, 0.7, 0.2]
    tally = tally_of(list("abcdef"), values)
    assert tally.standard_errors().item() == pytest.approx(np.std(values, ddof=1) / np.sqrt(6))


def test_undefined_values_do_not_count() -> None:
    values = [1.0, 5.0, 1.0, 5.0, 1.0, 5.0]
    tally = tally_of(list("abcdefa"), [*values, np.nan], [True] * 6 + [False])
    assert tally.means().item() == 3.0
    assert tally.standard_errors().item() == pytest.approx(np.std(values, ddof=1) / np.sqrt(6))


def test_nothing_defined_is_nan() -> None:
    tally = tally_of(["a", "b"], [1.0, 2.0], [False, False])
    assert np.isnan(tally.means().item()) and np.isnan(tally.standard_errors().item())
    assert np.isnan(ClusterMeans(1, 1).means().item())


@pytest.mark.parametrize("documents", ["aa", "abcde"])
def test_few_documents_have_no_standard_error(documents: str) -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0][: len(documents)]
    assert np.isnan(tally_of(list(documents), values).standard_errors().item())


def test_a_document_may_come_in_several_updates() -> None:
    tally = ClusterMeans(1, 1)
    ones = np.ones((1, 1, 1), bool)
    values = {"a": 1.0, "b": 6.0, "c": 3.0, "d": 5.0, "e": 2.0, "f": 0.0}
    for document, value in [*values.items(), ("a", 2.0)]:
        tally.update([document], np.full((1, 1, 1), value), ones)
    whole = tally_of([*values, "a"], [*values.values(), 2.0])
    assert tally.standard_errors().item() == whole.standard_errors().item() > 0
    assert tally.documents == 6


def test_sums_are_kept_by_block() -> None:
    tally = tally_of(["a", "b", "a"], [1.0, 2.0, 4.0])
    tally.close()
    expected = np.zeros(BLOCKS)
    expected[block_of("a")] += 5
    expected[block_of("b")] += 2
    assert tally.total[:, 0, 0].tolist() == expected.tolist()


def test_items_and_measures_are_apart() -> None:
    tally = ClusterMeans(2, 3)
    values = np.arange(12.0).reshape(2, 2, 3)
    tally.update(["a", "b"], values, np.ones((2, 2, 3), bool))
    assert tally.means().tolist() == values.mean(0).tolist()
