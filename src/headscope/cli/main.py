"""`headscope VERB ...`: the verbs, and how mistakes and interruptions end."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import typer

from headscope.errors import HeadscopeError

STOPPED = 130
VERBS = (
    *("survey", "syntax", "coref", "probe", "finetune", "ablate", "prune"),
    *("attention", "show", "info", "compare", "report", "serve", "demo"),
)
"""A verb's file has a function of the same name; importing it must cost nothing."""

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
    app.command(_verb)(getattr(_module, _verb))


def run() -> None:
    """Entry point: exit code 0 done, 2 the user's mistake, 130 stopped."""
    # What matters of loading a model is in the notes; the library's own warnings would hide our message.
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    try:
        app(prog_name="headscope")
    except HeadscopeError as error:
        print(f"headscope: {error}", file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, SystemExit) as end:
        # Inside a verb, typer has made an exit with 130 of the interruption.
        if isinstance(end, SystemExit) and end.code != STOPPED:
            raise
        print("\nheadscope: stopped; the same command goes on from what has finished", file=sys.stderr)
        sys.exit(STOPPED)


if __name__ == "__main__":
    run()
