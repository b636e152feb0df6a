"""Nets of ours are models like others: each verb answers, or says in one sentence why it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.errors import ModelError, OptionError
from headscope.questions import VERBS
from headscope.questions.groups import OfHeads, OfModel
from tests.battery.desk import Desk
from tests.cli.labelled import write_tags
from tests.nets.made import save_causal, save_disan, save_pooled, save_tagger

BETWEEN_TEXTS = {"align"}
"""Verbs about heads that look from a text that is written to one that is read; no net here has any."""

OF_MODELS = [name for name, verb in VERBS.items() if issubclass(verb.options, OfModel)]
ASKED = [name for name in OF_MODELS if name not in BETWEEN_TEXTS]
BY_TEXT = {
    "maps",
    "show",
    "ablate",
    "prune",
    "finetune",
    "explain",
    "trust",
    "adversary",
    "layers",
    "sentences",
    "memory",
}
"""Verbs that take heads which look from a whole text, or read no heads."""

BY_LABEL = {"adversary"}
"""Verbs that need answers which can be learned from another model: of classifiers and taggers."""

LABELLED = ("data", "train", "other", "dev", "test")
"""Options that take data with answers."""

BY_WRITING = {"retrieve"}
"""Verbs that need a model which continues a text and keeps what it has read; none of our nets does."""

BY_TREE = {"layers", "sentences"}
"""Verbs whose data have labels of their own, whatever the model answers."""


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nets")
    for seed, later in enumerate(("", "-later")):
        save_disan(folder / f"disan-50{later}", seed=seed)
        save_causal(folder / f"causal{later}", seed=seed)
        save_pooled(folder / f"pooled{later}", seed=seed)
        save_tagger(folder / f"tagger{later}", seed=seed)
    write_tags(folder / "tags.iob", 24)
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


@pytest.mark.parametrize("verb", BETWEEN_TEXTS)
def test_nets_without_cross_attention_are_refused(desk: Desk, nets: Path) -> None:
    for net in ("disan-50", "causal", "pooled", "tagger"):
        with pytest.raises(ModelError, match=f"{net} has no cross-attention"):
            desk.result(model=nets / net)


@pytest.mark.parametrize("net", ["disan-50", "causal"])
@pytest.mark.parametrize("verb", ASKED)
def test_every_verb_answers_about_disan(desk: Desk, nets: Path, net: str) -> None:
    if net == "causal" and desk.verb.name in BY_LABEL:
        with pytest.raises(OptionError, match="classifiers and taggers are trained here"):
            desk.result(**about(desk, nets / net, 2, 7))
        return
    if desk.verb.name in BY_WRITING:
        with pytest.raises(ModelError, match="does not continue a text"):
            desk.result(**about(desk, nets / net, 2, 7))
        return
    result = desk.result(**about(desk, nets / net, 2, 7))
    assert any(len(table) for table in result.tables.values())


@pytest.mark.parametrize("verb", ASKED)
def test_pooled_attention_is_taken_or_refused_by_its_unit(verb: str, desk: Desk, nets: Path) -> None:
    if verb in BY_TEXT:
        assert desk.result(**about(desk, nets / "pooled", 0)).tables
    else:
        with pytest.raises(ModelError, match="no head that looks from piece to piece"):
            desk.result(**about(desk, nets / "pooled", 0))


@pytest.mark.parametrize("verb", ASKED)
def test_every_verb_answers_about_the_tagger(desk: Desk, nets: Path) -> None:
    labelled = () if desk.verb.name in BY_TREE else LABELLED
    tags = {name: nets / "tags.iob" for name in labelled if name in desk.options}
    if desk.verb.name in BY_WRITING:
        with pytest.raises(ModelError, match="does not continue a text"):
            desk.result(**about(desk, nets / "tagger", 0, 2), **tags)
        return
    result = desk.result(**about(desk, nets / "tagger", 0, 2), **tags)
    assert any(len(table) for table in result.tables.values())
