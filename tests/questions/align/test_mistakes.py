"""What align refuses, and how it says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import tokenizers

import headscope
from benchmarks.planted_links import pairs
from headscope.errors import InputError, ModelError, OptionError


def test_a_model_without_cross_attention(models: Path) -> None:
    with pytest.raises(ModelError, match="bert has no cross-attention: only an encoder-decoder"):
        headscope.align(models / "bert", pairs()[0])


def test_lines_that_do_not_fit(planted: Path, tmp_path: Path) -> None:
    source, target, gold = (tmp_path / name for name in ("a", "b", "gold"))
    source.write_text("w3 w4\nw5\n")
    target.write_text("w3 w4\n")
    with pytest.raises(InputError, match=r"a has 2 lines, but .*b has 1 line;"):
        headscope.align(planted, source, target=target)
    target.write_text("w3 w4\n\n")
    with pytest.raises(InputError, match="b:2: the target is empty"):
        headscope.align(planted, source, target=target)
    target.write_text("w3 w4\nw6\n")
    gold.write_text("0-0 1-1\n1-0\n")
    with pytest.raises(InputError, match="gold:2: link 1-0 names word 1 of the source, which has 1 words"):
        headscope.align(planted, source, target=target, gold=gold)


def test_options_that_do_not_fit(planted: Path, gold: Path) -> None:
    made, _ = pairs()
    with pytest.raises(OptionError, match="--gold numbers words that white space parts"):
        headscope.align(planted, made, gold=gold, words="found")
    with pytest.raises(OptionError, match="--counted-from is about --gold"):
        headscope.align(planted, made, counted_from=0)
    with pytest.raises(OptionError, match="--more-target needs --more"):
        headscope.align(planted, made, more_target=gold)
    with pytest.raises(OptionError, match="layer 2"):
        headscope.align(planted, made, layers=(2,))


def test_pairs_that_are_too_long_are_left_out_everywhere(planted: Path) -> None:
    made, _ = pairs()
    answer = headscope.align(planted, made, pieces=6, twins=0, links=True)
    assert any("words left out: in a pair with a side of more than 6 pieces" in note for note in answer.notes)
    assert len(answer.table("align_links")) == 12
    assert any(note.startswith("12 pairs of 48 source and 48 target words") for note in answer.notes)


def test_what_the_other_model_cannot_read_is_not_joined(planted: Path, gold: Path, tmp_path: Path) -> None:
    """It spells words by letters, so some pairs have more pieces than it may read."""
    spelling = shutil.copytree(planted, tmp_path / "spelling")
    tokenizer = tokenizers.Tokenizer.from_file(str(spelling / "tokenizer.json"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(r"\S"), "isolated")
    tokenizer.save(str(spelling / "tokenizer.json"))
    made, _ = pairs()
    answer = headscope.align(planted, made, gold=gold, reverse=spelling, pieces=16, twins=0)
    (note,) = [note for note in answer.notes if "were not read by the other model" in note]
    assert 0 < int(note.split()[0]) < len(made)
    # Of what both read, the planted model finds all links.
    assert answer.table("align_joined").set_index("joined")["recall"]["union"] == 1
