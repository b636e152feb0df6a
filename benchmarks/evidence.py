"""Run every benchmark, write what was measured, and fail when a limit is not kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import (
    ablation,
    cluster,
    coreference,
    families,
    figure3,
    long_input,
    machine,
    memory,
    probes,
    pruning,
    speed,
    syntax,
    tasks,
)
from benchmarks.families import Outcome
from benchmarks.rows import Row, written
from headscope.results.files import write_bytes

DOCUMENT = Path(__file__).parents[1] / "docs" / "evidence.md"

Tables = dict[str, list[Row]]

_SAYS = {
    "Speed": "A survey beside a plain SDPA pass over the same batches, both without tokenising and loading; "
    "medians of interleaved turns. The published algorithm was written anew from its description and timed "
    "with its own eager pass on a few segments; it grows linearly with their number.",
    "Memory": "Peak resident memory of a survey with distances above the loaded model, in a process of its "
    "own: how much higher it is after many segments than after some, when all is warm. To keep the least of "
    "what is measured would take 22 KiB for each segment; to keep its maps, far more.",
    "Cluster": "Two worker processes with one thread each beside half of the time of one process with one "
    "thread, over the same shards; all have loaded the model, and the best of several turns counts. Memory: "
    "a survey of generated text with a random model of one layer, into a run folder, each size in processes "
    "of its own.",
    "Long input": "A small random decoder: surface sums of sampled query rows while SDPA stays on, "
    "beside SDPA alone.",
    "Figure 3": "The sensitivity of the loss to attention, for models with a loss of their own.",
    "Syntax": "`headscope syntax` on the development part of the English Web Treebank beside a plain SDPA "
    "pass over the same batches, without tokenising, statistics and twins; and its counting beside the "
    "published one, both from the same maps over words.",
    "Coreference": "`headscope coref` on free corpora; the paper's numbers are BERT-base's on CoNLL-2012.",
    "Probes": "`headscope probe` trained on the English Web Treebank; the paper's numbers are BERT-base's on "
    "the Penn Treebank.",
    "Ablation": "`headscope ablate` removing every head once, beside as many plain SDPA passes over the same "
    "batches, without tokenising and statistics.",
    "Pruning": "Every other head of the embedded model taken out of its matrices: both models take turns on "
    "full rows; the published speeds are of BERT-base on two GPUs.",
    "Tasks": "`headscope finetune`, `ablate` and `prune` with the embedded model on SST-2 (weights chosen on "
    "dev.tsv, scores on the 872 sentences of test.tsv) and on CoNLL-2000 (a tenth of train held out).",
    "Families": "Tiny random models. Checked for each: outputs while listening equal eager outputs bit for "
    "bit; maps equal the model's own; blocks of rows equal whole maps within 1e-5; ablating a head equals "
    "zeroing its slice; afterwards the model is as before.",
}
_VERDICTS = {
    "passed": "Passed",
    "failed": "Failed",
    "refused": "Refused with a clear error",
    "not tried": "Not tried",
}


def run(reduced: bool, pictures: Path, wheel: Path | None) -> tuple[Tables, list[Outcome]]:
    """All tables, and what became of each family."""
    tables: Tables = {
        "Speed": speed.run(48, 5, 1, slack=1.5) if reduced else speed.run(),
        "Memory": memory.run(*memory.REDUCED) if reduced else memory.run(),
        "Cluster": cluster.run(*cluster.REDUCED) if reduced else cluster.run(),
        "Long input": long_input.run(8192) if reduced else long_input.run(),
        "Figure 3": figure3.run(pictures, wheel, language_model=not reduced),
        "Syntax": syntax.run(300, 3, slack=1.5) if reduced else syntax.run(),
        "Coreference": coreference.run(reduced=reduced),
        "Probes": probes.run(reduced=reduced),
        "Ablation": ablation.run(1, 1, slack=1.5) if reduced else ablation.run(),
        "Pruning": pruning.run(reduced=reduced),
        "Tasks": tasks.run(reduced=reduced),
    }
    tables["Families"], outcomes = families.run(sample=48 if reduced else None)
    return tables, outcomes


def document(facts: dict[str, str], tables: Tables, outcomes: Sequence[Outcome], reduced: bool) -> str:
    """The page as Markdown."""
    size = "a reduced run, with rough timings and wider limits for them" if reduced else "the full run"
    parts = [
        "# Evidence\n\nWhat headscope promises, as measured by `python -m benchmarks.evidence`: "
        f"{size}. A target is what we aim at; a limit fails the run.",
        _table(["what", "value"], [[name, value] for name, value in facts.items()]),
        *(f"## {title}\n\n{_SAYS[title]}\n\n{rows_table(rows)}" for title, rows in tables.items()),
        *(_listed(title, verdict, outcomes) for verdict, title in _VERDICTS.items()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def rows_table(rows: Sequence[Row]) -> str:
    """Rows as a table, in order."""
    head = ["measured", "value", "target", "limit", "kept"]
    return _table(head, [_cells(row) for row in rows])


def _cells(row: Row) -> list[str]:
    value = f"{written(row['value'])} {row['unit']}".strip()
    kept = "" if not row["limit"] else "yes" if row["passed"] else "**no**"
    return [row["name"], value, row["target"], row["limit"], kept]


def _listed(title: str, verdict: str, outcomes: Sequence[Outcome]) -> str:
    """Families of one verdict: those without a reason in one line, the others with it."""
    chosen = [outcome for outcome in outcomes if outcome.verdict == verdict]
    if not chosen:
        return ""
    plain = [outcome.family for outcome in chosen if not outcome.reason]
    told = [f"- {outcome.family}: {outcome.reason}" for outcome in chosen if outcome.reason]
    return "\n\n".join(
        part for part in (f"### {title} ({len(chosen)})", ", ".join(plain), "\n".join(told)) if part
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, write, and return the exit code: 1 where a limit was not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--reduced", action="store_true", help="fewer repeats, segments and families; needs --out"
    )
    parser.add_argument(
        "--out", type=Path, help=f"the page to write; without --reduced {DOCUMENT.name} in docs"
    )
    parser.add_argument("--wheel", type=Path, help="the package of SmolLM2, if it is here already")
    chosen = parser.parse_args(arguments)
    if chosen.reduced and (chosen.out is None or chosen.out.resolve() == DOCUMENT):
        parser.error("--reduced needs --out, and leaves docs/evidence.md alone")
    path = chosen.out or DOCUMENT
    facts = machine.facts()
    tables, outcomes = run(chosen.reduced, path.parent / "evidence", chosen.wheel)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, document(facts, tables, outcomes, chosen.reduced).encode())
    failed = [row["name"] for rows in tables.values() for row in rows if not row["passed"]]
    print(f"\n{path} written; " + (f"limits not kept: {'; '.join(failed)}" if failed else "all limits kept"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
