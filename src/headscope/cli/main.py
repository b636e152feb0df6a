"""`headscope VERB ...`: the verbs, and how mistakes and interruptions end."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from importlib import import_module

import typer

from headscope.cli.engines import on_engine
from headscope.errors import HeadscopeError
from headscope.results.provenance import command, written

STOPPED = 130
VERBS = (
    *("survey", "syntax", "coref", "probe", "finetune", "ablate", "prune"),
    *("attention", "show", "info", "compare", "report", "serve", "resume", "demo"),
)
"""A verb's file has a function of the same name; importing it must cost nothing."""
SHARDED = {"survey", "syntax", "coref", "probe", "ablate", "prune"}
"""Verbs that run shards, and so can run them elsewhere."""

app = typer.Typer(
    name="headscope",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="What each attention head of a model does, whether it matters, and whether to trust it.\n\n"
    "MODEL is a folder, a hub name, a .gguf file, or `default` (the embedded all-MiniLM-L6-v2). "
    "Start with `headscope demo`.",
)


def _version(asked: bool) -> None:
    if asked:
        from headscope import __version__

        print(f"headscope {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    pass


for _verb in VERBS:
    _module = import_module(f"headscope.cli.{_verb}")
    _function = getattr(_module, _verb)
    app.command(_verb)(on_engine(_function) if _verb in SHARDED else _function)


def run() -> None:
    """Entry point: exit code 0 done, 2 the user's mistake, 130 stopped."""
    # What matters of loading a model is in the notes; the library's own warnings would hide our message.
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    typed, nothing = command.set(sys.argv[1:]), written.set(None)
    # Clusters stop what they run by this signal; it ends a verb as Ctrl-C does.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        app(prog_name="headscope")
    except HeadscopeError as error:
        print(f"headscope: {error}", file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, SystemExit) as end:
        # Inside a verb, typer has made an exit with 130 of the interruption.
        if isinstance(end, SystemExit) and end.code != STOPPED:
            raise
        print(f"\nheadscope: stopped; {_way_on()} goes on from what has finished", file=sys.stderr)
        sys.exit(STOPPED)
    finally:
        command.reset(typed)
        written.reset(nothing)
        signal.signal(signal.SIGTERM, before)


def _way_on() -> str:
    folder = written.get()
    if folder is None or not folder.exists():
        return "the same command"
    return f"headscope resume {shlex.quote(str(folder))}, or the same command,"


if __name__ == "__main__":
    run()
