"""`headscope resume RUN`"""

from __future__ import annotations

import sys
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from headscope.cli.shell import Placing, Printing, run_question
from headscope.errors import RunError
from headscope.questions import VERBS, Verb
from headscope.questions import options as groups
from headscope.questions.groups import RunsShards
from headscope.questions.options import Argument


@dataclass(frozen=True, kw_only=True)
class Options(Placing, Printing):
    """Go on with what was stopped in a run folder, as it was asked.

    Every finished shard is kept; the result has the same bits as that of a run that was never stopped. The
    same command typed again does the same. --engine and --workers may differ from before. Runs that Python
    began go on too, where model and data are on disk.

    Example: headscope resume runs/mine
    """

    run: Annotated[Path, Argument(0, "RUN")]
    """The folder of a run that was stopped."""


def run(options: Options) -> None:
    """Go on with every verb that is unfinished."""
    from headscope.results.folder import RunFolder
    from headscope.results.run import open

    opened = open(options.run)
    RunFolder(options.run).tidy()
    if not opened.unfinished:
        done = f"everything has finished here ({', '.join(opened.verbs)})" if opened.verbs else "nothing here"
        print(f"{options.run}: {done}", file=sys.stderr)
        return
    place = options.run.resolve()
    for name in opened.unfinished:
        verb, asked, folder, plots = _recorded(options.run, name, opened.asked(name))
        print(f"resuming {name} in {folder}", file=sys.stderr)
        given = {"out": place, "plots": plots, "quiet": options.quiet, "json": options.json}
        if isinstance(asked, RunsShards):
            given |= {"engine": options.engine, "workers": options.workers}
        # What was asked may name files relative to where it was asked.
        with chdir(folder):
            run_question(verb, asked, given)


def _recorded(run: Path, name: str, asked: dict[str, Any]) -> tuple[Verb, groups.Options, Path, bool]:
    """What run.json says of a question: its verb, its options, where it was asked, whether to draw."""
    match asked.get("question"):
        case {"options": dict(options), "folder": str(place), "plots": bool(plots)} if name in VERBS:
            folder = Path(place)
        case _:
            raise RunError(f"{run}: run.json does not tell how {name} was asked; repeat the command by hand")
    if not folder.is_dir():
        raise RunError(f"{run}: {name} was started in {folder}, which is gone; repeat the command by hand")
    try:
        return VERBS[name], VERBS[name].options.from_plain(options), folder, plots
    except RunError as error:
        raise RunError(f"{run}: {name}: {error}; make the same call with out={run}") from None
