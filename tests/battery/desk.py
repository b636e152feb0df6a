"""A folder in which a verb is asked its small question, from Python and as a command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

import headscope
from headscope.questions import VERBS, Verb
from headscope.questions.asking import ask, open_question, options_of
from headscope.questions.groups import KeepsRun, RunsShards
from headscope.questions.marks import Argument
from headscope.questions.options import Field, fields_of, placed
from headscope.results.folder import SHARDS
from headscope.results.result import Result
from headscope.results.shards import Part
from tests.battery.asked import asked_of
from tests.cli.conftest import Outcome, command
from tests.stops import Stop

MODELS = ("bert", "bert-later", "mamba")
"""Those of the tiny models that lie on a desk."""

CHARACTERS = 300
"""How many fill a shard here, so that every verb has several."""


@dataclass(frozen=True)
class Whole:
    """What an undisturbed call of the library leaves: its result, its calls of progress, its parts.

    words: that progress was told of.
    """

    result: Result
    calls: int
    words: int
    parts: list[str]


class Desk:
    """Where one verb is asked; all tests of it share what was computed here."""

    def __init__(self, verb: str, folder: Path, models: Path) -> None:
        self.verb: Verb = VERBS[verb]
        self.asked, self.folder = asked_of(verb), folder
        for name in MODELS:
            (folder / name).symlink_to(models / name)
        self.fields = {field.name: field for field in fields_of(self.verb.options)}
        self.keeps_run = issubclass(self.verb.options, KeepsRun)
        self.runs_shards = issubclass(self.verb.options, RunsShards)
        small = {"shard_characters": CHARACTERS} if self.runs_shards else {}
        self.options = small | self.asked.write(folder)

    def call(self, **more: Any) -> Any:
        """The library's function, in this folder."""
        with chdir(self.folder):
            return getattr(headscope, self.verb.name)(**self.options | more)

    def result(self, **more: Any) -> Result:
        """What a call without a run folder finds; some functions hand over another thing than a result."""
        question = self.question(**more)
        with chdir(self.folder):
            return ask(self.verb, question)

    def question(self, **more: Any) -> Any:
        """The question, opened and not answered."""
        with chdir(self.folder):
            return open_question(self.verb, options_of(self.verb, (), self.options | more))

    def command(self, *more: object, **options: Any) -> Outcome:
        """The same question as a command."""
        words = words_of(self.verb, self.options | options)
        return command(self.verb.name, *more, *words, cwd=self.folder)

    @cached_property
    def whole(self) -> Whole:
        """The library's answer; of a verb that keeps a run, the folder `whole`."""
        if not self.keeps_run:
            return Whole(self.result(), 0, 0, [])
        counting = Stop()
        with noted_parts() as parts:
            self.call(out="whole", plots=False, progress=counting)
        result = headscope.open(self.folder / "whole").result(self.verb.name)
        return Whole(result, counting.calls, counting.words, parts)

    @cached_property
    def commanded(self) -> Outcome:
        """What the command prints as JSON; of a verb that keeps a run, beside the folder `commanded`."""
        return self.command(*(("--out", "commanded", "--no-plots") if self.keeps_run else ()), "--json")


def words_of(verb: Verb, options: Mapping[str, Any]) -> list[str]:
    """Options as the words of a command.

    >>> words_of(VERBS["maps"], {"model": "bert", "text": "A ship.", "layers": (0, 1), "words": True})
    ['--words', '--layers', '0,1', '--', 'bert', 'A ship.']
    """
    fields = fields_of(verb.options)
    named = [field for field in fields if field.mark(Argument) is None and field.name in options]
    places = [word for _, field in placed(fields) for word in _each(options.get(field.name, ()))]
    return [*(word for field in named for word in _named(field, options[field.name])), "--", *places]


def _named(field: Field, value: Any) -> Iterator[str]:
    if field.kind is bool:
        yield field.flag if value else field.flag.replace("--", "--no-", 1)
    elif field.is_numbers:
        yield from (field.flag, ",".join(_each(value)))
    else:
        for each in _each(value):
            yield from (field.flag, each)


def _each(value: Any) -> list[str]:
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [str(one) for one in several]


@contextmanager
def noted_parts() -> Iterator[list[str]]:
    """Inside the `with`, the names and numbers of the states that are written to a store, in order."""
    names: list[str] = []
    write = Part.write

    def noting(part: Part, number: int, *content: Any) -> None:
        names.append(f"{part.folder.as_posix().rpartition(f'/{SHARDS}/')[2]}/{number:06d}")
        write(part, number, *content)

    with patch.object(Part, "write", noting):
        yield names
