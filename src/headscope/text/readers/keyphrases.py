"""Archives of texts with keyphrases: a folder of texts, a folder of key files, one keyphrase a line (.zip).

So LIAAD collects Inspec, SemEval 2010 and 2017 and others: ``NAME/docsutf8/ID.txt`` and ``NAME/keys/ID.key``.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.lines import Place, decoded
from headscope.text.noticing import Broken, Item, Remark
from headscope.text.readers.columns import Columns

TEXTS, KEYS = "docsutf8", "keys"
_SUFFIXES = {TEXTS: ".txt", KEYS: ".key"}
_DIGITS = re.compile(r"([0-9]+)")
_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError)
_LAYOUT = f"an archive of texts ({TEXTS}/ID.txt) and their keyphrases ({KEYS}/ID.key) is expected"


def read_keyphrases(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    """Yield one document per text, by the names of the files, numbers in them by their size."""
    columns.refuse_names(path, "the files of this archive have no columns")
    try:
        with ZipFile(path) as archive:
            members = _Members.of(archive, path)
            yield Remark(f"texts from {TEXTS}, keyphrases from {KEYS}")
            for name in sorted({*members.texts, *members.keys}, key=_by_number):
                id = f"{label}:{name}"
                try:
                    yield _document(id, members, name)
                except InputError as error:
                    yield Broken(id, error)
    except FileNotFoundError as problem:
        raise Place(path).error("no such file") from problem
    except _BROKEN as problem:
        raise Place(path).error(f"not a zip archive, or a broken one ({problem}); {_LAYOUT}") from problem


@dataclass(frozen=True)
class _Members:
    """The files of an archive that belong to texts, and those of keyphrases, by the name of the text."""

    archive: ZipFile
    path: Path
    texts: dict[str, str]
    keys: dict[str, str]

    @classmethod
    def of(cls, archive: ZipFile, path: Path) -> _Members:
        found: dict[str, dict[str, str]] = {TEXTS: {}, KEYS: {}}
        for member in archive.namelist():
            folder, _, file = member.rpartition("/")
            kind = folder.rpartition("/")[2]
            if kind in found and file.endswith(_SUFFIXES[kind]) and not file.startswith("."):
                name = file.removesuffix(_SUFFIXES[kind])
                other = found[kind].setdefault(name, member)
                if other != member:
                    raise Place(path).error(f"{other} and {member} have one name; give one set at a time")
        if not found[TEXTS] and not found[KEYS]:
            raise Place(path).error(f"no file in {TEXTS} or {KEYS}; {_LAYOUT}")
        return cls(archive, path, found[TEXTS], found[KEYS])

    def lines(self, member: str) -> list[str]:
        """The lines of a member, without their ends."""
        place, raw = f"{self.path}/{member}", self.archive.read(member)
        return [decoded(Place(place, line), content) for line, content in enumerate(raw.split(b"\n"), 1)]


def _document(id: str, members: _Members, name: str) -> Document:
    if name not in members.texts:
        place = Place(f"{members.path}/{members.keys[name]}", 1)
        raise place.error(f"keyphrases without a text: there is no {TEXTS}/{name}{_SUFFIXES[TEXTS]}")
    if name not in members.keys:
        place = Place(f"{members.path}/{members.texts[name]}", 1)
        raise place.error(f"a text without keyphrases: there is no {KEYS}/{name}{_SUFFIXES[KEYS]}")
    lines = (" ".join(line.split()) for line in members.lines(members.keys[name]))
    keywords = tuple(dict.fromkeys(line for line in lines if line))
    if not keywords:
        place = Place(f"{members.path}/{members.keys[name]}", 1)
        raise place.error("no keyphrase in it; write one a line, or leave the text out (--skip-broken)")
    document = Document.from_text(id, "\n".join(members.lines(members.texts[name])))
    if not document.words:
        raise Place(f"{members.path}/{members.texts[name]}", 1).error("keyphrases of a text without a word")
    return replace(document, keywords=keywords)


def _by_number(name: str) -> list[tuple[int, str]]:
    """Sort keys by which C-2 comes before C-10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name)]
