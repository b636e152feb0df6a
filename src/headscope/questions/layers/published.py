"""What was published, to stand beside what is measured."""

from __future__ import annotations

from typing import NamedTuple

TENNEY, PARETO = "Tenney et al. 2019", "Pimentel et al. 2020"
MDL = "Voita and Titov 2020"
EXPECTED, GRAVITY, SCORE = "expected layer", "center of gravity", "score"


class Number(NamedTuple):
    """value: of a measure of a task. about: the model, its layers and the data."""

    task: str
    measure: str
    value: float
    source: str
    about: str


_BASE, _LARGE = "BERT-base, 12 layers, OntoNotes or EWT, tuning split", "BERT-large, 24 layers, the same"
_TAGS = {"pos": ", 48 tags of the Penn Treebank"}
_MLP = "probe with hidden layers, EWT test"
_LINEAR = "linear probe, EWT test"

PUBLISHED = (
    *(
        Number(task, EXPECTED, value, TENNEY, _BASE + _TAGS.get(task, ""))
        for task, value in {
            "pos": 1.76,
            "constituents": 2.38,
            "deps": 2.52,
            "entities": 2.42,
            "srl": 2.59,
            "coref": 3.62,
        }.items()
    ),
    *(
        Number(task, EXPECTED, value, TENNEY, _LARGE + _TAGS.get(task, ""))
        for task, value in {
            "pos": 3.39,
            "constituents": 3.79,
            "deps": 5.69,
            "entities": 4.64,
            "srl": 6.54,
            "coref": 9.47,
        }.items()
    ),
    *(
        Number(task, GRAVITY, value, TENNEY, _BASE)
        for task, value in {"constituents": 6.01, "deps": 6.55, "entities": 6.86, "coref": 7.96}.items()
    ),
    *(
        Number(task, GRAVITY, value, TENNEY, _LARGE + _TAGS.get(task, ""))
        for task, value in {
            "pos": 11.68,
            "constituents": 13.06,
            "deps": 13.75,
            "entities": 13.16,
            "srl": 13.63,
            "coref": 15.80,
        }.items()
    ),
    *(
        Number(task, SCORE, value, TENNEY, f"{_BASE}, all layers" + _TAGS.get(task, ""))
        for task, value in {
            "pos": 0.965,
            "constituents": 0.872,
            "deps": 0.952,
            "entities": 0.960,
            "srl": 0.911,
            "coref": 0.902,
        }.items()
    ),
    *(
        Number(task, SCORE, value, PARETO, f"{model}, {probe}")
        for model, probe, pos, deps in (
            ("ALBERT", _LINEAR, 0.958, 0.924),
            ("ALBERT", _MLP, 0.965, 0.935),
            ("BERT", _LINEAR, 0.939, 0.913),
            ("BERT", _MLP, 0.956, 0.926),
            ("RoBERTa", _LINEAR, 0.942, 0.911),
            ("RoBERTa", _MLP, 0.953, 0.923),
            ("fastText", _LINEAR, 0.889, 0.756),
            ("fastText", _MLP, 0.906, 0.796),
            ("random vectors", _LINEAR, 0.647, 0.576),
            ("random vectors", _MLP, 0.855, 0.707),
        )
        for task, value in (("pos", pos), ("deps", deps))
    ),
    Number("xpos", "code, as printed", 96.02, MDL, "ELMo layer 1, Penn Treebank: bits and nats added up"),
    Number("xpos", "code, kbit", 136.4, MDL, "the same, all in bits"),
    Number("xpos", "compression, as printed", 53.06, MDL, "ELMo layer 1, Penn Treebank: mixed units"),
    Number("xpos", "compression", 37.35, MDL, "the same, all in bits"),
)
