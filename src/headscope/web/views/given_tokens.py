"""Tokens as tokenizers write them: which mark a new word, which are special, how they read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from headscope.errors import OptionError
from headscope.results.look import Axis

SPECIAL = re.compile(
    r"\[(CLS|SEP|PAD|BOS|EOS|unused\d+)\]|</?s>|<(pad|bos|eos|cls|sep|extra_id_\d+)>|<\|.*\|>"
    r"|<(start|end)_of_\w+>"
)
"""Tokens that stand for no word of the text; [MASK] and [UNK] stand for one."""

_STARTS = ("Ġ", "▁")
_END = "</w>"


def axis_of(tokens: Sequence[str], pretty: bool = True, second: int | None = None) -> Axis:
    """Tokens as an axis. If pretty, the tokenizer's marks become words; else tokens stay as they are.

    >>> axis = axis_of(["[CLS]", "un", "##seen", "things", "[SEP]"])
    >>> axis.pieces, axis.names, axis.words
    (['[CLS]', 'un', 'seen', 'things', '[SEP]'], ['[CLS]', 'unseen', 'things', '[SEP]'], [0, 1, 1, 2, 3])
    """
    tokens = [str(token) for token in tokens]
    if not tokens:
        raise OptionError("there are no tokens; give those of the text, such as ['[CLS]', 'hello', '[SEP]']")
    if second is not None and not 0 < second < len(tokens):
        raise OptionError(
            f"sentence_b_start is {second}; expected the place of the second text's first token, "
            f"from 1 to {len(tokens) - 1}"
        )
    special = [SPECIAL.fullmatch(token) is not None for token in tokens]
    if not pretty:
        return Axis(tokens, list(range(len(tokens))), tokens, special, second)
    words = _word_numbers(tokens, special, second)
    marked = any(token.startswith(_STARTS) for token in tokens)
    bare = [_unmarked(token, marked) for token in tokens]
    names = [""] * (words[-1] + 1)
    for word, text in zip(words, bare, strict=True):
        names[word] += text
    byte_level = any(token.startswith("Ġ") for token in tokens)
    pieces, names = ([_readable(text, byte_level) for text in texts] for texts in (bare, names))
    return Axis(pieces, words, names, special, second)


def _word_numbers(tokens: list[str], special: list[bool], second: int | None) -> list[int]:
    """The word of each token, counted from 0; a special token, and the second text, begin anew."""
    marked = any(token.startswith(_STARTS) for token in tokens)
    ended = any(token.endswith(_END) for token in tokens)
    numbers = [0]
    for place in range(1, len(tokens)):
        token, before = tokens[place], tokens[place - 1]
        if marked:
            continues = not token.startswith(_STARTS)
        elif ended:
            continues = not before.endswith(_END)
        else:
            continues = token.startswith("##") or before.endswith("@@")
        anew = special[place] or special[place - 1] or place == second
        numbers.append(numbers[-1] + (anew or not continues))
    return numbers


def _unmarked(token: str, marked: bool) -> str:
    """A token without the mark of a word's start or, where starts are not marked, of its going on or end."""
    if marked:
        return token[1:] if token.startswith(_STARTS) else token
    return token.removeprefix("##").removesuffix("@@").removesuffix(_END) or token


def _readable(text: str, byte_level: bool) -> str:
    """Letters instead of the bytes that byte-level tokens spell, where they make whole letters."""
    if byte_level and all(letter in _BYTES for letter in text):
        try:
            text = bytes(_BYTES[letter] for letter in text).decode("utf-8")
        except UnicodeDecodeError:
            return text
    return text.replace("\r", "").replace("\n", "↵").strip() or "␣"


def _spelled_bytes() -> dict[str, int]:
    """How byte-level tokenizers spell bytes: printable ones as themselves, the others from letter 256 on."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    return {
        **{chr(byte): byte for byte in plain},
        **{chr(256 + place): byte for place, byte in enumerate(others)},
    }


_BYTES = _spelled_bytes()
