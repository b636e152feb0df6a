"""Where the numbers of a page stand: the blocks of its text, and what each of them rests on.

A number that says how much stands in a block of one of three kinds.

- It **rests on sources**, to which it links: a section of docs/evidence.md, of docs/published.md or of the
  gallery. The links of a paragraph hold up to the next paragraph that has some, or the next heading; a list
  item or a row of a table may add its own.
- It is **chosen or computed, not measured**: a definition, a setting, an example worked by hand. A comment
  that says so, `CHOSEN`, stands below the heading of its section, and holds for what is below it. Blocks with
  sources, and sections that are called Measured, are not excused by it.
- It was **written by a script** between two marks, and other tests compare it with what would be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from benchmarks.evidence import COMPLETE
from benchmarks.kept import read
from benchmarks.parts import PARTS, load
from benchmarks.rows import Row, told
from docs.blocks import anchor
from docs.drawn import findings
from docs.shots import GALLERY, SHOTS
from tests.docs.numbers import Measured, Number, claimed

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CHOSEN = "<!-- chosen or computed, not measured -->"
MEASURED = ("Measured", "What we measured")
"""Headings of sections whose numbers are never chosen."""
SOURCES = ("evidence.md", "published.md")
"""Pages that hold what others rest on."""
_LINK = re.compile(r"\]\((?:[\w./]*/)?(evidence|published|gallery)\.md#([\w-]+)\)")
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_WRITTEN = re.compile(r"^<!-- ([^/\n]+) -->\n.*?^<!-- /\1 -->$", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"(?P<heading>#+ )|(?P<row>\|)|(?P<item>\s*(?:[-*]|\d+\.) )")


@dataclass
class Block:
    """A paragraph, list item or row of a table: its first line, its heading, and what it rests on."""

    kind: str
    line: int
    heading: str
    chosen: bool
    text: str = ""
    sources: tuple[str, ...] = ()

    @property
    def numbers(self) -> list[Number]:
        """The numbers that say how much; where they are said to be measured, these are more."""
        return list(claimed(self.text, digits=2 if self.sources else 3))


@dataclass
class _Place:
    """Where the reader of a page is: headings by level, each with whether its numbers are chosen."""

    headings: list[tuple[int, str, bool]] = field(default_factory=list)

    def enter(self, line: str) -> None:
        level = len(line) - len(line.lstrip("#"))
        title = line.lstrip("# ")
        above = [one for one in self.headings if one[0] < level]
        chosen = bool(above) and above[-1][2] and title not in MEASURED
        self.headings = [*above, (level, title, chosen)]

    def choose(self) -> None:
        level, title, _ = self.headings.pop()
        self.headings.append((level, title, title not in MEASURED))

    def block(self, kind: str, number: int) -> Block:
        _, title, chosen = self.headings[-1] if self.headings else (0, "", False)
        return Block(kind, number, title, chosen)


def blocks(page: str) -> list[Block]:
    """The blocks of a page outside of code and of what is written by scripts."""
    place, found, open_block = _Place(), [], None
    for number, line in enumerate(_emptied(page).splitlines(), 1):
        match = _LINE.match(line)
        kind = match.lastgroup if match else "paragraph"
        if not line.strip() or kind == "heading" or line.strip() == CHOSEN:
            open_block = None
            if kind == "heading":
                place.enter(line)
            elif line.strip():
                place.choose()
            continue
        if open_block is None or kind in ("row", "item"):
            open_block = place.block(str(kind), number)
            found.append(open_block)
        open_block.text += f"{line}\n"
    _give_sources(found)
    return found


def _emptied(page: str) -> str:
    """A page whose code and written blocks are empty lines."""
    for pattern in (_CODE, _WRITTEN):
        page = pattern.sub(lambda match: "\n" * match[0].count("\n"), page)
    return page


def written_blocks(page: str) -> list[str]:
    """The names of the blocks of a page that scripts write, as its marks have them."""
    return [match[1] for match in _WRITTEN.finditer(_CODE.sub("", page))]


def _give_sources(found: Iterable[Block]) -> None:
    heading, held = "", ()
    for block in found:
        own = tuple(f"{page}#{section}" for page, section in _LINK.findall(block.text))
        if block.heading != heading:
            heading, held = block.heading, ()
        if block.kind == "paragraph" and own:
            held = own
        block.sources = tuple(dict.fromkeys([*held, *own]))


def faults(page: str) -> Iterator[str]:
    """The numbers of a page that stand nowhere, each with its line."""
    for block in blocks(page):
        if block.sources:
            measured = measured_in(block.sources)
            for number in block.numbers:
                if not measured.has(number):
                    shown = f"{number.written} {number.unit}".strip()
                    yield f"{block.line}: {shown} is not in {', '.join(block.sources)}"
        elif not block.chosen and block.numbers:
            shown = ", ".join(number.written for number in block.numbers[:5])
            yield f"{block.line}: {shown}: neither rests on a source nor stands in a section that is chosen"


@cache
def measured_in(sources: Sequence[str]) -> Measured:
    """What some sources hold together."""
    rows: list[Row] = []
    texts: list[str] = []
    for source in sources:
        page, _, section = source.partition("#")
        if page == "evidence":
            kept = read(_parts()[section], COMPLETE.kept)
            rows += [] if kept is None else kept.rows
            texts.append(load(_parts()[section]).says if kept is None else kept.says)
        elif page == "gallery":
            verbs = findings()[SHOTS[GALLERY[section]].run]
            rows += verbs[section]["rows"]
            texts += verbs[section]["findings"]
        else:
            rows += published()[section]
    return Measured(rows, texts)


@cache
def _parts() -> dict[str, str]:
    """Parts of the evidence by the anchor of their section."""
    return {anchor(load(part).title): part for part in PARTS}


@cache
def published() -> dict[str, list[Row]]:
    """Sections of docs/published.md by their anchor, each line as a row."""
    text = (DOCS / "published.md").read_text("utf-8")
    sections = [part.splitlines() for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]]
    return {anchor(title): [told(title, line) for line in lines if line] for title, *lines in sections}


def pages() -> list[Path]:
    """All pages whose numbers are looked at."""
    every = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
    return [page for page in every if page.name not in SOURCES]
