"""What the live page is given and asks. `python -m client.wire` writes the same types for the client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from headscope.heads import Stack


@dataclass(frozen=True)
class ModelCard:
    """A model that the live page can run; loaded: whether it is in memory already."""

    name: str
    loaded: bool
    shape: Literal["encoder", "decoder", "encoder-decoder"] | None = None
    longest: int | None = None


@dataclass(frozen=True)
class Live:
    """What the live page starts with; explains: whether it can ask what mattered for an answer."""

    models: list[ModelCard]
    text: str
    longest_text: int
    most_generated: int
    explains: bool = False


@dataclass(frozen=True)
class HeadOff:
    """A head to switch off."""

    stack: Stack
    layer: int
    index: int


@dataclass(frozen=True)
class Question:
    """What the live page asks: a text with a model.

    second: the other text of a pair. target: what the decoder of an encoder-decoder reads. generate: how
    many pieces the model continues. off: heads to switch off. window: which stretch of a long text.
    """

    model: str
    text: str
    second: str | None = None
    target: str | None = None
    generate: int = 0
    off: list[HeadOff] = field(default_factory=list)
    window: int = 0


@dataclass(frozen=True)
class WhyQuestion(Question):
    """The same, but what mattered for the answer; by: the ways to explain it, none for the usual ones."""

    by: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class MadeQuestion(Question):
    """The same, but which heads made a token; place: of its piece, from 1; None for the last one.

    removal: whether the model is run without each head too, which takes a while.
    """

    place: int | None = None
    removal: bool = False


@dataclass(frozen=True)
class Problem:
    """What the server says when it refuses."""

    message: str
