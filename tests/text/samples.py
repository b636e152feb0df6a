"""A small good file of every format that is read, and one with a broken line."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from tests.text.treebanks import word


@dataclass(frozen=True)
class Sample:
    """write: a good file with any word in it. line: where that stands. broken: a file and its bad line."""

    write: Callable[[str], bytes]
    line: int
    broken: tuple[bytes, int]

    def is_text(self) -> bool:
        return not self.write("dog").startswith((b"PAR1", b"PK"))


def lines(*content: str) -> bytes:
    return "".join(f"{line}\n" for line in content).encode()


def plain(word: str) -> bytes:
    return lines("A ship passed.", "", f"The {word} sleeps.")


def comma_separated(word: str) -> bytes:
    return lines("id,text", "1,A ship passed.", f"2,The {word} sleeps.")


def tab_separated(word: str) -> bytes:
    return comma_separated(word).replace(b",", b"\t")


def json_lines(word: str) -> bytes:
    return lines('{"text": "A ship passed."}', f'{{"text": "The {word} sleeps."}}')


def parquet(word: str) -> bytes:
    content = io.BytesIO()
    pd.DataFrame({"text": ["A ship passed.", f"The {word} sleeps."]}).to_parquet(content)
    return content.getvalue()


def conllu(noun: str) -> bytes:
    rows = (word(1, "The", 2, "det"), word(2, noun, 3, "nsubj"), word(3, "sleeps", 0, "root"))
    return lines("# newdoc id = d1", word(1, "Yes", 0, "root"), "", "# newdoc id = d2", *rows, "")


def conll(noun: str) -> bytes:
    def row(part: int, place: int, form: str) -> str:
        return f"bc/x  {part}  {place}  {form}  NN  *  -  -  -  sp  *  -"

    begin, end = "#begin document (bc/x); part 00{}", "#end document"
    first = [begin.format(0), row(0, 0, "Rain"), "", end]
    return lines(*first, begin.format(1), row(1, 0, "The"), row(1, 1, noun), "", end)


def propbank(noun: str) -> bytes:
    def row(sentence: int, place: int, form: str, phrase: str, role: str) -> str:
        return f"d{sentence} 0 {place} {form} NN {phrase} - - {role}"

    first = [row(0, 0, "Rain", "(TOP*)", "*"), "", row(1, 0, "The", "(TOP(NP*", "(ARG0*")]
    return lines(*first, row(1, 1, noun, "*)", "*)"), row(1, 2, "sleeps", "(VP*))", "(V*)"))


def dependencies(noun: str) -> bytes:
    return lines("Yes 0-root", "", "The 2-det", f"{noun} 3-nsubj", "sleeps 0-root")


def untyped(noun: str) -> bytes:
    return lines("Yes\tUH\t0", "", "The\tDT\t2", f"{noun}\tNN\t3", "sleeps\tVBZ\t0")


def tags(noun: str) -> bytes:
    return lines("Rain O", "", "The B-NP", f"{noun} I-NP", "sleeps O")


def archive(noun: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as members:
        for name, text in {"1": "A ship passed.", "2": f"The {noun} sleeps."}.items():
            members.writestr(f"Set/docsutf8/{name}.txt", text)
            members.writestr(f"Set/keys/{name}.key", "ship\n")
    return content.getvalue()


SAMPLES: dict[str, Sample] = {
    "read_plain": Sample(plain, 3, (b"fine\nbin\0ary\n", 2)),
    "read_csv": Sample(comma_separated, 3, (b"id,text\n1,a\n2\n", 3)),
    "read_tsv": Sample(tab_separated, 3, (b"id\ttext\n1\ta\tb\n", 2)),
    "read_json_lines": Sample(json_lines, 2, (b'{"text": "a"}\n{"text": \n', 2)),
    "read_parquet": Sample(parquet, 0, (b"PAR1 but nothing more", 0)),
    "read_conllu": Sample(conllu, 6, (conllu("dog") + b"1\tw\t_\n", 9)),
    "read_conll": Sample(conll, 7, (b"#begin document (x); part 000\nx 0 0\n\n#end document\n", 2)),
    "read_gold_conll": Sample(propbank, 4, (b"d 0 0 a NN (NP* - -\nd 0 1 b NN * - -\n", 1)),
    "read_dep": Sample(dependencies, 4, (b"Yes 0-root\n\nThe x-det\n", 3)),
    "read_dp": Sample(untyped, 4, (b"Yes\tUH\t0\n\nThe\tDT\tx\n", 3)),
    "read_tags": Sample(tags, 4, (b"Rain O\n\nThe\n", 3)),
    "read_keyphrases": Sample(archive, 0, (b"PK but nothing more", 0)),
}
"""By the name of the reader."""
