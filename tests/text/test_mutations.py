"""Files of every annotated format, damaged at random: documents or an explained error, nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from headscope.errors import InputError
from headscope.text import read, sentences
from tests.text.treebanks import FILES

FILES_PER_FORMAT = 500
STRANGE = [
    "\t",
    "\0",
    "|",
    "(",
    ")",
    "-",
    "#",
    " ",
    "\r",
    "\n",
    "\n\n",
    "0",
    "9",
    "²",
    "٣",
    "\u2028",
    "\u00a0",
    "\ufeff",
    "é",
    "👍",
]
STRANGE_BYTES = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\x85"]
Lines = list[bytes]


def delete(lines: Lines, dice: random.Random) -> Lines:
    place = dice.randrange(len(lines))
    return lines[:place] + lines[place + 1 :] or [b""]


def duplicate(lines: Lines, dice: random.Random) -> Lines:
    place = dice.randrange(len(lines))
    return lines[: place + 1] + lines[place:]


def swap(lines: Lines, dice: random.Random) -> Lines:
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    changed = lines.copy()
    changed[one], changed[other] = lines[other], lines[one]
    return changed


def cut_bytes(lines: Lines, dice: random.Random) -> Lines:
    whole = b"\n".join(lines)
    start = dice.randrange(len(whole) + 1)
    stop = dice.choice([len(whole), min(len(whole), start + dice.randrange(30))])
    return (whole[:start] + whole[stop:]).split(b"\n")


def insert(lines: Lines, dice: random.Random) -> Lines:
    whole = b"\n".join(lines)
    place = dice.randrange(len(whole) + 1)
    strange = dice.choice([*(text.encode() for text in STRANGE), *STRANGE_BYTES])
    return (whole[:place] + strange + whole[place:]).split(b"\n")


def flip(lines: Lines, dice: random.Random) -> Lines:
    whole = bytearray(b"\n".join(lines))
    if whole:
        whole[dice.randrange(len(whole))] = dice.randrange(256)
    return bytes(whole).split(b"\n")


def swap_columns(lines: Lines, dice: random.Random) -> Lines:
    place = dice.randrange(len(lines))
    columns = lines[place].split(b"\t")
    dice.shuffle(columns)
    return [*lines[:place], b"\t".join(columns), *lines[place + 1 :]]


MUTATIONS: list[Callable[[Lines, random.Random], Lines]] = [
    delete, duplicate, swap, cut_bytes, insert, flip, swap_columns,
]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), FILES.items())
def test_damaged_files(tmp_path: Path, name: str, content: str) -> None:
    dice = random.Random(name)
    path = tmp_path / name
    ends: Counter[str] = Counter()
    for _ in range(FILES_PER_FORMAT):
        lines = content.encode().split(b"\n")
        for _ in range(dice.choice([1, 1, 2, 5])):
            lines = dice.choice(MUTATIONS)(lines, dice)
        path.write_bytes(b"\n".join(lines))
        end = outcome(path)
        ends[end] += 1
        skipping = outcome(path, skip_broken=True)
        assert skipping in {"read": ("read",), "refused": ("refused", "skipped")}[end]
        ends[skipping] += skipping == "skipped"
    assert ends["read"] + ends["refused"] == FILES_PER_FORMAT
    assert min(ends["read"], ends["refused"]) > FILES_PER_FORMAT // 50
    # The article of a .dp file is one document, so that nothing is left of a broken one.
    assert (ends["skipped"] > FILES_PER_FORMAT // 50) == (name != "a.dp")


def outcome(path: Path, **options: bool) -> str:
    """Read a file to its end and use its layers."""
    try:
        corpus = read(path, **options)
        for document in corpus:
            assert sum(len(part.words) for _, part in sentences(document)) == len(document.words)
    except InputError as problem:
        assert str(path) in str(problem)
        return "refused"
    return "skipped" if corpus.noticed.broken.count else "read"
