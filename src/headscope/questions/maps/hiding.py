"""What is hidden when special tokens are, and what is to be said of it: nothing is claimed that is not so."""

from __future__ import annotations

from headscope.errors import OptionError
from headscope.results.look import Special, StackMaps


def marked(maps: StackMaps, first_token: bool) -> StackMaps:
    """The maps with the first token among the special ones, where that is asked for."""
    return maps.with_first() if first_token else maps


def hidden_tokens(maps: StackMaps, special: Special, first_token: bool) -> list[str]:
    """The tokens that are hidden, each once."""
    return [] if special == "shown" else marked(maps, first_token).special()


def hiding_notes(maps: StackMaps, special: Special, first_token: bool, words: bool) -> list[str]:
    """What a reader must know of the hiding; refused where no token would be left."""
    if special == "shown":
        told = "the first token counts as special, and is shown: --special hidden leaves it out"
        return [told] if first_token else []
    axes = marked(maps, first_token)
    if not all(len(axis.ordinary(words)) for axis in (axes.query, axes.key)):
        raise OptionError("every token of the text would be hidden; show special tokens, or give more text")
    if hidden_tokens(maps, special, first_token):
        return []
    return ["nothing is hidden: the text has no special tokens; --first-token hides the first one"]
