from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headscope.results.files import write_json
from headscope.results.plain import plain

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner),
    max_leaves=8,
)


@given(VALUES)
def test_plain_values_survive_json_and_are_already_plain(value: object) -> None:
    once = plain(value)
    assert json.loads(json.dumps(once, allow_nan=False)) == once
    assert plain(once) == once


def test_special_values() -> None:
    assert plain([float("nan"), float("-inf")]) == ["nan", "-inf"]
    assert plain({"b", "a"}) == ["a", "b"]
    assert plain(np.array([[1, 2]])) == [[1, 2]]
    assert plain(np.bool_(True)) is True


def test_what_is_not_plain_is_refused() -> None:
    with pytest.raises(TypeError, match="object cannot be written as JSON"):
        plain({"x": object()})


def test_a_path_that_is_not_utf8_is_read_back(tmp_path: Path) -> None:
    odd = b"caf\xe9".decode("utf-8", "surrogateescape")
    write_json(tmp_path / "a.json", {"path": odd, "text": "長"})
    text = (tmp_path / "a.json").read_text("utf-8")
    assert "長" in text
    assert json.loads(text) == {"path": odd, "text": "長"}
