"""`headscope VERB ...`: the verbs and commands, and how mistakes and interruptions end."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from headscope.errors import HeadscopeError, OptionError, choose_from
from headscope.questions import VERBS
from headscope.results.provenance import written

STOPPED = 130

COMMANDS = {
    "report": "Everything in a run folder as one HTML file that anyone can open.",
    "serve": "The page, live: type a sentence, switch heads off, compare two models.",
    "resume": "Go on with what was stopped in a run folder.",
    "info": "What a model is, and which analyses it allows.",
    "demo": "A tour on our own texts, from heads to trust: offline, in less than three minutes.",
}
"""Commands that are no questions: each is a file here, with its `Options` and `run(options)`."""

HELP, VERSION = ("-h", "--help"), "--version"
_WELCOME = (
    "What each attention head of a model does, whether it matters, and whether to trust it.",
    "Usage: headscope VERB ... (headscope VERB --help tells more)",
    "MODEL is a folder, a hub name, a .gguf file, or `default` (the embedded all-MiniLM-L6-v2). Start with "
    "`headscope demo`.",
)


def run() -> None:
    """Entry point: exit code 0 done, 2 the user's mistake, 130 stopped."""
    # What matters of loading a model is in the notes; the library's own warnings would hide our message.
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    # On a busy machine, threads that wait for each other at full speed make small nets many times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # Clusters stop what they run by this signal; it ends a verb as Ctrl-C does.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    nothing = written.set(None)
    try:
        obey(sys.argv[1:])
        sys.stdout.flush()
    except HeadscopeError as error:
        print(f"headscope: {error.text}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # Whoever read our output has enough of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print(f"\nheadscope: stopped; {_way_on()}", file=sys.stderr)
        sys.exit(STOPPED)
    finally:
        written.reset(nothing)
        signal.signal(signal.SIGTERM, before)


def obey(words: Sequence[str]) -> None:
    """Do what a command's words say."""
    if not words or words[0] in (*HELP, "help"):
        _print_welcome()
        return
    name, *rest = words
    if name == VERSION:
        from headscope import __version__

        print(f"headscope {__version__}")
    elif name not in VERBS and name not in COMMANDS:
        raise OptionError(choose_from("verb", name, [*VERBS, *COMMANDS]))
    elif any(word in HELP for word in _before_the_end(rest)):
        from headscope.cli.help import print_help

        options, fields = command_options(name)
        print_help(name, options.__doc__ or "", fields)
    else:
        _run(name, rest)


def _run(name: str, words: Sequence[str]) -> None:
    from headscope.cli.parsing import parse
    from headscope.questions.options import complete, fields_of

    options, fields = command_options(name)
    values = parse(name, words, fields)
    if name in COMMANDS:
        import_module(f"headscope.cli.{name}").run(complete(name, options, values))
        return
    from headscope.cli.shell import around, run_question

    shell = {field.name for group in around(options) for field in fields_of(group)}
    own = {key: value for key, value in values.items() if key not in shell}
    run_question(VERBS[name], complete(name, options, own), values)


def command_options(name: str) -> tuple[Any, Sequence[Any]]:
    """The class of a command's options, and all fields that its command line has."""
    from headscope.questions.options import fields_of

    if name in COMMANDS:
        options = import_module(f"headscope.cli.{name}").Options
        return options, fields_of(options)
    from headscope.cli.shell import fields_with

    return VERBS[name].options, fields_with(VERBS[name].options)


def _before_the_end(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def _print_welcome() -> None:
    from headscope.cli.help import print_paragraph, print_table

    for paragraph in _WELCOME:
        print_paragraph(paragraph)
    print("Questions")
    print_table((verb.name, verb.question) for verb in VERBS.values())
    print("\nCommands")
    print_table(COMMANDS.items())


def _way_on() -> str:
    folder = written.get()
    if folder is None or not folder.exists():
        return "nothing was finished yet, so the same command begins anew"
    return f"headscope resume {shlex.quote(str(folder))}, or the same command, goes on from what has finished"


if __name__ == "__main__":
    run()
