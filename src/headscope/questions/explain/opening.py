"""What explain opens and checks before any work: texts, wishes and ways to explain."""

from __future__ import annotations

from dataclasses import replace

from headscope.errors import InputError, ModelError, OptionError
from headscope.explainers.attribution import why_no_attribution
from headscope.explainers.blank import why_no_blank
from headscope.models import Model
from headscope.questions.explain.examples import Asking
from headscope.questions.explain.options import Options
from headscope.tasks.choice import check_texts, kind_for
from headscope.tasks.data import Source, open_data
from headscope.text import Corpus, read


def check_text(options: Options) -> None:
    """Refuse one word that is no file."""
    if options.is_lone_word:
        raise InputError(
            f"'{options.data}' is no file, and in one word alone there is nothing to tell apart; "
            "give a text of several words in quotes, or a file"
        )


def kind_of(model: Model, options: Options) -> str:
    """What the model answers; refused where it has no head for that, or reads another number of texts."""
    if options.heads and model.shape != "decoder":
        raise ModelError(f"--heads: {why_not_made(model, '')}")
    kind = kind_for(model, options.task)
    kind = "pairs" if kind == "classification" and options.second is not None else kind
    check_texts(model, kind)
    return kind


def check_wishes(model: Model, kind: str, options: Options) -> None:
    """Refuse options that a task has no use for."""
    if options.word is not None and kind != "tagging":
        raise OptionError(f"--word is for taggers, and {model.name} answers otherwise")
    if options.generate > 1 and kind not in ("causal", "translation"):
        raise OptionError(f"--generate: {model.name} does not continue a text")
    if options.target is not None and kind != "translation":
        raise OptionError(f"--target: {model.name} is no translator")
    if options.second is not None and kind != "pairs":
        raise OptionError(f"--second: {model.name} gives no answer to a pair of texts")
    if kind == "pairs" and options.second is None and options.is_typed:
        raise OptionError(f'{model.name} answers to pairs of texts; give the second one too: --second "TEXT"')
    if options.flip and (reason := why_no_blank(model)):
        raise ModelError(f"--flip takes words away, and of {model.name} none can be: {reason}")
    if options.heads and (reason := why_not_made(model, kind)):
        raise ModelError(f"--heads: {reason}")
    if options.answer is not None and options.generate > 1:
        raise OptionError("--answer names one piece, so --generate must be 1")


def why_not_made(model: Model, kind: str) -> str | None:
    """Why it cannot be told which heads made a token; None where it can."""
    reason = why_no_attribution(model) if kind == "causal" else "it does not write the next piece of a text"
    return reason and f"which heads of {model.name} made a token cannot be told: {reason}"


def opened(options: Options, kind: str) -> Corpus:
    """The texts: one that was typed, with what was typed beside it, pairs, or a file of texts."""
    if options.is_typed:
        typed = read([options.data])
        second, target = options.second, options.target
        return typed.derived(lambda: (replace(each, second=second, target=target) for each in typed))
    if kind == "pairs":
        source = Source(column=options.column, second=options.second, skip_broken=options.skip_broken)
        return open_data(options.data, kind, source, options.limit)[1]
    column = options.target or (True if kind == "translation" else None)
    return read(options.data, column=options.column, target=column, **options.reading())


def explainable(corpus: Corpus, asking: Asking) -> tuple[Corpus, list[str]]:
    """The texts that can be explained, and what of them cannot; refused before any work where none can."""
    refused: dict[str, str] = {}
    notes: list[str] = []
    count = 0
    for document in corpus:
        count += 1
        try:
            notes += asking.segment(document)[1]
        except InputError as error:
            refused[document.id] = str(error)
    if not refused:
        return corpus, notes
    first, left_out = next(iter(refused.values())), len(refused)
    if left_out == count:
        raise InputError(first if count == 1 else f"none of {count} texts can be explained: {first}")
    note = f"{left_out} of {count} texts {'is' if left_out == 1 else 'are'} left out: {first}"
    note += "" if left_out == 1 else ", and others like it"
    return corpus.derived(lambda: (each for each in corpus if each.id not in refused), note=note), notes
