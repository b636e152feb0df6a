"""The makers of tasks, each on sentences whose answer is worked out by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.questions.sentences.making import FROM_PHRASES, MAKERS
from headscope.questions.sentences.making.constituents import (
    bare,
    depth_of,
    phrases_of,
    top_constituents,
    top_of,
    tree_depths,
    unrelated,
)
from headscope.questions.sentences.making.examples import (
    SCORED,
    SHARES,
    TRAIN,
    TUNED,
    Example,
    Parts,
    Targeted,
    balanced,
    half_of_each_part,
    parted_by_target,
)
from headscope.questions.sentences.making.grammar import object_numbers, subject_numbers, tenses
from headscope.questions.sentences.making.inverted import clauses_of, coordination_inversions
from headscope.questions.sentences.making.odd import odd_men_out
from headscope.questions.sentences.making.shifted import bigram_shifts
from headscope.questions.sentences.making.surface import sentence_lengths, word_contents
from headscope.questions.sentences.published import TASKS
from headscope.text import Document
from tests.questions.sentences.made import draw, parsed, parts, phrased

FINITE = "VerbForm=Fin"


def plain(id: str, text: str) -> Document:
    """A sentence whose words all hang on the first one."""
    words = text.split()
    arcs = [f"{word}>{1 if place else 0}:{'dep' if place else 'root'}" for place, word in enumerate(words)]
    return parsed(id, " ".join(arcs))


def test_the_tasks_are_those_of_the_paper_in_its_order() -> None:
    assert tuple(MAKERS) == TASKS and set(FROM_PHRASES) < set(TASKS)


def test_parts_are_of_blocks_and_every_part_has_some() -> None:
    drawn = Parts.drawn((f"d{number}" for number in range(300)), seed=1)
    counts = Counter(drawn.of_block.values())
    assert {part: round(100 * share) for part, share in SHARES.items()} == {TRAIN: 72, TUNED: 8, SCORED: 20}
    assert counts[TUNED] == round(0.08 * len(drawn.of_block)) and counts[SCORED] == round(
        0.2 * len(drawn.of_block)
    )
    assert set(Parts.drawn(("a", "b", "c"), seed=0).of_block.values()) == set(SHARES)
    with pytest.raises(InputError, match="documents of 1 blocks"):
        Parts.drawn(("a", "a"), seed=0)


def test_a_form_is_a_target_in_one_part_alone_and_labels_are_balanced() -> None:
    examples = [
        Targeted((form, str(number)), label, f"d{number}", form)
        for label, forms in (("A", "abcdefgh"), ("B", "qrstuvw"))
        for form in forms
        for number in range(10)
    ]
    made = parted_by_target(examples, draw())
    homes = {form: {one.split for one in made if one.words[0] == form} for form in "abcdefghqrstuvw"}
    assert all(len(home) <= 1 for home in homes.values())
    counts = Counter((one.split, one.label) for one in made)
    assert all(counts[part, "A"] == counts[part, "B"] > 0 for part in SHARES)


def test_balancing_keeps_as_many_of_each_label_as_the_rarest_has() -> None:
    examples = [Example((str(one),), "ab"[one < 2], "d", TRAIN) for one in range(7)]
    made = balanced(examples, draw())
    assert Counter(one.label for one in made) == {"a": 2, "b": 2}
    assert [one.words[0] for one in made] == sorted(one.words[0] for one in made)


def test_half_of_each_part_is_chosen() -> None:
    names = [f"d{number}" for number in range(200)]
    chosen = half_of_each_part(names, parts((), tune=tuple(names[:40])), draw())
    own = parts((), tune=tuple(names[:40]))
    splits = np.array([own.of(name) for name in names])
    for part in (TRAIN, TUNED):
        assert chosen[splits == part].sum() == (splits == part).sum() // 2


def test_lengths_fall_into_bins_with_both_ends() -> None:
    sizes = (4, 5, 8, 9, 20, 21, 25, 26, 28, 29)
    made = sentence_lengths([plain("d", "w " * size) for size in sizes], parts(()), draw())
    assert [(len(one.words), one.label) for one in made] == [
        (5, "5-8"), (8, "5-8"), (9, "9-12"), (20, "17-20"), (21, "21-25"), (25, "21-25"), (26, "26-28"),
        (28, "26-28"),
    ]  # fmt: skip


def test_word_content_has_one_target_once(monkeypatch: pytest.MonkeyPatch) -> None:
    surface = "headscope.questions.sentences.making.surface"
    monkeypatch.setattr(f"{surface}.SKIPPED", 1)
    monkeypatch.setattr(f"{surface}.SENTENCES", 2)
    texts = [
        "this Ship sails", "this ship sank", "this night falls", "this night fell", "this ship night",
        "this ship ship", "this rare",
    ]  # fmt: skip
    made = word_contents([plain("d", text) for text in texts], parts(()), draw())
    assert [(" ".join(one.words), one.label) for one in made] == [
        ("this Ship sails", "ship"), ("this ship sank", "ship"), ("this night falls", "night"),
        ("this night fell", "night"),
    ]  # fmt: skip


def test_the_tense_is_that_of_the_finite_verb_of_the_main_clause() -> None:
    """Of the root, or of its auxiliary; that of a clause below does not count, nor a root that is no verb."""
    past, present = f"Tense=Past|{FINITE}", f"Tense=Pres|{FINITE}"
    written = [
        f"She/PRON>2:nsubj came/VERB/{past}>0:root",
        f"She/PRON>3:nsubj has/AUX/{present}>3:aux come/VERB/Tense=Past|VerbForm=Part>0:root",
        f"Go/VERB/VerbForm=Imp>0:root where/ADV>4:advmod he/PRON>4:nsubj went/VERB/{past}>1:ccomp",
        f"Home/NOUN>0:root is/AUX/{present}>1:cop",
    ]
    made = tenses([parsed("d", one) for one in written], parts(()), draw())
    assert sorted((one.words[-1], one.label) for one in made) == [("came", "PAST"), ("come", "PRES")]


def test_numbers_are_of_one_common_noun_of_the_main_clause() -> None:
    written = [
        "Dogs/NOUN/Number=Plur>2:nsubj see/VERB>0:root cats/NOUN/Number=Plur>2:obj",
        "Rain/NOUN/Number=Sing>2:nsubj hits/VERB>0:root roofs/NOUN/Number=Ptan>2:obj",
        "Ann/PROPN/Number=Sing>2:nsubj saw/VERB>0:root ice/NOUN/Number=Sing>2:obj",
        "They/PRON>2:nsubj say/VERB>0:root cats/NOUN/Number=Plur>4:nsubj sleep/VERB>2:ccomp",
        "Police/NOUN/Number=Ptan>2:nsubj need/VERB>0:root sleep/VERB>2:xcomp",
        "Mail/NOUN/Number=Coll>2:nsubj helps/VERB>0:root sleep/VERB>2:xcomp",
        "Give/VERB>0:root milk/NOUN/Number=Sing>1:obj bread/NOUN/Number=Sing>1:obj",
    ]
    sentences = [parsed("d", one) for one in written]
    subjects = subject_numbers(sentences, parts(()), draw())
    assert sorted((one.words[0], one.label) for one in subjects) == [
        ("Dogs", "NNS"), ("Mail", "NN"), ("Police", "NNS"), ("Rain", "NN"),
    ]  # fmt: skip
    objects = Counter(one.label for one in object_numbers(sentences, parts(()), draw()))
    assert objects == {"NN": 1, "NNS": 1}


def test_two_neighbours_change_places_but_not_the_first_word_or_punctuation() -> None:
    names = [f"d{number}" for number in range(40)]
    sentences = [plain(name, "so we left early , then") for name in names]
    sentences += [plain("q", 'he said " no " then'), plain("r", "we , we , we")]
    made = bigram_shifts(sentences, parts(()), draw())
    assert len(made) == 40 and Counter(one.label for one in made) == {"I": 20, "O": 20}
    shifted = {" ".join(one.words) for one in made if one.label == "I"}
    assert shifted == {"so left we early , then", "so we early left , then"}
    assert {" ".join(one.words) for one in made if one.label == "O"} == {"so we left early , then"}


COORDINATED = (
    "We/PRON>2:nsubj ran/VERB>0:root fast/ADV>2:advmod ,/PUNCT>7:punct but/CCONJ>7:cc they/PRON>7:nsubj "
    "stayed/VERB>2:conj ./PUNCT>2:punct"
)


def test_clauses_around_a_conjunction() -> None:
    clauses = clauses_of(parsed("d", COORDINATED))
    assert clauses is not None
    assert (clauses.first, clauses.between) == (("We", "ran", "fast"), (",", "but"))
    assert (clauses.second, clauses.end) == (("they", "stayed"), (".",))
    assert " ".join(clauses.inverted(False)) == "They stayed , but we ran fast ."
    assert " ".join(clauses.inverted(True)) == "They stayed , but We ran fast ."


def test_capitals_do_not_tell_what_was_inverted() -> None:
    """A sentence that begins with a small letter begins so in either order."""
    clauses = clauses_of(parsed("d", COORDINATED.replace("We/", "we/").replace("they/", "They/")))
    assert clauses is not None
    for keeps_capital in (False, True):
        assert " ".join(clauses.inverted(keeps_capital)) == "They stayed , but we ran fast ."
    small = [parsed(f"d{number}", COORDINATED.replace("We/", "we/")) for number in range(6)]
    made = coordination_inversions(small, parts(()), draw())
    assert {one.label for one in made} == {"I", "O"} and all(one.words[0].islower() for one in made)


@pytest.mark.parametrize(
    "written",
    [
        COORDINATED.replace("they/PRON>7:nsubj", "they/PRON>7:obj"),  # no clause of its own
        COORDINATED.replace("We/PRON", "And/CCONJ"),  # a second conjunction
        COORDINATED.replace("2:conj", "2:parataxis"),
        COORDINATED.replace("fast/ADV>2", "fast/ADV>7"),  # a word of the second clause before it
        COORDINATED.replace("ran", '"'),
    ],
)
def test_what_is_no_pair_of_clauses(written: str) -> None:
    assert clauses_of(parsed("d", written)) is None


def test_as_many_are_inverted_of_each_kind_of_pair() -> None:
    shorter = COORDINATED.replace("fast/ADV>2:advmod ,", ",").replace(">7", ">6")
    shorter = shorter.replace("./PUNCT>2", "./PUNCT>2")
    sentences = [parsed(f"d{number}", COORDINATED) for number in range(6)]
    sentences += [parsed(f"e{number}", shorter) for number in range(4)]
    made = coordination_inversions(sentences, parts(()), draw())
    kinds = Counter((len(one.words), one.label) for one in made)
    assert kinds == {(8, "I"): 3, (8, "O"): 3, (7, "I"): 2, (7, "O"): 2}


def test_a_word_is_exchanged_for_one_of_its_form_and_frequency() -> None:
    """cats and dogs are as frequent; birds is rarer than LEAST; mice too frequent to stand for cats."""
    nouns = ["cats"] * 4 + ["dogs"] * 4 + ["birds"] * 2 + ["mice"] * 9
    sentences = [
        parsed(f"d{number}", f"We/PRON>2:nsubj saw/VERB>0:root {noun.capitalize()}/NOUN/Number=Plur>2:obj")
        for number, noun in enumerate(nouns)
    ]
    everywhere = [odd_men_out(sentences, parts(()), draw(seed)) for seed in range(30)]
    for made in everywhere:
        labels = Counter(one.label for one in made)
        assert labels["C"] == sum(labels.values()) // 2
        assert all(one.words[:2] == ("We", "saw") for one in made)
        assert {one.words[2] for one in made if one.label == "C"} <= {"Cats", "Dogs"}
    assert any(one.label == "C" for made in everywhere for one in made)


def test_a_replacement_serves_one_part_alone() -> None:
    names = [f"d{number}" for number in range(120)]
    sentences = [
        parsed(name, f"We/PRON>2:nsubj saw/VERB>0:root n{'abcdefghij'[place % 10]}/NOUN>2:obj")
        for place, name in enumerate(names)
    ]
    own = parts((), tune=tuple(names[::3]), score=tuple(names[1::3]))
    made = odd_men_out(sentences, own, draw())
    homes = [{one.words[2] for one in made if one.label == "C" and one.split == part} for part in SHARES]
    assert all(not (one & other) for one in homes for other in homes if one is not other)


DOG = ("The/DT dog/NN barks/VBZ at/IN us/PRP ./.", "S 0 6", "NP-SBJ 0 2", "VP 2 5", "PP 3 5", "NP 4 5")


def test_depth_counts_phrases_and_the_tag() -> None:
    """S, VP, PP, NP and the tag PRP; of phrases over the same words each counts."""
    sentence = phrased("d", *DOG)
    assert depth_of(phrases_of(sentence)) == 5
    (made,) = tree_depths([sentence], parts(()), draw())
    assert made.label == "5"
    alone = phrased("d", "Go/VB !/.", "S+VP 0 1")
    assert depth_of(phrases_of(alone)) == 3 and depth_of([]) == 1
    assert tree_depths([alone], parts(()), draw()) == []


def test_top_constituents() -> None:
    sentence = phrased("d", *DOG)
    assert top_of(phrases_of(sentence), sentence.tags or ()) == ("NP", "VP", ".")
    comma = phrased("d", "Well/UH ,/, go/VB ./.", "S 0 4", "INTJ 0 1", "VP 2 3")
    unended = phrased("d", "dogs/NNS bark/VBP", "S 0 2", "NP 0 1", "VP 1 2")
    assert top_of(phrases_of(comma), comma.tags or ()) == ("INTJ", ",", "VP", ".")
    chain = phrased("d", "Go/VB !/.", "S+VP-X 0 1")
    assert top_of(phrases_of(chain), chain.tags or ()) == ("VP",) and top_of([], ()) == ()
    made = top_constituents([sentence, comma, unended, chain], parts(()), draw())
    assert [one.label for one in made] == ["NP_VP_."]
    assert [bare(label) for label in ("NP-SBJ", "NP=2", "-NONE-", "VP")] == ["NP", "NP", "-NONE-", "VP"]


def test_rare_sequences_are_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headscope.questions.sentences.making.constituents.CLASSES", 2)
    rare = phrased("d", "Go/VB !/.", "S 0 2", "VP 0 1")
    made = top_constituents([phrased("d", *DOG), phrased("e", *DOG), rare], parts(()), draw())
    assert [one.label for one in made] == ["NP_VP_.", "NP_VP_.", "OTHER"]


def test_depth_is_less_related_to_length_afterwards() -> None:
    random = np.random.default_rng(0)
    lengths = random.integers(5, 29, 4000).astype(float)
    depths = np.clip(np.round(4 + lengths / 4 + random.normal(0, 1.5, 4000)), 5, 12)
    kept = unrelated(lengths, depths, draw())
    before, after = (np.corrcoef(lengths[own], depths[own])[0, 1] for own in (depths > 0, kept))
    assert before > 0.6 and abs(after) < before / 2 and 200 < kept.sum() < 4000
