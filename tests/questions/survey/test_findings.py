"""Sentences of a survey, from tables made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from headscope.questions.findings import findings_of
from tests.cli.conftest import written
from tests.questions.noise import asked, untrained, write
from tests.questions.told import told

LOCAL = "at least 60 % on the three tokens before and after"
LAYERS = {"stack": "encoder", "divergence within layers": 0.21, "across layers": 0.3, "map stress": 0.1}


def role(name: str, heads: int, best: str, score: float, rule: str) -> dict[str, Any]:
    """A role of a model with ten heads."""
    own = {"role": name, "heads": heads, "share": heads / 10, "best": best}
    return own | {"score": score, "uniform": 0.1, "rule": rule}


def share(head: str, target: str, share: float, se: float) -> dict[str, Any]:
    return {"head": head, "target": target, "share": share, "se": se, "uniform": 0.1}


PREVIOUS = role("previous token", 1, "L0H2", 0.96, "at least 50 % on the previous token")
SINKS = role("partly first-token sink", 4, "L1H1", 0.4, "at least 25 % on the first token, special or not")
BROAD = role("broad", 1, "L0H0", 0.9, "at least 80 % of the entropy of even attention")
MIXED = role("mixed", 4, "", float("nan"), "no rule holds")


def test_what_was_found() -> None:
    shares = [share("L0H2", "previous", 0.96, 0.01), share("L0H2", "next", 0.01, 0.01)]
    layers = [{**LAYERS, "p": 0.0001}]
    made = told("survey", roles=[PREVIOUS, SINKS, BROAD, MIXED], shares=shares, layers=layers)
    assert made == [
        ("Head L0H2 gives 96 % (94 to 98 %) of its attention to the previous token; even attention would "
         "give 10 %.", True, "L0H2"),
        ("The commonest role, that of 4 heads (40 %), is partly first-token sink: at least 25 % on the first "
         "token, special or not.", True, "L1H1"),
        ("In the encoder, heads of one layer are more alike than heads of different layers: divergence 0.21 "
         "nats within, 0.3 nats across (p = 0.0001).", True, None),
        ("1 head (10 %) spreads its attention almost evenly, which tells nothing of what it does: at least "
         "80 % of the entropy of even attention.", False, None),
        ("4 heads (40 %) fit none of the roles.", False, None),
    ]  # fmt: skip


def test_what_is_open() -> None:
    made = told("survey", roles=[BROAD, MIXED], shares=[], layers=[{**LAYERS, "p": 0.05}])
    assert [text for text, _, _ in made[:2]] == [
        "No head gives most of its attention to one place that a rule knows.",
        "Whether in the encoder heads of one layer are more alike than heads of different layers is open: "
        "divergence 0.21 nats within, 0.3 nats across (p = 0.05).",
    ]
    assert not any(decided for _, decided, _ in made)


def test_one_document_decides_nothing() -> None:
    made = told("survey", roles=[PREVIOUS], shares=[share("L0H2", "previous", 0.96, float("nan"))])
    assert made[0] == (
        "Head L0H2 gives 96 % of its attention to the previous token; even attention would give 10 %. Of "
        "fewer than 6 documents there is no interval, so how sure that is stays open; in a text file, blank "
        "lines part documents.",
        False,
        "L0H2",
    )
    assert made[1] == (
        "The commonest role, that of 1 head (10 %), is previous token: at least 50 % on the previous token. "
        "On other text this may be different.",
        False,
        "L0H2",
    )


def test_an_interval_that_reaches_even_attention_is_open() -> None:
    ((text, decided, _), *_) = told("survey", roles=[PREVIOUS], shares=[share("L0H2", "previous", 0.3, 0.11)])
    assert not decided and text == (
        "Head L0H2 gives 30 % (8 to 52 %) of its attention to the previous token; even attention would give "
        "10 %. The interval reaches down to that, so it stays open."
    )


def test_a_role_without_a_standard_error() -> None:
    others = [share("L0H2", "previous", 0.1, 0.01)]
    made = told("survey", roles=[role("local", 2, "L1H3", 0.7, LOCAL)], shares=others)
    assert made[0][0] == (
        "Head L1H3 gives 70 % of its attention to the three tokens before and after; even attention would "
        "give 10 %."
    )


def test_an_encoder_of_noise_decides_nothing(tmp_path: Path) -> None:
    text = write(tmp_path / "text.txt", written(20))
    result = asked("survey", model=untrained(tmp_path), text=text, pieces=32)
    made = findings_of(result)
    assert len(made) >= 3 and [one.text for one in made if one.decided] == []
