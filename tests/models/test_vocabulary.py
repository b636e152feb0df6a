"""Words are counted as they are read, so that no counted word is unknown."""

from __future__ import annotations

import pytest

from headscope.models.vocabulary import count_words, word_tokenizer


@pytest.mark.parametrize("text", ["ΛΟΓΟΣ", "λόγος", "İSTANBUL", "STRASSE Straße", "Isn't it ǅ?"])
@pytest.mark.parametrize("lower", [True, False])
def test_every_word_that_was_counted_is_known(text: str, lower: bool) -> None:
    counts = count_words([text], lower=lower)
    tokenizer = word_tokenizer(list(counts), lower=lower)
    assert tokenizer.unk_token_id not in tokenizer(text)["input_ids"]
    assert len(tokenizer(text)["input_ids"]) == sum(counts.values())
