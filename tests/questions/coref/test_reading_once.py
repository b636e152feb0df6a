"""A corpus of mentions is read to check it and to keep it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import headscope
from tests.mentions import conll, mixed
from tests.questions.counted import counts

__all__ = ["counts"]


def test_a_corpus_is_read_to_check_it_and_to_keep_it(
    models: Path, counts: Counter[str], tmp_path: Path
) -> None:
    (tmp_path / "small.conll").write_text(conll(mixed()))
    headscope.coref(str(models / "bert"), tmp_path / "small.conll", window=22, twins=2, plots=False)
    assert counts["read"] == 1 + 2 * len(mixed()), "the first document tells whether it can be read at all"
