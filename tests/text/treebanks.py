"""Small files of every annotated format, written for these tests, with the oddities that real ones have."""

from __future__ import annotations

from pathlib import Path

LAYOUT = "# global.Entity = GRP-etype-infstat-minspan-link"


def word(
    number: object, form: str, head: object = "_", relation: str = "_", misc: str = "_", tag: str = "_"
) -> str:
    """One line of CoNLL-U."""
    return "\t".join([str(number), form, "_", "X", tag, "_", str(head), relation, "_", misc])


def tree(*heads: int) -> str:
    """A sentence of CoNLL-U with these heads."""
    return "\n".join(word(number, "w", head) for number, head in enumerate(heads, start=1)) + "\n\n"


CONLLU = "\n".join(
    [
        "# newdoc id = first",
        LAYOUT,
        "# newpar",
        "# sent_id = 1",
        "# text = We don't sleep.",
        word(1, "We", 4, "nsubj", "Entity=(1-person-new-1-coref)", "PRP"),
        word("2-3", "don't"),
        word(2, "do", 4, "aux"),
        word(3, "n't", 4, "advmod"),
        word(4, "sleep", 0, "root", "Note=x|SpaceAfter=No"),
        word("4.1", "gone", misc="Entity=(9-person-new-1-coref)"),
        word(5, ".", 4, "punct"),
        "",
        "# newpar id = p2",
        word(1, "Ann", 4, "nsubj", "Entity=(2-person-new-1,3-coref(1-person-giv-1-coref)"),
        word(2, "and", 3, "cc", "Entity=(3[1/2]-x-new-1-coref)"),
        word(3, "Bo", 1, "conj", "Entity=2)|Bridge=1<2", "NNP"),
        word(4, "sing", 0, "root", "Entity=(3[2/2]-x-new-1-coref)"),
        "",
        "# a comment on nothing",
        "",
        word(1, "Yes", 0, "root"),
        "",
        "# newdoc",
        word("1-2", "im", misc="SpaceAfter=No"),
        word(1, "in", 2, "case"),
        word(2, "dem", 0, "root"),
        word(3, "!", 2, "punct"),
    ]
)

CONLL = """\
#begin document (bc/x_01); part 000
bc/x_01  0  0  Ann  NNP  (TOP(S*  -  -  -  sp  *  (A0*)  (0)|(3
bc/x_01  0  1  saw  VBD  *        -  -  -  sp  *  (V*)   -
bc/x_01  0  2  her  PRP$ *        -  -  -  sp  *  (A1*   (1|(0)
bc/x_01  0  3  dog  NN   *))      -  -  -  sp  *  *)     1)|3)

bc/x_01  0  0  It   PRP  *        -  -  -  sp  *  (1)
#end document
#begin document (bc/x_01); part 001
bc/x_01  1  0  Rain NN   *        -  -  -  sp  *  -

#end document
"""

LITBANK = (
    "#begin document (novel); part 0\n"
    + "\t".join(["novel", "0", "0", "Ann", *"________", "(0)"])
    + "\n"
    + "\t".join(["novel", "0", "1", "slept", *"________", ""])
    + "\n\n#end document\n"
)

GUM = """\
# begin document GUM_one
0	Research	(abstract-2
1	on	_
2	Amsterdam	(place-7-Amsterdam)abstract-2)
3		_
4	here	(place-7-Amsterdam)
# end document

# begin document
0	So	(12-person(13-person)
1	what	12)
# end document
"""

DEP = "The 2-det\ndog 3-nsubj\nbarks 0-root\n\n1\u00a01/2 2-nummod\nmiles 0-prep-like\n"

DP = "Rain\tNN\t2\nfalls\tVBZ\t0\n.\t.\t2\n\nYes\tUH\t0\n"

FILES = {
    "a.conllu": CONLLU,
    "a.conll": CONLL,
    "b.v4_gold_conll": LITBANK,
    "c.conll": GUM,
    "a.dep": DEP,
    "a.dp": DP,
}


def written(folder: Path, name: str, content: str) -> Path:
    """Write a file as it is, line ends included."""
    path = folder / name
    path.write_bytes(content.encode())
    return path
