"""Options that several questions share, and what they mean for how a question is run."""

from __future__ import annotations

from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.engine.shards import CHARACTERS, OF_EXAMPLES
from headscope.errors import InputError
from headscope.heads import Stack
from headscope.questions.marks import COMPUTING, Argument, At, Group
from headscope.questions.options import Options, fields_of

Dtype = Literal["float32", "bfloat16", "float16", "float64"]
Kind = Literal["classification", "pairs", "tagging", "masked", "causal", "translation"]
Special = Literal["shown", "hidden", "renormalised"]


class KeepsRun(Options):
    """The answer goes into a run folder, and a stopped run goes on."""

    def read_ahead(self) -> None:
        """Read what needs no model: what cannot be read is told before torch is imported."""


@dataclass(frozen=True, kw_only=True)
class RunsShards(KeepsRun):
    """The work is cut into shards, which other processes and machines can do."""

    shard_characters: Annotated[int, At(1), Group(COMPUTING)] = CHARACTERS
    """Characters of text in a shard, which a worker gets at once and which is kept as soon as it is done."""


@dataclass(frozen=True, kw_only=True)
class OfModel(Options):
    """The model, and where it computes."""

    model: Annotated[Any, Argument(0, "MODEL")] = "default"
    """Folder, hub name, .gguf file, LoRA adapter, or `default`, an encoder without a task."""

    revision: str | None = None
    """Branch, tag or commit of a hub model."""

    device: Annotated[str, Group(COMPUTING)] = "cpu"
    """Where to compute: `cpu`, `cuda`, `cuda:1`, `mps`, or `auto`, a GPU if there is one."""

    def plain(self) -> dict[str, Any]:
        """With the recipe of a loaded model in its place: so a run that Python began can be resumed."""
        values, recipe = super().plain(), getattr(self.model, "recipe", None)
        names = {field.name for field in fields_of(type(self))}
        if recipe is None or any(value for name, value in self._unsaid(recipe) if name not in names):
            return values
        return values | {name: value for name, value in recipe._asdict().items() if name in names}

    def loading(self) -> dict[str, Any]:
        """What `headscope.load` takes beside the model."""
        names = ("adapter", "device", "dtype", "revision")
        return {name: getattr(self, name) for name in names if hasattr(self, name)}

    def decided(self, **instead: Any) -> dict[str, Any]:
        """Without what is told of the model itself."""
        return {
            name: value for name, value in super().decided(**instead).items() if name not in self.loading()
        }

    def _unsaid(self, recipe: Any) -> list[tuple[str, Any]]:
        """What a recipe tells that not every question can be asked with."""
        usual = recipe.dtype == "float32"
        return [("adapter", recipe.adapter), ("dtype", not usual), ("twin", recipe.twin is not None)]


@dataclass(frozen=True, kw_only=True)
class OfLoading(OfModel):
    """More ways to load the model."""

    adapter: Path | None = None
    """Folder of a LoRA adapter to put on the model."""

    dtype: Annotated[Dtype, Group(COMPUTING)] = "float32"
    """Precision of the weights."""


@dataclass(frozen=True, kw_only=True)
class OfCheckpoints(OfModel):
    """Earlier states of the model."""

    checkpoints: tuple[Path, ...] = ()
    """Folder of an earlier checkpoint, or one that holds a series of them; may be given several times.
    Checkpoints are taken in the order given, those of a series by the numbers in their names. Several
    series are runs with other seeds."""

    revisions: str | None = None
    """Earlier checkpoints as revisions of a hub model, in their order: `step1000,step2000`."""


@dataclass(frozen=True, kw_only=True)
class OfHeads(Options):
    """Some heads instead of all."""

    layers: tuple[int, ...] | None = None
    """Only these layers, counted from 0: `0,2,5-7`."""

    heads: tuple[int, ...] | None = None
    """Only these heads of each layer, counted from 0: `0,3-5`."""


@dataclass(frozen=True, kw_only=True)
class OfSeed(Options):
    """Chance that can be repeated."""

    seed: Annotated[int, At(0, 2**32)] = 0
    """Seed of everything that is drawn at random."""


@dataclass(frozen=True, kw_only=True)
class OfData(OfSeed):
    """How much of the data."""

    limit: Annotated[int | None, At(1)] = None
    """Only the first so many documents."""

    skip_broken: bool = False
    """Leave out documents that are broken, and name them, instead of refusing the data."""

    def reading(self) -> dict[str, Any]:
        """What `headscope.text.read` takes beside the source."""
        return {"limit": self.limit, "skip_broken": self.skip_broken}


@dataclass(frozen=True, kw_only=True)
class OfColumns(Options):
    """Where labelled examples stand in a table."""

    column: str | None = None
    """Column of the text. Default: text, sentence or words."""

    label: str | None = None
    """Column of the label. Default: label, class, ..."""

    second: str | None = None
    """Column of the second text of a pair. Default: hypothesis beside premise, text2 beside text1, ..."""


@dataclass(frozen=True, kw_only=True)
class OfExamples(OfLoading, OfHeads, OfData, OfColumns, RunsShards):
    """A model with a head for a task, and examples of the task."""

    data: Annotated[Any, Argument(1, "DATA")]
    """Labelled examples: a table (.csv, .tsv, .jsonl) with a text and a label, word-and-tag lines, a
    saved data set; or plain text for a language model."""

    task: Kind | None = None
    """What the model is scored on. Default: what its head is for."""

    target: str | None = None
    """Column of the target text, for translation."""

    split: str | None = None
    """Split of a data set, such as `test`."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest example in pieces. Default: 128, or what fits."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Examples run together."""

    shard_characters: Annotated[int, At(1), Group(COMPUTING)] = OF_EXAMPLES


@dataclass(frozen=True, kw_only=True)
class OfTask(OfExamples):
    """A task by whose score something is judged, and data to choose on."""

    train: Any = None
    """Training data: what is chosen is chosen on it."""

    metric: str | None = None
    """Another score: `bleu` for translation."""

    train_limit: Annotated[int, At(1)] = 1000
    """Only so many examples of --train."""


@dataclass(frozen=True, kw_only=True)
class OfText(OfLoading):
    """One text, typed in, and what the model does with it."""

    text: Annotated[str, Argument(1, "TEXT")]
    """The text itself, in quotes."""

    second: str | None = None
    """Second text, for models that read pairs."""

    target: str | None = None
    """Target text, for encoder-decoders."""

    generate: Annotated[int, At(0)] = 0
    """Let a decoder continue by so many pieces."""

    special: Special = "shown"
    """Special tokens: shown, hidden, or hidden with rows summing to 1 again."""

    first_token: bool = False
    """Count the first token as special: attention rests on it where a model puts none in front of a text."""

    stack: Stack | None = None
    """Which attention, where a model has several. Default: the first."""

    def check(self) -> None:
        if not self.text.strip():
            raise InputError("the text is empty")

    def remarks(self) -> list[str]:
        """What a reader must know of what was typed in."""
        texts = self.text if isinstance(self.text, list | tuple) else [self.text]
        typed = [text for text in (*texts, self.second, self.target) if text is not None]
        return [
            f"“{text}” is taken for the text itself; there is a file of this name, which is not read"
            for text in typed
            if isfile(text)  # noqa: PTH113 - a path of its own refuses long texts
        ]
