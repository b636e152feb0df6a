"""A tokenizer is saved as it is, whatever it was used for."""

from __future__ import annotations

from pathlib import Path

from headscope.models.places import save_tokenizer
from tests.tokenizers import wordpiece


def test_how_it_last_cut_and_padded_is_not_saved(tmp_path: Path) -> None:
    tokenizer = wordpiece()
    save_tokenizer(tokenizer, tmp_path / "new")
    cut = tokenizer(["the old ship", "a night"], truncation=True, max_length=3, padding=True)
    save_tokenizer(tokenizer, tmp_path / "used")
    one, other = ((tmp_path / name / "tokenizer.json").read_bytes() for name in ("new", "used"))
    assert one == other
    assert cut == tokenizer(["the old ship", "a night"], truncation=True, max_length=3, padding=True)
