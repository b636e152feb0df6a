"""What explain opens and checks before any work: texts, wishes and ways to explain."""

from __future__ import annotations

from headscope.errors import InputError, ModelError, OptionError
from headscope.explainers.blank import why_no_blank
from headscope.models import Model
from headscope.questions.explain.examples import Asking
from headscope.questions.explain.options import Options
from headscope.tasks.data import Source, open_data
from headscope.text import Corpus, read


def check_text(options: Options) -> None:
    """Refuse one word that is no file."""
    if options.is_lone_word:
        raise InputError(
            f"'{options.data}' is no file, and in one word alone there is nothing to tell apart; "
            "give a text of several words in quotes, or a file"
        )


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
    if options.answer is not None and options.generate > 1:
        raise OptionError("--answer names one piece, so --generate must be 1")


def opened(options: Options, kind: str) -> Corpus:
    """The texts: one that was typed, pairs, or a file of texts."""
    if options.is_typed:
        return read([options.data])
    if kind == "pairs":
        source = Source(column=options.column, second=options.second, skip_broken=options.skip_broken)
        return open_data(options.data, kind, source, options.limit)[1]
    return read(options.data, column=options.column, target=options.target, **options.reading())


def explainable(corpus: Corpus, asking: Asking) -> Corpus:
    """The texts that can be explained; refused before any work where none can."""
    reasons = {document.id: asking.why_not(document) for document in corpus}
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    if not left_out:
        return corpus
    first, count = next(iter(left_out.values())), len(left_out)
    if count == len(reasons):
        raise InputError(first if count == 1 else f"none of {count} texts can be explained: {first}")
    note = f"{count} of {len(reasons)} texts {'is' if count == 1 else 'are'} left out: {first}"
    note += "" if count == 1 else ", and others like it"
    return corpus.derived(lambda: (each for each in corpus if each.id not in left_out), note=note)
