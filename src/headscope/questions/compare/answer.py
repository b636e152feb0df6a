"""compare: paired differences between surveys of two or more models or checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from headscope.errors import OptionError, RunError, choose_from
from headscope.measures.exchange import fewest_blocks
from headscope.questions.compare.differences import compare, differences_table, summary_table
from headscope.questions.compare.options import Options
from headscope.questions.naming import distinct_names
from headscope.questions.survey.offers import MADE, RUNNING, Surveyed, surveyed
from headscope.results.folder import RunFolder
from headscope.results.provenance import version
from headscope.results.result import Result
from headscope.results.run import open as open_run

FIRST = "first"
SHOWN = (
    "entropy", "offset:-1", "offset:1", "induction", "duplicate", "copying", "previous_in_copies", "offset:0",
    FIRST, "strongest",
)  # fmt: skip
"""The main measures, where all runs have them; pictures show the first ones."""


def _text_of(identity: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a survey read; a limit is no part of the checksum, but reads another part of the text."""
    return identity["data"]["checksum"], identity["options"].get("limit")


def _made_text_of(identity: Mapping[str, Any]) -> tuple[Any, ...]:
    """What decides its made text."""
    options = identity["options"]
    return identity["model"]["tokenizer"], *(options.get(name) for name in ("made", "seed", "pieces"))


READ = {RUNNING: _text_of, MADE: _made_text_of}


