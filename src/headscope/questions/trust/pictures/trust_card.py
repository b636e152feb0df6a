"""What may be said of an explanation: each claim with its verdict, how far it comes from chance to the best
that can be had, and where it does best and worst."""

from __future__ import annotations

import textwrap
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from headscope.drawing.glyphs import readable
from headscope.drawing.style import DOUBLE, EMPTY, FAINT, INK, SMALL, TALLEST, TINY, new_figure
from headscope.results.result import Result
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES

COLOURS = {YES: "#0072B2", UNDECIDED: "#8A8A8A", NO: "#D55E00", NOT_TESTED: EMPTY}
_LINE, _ROW, _WORDS = 0.15, 0.23, 0.17  # inches of a line of text, of a claim, of a line of words
_WIDTH, _LETTERS = 122, 92  # letters of a line of text, and of words in boxes
_LONGEST = 60  # words of an example that are shown
_AXIS = (-0.2, 1.2)
_VERDICT, _BAR, _NUMBERS = 0.19, (0.32, 0.58), 0.61  # parts of the width


def needs(result: Result) -> bool:
    """Whether the result has a card."""
    return "card" in result.tables


def draw(result: Result) -> Figure:
    """Draw the card from top to bottom."""
    (card,) = result.table("card").to_dict("records")
    claims = result.table("claims")
    said = textwrap.wrap(readable(card["summary"], 2000), _WIDTH)
    foot = _foot(card)
    groups = [group for _, group in result.table("examples").groupby("example", sort=False)]
    rows = [_lines(group) for group in groups]
    tall = 0.35 + _LINE * (len(said) + len(foot)) + _ROW * (len(claims) + 2)
    tall += sum(_WORDS * len(lines) + 0.3 for lines in rows) + 0.15
    figure = new_figure(DOUBLE, min(tall, TALLEST))
    axes = figure.subplots()
    axes.set(xlim=(0, 1), ylim=(tall, 0))
    axes.axis("off")
    top = _text(
        axes, 0.1, [f"{readable(card['explanation'])} as an explanation"], size=SMALL + 3, weight="bold"
    )
    top = _text(axes, top + 0.1, said)
    top = _claims(axes, top + 0.1, claims)
    for group, lines in zip(groups, rows, strict=True):
        top = _example(axes, top + 0.12, group, lines)
    _text(axes, top + 0.1, foot, color=INK)
    return figure


def _text(axes: Axes, top: float, lines: list[str], size: float = SMALL, **style: Any) -> float:
    for line in lines:
        axes.text(0, top, line, va="top", fontsize=size, **style)
        top += _LINE * size / SMALL
    return top


def _claims(axes: Axes, top: float, claims: pd.DataFrame) -> float:
    """A row for each claim: its name, its verdict, and how far it comes."""
    left, right = _BAR
    for value, word in ((0.0, "chance"), (1.0, "best")):
        place = _place(value)
        axes.text(place, top + 0.1, word, ha="center", va="bottom", fontsize=TINY, color=FAINT)
        ends = top + 0.13, top + 0.13 + _ROW * len(claims)
        axes.plot([place, place], ends, color=FAINT, linewidth=0.5)
    top += 0.13
    for claim in claims.to_dict("records"):
        middle = top + _ROW / 2
        axes.text(0, middle, claim["claim"], va="center", fontsize=SMALL)
        verdict = claim["verdict"]
        colour = COLOURS[verdict]
        axes.add_patch(Rectangle((_VERDICT, top + 0.03), 0.1, _ROW - 0.06, facecolor=colour, linewidth=0))
        ink = FAINT if verdict == NOT_TESTED else "white"
        axes.text(_VERDICT + 0.05, middle, verdict, ha="center", va="center", fontsize=SMALL - 0.5, color=ink)
        if claim["way"] == claim["way"]:
            low, high = (_place(claim[name]) for name in ("low", "high"))
            axes.plot([low, high], [middle, middle], color=colour, linewidth=1.4, solid_capstyle="butt")
            beyond = "<" if claim["way"] < _AXIS[0] else ">" if claim["way"] > _AXIS[1] else "o"
            axes.plot(_place(claim["way"]), middle, beyond, color=colour, markersize=4)
        else:
            axes.plot([left, right], [middle, middle], color=EMPTY, linewidth=0.8, zorder=0)
        axes.text(_NUMBERS, middle, _numbers(claim), va="center", fontsize=TINY + 0.5, color=INK)
        top += _ROW
    return top


