"""How a verb is asked on tiny data: all that the battery has to be told of it.

It stands in `tests/questions/VERB/asked.py` as `ASKED`; what every verb must do is checked from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

Clock = Callable[[], float]


@dataclass(frozen=True)
class Asked:
    """A small question, with everything in it that the verb can show.

    write: puts models and data into a folder and gives the options, with paths as seen from there; some tiny
    models are there already, by their names. data: the options that name the data; models: those that name
    models. pictures: options to add for a result that has all pictures. undrawn: pictures of what a tiny
    random model cannot have; the verb's own tests draw them. memory: whether it says beforehand that there is
    too little of it. twins: whether it can be asked of a model whose task head is random. clocks: what tells
    the time that stands in a table, by its full name, and what to look at instead. counted: tables of
    what is counted, or tested over other things than documents.
    """

    write: Callable[[Path], dict[str, Any]]
    data: tuple[str, ...]
    models: tuple[str, ...] = ("model",)
    pictures: Mapping[str, Any] = field(default_factory=dict)
    undrawn: tuple[str, ...] = ()
    memory: bool = True
    twins: bool = True
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    counted: tuple[str, ...] = ()

    def of_model(self, model: Any, folder: Path) -> dict[str, Any]:
        """The same question of another model."""
        options = self.write(folder)
        return {name: value for name, value in options.items() if name not in self.models} | {"model": model}


def asked_of(verb: str) -> Asked:
    """What a verb's tests say."""
    asked: Asked = import_module(f"tests.questions.{verb}.asked").ASKED
    return asked


def stopped_clock() -> float:
    """A clock that stands still."""
    return 0.0
