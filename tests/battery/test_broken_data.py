"""Every verb that reads data refuses what is broken, or leaves it out and says so in its notes."""

from __future__ import annotations

import pytest

from headscope.errors import InputError
from headscope.questions import VERBS
from headscope.questions.groups import OfData
from tests.battery.desk import Desk

BROKEN = {
    ".csv": ",1\nalone\n",
    ".tsv": "\t1\nalone\n",
    ".conllu": "# newdoc id = broken\n1\tA\t_\t_\t_\t_\t7\tdep\t_\t_\n\n",
    ".conll": "#begin document (broken); part 000\nbroken\t0\t0\tA\tNN\t_\t(1\n#end document\n",
}
"""What is put at the end of a file of each format; of a table also a row without text."""

PLAIN = "text,note\nThe old keeper.,0\nA ship.,1\n"
"""Plain text has nothing to break, so a verb that takes it is given this table."""


@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items() if issubclass(verb.options, OfData)])
def test_broken_documents_are_refused_or_left_out(desk: Desk) -> None:
    name = desk.asked.data[0]
    whole = desk.folder / desk.options[name]
    text, form = (PLAIN, ".csv") if whole.suffix == ".txt" else (whole.read_text(), whole.suffix)
    path = desk.folder / f"broken{form}"
    path.write_text(text + BROKEN[form])
    line = len(path.read_text().rstrip("\n").split("\n")) - (form == ".conll")
    with pytest.raises(InputError, match=rf"{path.name}:{line}: "):
        desk.result(**{name: path.name})
    result = desk.result(**{name: path.name}, skip_broken=True)
    (note,) = [note for note in result.notes if "broken and left out" in note]
    assert note.startswith(f"{path.name}: 1 document is broken and left out: '")
    assert f"{path.name}:{line}: " in note
    assert result.asked["identity"]["options"]["skip_broken"] is True
    empty = [note for note in result.notes if "as the text has no word" in note]
    assert len(empty) == (form in (".csv", ".tsv"))
