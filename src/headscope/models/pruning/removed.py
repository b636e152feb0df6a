"""What a pruned module remembers of itself: the heads it has lost, as they were numbered at first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from headscope.attention import Site
from headscope.heads import Head, Stack

_KEY = "headscope_removed"
_TOLD = 8


@dataclass(frozen=True)
class Removed:
    """before: each stack's number of heads per layer, while the model was whole; heads: those removed."""

    before: dict[Stack, list[int]]
    heads: tuple[Head, ...] = ()

    @classmethod
    def of(cls, module: Any, sites: Sequence[Site]) -> Removed:
        """What a module has lost already; nothing, with the sites it has, where it is whole."""
        known = vars(module).get(_KEY)
        if known is not None:
            return cls.from_plain(known)
        before: dict[Stack, list[int]] = {}
        for site in sites:
            before.setdefault(site.stack, []).append(site.heads)
        return cls(before)

    def without(self, heads: Iterable[Head]) -> Removed:
        """After more heads went, given as they are numbered now.

        >>> once = Removed({"encoder": [4]}).without([Head("encoder", 0, 1)])
        >>> [str(head) for head in once.without([Head("encoder", 0, 1)]).heads]
        ['L0H1', 'L0H2']
        """
        whole = {
            (stack, layer): [Head(stack, layer, index) for index in range(count)]
            for stack, counts in self.before.items()
            for layer, count in enumerate(counts)
        }
        left = {place: [head for head in every if head not in self.heads] for place, every in whole.items()}
        gone = [left[head.stack, head.layer][head.index] for head in heads]
        order = [head for layer in whole.values() for head in layer]
        return Removed(self.before, tuple(head for head in order if head in {*self.heads, *gone}))

    def note(self) -> str:
        """For the model's notes."""
        several = len(self.before) > 1
        names = [f"{head.stack}:{head}" if several else str(head) for head in self.heads]
        more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
        total = sum(sum(counts) for counts in self.before.values())
        return f"pruned: {len(names)} of {total} heads are removed: {', '.join(names[:_TOLD])}{more}"

    @classmethod
    def notes_on(cls, module: Any) -> list[str]:
        """The note of a module that was pruned; none of one that is whole."""
        known = vars(module).get(_KEY)
        return [] if known is None else [cls.from_plain(known).note()]

    def remember(self, module: Any) -> None:
        """Let a module carry this along, through copies too."""
        if self.heads:
            vars(module)[_KEY] = self.to_plain()

    def to_plain(self) -> dict[str, Any]:
        """As it is written in a pruned model's folder."""
        heads = [f"{head.stack}:{head}" for head in self.heads]
        return {"heads_before": self.before, "heads_removed": heads}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Removed:
        """The reverse of `to_plain`."""
        heads = tuple(Head.parse(name) for name in plain["heads_removed"])
        return cls(plain["heads_before"], heads)
