"""Nets of ours are models like others: each verb answers, or says in one sentence why it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.errors import ModelError
from headscope.questions import VERBS
from headscope.questions.groups import OfHeads, OfModel
from tests.battery.desk import Desk
from tests.nets.made import save_causal, save_disan, save_pooled

ASKED = [name for name, verb in VERBS.items() if issubclass(verb.options, OfModel)]
BY_TEXT = {"maps", "show", "ablate", "prune", "finetune", "explain", "trust", "layers", "sentences"}
"""Verbs that take heads which look from a whole text, or read no heads."""


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nets")
    for seed, later in enumerate(("", "-later")):
        save_disan(folder / f"disan-50{later}", seed=seed)
        save_causal(folder / f"causal{later}", seed=seed)
        save_pooled(folder / f"pooled{later}", seed=seed)
    return folder


def about(desk: Desk, net: Path, *heads: int) -> dict[str, object]:
    """Options that ask of a net and choose these heads, where a verb has the choice or wants names."""
    nets = {"bert": net, "bert-later": net.with_name(f"{net.name}-later")}
    series = {
        name: [nets[model] for model in value]
        for name, value in desk.options.items()
        if isinstance(value, tuple) and nets.keys() >= {*value}
    }
    numbers = {"layers": (0,), "heads": heads} if issubclass(desk.verb.options, OfHeads) else {}
    named = {name: [f"L0H{heads[0]}"] for name in ("head", "off") if name in desk.options}
    return {"model": net} | series | numbers | named


@pytest.mark.parametrize("net", ["disan-50", "causal"])
@pytest.mark.parametrize("verb", ASKED)
def test_every_verb_answers_about_disan(desk: Desk, nets: Path, net: str) -> None:
    result = desk.result(**about(desk, nets / net, 2, 7))
    assert any(len(table) for table in result.tables.values())


@pytest.mark.parametrize("verb", ASKED)
def test_pooled_attention_is_taken_or_refused_by_its_unit(verb: str, desk: Desk, nets: Path) -> None:
    if verb in BY_TEXT:
        assert desk.result(**about(desk, nets / "pooled", 0)).tables
    else:
        with pytest.raises(ModelError, match="no head that looks from piece to piece"):
            desk.result(**about(desk, nets / "pooled", 0))
