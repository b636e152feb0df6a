"""Kinds of pieces: the special tokens of the tokenizer, periods and commas, punctuation, words."""

from __future__ import annotations

import unicodedata

import numpy as np

from headscope.text.documents import Document
from headscope.text.encoding import Tokenizer, encoder_for

_OTHER, _PERIOD, _PUNCTUATION, _WORD = "other special", ". or ,", "punctuation", "word"
_UNKNOWN_CHARACTER = "\ufffd"  # what a byte of a longer character decodes to
_ROLES = ("bos_token_id", "eos_token_id", "sep_token_id", "pad_token_id", "cls_token_id", "mask_token_id")


class KindTable:
    """The kind of every piece of a vocabulary; each piece is decoded once, when it is first met.

    ``names`` are the kinds: first the special tokens that the tokenizer itself puts around text
    (``added``), then "other special", ". or ,", "punctuation" (Unicode punctuation and symbols) and "word"
    (all else, also pieces for the unknown, for white space, and for parts of a character).
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        added = added_specials(tokenizer)
        self.added: tuple[str, ...] = tuple(tokenizer.convert_ids_to_tokens(added))
        self.names: tuple[str, ...] = (*self.added, _OTHER, _PERIOD, _PUNCTUATION, _WORD)
        self._table = np.full(len(tokenizer), -1, dtype=np.int64)
        self._grow(max([*tokenizer.all_special_ids, *added], default=0))
        self._table[tokenizer.all_special_ids] = self.names.index(_OTHER)
        if _is_plain_unknown(tokenizer):
            self._table[tokenizer.unk_token_id] = self.names.index(_WORD)
        self._table[added] = np.arange(len(added))

    def kinds(self, ids: np.ndarray) -> np.ndarray:
        """The index into ``names`` of each piece, in the shape of ``ids``."""
        if ids.min(initial=0) < 0:
            raise ValueError(f"{ids.min()} is the id of no piece")
        self._grow(int(ids.max(initial=0)))
        unseen = np.unique(ids[self._table[ids] < 0])
        self._table[unseen] = [self.names.index(_kind(_surface(self._tokenizer, int(id)))) for id in unseen]
        return self._table[ids]

    def _grow(self, largest: int) -> None:
        missing = largest + 1 - len(self._table)
        if missing > 0:
            self._table = np.pad(self._table, (0, missing), constant_values=-1)


def added_specials(tokenizer: Tokenizer) -> list[int]:
    """The ids that the tokenizer itself puts around one span or two, in order of appearance."""
    encoder = encoder_for(Document.from_words("sample", ["a", "b"]), tokenizer)
    samples = [encoder.encode(0, 1, 2), encoder.encode(0, 2)]
    return list(dict.fromkeys(int(id) for sample in samples for id in sample.pieces[sample.special]))


def piece_label(tokenizer: Tokenizer, id: int) -> str:
    """A piece as plots show it: no word markers or spaces, ↵ for a line end, ␣ where nothing is left."""
    if id in tokenizer.all_special_ids:
        return str(tokenizer.convert_ids_to_tokens(id))
    text = _unmarked(tokenizer.decode([id], clean_up_tokenization_spaces=False))
    return text.replace("\r", "").replace("\n", "↵").strip() or "␣"


def _surface(tokenizer: Tokenizer, id: int) -> str:
    return _unmarked(tokenizer.decode([id], clean_up_tokenization_spaces=False).strip())


def _unmarked(text: str) -> str:
    """Drop the marks of a piece that continues (##) or is continued (@@), which decoding one piece leaves."""
    text = text[2:] if text.startswith("##") and len(text) > 2 else text
    return text[:-2] if text.endswith("@@") and len(text) > 2 else text


def _kind(surface: str) -> str:
    if surface in (".", ","):
        return _PERIOD
    marks = bool(surface) and all(unicodedata.category(character)[0] in "PS" for character in surface)
    return _PUNCTUATION if marks and _UNKNOWN_CHARACTER not in surface else _WORD


def _is_plain_unknown(tokenizer: Tokenizer) -> bool:
    """Whether the token for the unknown is nothing else; GPT-2 has one token for all purposes."""
    unknown = tokenizer.unk_token_id
    return unknown is not None and unknown not in [getattr(tokenizer, role, None) for role in _ROLES]
