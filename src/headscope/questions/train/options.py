"""What train can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.questions.groups import KeepsRun, OfColumns, OfData
from headscope.questions.marks import COMPUTING, Argument, At, Between, Group
from headscope.questions.train.checks import check_data, check_sizes, check_task, check_translated
from headscope.tasks.course import Optimiser, Schedule

GLOVE, RANDOM = "glove", "random"
EPOCH = "epoch"
HAN, TAGGER, SEQ2SEQ, TRANSLATOR = "han", "tagger", "seq2seq", "translator"
TRANSLATES = (SEQ2SEQ, TRANSLATOR)
NETS_OF = {
    "layers": ("disan", TAGGER, TRANSLATOR),
    "apart": ("disan",),
    "encoder": ("pooled",),
    "attention": ("pooled", SEQ2SEQ),
    "heads": (TAGGER, TRANSLATOR),
    "characters": (TAGGER,),
    "added": (TAGGER,),
    "vectors": ("disan", "pooled", HAN, TAGGER),
    "freeze_vectors": ("disan", "pooled", HAN, TAGGER),
    "pooling": (HAN,),
    "sentences": (HAN,),
    "source": TRANSLATES,
    "target": TRANSLATES,
    "subwords": TRANSLATES,
    "values": (SEQ2SEQ,),
    "softmax": (SEQ2SEQ,),
    "family": (TRANSLATOR,),
    "smoothing": (TRANSLATOR,),
}
"""Options that only some nets have."""

USUAL: dict[str, Any] = {
    "least": 1, "epochs": 5, "rate": 1e-3, "schedule": "flat", "layers": 1, "pieces": 128,
}  # fmt: skip
OF_NET: dict[str, dict[str, Any]] = {
    "disan": {"hidden": 50},
    "pooled": {"hidden": 64, "attention": "tanh"},
    HAN: {"hidden": 50, "least": 5, "epochs": 3, "rate": 2e-3, "schedule": "warm", "pieces": 512},
    SEQ2SEQ: {
        "hidden": 256,
        "attention": "bahdanau",
        "least": 2,
        "rate": 2e-3,
        "schedule": "warm",
        "subwords": 0,
    },
    TRANSLATOR: {
        "hidden": 128,
        "layers": 3,
        "epochs": 8,
        "rate": 1.5e-3,
        "schedule": "warm",
        "subwords": 4000,
    },
    TAGGER: {
        "hidden": 128,
        "least": 2,
        "epochs": 12,
        "rate": 5e-3,
        "schedule": "warm",
    },
}
"""What an option is where nothing is asked for."""


@dataclass(frozen=True, kw_only=True)
class Options(OfColumns, OfData, KeepsRun):
    """Train a small net from nothing, and keep what it was on the way.

    `disan` is the directional self-attention network of Shen et al. 2018, whose every feature is a head;
    `pooled` a BiLSTM, CNN or average of words under one attention; `han` the hierarchical attention of Yang
    et al. 2016 over words and sentences of documents; `tagger` a transformer of one layer that tags each
    word; `seq2seq` a GRU encoder-decoder with an early kind of attention or none, and `translator` a small
    transformer (Marian or BART), both on text with its translation. Vocabulary and labels come from the
    training data. Each model and checkpoint is a folder that every verb takes as its MODEL.

    Example: headscope train disan train.tsv --dev dev.tsv --test test.tsv --keep epoch
    """

    net: Annotated[Literal["disan", "pooled", "han", "tagger", "seq2seq", "translator"], Argument(0, "NET")]
    """What to train: `disan`, `pooled`, `han`, `tagger`, `seq2seq` or `translator`."""

    data: Annotated[Any, Argument(1, "DATA")] = None
    """Labelled data, as finetune takes them; `snli:FILE`; plain text with `--task causal`; to translate, a
    table with a text and its translation, or `parallel:SOURCE,TARGET`, two files of lines."""

    source: Path | None = None
    """File of lines to translate, in place of DATA; --target is then the file of their translations."""

    target: str | None = None
    """Column of the translation in a table. Default: target, translation, or the second of two columns."""

    dev: Any = None
    """Data to choose the best weights on. Default: a part of DATA, held out."""

    held_out: Annotated[float, Between(0, 1)] = 0.1
    """The part that is held out without --dev."""

    test: Any = None
    """Data to score once, at the end."""

    task: Literal["classification", "pairs", "tagging", "causal", "translation"] | None = None
    """What to learn; `causal` is the next word. Default: as the data have tags, second texts, or neither;
    of seq2seq and translator translation."""

    hidden: Annotated[int | None, At(4)] = None
    """Features of disan (default 50), states of one direction or filters (a multiple of 4) of pooled (64),
    states of one direction of han (50), states of tagger (a multiple of its heads; 128), of the decoder of
    seq2seq (even; 256) or of translator (a multiple of its heads; 128)."""

    layers: Annotated[int | None, At(1)] = None
    """Blocks of disan, or layers of tagger, on top of each other (1); of translator in each half (3)."""

    heads: Annotated[int, At(1)] = 4
    """Heads of a layer of tagger or translator."""

    subwords: Annotated[int | None, At(0)] = None
    """Read pieces of words, so many of both languages together; 0 reads words. Default: 0 of seq2seq, 4000
    of translator."""

    values: Literal["states", "embeddings"] = "states"
    """What the attention of seq2seq mixes: states of the encoder, or word vectors."""

    softmax: Literal["adaptive", "full"] = "adaptive"
    """How seq2seq chooses a piece; adaptive spends less on rare ones."""

    family: Literal["marian", "bart"] = "marian"
    """Whose configuration translator has."""

    smoothing: Annotated[float, At(0, 1)] = 0.1
    """Share of a piece that translator learns to give to all others."""

    characters: Annotated[int, At(0)] = 50
    """Numbers that tagger learns for the first and last characters and the shape of a word; 0 for none."""

    added: Annotated[int, At(0)] = 20000
    """Words that tagger knows beside those of DATA: the first so many of the word vectors."""

    encoder: Literal["bilstm", "cnn", "average"] = "bilstm"
    """What pooled reads words with; `average` takes each alone."""

    attention: Literal["tanh", "dot", "bahdanau", "general", "concat", "none"] | None = None
    """How words are scored: by pooled with `tanh` (default) or `dot`; by seq2seq as `bahdanau` (default), or
    as Luong, `dot`, `general` or `concat`; `none` looks at nothing."""

    pooling: Literal["attention", "average", "max"] = "attention"
    """What makes a sentence of words and a document of sentences in han."""

    sentences: Literal["lines", "marks"] | None = None
    """What parts the sentences that han reads: `lines`, or `marks` that end them, such as a period. Default:
    lines, if half of the texts have several."""

    dropout: Annotated[float, At(0, 1)] = 0.1
    """Share of numbers that is dropped while training."""

    apart: Annotated[float, At(0)] = 0.0
    """Weight of a penalty on the mean cosine of disan's features, so that they look at different words."""

    vectors: str | None = None
    """Word vectors: `glove` (the package), `random`, or a file of lines `word number number ...`. Default:
    glove if the package is installed."""

    width: Annotated[int | None, At(1)] = None
    """Numbers of a word vector. Default: as the vectors have; 50 of random ones, 128 of seq2seq."""

    freeze_vectors: bool | None = None
    """Leave the word vectors as they are. Default: of tagger alone, unless they are random."""

    least: Annotated[int | None, At(1)] = None
    """Words that the training data have more rarely are unknown ones. Default: 1, of tagger and seq2seq 2,
    of han 5."""

    lower: bool = True
    """Read all words in lower case; tagger still sees which characters are capitals."""

    epochs: Annotated[int | None, At(1)] = None
    """How often to go through the data. Default: 5, of han 3, of tagger 12, of translator 8."""

    optimiser: Optimiser = "adam"
    """What moves the weights."""

    rate: Annotated[float | None, Between(0, inf)] = None
    """Learning rate; 0.5 is usual for adadelta. Default: 0.001, of tagger 0.005, of han and seq2seq 0.002,
    of translator 0.0015."""

    schedule: Schedule | None = None
    """How the rate goes: it stays (`flat`), falls with each epoch (`stairs`), or rises in the first steps and
    then falls (`warm`). Default: flat, of han, tagger, seq2seq and translator warm."""

    rho: Annotated[float, Between(0, 1)] = 0.9
    """How slowly adadelta forgets; TensorFlow's is 0.95."""

    eps: Annotated[float | None, Between(0, 1)] = None
    """Added to the optimiser's divisor. Default: torch's, 1e-8, of adadelta 1e-6; TensorFlow's is 1e-8."""

    decay: Annotated[float, At(0)] = 0.0
    """Weight decay of matrices; of adam and adadelta it is an L2 penalty."""

    seeds: Annotated[int, At(1)] = 1
    """Train so many models, with seeds from --seed on."""

    keep: str | None = None
    """Keep checkpoints: `epoch` after each epoch, a number after each so many; the untrained model too."""

    patience: Annotated[int | None, At(1)] = None
    """Stop after so many epochs without a better one."""

    device: Annotated[str, Group(COMPUTING)] = "cpu"
    """Where to compute: `cpu`, `cuda`, `cuda:1`, `mps`, or `auto`, a GPU if there is one."""

    pieces: Annotated[int | None, At(2), Group(COMPUTING)] = None
    """Longest text in pieces. Default: 128, of han 512."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Examples in a step."""

    def check(self) -> None:
        for name, (*others, last) in NETS_OF.items():
            if self.net not in (*others, last) and getattr(self, name) != getattr(type(self), name):
                nets = f"{', '.join(others)} and {last}" if others else last
                raise OptionError(
                    f"--{name.replace('_', '-')} is an option of {nets}, and {self.net} is to be trained; "
                    "leave it out"
                )
        check_data(self)
        check_task(self)
        check_sizes(self)
        if self.keep is not None and self.every is None:
            raise OptionError(f"--keep takes `{EPOCH}` or a number of epochs, not '{self.keep}'")
        if self.vectors not in (None, GLOVE, RANDOM) and not Path(self.vectors).expanduser().is_file():
            raise OptionError(
                f"--vectors {self.vectors}: no such file; give one, or `{GLOVE}`, or `{RANDOM}`"
            )

    def chosen(self, name: str) -> Any:
        """What an option is: as it was asked for, or as is usual for the net."""
        value = getattr(self, name)
        return (USUAL | OF_NET[self.net])[name] if value is None else value

    @property
    def kind(self) -> str | None:
        """The task that is asked for, or the only one of a net."""
        return "translation" if self.net in TRANSLATES else self.task

    @property
    def spelled_data(self) -> Any:
        """DATA as `headscope.text.read` takes it."""
        from headscope.text.readers.parallel import spelled

        if self.source is None and self.data is None:
            raise OptionError(
                "there is nothing to train on; give DATA, or --source and --target to translate"
            )
        if self.source is not None:
            return spelled(self.source, self.target or "")
        if self.net in TRANSLATES:
            check_translated(self.data)
        return self.data

    @property
    def every(self) -> int | None:
        """After how many epochs a checkpoint is kept; None for never."""
        if self.keep == EPOCH:
            return 1
        return int(self.keep) if self.keep and self.keep.isdecimal() and int(self.keep) > 0 else None
