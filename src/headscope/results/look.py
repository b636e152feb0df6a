"""A look at one text: its tokens, the maps of every head, what the model made of it, and what mattered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from headscope.errors import OptionError, choose_from
from headscope.heads import Head, Named, Stack
from headscope.results.rows import renormalise, share_left

Special = Literal["shown", "hidden", "renormalised"]
SPECIAL: tuple[Special, ...] = get_args(Special)


@dataclass(frozen=True)
class Axis:
    """The tokens along one side of a map.

    pieces: readable names. words: the word number of each piece, in reading order; special pieces have
    numbers of their own. names: of the words. special: whether each piece is a special token. second: the
    first piece of a second text, if there is one. written: the first piece that the model wrote itself, if
    there is one.
    """

    pieces: list[str]
    words: list[int]
    names: list[str]
    special: list[bool]
    second: int | None = None
    written: int | None = None

    def ordinary(self, words: bool) -> np.ndarray:
        """The places of words or pieces that are not special."""
        special = np.array(self.special, dtype=bool)
        if words:
            special = (_members(self)[special].sum(0)) > 0
        return np.flatnonzero(~special)

    def by_model(self, words: bool) -> np.ndarray:
        """Which pieces, or words of such pieces alone, the model wrote itself, bool."""
        wrote = np.arange(len(self.pieces)) >= (len(self.pieces) if self.written is None else self.written)
        return (_members(self)[~wrote].sum(0) == 0) if words else wrote

    def beginning_written(self, start: int) -> Axis:
        """The same axis, of which the model wrote all from a piece on; nothing, where it ends there."""
        return replace(self, written=start if start < len(self.pieces) else None)

    def with_first(self) -> Axis:
        """With its first token among the special ones."""
        return replace(self, special=[True, *self.special[1:]])


@dataclass(frozen=True)
class Sheet:
    """The maps of one layer: weights (head, query, key) of the heads with these numbers."""

    layer: int
    heads: list[int]
    weights: np.ndarray


@dataclass(frozen=True)
class StackMaps:
    """One stack of the model: what its queries and keys are, and its layers."""

    stack: Stack
    query: Axis
    key: Axis
    sheets: list[Sheet]

    def with_first(self) -> StackMaps:
        """With the first key among the special tokens, and the first query where both are the same text."""
        key = self.key.with_first()
        return replace(self, key=key, query=key if self.query == self.key else self.query)

    def special(self) -> list[str]:
        """The special tokens of queries and keys, each once."""
        axes = (self.query, self.key)
        marked = [zip(axis.pieces, axis.special, strict=True) for axis in axes]
        return list(dict.fromkeys(name for pairs in marked for name, is_special in pairs if is_special))


@dataclass(frozen=True)
class Score:
    """One line of a model's output; after: with the chosen heads switched off, None where none are."""

    label: str
    before: float
    after: float | None = None


@dataclass(frozen=True)
class Output:
    """What the model made of the text; title: what the rows are. unit: what their numbers are.

    A probability lies between 0 and 1, a cosine between -1 and 1; a value, of a regression, anywhere.
    """

    title: str
    unit: Literal["probability", "cosine", "value"]
    rows: list[Score]


@dataclass(frozen=True)
class Map:
    """One head's map between labelled tokens: weights (query, key).

    left: (query,), the share of a row's weight that lies on keys that are not hidden.
    """

    query: list[str]
    key: list[str]
    weights: np.ndarray
    left: np.ndarray