@dataclass(frozen=True)
class Question:
    """Surveys of the same heads, and the measures to compare."""

    options: Options
    surveys: list[xr.Dataset]
    names: list[str]
    measures: list[str]
    paired: dict[str, bool]
    identity: dict[str, Any]
    notes: list[str]
    steps: tuple[()] = ()
    corpora: tuple[()] = ()

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check the runs."""
        surveys = [surveyed(open_run(path)) for path in options.runs]
        runs = distinct_names(options.runs)
        names, heads = map(list, zip(*states_of(runs, surveys), strict=True))
        for name, other in zip(names[1:], heads[1:], strict=True):
            _check_heads(names[0], heads[0], name, other)
        _check_measures(options.measure, heads[0], names[0])
        measures = list(options.measure) or usual_measures(heads)
        identities = [survey.identity for survey in surveys]
        paired = {text: len({of(read) for read in identities}) == 1 for text, of in READ.items()}
        identity = {"runs": identities, "names": names, "measures": measures, "seed": options.seed,
                    "headscope": version()}  # fmt: skip
        told = passed_on(dict(zip(runs, (survey.notes for survey in surveys), strict=True)))
        return cls(options, heads, names, measures, paired, identity, told)

    @property
    def name(self) -> str:
        return "-".join(self.names)


def answer(question: Question, store: RunFolder | None, progress: Any) -> Result:
    """Each run beside the first, head by head; the order given is the order of the curves."""
    arrays = compare(
        question.surveys, question.names, question.paired, question.measures, question.options.seed
    )
    table = differences_table(arrays["differences"])
    tables = {"differences": table, "differences_summary": summary_table(table)}
    return Result("compare", arrays, tables, notes=[*notes(arrays["differences"]), *question.notes])


def states_of(names: Sequence[str], surveys: Sequence[Surveyed]) -> list[tuple[str, xr.Dataset]]:
    """What is compared, with names: each run, and before it the checkpoints that it surveyed.

    A model that is the last of its checkpoints itself is there once.
    """
    states: list[tuple[str, xr.Dataset]] = []
    for name, survey in zip(names, surveys, strict=True):
        start = f"{name}/" if len(names) > 1 else ""
        states += [(f"{start}{checkpoint}", heads) for checkpoint, heads in survey.earlier.items()]
        if not survey.is_last_checkpoint:
            states.append((name, survey.heads))
    if len(states) < 2:
        if surveys[0].earlier:
            raise OptionError(
                f"the only checkpoint that {names[0]} surveyed is the model itself; compare needs another "
                "one or another run"
            )
        raise OptionError("compare needs at least two runs, or one that was surveyed with --checkpoints")
    return states


def usual_measures(surveys: Sequence[xr.Dataset]) -> list[str]:
    """The main measures, and the special tokens of the first survey, where heads of all surveys have them.

    A special token that always is the first one is told as the first one alone.
    """
    special = [f"to:{token}" for token in surveys[0].attrs["special"]]
    usual = [name for name in (*SHOWN, *special) if all(_is_defined(survey, name) for survey in surveys)]
    return [name for name in usual if name == FIRST or not all(_is_first(survey, name) for survey in surveys)]


def _is_first(survey: xr.Dataset, measure: str) -> bool:
    """Whether a measure is that of the first token, under another name."""
    totals = survey["block_total"]
    # Both are sums of the same weights, in another order.
    return np.allclose(totals.sel(measure=measure), totals.sel(measure=FIRST), rtol=1e-5, equal_nan=True)


def _check_measures(asked: Sequence[str], survey: xr.Dataset, name: str) -> None:
    """Refuse measures that there are not, or that no head of the first run has."""
    available = [str(measure) for measure in survey["measure"].values]
    for measure in asked:
        if measure not in available:
            raise OptionError(choose_from("measure", measure, available))
        if not _is_defined(survey, measure):
            raise OptionError(
                f"the measure '{measure}' says nothing about the heads of {name}: none ever has it"
            )


def _check_heads(name: str, survey: xr.Dataset, other_name: str, other: xr.Dataset) -> None:
    """Refuse runs whose heads cannot be paired; one stack's L0H0 is not another's."""
    if any(not survey[label].equals(other[label]) for label in ("stack", "head")):
        raise RunError(
            f"{name} and {other_name} do not have the same heads ({_count(survey)}, and {_count(other)}), by "
            "which they are compared; survey models of one shape, with the same --layers and --heads"
        )


def _count(survey: xr.Dataset) -> str:
    stacks = survey["stack"].to_series().value_counts(sort=False)
    return " and ".join(f"{count} of the {stack}" for stack, count in stacks.items())


def _is_defined(survey: xr.Dataset, measure: str) -> bool:
    """Whether the survey saw the measure at all; a decoder, say, never looks at the next token."""
    has_it = measure in survey["measure"].values
    return has_it and bool(survey["block_count"].sel(measure=measure).any())


SAME = "the runs read the same {}, so blocks of documents are paired"
OTHER = "the runs read {}, so the difference of two independent means is shown"
TEXTS = {RUNNING: (SAME.format("text"), OTHER.format("different texts")),
         MADE: (SAME.format("made text"), OTHER.format("different made texts"))}  # fmt: skip
FEW = {
    RUNNING: "a block holds a document or more, and a blank line parts the documents of a text",
    MADE: "a block holds a made text or more, and --made of survey says how many there are",
}


def notes(differences: xr.Dataset) -> list[str]:
    """How to read the table, and which pairs it claims nothing of."""
    facts = differences.attrs
    how = [TEXTS[of["text"]][0 if of["paired"] else 1] for of in facts["texts"]]
    bounds = (
        "low and high bound one head's difference (95 %); significant means that the interval for all heads "
        "and measures of a pair of runs at once leaves out 0"
    )
    if len(how) > 1:
        bounds += "; text and made text have half of the 5 % each"
    unclaimed = [
        f"{pair}: {_too_few(min(blocks), least, facts['risk'], facts['level'])}; {FEW[of['text']]}"
        for of in facts["texts"]
        for pair, blocks, least in zip(differences["pair"].values, of["blocks"], of["least_p"], strict=True)
        if least > facts["risk"]
    ]
    return [*how, bounds, *unclaimed]


def _too_few(blocks: int, least: float, risk: float, level: float) -> str:
    """Why so many blocks claim nothing; least: their smallest p. risk: what a claim may have."""
    paired, apart = (fewest_blocks(is_paired, risk) for is_paired in (True, False))
    return (
        f"{'no interval and ' if least > 1 - level else ''}no claim, for {blocks} blocks of documents to "
        f"exchange are too few: even the most extreme exchange of so many has p = {least:.2g}. It takes "
        f"{paired} of one text or {apart} of each of two"
    )


def passed_on(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """What the runs say themselves: once what all say, else with the name of the run.

    >>> passed_on({"a": ["same", "one"], "b": ["same", "other"]})
    ['same', 'a: one', 'b: other']
    """
    common = [note for note in next(iter(notes.values())) if all(note in own for own in notes.values())]
    rest = [f"{name}: {note}" for name, own in notes.items() for note in own if note not in common]
    return common + rest
