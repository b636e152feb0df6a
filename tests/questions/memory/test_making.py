"""What is drawn for nets and made for models: where phrases stand, what is asked, and what tells nothing."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.errors import OptionError
from headscope.questions.memory.making import LEAD, NOTHING, Vocabulary, classes_of
from headscope.questions.memory.options import Options
from headscope.questions.memory.texts import Behind, Texts
from headscope.questions.memory.words import ASKING, CARRIER, DOING, FILLERS, GROUPS, LEADS, PEOPLE, SENTENCES
from headscope.text.whole import spaced, whole


def vocabulary(**options: object) -> Vocabulary:
    return Vocabulary(classes_of(Options(model="gru", **options)))


def test_no_word_to_remember_is_a_filler() -> None:
    keys = [word for words in GROUPS.values() for word in words]
    told = {word.lower() for sentence in (*SENTENCES, *LEADS) for word in sentence.split()} | {
        *FILLERS,
        ASKING,
    }
    told |= {word.lower() for word in CARRIER}
    assert len(set(keys)) == len(keys) == 200 and not told & {*keys, *PEOPLE, *DOING}
    assert len(set(FILLERS)) == len(FILLERS) and ASKING not in FILLERS


def test_each_sequence_has_one_phrase_and_one_question() -> None:
    """The delay is what lies between them, from 4 to what was asked for, at every place that there is."""
    words = vocabulary(classes=5, words=10)
    drawn = words.training(np.random.default_rng(0), 500, room=9, most=9, classes=3)
    assert drawn.ids.shape == (500, 11)
    is_key = np.isin(drawn.ids, words.table)
    assert (is_key.sum(1) == 1).all() and ((drawn.ids == words.asking).sum(1) == 1).all()
    delays = drawn.asked - is_key.argmax(1)
    assert set(delays.tolist()) == set(range(4, 10)) and set(drawn.classes.tolist()) == {0, 1, 2}
    own = words.table[drawn.classes, :, 0]
    assert (own == drawn.ids[np.arange(500), is_key.argmax(1)][:, None]).any(1).all()
    assert (drawn.answers[np.arange(500), drawn.asked] == drawn.classes + 1).all()
    assert (np.sort(drawn.answers, 1)[:, :-1] == NOTHING).all()


def test_scored_sequences_end_with_the_question() -> None:
    words = vocabulary(classes=4, words=8, task="sentences")
    drawn = words.scored(np.random.default_rng(0), 40, delay=6)
    assert words.length == 5 and drawn.ids.shape == (40, LEAD + 5 + 6)
    assert (drawn.ids[:, -1] == words.asking).all() and (drawn.asked == LEAD + 5 + 5).all()
    assert np.bincount(drawn.classes).tolist() == [10] * 4


def test_a_statement_and_its_reverse_have_the_same_words() -> None:
    first, second, *_ = classes_of(Options(model="gru", classes=4, words=80, task="sentences"))
    assert len(first) == 20
    assert all(
        sorted(one) == sorted(other) and one != other for one, other in zip(first, second, strict=True)
    )


def test_many_classes_are_dealt_out() -> None:
    made = classes_of(Options(model="gru", classes=25, words=200))
    assert [len(own) for own in made] == [8] * 25 and len({phrase for own in made for phrase in own}) == 200


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"classes": 10, "words": 5}, "--classes 10: more classes than the 5 words"),
        ({"classes": 300}, "--classes 300: more classes than the 200 words"),
        ({"classes": 30, "task": "sentences"}, "in 20 ways"),
        ({"words": 500}, "there are 200 words"),
        ({"delays": (2, 8)}, "delays from 4 on"),
        ({"words": 25}, "--words 25 cannot be dealt out evenly to 10 classes; ask for 20"),
        ({"classes": 2, "words": 60, "task": "sentences"}, "there are 40 statements"),
        ({"tested": 5}, "--tested 5: ask for a sequence of each of the 10 classes"),
        ({"model": "all", "hidden": 6}, "4 heads of the transformer"),
        ({"twins": 3}, "--twins is an option of models to read, and not of gru"),
        ({"model": "default", "steps": 9}, "--steps is an option of nets to train, and not of default"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        Options(**{"model": "gru"} | options).check_together()


def test_units_stand_so_many_pieces_behind_the_word(wordpiece) -> None:
    texts = Texts.of(Options(model="default", classes=3, examples=10), 9)
    assert len(texts.documents) == 30 and np.bincount(texts.parts).tolist() == [6] * 5
    for document, own in zip(texts.documents, texts.classes, strict=True):
        place = int(document.id.rpartition(":")[2])
        assert document.surface(place) == list(GROUPS.values())[own][0]
        assert len(document.words) == place + 1 + 9
        segment = whole(spaced(document), wordpiece)
        (last,) = np.flatnonzero(segment.word == place)[-1:]
        found = Behind((1, 9, 400))(segment)
        assert found[:2].tolist() == [[last + 1, last + 2], [last + 9, last + 10]]
        assert found[2, 0] == found[2, 1], "behind the end there is nothing"


def test_texts_end_where_the_longest_delay_does(wordpiece) -> None:
    whole_texts = Texts.of(Options(model="default", classes=3, examples=8), 9)
    texts, longest = whole_texts.cut(wordpiece)
    sizes = [len(whole(spaced(document), wordpiece)) for document in texts.documents]
    assert longest == max(sizes) < max(len(whole(spaced(one), wordpiece)) for one in whole_texts.documents)
    for before, after in zip(whole_texts.documents, texts.documents, strict=True):
        units = [Behind((1, 9))(whole(spaced(one), wordpiece)).tolist() for one in (before, after)]
        assert units[0] == units[1] and before.id == after.id


def test_what_surrounds_a_word_does_not_depend_on_it() -> None:
    """The same texts with words of other classes in them."""
    one, other = (
        Texts.of(Options(model="default", classes=classes, examples=32 // classes), 9) for classes in (2, 4)
    )
    places = [int(document.id.rpartition(":")[2]) for document in one.documents]
    pairs = list(zip(one.documents, other.documents, places, strict=True))
    for first, second, place in pairs:
        assert first.surfaces()[:place] == second.surfaces()[:place]
        assert first.surfaces()[place + 1 :] == second.surfaces()[place + 1 :]
    assert (one.classes != other.classes).any()
