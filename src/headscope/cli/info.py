"""`headscope info MODEL`"""

from __future__ import annotations

from headscope.cli.options import Adapter, Device, Dtype, Json, ModelName, Precision, Revision


def info(
    model: ModelName = "default",
    adapter: Adapter = None,
    device: Device = "cpu",
    dtype: Dtype = Precision.float32,
    revision: Revision = None,
    json: Json = False,
) -> None:
    """What a model is, and which analyses it allows."""
    from headscope.cli.screen import console, print_json, print_notes, print_table
    from headscope.jobs.info import info as job
    from headscope.models import load

    result = job(load(model, adapter=adapter, device=device, dtype=dtype, revision=revision))
    if json:
        facts: dict[str, str] = dict(result.table("facts").itertuples(index=False))
        print_json({**facts, "analyses": result.table("analyses").to_dict("records"), "notes": result.notes})
        return
    print_table(result.table("facts"))
    console.print()
    print_table(result.table("analyses"))
    print_notes(result)
