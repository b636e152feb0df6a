"""What verbs that score a model on a task do with their options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from headscope.results.result import Result


def answered(
    job: ModuleType, model: str, loading: dict[str, Any], data: tuple[Any, ...], out: Path | None,
    plots: bool, quiet: bool, options: dict[str, Any],
) -> tuple[Path, Result]:  # fmt: skip
    """The job of a verb with a progress bar, into a run folder; `data` is what its question takes."""
    from headscope.cli.screen import progress_bar
    from headscope.models import load

    job.Options(**options)  # refused before the model is loaded
    question = job.Question.of(load(model, **loading), *data, options)
    path = out or job.run_path(question)
    with progress_bar(job.VERB, question.words, quiet) as progress:
        return path, job.answer(question, path, progress, plots)
