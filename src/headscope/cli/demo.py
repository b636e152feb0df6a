"""`headscope demo`"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import join, quote
from time import monotonic
from typing import Annotated, Any

from headscope.cli.shell import Keeping, Placing, Printing, answered
from headscope.questions import VERBS
from headscope.questions import options as groups
from headscope.questions.marks import OUTPUT, Group, Short
from headscope.questions.options import complete, fields_of, placed

SMALL = {
    "vectors": "random", "width": 16, "hidden": 16, "least": 1, "epochs": 6, "rate": 0.01, "batch_size": 16,
}  # fmt: skip
"""How a small net is trained: it learns our sentences in seconds."""


@dataclass(frozen=True, kw_only=True)
class Options(groups.Options):
    """A tour on our own texts, into one run with its report: offline, in less than three minutes.

    What every head of the embedded model looks at, and what it knows of grammar; which heads a task needs;
    and whether the attention of a small net that is trained here may be shown as an explanation.

    Example: headscope demo
    """

    out: Annotated[Path, Group(OUTPUT)] = Path("runs/demo")
    """Run folder to write."""

    quiet: Annotated[bool, Short("-q"), Group(OUTPUT)] = False
    """Print no progress and no findings."""


def questions(texts: Path, out: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The verbs of the tour, each with the words for its model, and what it is asked; some need a model that
    one before them has made."""
    embedded, fine_tuned = "the embedded encoder", "the encoder that was just fine-tuned"
    net = str(out / "models" / "seed-0")
    learned, asked = texts / "opinions.tsv", texts / "opinions-test.tsv"
    yield "survey", embedded, {"text": str(texts / "passages.txt")}
    yield "syntax", embedded, {"treebank": str(texts / "treebank.conllu"), "least": 40}
    yield "finetune", embedded, {"model": "default", "data": str(learned), "test": str(asked), "epochs": 1}
    yield "ablate", fine_tuned, {"model": str(out / "model"), "data": str(asked)}
    yield "train", "a small net", {"net": "pooled", "data": str(learned), "test": str(asked), **SMALL}
    yield "trust", "that small net", {"model": net, "data": str(asked), "quick": True}


def command(name: str, given: Mapping[str, Any], out: Path) -> str:
    """What a verb is asked, as words behind `headscope` that a shell takes.

    >>> command("survey", {"text": "my texts.txt", "limit": 3}, Path("mine"))
    "survey default 'my texts.txt' --limit 3 --out mine"
    """
    arguments = [field.name for _, field in placed(fields_of(VERBS[name].options))]
    words = [name, *(str(given.get(argument, "default")) for argument in arguments)]
    for option, value in given.items():
        if option not in arguments:
            words += [f"--{option.replace('_', '-')}", *([] if value is True else [str(value)])]
    return join([*words, "--out", str(out)])


def run(options: Options) -> None:
    """Every question of the tour, its findings, the report of all, and what to try next."""
    from importlib.resources import as_file, files

    from headscope.cli.report import print_report
    from headscope.cli.screen import print_findings, print_line
    from headscope.web.report.pages import report

    around = Printing(quiet=options.quiet), Keeping(out=options.out), Placing()
    began = monotonic()
    with as_file(files("headscope.demo")) as texts:
        asked = list(questions(texts, options.out))
        for number, (name, about, given) in enumerate(asked, 1):
            verb = VERBS[name]
            if not options.quiet:
                print_line(f"[{number} of {len(asked)}] {verb.name}, of {about}: {verb.question}")
                print_line(f"$ headscope {command(name, given, options.out)}")
            result, _ = answered(verb, complete(name, verb.options, given), *around)
            if not options.quiet:
                print_findings(result)
    page = report(options.out)
    if not options.quiet:
        print_report(page)
        print_line(f"time    {monotonic() - began:.0f} s in all")
        print_line(
            "\nOpen the report in a browser. Then try\n"
            f"  {f'headscope serve {quote(str(options.out))}':<42} the same page, live: type a sentence\n"
            "  headscope survey default YOUR.txt          your own text\n"
            "  headscope survey PATH/TO/MODEL YOUR.txt    your own model\n"
            "  headscope trust PATH/TO/MODEL YOUR.tsv     may I show its attention?\n"
            "  headscope info MODEL                       what a model allows"
        )