@dataclass(frozen=True)
class Look:
    """Everything seen of one text (or one window of a long one; windows are counted from 0)."""

    model: str
    stacks: list[StackMaps]
    output: Output | None = None
    window: int = 0
    windows: int = 1
    notes: list[str] = field(default_factory=list)

    def stack(self, name: Stack | None = None) -> StackMaps:
        """The maps of a stack; by default of the first."""
        for maps in self.stacks:
            if name in (None, maps.stack):
                return maps
        raise OptionError(choose_from("stack", str(name), [maps.stack for maps in self.stacks]))

    def map(
        self, head: Named, words: bool = True, special: Special = "shown", first_token: bool = False
    ) -> Map:
        """The map of one head, between words or pieces.

        Special tokens are shown; or hidden, so that rows no longer sum to 1; or hidden and every row
        rescaled to sum to 1 again (a row without any other weight stays 0). Pieces are joined to words first.
        first_token: it is one of the special tokens.
        """
        head = Head.of(head, self.stacks[0].stack)
        maps = self.stack(head.stack)
        sheets = {sheet.layer: sheet for sheet in maps.sheets}
        if head.layer not in sheets or head.index not in sheets[head.layer].heads:
            raise OptionError(f"the look holds no head {head} of the {head.stack}")
        sheet = sheets[head.layer]
        weights = sheet.weights[sheet.heads.index(head.index)].astype(np.float64)
        if words:
            weights = _shares(maps.query).T @ weights @ _members(maps.key)
        names = [axis.names if words else axis.pieces for axis in (maps.query, maps.key)]
        left = np.ones(len(weights))
        if special != "shown":
            marked = maps.with_first() if first_token else maps
            places = [axis.ordinary(words) for axis in (marked.query, marked.key)]
            left = share_left(weights, places[1])[places[0]]
            weights = weights[np.ix_(*places)]
            names = [[tokens[at] for at in ordinary] for tokens, ordinary in zip(names, places, strict=True)]
        if special == "renormalised":
            weights = renormalise(weights)
        return Map(names[0], names[1], weights, left)


@dataclass(frozen=True)
class Way:
    """A way to explain; title: what it is in a few words. signed: whether a piece can speak against."""

    name: str
    title: str
    signed: bool = False


@dataclass(frozen=True)
class Answer:
    """What a model answers, or was asked for, and the probability of it."""

    label: str
    probability: float


@dataclass(frozen=True)
class Explanation:
    """One text, explained.

    axes: the tokens of the source, and of what a decoder has written where that is another text; `piece` runs
    over both. importance: (way, answer, piece), NaN where a piece cannot be judged. seen: (answer, piece)
    bool, whether the model had read the piece when it answered. offered: all ways that the model allows.
    """

    title: str
    model: str
    axes: list[Axis]
    answers: list[Answer]
    ways: list[Way]
    importance: np.ndarray
    seen: np.ndarray
    offered: list[Way] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LogitPart:
    """A part of a logit; label: where it comes from."""

    label: str
    value: float


@dataclass(frozen=True)
class MadeToken:
    """Which heads made one token of a text.

    pieces: of the text, and behind it what the model wrote, so many as `written`. place: that of the token.
    loss: in nats. parts: what its logit is the sum of. direct: (head,), what each head adds to the logit.
    removed: (head,), what the loss is more without it, NaN where that was not asked.
    """

    pieces: list[str]
    written: int
    place: int
    logit: float
    loss: float
    parts: list[LogitPart]
    heads: list[Head]
    direct: np.ndarray
    removed: np.ndarray
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class LookView:
    """A look, and how a page shows it at first: some heads of a layer large, or all heads small.

    layout: "heads" or "model". stack, layer and heads: by default the first stack, its first layer, all
    heads. dark: None follows the reader's system. words, special, first_token, scale, drawing: how maps are
    drawn. explanation: what mattered in the same text.
    """

    look: Look
    layout: Literal["heads", "model"] = "heads"
    stack: Stack | None = None
    layer: int | None = None
    heads: Sequence[int] | None = None
    dark: bool | None = None
    title: str = ""
    words: bool = True
    special: Special = "shown"
    first_token: bool = False
    scale: Literal["linear", "log"] = "linear"
    drawing: Literal["lines", "matrix"] = "lines"
    explanation: Explanation | None = None


def _members(axis: Axis) -> np.ndarray:
    """(piece, word): 1 where the piece is of the word."""
    members: np.ndarray = np.equal.outer(axis.words, np.arange(len(axis.names))).astype(np.float64)
    return members


def _shares(axis: Axis) -> np.ndarray:
    """(piece, word): the piece's part in the mean over its word's pieces."""
    members = _members(axis)
    return members / members.sum(0)
