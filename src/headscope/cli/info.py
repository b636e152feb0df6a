"""`headscope info MODEL`"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

from headscope.errors import ModelError
from headscope.questions.groups import OfLoading
from headscope.questions.marks import OUTPUT, Group

if TYPE_CHECKING:
    from headscope.attention import Site
    from headscope.models import Model
    from headscope.results.result import Result


LABELS = 10
"""So many are listed."""
ANSWERS = {"masked": "pieces that are hidden", "causal": "the next piece", "translation": "another text"}
"""What models without labels answer, by what they were made for."""
UNTAUGHT = "headscope finetune gives it one, where transformers has such a head for its family"
"""Where a model has no head for a task; the whole reason would not fit into a table."""


@dataclass(frozen=True, kw_only=True)
class Options(OfLoading):
    """What a model is, and which analyses it allows.

    Example: headscope info default
    """

    json: Annotated[bool, Group(OUTPUT)] = False
    """Print the outcome as JSON on standard output."""


def run(options: Options) -> None:
    """Print the facts."""
    from headscope.cli.screen import console, print_json, print_notes, print_table
    from headscope.models.outline import outline

    try:
        result = info(outline(options.model, **options.loading()))
    except ModelError as error:
        if not _is_run(options.model):
            raise
        shown = f"headscope report {quote(options.model)} shows it"
        raise ModelError(f"{error.text}; it is a run: {shown}") from error
    if options.json:
        facts: dict[str, str] = dict(result.table("facts").itertuples(index=False))
        print_json({**facts, "analyses": result.table("analyses").to_dict("records"), "notes": result.notes})
        return
    print_table(result.table("facts"))
    console.print()
    print_table(result.table("analyses"))
    print_notes(result)


def _is_run(model: str) -> bool:
    """Whether it is a run folder, which is easily taken for the model that it is of."""
    from headscope.results.record import NAME

    return (Path(model) / NAME).is_file()


def _answers(model: Model) -> str:
    """What a model's head answers, with its labels."""
    from headscope.tasks.labels import Labels
    from headscope.tasks.purposes import purpose_of

    purpose = purpose_of(model)
    if purpose is None or _why_no_task(model) is not None:
        return "nothing that can be scored"
    if purpose in ANSWERS:
        return ANSWERS[purpose]
    labels = Labels.of(model.module.config).names
    more = f" and {len(labels) - LABELS:,} more" if len(labels) > LABELS else ""
    return f"{purpose}: {', '.join(labels[:LABELS])}{more}"


def _why_no_task(model: Model) -> str | None:
    """Why what scores or explains answers refuses a model; None where it does not."""
    from headscope.tasks.choice import task_for
    from headscope.tasks.purposes import purpose_of, texts_read

    if purpose_of(model) is None:
        return UNTAUGHT
    try:
        task_for(model, "pairs" if texts_read(model) == 2 else None)
    except ModelError as error:
        return error.text
    return None


def info(model: Any = "default") -> Result:
    """Facts about a model, as tables `facts` and `analyses`; a GGUF file is not unpacked for them."""
    import pandas as pd

    from headscope.models.outline import outline
    from headscope.results.result import Result
    from headscope.tasks.losses import own_loss, why_no_loss
    from headscope.tasks.purposes import why_not_generated

    loaded = outline(model)
    loss = own_loss(loaded)
    stacks = [_describe(stack, loaded.sites_of(stack)) for stack in loaded.stacks()]
    parameters = sum(parameter.numel() for parameter in loaded.module.parameters())
    facts = {
        "model": loaded.name,
        "from": loaded.origin,
        "class": type(loaded.module).__name__,
        "shape": loaded.shape,
        "heads": "; ".join(stacks),
        "parameters": f"{parameters:,}",
        "longest input": f"{loaded.longest} pieces" if loaded.longest else "no limit",
        "vocabulary": f"{len(loaded.tokenizer):,} pieces",
        "special tokens added": " ".join(loaded.kinds.added) or "none",
        "answers": _answers(loaded),
        "own loss": loss.name if loss else why_no_loss(loaded),
        "attention": "shared function"
        if loaded.shared_function
        else "the family's own, heard through its outputs",
    }
    outside = None if loaded.shared_function else "the family computes attention outside the shared function"
    rows = [
        ("surface, entropy, distances, roles", "yes", ""),
        ("gradients of attention", *_unless(None if loss else why_no_loss(loaded))),
        ("long inputs in blocks of rows", *_unless(outside)),
        ("ablating, scaling and masking heads", *_unless(loaded.why_no_edits)),
        ("a task, for ablate, explain or trust", *_unless(_why_no_task(loaded))),
        ("removing heads by their mean output", *_unless(loaded.why_no_edits or outside)),
        ("editing weights", *_unless(outside or loaded.why_no_weight_edits)),
        ("attention during generation", *_unless(why_not_generated(loaded))),
    ]
    tables = {
        "facts": pd.DataFrame({"fact": list(facts), "value": list(facts.values())}),
        "analyses": pd.DataFrame(rows, columns=["analysis", "possible", "why not"]),
    }
    return Result("info", {}, tables, {"identity": {"model": loaded.name}}, list(loaded.notes))


def _describe(stack: str, sites: list[Site]) -> str:
    sizes = "/".join(str(size) for size in sorted({site.heads for site in sites}))
    return f"{stack}: {len(sites)} layers x {sizes} heads"


def _unless(reason: str | None) -> tuple[str, str]:
    return ("yes", "") if reason is None else ("no", reason)
