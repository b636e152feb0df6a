"""memory: how long nets and models keep a word in mind."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from headscope.engine.kept import temporary_store
from headscope.questions.memory.nets import OfNets, measure_all
from headscope.questions.memory.options import Options
from headscope.questions.memory.reading import OfModel, read_all
from headscope.questions.memory.shares import LEARNED, Found, has_learned
from headscope.questions.memory.tables import arrays_of_nets, tables_of_nets
from headscope.questions.memory.tables_of_models import arrays_of_model, tables_of_model
from headscope.results.finding import LEVEL
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text.batches import Progress

NAMED = 6
"""Models whose names are told."""


class Question:
    """Of nets to train, or of a model to read."""

    @staticmethod
    def of(options: Options) -> OfNets | OfModel:
        """Open and check everything."""
        options.check_together()
        return OfNets.of(options) if options.nets else OfModel.of(options)


def answer(question: OfNets | OfModel, store: RunFolder | None, progress: Progress | None) -> Result:
    """Train and measure nets, or probe a model; without a run folder, work lies in a temporary one."""
    if store is None:
        with temporary_store() as place:
            return answer(question, place, progress)
    if isinstance(question, OfNets):
        found = measure_all(question, store, progress)
        arrays, tables = {"memory": arrays_of_nets(question, found)}, tables_of_nets(question, found)
        notes = [*about_nets(question), *about_learning(question, found), *about_change(tables)]
        return Result("memory", arrays, tables, notes=notes)
    read = read_all(question, store, progress)
    tables = tables_of_model(question, read)
    return Result("memory", {"memory": arrays_of_model(question, read)}, tables, notes=about_model(question))


def about_nets(question: OfNets) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options, vocabulary = question.options, question.vocabulary
    thing = "word" if options.task == "words" else "statement"
    each = len(vocabulary.phrases[0])
    things = thing if each == 1 else f"{thing}s"
    notes = [
        f"{options.classes} classes of {each} {things} each, {len(vocabulary.fillers)} different fillers; an "
        f"answer may also be that nothing is asked, which counts as wrong; guessing gives "
        f"{1 / options.classes:.1%}",
        f"trained with delays from 4 to {options.delay}; scored on {options.tested:,} sequences for each "
        "delay, the same ones for all nets",
    ]
    if any(kind.has_slow_points for kind in question.kinds):
        notes.append(
            "slow points and drift are those of nets without attention: the others do not keep all in one "
            "state; the fixed filler is the mean of the vectors of all fillers"
        )
    return notes


def about_learning(question: OfNets, found: Found) -> list[str]:
    """Which nets have not learned what they are asked."""
    missing = [kind.name for kind, arrays in found.items() if not has_learned(question, arrays)]
    if not missing:
        return []
    names = ", ".join(missing[:NAMED]) + (", ..." if len(missing) > NAMED else "")
    is_slow = any(kind.has_slow_points for kind in question.kinds)
    left_out = "what speeds tell leaves them out; " if is_slow else ""
    return [
        f"of {len(found)} models, {len(missing)} with less than {LEARNED:.0%} right at a delay of "
        f"{question.judged} did not learn the task ({names}): {left_out}--steps trains longer"
    ]


def about_change(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Whether there are enough models to show what the penalty on speed changes."""
    if "slowed_change" not in tables:
        return []
    tested = tables["slowed_change"].dropna(subset="p")
    if not len(tested):
        return []
    models = int(tested["models"].max())
    least = len(tested) * 2.0 ** (1 - models)
    if least < LEVEL:
        return []
    return [
        f"random signs of {models} models cannot show for sure what the penalty on speed changes: for "
        f"{len(tested)} rows at once no p is below {min(least, 1.0):.2g}; --seeds trains more models"
    ]


def about_model(question: OfModel) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options = question.options
    what = "word" if options.task == "words" else "statement"
    each = options.different // options.classes
    of_class = f"which of {options.classes} {what}s stood before"
    if each > 1:
        of_class = f"of which of {options.classes} classes of {each} {what}s one stood before"
    notes = [
        *question.model.notes,
        f"probes say {of_class}; layer 0 are the embeddings; {len(question.texts.documents):,} texts, three "
        "fifths to train on, a fifth to tune, a fifth to score; delays are in tokens",
    ]
    if question.options.delays is None and question.delays[-1] < 64:
        notes.append(f"delays beyond {question.delays[-1]} are left out: the model takes no longer texts")
    return notes
