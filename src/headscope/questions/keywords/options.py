"""What keywords can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from headscope.errors import OptionError
from headscope.questions.groups import OfData, OfHeads, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Between, Group


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfHeads, OfData, RunsShards):
    """Which heads find the keywords of a text.

    For every head: how much more attention keywords receive than other words, and how well that alone
    finds them. Then all heads together under a regression, beside TF-IDF and other baselines; keyphrases
    that they extract; and with --epochs a tagger, fine-tuned, whose heads are removed one after the other.

    Example: headscope keywords default Inspec.zip --out runs/mine
    """

    corpus: Annotated[Any, Argument(1, "CORPUS")]
    """Texts with keywords: an archive of texts and key files (.zip), or a table (.csv, .tsv, .jsonl) with
    the columns text and keywords, these parted by semicolons or a list."""

    train: Any = None
    """Other texts with keywords to choose and train on; CORPUS is then scored whole."""

    column: str | None = None
    """Column of the text. Default: text, sentence or words."""

    keywords: str | None = None
    """Column of the keywords. Default: keywords, keyphrases or keys."""

    train_share: Annotated[float, Between(0, 1)] = 0.5
    """Share of the documents to train on."""

    dev_share: Annotated[float, Between(0, 1)] = 0.125
    """Share of the documents to choose thresholds and penalties on."""

    candidates: Literal["ngrams", "nouns"] = "ngrams"
    """Which phrases are ranked: runs of words, or noun phrases, for which spaCy reads the texts first."""

    parser: str = "en_core_web_sm"
    """The spaCy pipeline for noun phrases."""

    stem: bool = True
    """Compare phrases by Porter stems, if snowballstemmer is there."""

    hidden: bool = True
    """Train a regression on hidden states too."""

    twins: Annotated[int, At(0)] = 1
    """Random twins of the model to hold against it."""

    epochs: Annotated[int, At(0)] = 0
    """Fine-tune a tagger of keywords so long, and remove its heads; 0 for none."""

    rate: Annotated[float, Between(0, 1)] = 1e-4
    """Highest learning rate of the tagger."""

    steps: Annotated[int, At(1)] = 8
    """Points of a curve of removal."""

    random: Annotated[int, At(0)] = 19
    """Random orders of removal; of fewer than 19, none can be beaten but by chance."""

    speed: bool = True
    """Time the tagger without half of its heads."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest segment in pieces. Default: 256, or what fits."""

    batch_size: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Segments run together. Default: 4, or fewer where a layer has many heads."""

    def check(self) -> None:
        if self.train_share + self.dev_share >= 1:
            raise OptionError(
                "--train-share and --dev-share leave nothing to score; let their sum be below 1"
            )
