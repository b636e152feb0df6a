"""Parallel text and the links between its words."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.text import Corpus, Document
from headscope.text.links import Links, read_links
from headscope.text.packing import pack, unpack
from headscope.text.parallel import read_parallel, target_words, turned, words_in

SIDES = {"ein Hund": "a dog", "die Katze schläft": "the cat sleeps"}


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def sides(corpus: Corpus, found: bool = False) -> dict[str, str]:
    return {" ".join(pair.surfaces()): " ".join(target_words(pair, found)) for pair in corpus}


def test_every_form_gives_the_same_pairs(tmp_path: Path) -> None:
    lines = [f"{source}  ||| {target} " for source, target in SIDES.items()]
    joined = written(tmp_path / "pairs.txt", "\n".join(lines) + "\n")
    rows = "\n".join(["de,en", *(f'"{source}",{target}' for source, target in SIDES.items())])
    table = written(tmp_path / "pairs.csv", rows + "\n")
    wide = ["id\tsource\ttarget", *(f"7\t{source}\t{target}" for source, target in SIDES.items())]
    named = written(tmp_path / "pairs.tsv", "\n".join(wide) + "\n")
    source = tmp_path / "a.de.gz"
    source.write_bytes(gzip.compress("\n".join(SIDES).encode()))
    target = written(tmp_path / "a.en", "\n".join(SIDES.values()) + "\n")
    for corpus in (read_parallel(joined), read_parallel(table), read_parallel(named)):
        assert sides(corpus) == SIDES
    assert sides(read_parallel(source, target)) == SIDES
    assert sides(read_parallel(list(SIDES.items()))) == SIDES
    assert [pair.id for pair in read_parallel(source, target)] == ["a.de.gz:1", "a.de.gz:2"]


def test_words_are_parted_by_spaces_or_found() -> None:
    told = [("Er sagt:  nein.", "He says no.")]
    assert sides(read_parallel(told)) == {"Er sagt: nein.": "He says no."}
    (pair,) = read_parallel(told, found=True)
    assert pair.surfaces() == ("Er", "sagt", ":", "nein", ".")
    assert target_words(pair, found=True) == ("He", "says", "no", ".")
    assert pair.text == "Er sagt:  nein."  # as it was written
    assert words_in(" a  b", found=False) == ((1, 2), (4, 5))


def test_checksums_tell_targets_gold_and_words_apart(tmp_path: Path) -> None:
    source = written(tmp_path / "a", "ein Hund\n")
    targets = [written(tmp_path / name, text) for name, text in (("b", "a dog\n"), ("c", "one dog\n"))]
    gold = read_links(written(tmp_path / "gold", "0-0 1-1\n"))
    corpora = [
        *(read_parallel(source, target) for target in targets),
        read_parallel(source, targets[0], found=True),
        read_parallel(source, targets[0], gold=gold),
        read_parallel([("ein Hund", "a dog")]),
        read_parallel([("ein Hund", "one dog")]),
    ]
    assert len({corpus.checksum for corpus in corpora}) == len(corpora)


def test_what_is_wrong_is_told_with_its_place(tmp_path: Path) -> None:
    source, target = written(tmp_path / "a", "x\ny\n\n"), written(tmp_path / "b", "x\ny\n")
    with pytest.raises(InputError, match=r"a has 3 lines, but .*b has 2 lines; each line needs"):
        read_parallel(source, target)
    lines = written(tmp_path / "pairs", "a ||| b\na b\n\n ||| c\nx ||| y ||| z\n")
    with pytest.raises(InputError, match=r"pairs:2: 0 times '\|\|\|'; 'source \|\|\| target' is expected"):
        list(read_parallel(lines))
    corpus = read_parallel(lines, skip_broken=True)
    assert sides(corpus) == {"a": "b"}
    assert (
        "pairs:3: the line is empty" in corpus.notes[0] and "pairs:4: the source is empty" in corpus.notes[0]
    )
    source, target = written(tmp_path / "a", "x\ny\n"), written(tmp_path / "b", "x\n \n")
    with pytest.raises(InputError, match=r"b:2: the target is empty; every pair needs words on both sides"):
        list(read_parallel(source, target))
    with pytest.raises(InputError, match=r"pair #0 is alone; \(source, target\) is expected"):
        read_parallel(["alone"])
    with pytest.raises(InputError, match=r"wide.csv:1: .*source"):
        read_parallel(written(tmp_path / "wide.csv", "a,b,c\n1,2,3\n"))
    with pytest.raises(InputError, match="no such file"):
        read_parallel(tmp_path / "nowhere")


def test_gold_is_counted_from_what_it_shows(tmp_path: Path) -> None:
    pairs = [("a b", "x y z"), ("c", "z")]
    from_1 = read_links(written(tmp_path / "one", "1-1 2p3\n1-1\n"))
    from_0 = read_links(written(tmp_path / "zero", "0-0 1p2\n0-0\n"))
    assert (from_1.base, from_0.base) == (1, 0)
    for gold in (from_0, from_1):
        first, second = read_parallel(pairs, gold=gold)
        (links,) = first.links
        assert (links.source.tolist(), links.target.tolist()) == ([0, 1], [0, 2])
        assert links.sure.tolist() == [True, False] and len(second.links[0].source) == 1
    assert "words are counted from 1: no word 0 is named" in read_parallel(pairs, gold=from_1).notes[0]


def test_gold_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    pairs = [("a b", "x y z"), ("c", "z")]
    beyond = read_links(written(tmp_path / "gold", "0-0 1-3\n0-0\n"))
    with pytest.raises(InputError, match="gold:1: link 1-3 names word 3 of the target, which has 3 words"):
        read_parallel(pairs, gold=beyond)
    told = read_links(written(tmp_path / "gold", "0-0\n0-0\n"), base=1)
    with pytest.raises(InputError, match=r"gold:1: link 0-0 names word 0 of the source.*from 1, as told"):
        read_parallel(pairs, gold=told)
    with pytest.raises(InputError, match="gold: 1 lines of links, but memory has 2 pairs"):
        read_parallel(pairs, gold=read_links(written(tmp_path / "gold", "0-0\n")))
    with pytest.raises(InputError, match="gold:2: '1:1' is no link; i-j"):
        read_links(written(tmp_path / "gold", "0-0\n1:1\n"))
    with pytest.raises(InputError, match="gold: no link"):
        read_links(written(tmp_path / "gold", "\n\n"))


def test_links_are_packed_and_turned() -> None:
    links = Links.of([(1, 0, False), (1, 0, True), (0, 2, False)], 2, 3)
    assert (links.source.tolist(), links.target.tolist(), links.sure.tolist()) == (
        [0, 1],
        [2, 0],
        [False, True],
    )
    pair = Document("p", "a b", ((0, 1), (2, 3)), "x y z", links=(links,))
    (again,) = unpack(pack([pair]))
    assert again.links[0].sure.tolist() == [False, True] and again.links[0].targets == 3
    other = turned(pair, found=False)
    assert (other.text, other.target, len(other.words)) == ("x y z", "a b", 3)
    assert other.links[0].source.tolist() == [2, 0]
    with pytest.raises(InputError, match="2 words, but links of 3"):
        Document("p", "a b", ((0, 1), (2, 3)), "x", links=(Links(*np.zeros((3, 0), np.int64), 3, 1),))


def test_columns_that_are_named_are_taken_by_name(tmp_path: Path) -> None:
    (tmp_path / "named.csv").write_text("target,source\nthe house,das Haus\n")
    (tmp_path / "other.csv").write_text("de,en\ndas Haus,the house\n")
    for name in ("named.csv", "other.csv"):
        (pair,) = read_parallel(tmp_path / name)
        assert (pair.text, pair.target) == ("das Haus", "the house")


def test_only_blanks_part_words_that_gold_counts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\u00a0: b ||| x y\n")
    (tmp_path / "gold").write_text("0-0 1-1\n")
    (pair,) = read_parallel(tmp_path / "a.txt", gold=read_links(tmp_path / "gold"))
    assert pair.surfaces() == ("a\u00a0:", "b")
