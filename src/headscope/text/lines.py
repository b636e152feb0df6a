"""Lines of text files, plain or compressed, checked to be text."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from headscope.errors import InputError, located

_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}  # type: ignore[dict-item]
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)


class Place(NamedTuple):
    """A line of a source, or all of it, to say what is wrong there.

    >>> str(Place("a.txt", 3).error("a cut line"))
    'a.txt:3: a cut line'
    """

    source: str | Path
    line: int | None = None

    def error(self, problem: str, in_python: str = "") -> InputError:
        """The error to raise."""
        return InputError(located(self.source, self.line, problem), in_python=in_python)


def text_suffix(path: Path) -> str:
    """The suffix that tells the format, in lower case, whether or not the file is compressed.

    >>> text_suffix(Path("reviews.CSV.gz"))
    '.csv'
    """
    inner = path.with_suffix("") if path.suffix.lower() in _OPENERS else path
    return inner.suffix.lower()


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file without their ends; one line at a time is in memory.

    A byte order mark and the line ends of Windows are tolerated; anything that is not text is refused with
    its line.
    """
    return (text for _, _, text in read_parts(path, None))


def read_parts(path: Path, longest: int | None) -> Iterator[tuple[int, int, str]]:
    """Yield lines as `read_lines` does, those of more than `longest` bytes in parts.

    Each comes with the number of its line, from 1, and of its part, from 0; parts end at a space if there
    is one.
    """
    opener: Callable[[Path], Any] = _OPENERS.get(path.suffix.lower(), _open_plain)
    number, part, held = 1, 0, b""
    try:
        with opener(path) as stream:
            while read := stream.readline(-1 if longest is None else longest):
                raw = held + read
                if len(read) == longest and not read.endswith(b"\n"):
                    end = _last_break(raw)
                    yield number, part, decoded(Place(path, number), raw[:end])
                    part, held = part + 1, raw[end:]
                    continue
                yield number, part, decoded(Place(path, number), raw)
                number, part, held = number + 1, 0, b""
            if held:
                yield number, part, decoded(Place(path, number), held)
    except FileNotFoundError as problem:
        raise Place(path).error("no such file") from problem
    except _BROKEN as problem:
        raise Place(path, number).error(f"the file cannot be read further: {problem}") from problem


def _last_break(raw: bytes) -> int:
    """Where a part of a line may end: behind its last space, or else before its last letter."""
    space = raw.rfind(b" ") + 1
    if space:
        return space
    end = len(raw) - 1
    while end > 1 and raw[end] & 0xC0 == 0x80:  # within a letter of several bytes
        end -= 1
    return end


def _open_plain(path: Path) -> IO[bytes]:
    return path.open("rb")


def decoded(place: Place, raw: bytes) -> str:
    """A line as text, without its end; what is no UTF-8 is refused with its place."""
    if place.line == 1:
        raw = raw.removeprefix(codecs.BOM_UTF8)
    if b"\0" in raw:
        raise place.error("a zero byte: this is a binary file, or text in UTF-16; text in UTF-8 is expected")
    try:
        return raw.removesuffix(b"\n").removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        problem = (
            f"byte 0x{raw[error.start]:02x} at position {error.start} is not UTF-8; save the file as UTF-8"
        )
        raise place.error(problem) from error
