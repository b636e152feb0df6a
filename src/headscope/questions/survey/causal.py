"""What a survey does beside the rest with models that read from left to right: sinks, and made text."""

from __future__ import annotations

from dataclasses import replace

from headscope.analyses.analysis import Analysis, Setting
from headscope.engine.work import Plan
from headscope.explainers.projecting import why_no_vectors
from headscope.questions.survey.copying import Copying, why_no_copying
from headscope.questions.survey.laid import OUTSIDE, SINK, OfRepeats, OfText
from headscope.questions.survey.lengths import Taken
from headscope.questions.survey.offers import MADE, RUNNING
from headscope.questions.survey.options import Options
from headscope.questions.survey.patterns import Following
from headscope.questions.survey.scores import OF_MADE
from headscope.questions.survey.tables import closing
from headscope.text.repeats import COPIES, Repeats, opening_piece

SIZE = 50
"""Pieces of a copy, where the model takes so many."""

SMALLEST = 4
"""With fewer pieces in a copy, there is no telling one pattern from another."""


def is_causal(setting: Setting) -> bool:
    """Whether all heads in question look from a piece at earlier ones of the same text."""
    sites = setting.sites()
    return setting.model.shape == "decoder" and all(site.causal and not site.masked for site in sites)


def of_running_text(setting: Setting, notes: list[str]) -> list[Analysis]:
    """The analyses of the text itself that only such models have."""
    if not is_causal(setting):
        return []
    laid = OfText(setting.model.kinds, closing(setting))
    following = Following(RUNNING, laid, {name: name for name in (SINK, OUTSIDE)})
    reason = why_no_vectors(setting.model)
    if reason is not None:
        notes.append(f"how long the vectors are that heads take is not told: {reason}")
        return [following]
    return [following, Taken()]


def made_plan(plan: Plan, options: Options, notes: list[str]) -> Plan | None:
    """The second pass of such models, over made text; None where there is none."""
    setting = plan.setting
    if not is_causal(setting) or not options.made:
        return None
    opening = len(opening_piece(setting.model.tokenizer))
    size = min(SIZE, (plan.pieces - opening) // COPIES)
    if size < SMALLEST:
        notes.append(f"no made text: segments of {plan.pieces} pieces are too short to repeat anything")
        return None
    analyses: list[Analysis] = [Following(MADE, OfRepeats(), OF_MADE)]
    reason = why_no_copying(setting.model)
    if reason is None:
        analyses.append(Copying())
    else:
        notes.append(f"whether heads copy is not told: {reason}")
    notes.append(
        f"made text: {options.made} texts of {size} random tokens, twice (seed {options.seed}); "
        "induction, duplicate token, previous token in copies" + " and copying" * (reason is None)
        + " are measured there"
    )  # fmt: skip
    return replace(plan, analyses=analyses, cutter=Repeats(size, options.seed), blocks=None)
