"""Sentences kept beside a result: what comes back is what was seen, to a byte a weight."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from headscope.errors import RunError
from headscope.results.arrays import read_arrays, write_arrays
from headscope.results.look import Axis, Look, Sheet, StackMaps
from headscope.results.quantised import quantise, restore
from headscope.results.sentences import read_sentences, sentence_arrays

READ = Axis(
    ["[CLS]", "ow", "ls", "[SEP]"], [0, 1, 1, 2], ["[CLS]", "owls", "[SEP]"], [True, False, False, True]
)
WRITTEN = Axis(["<s>", "Eule"], [0, 1], ["<s>", "Eule"], [True, False], second=1)


def weights(seed: int, heads: int, queries: int, keys: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(keys), (heads, queries)).astype(np.float32)


def look() -> Look:
    encoder = [Sheet(0, [0, 2], weights(0, 2, 4, 4)), Sheet(3, [1], weights(1, 1, 4, 4))]
    cross = [Sheet(0, [0, 1], weights(2, 2, 2, 4))]
    return Look("tiny", [StackMaps("encoder", READ, READ, encoder), StackMaps("cross", WRITTEN, READ, cross)])


def test_a_sentence_comes_back_from_the_disk(tmp_path: Path) -> None:
    arrays = {**sentence_arrays(0, 'Owls, "ü".', look()), **sentence_arrays(10, "Ten.", look()),
              **sentence_arrays(9, "Nine.", look())}  # fmt: skip
    write_arrays(tmp_path, "survey", arrays)
    read = read_sentences({name: read_arrays(tmp_path, "survey", name) for name in arrays})
    assert [text for text, _ in read] == ['Owls, "ü".', "Nine.", "Ten."]
    found = read[0][1]
    assert found.model == "tiny"
    for part, original in zip(found.stacks, look().stacks, strict=True):
        assert (part.stack, part.query, part.key) == (original.stack, original.query, original.key)
        for sheet, seen in zip(part.sheets, original.sheets, strict=True):
            assert (sheet.layer, sheet.heads) == (seen.layer, seen.heads)
            np.testing.assert_array_equal(sheet.weights, restore(quantise(seen.weights)))


def test_one_byte_is_kept_of_each_weight() -> None:
    arrays = sentence_arrays(0, "Owls.", look())
    assert {name: stored["weights"].values.nbytes for name, stored in arrays.items()} == {
        "sentence_0_encoder": 3 * 4 * 4,
        "sentence_0_cross": 2 * 2 * 4,
    }
    assert arrays["sentence_0_cross"].attrs["unit"] == "square root of the weight, in 255 steps"


def test_bytes_survive_being_read_and_written_again() -> None:
    every = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(quantise(restore(every)), every)


def test_other_arrays_are_passed_over() -> None:
    assert read_sentences({"heads": xr.Dataset(), "sentence_x_encoder": xr.Dataset()}) == []


@pytest.mark.parametrize("lost", ["text", "query", "weights", "layer"])
def test_what_is_missing_is_told(lost: str) -> None:
    stored = sentence_arrays(0, "Owls.", look())["sentence_0_encoder"]
    if lost in stored.attrs:
        del stored.attrs[lost]
    else:
        stored = stored.drop_vars(lost)
    with pytest.raises(RunError, match=rf"not as headscope writes them \(KeyError.*{lost}"):
        read_sentences({"sentence_0_encoder": stored})
