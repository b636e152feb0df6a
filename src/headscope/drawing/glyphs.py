"""Any text made drawable: short, free of control characters, and only of letters the fonts here have."""

from __future__ import annotations

import unicodedata
from functools import cache

from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

from headscope.results.vocabulary import (
    DUPLICATE_TOKEN,
    FIRST_BY_LENGTH,
    NEXT_TOKEN,
    PREVIOUS_IN_COPIES,
    PREVIOUS_TOKEN,
    SAME_TOKEN,
)

# DejaVu Sans comes with matplotlib; the others serve the scripts it lacks, where the machine has them.
_WANTED = (
    "DejaVu Sans",
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "Arial Unicode MS",
    "Noto Sans Hebrew",
    "Noto Sans Arabic",
    "Noto Sans Devanagari",
    "Noto Emoji",
    "Symbola",
)
_VISIBLE = {"\n": "↵", "\t": "→", " ": " "}


@cache
def fonts() -> tuple[str, ...]:
    """Name the fonts to use, first choice first; letters missing in one are taken from the next."""
    present = {font.name for font in fontManager.ttflist}
    return tuple(name for name in _WANTED if name in present)


@cache
def _letters() -> frozenset[int]:
    paths = {findfont(FontProperties(family=[name])) for name in fonts()}
    return frozenset(code for path in paths for code in get_font(path).get_charmap())


def readable(text: object, limit: int = 40) -> str:
    """Shorten a text to `limit` signs, and write what cannot be drawn by its code.

    >>> readable("antidisestablishmentarianism", 8)
    'antidis…'
    >>> readable("a\\x00b")
    'aU+0000b'
    """
    shown: list[str] = []
    room = limit
    for letter in str(text):
        sign = _sign(letter)
        if len(sign) > room:
            return "".join(shown)[: limit - 1] + "…"
        shown.append(sign)
        room -= len(sign)
    return "".join(shown)


_MEASURES = {
    "offset:-1": PREVIOUS_TOKEN, "offset:0": SAME_TOKEN, "offset:1": NEXT_TOKEN,
    "duplicate": DUPLICATE_TOKEN, "previous_in_copies": PREVIOUS_IN_COPIES, "first_taken": FIRST_BY_LENGTH,
}  # fmt: skip


def measure_label(name: object) -> str:
    """A measure's name as a reader wants it.

    >>> measure_label("offset:-1"), measure_label("to:[SEP]"), measure_label("entropy")
    ('previous token', 'to [SEP]', 'entropy')
    """
    return readable(_MEASURES.get(str(name), str(name).replace(":", " ")))


def _sign(letter: str) -> str:
    if letter in _VISIBLE:
        return _VISIBLE[letter]
    if unicodedata.category(letter)[0] in "CZ" or ord(letter) not in _letters():
        return f"U+{ord(letter):04X}"
    return letter
