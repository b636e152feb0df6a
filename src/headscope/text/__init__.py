"""Text: documents of words, readers, segments, batches, and which word and kind a piece belongs to."""

from headscope.text.batches import Batch, batches
from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.kinds import KindTable, piece_label
from headscope.text.readers import read
from headscope.text.segments import Segment, cut
from headscope.text.words import split_words

__all__ = [
    "Batch",
    "Corpus",
    "Document",
    "KindTable",
    "Segment",
    "batches",
    "cut",
    "piece_label",
    "read",
    "split_words",
]
