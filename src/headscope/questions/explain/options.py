"""What explain can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from headscope.errors import InputError, OptionError
from headscope.questions.groups import Kind, OfData, OfLoading, RunsShards
from headscope.questions.marks import COMPUTING, Argument, At, Group

FEW = 1000
"""Characters of a shard: a text takes seconds."""

USUAL = ("attention", "rollout", "generic", "occlusion")
"""What is asked without a wish, as far as a model has it."""


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading, OfData, RunsShards):
    """How much each piece of a text mattered for what a model answers.

    The answer is a label, a word's tag, a masked or next piece, or each piece of a translation; without a
    wish it is what the model says itself. Several ways to explain it stand beside each other, with how
    far they agree and what they cost in passes through the model. With --by-sentence: which sentences of a
    document mattered. With --heads: which heads made a token.

    Example: headscope explain my-classifier "A quiet film." --by rollout,flow
    """

    data: Annotated[Any, Argument(1, "DATA")]
    """Texts: a file that survey takes, or a sentence itself, in quotes."""

    by: tuple[str, ...] = ()
    """How to explain: `attention`, `received`, `layers`, a head such as `L5H3`, `rollout`, `product`, `flow`,
    `norms`, `norms-heads`, `norms-blocks`, `value-zeroing`, `generic`, `attention-gradient`, `saliency`,
    `gradient-input`, `gradient-detached`, `integrated-gradients`, `occlusion`, `deletion`, `erasure`,
    `random`, `first`, or `all` that the model allows. Default: attention, rollout, generic and occlusion."""

    task: Kind | None = None
    """What the model answers. Default: what its head is for."""

    answer: str | None = None
    """Explain this label, tag or piece instead of the model's own answer."""

    word: Annotated[int | None, At(0)] = None
    """Explain the tag of this word alone, counted from 0."""

    generate: Annotated[int, At(1)] = 1
    """Let a decoder continue by so many pieces, or a translator write as many, and explain each."""

    second: str | None = None
    """Second text of a pair; of a file, the column of it."""

    target: str | None = None
    """Target of a translation, each piece of which is explained; of a file, the column of it."""

    column: str | None = None
    """Column of the text, in a file. Default: text, sentence or words."""

    words: bool = False
    """Sum the importance of pieces to words."""

    by_sentence: bool = False
    """Also sum importance over the sentences of each text: those that the model itself is told, else its
    lines if half of the texts have several, else what ends with a period or the like."""

    top: Annotated[int, At(1)] = 3
    """Agreement is also told as the share of so many most important pieces."""

    flip: bool = False
    """Look for the fewest words without which the model answers otherwise."""

    heads: bool = False
    """Also tell which heads of a causal language model made each token that is explained: what each adds to
    its logit directly, and the loss without the head."""

    every: bool = False
    """With --heads: of every token of the text, instead of those that the model writes."""

    limit: Annotated[int | None, At(1)] = 20
    """Only the first so many texts."""

    pieces: Annotated[int | None, At(2), Group(COMPUTING)] = None
    """Longest text in pieces. Default: 512, or what fits."""

    shard_characters: Annotated[int, At(1), Group(COMPUTING)] = FEW
    """Characters of text in a shard, which a worker gets at once and which is kept as soon as it is done."""

    def check(self) -> None:
        if isinstance(self.data, str) and not self.data.strip():
            raise InputError("the text is empty")
        if self.every and not self.heads:
            raise OptionError("--every is of --heads; give both")

    @property
    def is_typed(self) -> bool:
        """Whether DATA is the text itself: it has a space, which a path has only where it exists."""
        data = self.data
        return isinstance(data, str) and len(data.split()) > 1 and not _exists(data)

    @property
    def is_lone_word(self) -> bool:
        """Whether DATA is one word that neither is a file nor looks like the name of one."""
        data = self.data
        if not isinstance(data, str) or len(data.split()) > 1 or ":" in data:
            return False
        path = Path(data)
        return path.name == data and not path.suffix and not _exists(data)


def _exists(data: str) -> bool:
    """Whether there is a file of that name; a whole text is too long to be one."""
    try:
        return Path(data).expanduser().exists()
    except OSError:
        return False
