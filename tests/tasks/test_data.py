"""A task with its data, opened and read once."""

from __future__ import annotations

import pytest
import transformers as tf

from headscope.errors import InputError, OptionError
from headscope.tasks.data import Source, open_task
from headscope.text import Corpus, Document, read_labelled
from tests.tasks.scored import bert, gpt2, t5


@pytest.fixture(scope="module")
def classifier(tokenizers):
    return bert(tokenizers["wordpiece"], tf.BertForSequenceClassification)


def test_classification(classifier, tmp_path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("text\tlabel\nA fine day.\tgood\nWet!\tBAD\n")
    opened = open_task(classifier, path)
    assert (opened.task.name, opened.documents, opened.words) == ("classification", 2, 6)
    assert [one.label for one in opened.corpus] == ["good", "BAD"]
    first = open_task(classifier, path, limit=1)
    assert (first.documents, first.words) == (1, 4)
    again = open_task(classifier, read_labelled(path, tagged=False))
    assert again[2:] == opened[2:]


def test_a_label_at_the_end_is_found_before_any_work(classifier, tmp_path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("text\tlabel\n" + "A fine day.\tgood\n" * 50 + "Hm.\tfair\n")
    with pytest.raises(InputError, match=r"document 'a.tsv:52': the model does not know the label 'fair'"):
        open_task(classifier, path)
    assert open_task(classifier, path, limit=50).documents == 50


def test_pairs_by_task_or_by_column(classifier, tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("premise,hypothesis,label\nIt rains.,It is wet.,good\n")
    for source in (Source(task="pairs"), Source(column="premise", second="hypothesis")):
        opened = open_task(classifier, path, source)
        assert opened.task.name == "pairs"
        assert [one.second for one in opened.corpus] == ["It is wet."]
    lacking = Corpus("a", "memory", lambda: [Document("a", "It", ((0, 2),), label="good")])
    with pytest.raises(InputError, match=r"document 'a' has no second text"):
        open_task(classifier, lacking, Source(task="pairs"))


def test_tagging_reads_words_with_tags(tokenizers, tmp_path) -> None:
    model = bert(tokenizers["wordpiece"], tf.BertForTokenClassification, ("O", "B-NP"))
    path = tmp_path / "train.txt"
    path.write_text("Rain B-NP\nfell O\n\nToday O\n")
    opened = open_task(model, path)
    assert (opened.task.metric.name, opened.documents, opened.words) == ("F1", 2, 3)


def test_language_models_read_text(tokenizers) -> None:
    masked = bert(tokenizers["wordpiece"], tf.BertForMaskedLM)
    opened = open_task(masked, ["One text.", "Two."], masking=0.5, seed=3)
    assert (opened.task.name, opened.documents, opened.words) == ("masked", 2, 5)
    causal = gpt2(tokenizers["gpt2"], tf.GPT2LMHeadModel)
    assert open_task(causal, ["One text."]).task.name == "causal"


def test_translation_needs_targets(tokenizers, tmp_path) -> None:
    model = t5(tokenizers["unigram"])
    path = tmp_path / "a.csv"
    path.write_text("text,de\nOne.,Eins.\nTwo.,\n")
    with pytest.raises(InputError, match=r"document 'a.csv:3' has no target; name its column"):
        open_task(model, path, Source(target="de"))
    with pytest.raises(InputError, match=r"document 'a.csv:2' has no target; name its column"):
        open_task(model, path)
    opened = open_task(model, path, Source(metric="BLEU", target="de"), limit=1)
    assert opened.task.metric.name == "BLEU"


def test_columns_that_a_task_does_not_have(classifier, tokenizers) -> None:
    with pytest.raises(OptionError, match="--target names a column, but classification has no target"):
        open_task(classifier, "a.tsv", Source(target="de"))
    masked = bert(tokenizers["wordpiece"], tf.BertForMaskedLM)
    with pytest.raises(OptionError, match="--label names a column, but masked has no label"):
        open_task(masked, ["A"], Source(label="x"))