def _place(value: float) -> float:
    """Where a part of the way lies on the page; what is beyond the ends stands at them."""
    low, high = _AXIS
    part = (min(max(value, low), high) - low) / (high - low)
    return _BAR[0] + part * (_BAR[1] - _BAR[0])


def _numbers(claim: dict[Any, Any]) -> str:
    if claim["verdict"] == NOT_TESTED:
        return readable(claim["why"], 62)
    ends = [f"{claim['value']:.2f}"]
    if claim["ceiling"] == claim["ceiling"]:
        ends += [f"chance {claim['baseline']:.2f}", f"best {claim['ceiling']:.2f}"]
    else:
        ends += [f"held to {claim['baseline']:.2f}"]
    return f"{', '.join(ends)}; {claim['answers']} answers".replace("-", "−")


def _lines(group: pd.DataFrame) -> list[pd.DataFrame]:
    """The words of an example, broken into lines."""
    lines: list[list[int]] = [[]]
    room = _LETTERS
    for index, word in group["word"].head(_LONGEST).items():
        size = len(readable(word, 20)) + 2
        if size > room:
            lines.append([])
            room = _LETTERS
        lines[-1].append(index)  # type: ignore[arg-type]
        room -= size
    return [group.loc[line] for line in lines]


def _example(axes: Axes, top: float, group: pd.DataFrame, lines: list[pd.DataFrame]) -> float:
    """Words, the darker the more the explanation gives them; underlined as the answer falls without them."""
    first = group.iloc[0]
    answer, percent = readable(first["answer"], 30), 100 * first["probability"]
    title = f"{first['example']}: answered “{answer}” ({percent:.0f} %)"
    top = _text(axes, top, [title], color=FAINT) + 0.03
    most = max(float(group["importance"].abs().max()), 1e-12)
    least = max(float(group["leave_one_out"].abs().max()), 1e-12)
    letter = 0.96 / (_LETTERS + 2)
    for line in lines:
        left = 0.0
        for word in line.to_dict("records"):
            text = readable(word["word"], 20)
            width = letter * (len(text) + 1)
            share = abs(word["importance"]) / most if word["importance"] == word["importance"] else 0.0
            colour = (0.0, 0.447, 0.698, 0.65 * share)
            axes.add_patch(Rectangle((left, top), width, _WORDS - 0.04, facecolor=colour, linewidth=0))
            middle = top + _WORDS / 2 - 0.02
            axes.text(left + width / 2, middle, text, ha="center", va="center", fontsize=TINY + 0.5)
            falls = word["leave_one_out"] / least
            if abs(falls) > 0.05:
                under, ink = top + _WORDS - 0.035, COLOURS[NO] if falls > 0 else FAINT
                axes.plot([left, left + width * abs(falls)], [under, under], color=ink, linewidth=1.2)
            left += width + letter
        top += _WORDS
    return top


def _foot(card: dict[Any, Any]) -> list[str]:
    lines = [
        "Words: the darker, the more it gives them. Lines: how far the answer falls (orange) or rises (grey) "
        "without the word."
    ]
    if card["instead"]:
        forward, back = (f"{card[name]:.1f}".removesuffix(".0") for name in ("passes", "backward"))
        passes = f"{forward} forward {'pass' if forward == '1' else 'passes'}"
        passes += f" and {back} backward" if card["backward"] else ""
        lines.append(f"Use instead: {readable(card['instead'])}, which costs {passes} an answer.")
    return lines
