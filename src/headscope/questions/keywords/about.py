"""What the numbers of keywords are, for the reader of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headscope.questions.keywords.extracting import INSTALL
from headscope.questions.keywords.reading import PARTS
from headscope.questions.keywords.scores import enough
from headscope.questions.keywords.tagger import REMOVED
from headscope.results.reading import counted

if TYPE_CHECKING:
    from headscope.questions.keywords.answer import Question
    from headscope.questions.keywords.words import Words


def about(question: Question, words: Words) -> list[str]:
    """One sentence each."""
    options = question.options
    counts = [int((words.part == number).sum()) for number in range(len(PARTS))]
    keys = sum(len(text.keywords or ()) for text in words.texts)
    notes = [
        f"{counted(counts[0], 'document')} to train on, {counts[1]:,} to choose thresholds and penalties, "
        f"{counts[2]:,} to score; {keys:,} keywords in all, those in the text are looked for",
        f"{len(words.key):,} words are scored: punctuation and special tokens neither look nor are looked at",
        "sum: attention received from all words of the window; mean: divided by these; max: from one word at "
        "most; samrank: the score of Kang and Shin 2023, whose proportional part cancels out",
        "matched: how many times as much a keyword receives as words of the same document that are as "
        "frequent in it and in all texts; p by blocks of documents, p_all for all heads and readings at once",
        "auprc: average precision, its interval from the influence of each document; the best head and "
        "reading are chosen on the other half of the documents",
        "best heads differ by what they were chosen for: that of keyword_best on the other half of the "
        "documents, by average precision; that of keyword_methods on the documents to train on; those of "
        "keyword_phrases on these too, by F1 of the first ten phrases; keyword_heads ranks heads over all "
        "documents",
        "cross_entropy: per word, after a logistic curve fitted to the other half; summed: of the attention "
        "itself, as in the slides “Utilizing attention for weighting text”",
    ]
    if not enough(words.document):
        notes.append("so few documents give no intervals, and nothing is claimed of them")
    if question.texts.others:
        notes.append(f"trained on {question.texts.corpora[1].name}; {question.corpus.name} is scored whole")
    if options.stem and not question.stems:
        notes.append(f"phrases are not stemmed, for which snowballstemmer is needed: {INSTALL}")
    if question.layers:
        layers = " and ".join(map(str, question.layers))
        notes.append(f"hidden states: of layers {layers}, 0 the embeddings")
    if question.headed is not None:
        notes.append(
            f"the tagger was scored without heads on at most {REMOVED} test documents; it gives tags to "
            "words: F1 of words is that of words inside keyphrases, F1 of keyphrases wants both ends right"
        )
    return notes
