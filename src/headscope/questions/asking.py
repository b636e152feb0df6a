"""What every verb does around its answer: open the question, keep a run folder, draw, hand over."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from headscope.engine.effort import Steps, passes_over
from headscope.errors import OptionError, choose_from
from headscope.questions import Verb
from headscope.questions.findings import findings_of
from headscope.questions.groups import KeepsRun
from headscope.questions.marks import InCommand
from headscope.questions.options import Field, Options, complete, fields_of, placed
from headscope.questions.pictures import files_of
from headscope.results.folder import RunFolder
from headscope.results.paths import next_run_path
from headscope.results.provenance import computing, now, provenance, version, written
from headscope.results.result import Result
from headscope.results.withdrawal import withdrawn_without_work

if TYPE_CHECKING:
    from headscope.models import Model
    from headscope.text import Corpus


class Question(Protocol):
    """A question with its model and data opened and checked; nothing has run.

    name: what its run folder is called after. steps: what is done, one after the other; one that can be asked
    with --quick may say in `quick` what that would be. identity: what decides whether a stopped run may go
    on, in plain values. corpora: all that is read, whose notes go into the result.
    """

    options: Any

    @property
    def name(self) -> str: ...

    @property
    def steps(self) -> Steps: ...

    @property
    def identity(self) -> dict[str, Any]: ...

    @property
    def corpora(self) -> Sequence[Corpus]: ...


@dataclass(frozen=True)
class AboutModel:
    """A question about a model, whose name its run folder has."""

    options: Any
    model: Model

    @classmethod
    def of(cls, options: Any) -> Self:
        from headscope.models import load

        return cls(options, load(options.model, **options.loading()))

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def identity(self) -> dict[str, Any]:
        """Enough for what keeps no run."""
        return {"model": {"name": self.model.name}, "options": self.options.decided()}

    @property
    def corpora(self) -> Sequence[Corpus]:
        return ()


@dataclass(frozen=True)
class AboutCorpus(AboutModel):
    """A question about a model and a text."""

    corpus: Corpus
    steps: Steps

    @classmethod
    def of(cls, options: Any) -> Self:
        """Open both; a broken line at the end of a text is found now, not after hours of work."""
        from headscope.models import load
        from headscope.models.sides import check_targets
        from headscope.text import read

        corpus = read(options.text, **options.reading())
        words = sum(len(document.words) for document in corpus)
        model = load(options.model, **options.loading())
        check_targets(model, corpus)
        return cls(options, model, corpus, [passes_over(words)])

    @cached_property
    def identity(self) -> dict[str, Any]:
        return identity_of(self.model, self.corpus, self.options.decided(**self.decisions()))

    @property
    def corpora(self) -> Sequence[Corpus]:
        return (self.corpus,)

    def decisions(self) -> dict[str, Any]:
        """What was decided for the user, by the names of the options."""
        return {}


def identity_of(model: Model, corpus: Corpus, options: dict[str, Any]) -> dict[str, Any]:
    """The identity of a question about a model and a corpus; options: with what was decided on."""
    return {
        "model": {
            "name": model.name,
            "origin": model.origin,
            "revision": model.revision,
            "class": type(model.module).__name__,
            **model.fingerprints._asdict(),
            "dtype": str(model.module.dtype).removeprefix("torch."),
            "device": model.asked_device,
        },
        "data": {"name": corpus.name, "source": corpus.source, "checksum": corpus.checksum},
        "options": options,
        "headscope": version(),
    }


def open_question(verb: Verb, options: Options) -> Question:
    """Open and check everything that a question is about."""
    if isinstance(options, KeepsRun):
        options.read_ahead()
    question: Question = verb.module("answer").Question.of(options)
    return question


def claim_run_path(verb: Verb, question: Question, root: str | Path = "runs") -> Path:
    """Where a run goes that names no folder: a new one, made now, or that of the same stopped command."""
    return next_run_path(root, verb.name, question.name, {"identity": question.identity})


def ask(
    verb: Verb,
    question: Question,
    path: Path | None = None,
    progress: Any = None,
    plots: bool = True,
    **around: Any,
) -> Result:
    """Answer a question, into a run folder or without one: a finished one is read, a stopped one goes on.

    around: what else of the command is recorded for who resumes it.
    """
    answer, started = verb.module("answer").answer, now()
    # Of the model as it is now: an answer may train it.
    identity = question.identity
    if path is None:
        return _signed(verb, answer(question, None, progress), question, identity, started)
    written.set(path)
    begun = {
        "identity": identity,
        "computing": computing(),
        "question": {
            "options": question.options.plain(),
            "folder": str(Path.cwd()),
            "plots": plots,
            **around,
        },
    }
    with withdrawn_without_work(path), RunFolder.claim(path, verb.name, begun) as folder:
        if folder.finished(verb.name):
            return folder.read_result(verb.name)
        result = _signed(verb, answer(question, folder, progress), question, identity, started)
        folder.write_result(result, files_of(result) if plots else {})
        return result


def function_of(verb: Verb) -> Any:
    """The Python function of a verb: its arguments and keywords are its options."""
    options = verb.options

    def call(*arguments: Any, **keywords: Any) -> Any:
        for field in fields_of(options):
            if field.name in keywords and field.mark(InCommand) is not None:
                raise OptionError(
                    f"{verb.name}: {field.flag} is for commands; in Python, keep what is returned"
                )
        shell = {name: keywords.pop(name) for name in _shell(options) if name in keywords}
        out, plots = shell.get("out"), shell.get("plots", True)
        if not isinstance(out, str | Path | None) or not isinstance(plots, bool):
            raise OptionError(
                f"{verb.name}: out takes a path and plots True or False, not {out!r}, {plots!r}"
            )
        question = open_question(verb, options_of(verb, arguments, keywords))
        path = None if out is None else Path(out)
        result = ask(verb, question, path, shell.get("progress"), plots)
        hand_over = getattr(verb.module("answer"), "hand_over", None)
        return result if hand_over is None else hand_over(question, result, path)

    call.__name__ = call.__qualname__ = verb.name
    call.__module__ = "headscope"
    call.__doc__ = _documentation(options)
    call.__signature__ = Signature(_parameters(options))  # type: ignore[attr-defined]
    return call


_SHELL: dict[str, tuple[str, Any, str]] = {
    "out": ("str | Path | None", None, "run folder to write or to continue; without it, no file is written"),
    "progress": (
        "Callable[[int, int], None] | None",
        None,
        "called with how many segments and words were done",
    ),
    "plots": ("bool", True, "draw the figures into the run folder"),
}
"""What the Python function of a question that keeps a run takes beside its options: type, default, help."""


def _shell(options: type[Options]) -> dict[str, tuple[str, Any, str]]:
    return _SHELL if issubclass(options, KeepsRun) else {}


def options_of(verb: Verb, arguments: Sequence[Any], keywords: dict[str, Any]) -> Options:
    """The options of a call; what is missing or unknown is told."""
    options = verb.options
    by_place = arguments_of(options)
    names = [field.name for field in fields_of(options) if field.mark(InCommand) is None]
    if len(arguments) > len(by_place):
        raise OptionError(f"{verb.name} takes {len(by_place)} arguments by place, not {len(arguments)}")
    values = {field.name: value for field, value in zip(by_place, arguments, strict=False)}
    for name in keywords:
        if name not in names:
            raise OptionError(f"{verb.name}: {choose_from('option', name, [*names, *_shell(options)])}")
        if name in values:
            raise OptionError(f"{verb.name}: '{name}' is given twice, by its place and by its name")
    return complete(verb.name, options, values | keywords)


def arguments_of(options: type[Options]) -> list[Field]:
    """The options of a class that are given by their place, in order."""
    return [field for _, field in placed(fields_of(options))]


def _parameters(options: type[Options]) -> list[Parameter]:
    by_place = arguments_of(options)
    # A place before one that must be filled cannot be left out.
    filled = max((place for place, field in enumerate(by_place) if field.required), default=-1) + 1
    made = [
        _parameter(field, Parameter.POSITIONAL_OR_KEYWORD, place < filled)
        for place, field in enumerate(by_place)
    ]
    rest = [field for field in fields_of(options) if field not in by_place and field.mark(InCommand) is None]
    made += [_parameter(field, Parameter.KEYWORD_ONLY, field.required) for field in rest]
    return made + [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default, _) in _shell(options).items()
    ]


def _parameter(field: Field, kind: Any, required: bool) -> Parameter:
    default = Parameter.empty if required else field.default
    return Parameter(field.name, kind, default=default, annotation=field.type)


def _documentation(options: type[Options]) -> str:
    helps = [(field.name, field.help) for field in fields_of(options) if field.mark(InCommand) is None]
    helps += [(name, text) for name, (_, _, text) in _shell(options).items()]
    return "\n".join([options.__doc__ or "", "", *(f"{name}: {text}" for name, text in helps)])


def _signed(
    verb: Verb, result: Result, question: Question, identity: dict[str, Any], started: datetime
) -> Result:
    """The result with what its tables say, what was found and asked, what reading showed, and its origin."""
    torch = sys.modules.get("torch")
    threads = {} if torch is None else {"threads": torch.get_num_threads()}
    origin = provenance(started, now()) | threads
    asked = {"identity": identity, "provenance": origin, **result.asked}
    declared = {name: table for name, table in verb.tables.items() if name in result.tables}
    shown = dict.fromkeys(note for corpus in question.corpora for note in corpus.notes)
    notes = [*result.notes, *shown]
    signed = replace(result, asked=asked, notes=notes, declared=declared | result.declared)
    return replace(signed, findings=findings_of(signed))
