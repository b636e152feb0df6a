"""Explained texts kept beside a result come back as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headscope.errors import RunError
from headscope.results.arrays import read_arrays, write_arrays
from headscope.results.explanations import EXPLANATIONS
from headscope.results.look import Answer, Axis, Explanation, Way

SOURCE = Axis(["[CLS]", "ow", "ls"], [0, 1, 1], ["[CLS]", "owls"], [True, False, False])
TARGET = Axis(["<s>"], [0], ["<s>"], [True])


def explanation(title: str) -> Explanation:
    importance = np.array([[[0.1, np.nan, -2.0, 0.5]], [[0.0, 1.0, 2.0, 3.0]]])
    return Explanation(
        title, "tiny", [SOURCE, TARGET], [Answer("Eule </script>", 0.25)],
        [Way("occlusion", "a blank for the piece", True), Way("first", "the earlier, the more")],
        importance, np.array([[True, True, True, False]]),
    )  # fmt: skip


def test_texts_come_back_from_the_disk_in_their_order(tmp_path: Path) -> None:
    texts = [explanation(f'text {number} "ü"') for number in range(11)]
    arrays = EXPLANATIONS.arrays(texts)
    write_arrays(tmp_path, "explain", arrays)
    read = EXPLANATIONS.read({name: read_arrays(tmp_path, "explain", name) for name in sorted(arrays)})
    assert [one.title for one in read] == [one.title for one in texts]
    for found, expected in zip(read, texts, strict=True):
        np.testing.assert_array_equal(found.importance, expected.importance)
        np.testing.assert_array_equal(found.seen, expected.seen)
        for name in ("model", "axes", "answers", "ways"):
            assert getattr(found, name) == getattr(expected, name)


def test_what_does_not_fit_together_is_refused() -> None:
    arrays = EXPLANATIONS.arrays([explanation("one")])
    arrays["explanation_0"].attrs["axes"] = arrays["explanation_0"].attrs["axes"][:1]
    with pytest.raises(RunError, match="the explained texts are not as headscope writes them"):
        EXPLANATIONS.read(arrays)
