"""Blocks of pages that tell what was measured: tables of papers, the gallery, the demo in README.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

from docs.blocks import filled
from docs.drawn import findings
from docs.reproduced import PAPERS, claims, table_of
from docs.shots import GALLERY, MAPS, RUNS, SAVED, SHOTS
from headscope.cli.demo import command, questions
from headscope.errors import HeadscopeError
from headscope.questions import VERBS

ROOT = Path(__file__).parents[1]
README, PAGE = ROOT / "README.md", ROOT / "docs" / "gallery.md"
SHOWN = (
    ("demo", "survey", 0),
    ("decoder", "survey", 2),
    ("demo", "syntax", 0),
    ("demo", "ablate", 2),
    ("demo", "trust", 0),
)
"""The findings that README.md shows: run, verb, and which of its findings."""


def told_pages() -> Iterator[tuple[Path, str]]:
    """Each page with its blocks as they should be."""
    for paper in claims():
        page = PAPERS / f"{paper}.md"
        yield page, filled(page.read_text("utf-8"), "measured", table_of(paper), str(page))
    yield PAGE, filled(PAGE.read_text("utf-8"), "gallery", gallery(), str(PAGE))
    yield README, filled(README.read_text("utf-8"), "demo", demo(), str(README))


def gallery() -> str:
    """A picture for each verb, with its question, its command and the first thing that was found."""
    return "\n\n".join(_entry(verb, picture) for verb, picture in GALLERY.items())


def _entry(verb: str, picture: str) -> str:
    shot = SHOTS.get(picture)
    sentences = _found(shot.run, verb) if shot is not None else []
    parts = [
        f"## {verb}",
        f"{VERBS[verb].question} [{verb}]({verb}.md)",
        f"```sh\n{_command(verb, picture)}\n```",
        f"![{VERBS[verb].question}](images/{picture}.png)",
        *(f"> {sentence}" for sentence in sentences[:1]),
    ]
    return "\n\n".join(parts)


def _command(verb: str, picture: str) -> str:
    if picture == MAPS[0]:
        return f'headscope maps default "{MAPS[1]}" --words'
    if picture in SAVED:
        return f"headscope {SAVED[picture]} --save figure.pdf"
    run = SHOTS[picture].run
    commands = [command(verb, _asked()[verb][1], Path("demo"))] if run == "demo" else RUNS[run]
    return "\n".join(f"headscope {command}" for command in commands)


def _asked() -> dict[str, tuple[str, dict[str, Any]]]:
    """What the demo asks: by verb, the words for its model, and what it is asked."""
    return {name: (about, given) for name, about, given in questions(Path(), Path("demo"))}


def _found(run: str, verb: str) -> list[str]:
    kept = findings().get(run, {}).get(verb)
    if kept is None:
        raise HeadscopeError(
            f"nothing is kept of {verb} in {run}; python -m docs.pictures draws and keeps it"
        )
    sentences: list[str] = kept["findings"]
    return sentences


def demo() -> str:
    """What the demo prints, in part, and what a survey of a decoder does."""
    parts = []
    for run, verb, place in SHOWN:
        sentence = fill(_found(run, verb)[place], 88, initial_indent="• ", subsequent_indent="  ")
        about = _asked()[verb][0] if run == "demo" else "a decoder, SmolLM2-135M"
        parts.append(f"{verb}, of {about}: {VERBS[verb].question}\n{sentence}")
    return "\n".join(["```text", "\n\n".join(parts), "```"])
