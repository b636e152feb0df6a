"""What is printed after training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote

from headscope.questions.screens import Shown, shown
from headscope.results.result import Result


def screen(result: Result) -> Iterator[Shown]:
    """Scores, then the course, then where checkpoints lie."""
    yield shown(
        result, "trained", ["seed", "data", "source", "examples", "metric", "score", "majority", "loss"]
    )
    if (result.table("seeds")["models"] > 1).any():
        yield shown(result, "seeds", ["data", "metric", "models", "mean", "deviation"])
    if "bleu" in result.tables:
        yield shown(result, "bleu", ["seed", "data", "quarter", "least", "most", "scorer", "bleu"])
    yield shown(result, "training", ["seed", "epoch", "train_loss", "dev_loss", "dev_score", "chosen"])
    if "checkpoints" in result.tables:
        yield shown(result, "checkpoints")


def next_step(result: Result, options: Mapping[str, object], places: Mapping[str, str]) -> str | None:
    """What to do with the model that was saved."""
    if "model" not in places:
        return None
    return f"headscope info {quote(places['model'])}/seed-{options['seed']}"
