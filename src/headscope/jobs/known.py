"""Runs of other verbs whose findings a survey takes over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headscope.analyses.knowledge import Known, known_heads
from headscope.errors import RunError
from headscope.models import Model
from headscope.models.fingerprint import fingerprint
from headscope.results.result import Result
from headscope.results.run import Run


def read_known(sources: Sequence[Any], model: Model) -> list[Known]:
    """What is known of the heads of a model from results or run folders of syntax and coref."""
    found = []
    weights = fingerprint(model.module) if sources else ""
    for source in sources:
        results = [source] if isinstance(source, Result) else _results(Run(source))
        for result in results:
            theirs = result.asked["identity"]["model"]
            if theirs["weights"] != weights:
                raise RunError(
                    f"{source}: {result.verb} was run on {theirs['name']}, whose weights are not those of "
                    f"{model.name}; what its heads know does not hold here"
                )
            found += known_heads(result)
    return found


def _results(run: Run) -> list[Result]:
    verbs = [verb for verb in ("syntax", "coref") if verb in run.verbs and verb not in run.unfinished]
    if not verbs:
        raise RunError(f"{run.path} has no finished syntax or coref; name a run of one of them with --known")
    return [run.result(verb) for verb in verbs]
