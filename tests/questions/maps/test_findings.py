"""The sentence of maps, from a table made by hand."""

from __future__ import annotations

from tests.questions.told import told


def test_the_strongest_link_of_rows_of_which_enough_is_left() -> None:
    links = [
        {"head": "L0H0", "from": "cat", "to": "sat", "weight": 0.4, "left": 1.0},
        {"head": "L0H1", "from": "the", "to": "mat", "weight": 0.84, "left": 0.05},
        {"head": "L0H2", "from": "cat", "to": "mat", "weight": 1.0, "left": 0.049},
    ]
    text = "The strongest link in this text is that of head L0H1, from “the” to “mat”: 84 %."
    assert told("maps", links=links) == [(text, True, "L0H1")]
    assert told("maps", links=links[2:]) == []
