"""Hugging Face data sets: by name, from a folder on disk, or as an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from headscope.errors import InputError, OptionError, choose_from
from headscope.text.checksums import digest_folder
from headscope.text.corpus import Corpus
from headscope.text.lines import Place
from headscope.text.noticing import Broken, Item, Remark
from headscope.text.readers.columns import Columns
from headscope.text.readers.rows import row_document

PREFIX = "hf:"
_MARKERS = ("dataset_dict.json", "dataset_info.json", "state.json")


def is_saved(folder: Path) -> bool:
    """Whether a folder was written by `save_to_disk`."""
    return any((folder / marker).is_file() for marker in _MARKERS)


def read_hub(source: str, columns: Columns, split: str | None) -> Corpus:
    """Load ``hf:NAME`` or ``hf:NAME:CONFIG`` from the hub; data sets that bring code are refused."""
    name, _, config = source.removeprefix(PREFIX).partition(":")
    if not name:
        raise OptionError(f"'{source}' names no data set; write hf:NAME or hf:NAME:CONFIG")
    library = _library(source)
    try:
        data = library.load_dataset(name, config or None, split=split)
    except (OSError, ValueError, RuntimeError) as problem:
        raise Place(source).error(f"the data set cannot be loaded: {problem}") from problem
    return _corpus(data, source, name, columns, None)


def read_saved(folder: Path, columns: Columns, split: str | None) -> Corpus:
    """Open a data set that was saved on disk; its rows stay there until they are read."""
    library = _library(str(folder))
    try:
        data = library.load_from_disk(str(folder))
    except (OSError, ValueError, RuntimeError) as problem:
        raise Place(folder).error(f"the data set cannot be opened: {problem}") from problem
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    corpus = _corpus(data, str(folder), folder.resolve().name, columns, split)
    return Corpus(corpus.name, corpus.source, corpus.stream, lambda: digest_folder(folder, paths))


def read_dataset(data: Any, columns: Columns, split: str | None) -> Corpus:
    """Make a corpus of a data set object; the ids are #0, #1, and so on."""
    return _corpus(data, "memory", "", columns, split)


def _corpus(data: Any, source: str, name: str, columns: Columns, split: str | None) -> Corpus:
    rows = _choose_split(data, source, split)
    label = f"{name}:" if name else "#"
    return Corpus(name or "memory", source, lambda: _documents(rows, label, source, columns))


def _choose_split(data: Any, source: str, split: str | None) -> Any:
    """Take the split that was asked for, or the only one there is."""
    if not isinstance(data, Mapping):
        if split is not None:
            raise Place(source).error(f"split '{split}' was asked for, but the data set has no splits")
        return data
    if split is None and len(data) == 1:
        return next(iter(data.values()))
    if split is None:
        names = [str(name) for name in data]
        choice = f"{', '.join(names)}, such as {source}/{names[0]} for a folder"
        raise Place(source).error(f"several splits; choose one of: {choice}")
    if split not in data:
        raise Place(source).error(choose_from("split", split, data))
    return data[split]


def _documents(rows: Any, label: str, source: str, columns: Columns) -> Iterator[Item]:
    features = getattr(rows, "features", None) or {}
    told = None
    for number, row in enumerate(rows):
        names = columns.pick(row, Place(source))
        if names != told:
            yield Remark(str(names))
            told = names
        id, place = f"{label}{number}", Place(f"{source} row {number}")
        labels = names.label or names.tags
        try:
            if labels is not None:
                row = {**row, labels: _spelled(row[labels], features.get(labels), place)}
        except InputError as error:
            yield Broken(id, error)
        else:
            yield row_document(id, row, names, place)


def _spelled(value: Any, feature: Any, place: Place) -> Any:
    """Names for the numbers of classes, where the data set tells them; also within a list."""
    names = getattr(feature, "names", None)
    if isinstance(value, (list, tuple)):
        return [_spelled(item, getattr(feature, "feature", None), place) for item in value]
    if names is None or not isinstance(value, int):
        return value
    if not 0 <= value < len(names):
        problem = f"label {value} is none of the data set's {len(names)} classes; such rows are not labelled"
        raise place.error(problem)
    return names[value]


def _library(source: str) -> Any:
    try:
        import datasets
    except ImportError as problem:
        message = "reading data sets needs the package datasets: pip install 'headscope[datasets]'"
        raise Place(source).error(message) from problem
    return datasets
