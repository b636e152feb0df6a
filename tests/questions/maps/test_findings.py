"""The sentence of maps, from a table made by hand."""

from __future__ import annotations

from tests.questions.told import told


def test_the_strongest_link() -> None:
    links = [
        {"head": "L0H0", "from": "cat", "to": "sat", "weight": 0.4},
        {"head": "L0H1", "from": "the", "to": "mat", "weight": 0.84},
    ]
    text = "The strongest link in this text is that of head L0H1, from “the” to “mat”: 84 %."
    assert told("maps", links=links) == [(text, True, "L0H1")]
