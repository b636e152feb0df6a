"""What a question will do, and about how long that takes: foreseen from its first batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

from headscope.text.batches import Progress

MEASURED = 5.0
"""Seconds of work from which the rest is foreseen."""
LONG = 60.0
"""Seconds in all from which a plan is announced."""
TIMES = 2.0
"""A time that turns out to be so many times as long, or as short, is corrected."""


class Step(NamedTuple):
    """A part of a question's work.

    what: what is done, for reading. words: how many progress is told of. passes: how often the model goes
    over each of them, about; training goes three times.
    """

    what: str
    words: int
    passes: float = 1.0

    @property
    def cost(self) -> float:
        return self.words * self.passes


Steps = Sequence[Step]
TRAINING = 3.0
"""Passes that training takes: one forward, and one backward that costs as much as two."""


def passes_over(words: int, times: int = 1) -> Step:
    """The model, or one after the other, over the same words.

    >>> passes_over(1200), passes_over(1200, 6).what
    (Step(what='1,200 words', words=1200, passes=1.0), '6 passes over 1,200 words')
    """
    told = f"{words:,} words"
    return Step(told if times == 1 else f"{times} passes over {told}", times * words)


def words_of(steps: Steps) -> int:
    """All words that progress is told of."""
    return sum(step.words for step in steps)


def cost_of(steps: Steps) -> float:
    """All steps, in passes over a word."""
    return sum(step.cost for step in steps)


def tell_past(progress: Progress | None, segments: int, words: int) -> None:
    """Tell of what was done before, which says nothing of how fast the work is now."""
    if progress is not None and (segments or words):
        getattr(progress, "past", progress)(segments, words)


class Announcing:
    """Hands progress on, and announces the steps with a time as soon as that can be foreseen.

    quick: the steps with --quick, none where there is no such option. tell: is given the sentence. clock: in
    seconds.
    """

    def __init__(
        self,
        steps: Steps,
        quick: Steps,
        progress: Progress,
        tell: Callable[[str], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._steps, self._quick = steps, quick
        self._progress, self._tell, self._clock = progress, tell, clock
        self._words, self._unmeasured = 0, 0.0
        self._began: float | None = None
        self._announced: float | None = None

    def __call__(self, segments: int, words: int) -> None:
        if self._began is None:  # the first batch waits for what is made only once
            self.past(segments, words)
            self._began = self._clock()
            return
        self._words += words
        self._progress(segments, words)
        self._announce(self._clock() - self._began)

    def past(self, segments: int, words: int) -> None:
        """Of what says nothing of how fast the work is, as it was done before."""
        before = self._done
        self._words += words
        self._unmeasured += self._done - before
        self._progress(segments, words)

    @property
    def _done(self) -> float:
        """The cost of the words so far; steps come one after the other."""
        cost, left = 0.0, self._words
        for step in self._steps:
            own = min(left, step.words)
            cost, left = cost + own * step.passes, left - own
        return cost

    def _announce(self, seconds: float) -> None:
        done = self._done - self._unmeasured
        if seconds < MEASURED or not done:
            return
        rate = seconds / done
        whole = rate * (cost_of(self._steps) - self._unmeasured)
        if self._announced is None and whole >= LONG:
            quick = f"; --quick: {about(rate * cost_of(self._quick))}" if self._quick else ""
            self._tell(f"{'; '.join(step.what for step in self._steps)}: {about(whole)}{quick}")
        elif self._announced is not None and not 1 / TIMES <= whole / self._announced <= TIMES:
            self._tell(f"{about(whole)} in all, as it turns out")
        else:
            return
        self._announced = whole


def about(seconds: float) -> str:
    """A time for reading.

    >>> about(20), about(140), about(4300), about(7200)
    ('less than a minute', 'about 2 min', 'about 1 h 12 min', 'about 2 h')
    """
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} h"] if hours else []
    return "about " + " ".join([*parts, *([f"{rest} min"] if rest or not hours else [])])
