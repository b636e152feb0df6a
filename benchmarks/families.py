"""Every transformers family that reads text or uses the shared function, tried as a tiny random model."""

from __future__ import annotations

import argparse
import inspect
import multiprocessing
import signal
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

from benchmarks.family_checks import check_all, eager
from benchmarks.family_loading import TOLD, Loaded, Mismatch, check_loaded, load
from benchmarks.family_loading import run as run_once
from benchmarks.rows import Row, at_most, show, told
from benchmarks.tiny import build, candidates, inputs_for, takes_text
from headscope.errors import ModelError

TITLE = "Families"
SAYS = (
    "Tiny random models. Checked for each: outputs while listening equal eager outputs bit for "
    "bit; maps equal the model's own; blocks of rows equal whole maps within 1e-5; ablating a head equals "
    "zeroing its slice; afterwards the model is as before."
)
DATA = ()
REDUCED = {"sample": 48}
SECONDS = 60
"""A family that computes longer is given up."""


@dataclass(frozen=True)
class Outcome:
    """What became of a family: passed, failed, refused by headscope, or not tried; why, or what is told."""

    family: str
    verdict: str
    reason: str = ""
    shared: bool = True


class NotTried(Exception):
    """A family that cannot be put to the test here."""


def run(only: Sequence[str] | None = None, sample: int | None = None) -> list[Row]:
    """Try the families, all of them unless told otherwise."""
    names = list(only) if only else spread(sorted(MODEL_MAPPING_NAMES), sample)
    outcomes = sorted(try_all(names), key=lambda outcome: outcome.family)
    for outcome in outcomes:
        if outcome.verdict in {"failed", "refused"} or only:
            print(f"  {outcome.family}: {outcome.verdict} {outcome.reason}", flush=True)
    return rows_of(outcomes)


def rows_of(outcomes: Sequence[Outcome]) -> list[Row]:
    """How many passed, failed and were not tried, and which."""
    by_verdict: dict[str, dict[str, str]] = defaultdict(dict)
    for outcome in outcomes:
        by_verdict[outcome.verdict][outcome.family] = outcome.reason
    passed = by_verdict["passed"]
    reasons = Counter(note for reason in passed.values() for note in reason.split("; ") if note in TOLD)
    untried = "cannot be tried here (no text input, or not from a tiny default)"
    rows = {
        "passed": told("passed every check", len(passed)),
        "failed": at_most("failed a check", len(by_verdict["failed"]), "", 0),
        "refused": told("refused with a clear error", len(by_verdict["refused"])),
        "not tried": told(untried, len(by_verdict["not tried"])),
    }
    return [
        told("families that go through the shared function, or take text", len(outcomes)),
        told("go through the shared function", sum(outcome.shared for outcome in outcomes)),
        *({**row, "details": by_verdict[verdict]} for verdict, row in rows.items()),
        *(told(f"of those that passed, {note} (told in every result)", reasons[note]) for note in TOLD),
    ]


def try_all(names: Iterable[str]) -> list[Outcome]:
    """Outcomes of the families, two at a time."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(2, initializer=_prepare, maxtasksperchild=40) as pool:
        found = list(pool.imap_unordered(try_one, names))
    return [outcome for outcome in found if outcome is not None]


def try_one(family: str) -> Outcome | None:
    """The outcome of one family; None if it neither uses the shared function nor takes text."""
    try:
        model_class = class_of(family)
    except NotTried as reason:
        return Outcome(family, "not tried", str(reason))
    shared = uses_shared_function(model_class)
    if not shared and not takes_text(model_class):
        return None
    return Outcome(family, *verdict_on(family, model_class), shared)


def verdict_on(family: str, model_class: Any) -> tuple[str, str]:
    """What became of a family, and why."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of this process: others do not count into it
    try:
        return "passed", "; ".join(check_family(family, model_class))
    except NotTried as reason:
        return "not tried", str(reason)
    except TimeoutError:
        return "not tried", f"computed longer than {SECONDS} s"
    except ModelError as refusal:
        return "refused", str(refusal)
    except Mismatch as mismatch:
        return "failed", str(mismatch)
    except Exception as error:  # whatever a family raises is its outcome
        return "failed", one_line(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def check_family(family: str, model_class: Any) -> list[str]:
    """Build a family tiny and check it; returns what is told of it, and what could not be checked."""
    if not takes_text(model_class):
        raise NotTried("takes no text")
    model, loaded, inputs = first_that_runs(model_class, transformers.CONFIG_MAPPING[family])
    check_loaded(model, loaded, inputs)
    return [*loaded.notes(), *check_all(model, loaded.sites, inputs)]


def first_that_runs(model_class: Any, config_class: Any) -> tuple[Any, Loaded, dict[str, torch.Tensor]]:
    """The first small configuration that gives a model which runs on text by itself and attends."""
    why: Exception | None = None
    refusal: ModelError | None = None
    for config in candidates(config_class):
        if isinstance(config, Exception):
            why = why or config
            continue
        try:
            model = build(model_class, config)
            inputs = inputs_for(model)
            with eager(model):
                outputs = run_once(model, inputs, output_attentions=True)
            check_finite(outputs)
        except Exception as error:  # any failure of the family itself means: try the next size
            why = why or error
            continue
        try:
            return model, load(model, inputs), inputs
        except ModelError as error:  # a hybrid may have no attention in its first layers
            refusal = error
    if refusal is not None:
        raise refusal
    raise NotTried(f"does not run tiny on text alone: {one_line(why)}")


def check_finite(outputs: Any) -> None:
    """Refuse outputs that random weights have blown up."""
    if not all(torch.isfinite(part).all() for part in outputs.to_tuple() if isinstance(part, torch.Tensor)):
        raise ValueError("its outputs are not finite with random weights")


def class_of(family: str) -> Any:
    """The base model class of a family."""
    try:
        found = transformers.MODEL_MAPPING[transformers.CONFIG_MAPPING[family]]
    except (KeyError, ValueError, ImportError) as error:
        raise NotTried(f"has no model class here: {one_line(error)}") from error
    found = found[0] if isinstance(found, tuple | list) else found
    if not issubclass(found, torch.nn.Module):
        raise NotTried("has no model class here")
    return found


def uses_shared_function(model_class: Any) -> bool:
    """Whether the modelling file of a class calls the shared attention function."""
    return "ALL_ATTENTION_FUNCTIONS" in Path(inspect.getfile(model_class)).read_text()


def one_line(error: Exception | None) -> str:
    """An exception in one short line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines)[:160]}"


def spread(names: list[str], sample: int | None) -> list[str]:
    """So many of the names, evenly spread; all for None.

    >>> spread(list("abcdef"), 3)
    ['a', 'c', 'e']
    """
    if sample is None or sample >= len(names):
        return names
    return [names[place * len(names) // sample] for place in range(sample)]


def _prepare() -> None:
    def give_up(number: int, frame: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, give_up)
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    warnings.simplefilter("ignore")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="families to try, such as bert,llama")
    parser.add_argument("--sample", type=int, help="try so many, evenly spread over the alphabet")
    chosen = parser.parse_args()
    show(TITLE, run(chosen.only.split(",") if chosen.only else None, chosen.sample))
