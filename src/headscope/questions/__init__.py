"""Questions: one folder for each verb, and the one table of verbs.

Adding a verb is its folder and a line here; nothing else in the house knows verbs by name.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from headscope.questions.options import Options
    from headscope.results.declaration import Declaration


class Verb(NamedTuple):
    """A verb and the question it answers; its folder has its name."""

    name: str
    question: str

    def module(self, name: str) -> Any:
        """A file of the verb's folder, imported when first asked for."""
        return import_module(f"{__name__}.{self.name}.{name}")

    def has(self, name: str) -> bool:
        """Whether its folder has a file of that name."""
        return find_spec(f"{__name__}.{self.name}.{name}") is not None

    @property
    def options(self) -> type[Options]:
        """What it can be asked with."""
        options: type[Options] = self.module("options").Options
        return options

    @property
    def tables(self) -> dict[str, Declaration]:
        """What each of its tables says about itself."""
        tables: dict[str, Declaration] = self.module("declared").TABLES if self.has("declared") else {}
        return tables


VERBS = {
    verb.name: verb
    for verb in (
        Verb("survey", "Where does each head look, how broadly, and which heads are alike?"),
        Verb("syntax", "Which heads know which grammatical relations?"),
        Verb("coref", "Which heads link a mention to its antecedent?"),
        Verb("probe", "How much of a sentence's tree can be read off all heads together?"),
        Verb("layers", "At which layer do hidden states hold which structure?"),
        Verb("structure", "How close does attention come to trees, and since when?"),
        Verb("align", "How well does cross-attention link the words of a translation to its source?"),
        Verb("sentences", "What can be read off one vector of a sentence, layer by layer?"),
        Verb("keywords", "Which heads find the keywords of a text?"),
        Verb("finetune", "How well does the model learn a task of mine?"),
        Verb("train", "How well does a small net of ours learn a task from nothing?"),
        Verb("ablate", "Which heads does a task need?"),
        Verb("prune", "How many heads can go, and is the model faster without them?"),
        Verb("compare", "What changed between two models or checkpoints?"),
        Verb("maps", "What are the raw attention maps of this sentence?"),
        Verb("show", "Where do a few heads look in this sentence?"),
        Verb("retrieve", "Which heads find a needle in a long text?"),
        Verb("memory", "How long is a word kept in mind, by a net or by a model's hidden states?"),
        Verb("explain", "How much did each word of a text matter for what the model answers?"),
        Verb("trust", "May attention be shown as an explanation of what the model answers?"),
        Verb(
            "adversary",
            "Is there another way to the same answers, and is attention worth anything elsewhere?",
        ),
    )
}
