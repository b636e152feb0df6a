"""Labels of the data as outputs of the model."""

from __future__ import annotations

from dataclasses import replace

import pytest
import transformers as tf

from headscope.errors import InputError
from headscope.tasks.labels import Labels
from headscope.text import Document

TEXT = Document.from_text("reviews.tsv:7", "Too long by half.")


def test_as_written_then_in_any_case() -> None:
    labels = Labels(["Neg", "neg", "POS"])
    assert [labels.find(name) for name in ("Neg", "neg", "POS", "pos")] == [0, 1, 2, 2]
    assert labels.find("NEG") is None, "two labels differ from it in case alone"


def test_numbers_where_the_model_has_no_names() -> None:
    generic = Labels(["LABEL_0", "LABEL_1", "LABEL_2"])
    assert [generic.find(name) for name in ("2", "LABEL_1", "label_0", "3", "-1", "2.0")] == [
        2, 1, 0, None, None, None,
    ]  # fmt: skip
    assert Labels(["negative", "positive"]).find("1") is None, "which is which is not for us to guess"
    assert Labels(["1", "0"]).find("0") == 1, "a model's own numbers come first"


def test_of_a_configuration() -> None:
    assert Labels.of(tf.BertConfig(num_labels=3)).names == ("LABEL_0", "LABEL_1", "LABEL_2")
    both = tf.BertConfig(id2label={0: "no", 1: "yes"}, label2id={"no": 0, "yes": 1})
    assert Labels.of(both).names == ("no", "yes")
    half = tf.BertConfig(id2label={1: "yes", 0: "no"})
    assert Labels.of(half).names == ("no", "yes")
    half.label2id = {"LABEL_0": 0, "LABEL_1": 1}
    assert Labels.of(half).names == ("no", "yes"), "what says nothing does not hide names"
    swapped = tf.BertConfig(id2label={0: "no", 1: "yes"}, label2id={"yes": 0, "no": 1})
    assert Labels.of(swapped).names == ("yes", "no"), "label2id decides"


def test_an_unknown_label_names_its_line_and_the_model_s_labels() -> None:
    problem = (
        r"document 'reviews.tsv:7': the model does not know the label 'meh'; its labels are bad, good\. "
        r"Write one of these in the data"
    )
    with pytest.raises(InputError, match=problem):
        Labels(["bad", "good"]).of_text(replace(TEXT, label="meh"))
    with pytest.raises(InputError, match=r"'reviews.tsv:7' has no label; name its column \(--label\)"):
        Labels(["bad", "good"]).of_text(TEXT)


def test_an_unknown_tag_names_its_word() -> None:
    labels = Labels(["O", "B-NP"])
    tagged = replace(TEXT, tags=("O", "B-NP", "B-VP", "O", "O"))
    with pytest.raises(InputError, match=r"'reviews.tsv:7', word 3 \('by'\): .* label 'B-VP'"):
        labels.of_words(tagged)
    with pytest.raises(InputError, match=r"'reviews.tsv:7' has no tags"):
        labels.of_words(TEXT)


def test_many_labels_are_not_all_told() -> None:
    with pytest.raises(InputError, match=r"a19, \.\.\.\. Write"):
        Labels(f"a{number}" for number in range(99)).of_text(replace(TEXT, label="b"))


def test_further_labels_have_numbers_but_no_output() -> None:
    labels = Labels(["O", "B-NP"], ["I-NP"])
    assert labels.find("I-NP") == 2 and labels.names == ("O", "B-NP")
