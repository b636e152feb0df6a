"""compare: paired differences between surveys of two or more models or checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import xarray as xr

from headscope.errors import OptionError, RunError, choose_from
from headscope.questions.compare.differences import compare, differences_table, summary_table
from headscope.questions.compare.options import Options
from headscope.questions.naming import distinct_names
from headscope.questions.survey.offers import Surveyed, surveyed
from headscope.results.folder import RunFolder
from headscope.results.provenance import version
from headscope.results.result import Result
from headscope.results.run import open as open_run

SHOWN = ("entropy", "offset:-1", "offset:1", "offset:0", "first", "strongest")


@dataclass(frozen=True)
class Question:
    """Surveys of the same heads, and the measures to compare."""

    options: Options
    surveys: list[xr.Dataset]
    names: list[str]
    measures: list[str]
    paired: bool
    identity: dict[str, Any]
    notes: list[str]
    words: int = 0
    corpora: tuple[()] = ()

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check the runs."""
        surveys = [surveyed(open_run(path)) for path in options.runs]
        runs = distinct_names(options.runs)
        names, heads = map(list, zip(*states_of(runs, surveys), strict=True))
        for name, other in zip(names[1:], heads[1:], strict=True):
            _check_heads(names[0], heads[0], name, other)
        measures = _measures(options.measure, heads[0], names[0])
        identities = [survey.identity for survey in surveys]
        # A limit is no part of the checksum, but reads another part of the text.
        texts = {(read["data"]["checksum"], read["options"].get("limit")) for read in identities}
        identity = {"runs": identities, "names": names, "measures": measures, "seed": options.seed,
                    "headscope": version()}  # fmt: skip
        told = passed_on(dict(zip(runs, (survey.notes for survey in surveys), strict=True)))
        return cls(options, heads, names, measures, len(texts) == 1, identity, told)

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
    """What is compared, with names: each run, and before it the checkpoints that it surveyed."""
    states: list[tuple[str, xr.Dataset]] = []
    for name, survey in zip(names, surveys, strict=True):
        start = f"{name}/" if len(names) > 1 else ""
        states += [(f"{start}{checkpoint}", heads) for checkpoint, heads in survey.earlier.items()]
        states.append((name, survey.heads))
    if len(states) < 2:
        raise OptionError("compare needs at least two runs, or one that was surveyed with --checkpoints")
    return states


def _measures(asked: Sequence[str], survey: xr.Dataset, name: str) -> list[str]:
    """The measures that were asked for, or the main ones and the special tokens."""
    available = [str(measure) for measure in survey["measure"].values]
    special = [f"to:{token}" for token in survey.attrs["special"]]
    usual = [name for name in (*SHOWN, *special) if name in available and _is_defined(survey, name)]
    for measure in asked:
        if measure not in available:
            raise OptionError(choose_from("measure", measure, available))
        if not _is_defined(survey, measure):
            raise OptionError(
                f"the measure '{measure}' says nothing about the heads of {name}: none ever has it"
            )
    return list(asked) or usual


def _check_heads(name: str, survey: xr.Dataset, other_name: str, other: xr.Dataset) -> None:
    """Refuse runs whose heads cannot be paired; one stack's L0H0 is not another's."""
    if any(not survey[label].equals(other[label]) for label in ("stack", "head")):
        raise RunError(
            f"{name} and {other_name} do not have the same heads ({_count(survey)}, and {_count(other)}); "
            "survey both with the same --layers and --heads"
        )


def _count(survey: xr.Dataset) -> str:
    stacks = survey["stack"].to_series().value_counts(sort=False)
    return " and ".join(f"{count} of the {stack}" for stack, count in stacks.items())


def _is_defined(survey: xr.Dataset, measure: str) -> bool:
    """Whether the survey saw the measure at all; a decoder, say, never looks at the next token."""
    return bool(survey["block_count"].sel(measure=measure).any())


def notes(differences: xr.Dataset) -> list[str]:
    """How to read the table, and which pairs it claims nothing of."""
    facts = differences.attrs
    how = (
        "the runs read the same text, so blocks of documents are paired"
        if facts["paired"]
        else "the runs read different texts, so the difference of two independent means is shown"
    )
    bounds = (
        "low and high bound one head's difference (95 %); significant means that the interval for all heads "
        "and measures of a pair of runs at once leaves out 0"
    )
    pairs = zip(differences["pair"].values, facts["blocks"], facts["least_p"], strict=True)
    unclaimed = [
        f"{pair}: no interval and no claim, for {min(blocks)} blocks of documents to exchange are too few: "
        f"even the most extreme exchange of so many has p = {least:.2g}. It takes 6 of one text or 4 of each "
        "of two; a block holds a document or more, and a blank line parts the documents of a text"
        for pair, blocks, least in pairs
        if least > 1 - facts["level"]
    ]
    return [how, bounds, *unclaimed]


def passed_on(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """What the runs say themselves: once what all say, else with the name of the run.

    >>> passed_on({"a": ["same", "one"], "b": ["same", "other"]})
    ['same', 'a: one', 'b: other']
    """
    common = [note for note in next(iter(notes.values())) if all(note in own for own in notes.values())]
    rest = [f"{name}: {note}" for name, own in notes.items() for note in own if note not in common]
    return common + rest
