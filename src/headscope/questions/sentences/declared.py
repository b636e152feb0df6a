"""What the tables of sentences say about themselves."""

from __future__ import annotations

from headscope.results.declaration import POINTS, SHARE, Column, Declaration

TASK = Column("task")
LAYER = Column("layer, 0 the embeddings", kind="note")
POOLING = Column("how pieces became one vector")
LOW, HIGH = (
    Column("lower end of its 95 % interval, over documents", SHARE),
    Column("upper end of it", SHARE),
)


def _accuracy(says: str, baseline: str | None = None) -> Column:
    return Column(says, SHARE, low="low", high="high", baseline=baseline, better="higher")


def _difference(says: str, name: str) -> dict[str, Column]:
    """A difference with its interval, which holds for all tasks together."""
    return {
        name: Column(says, POINTS, low=f"{name}_low", high=f"{name}_high"),
        f"{name}_low": Column("lower end of its interval, for all tasks at once", POINTS),
        f"{name}_high": Column("upper end of it", POINTS),
    }


TABLES: dict[str, Declaration] = {
    "sentence_tasks": Declaration(
        "The tasks and their examples",
        ("task",),
        {
            "task": TASK,
            "source": Column("file it is read from, or made from treebanks"),
            "labels": Column("different labels"),
            "examples": Column("labelled sentences"),
            "train": Column("of them to train on"),
            "tune": Column("of them to choose settings with"),
            "test": Column("of them to score"),
            "probed": Column("whether there are enough"),
            "lacks": Column("what it lacks"),
        },
    ),
    "sentence_summary": Declaration(
        "Over all tasks",
        (),
        {
            "tasks": Column("tasks that were probed"),
            "above": Column("tasks read off better than by any baseline, beyond chance"),
            "middle_layer": Column("the layer in the middle of the model", kind="note"),
            "last_layer": Column("the last layer of the model", kind="note"),
            "lower": Column("tasks on which the last layer is worse than the middle one"),
            "surely_lower": Column("of these, beyond chance"),
        },
    ),
    "sentence_scores": Declaration(
        "How well each task is read off the layer that tuning chooses",
        ("task",),
        {
            "task": TASK,
            "layer": Column("layer that does best on the tuning examples, 0 the embeddings", kind="note"),
            "pooling": POOLING,
            "accuracy": _accuracy("right answers of logistic regression", "beside_accuracy"),
            "low": LOW,
            "high": HIGH,
            "beside": Column("the best baseline without a model"),
            "beside_accuracy": Column("its right answers", SHARE),
            **_difference("how far the layer is above it", "above"),
            "sure": Column("whether that is beyond chance"),
            "twin": Column("right answers over random twins, at the same layer", SHARE),
            **_difference("how far the layer is above them", "above_twin"),
            "middle": Column("right answers over the layer in the middle of the model", SHARE),
            "last": Column("right answers over the last layer of the model", SHARE),
            **_difference("how far the last layer is below the middle one", "fall"),
            "published_vectors": Column("published: bag of fastText vectors", SHARE),
            "published_human": Column("published: people", SHARE),
        },
    ),
    "sentence_layers": Declaration(
        "Every classifier over every layer",
        ("task", "classifier", "pooling", "layer"),
        {
            "task": TASK,
            "classifier": Column("logistic regression, or a perceptron with one hidden layer"),
            "pooling": POOLING,
            "layer": LAYER,
            "accuracy": _accuracy("right answers", "twin"),
            "low": LOW,
            "high": HIGH,
            "spread": Column("standard deviation over seeds", POINTS),
            "tuned": Column("right answers of the tuning examples", SHARE),
            "setting": Column("what tuning chose"),
            "twin": Column("right answers over random twins", SHARE),
        },
    ),
    "sentence_baselines": Declaration(
        "What is known without the model",
        ("task", "baseline"),
        {
            "task": TASK,
            "baseline": Column("baseline"),
            "accuracy": _accuracy("right answers"),
            "low": LOW,
            "high": HIGH,
            "published": Column("in Conneau et al. 2018, table 2", SHARE),
        },
    ),
    "sentence_erasure": Declaration(
        "How many dimensions must go until logistic regression fails",
        ("task", "layer"),
        {
            "task": TASK,
            "layer": LAYER,
            "dimensions": Column("numbers of a vector", kind="note"),
            "accuracy": Column("right answers with all of them; trained again, so one may be another", SHARE),
            "majority": Column("right answers of the most frequent label", SHARE),
            "half": Column(
                "dimensions that first leave less than half of what it gains over the majority",
                baseline="half_random",
            ),
            "fails": Column("dimensions that first leave none of it", baseline="fails_random"),
            "half_random": Column("the first, where they go in random order"),
            "fails_random": Column("the second, where they go in random order"),
            "flips": Column(
                "dimensions until an answer flips, in the middle example; none where it never does",
                baseline="flips_random",
            ),
            "flips_random": Column("the same, where they go in random order"),
            "leading": Column("the dimensions it leans on most, counted from 0"),
        },
    ),
    "sentence_dimensions": Declaration(
        "The dimensions that logistic regression leans on",
        ("task", "layer", "dimension"),
        {
            "task": TASK,
            "layer": LAYER,
            "dimension": Column("dimension, counted from 0", kind="note"),
            "rank": Column("its rank among all of the layer", kind="note"),
            "effect": Column("log-likelihood of the right label that is lost without it", "nats"),
        },
    ),
}
