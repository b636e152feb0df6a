"""What options of train do not fit together."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headscope.errors import InputError, OptionError, choose_from

if TYPE_CHECKING:
    from headscope.questions.train.options import Options

ATTENTIONS = {
    "pooled": ("tanh", "dot"),
    "seq2seq": ("bahdanau", "dot", "general", "concat", "none"),
}
"""Ways to score."""


def check_data(options: Options) -> None:
    """Refuse two kinds of data, and one without its other side."""
    if options.source is not None and options.data is not None:
        raise OptionError("DATA and --source are two ways to give the same; leave one out")
    if options.source is not None and options.target is None:
        raise OptionError(f"--source {options.source}: give the file of its translations, too (--target)")


def check_translated(data: Any) -> None:
    """Refuse plain text, which has no column for translations."""
    from headscope.text.lines import text_suffix
    from headscope.text.readers import READERS

    path = Path(data) if isinstance(data, str | PathLike) else None
    if path is not None and path.is_file() and text_suffix(path) not in READERS:
        raise InputError(
            f"{path} is plain text, which has no translations; give a table with columns `source` and "
            f"`target` (.tsv, .csv, .jsonl), or two files of lines: --source {path} --target FILE"
        )


def check_task(options: Options) -> None:
    """Refuse a task that a net has no answer for."""
    net, task = options.net, options.task
    if net in ("pooled", "han") and task in ("tagging", "causal", "translation"):
        raise OptionError(f"{net} has one answer for a text, so it cannot be trained for {task}")
    if net == "han" and task == "pairs":
        raise OptionError("han reads the sentences of one text, so it cannot be trained for pairs")
    if net == "disan" and task == "translation":
        raise OptionError("disan writes no text; train seq2seq or translator for translation")
    if net == "tagger" and task not in (None, "tagging"):
        raise OptionError(f"tagger has an answer for each word, so it cannot be trained for {task}")
    if net in ("seq2seq", "translator") and task not in (None, "translation"):
        raise OptionError(f"{net} writes a text, so it cannot be trained for {task}")
    known = ATTENTIONS.get(net, ())
    if options.attention is not None and options.attention not in known:
        raise OptionError(choose_from(f"--attention of {net}", options.attention, known))


def check_sizes(options: Options) -> None:
    """Refuse states that cannot be dealt out evenly."""
    hidden = options.chosen("hidden")
    if options.net in ("tagger", "translator") and hidden % options.heads:
        raise OptionError(
            f"--hidden {hidden}: states of {options.net} are dealt out to {options.heads} heads; "
            f"give a multiple of {options.heads}"
        )
    if options.net == "seq2seq" and hidden % 2:
        raise OptionError(
            f"--hidden {hidden}: the encoder of seq2seq has two directions; give an even number"
        )
