"""What relations link, in words: Universal Dependencies, Stanford's and spaCy's names."""

from __future__ import annotations

PHRASES: dict[str, str] = {
    **dict.fromkeys(("nsubj", "nsubjpass", "csubj"), "subjects to their verbs"),
    **dict.fromkeys(("obj", "dobj"), "objects to their verbs"),
    **dict.fromkeys(("iobj", "dative"), "indirect objects to their verbs"),
    **dict.fromkeys(("obl", "npadvmod"), "adjuncts to their verbs"),
    **dict.fromkeys(("xcomp", "ccomp", "advcl"), "clauses to their verbs"),
    **dict.fromkeys(("aux", "auxpass"), "auxiliaries to their verbs"),
    **dict.fromkeys(("nmod:poss", "poss"), "possessors to what is theirs"),
    **dict.fromkeys(("nmod", "acl", "relcl"), "modifiers to their nouns"),
    **dict.fromkeys(("compound", "nn"), "parts of compounds to their heads"),
    **dict.fromkeys(("nummod", "num"), "numbers to their nouns"),
    "det": "determiners to their nouns",
    "amod": "adjectives to their nouns",
    "advmod": "adverbs to what they modify",
    "case": "prepositions to their nouns",
    "prep": "prepositions to what they modify",
    "pobj": "nouns to their prepositions",
    "cop": "copulas to what they predicate",
    "mark": "markers to their clauses",
    "cc": "conjunctions to what they join",
    "conj": "joined words to each other",
    "prt": "particles to their verbs",
    "compound:prt": "particles to their verbs",
    "neg": "negations to their verbs",
}


def phrase(relation: str) -> str:
    """What a relation links; a subtype that is not here is read as its relation.

    >>> phrase("nsubj:pass"), phrase("made-up")
    ('subjects to their verbs', 'words to their heads')
    """
    return PHRASES.get(relation) or PHRASES.get(relation.partition(":")[0], "words to their heads")
