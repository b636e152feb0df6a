"""Nets of ours are models like others: each verb answers, or says in one sentence why it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.errors import ModelError
from headscope.questions import VERBS
from headscope.questions.groups import OfHeads, OfModel
from tests.battery.desk import Desk
from tests.nets.made import save_disan, save_pooled

ASKED = [name for name, verb in VERBS.items() if issubclass(verb.options, OfModel)]
BY_TEXT = {"maps", "show", "ablate", "prune", "finetune", "explain"}
"""Verbs that take heads which look from a whole text."""


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nets")
    save_disan(folder / "disan-50")
    save_pooled(folder / "pooled")
    return folder


def about(desk: Desk, *heads: int) -> dict[str, object]:
    """Options that choose these heads, where a verb has the choice; others have to be named."""
    numbers = {"layers": (0,), "heads": heads} if issubclass(desk.verb.options, OfHeads) else {}
    named = {name: [f"L0H{heads[0]}"] for name in ("head", "off") if name in desk.options}
    return numbers | named


@pytest.mark.parametrize("verb", ASKED)
def test_every_verb_answers_about_disan(desk: Desk, nets: Path) -> None:
    result = desk.result(model=nets / "disan-50", **about(desk, 2, 7))
    assert any(len(table) for table in result.tables.values())


@pytest.mark.parametrize("verb", ASKED)
def test_pooled_attention_is_taken_or_refused_by_its_unit(verb: str, desk: Desk, nets: Path) -> None:
    if verb in BY_TEXT:
        assert desk.result(model=nets / "pooled", **about(desk, 0)).tables
    else:
        with pytest.raises(ModelError, match="no head that looks from piece to piece"):
            desk.result(model=nets / "pooled", **about(desk, 0))
