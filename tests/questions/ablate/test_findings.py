"""Sentences of ablate, from tables made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.questions.told import told


def effect(effect: float, verdict: str, p: float, **names: Any) -> dict[str, Any]:
    own = {"effect": effect, "low": effect - 0.004, "high": effect + 0.004, "worst": effect - 0.003}
    return {"loss_effect": 0.0} | names | own | {"p_adjusted": p, "verdict": verdict}


def layer(number: int, change: float, verdict: str, kept: str = "") -> dict[str, Any]:
    removed = "all but one" if kept else "all heads"
    return effect(change, verdict, 0.02, stack="encoder", layer=number, removed=removed, kept=kept)


def summary(**counts: int) -> list[dict[str, Any]]:
    verdicts = {"worse": 0, "undecided": 0, "harmless": 0, "better": 0} | counts
    base = {"data": "test.tsv", "metric": "F1", "examples": 1000, "score": 0.942}
    return [{**base, "heads": sum(verdicts.values()), **verdicts}]


def agreement(spearman: float, low: float) -> list[dict[str, Any]]:
    return [{"score": "example", "against": "loss", "spearman": spearman, "low": low, "high": 0.6}]


def test_what_was_found() -> None:
    heads = [
        effect(-0.0057, "worse", 0.001, head="L2H11"),
        effect(-0.02, "undecided", 0.2, head="L2H8"),
        effect(0.006, "better", 0.03, head="L0H0"),
    ]
    made = told(
        "ablate",
        ablation_summary=summary(worse=1, undecided=1, better=1),
        ablation=heads,
        ablation_layers=[
            layer(0, -0.048, "worse"),
            layer(1, 0.0, "harmless"),
            layer(0, 0.0, "harmless", "L0H3"),
        ],
        importance_agreement=agreement(0.4, 0.1),
    )
    assert made == [
        ("Of 3 heads removed one by one, 1 is missed, 1 is in the way and none is harmless; 1,000 examples "
         "do not settle the last one (F1 94 % with all heads).", True, None),
        ("Head L2H11 is missed most: without it, the score changes by -0.6 points (-1.0 to -0.2 points), p = "
         "0.001.", True, "L2H11"),
        ("Head L0H0 is in the way: without it, the score changes by +0.6 points (+0.2 to +1.0 points), p = "
         "0.03.", True, "L0H0"),
        ("Of whole layers, layer 0 of the encoder is missed most: without it, the score changes by -4.8 "
         "points (-5.2 to -4.4 points), p = 0.02.", True, None),
        ("Importance by gradients foretells which heads are missed: its rank correlation with the harm to "
         "the loss is 0.4 (0.1 to 0.6).", True, None),
    ]  # fmt: skip


def test_what_is_open() -> None:
    made = told(
        "ablate",
        ablation_summary=summary(undecided=2),
        ablation=[effect(-0.015, "undecided", 0.4, head="L5H1"), effect(0.0, "undecided", 1.0, head="L0H0")],
        ablation_layers=[layer(5, -0.01, "undecided"), layer(5, -0.001, "harmless", "L5H2")],
        importance_agreement=agreement(0.1, -0.11),
    )
    assert made == [
        ("Which heads the task needs is open: none of 2 heads could be decided over 1,000 examples (F1 94 "
         "% with all heads).", False, None),
        ("That any single head is missed is not shown; nearest to it is L5H1: without it, the score changes "
         "by -1.5 points (-1.9 to -1.1 points), p = 0.4.", False, "L5H1"),
        ("That any layer matters is not shown; the largest drop is that of layer 5 of the encoder: -1.0 "
         "points (-1.4 to -0.6 points), p = 0.02.", False, None),
        ("Whether importance by gradients foretells what removing heads does to the loss is open: its rank "
         "correlation with the harm to the loss is 0.1 (-0.11 to 0.6).", False, None),
        ("In layer 5 of the encoder, head L5H2 alone is enough: without the others, the score changes by "
         "-0.1 points (-0.5 to +0.3 points).", True, "L5H2"),
    ]  # fmt: skip


def test_where_no_head_lowers_the_score_the_loss_tells_which_is_nearest() -> None:
    heads = [
        effect(0.0, "undecided", 1.0, head=head, loss_effect=loss)
        for head, loss in (("L4H0", 0.001), ("L5H6", 0.0323), ("L5H9", -0.2))
    ]
    made = told(
        "ablate", ablation_summary=summary(undecided=3), ablation=heads, ablation_layers=[layer(0, 0.0, "")]
    )
    assert made[1] == (
        "That any single head is missed is not shown; nearest to it is L5H6: without it the loss rises by "
        "0.0323 nats, but the score does not fall.",
        False,
        "L5H6",
    )


def test_of_equal_effects_the_loss_tells_which_is_nearest() -> None:
    heads = [
        effect(-0.01, "undecided", 0.3, head="L0H0", loss_effect=-0.2),
        effect(-0.01, "undecided", 0.3, head="L5H6", loss_effect=0.4),
    ]
    made = told(
        "ablate", ablation_summary=summary(undecided=2), ablation=heads, ablation_layers=[layer(0, 0.0, "")]
    )
    assert made[1][2] == "L5H6"


@pytest.mark.parametrize("loss", [-0.2, float("nan")])
def test_where_nothing_falls_no_head_is_nearest(loss: float) -> None:
    heads = [effect(0.0, "undecided", 1.0, head="L4H0", loss_effect=loss)]
    made = told(
        "ablate", ablation_summary=summary(undecided=1), ablation=heads, ablation_layers=[layer(0, 0.0, "")]
    )
    assert made[1] == (
        "That any single head is missed is not shown: whichever one is removed, the score does not fall.",
        False,
        None,
    )


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"worse": 2, "undecided": 70}, "72 heads removed one by one, 2 are missed, none is in the way and "
         "none is harmless; 1,000 examples do not settle the other 70 (F1 94 % with all heads)."),
        ({"better": 1, "harmless": 3}, "4 heads removed one by one, none is missed, 1 is in the way and 3 "
         "are harmless, over 1,000 examples (F1 94 % with all heads)."),
    ],
)  # fmt: skip
def test_heads_are_counted(counts: dict[str, int], said: str) -> None:
    tables = {"ablation": [effect(0.0, "harmless", 1.0, head="L0H0")], "ablation_layers": [layer(0, 0.0, "")]}
    assert told("ablate", ablation_summary=summary(**counts), **tables)[0] == (f"Of {said}", True, None)


def test_an_interval_that_holds_nothing_off_is_not_told() -> None:
    """It holds for all heads at once and is wider than the test that decided."""
    wide = {"low": -0.173, "high": 0.023}
    made = told(
        "ablate",
        ablation_summary=summary(worse=1),
        ablation=[effect(-0.075, "worse", 0.00391, head="L5H9") | wide],
        ablation_layers=[layer(5, -0.075, "worse") | wide],
    )
    assert made[1:] == [
        ("Head L5H9 is missed most: without it, the score changes by -7.5 points, p = 0.00391 corrected for "
         "all heads.", True, "L5H9"),
        ("Of whole layers, layer 5 of the encoder is missed most: without it, the score changes by -7.5 "
         "points, p = 0.02 corrected for all layers.", True, None),
    ]  # fmt: skip


def test_importance_of_heads_of_which_none_is_missed() -> None:
    """What it foretells is the loss; a layer in the way does matter."""
    made = told(
        "ablate",
        ablation_summary=summary(undecided=1),
        ablation=[effect(0.0, "undecided", 1.0, head="L0H0")],
        ablation_layers=[layer(0, 0.01, "better")],
        importance_agreement=agreement(0.4, 0.1),
    )
    assert [text for text, _, _ in made[2:]] == [
        "That any layer is missed is not shown; nearest to it is layer 0 of the encoder: +1.0 points (+0.6 "
        "to +1.4 points), p = 0.02.",
        "Importance by gradients foretells what removing heads does to the loss: its rank correlation with "
        "the harm to the loss is 0.4 (0.1 to 0.6).",
    ]
