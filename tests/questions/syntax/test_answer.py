"""The answer of syntax: its numbers on the same data by brute force, what it refuses, and what it tells."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from headscope import syntax
from headscope.errors import InputError, OptionError
from headscope.models import Model
from headscope.questions.syntax.relations import ALL
from headscope.results.result import Result
from headscope.text import Document, Segment, Sentences
from tests.stops import Stop
from tests.tree_counts import brute_force
from tests.trees import corpus, document, treebank

DOCUMENTS = treebank(24, seed=2)
RELATIONS = ("advmod", "amod", "det", "nsubj", "obj")


@pytest.fixture(scope="module")
def result(bert: Model) -> Result:
    return syntax(bert, corpus(*DOCUMENTS), twins=2, least=10, batch_size=7)


@pytest.fixture(scope="module")
def by_hand(bert: Model) -> dict[str, Counter[tuple[str, str, str]]]:
    """For every head, what the model's own attentions say, sentence by sentence and word by word."""
    module = bert.module.base_model
    before = module.config._attn_implementation
    module.set_attn_implementation("eager")
    found: dict[str, Counter[tuple[str, str, str]]] = {}
    for one in DOCUMENTS:
        for text in Sentences()(one, bert.tokenizer, 64):
            assert isinstance(text, Segment)
            with torch.no_grad():
                maps = module(input_ids=torch.tensor(text.pieces)[None], output_attentions=True).attentions
            for layer, heads in enumerate(maps):
                for head, weights in enumerate(heads[0].double().numpy()):
                    counts = found.setdefault(f"L{layer}H{head}", Counter())
                    counts += brute_force(text, weights, RELATIONS)
    module.set_attn_implementation(before)
    return found


def test_every_head_relation_and_reading(result: Result, by_hand) -> None:
    table = result.table("head_relations").set_index(["head", "relation", "reading"])
    assert len(table) == 8 * (len(RELATIONS) + 1) * 3
    for (head, relation, reading), row in table.iterrows():
        names = RELATIONS if relation == ALL else (relation,)
        right, count = (
            sum(by_hand[head][what, name, reading] for name in names) for what in ("right", "count")
        )
        assert row["count"] == count > 0
        assert row["accuracy"] == pytest.approx(right / count)


def test_the_best_head_on_the_same_data(result: Result, by_hand) -> None:
    table = result.table("relations").set_index("relation")
    for relation in RELATIONS:
        scores = {
            (head, reading): counts["right", relation, reading]
            for reading in ("dep->head", "head<-dep")
            for head, counts in by_hand.items()
        }
        row = table.loc[relation]
        assert row["words"] == by_hand["L0H0"]["count", relation, "dep->head"]
        assert row["same_data_accuracy"] == pytest.approx(max(scores.values()) / row["words"])
        best = row["same_data_head"], row["same_data_reading"]
        assert scores[best] == max(scores.values())
        # cross-fitted, the same candidates can do no better
        assert row["accuracy"] <= row["same_data_accuracy"] + 1e-12


def test_offsets_by_hand(result: Result) -> None:
    """Each noun of the treebank stands some words behind its article; the best offset is the commonest."""
    apart: Counter[int] = Counter()
    for one in DOCUMENTS:
        for word, relation in enumerate(one.dependencies.relations):
            if relation == "det":
                apart[int(one.dependencies.heads[word]) - word] += 1
    row = result.table("relations").set_index("relation").loc["det"]
    ((offset, words),) = apart.most_common(1)
    assert row["same_data_offset"] == offset
    assert row["same_data_offset_accuracy"] == pytest.approx(words / sum(apart.values()))


def test_twins_stand_beside(result: Result, bert: Model) -> None:
    table = result.table("relations")
    assert table["twin"].notna().all() and (table["twin"] <= table["twin_high"]).all()
    alone = syntax(bert, corpus(*DOCUMENTS), twins=0, least=10).table("relations")
    assert alone["twin"].isna().all()
    assert np.array_equal(alone["accuracy"], table["accuracy"])


def test_a_head_stays_found_only_without_an_equal_twin(result: Result) -> None:
    table = result.table("relations")
    expected = (table["p_holm"] < 0.05) & (table["twin_high"] < table["accuracy"])
    assert table["found"].tolist() == expected.tolist()


