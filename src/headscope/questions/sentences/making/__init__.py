"""The ten probing tasks of Conneau et al. 2018, made from treebanks: one function each, and their table.

A maker takes sentences with their trees, the part of the data that each document belongs to, and a generator
of random numbers; it gives labelled sentences, each in its part.
"""

from __future__ import annotations

from headscope.questions.sentences.making.constituents import top_constituents, tree_depths
from headscope.questions.sentences.making.examples import Maker
from headscope.questions.sentences.making.grammar import object_numbers, subject_numbers, tenses
from headscope.questions.sentences.making.inverted import coordination_inversions
from headscope.questions.sentences.making.odd import odd_men_out
from headscope.questions.sentences.making.shifted import bigram_shifts
from headscope.questions.sentences.making.surface import sentence_lengths, word_contents

MAKERS: dict[str, Maker] = {
    "SentLen": sentence_lengths,
    "WC": word_contents,
    "TreeDepth": tree_depths,
    "TopConst": top_constituents,
    "BShift": bigram_shifts,
    "Tense": tenses,
    "SubjNum": subject_numbers,
    "ObjNum": object_numbers,
    "SOMO": odd_men_out,
    "CoordInv": coordination_inversions,
}
"""By their names in the paper, in its order."""

FROM_PHRASES = ("TreeDepth", "TopConst")
"""Those that need phrase structure; the others need dependencies."""
