"""The report: all that a run folder holds, as the page gets it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate
from typing import TypeVar

import xarray as xr

from headscope.errors import RunError
from headscope.heads import Head
from headscope.results.explanations import EXPLANATIONS
from headscope.results.linked import LINKED
from headscope.results.look import Explanation
from headscope.results.run import Run
from headscope.results.sentences import is_sentence, read_sentences
from headscope.web.look_wire import ExplanationWire, LinkedWire, LookWire
from headscope.web.packing import wired, wired_explanation, wired_linked
from headscope.web.report.atlas import atlas_of
from headscope.web.report.figures import figure_names, figure_wire
from headscope.web.report.findings import finding_wire
from headscope.web.report.head_tables import PLACE
from headscope.web.report.models import models_of
from headscope.web.report.overview import verb_card
from headscope.web.report.tables import MOST_ROWS, RunTable, table_wire
from headscope.web.report.verdicts import verdicts_of
from headscope.web.report_wire import FigureWire, Report

Content = TypeVar("Content")

MOST_ANSWERS, MOST_NUMBERS = 12, 200_000
"""Answers to a text whose words are coloured, and importances of a verb, about 2 MB; tables have all."""


def report_of(run: Run) -> Report:
    """Everything in a run; a file that cannot be read is left out, and the page says so."""
    reading = _Reading(run)
    tables = reading.tables()
    figures, sentences, explanations = reading.figures(), reading.sentences(), reading.explanations()
    linked = reading.linked()
    # Roles that heads were given are read by other questions; their numbers stand in other tables.
    measured = [table for table in tables if table.name != reading.entries[table.verb].roles]
    atlas = atlas_of(measured, reading.heads(measured), models_of(reading.entries))
    return Report(
        run.path.resolve().name,
        [verb_card(verb, entry, reading.notes[verb]) for verb, entry in reading.entries.items()],
        [
            finding_wire(verb, finding, tables)
            for verb, entry in reading.entries.items()
            for finding in entry.findings
        ],
        atlas,
        [table_wire(table) for table in tables],
        figures,
        sentences,
        [each for own in explanations.values() for each in own],
        [verb for verb, own in explanations.items() if own],
        list(verdicts_of(tables)),
        linked,
    )


class _Reading:
    """The files of a run read one after the other; notes: by verb, what is not in the report and why."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.entries = {verb: run.entry(verb) for verb in run.verbs}
        self.notes: dict[str, list[str]] = {verb: [] for verb in run.verbs}

    def tables(self) -> list[RunTable]:
        tables = []
        for verb, entry in self.entries.items():
            for name, says in entry.tables.items():
                table = self._try(verb, partial(self.run.table, name, verb))
                if table is None:
                    continue
                tables.append(RunTable(verb, name, table, says))
                if len(table) > MOST_ROWS:
                    rows = f"the first {MOST_ROWS:,} of {len(table):,} rows of the table {name}"
                    self.notes[verb].append(f"this report has {rows}; all are in tables/{verb}/{name}.csv")
        return tables

    def figures(self) -> list[FigureWire]:
        tried = [
            self._try(verb, partial(figure_wire, self.run.path, verb, name, entry))
            for verb, entry in self.entries.items()
            for name in figure_names(entry.plots)
        ]
        return [figure for figure in tried if figure is not None]

    def sentences(self) -> list[LookWire]:
        return self._of_all(_sentences)

    def linked(self) -> list[LinkedWire]:
        return self._of_all(_linked)

    def explanations(self) -> dict[str, list[ExplanationWire]]:
        """Those of each verb."""
        told = {}
        for verb in self.entries:
            found = self._try(verb, partial(_explanations, self.run, verb)) or []
            sizes = accumulate(each.importance[:, :MOST_ANSWERS].size for each in found)
            fitting = [each for each, size in zip(found, sizes, strict=True) if size <= MOST_NUMBERS]
            if len(fitting) < len(found):
                texts = f"the words of {len(fitting)} texts, of {len(found)} that are kept for it"
                self.notes[verb].append(f"this report colours {texts}; all are in tables/{verb}")
            told[verb] = [wired_explanation(each, MOST_ANSWERS) for each in fitting]
        return told

    def heads(self, tables: list[RunTable]) -> dict[str, Head]:
        """Heads by name, from arrays, for verbs whose tables tell only names."""
        heads: dict[str, Head] = {}
        for verb, entry in self.entries.items():
            own = [one.table for one in tables if one.verb == verb and "head" in one.table]
            if own and not any("stack" in table for table in own):
                for name in entry.arrays:
                    heads |= self._try(verb, partial(_labelled, self.run, verb, name)) or {}
        return heads

    def _of_all(self, read: Callable[[Run, str], list[Content]]) -> list[Content]:
        """What is read of each verb, one after the other."""
        told = [self._try(verb, partial(read, self.run, verb)) for verb in self.entries]
        return [each for of_verb in told for each in of_verb or ()]

    def _try(self, verb: str, read: Callable[[], Content]) -> Content | None:
        try:
            return read()
        except RunError as error:
            self.notes[verb].append(f"left out of this report: {error}")
            return None


def _sentences(run: Run, verb: str) -> list[LookWire]:
    return [wired(look, text) for text, look in read_sentences(_arrays(run, verb, is_sentence))]


def _linked(run: Run, verb: str) -> list[LinkedWire]:
    return [wired_linked(verb, each) for each in LINKED.read(_arrays(run, verb, LINKED.has))]


def _explanations(run: Run, verb: str) -> list[Explanation]:
    return EXPLANATIONS.read(_arrays(run, verb, EXPLANATIONS.has))


def _arrays(run: Run, verb: str, are_wanted: Callable[[str], bool]) -> dict[str, xr.Dataset]:
    return {name: run.arrays(name, verb) for name in run.entry(verb).arrays if are_wanted(name)}


def _labelled(run: Run, verb: str, name: str) -> dict[str, Head]:
    """The heads that an array's labels tell."""
    labels = run.arrays(name, verb).coords
    if not {"head", *PLACE} <= set(labels):
        return {}
    columns = [labels[key].values.tolist() for key in ("head", *PLACE)]
    return {str(label): Head(*place) for label, *place in zip(*columns, strict=True)}
