"""Labelled spans: of PropBank, of GUM's entities, of JSON lines; cut, packed, refused with file and line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.text import Document, read, window
from headscope.text.edges import Edge, Edges
from headscope.text.packing import pack, unpack

PROPBANK = """# sent_id = a-1
d1 0 0 The DT (TOP(S(NP* - - (ARG0* *
d1 0 1 dog NN *) - - *) *
d1 0 2 wants VBZ (VP* want want.01 (V*) *
d1 0 3 to TO (S(VP* - - (ARG1* *
d1 0 4 sleep VB (VP*)))))) sleep sleep.01 *) (V*)

d1 1 0 Rain NN (TOP(FRAG(NP*))) - -

d2 0 0 Yes UH (TOP(INTJ*)) - -
"""


def edges_of(document: Document, kind: str) -> list[tuple[str, int, int, tuple[int, int] | None]]:
    assert document.edges is not None
    return [tuple(edge)[1:] for edge in document.edges.edges if edge.kind == kind]


def test_propbank_by_hand(tmp_path: Path) -> None:
    """Phrases over the same words are one, from the top down; a role joins predicate and argument."""
    path = tmp_path / "a.gold_conll"
    path.write_text(PROPBANK)
    first, second = read(path)
    assert first.id == "d1" and first.text == "The dog wants to sleep\nRain" and second.id == "d2"
    assert first.edges is not None and first.edges.sentences.tolist() == [0] * 5 + [1]
    assert edges_of(first, "constituents") == [
        ("S", 0, 5, None),
        ("NP", 0, 2, None),
        ("VP", 2, 5, None),
        ("S+VP", 3, 5, None),
        ("VP", 4, 5, None),
        ("FRAG+NP", 5, 6, None),
    ]
    assert edges_of(first, "srl") == [("ARG0", 2, 3, (0, 2)), ("ARG1", 2, 3, (3, 5))]


@pytest.mark.parametrize(
    ("row", "line", "why"),
    [
        ("d 0 0 a NN NP* - -", 1, "brackets such as"),
        ("d 0 0 a NN (NP* - -", 1, "never closed"),
        ("d 0 0 a NN (NP*) - -\nd 0 1 b NN *) - -", 2, "none is open"),
        ("d 0 0 a NN (NP*) - -\nd 0 1 b NN * - - *", 2, "as many in all rows"),
        ("d 0 0 a", 1, "4 columns"),
    ],
)
def test_broken_propbank(row: str, line: int, why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gold_conll"
    path.write_text(row + "\n")
    with pytest.raises(InputError, match=rf"a\.gold_conll:{line}: .*{why}"):
        list(read(path))


def test_a_shared_task_file_is_told_from_propbank(tmp_path: Path) -> None:
    path = tmp_path / "a.gold_conll"
    path.write_text("#begin document (x); part 000\nx 0 0 Rain NN * - - - sp * (1)\n\n#end document\n")
    (document,) = read(path)
    assert document.coreference is not None and len(document.coreference.mentions) == 1


def test_kinds_of_entities(tmp_path: Path) -> None:
    """GUM tells them in CoNLL-U and in its export."""
    export = tmp_path / "a.conll"
    export.write_text(
        "# begin document d\n1\tAnna\t(person-1)\n2\tsaw\t_\n3\tRome\t(place-2-Rome)\n# end document\n"
    )
    (document,) = read(export)
    assert edges_of(document, "entities") == [("person", 0, 1, None), ("place", 2, 3, None)]
    treebank = tmp_path / "a.conllu"
    row = "{}\t{}\t_\tPROPN\t_\t_\t{}\t{}\t_\tEntity=({}-{}-new-sgl)"
    treebank.write_text(
        "# newdoc id = d\n# global.Entity = GRP-etype-infstat-link\n"
        + "\n".join(
            [row.format(1, "Anna", 2, "nsubj", 1, "person"), row.format(2, "Rome", 0, "root", 2, "place")]
        )
        + "\n\n"
    )
    (document,) = read(treebank)
    assert edges_of(document, "entities") == [("person", 0, 1, None), ("place", 1, 2, None)]


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "The dog wants to sleep", "targets": [{"span1": [2, 3], "span2": [0, 2], "label": "ARG0"}, '
        '{"span1": [4, 5], "label": ["V"], "info": {}}], "info": {"id": 1}}\n'
    )
    (document,) = read(path)
    assert document.surfaces() == ("The", "dog", "wants", "to", "sleep")
    assert edges_of(document, "edges") == [("ARG0", 2, 3, (0, 2)), ("V", 4, 5, None)]


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ('{"span1": [0, 3], "label": "a"}', r"\[0, 3\] is not in a text of 2 words"),
        ('{"span1": [1, 1], "label": "a"}', "is not in a text"),
        ('{"span1": [0.5, 1], "label": "a"}', r"is to be \[start, end\]"),
        ('{"span1": [0, 1], "span2": 3, "label": "a"}', "'span2' is to be"),
        ('{"span1": [0, 1]}', "the label of a target"),
        ('{"span1": [0, 1], "label": ["a", "b"]}', "one text or number"),
        ('{"span1": [0, 1], "label": "a"}, 7', "a target is to be an object"),
        ('{"span_1": [0, 1], "label": "a"}', "'span1' is to be"),
        ('{"span1": [0, 1], "label": "a"', "broken JSON"),
    ],
)
def test_malformed_json_lines_are_named(target: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = '{"text": "Rain falls", "targets": [{"span1": [0, 1], "label": "x"}]}'
    path.write_text(f'{good}\n{{"text": "Rain falls", "targets": [{target}]}}\n')
    with pytest.raises(InputError, match=rf"a\.jsonl:2: .*{why}"):
        list(read(path))


def test_cut_and_packed() -> None:
    edges = (Edge("a", "x", 0, 2), Edge("a", "y", 1, 3, (3, 4)), Edge("b", "z", 2, 3, (0, 1)))
    document = Document(
        "d", "a b c d", ((0, 1), (2, 3), (4, 5), (6, 7)), edges=Edges(edges, np.zeros(4, int))
    )
    part = window(document, 1, 4)
    assert part.edges is not None and part.edges.edges == (Edge("a", "y", 0, 2, (2, 3)),)
    (again,) = unpack(pack([document]))
    assert again.edges is not None and again.edges.edges == edges
    with pytest.raises(InputError, match="not in a text of 2 words"):
        Edges((Edge("a", "x", 0, 3),), np.zeros(2, int))
