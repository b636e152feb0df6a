"""`headscope resume RUN`"""

from __future__ import annotations

import shlex
import sys
from contextlib import chdir
from pathlib import Path
from typing import Annotated, Any

import typer

from headscope.cli.engines import Workers
from headscope.errors import RunError


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run that was stopped.")],
    engine: Annotated[
        str | None, typer.Option(help="Another engine: `local`, `dask`, or a scheduler's address.")
    ] = None,
    workers: Workers = None,
) -> None:
    """Go on with what was stopped in a run folder, as it was asked.

    Every finished shard is kept; the result has the same bits as that of a run that was never stopped.
    The same command typed again does the same. --engine and --workers may differ from before.

    Example: `headscope resume runs/mine`
    """
    from headscope.cli.main import SHARDED, app
    from headscope.results.folder import RunFolder
    from headscope.results.run import open

    opened = open(run)
    RunFolder(run).tidy()
    if not opened.unfinished:
        done = f"everything has finished here ({', '.join(opened.verbs)})" if opened.verbs else "nothing here"
        print(f"{run}: {done}", file=sys.stderr)
        return
    place = run.resolve()
    for verb in opened.unfinished:
        words, folder = _typed(run, verb, opened.asked(verb))
        words = _set(words, "--out", place)
        if words[0] in SHARDED:
            words = _placed(words, engine, workers)
        print(f"resuming in {folder}: headscope {shlex.join(words)}", file=sys.stderr)
        # What was typed may name files relative to where it was typed.
        with chdir(folder):
            code = app(words, prog_name="headscope", standalone_mode=False)
        # Called so, typer makes a returned number of an interruption.
        if code:
            sys.exit(code)


def _typed(run: Path, verb: str, asked: dict[str, Any]) -> tuple[list[str], Path]:
    match asked.get("command"):
        case None:
            raise RunError(
                f"{run}: {verb} was called from Python, so no command is known; make the same call with "
                f"out={run}"
            )
        case {"words": [str(first), *others], "folder": str(place)} if _is_of(first, verb, others):
            folder = Path(place)
        case _:
            raise RunError(f"{run}: run.json tells no command of {verb}; repeat the command by hand")
    if not folder.is_dir():
        raise RunError(f"{run}: {verb} was started in {folder}, which is gone; repeat the command by hand")
    return [first, *others], folder


def _is_of(first: str, verb: str, others: list[Any]) -> bool:
    """Whether words are a command of a verb, and nothing else that a foreign folder may want to be run."""
    return first in (verb, "demo") and all(isinstance(word, str) for word in others)


def _placed(words: list[str], engine: str | None, workers: int | None) -> list[str]:
    """The words with another engine, which has not the workers of the old one, or with other workers."""
    if engine is not None:
        words = _set(_set(words, "--workers", None), "--engine", engine)
    return words if workers is None else _set(words, "--workers", workers)


def _set(words: list[str], option: str, value: object) -> list[str]:
    """The words with one option set anew, or without it; it stands in front, since `--` may end all options.

    >>> _set(["survey", "default", "--out", "a", "--", "-b.txt"], "--out", "c")
    ['survey', '--out', 'c', 'default', '--', '-b.txt']
    """
    given = words.index("--") if "--" in words else len(words)
    kept, skip = [], False
    for word in words[1:given]:
        if not skip and word != option and not word.startswith(f"{option}="):
            kept.append(word)
        skip = word == option and not skip
    added = [] if value is None else [option, str(value)]
    return [words[0], *added, *kept, *words[given:]]
