"""Which columns of a table, of JSON lines or of a data set are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from headscope.errors import choose_from
from headscope.text.lines import Place

Wanted = Literal["text", "label", "tags", "keywords"]

# The names that columns usually have, in the order in which they are looked for.
_USUAL = ("text", "sentence", "words")
_USUAL_FIRST = (*_USUAL, "sentence1", "text1", "premise", "question1")
_USUAL_SECOND = ("sentence2", "text2", "hypothesis", "question2", "second", "answer")
_USUAL_WORDS = ("words", "tokens", "text", "sentence")
_USUAL_TARGET = ("target", "translation", "reference")
_USUAL_SOURCE = ("source", *_USUAL)
_USUAL_LABEL = ("label", "labels", "class", "sentiment")
_USUAL_TAGS = ("tags", "labels", "label", "ner_tags")
_USUAL_KEYWORDS = ("keywords", "keyphrases", "keys")
_SUFFIX = "; a word and its tag per line need another suffix, such as .iob"

# Names that belong together: two such columns are a text and its second text.
_PAIRS = (
    ("sentence1", "sentence2"),
    ("text1", "text2"),
    ("premise", "hypothesis"),
    ("question1", "question2"),
    ("question", "answer"),
    ("question", "sentence"),
    ("question", "passage"),
    ("first", "second"),
    ("sentence", "sentence2"),
    ("text", "text2"),
    ("question", "question2"),
)


class Picked(NamedTuple):
    """The columns of a source that are read; ``tags`` and ``label`` exclude each other."""

    text: str
    target: str | None = None
    label: str | None = None
    second: str | None = None
    tags: str | None = None
    keywords: str | None = None

    def __str__(self) -> str:
        """As a note tells it.

        >>> print(Picked("premise", label="gold", second="hypothesis"))
        texts from column 'premise', second texts from 'hypothesis', labels from 'gold'
        """
        texts = "texts" if self.tags is None else "words"
        others = {
            "second texts": self.second,
            "targets": self.target,
            "labels": self.label,
            "tags": self.tags,
            "keywords": self.keywords,
        }
        read = [f"{what} from '{name}'" for what, name in others.items() if name is not None]
        return ", ".join([f"{texts} from column '{self.text}'", *read])


@dataclass(frozen=True)
class Columns:
    """Which columns hold what; None leaves the choice to the usual names, where a column is wanted.

    wanted: the text alone, the text with one label or with its keywords, or words with one tag each; label
    names the column of these. second: the name of the second text's column, or True for a usual one; None
    where a second text is read if two columns have names that belong together. target: True for a usual name,
    or for the second of two columns whatever they are called.
    """

    text: str | None = None
    target: str | bool | None = None
    label: str | None = None
    second: str | bool | None = False
    wanted: Wanted = "text"

    def pick(self, names: Iterable[str], place: Place) -> Picked:
        """Choose among the names there are.

        >>> Columns(target="de").pick(["id", "Text", "de"], Place("a.csv", 1))[:2]
        ('Text', 'de')
        >>> Columns(wanted="label").pick(["Sentence", "Label"], Place("a.csv", 1)).label
        'Label'
        >>> Columns(wanted="label", second=None).pick(["Text1", "Text2", "Label"], Place("a.csv", 1)).second
        'Text2'
        """
        there = _Names(list(names), place)
        for asked in self._named():
            if asked not in there.names:
                raise place.error(choose_from("column", asked, there.names))
        if self.target is True:
            return there.checked(Picked(*there.parallel(self.text)))
        label = tags = keywords = None
        if self.wanted == "label":
            label = self.label or there.usual("label", _USUAL_LABEL)
        if self.wanted == "tags":
            tags = self.label or there.usual("tag", _USUAL_TAGS, _SUFFIX)
        if self.wanted == "keywords":
            keywords = self.label or there.usual("keyword", _USUAL_KEYWORDS)
        target = self.target or None
        text, second = self._texts(there, (target, label))
        return there.checked(Picked(text, target, label, second, tags, keywords))

    def _texts(self, there: _Names, taken: tuple[str | None, ...]) -> tuple[str, str | None]:
        """The columns of the text and of the second text, which are not among those taken already."""
        if self.wanted == "tags":
            return self.text or there.usual("text", _USUAL_WORDS, _SUFFIX), None
        if self.second is not False:
            for pair in ((there.called(first), there.called(second)) for first, second in _PAIRS):
                if self._fits(pair, taken):
                    return pair  # type: ignore[return-value]
        text = self.text or there.usual("text", _USUAL_FIRST if self.second else _USUAL)
        if self.second is None:
            there.ask_about(text, taken)
        if not self.second or isinstance(self.second, str):
            return text, self.second or None
        return text, there.usual("second", _USUAL_SECOND)

    def _fits(self, pair: tuple[str | None, str | None], taken: tuple[str | None, ...]) -> bool:
        """Whether both columns are there and free, and are not others than those asked for."""
        asked = (self.text, self.second if isinstance(self.second, str) else None)
        wanted = all(name in (None, column) for name, column in zip(asked, pair, strict=True))
        return wanted and None not in pair and not set(pair) & set(taken)

    def refuse(self, source: str | Path) -> None:
        """Refuse the options of a source that has no columns."""
        self.refuse_names(source)
        if self.wanted != "text":
            raise Place(source).error(
                f"this source has no columns, so it has no {self.wanted}; give a table (.csv, .tsv), JSON "
                "lines (.jsonl) or a data set"
            )

    def refuse_names(self, source: str | Path, reason: str = "this source has no columns") -> None:
        """Refuse names of columns where there are no names."""
        for asked in self._named():
            raise Place(source).error(f"column '{asked}' was asked for, but {reason}")

    def _named(self) -> list[str]:
        asked = (self.text, self.target, self.label, self.second)
        return [name for name in asked if isinstance(name, str)]


class _Names:
    """The columns there are, found in any case."""

    def __init__(self, names: list[str], place: Place) -> None:
        self.names, self._place = names, place
        self._lowered: Mapping[str, str] = {name.lower(): name for name in reversed(names)}

    def called(self, name: str) -> str | None:
        return self._lowered.get(name)

    def usual(self, what: str, candidates: tuple[str, ...], hint: str = "") -> str:
        """The first of some names that a column has."""
        name = next((self._lowered[name] for name in candidates if name in self._lowered), None)
        if name is None:
            problem = f"no column called {' or '.join(candidates)}; name the {what} column{hint}"
            raise self._place.error(f"{problem}. Available: {', '.join(self.names)}")
        return name

    def parallel(self, text: str | None) -> tuple[str, str | None]:
        """The columns of a text and of its translation, which may not be there.

        >>> _Names(["de", "en"], Place("a.tsv", 1)).parallel(None)
        ('de', 'en')
        """
        target = next((self._lowered[name] for name in _USUAL_TARGET if name in self._lowered), None)
        if target is None and len(self.names) == 2 and text in (None, self.names[0]):
            return self.names[0], self.names[1]
        return text or self.usual("text", _USUAL_SOURCE), target

    def ask_about(self, text: str, taken: tuple[str | None, ...]) -> None:
        """Refuse to guess whether a column that looks like a second text is one."""
        for second in map(self.called, _USUAL_SECOND):
            if second not in (None, text, *taken):
                raise self._place.error(
                    f"column '{second}' looks like a second text beside '{text}'; say whether it is: "
                    f"--second {second} reads pairs, --task classification reads '{text}' alone"
                )

    def checked(self, picked: Picked) -> Picked:
        """Refuse to choose between columns of the same name."""
        for name in picked:
            if name is not None and self.names.count(name) > 1:
                raise self._place.error(
                    f"{self.names.count(name)} columns are called '{name}'; give them different names"
                )
        return picked
