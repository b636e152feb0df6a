# Written by `python -m docs.writing`; do not edit.
# fmt: off
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from xarray import DataArray

from headscope.cli.info import info as info
from headscope.engine.outputs import mean_outputs as mean_outputs
from headscope.heads import Head as Head
from headscope.models.load import load as load
from headscope.models.pruning.folder import save_pruned as save_pruned
from headscope.models.pruning.removal import remove_heads as remove_heads
from headscope.questions.finetune.answer import Finetuned
from headscope.questions.maps.offers import look as look
from headscope.questions.maps.offers import open_maps as open_maps
from headscope.questions.maps.offers import save_maps as save_maps
from headscope.questions.pictures import draw as draw
from headscope.questions.train.answer import Trained
from headscope.results.result import Result
from headscope.results.run import open as open
from headscope.web.report.pages import report as report
from headscope.web.views.notebook import head_view as head_view
from headscope.web.views.notebook import model_view as model_view
from headscope.web.views.notebook import report_view as report_view

__all__: list[str]
__version__: str

def ablate(
    model: Any, data: Any, *, train: Any = ..., other: Any = ..., by: Literal["zero", "mean"] = ...,
    margin: float = ..., gradients: bool = ..., metric: str | None = ..., train_limit: int = ...,
    task: Literal["classification", "pairs", "tagging", "masked", "causal", "translation"] | None = ...,
    target: str | None = ..., split: str | None = ..., pieces: int | None = ..., batch_size: int = ...,
    shard_characters: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., column: str | None = ..., label: str | None = ..., second: str | None = ...,
    out: str | Path | None = ..., progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """Which heads matter for a task."""

def adversary(
    model: Any, data: Any, *, train: Any, dev: Any = ..., held_out: float = ...,
    penalties: float | Sequence[float] = ..., seeds: int = ..., around: float | Sequence[float] = ...,
    around_seeds: int = ..., distance: Literal["nll", "tvd"] = ..., divergence: Literal["kl", "jsd"] = ...,
    scope: str = ..., weights: Literal["all", "attention"] = ..., against: Any = ..., controls: bool = ...,
    frozen: bool = ..., given: float | Sequence[float] = ..., instances: int = ..., vectors: str | None = ...,
    freeze_vectors: bool | None = ..., margin: float = ..., beside: Any = ..., epochs: int = ...,
    rate: float | None = ..., optimiser: Literal["adamw", "adam", "amsgrad", "adadelta"] | None = ...,
    train_limit: int | None = ..., task: Literal["classification", "pairs", "tagging"] | None = ...,
    quick: bool = ..., pieces: int | None = ..., batch_size: int = ..., revision: str | None = ...,
    device: str = ..., column: str | None = ..., label: str | None = ..., second: str | None = ...,
    limit: int | None = ..., skip_broken: bool = ..., seed: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """Is there another way to the same answers, and is attention worth anything to another model?"""

def align(
    model: Any, pairs: Any, *, target: str | Path | None = ..., gold: str | Path | None = ...,
    counted_from: int | None = ..., words: Literal["spaced", "found"] | None = ..., reverse: Any = ...,
    links: bool = ..., more: Any = ..., more_target: str | Path | None = ..., rounds: int = ...,
    twins: int = ..., pieces: int | None = ..., batch_size: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """How well cross-attention links the words of a translation to those of its source."""

def compare(
    runs: str | Path | Sequence[str | Path], *, measure: str | Sequence[str] = ..., seed: int = ...,
    out: str | Path | None = ..., progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """What changed between models or checkpoints, head by head, with intervals."""

def coref(
    model: Any, corpus: Any, *, trees: Any = ..., window: int = ..., first: bool = ...,
    candidates: Literal["words", "mentions", "preceding"] = ...,
    head_finder: Literal["given", "tree", "rule"] = ..., singletons: bool = ..., spaced: bool = ...,
    twins: int = ..., batch_size: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """Which heads link a mention to its antecedent."""

def explain(
    model: Any, data: Any, *, by: str | Sequence[str] = ...,
    task: Literal["classification", "pairs", "tagging", "masked", "causal", "translation"] | None = ...,
    answer: str | None = ..., word: int | None = ..., generate: int = ..., second: str | None = ...,
    target: str | None = ..., column: str | None = ..., words: bool = ..., by_sentence: bool = ...,
    top: int = ..., flip: bool = ..., heads: bool = ..., every: bool = ..., limit: int | None = ...,
    pieces: int | None = ..., shard_characters: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., skip_broken: bool = ..., seed: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """How much each piece of a text mattered for what a model answers."""

def finetune(
    model: Any, data: Any, *, dev: Any = ..., held_out: float = ..., test: Any = ...,
    task: Literal["classification", "pairs", "tagging"] | None = ..., epochs: int = ..., rate: float = ...,
    freeze_embeddings: bool = ..., evaluations: int = ..., patience: int | None = ...,
    pieces: int | None = ..., batch_size: int = ..., revision: str | None = ..., device: str = ...,
    column: str | None = ..., label: str | None = ..., second: str | None = ..., limit: int | None = ...,
    skip_broken: bool = ..., seed: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Finetuned:
    """Train a model for a task of your own."""

def keywords(
    model: Any, corpus: Any, *, train: Any = ..., column: str | None = ..., keywords: str | None = ...,
    train_share: float = ..., dev_share: float = ..., candidates: Literal["ngrams", "nouns"] = ...,
    parser: str = ..., stem: bool = ..., hidden: bool = ..., twins: int = ..., epochs: int = ...,
    rate: float = ..., steps: int = ..., random: int = ..., speed: bool = ..., pieces: int | None = ...,
    batch_size: int | None = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """Which heads find the keywords of a text."""

def layers(
    model: Any, data: Any, *, test: Any = ..., task: str | Sequence[str] = ..., seeds: int = ...,
    twins: int = ..., control: bool = ..., code: bool = ..., quick: bool = ..., steps: int = ...,
    width: int = ..., pooling: Literal["attention", "mean"] = ..., normalise: bool = ..., window: int = ...,
    precision: Literal["float16", "float32"] = ..., pieces: int | None = ..., batch_size: int = ...,
    adapter: str | Path | None = ..., dtype: Literal["float32", "bfloat16", "float16", "float64"] = ...,
    revision: str | None = ..., device: str = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """At which layer a model's hidden states hold which structure."""

def maps(
    model: Any, text: str | Sequence[str], *, words: bool = ..., second: str | None = ...,
    target: str | None = ..., generate: int = ..., special: Literal["shown", "hidden", "renormalised"] = ...,
    first_token: bool = ...,
    stack: Literal["encoder", "decoder", "cross", "sees_earlier", "sees_later", "pool", "document"] | None =
    ..., adapter: str | Path | None = ..., dtype: Literal["float32", "bfloat16", "float16", "float64"] = ...,
    revision: str | None = ..., device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ...,
) -> DataArray | Any:
    """The raw attention maps of a text: (layer, head, query, key)."""

def memory(
    model: Any = ..., *, task: Literal["words", "sentences"] = ..., classes: int = ...,
    words: int | None = ..., delays: str | int | Sequence[int] | None = ..., delay: int = ...,
    curriculum: Literal["delay", "vocabulary", "both"] = ..., seeds: int = ..., steps: int = ...,
    hidden: int = ..., rate: float = ..., slower: int = ..., descent: int = ..., penalty: float = ...,
    tested: int = ..., examples: int = ..., layers: str | int | Sequence[int] | None = ..., twins: int = ...,
    batch_size: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., seed: int = ..., shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """How long a word is kept in mind."""

def probe(
    model: Any, treebank: Any, *, test: Any = ..., vectors: str | Path | None = ..., seeds: int = ...,
    twins: int = ..., epochs: int = ..., control: bool = ..., quick: bool = ..., spaced: bool = ...,
    pieces: int | None = ..., batch_size: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """How much of the trees can be read off all heads together."""

def prune(
    model: Any, data: Any, *, train: Any, beside: str | Path | Sequence[str | Path] = ...,
    remove: float = ...,
    order: Literal["importance", "importance, recomputed", "single-head effect", "gates", "reversed"] = ...,
    score: Literal["example", "token", "confidence"] = ..., normalised: bool = ..., steps: int = ...,
    random: int = ..., gate_steps: int = ..., penalty: float = ...,
    stack: Literal["encoder", "decoder", "cross", "sees_earlier", "sees_later", "pool", "document"] | None =
    ..., speed: bool = ..., quick: bool = ..., metric: str | None = ..., train_limit: int = ...,
    task: Literal["classification", "pairs", "tagging", "masked", "causal", "translation"] | None = ...,
    target: str | None = ..., split: str | None = ..., pieces: int | None = ..., batch_size: int = ...,
    shard_characters: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., column: str | None = ..., label: str | None = ..., second: str | None = ...,
    out: str | Path | None = ..., progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """How many heads a task can spare, and a model that is really without them."""

def retrieve(
    model: Any, text: Any, *, column: str | None = ..., lengths: str | int | Sequence[int] | None = ...,
    depths: int = ..., needles: int = ..., secret: int = ..., remove: int = ..., draws: int = ...,
    shard_characters: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., seed: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """Which heads of a language model find a needle in a long text."""

def sentences(
    model: Any, data: Any, *, task: str | Sequence[str] = ..., layers: str | int | Sequence[int] | None = ...,
    pooling: str | Sequence[str] = ..., mlp: bool = ..., hidden: str | int | Sequence[int] = ...,
    seeds: int = ..., twins: int = ..., erase: Literal["mean", "zero"] = ..., least: int = ...,
    vectors: str | Path | None = ..., quick: bool = ..., precision: Literal["float16", "float32"] = ...,
    pieces: int | None = ..., batch_size: int = ..., adapter: str | Path | None = ...,
    dtype: Literal["float32", "bfloat16", "float16", "float64"] = ..., revision: str | None = ...,
    device: str = ..., limit: int | None = ..., skip_broken: bool = ..., seed: int = ...,
    shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """What can be read off one vector of a sentence, layer by layer."""

def show(
    model: Any, text: str, *, head: Any, by: str | Sequence[str] = ..., off: Any = ..., pieces: bool = ...,
    view: Literal["lines", "matrix", "words"] = ..., scale: Literal["linear", "log"] = ...,
    second: str | None = ..., target: str | None = ..., generate: int = ...,
    special: Literal["shown", "hidden", "renormalised"] = ..., first_token: bool = ...,
    stack: Literal["encoder", "decoder", "cross", "sees_earlier", "sees_later", "pool", "document"] | None =
    ..., adapter: str | Path | None = ..., dtype: Literal["float32", "bfloat16", "float16", "float64"] = ...,
    revision: str | None = ..., device: str = ...,
) -> Result:
    """One picture for a paper: where a few heads look in one text, and what mattered in it for the answer."""

def structure(
    model: Any, treebank: Any, *, parse: bool = ..., parser: str = ..., scheme: Literal["ud", "sd"] = ...,
    spaced: bool = ..., twins: int = ..., pieces: int | None = ..., batch_size: int | None = ...,
    adapter: str | Path | None = ..., dtype: Literal["float32", "bfloat16", "float16", "float64"] = ...,
    layers: str | int | Sequence[int] | None = ..., heads: str | int | Sequence[int] | None = ...,
    limit: int | None = ..., skip_broken: bool = ..., seed: int = ..., shard_characters: int = ...,
    checkpoints: str | Path | Sequence[str | Path] = ..., revisions: str | None = ...,
    revision: str | None = ..., device: str = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """How close attention comes to trees, and since when."""

def survey(
    model: Any, text: Any, *, column: str | None = ..., target: str | None = ..., known: Any = ...,
    distances: bool = ..., gradients: bool = ..., loss: Any = ..., masking: float = ..., made: int = ...,
    rows: int | None = ..., pieces: int | None = ..., shortest: int = ..., batch_size: int = ...,
    adapter: str | Path | None = ..., dtype: Literal["float32", "bfloat16", "float16", "float64"] = ...,
    layers: str | int | Sequence[int] | None = ..., heads: str | int | Sequence[int] | None = ...,
    limit: int | None = ..., skip_broken: bool = ..., seed: int = ..., shard_characters: int = ...,
    checkpoints: str | Path | Sequence[str | Path] = ..., revisions: str | None = ...,
    revision: str | None = ..., device: str = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """What every head does on the surface, over a whole text."""

def syntax(
    model: Any, treebank: Any, *, parse: bool = ..., parser: str = ..., least: int = ..., reach: int = ...,
    punctuation: bool = ..., subtypes: bool = ..., possessive: bool = ..., spaced: bool = ...,
    twins: int = ..., pieces: int | None = ..., batch_size: int | None = ...,
    adapter: str | Path | None = ..., dtype: Literal["float32", "bfloat16", "float16", "float64"] = ...,
    revision: str | None = ..., device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., shard_characters: int = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """Which heads know which grammatical relations."""

def train(
    net: Literal["disan", "pooled", "han", "tagger", "seq2seq", "translator"], data: Any = ..., *,
    source: str | Path | None = ..., target: str | None = ..., dev: Any = ..., held_out: float = ...,
    test: Any = ...,
    task: Literal["classification", "pairs", "tagging", "causal", "translation"] | None = ...,
    hidden: int | None = ..., layers: int | None = ..., heads: int = ..., subwords: int | None = ...,
    values: Literal["states", "embeddings"] = ..., softmax: Literal["adaptive", "full"] = ...,
    family: Literal["marian", "bart"] = ..., smoothing: float = ..., characters: int = ..., added: int = ...,
    encoder: Literal["bilstm", "cnn", "average"] = ...,
    attention: Literal["tanh", "dot", "bahdanau", "general", "concat", "none"] | None = ...,
    pooling: Literal["attention", "average", "max"] = ..., sentences: Literal["lines", "marks"] | None = ...,
    dropout: float = ..., apart: float = ..., vectors: str | None = ..., width: int | None = ...,
    freeze_vectors: bool | None = ..., least: int | None = ..., lower: bool = ..., epochs: int | None = ...,
    optimiser: Literal["adamw", "adam", "amsgrad", "adadelta"] = ..., rate: float | None = ...,
    schedule: Literal["warm", "stairs", "flat"] | None = ..., rho: float = ..., eps: float | None = ...,
    decay: float = ..., seeds: int = ..., keep: str | None = ..., patience: int | None = ...,
    device: str = ..., pieces: int | None = ..., batch_size: int = ..., column: str | None = ...,
    label: str | None = ..., second: str | None = ..., limit: int | None = ..., skip_broken: bool = ...,
    seed: int = ..., out: str | Path | None = ..., progress: Callable[[int, int], None] | None = ...,
    plots: bool = ...,
) -> Trained:
    """Train a small net from nothing, and keep what it was on the way."""

def trust(
    model: Any, data: Any, *, of: str = ..., by: str | Sequence[str] = ..., against: Any = ...,
    train: Any = ..., train_limit: int | None = ..., epochs: int | None = ..., rate: float | None = ...,
    edited: str | None = ..., reworded: str | None = ..., marked: str | None = ...,
    removal: Literal["mask", "deletion", "mean"] = ..., margin: float = ..., epsilon: float = ...,
    scope: str = ..., answers: int = ..., words: int = ..., beam: int = ..., adversaries: int = ...,
    quick: bool = ..., limit: int | None = ..., batch_size: int = ...,
    task: Literal["classification", "pairs", "tagging", "masked", "causal", "translation"] | None = ...,
    target: str | None = ..., split: str | None = ..., pieces: int | None = ..., shard_characters: int = ...,
    adapter: str | Path | None = ..., dtype: Literal["float32", "bfloat16", "float16", "float64"] = ...,
    revision: str | None = ..., device: str = ..., layers: str | int | Sequence[int] | None = ...,
    heads: str | int | Sequence[int] | None = ..., skip_broken: bool = ..., seed: int = ...,
    column: str | None = ..., label: str | None = ..., second: str | None = ..., out: str | Path | None = ...,
    progress: Callable[[int, int], None] | None = ..., plots: bool = ...,
) -> Result:
    """May attention be shown as an explanation of what a model answers?"""
