"""How long nets keep a word or a statement in mind (Haviv et al. 2019), and what models tell of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

import headscope
from benchmarks.data import ROOT
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.smollm2 import REQUIREMENT, gguf
from benchmarks.timing import computing_with, counted, seconds_of

TITLE = "Memory of words"
SAYS = (
    "`headscope memory` on one thread, processor time: nets of 64 states read a word of one of 10 classes of "
    "20 words among fillers and are asked for it 4 to 18 words later in training, up to 100 later when they "
    "are scored (Haviv et al. 2019, with words for their images); 1,000 sequences for each delay, 3 seeds. "
    "Speed is that of slow points under the mean filler, of nets that have at least 90 % right at the "
    "shortest delay; correlations are of ranks, p by permutation and for all rows at once. Then statements, "
    "who did something to whom; then ten words in running text, read by probes from hidden states so many "
    "tokens later, beside random twins and shuffled labels. The complete run is kept in build/remembering "
    "and goes on where it was stopped; the processor time of all "
    "its pieces is added up."
)
DATA: tuple[str, ...] = ()
BUILT = ROOT / "build" / "remembering"

GRU, ATTENDING = "gru", ("lstm-attention", "gru-attention", "transformer")
NEAR, FAR, FALL = 97.0, 70.0, 10.0
"""Percent that a GRU must have right at delays 18 and 100; points that a net with attention may lose."""

A_SEED, IN_ALL = 60.0, 900.0
"""Seconds."""

REDUCED: dict[str, Any] = {
    "judged": False, "classes": 3, "words": 6, "delays": (4, 8), "delay": 5, "seeds": 1, "steps": 10,
    "hidden": 8, "slower": 4, "descent": 3, "tested": 30,
}  # fmt: skip


def run(judged: bool = True, out: Path | None = None, **options: Any) -> list[Row]:
    """All nets on words; some on statements; models. judged: what must hold is asked for."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (BUILT if judged else Path(folder))
        place.mkdir(parents=True, exist_ok=True)

        def ask(name: str, model: Any, **more: Any) -> Any:
            with counted(place, name):
                headscope.memory(model, out=place / name, plots=judged, **options | more)
            return headscope.open(place / name)

        rows = [*alone(ask("gru", GRU, curriculum="delay", slower=0), place, judged)]
        rows += [*of_nets(ask("all", "all"), place, judged)]
        for net in ("gru", "gru-attention", "transformer") if judged else ():
            statements = ask(f"statements-{net}", net, task="sentences", curriculum="delay", slower=0)
            rows += [*by_delay("statements, ", statements.table("retention"))]
        models = {"default": "default"} if judged else {}
        try:
            models |= {"SmolLM2-135M": gguf()} if judged else {}
        except Exception as error:
            rows.append(told("SmolLM2-135M: not asked", f"cannot get {REQUIREMENT}: {error}"))
        for name, model in models.items():
            layers = {} if name == "default" else {"layers": (0, 5, 10, 15, 20, 25, 30), "batch_size": 16}
            rows += [*of_model(name, ask(f"model-{name}", model, **layers).table("reading"))]
            rows.append(told(f"{name}: processor time", seconds_of(place, f"model-{name}"), "s"))
        return rows


def alone(run: Any, place: Path, judged: bool) -> Iterator[Row]:
    """The GRU, trained with longer and longer delays, and what a seed takes."""
    table = run.table("retention").set_index("delay")
    seconds = seconds_of(place, "gru") / table["models"].iloc[0]
    for delay, least in ((18, NEAR), (100, FAR)) if judged else ():
        yield at_least(f"gru, mean of 3 seeds at delay {delay}", 100 * table["mean"][delay], "%", least)
    name = "gru: training and scores of a seed"
    yield at_most(name, seconds, "s", A_SEED) if judged else told(name, seconds, "s")


def of_nets(run: Any, place: Path, judged: bool) -> Iterator[Row]:
    """All nets by delay, what slow points tell, and what slowing does."""
    retention = run.table("retention")
    yield from by_delay("", retention)
    far = retention[retention["delay"] == retention["delay"].max()].set_index(["net", "curriculum"])
    for net in ATTENDING:
        name, fall = (
            f"{net}: lost from the shortest to the longest delay",
            -100 * float(far["change"][net, "delay"]),
        )
        yield at_most(name, fall, "points", FALL) if judged else told(name, fall, "points")
    name, fall = "lstm, by delay: lost", -100 * float(far["change"]["lstm", "delay"])
    yield at_least(name, fall, "points", 1.0) if judged else told(name, fall, "points")
    for one in far[far["learned"] < far["models"]].reset_index().itertuples():
        name = f"{one.net}, by {one.curriculum}: models that have learned the task"
        yield told(name, f"{one.learned} of {one.models}")
    slow = run.table("slow_points")
    slow = slow[slow["learned"]]
    for net, own in slow.groupby("net", sort=False):
        yield told(f"{net}: slow points that still give their class", 100 * float(own["read"].mean()), "%")
        yield told(f"{net}: median speed of slow points", float(own["speed"].median()))
        yield told(f"{net}: median speed of mean states", float(own["mean_speed"].median()))
    yield from _forgetting(run.table("forgetting"))
    for one in run.table("curricula").itertuples():
        name = f"{one.net}: by vocabulary less by delay, at delay {one.delay}"
        yield told(name, 100 * float(one.difference), "points")
    for one in run.table("slowed_change").itertuples():
        name = f"{one.net}: change with the penalty on speed, at delay {one.delay}"
        p = "" if one.adjusted != one.adjusted else f", p {one.adjusted:.2g}"
        yield told(name, f"{100 * one.change:+.1f} points{p}, speed x {one.speed:.2g}")
    name, seconds = "all nets and seeds", seconds_of(place, "all")
    yield at_most(name, seconds, "s", IN_ALL) if judged else told(name, seconds, "s")


def _forgetting(table: pd.DataFrame) -> Iterator[Row]:
    for one in table.itertuples():
        name = f"{one.net}, {one.scope}: speed and right answers at delay {one.delay}"
        value = (
            "does not vary" if one.spearman != one.spearman else f"{one.spearman:+.2f}, p {one.adjusted:.2g}"
        )
        yield told(name, f"{value} ({one.points} points)")


def by_delay(label: str, table: pd.DataFrame) -> Iterator[Row]:
    """A row for each kind of net."""
    for (net, curriculum), own in table.groupby(["net", "curriculum"], sort=False):
        shares = " ".join(f"{100 * share:.1f}" for share in own["mean"])
        delays = ", ".join(map(str, own["delay"]))
        yield told(f"{label}{net}, by {curriculum}: right at delays {delays}", shares, "%")


def of_model(name: str, table: pd.DataFrame) -> Iterator[Row]:
    """A row for each layer, and one for the twins' best."""
    for layer, own in table.groupby("layer"):
        shares = " ".join(
            f"{100 * share:.0f}{'*' if sure else ''}"
            for share, sure in zip(own["accuracy"], own["sure"], strict=True)
        )
        delays = ", ".join(map(str, own["delay"]))
        yield told(f"{name}, layer {layer}: right {delays} tokens later (* surely)", shares, "%")
    twins = " ".join(f"{100 * share:.0f}" for share in table.groupby("delay")["twin"].max())
    yield told(f"{name}: the best layer of a random twin", twins, "%")
    yield told(f"{name}: mean of probes with shuffled labels", 100 * float(table["shuffled"].mean()), "%")
