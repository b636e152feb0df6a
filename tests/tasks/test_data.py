"""A task with its data, opened and read once."""

from __future__ import annotations

import pytest
import transformers as tf

from headscope.errors import InputError, OptionError
from headscope.models import load
from headscope.tasks.data import Source, open_task
from headscope.tasks.purposes import remember_training
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


PAIR = "idx,{},{},label\n1,It rains.,It is wet.,good\n"


@pytest.mark.parametrize(
    "columns",
    [("premise", "hypothesis"), ("sentence1", "sentence2"), ("Question", "Answer"), ("text", "text2"),
     ("question", "sentence"), ("first", "second")],
)  # fmt: skip
def test_columns_that_belong_together_are_a_pair(classifier, tmp_path, columns) -> None:
    path = tmp_path / "a.csv"
    path.write_text(PAIR.format(*columns))
    opened = open_task(classifier, path)
    assert opened.task.name == "pairs"
    assert [(one.text, one.second) for one in opened.corpus] == [("It rains.", "It is wet.")]
    first, second = columns
    told = f"texts from column '{first}', second texts from '{second}', labels from 'label'"
    assert opened.corpus.notes == [f"a.csv: {told}"]
    alone = open_task(classifier, path, Source(task="classification", column=first))
    assert alone.task.name == "classification" and [one.second for one in alone.corpus] == [None]
    assert alone.corpus.notes == [f"a.csv: texts from column '{first}', labels from 'label'"]


@pytest.mark.parametrize("second", ["hypothesis", "second", "Answer"])
def test_a_column_that_may_be_a_second_text_is_asked_about(classifier, tmp_path, second: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(PAIR.format("text", second))
    problem = (
        rf"a\.csv:1: column '{second}' looks like a second text beside 'text'; .* --second {second} reads "
    )
    with pytest.raises(InputError, match=problem):
        open_task(classifier, path)
    assert open_task(classifier, path, Source(second=second)).task.name == "pairs"
    assert open_task(classifier, path, Source(task="classification")).task.name == "classification"


def test_documents_with_a_second_text_are_pairs(classifier) -> None:
    documents = [Document("a", "It", ((0, 2),), label="good", second="He")]
    assert open_task(classifier, Corpus("a", "memory", lambda: documents)).task.name == "pairs"


@pytest.mark.parametrize("task", ["classification", "pairs"])
def test_what_a_model_was_fine_tuned_on_decides(tokenizers, tmp_path, task: str) -> None:
    model = bert(tokenizers["wordpiece"], tf.BertForSequenceClassification)
    remember_training(model, task)
    model.module.save_pretrained(tmp_path / "model")
    tokenizers["wordpiece"].save_pretrained(tmp_path / "model")
    model = load(tmp_path / "model")
    pairs, single = tmp_path / "pairs.csv", tmp_path / "single.csv"
    pairs.write_text(PAIR.format("text", "text2"))
    single.write_text("text,label\nIt rains.,good\n")
    opened = open_task(model, pairs)
    assert opened.task.name == task
    assert [one.second for one in opened.corpus] == [None if task == "classification" else "It is wet."]
    assert open_task(model, pairs, Source(second="text2")).task.name == "pairs", (
        "what is asked for goes first"
    )
    if task == "pairs":
        with pytest.raises(
            InputError, match=r"single\.csv:1: no column called sentence2 or text2 .* name the second"
        ):
            open_task(model, single)
    else:
        assert open_task(model, single).documents == 1


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
    with pytest.raises(InputError, match=r"a.csv:3: 'de' is empty; every row needs a target"):
        open_task(model, path, Source(target="de"))
    with pytest.raises(InputError, match=r"a.csv:3: 'de' is empty; every row needs a target"):
        open_task(model, path)  # the other one of two columns
    (tmp_path / "b.csv").write_text("text,de,fr\nOne.,Eins.,Un.\n")
    with pytest.raises(InputError, match=r"document 'b.csv:2' has no target; name its column"):
        open_task(model, tmp_path / "b.csv")
    opened = open_task(model, path, Source(metric="BLEU", target="de"), limit=1)
    assert opened.task.metric.name == "BLEU"


def test_columns_that_a_task_does_not_have(classifier, tokenizers) -> None:
    with pytest.raises(OptionError, match="--target names a column, but classification has no target"):
        open_task(classifier, "a.tsv", Source(target="de"))
    masked = bert(tokenizers["wordpiece"], tf.BertForMaskedLM)
    with pytest.raises(OptionError, match="--label names a column, but masked has no label"):
        open_task(masked, ["A"], Source(label="x"))
