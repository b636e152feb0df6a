"""One reader per format; `read` chooses among them by what the source is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from headscope.errors import InputError, OptionError
from headscope.text.checksums import digest_file, digest_folder
from headscope.text.corpus import Corpus
from headscope.text.lines import Place, text_suffix
from headscope.text.noticing import Item
from headscope.text.readers import hugging_face, parallel, snli
from headscope.text.readers.columns import Columns
from headscope.text.readers.conll import read_conll
from headscope.text.readers.conllu import read_conllu
from headscope.text.readers.dependency_lines import read_dep, read_dp
from headscope.text.readers.json_lines import read_json_lines
from headscope.text.readers.keyphrases import read_keyphrases
from headscope.text.readers.memory import read_texts
from headscope.text.readers.parquet import read_parquet
from headscope.text.readers.plain import read_plain
from headscope.text.readers.propbank import read_gold_conll
from headscope.text.readers.split_lines import read_split_lines, some_of_each
from headscope.text.readers.tables import read_csv, read_tsv
from headscope.text.readers.tag_lines import read_tags

# A reader takes a file, the label that its document ids begin with, and the columns asked for.
Reader = Callable[[Path, str, Columns], Iterator[Item]]

# The reader of each suffix; a file with any other suffix is plain text.
READERS: dict[str, Reader] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".json": read_json_lines,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".parquet": read_parquet,
    ".conllu": read_conllu,
    ".conll": read_conll,
    ".gold_conll": read_gold_conll,
    ".auto_conll": read_conll,
    ".v4_gold_conll": read_conll,
    ".v4_auto_conll": read_conll,
    ".dep": read_dep,
    ".dp": read_dp,
    ".iob": read_tags,
    ".iob2": read_tags,
    ".bio": read_tags,
    ".tags": read_tags,
    ".zip": read_keyphrases,
}

# The readers of rows, which may hold lists; where tags are wanted, every other file is words with tags.
_ROWS = (read_csv, read_tsv, read_json_lines, read_parquet)


def read(
    source: Any,
    *,
    column: str | None = None,
    target: str | bool | None = None,
    split: str | None = None,
    limit: int | None = None,
    skip_broken: bool = False,
) -> Corpus:
    """Open a corpus; its documents are read when it is iterated, the first one at once as a check.

    ``source`` is a file (plain text, or by its suffix one of `READERS`; also compressed), a folder of such
    files, a data set saved on disk, ``hf:NAME`` or ``hf:NAME:CONFIG`` for the hub, ``snli:PATH``,
    ``parallel:SOURCE,TARGET``, a list of strings, a pandas Series, a `datasets.Dataset`, or a corpus that is
    open already. ``column`` and ``target`` name the columns of text and target (True: that of a usual name,
    or the other one of two), ``split`` that of a data set; ``limit`` takes the first so many
    documents. A document that is broken is refused, or with ``skip_broken`` left out and named in
    `Corpus.notes`.

    >>> corpus = read(["One text.", "Another one."])
    >>> [document.id for document in corpus]
    ['#0', '#1']
    """
    return _limited(source, Columns(column, target), split, limit, skip_broken)


def read_labelled(
    source: Any,
    *,
    tagged: bool,
    column: str | None = None,
    label: str | None = None,
    second: str | bool | None = False,
    target: str | None = None,
    split: str | None = None,
    limit: int | None = None,
    skip_broken: bool = False,
) -> Corpus:
    """Open a corpus of labelled documents, each with `Document.label`, or `tagged` with `Document.tags`.

    ``source`` is a table, JSON lines, a folder of these, or a data set, as for `read`. ``label`` names the
    column of the label, or of the list of tags; without it, one of the usual names is looked for. ``second``
    names the column of a second text; True stands for one of the usual names, None for a second text
    wherever two columns have names that belong together. If `tagged`, files of any other suffix hold a word
    and its tag per line, blank lines between the sentences (CoNLL-2000).
    """
    columns = Columns(column, target, label, second, "tags" if tagged else "label")
    return _limited(source, columns, split, limit, skip_broken)


def read_keywords(
    source: Any,
    *,
    column: str | None = None,
    keywords: str | None = None,
    limit: int | None = None,
    skip_broken: bool = False,
) -> Corpus:
    """Open a corpus of documents with `Document.keywords`: an archive of texts and key files (.zip), a table
    or JSON lines with a text and keywords, or a folder of these. ``column`` and ``keywords`` name columns.
    """
    columns = Columns(column, label=keywords, wanted="keywords")
    return _limited(source, columns, None, limit, skip_broken)


def read_split(source: str | PathLike[str], *, limit: int | None = None, skip_broken: bool = False) -> Corpus:
    """Open a file of labelled sentences, each behind its part of the data, `tr`, `va` or `te`, and its label.

    So SentEval keeps its probing tasks. ``limit`` takes so many sentences of each part, spread over it.
    """
    path = Path(source)
    if not path.is_file():
        raise Place(path).error("no such file" if not path.exists() else "a folder, where a file is expected")
    corpus = Corpus(
        path.name, str(path), lambda: read_split_lines(path, path.name), lambda: digest_file(path)
    )
    corpus = corpus.skipping_broken() if skip_broken else corpus
    _check(corpus)
    return corpus if limit is None else corpus.derived(lambda: some_of_each(corpus, limit))


def _limited(
    source: Any, columns: Columns, split: str | None, limit: int | None, skip_broken: bool
) -> Corpus:
    is_open = isinstance(source, Corpus)
    corpus = source if is_open else _open(source, columns, split)
    corpus = corpus.skipping_broken() if skip_broken else corpus
    if not is_open:
        _check(corpus)
    return corpus if limit is None else corpus.limited(limit)


def _check(corpus: Corpus) -> None:
    """Read the first document."""
    if next(iter(corpus), None) is None:
        reasons = "; ".join(corpus.noticed.notes()) if corpus.noticed.broken.count else ""
        raise Place(corpus.source).error(f"empty: no document with a word in it{reasons and '; '}{reasons}")


def _open(source: Any, columns: Columns, split: str | None) -> Corpus:
    package, kind = type(source).__module__.partition(".")[0], type(source).__name__
    if package == "datasets":
        return hugging_face.read_dataset(source, columns, split)
    if isinstance(source, str) and source.startswith(hugging_face.PREFIX):
        return hugging_face.read_hub(source, columns, split)
    if isinstance(source, str) and source.startswith(snli.PREFIX):
        _refuse_split(split)
        columns.refuse_names(source, "its columns have no names")
        return snli.read_snli(source)
    if isinstance(source, str) and source.startswith(parallel.PREFIX):
        _refuse_split(split)
        columns.refuse_names(source, "its two files have no columns")
        return parallel.open_parallel(source)
    if isinstance(source, (str, PathLike)):
        return _open_path(Path(source), columns, split)
    _refuse_split(split)
    columns.refuse("memory")
    if isinstance(source, (list, tuple)):
        return read_texts(source)
    if package == "pandas" and kind == "Series":
        return read_texts(source, "memory" if source.name is None else str(source.name))
    expected = "a path, hf:NAME, a list of strings, a pandas Series or a datasets.Dataset"
    raise InputError(f"no text can be read from {kind}; {expected} is expected")


def _open_path(path: Path, columns: Columns, split: str | None) -> Corpus:
    if path.is_dir() and hugging_face.is_saved(path):
        return hugging_face.read_saved(path, columns, split)
    _refuse_split(split)
    if path.is_dir():
        return _open_folder(path, columns)
    if not path.exists():
        is_text = " " in path.name
        hint = "; write a text into a file, and name that" if is_text else ""
        raise Place(path).error(
            f"no such file or folder{hint}", "in Python, a text itself is given in a list" if is_text else ""
        )
    return Corpus(
        path.name, str(path), lambda: _documents(path, path.name, columns), lambda: digest_file(path)
    )


def _open_folder(root: Path, columns: Columns) -> Corpus:
    """All files below a folder that are not hidden, in the order of their names."""
    names = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    files = sorted(name.as_posix() for name in names if not any(step.startswith(".") for step in name.parts))

    def stream() -> Iterator[Item]:
        for name in files:
            yield from _documents(root / name, name, columns)

    paths = [root / name for name in files]
    return Corpus(root.resolve().name, str(root), stream, lambda: digest_folder(root, paths))


def _documents(path: Path, label: str, columns: Columns) -> Iterator[Item]:
    reader = READERS.get(text_suffix(path), read_plain)
    if columns.wanted == "tags" and reader not in _ROWS:
        reader = read_tags
    return reader(path, label, columns)


def _refuse_split(split: str | None) -> None:
    if split is not None:
        raise OptionError(f"split '{split}' was asked for, but only Hugging Face data sets have splits")
