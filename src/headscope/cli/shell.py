"""What surrounds every question on the command line: its output, its run folder, where it computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

from headscope.questions import Verb
from headscope.questions.groups import KeepsRun, RunsShards
from headscope.questions.marks import COMPUTING, OUTPUT, At, Group, Short
from headscope.questions.options import Field, Options, fields_of

if TYPE_CHECKING:
    from headscope.engine.effort import Steps
    from headscope.results.result import Result

LOCAL = "local"


@dataclass(frozen=True, kw_only=True)
class Printing(Options):
    """What is printed."""

    quiet: Annotated[bool, Short("-q"), Group(OUTPUT)] = False
    """Print nothing but errors; what was found stands in the run folder."""

    json: Annotated[bool, Group(OUTPUT)] = False
    """Print the outcome as JSON on standard output."""


@dataclass(frozen=True, kw_only=True)
class Keeping(Options):
    """Where a run goes."""

    out: Annotated[Path | None, Group(OUTPUT)] = None
    """Run folder to write, or to continue. Default: runs/VERB-MODEL-N."""

    plots: Annotated[bool, Group(OUTPUT)] = True
    """Draw the figures as PNG, SVG and PDF."""


@dataclass(frozen=True, kw_only=True)
class Placing(Options):
    """Where shards run."""

    engine: Annotated[str, Group(COMPUTING)] = LOCAL
    """Where to run: `local` (this process), `dask` (worker processes of this machine), or the address of a
    Dask scheduler such as `tcp://node1:8786`."""

    workers: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """How many workers `--engine dask` starts. Default: one per core."""


def around(options: type[Options]) -> list[type[Options]]:
    """The options that the command line adds to those of a question."""
    keeping = [Keeping] if issubclass(options, KeepsRun) else []
    placing = [Placing] if issubclass(options, RunsShards) else []
    return [Printing, *keeping, *placing]


def fields_with(options: type[Options]) -> list[Field]:
    """All options of a question's command."""
    return [field for group in (options, *around(options)) for field in fields_of(group)]


def run_question(verb: Verb, options: Options, values: dict[str, Any]) -> None:
    """Answer a question with a progress bar, keep and print the answer; values: of the options around it."""
    from headscope.cli.engines import engine_of
    from headscope.results.provenance import now, stamp

    began = stamp(now())
    printing, keeping, placing = (_picked(group, values) for group in (Printing, Keeping, Placing))
    with engine_of(placing.engine, placing.workers):
        result, path = answered(verb, options, printing, keeping, placing)
    _tell(verb, options, result, path, printing, began)


def answered(
    verb: Verb, options: Options, printing: Printing, keeping: Keeping, placing: Placing
) -> tuple[Result, Path | None]:
    """Answer a question with a progress bar and keep the answer, printing nothing of it: it, and its run."""
    from headscope.cli.order import model_first
    from headscope.cli.screen import announced
    from headscope.questions.asking import ask, claim_run_path, open_question

    with model_first(verb, options):
        question = open_question(verb, options)
    if not isinstance(options, KeepsRun):
        result = ask(verb, question)
        _save(verb, options, result)
        return result, None
    path = keeping.out or claim_run_path(verb, question)
    quick: Steps = getattr(question, "quick", ())
    with announced(verb.name, question.steps, quick, printing.quiet or printing.json) as progress:
        return ask(verb, question, path, progress, keeping.plots, **placing.plain()), path


def _save(verb: Verb, options: Options, result: Result) -> None:
    """Write what --save names: a page of what can be looked at, else what the question itself writes."""
    path: Path | None = getattr(options, "save", None)
    if path is None:
        return
    if path.suffix.lower() == ".html" and result.view is not None:
        from headscope.results.files import write_text
        from headscope.web.page import standalone
        from headscope.web.views.view import view_page

        write_text(path, standalone(view_page(result.view)))
    else:
        verb.module("answer").save(result, path)


def _tell(
    verb: Verb, options: Options, result: Result, path: Path | None, printing: Printing, began: str
) -> None:
    """Print an answer; began: when the command did, so that a run that had finished before is told."""
    from headscope.cli.screen import print_answer, print_result
    from headscope.questions.screens import first_rows

    paths = {"run": path, "model": _model_in(verb, path), "saved": getattr(options, "save", None)}
    places = {name: str(place) for name, place in paths.items() if place is not None}
    if printing.json:
        print_result(result, places)
    elif not printing.quiet:
        module = verb.module("screen") if verb.has("screen") else None
        shown = first_rows(result) if module is None else module.screen(result)
        next_step = getattr(module, "next_step", _as_page)
        step = next_step(result, options.plain(), places) or _as_page(result, options.plain(), places)
        origin = result.asked["provenance"]
        before = {"done": f"before, at {origin['finished']}: read, not computed anew"}
        last = {**(before if origin["started"] < began else {}), **({"next": step} if step else {})}
        print_answer(shown, result, places | last)


def _as_page(result: Result, options: Mapping[str, object], places: Mapping[str, str]) -> str | None:
    """What to do with a run where its verb says nothing."""
    return f"headscope report {quote(places['run'])}" if "run" in places else None


def _model_in(verb: Verb, path: Path | None) -> Path | None:
    """The model that a verb has written into its run; the folder may also hold that of another verb."""
    name = getattr(verb.module("answer"), "MODEL", None)
    return path / name if path is not None and name is not None and (path / name).is_dir() else None


def _picked(group: type[Options], values: dict[str, Any]) -> Any:
    """The options of a group, of which some may have been given among others."""
    return group(**{field.name: values[field.name] for field in fields_of(group) if field.name in values})
