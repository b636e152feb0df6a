"""What probe found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from headscope.probes.outcomes import ATTENTION
from headscope.results.finding import Finding, finding, values_of
from headscope.results.result import Result


def findings(result: Result) -> list[Finding]:
    """What probes read off attention, the head that counts most, and whether they learned by heart."""
    return [*_scores(result), *_leaned_on(result), *_control(result)]


def _scores(result: Result) -> Iterator[Finding]:
    summary = result.table("probe_summary")
    for row in summary.index[(summary["measure"] == "uas") & (summary["beside"] != "")]:
        values = values_of(result, "probe_summary", row)
        is_above = values["sure"]
        scores = "finds the heads of {mean:full} of the words, “{beside}” those of {beside_mean}"
        if is_above:
            text = f"The probe “{{probe}}” {scores}: a difference of {{above:full}}."
        elif values["above_low"] > 0:
            text = (
                f"The probe “{{probe}}” {scores}: a difference of {{above:full}} over documents; that it "
                "holds for other seeds and twins is not shown."
            )
        else:
            text = f"The probe “{{probe}}” {scores}; that it finds more is not shown: {{above:full}}."
        yield finding(result, "probe_summary", row, text, decided=is_above)


def _leaned_on(result: Result) -> Iterator[Finding]:
    """The head that the probe of attention alone misses most."""
    heads = result.table("probe_heads")
    drop = heads.loc[heads["probe"] == ATTENTION, "drop"]
    if drop.isna().all():
        return
    values = values_of(result, "probe_heads", drop.idxmax())
    is_sure = values["sure"]
    if is_sure:
        text = "The probe “{probe}” leans most on head {head}: without it, its score falls by {drop:size}."
    elif values["low"] > 0:
        text = (
            "On which heads the probe “{probe}” leans is open: the largest drop, {drop:size} without {head}, "
            "may be chance among so many heads."
        )
    else:
        text = (
            "On which heads the probe “{probe}” leans is open; the largest drop, without {head}: {drop:full}."
        )
    yield finding(result, "probe_heads", drop.idxmax(), text, head="head", decided=is_sure)


def _control(result: Result) -> Iterator[Finding]:
    """Only of a probe that finds something can be said that it is not by heart."""
    summary = result.table("probe_summary")
    sure = set(summary.loc[(summary["measure"] == "uas") & summary["sure"], "probe"])
    for row in range(len(result.tables.get("probe_control", ()))):
        control = values_of(result, "probe_control", row)
        is_selective = control["low"] > 0 and control["probe"] in sure
        scores = "right in {uas} of the words, in the control task in {control}"
        scores += ", selectivity {selectivity:full}"
        if is_selective:
            text = f"The probe “{{probe}}” did more than learn by heart: {scores}."
        else:
            why = ", as it is not shown to find more than its baseline" if control["low"] > 0 else ""
            text = f"That the probe “{{probe}}” did more than learn by heart is not shown{why}: {scores}."
        yield finding(result, "probe_control", row, text, decided=is_selective)
