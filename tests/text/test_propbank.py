"""Phrase structure as PropBank releases it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.text import read, sentences
from headscope.text.layers import Phrases

ROWS = """# sent_id = news-a-0001
x\t0\t0\tThe\tDT\t(TOP(S(NP*\t-\t-
x\t0\t1\tdog\tNN\t*)\t-\t-
x\t0\t2\tbarks\tVBZ\t(VP*)\t-\t-
x\t0\t3\t.\t.\t*))\t-\t-

# sent_id = news-a-0002
x\t1\t0\tGo\tVB\t(TOP(S(VP*))\t-\t-
x\t1\t1\t!\t.\t*)\t-\t-

# sent_id = news-b-0001
y\t0\t0\tYes\tUH\t(TOP(INTJ*))\t-\t-
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "a.gold_conll"
    path.write_text(text)
    return path


def test_sentences_of_a_document_have_their_phrases(tmp_path: Path) -> None:
    first, second = read(write(tmp_path, ROWS))
    assert (first.id, second.id) == ("news-a", "news-b")
    assert first.text == "The dog barks .\nGo !"
    layer = first.phrases
    assert layer is not None and layer.tags == ("DT", "NN", "VBZ", ".", "VB", ".")
    assert layer.labels == ("TOP", "S", "NP", "VP", "TOP", "S", "VP")
    assert layer.spans.tolist() == [[0, 4], [0, 4], [0, 2], [2, 3], [4, 6], [4, 5], [4, 5]]
    assert layer.above().tolist() == [-1, 0, 1, 1, -1, 4, 5]
    parts = [part.phrases for _, part in sentences(first)]
    assert [part.labels for part in parts if part] == [("TOP", "S", "NP", "VP"), ("TOP", "S", "VP")]
    assert parts[1] is not None and parts[1].spans.tolist() == [[0, 2], [0, 1], [0, 1]]


@pytest.mark.parametrize(
    ("bit", "problem"),
    [
        ("(VP*", "the phrase 'S' that opens here is never closed"),
        ("(VP*))))", "a phrase is closed here, but none is open"),
        ("VP*", "a bit of a parse such as (NP* or *)) is expected, not 'VP*'"),
    ],
)
def test_broken_brackets_are_refused_with_their_line(tmp_path: Path, bit: str, problem: str) -> None:
    rows = ROWS.replace("(VP*)\t", f"{bit}\t").replace("*))\t-\t-\n\n# sent_id = news-a-0002", "*)\t-\t-\n\n# sent_id = news-a-0002")  # fmt: skip
    path = write(tmp_path, rows)
    with pytest.raises(InputError) as caught:
        list(read(path))
    assert str(caught.value).startswith(f"{path}:") and problem in str(caught.value)
    left = read(path, skip_broken=True)
    assert [document.id for document in left] == ["news-b"]


def test_a_file_that_begins_documents_is_one_of_mentions(tmp_path: Path) -> None:
    rows = "#begin document (x); part 000\nx 0 0 Rain NN (1)\n\n#end document\n"
    (document,) = read(write(tmp_path, rows))
    assert document.phrases is None and document.coreference is not None


def test_phrases_that_do_not_fit_are_refused() -> None:
    marks = np.zeros(2, np.int64)
    with pytest.raises(InputError, match="one leaves the 2 words"):
        Phrases(np.array([[0, 3]]), ("S",), marks, ("A", "B"))
    with pytest.raises(InputError, match="1 spans, but 2 labels"):
        Phrases(np.array([[0, 2]]), ("S", "NP"), marks, ("A", "B"))
    with pytest.raises(InputError, match="2 sentences, but 1 tags"):
        Phrases(np.array([[0, 2]]), ("S",), marks, ("A",))
