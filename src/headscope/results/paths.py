"""Where a run goes when no folder was named."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headscope.errors import RunError
from headscope.results import record
from headscope.results.files import explain_refusal
from headscope.results.plain import plain
from headscope.results.record import Record

_LONGEST = 40


def next_run_path(root: str | os.PathLike[str], verb: str, model_name: str, asked: Mapping[str, Any]) -> Path:
    """The folder ROOT/VERB-MODEL-N of the same unfinished command, else a new, empty one.

    The new folder is made at once, so that commands started together get different numbers.
    """
    base = f"{verb}-{safe_name(model_name)}-"
    numbers = sorted(
        int(path.name.removeprefix(base))
        for path in Path(root).glob(f"{base}*")
        if path.name.removeprefix(base).isdecimal()
    )
    for number in numbers:
        if _is_unfinished(Path(root, f"{base}{number}"), verb, asked):
            return Path(root, f"{base}{number}")
    return _make(Path(root), base, numbers[-1] + 1 if numbers else 1)


def safe_name(model_name: str) -> str:
    """A model's last path component, with what a file name cannot hold made into dashes.

    >>> safe_name("org/bert base:v2"), safe_name("models\\\\tiny/")
    ('bert-base-v2', 'tiny')
    """
    last = model_name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if last in ("", ".", ".."):
        last = Path(model_name).resolve().name
    return re.sub(r"[^\w.]+", "-", last)[:_LONGEST].strip(".-") or "model"


def _is_unfinished(path: Path, verb: str, asked: Mapping[str, Any]) -> bool:
    try:
        entry = Record.read(path).verbs.get(verb)
    except RunError:
        return False  # a folder that is no run, or a broken one, is left alone
    if entry is None or entry.finished:
        return False
    return record.difference(entry.asked["identity"], plain(asked["identity"])) is None


def _make(root: Path, base: str, number: int) -> Path:
    while True:
        path = root / f"{base}{number}"
        try:
            with explain_refusal(path):
                root.mkdir(parents=True, exist_ok=True)
                path.mkdir()
        except FileExistsError:
            if not root.is_dir():
                raise RunError(f"{root} is a file, so no run can be written there; use --out") from None
            number += 1
        else:
            return path
