"""`headscope resume RUN`"""

from __future__ import annotations

import sys
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from headscope.cli.shell import Placing, Printing, run_question
from headscope.errors import RunError
from headscope.questions import VERBS, Verb
from headscope.questions import options as groups
from headscope.questions.groups import RunsShards
from headscope.questions.marks import COMPUTING, OUTPUT, Argument, Group
from headscope.questions.options import fields_of


@dataclass(frozen=True, kw_only=True)
class Options(Placing, Printing):
    """Go on with what was stopped in a run folder, as it was asked.

    Every finished shard is kept; the result has the same bits as that of a run that was never stopped. The
    same command typed again does the same. --engine and --workers may differ from before. Runs that Python
    began go on too, where model and data are on disk.

    Example: headscope resume runs/mine
    """

    json: Annotated[bool, Group(OUTPUT)] = False
    """Print the outcome of each verb as JSON on standard output, one after the other."""

    run: Annotated[Path, Argument(0, "RUN")]
    """The folder of a run that was stopped."""

    engine: Annotated[str | None, Group(COMPUTING)] = None  # type: ignore[assignment]
    """Another engine: `local`, `dask`, or a scheduler's address. Default: as it was asked."""


class Recorded(NamedTuple):
    """What run.json says of a question: its verb and options, where it was asked, and what was around it."""

    verb: Verb
    options: groups.Options
    folder: Path
    around: dict[Any, Any]


def run(options: Options) -> None:
    """Go on with every verb that is unfinished."""
    from headscope.results.folder import RunFolder
    from headscope.results.run import open

    opened = open(options.run)
    RunFolder(options.run).tidy()
    if not opened.unfinished:
        done = f"everything has finished here ({', '.join(opened.verbs)})" if opened.verbs else "nothing here"
        _tell(options, f"{options.run}: {done}")
        if options.json:
            from headscope.cli.screen import print_json

            print_json({"run": str(options.run), "notes": [done]})
        return
    shell = {"out": options.run.resolve(), "quiet": options.quiet, "json": options.json}
    for name in opened.unfinished:
        asked = _recorded(options.run, name, opened.asked(name))
        _tell(options, f"resuming {name} of {options.run}, asked in {asked.folder}")
        # What was asked may name files relative to where it was asked.
        with chdir(asked.folder):
            run_question(asked.verb, asked.options, asked.around | _placed(options, asked) | shell)


def _tell(options: Options, text: str) -> None:
    if not options.quiet:
        print(text, file=sys.stderr)


def _placed(options: Options, asked: Recorded) -> dict[str, Any]:
    """Another engine, which has not the workers of the old one, or other workers."""
    if not isinstance(asked.options, RunsShards):
        return {}
    engine = {} if options.engine is None else {"engine": options.engine, "workers": None}
    return engine | ({} if options.workers is None else {"workers": options.workers})


def _recorded(run: Path, name: str, asked: dict[str, Any]) -> Recorded:
    match asked.get("question"):
        case {"options": dict(options), "folder": str(place), **around} if _can_be_asked(name, options):
            folder = Path(place)
        case _:
            raise RunError(f"{run}: run.json does not tell how {name} was asked; repeat the command by hand")
    if not folder.is_dir():
        raise RunError(f"{run}: {name} was started in {folder}, which is gone; repeat the command by hand")
    try:
        return Recorded(VERBS[name], VERBS[name].options.from_plain(options), folder, dict(around))
    except RunError as error:
        raise RunError(f"{run}: {name}: {error}; make the same call with out={run}") from None


def _can_be_asked(name: str, options: dict[str, Any]) -> bool:
    """Whether a verb of that name has all options that it needs."""
    return name in VERBS and all(
        field.name in options for field in fields_of(VERBS[name].options) if field.required
    )
