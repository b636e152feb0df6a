"""Which models are trained: adversaries, other seeds, controls, nets that are given maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headscope.questions.adversary.kinds import (
    ADVERSARY,
    BASE,
    CONTROL,
    EVEN,
    FROZEN,
    ITSELF,
    MIXED,
    OWN,
    PLAIN,
    RANDOM,
    SAME,
    SEED,
    WORDS,
)
from headscope.questions.adversary.options import Options

_NEEDED = {WORDS: (OWN, EVEN, RANDOM), MIXED: (EVEN, ITSELF, RANDOM), PLAIN: (EVEN, ITSELF, RANDOM)}
"""What other kinds of nets look with, beside maps of models."""


@dataclass(frozen=True)
class Run:
    """One training.

    attention: what it looks with: its own, a control, or the maps of another run, `source`. net: of what kind
    it is. penalty: of adversaries alone, which learn what the model answers; others learn the labels.
    """

    kind: str
    seed: int
    penalty: float | None = None
    attention: str = OWN
    source: Run | None = None
    net: str = SAME

    @property
    def name(self) -> str:
        """Of its part of the store.

        >>> Run(ADVERSARY, 1, 0.001).name, Run(FROZEN, 2, source=Run(BASE, 0)).name
        ('adversary-0.001-1', 'frozen-same-of-base-0-2')
        """
        what = f"{self.penalty:g}" if self.penalty is not None else self.attention
        if self.source is not None:
            what = f"{self.net}-of-{self.source.name}"
        elif self.net != SAME:
            what = f"{self.net}-{what}"
        return f"{self.kind}-{what}-{self.seed}".replace(" ", "-").replace("-own-", "-")

    @property
    def told(self) -> str:
        """For a reader."""
        penalty = "" if self.penalty is None else f" of penalty {self.penalty:g}"
        net = "" if self.net == SAME else f" net of {self.net}"
        looks = "" if self.attention == OWN else f" ({self.attention})"
        if self.source is not None:
            looks = f" (maps: {self.source.told})"
        return f"{self.kind}{net}{penalty}{looks}, seed {self.seed}"


def adversaries(options: Options) -> Iterator[Run]:
    """Every penalty with its seeds."""
    for penalty, models in options.grid.items():
        for seed in range(options.seed, options.seed + models):
            yield Run(ADVERSARY, seed, penalty)


def beside(options: Options, controls: Sequence[str]) -> Iterator[Run]:
    """Other seeds, and controls."""
    for seed in options.models:
        yield Run(SEED, seed)
    for control in controls if options.with_controls else ():
        for seed in options.models:
            yield Run(CONTROL, seed, attention=control)


def frozen(options: Options, nets: Sequence[str]) -> Iterator[Run]:
    """Maps of the model, of other seeds and of adversaries, each given to a net that starts otherwise.

    Its seed is none of the sources', so that it shares neither their first weights nor their order of texts.
    Even and random maps of the same kind of net are controls; other kinds of nets are given them here, and
    one may learn where to look itself. Runs of one source follow each other, for its maps are large.
    """
    if not options.with_frozen:
        return
    apart = max(options.grid.values())
    sources = [(Run(BASE, options.seed), seed) for seed in options.models]
    sources += [(Run(SEED, seed), seed) for seed in options.models]
    sources += [
        (Run(ADVERSARY, seed, penalty), seed) for penalty in options.givers for seed in options.models
    ]
    for source, seed in sources:
        for net in nets:
            yield Run(FROZEN, seed + apart, attention=source.kind, source=source, net=net)
    for net in nets:
        for attention in _NEEDED.get(net, ()):
            for seed in options.models:
                yield Run(FROZEN, seed + apart, attention=attention, net=net)
