"""What the live page asks of a running model; the command line passes the real one in."""

from __future__ import annotations

from typing import Any, Protocol

from headscope.results.look import Explanation, Look, MadeToken
from headscope.web.live_wire import ModelCard


class Explorer(Protocol):
    """Models that can be looked into, by name. Mistakes of the user are raised as HeadscopeError."""

    def names(self) -> list[str]:
        """The names of all models, the default first."""

    def describe(self, model: str) -> tuple[str, int | None] | None:
        """Shape and longest input of a model that is loaded; None before that."""

    def look(self, model: str, text: str, **options: Any) -> Look:
        """Run a text; load the model first if need be. May be called from several threads.

        options: second, target, generate, off and window, as `headscope.look` takes them.
        """


class Explains(Protocol):
    """The same models, asked what mattered for an answer, and which heads made a token."""

    def explanation(self, model: str, text: str, **options: Any) -> Explanation:
        """One text, explained; load the model first if need be. May be called from several threads.

        options: by, second, target, generate and off; go_on is called now and then, and what it raises ends
        the work.
        """

    def made(self, model: str, text: str, **options: Any) -> MadeToken:
        """Which heads made a token; load the model first if need be. May be called from several threads.

        options: place, removal, and those of `Explorer.look`; go_on as above.
        """


def cards(explorer: Explorer) -> list[ModelCard]:
    """All models as the page lists them."""
    about = {name: explorer.describe(name) for name in explorer.names()}
    return [ModelCard(name, facts is not None, *(facts or (None, None))) for name, facts in about.items()]
