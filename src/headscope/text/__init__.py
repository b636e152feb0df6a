"""Text: documents of words and their layers, readers, segments, batches, and the word and kind of a piece."""

from headscope.text.batches import Batch, batches
from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.examples import Paired, Tagged, Texts, Translated
from headscope.text.joining import with_trees
from headscope.text.kinds import KindTable, piece_label
from headscope.text.layers import Coreference, Dependencies, Distributions, Mention
from headscope.text.parsing import parse
from headscope.text.readers import read, read_keywords, read_labelled
from headscope.text.segments import Segment, cut
from headscope.text.whole import Cutter, Sentences, Skipped, Spans, Windows, has_piece
from headscope.text.windows import sentences, window
from headscope.text.words import split_words

__all__ = [
    "Batch",
    "Coreference",
    "Corpus",
    "Cutter",
    "Dependencies",
    "Distributions",
    "Document",
    "KindTable",
    "Mention",
    "Paired",
    "Segment",
    "Sentences",
    "Skipped",
    "Spans",
    "Tagged",
    "Texts",
    "Translated",
    "Windows",
    "batches",
    "cut",
    "has_piece",
    "parse",
    "piece_label",
    "read",
    "read_keywords",
    "read_labelled",
    "sentences",
    "split_words",
    "window",
    "with_trees",
]
