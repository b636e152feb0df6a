"""Words of a running text, for any script, as character spans."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby

Span = tuple[int, int]

# Ideographs, kana and their iteration marks: scripts written without spaces, one word per character.
_SOLITARY = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
_SOLITARY += "\U00020000-\U0003ffff"
_SKIN = "\U0001f3fb-\U0001f3ff"
_FLAG = "[\U0001f1e6-\U0001f1ff]"
_SEPARATORS = frozenset(
    "\u200b\ufeff"
)  # zero-width space and byte order mark part words, though they are no space
_BEYOND = 0x20000  # the planes above hold ideographs and, in plane 14, the selectors and tags named below
_PLANE_14 = "\U000e0020-\U000e007f\U000e0100-\U000e01ef"


def split_words(text: str) -> tuple[Span, ...]:
    """Split a text into words; the answer is the character span (start, end) of each.

    White space parts words. A punctuation mark or symbol is a word of its own, except where a single
    apostrophe, hyphen, period, underscore or the like joins two letters or digits. Each ideograph and kana
    is a word of its own. Combining marks and emoji modifiers stay with their base. Stray control and format
    characters are in no word.

    >>> text = "Don't stop at 3.14, U.S.A."
    >>> [text[start:end] for start, end in split_words(text)]
    ["Don't", 'stop', 'at', '3.14', ',', 'U.S.A', '.']
    """
    return tuple([match.span() for match in _pattern().finditer(text)])


@cache
def _pattern() -> re.Pattern[str]:
    letter = rf"[^\W_{_SOLITARY}]"
    attached = f"[{_ranges(_is_attached)}{_PLANE_14}]"
    visible = rf"[^\s{_ranges(_is_invisible)}{_PLANE_14}]"
    run = f"(?:{letter}++{attached}*+)++"
    joiner = "(?:['’.\\-‐‑־_·׳״]|(?<=\\d)[,٫٬](?=\\d)|(?<=[א-ת])\"(?=[א-ת]))"
    symbol = f"{visible}{attached}*+(?:(?:[{_SKIN}]|(?<=\u200d){visible}){attached}*+)*+"
    return re.compile(f"{run}(?:{joiner}{run})*+|{_FLAG}{{2}}|{symbol}")


def _is_attached(character: str) -> bool:
    """Marks, joiners and directions that belong to the character before them."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf") and character not in _SEPARATORS


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf")


def _ranges(test: Callable[[str], bool]) -> str:
    """The characters below plane 2 that pass a test, as ranges of a character class."""
    passing = [code for code in range(_BEYOND) if test(chr(code))]
    runs = groupby(enumerate(passing), key=lambda item: item[1] - item[0])
    members = ([code for _, code in run] for _, run in runs)
    return "".join(f"\\U{run[0]:08x}-\\U{run[-1]:08x}" for run in members)