def test_notes_count_sentences_documents_and_words(result: Result) -> None:
    words = sum(len(one.words) for one in DOCUMENTS)
    sentences = sum(int(one.dependencies.sentences[-1]) + 1 for one in DOCUMENTS)
    scored = result.table("relations").set_index("relation").loc[ALL, "words"]
    assert result.notes[0] == (
        f"{sentences:,} sentences of 24 documents; {scored:,} of {words:,} words are scored: "
        "roots and punctuation are left out"
    )
    assert scored == words - 2 * sentences, "each has one root and one full stop"


def test_a_batch_may_hold_nothing_to_score(bert: Model) -> None:
    roots = [document(f"r{number}", "ship>0:root", ".>2:punct ship>0:root") for number in range(6)]
    mixed = syntax(bert, corpus(*roots, *DOCUMENTS), twins=0, least=10, batch_size=1)
    plain = syntax(bert, corpus(*DOCUMENTS), twins=0, least=10)
    assert mixed.table("relations")["words"].tolist() == plain.table("relations")["words"].tolist()
    assert "of 30 documents" in mixed.notes[0]


@pytest.mark.parametrize("stops", [(2, 5, 3)])
def test_a_stopped_run_goes_on_to_the_same_bits(bert: Model, tmp_path: Path, stops: tuple[int, ...]) -> None:
    """Eight shards of the model and eight of its twin, stopped in either or in both."""
    asked = {"twins": 1, "least": 10, "batch_size": 9, "plots": False, "shard_characters": 300}
    whole = syntax(bert, corpus(*DOCUMENTS), **asked)
    for after in stops:
        with pytest.raises(KeyboardInterrupt):
            syntax(bert, corpus(*DOCUMENTS), out=tmp_path / "run", progress=Stop(after), **asked)
    found = syntax(bert, corpus(*DOCUMENTS), out=tmp_path / "run", **asked)
    for name, table in whole.tables.items():
        pd.testing.assert_frame_equal(found.table(name), table, check_exact=True)
    for name, array in whole.arrays["relations"].data_vars.items():
        assert np.array_equal(found.arrays["relations"][name], array, equal_nan=True)


def test_twins_are_drawn_from_the_seed_on(bert: Model) -> None:
    def twin(seed: int, twins: int) -> np.ndarray:
        found = syntax(bert, corpus(*DOCUMENTS), twins=twins, least=10, seed=seed)
        return found.table("relations")["twin"].to_numpy()

    both = twin(3, 2)
    assert np.allclose(both, (twin(3, 1) + twin(4, 1)) / 2) and not np.allclose(both, twin(3, 1))


def linked(heads: list[int], sentences: list[int]) -> Document:
    """A document whose tree links two sentences, which no file can hold but a program can build."""
    plain = document("linked", " ".join(["ship>0:root"] * len(heads)))
    tree = replace(
        plain.dependencies,
        heads=np.array(heads),
        sentences=np.array(sentences),
        relations=("obj",) * len(heads),
    )
    return replace(plain, dependencies=tree)


def test_links_between_sentences_are_skipped_and_told(bert: Model) -> None:
    result = syntax(bert, corpus(linked([1, -1], [0, 1]), *DOCUMENTS), twins=0, batch_size=1)
    assert "1 words are skipped: the word's head is in another sentence" in result.notes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"twins": -1}, "--twins must be at least 0, not -1"),
        ({"least": 0}, "--least must be at least 1, not 0"),
        ({"reach": 0}, "--reach must be at least 1, not 0"),
        ({"seed": -3}, "--seed must be at least 0 and below 4,294,967,296, not -3"),
        ({"layers": (2,)}, "no layer 2: the model has layers 0 to 1"),
        ({"heads": ()}, "no head chosen"),
    ],
)
def test_options_that_do_not_fit(bert: Model, options: dict, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        syntax(bert, corpus(*DOCUMENTS), **options)


def test_texts_that_cannot_be_scored(bert: Model) -> None:
    with pytest.raises(InputError, match="document '#0' has no trees; give a treebank"):
        syntax(bert, ["A ship passed by."])
    with pytest.raises(InputError, match="no relation to score: all its words are roots or punctuation"):
        syntax(bert, corpus(document("d", "Ships>0:root .>1:punct")))
    with pytest.raises(InputError, match="called 'all', as their sum is here; rename it"):
        syntax(bert, corpus(document("d", "old>2:all ships>0:root")))
    with pytest.raises(InputError, match="called 'all'"):
        syntax(bert, corpus(document("d", "old>2:all:x ships>0:root")), subtypes=False)
    with pytest.raises(
        InputError, match=r"no segment: [0-9]+ words are skipped, in a sentence of more than 3"
    ):
        syntax(bert, corpus(*DOCUMENTS), pieces=3)
