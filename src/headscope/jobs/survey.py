"""survey: what every head does on the surface, over a corpus, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import xarray as xr

from headscope.analyses.analysis import Analysis
from headscope.analyses.distances import Distances
from headscope.analyses.gradients import Gradients
from headscope.analyses.knowledge import Known, with_known
from headscope.analyses.surface import Surface
from headscope.analyses.survey import heads_dataset, tables
from headscope.attention import RowBlocks
from headscope.engine.running import run
from headscope.engine.shards import shards
from headscope.engine.work import Plan, Progress
from headscope.errors import OptionError
from headscope.jobs.examples import examples
from headscope.jobs.known import read_known
from headscope.jobs.planning import at_least_one, longest_segment, setting_of
from headscope.jobs.running import Asked, into_folder
from headscope.jobs.sentences import BUDGET, choose, look_at, within_budget
from headscope.models import Model, load
from headscope.models.forecast import BLOCKWISE_ABOVE, check_memory, distance_rows, forecast
from headscope.results.paths import next_run_path
from headscope.results.result import Result
from headscope.results.sentences import sentence_arrays
from headscope.tasks.losses import Loss, own_loss, why_no_loss
from headscope.text import Corpus, Spans, read

VERB = "survey"
PIECES = 128


@dataclass(frozen=True)
class Options:
    """What can be chosen; the defaults are those of Clark et al. 2019.

    pieces: longest segment; by default PIECES, or what the model takes if that is less.
    """

    pieces: int | None = None
    batch_size: int = 16
    layers: tuple[int, ...] | None = None
    heads: tuple[int, ...] | None = None
    distances: bool = True
    gradients: bool = True
    masking: float = 0.15
    rows: int | None = None
    limit: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        at_least_one(self, "pieces", "batch_size", "rows", "limit")
        if not 0 < self.masking < 1:
            raise OptionError(f"--masking must lie between 0 and 1, not {self.masking}")


def survey(
    model: Any = "default",
    text: Any = None,
    *,
    out: str | Path | None = None,
    column: str | None = None,
    target: str | None = None,
    loss: Loss | None = None,
    known: Sequence[Any] = (),
    progress: Progress | None = None,
    plots: bool = True,
    **options: Any,
) -> Result:
    """Survey every head of a model over a text.

    model: anything `headscope.load` takes. text: a path, a list of strings, a pandas Series, a dataset.
    known: results or run folders of syntax and coref on the same model, whose heads get roles and names for
    what they know. options: see `Options`. With `out`, the run folder is written, or continued if it was
    stopped; without, nothing touches the disk.

    >>> result = survey("default", ["The cat sat on the mat.", "It slept."], gradients=False)
    >>> result.table("heads").shape[0]
    72
    """
    chosen = Options(**options)
    loaded = load(model)
    if target is not None and loaded.shape != "encoder-decoder":
        raise OptionError(f"--target needs an encoder-decoder; {loaded.name} is not one")
    corpus = text if isinstance(text, Corpus) else read(text, column=column, target=target)
    corpus = corpus if chosen.limit is None else corpus.limited(chosen.limit)
    plan, notes = make_plan(loaded, chosen, loss)
    knowing = read_known(known, loaded)
    asked = _asked(loaded, corpus, chosen, plan, knowing)

    def compute(store: Any) -> Result:
        done = run(plan, shards(corpus), VERB, store, progress)
        dataset = heads_dataset(plan.analyses, done.tallies, plan.setting)
        dataset = with_known(dataset, knowing) if knowing else dataset
        dataset.attrs["segments"] = done.segments
        kept, told = with_sentences(plan, corpus, dataset)
        arrays = {"heads": dataset, **kept}
        return Result(VERB, arrays, tables(dataset), asked.finished(), [*notes, *about(dataset), *told])

    if out is None:
        return compute(None)
    return into_folder(Path(out), asked, compute, plots)


def survey_path(
    model: Model,
    corpus: Corpus,
    options: dict[str, Any],
    root: str | Path = "runs",
    known: Sequence[Any] = (),
) -> Path:
    """Where a run goes that names no folder: a new one, or that of the same command, stopped before."""
    chosen = Options(**options)
    plan, _ = make_plan(model, chosen)
    asked = _asked(model, corpus, chosen, plan, read_known(known, model))
    return next_run_path(root, VERB, model.name, {"identity": asked.identity})


def _asked(
    model: Model, corpus: Corpus, options: Options, plan: Plan, knowing: Sequence[Known] = ()
) -> Asked:
    """What is recorded: the options, with the length of segments that was decided on, and what was known."""
    known = {"known": [f"{one.head}: {one.name}" for one in knowing]} if knowing else {}
    return Asked.of(VERB, model, corpus, asdict(replace(options, pieces=plan.pieces)) | known)


def make_plan(model: Model, options: Options, loss: Loss | None = None) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    notes = list(model.notes)
    setting = setting_of(model, options)
    pair = model.shape == "encoder"
    pieces = longest_segment(model, options.pieces, PIECES, pair)
    blockwise = options.rows is not None or (pieces > BLOCKWISE_ABOVE and model.shared_function)
    blocks = RowBlocks(rows=options.rows, seed=options.seed) if blockwise else None
    if options.rows is not None:
        notes.append(
            f"only {options.rows} sampled query rows of each segment were heard (seed {options.seed})"
        )
    analyses: list[Analysis] = [Surface()]
    if options.distances:
        rows = distance_rows(model, pieces, options.batch_size, setting.layers)
        analyses.append(Distances(rows))
        if rows is not None:
            notes.append(f"distances use {rows} sampled query rows of each segment (seed {options.seed})")
    loss = _choose_loss(model, options, loss, blockwise, notes)
    if loss is not None:
        analyses.append(Gradients(loss))
    needed = forecast(
        model, pieces, options.batch_size, layers=setting.layers,
        distances=options.distances, gradients=loss is not None, blockwise=blockwise,
    )  # fmt: skip
    check_memory(needed, {"--batch-size": options.batch_size, "--pieces": pieces})
    return Plan(setting, analyses, pieces, options.batch_size, Spans(pair), blocks), notes


def _choose_loss(
    model: Model, options: Options, given: Loss | None, blockwise: bool, notes: list[str]
) -> Loss | None:
    if not options.gradients:
        return None
    loss = given or own_loss(model, options.masking, options.seed)
    if loss is None:
        notes.append(f"no gradients (figure 3): {why_no_loss(model)}")
    elif blockwise:
        notes.append(
            f"no gradients: they need whole maps, here are blocks; use --pieces {BLOCKWISE_ABOVE} or less"
        )
        return None
    return loss


def with_sentences(
    plan: Plan, corpus: Corpus, dataset: xr.Dataset
) -> tuple[dict[str, xr.Dataset], list[str]]:
    """What is seen in a few sentences: `examples` for figure 1, every head's maps; and notes on these."""
    chosen = choose(plan, corpus)
    looks = [look_at(plan, sentence) for sentence in chosen]
    arrays = {"examples": examples(looks[0], dataset)}
    kept = within_budget(looks)
    for number, (sentence, look) in enumerate(zip(chosen, kept, strict=False)):
        arrays |= sentence_arrays(number, sentence.text, look)
    if len(kept) == len(looks):
        return arrays, []
    size = f"one byte for each weight of all heads would be more than {BUDGET:,}"
    return arrays, [f"{len(kept)} of {len(looks)} example sentences are kept with their maps: {size}"]


def about(dataset: Any) -> list[str]:
    """What the numbers are, for the reader of a run."""
    segments, documents = dataset.attrs["segments"], dataset.attrs["documents"]
    told = [
        f"{_counted(segments, 'segment')} of {_counted(documents, 'document')}; means within a "
        "segment, then over segments with equal weight; standard errors over documents",
    ]
    if documents < 2:
        told.append("one document gives no standard errors; part documents by blank lines")
    return told


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"
