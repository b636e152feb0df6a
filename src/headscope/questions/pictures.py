"""The pictures of a result: those that its question offers and that its numbers allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headscope.errors import OptionError, choose_from
from headscope.questions import VERBS
from headscope.results.folder import Plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from headscope.drawing.picture import Picture
    from headscope.results.result import Result


def available(result: Result) -> list[str]:
    """Name the pictures that can be drawn from what this result holds."""
    return [name for name, picture in _offered(result.verb).items() if picture.needs(result)]


def draw(name: str, result: Result) -> Figure:
    """Draw one picture; `available` names those that this result can give."""
    picture = _offered(result.verb).get(name)
    if picture is None or not picture.needs(result):
        known = [name for verb in VERBS for name in _offered(verb)]
        if name not in known:
            raise OptionError(choose_from("picture", name, known))
        possible = ", ".join(available(result)) or "none"
        raise OptionError(
            f"picture '{name}': this '{result.verb}' result does not hold the numbers it shows."
            f" Pictures it can give: {possible}"
        )
    from headscope.drawing.style import settled

    figure: Figure = settled(lambda: picture.draw(result))
    return figure


def files_of(result: Result) -> dict[str, Plot]:
    """File name to plot, for every picture that a result allows, in every format."""
    from headscope.drawing.files import FORMATS, writer

    offered = _offered(result.verb)
    figures = {name: draw(name, result) for name in available(result)}
    return {
        f"{name}.{form}": Plot(offered[name].caption, writer(figure, form))
        for name, figure in figures.items()
        for form in FORMATS
    }


def _offered(name: str) -> dict[str, Picture]:
    """The pictures of a verb; none, where a result is of no verb."""
    verb = VERBS.get(name)
    if verb is None or not verb.has("pictures"):
        return {}
    pictures: dict[str, Picture] = verb.module("pictures").PICTURES
    return pictures
