"""What the live page may ask, and how a question that cannot be answered is put into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fastapi.responses import Response

from headscope.errors import choose_from
from headscope.heads import Head
from headscope.results.look import Explanation, Look, MadeToken
from headscope.web.live.explorer import Explains, Explorer
from headscope.web.live.refusals import refused
from headscope.web.live_wire import MadeQuestion, Question, WhyQuestion

LONGEST_TEXT = 100_000
MOST_GENERATED = 200
_SHOWN = 60


def refusal_of(question: Question, names: Sequence[str]) -> Response | None:
    """Why a question is not passed on to a model, if so."""
    if question.model not in names:
        return refused(404, choose_from("model", shortened(question.model), names))
    texts = [text for text in (question.text, question.second, question.target) if text is not None]
    if any(_is_broken(text) for text in texts):
        return refused(400, "the text holds half of a character, which cannot be encoded; type it again")
    length = sum(len(text) for text in texts)
    if length > LONGEST_TEXT:
        return refused(
            413, f"the text has {length:,} characters, at most {LONGEST_TEXT:,} can be asked; shorten it"
        )
    if not 0 <= question.generate <= MOST_GENERATED:
        return refused(
            400, f"generate is {question.generate}; let the model continue by 0 to {MOST_GENERATED} pieces"
        )
    return None


def _is_broken(text: str) -> bool:
    """Whether half of a surrogate pair stands alone, which JSON allows and no tokenizer reads."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def ask(explorer: Explorer, question: Question) -> Look:
    """Run a question."""
    return explorer.look(**{**vars(question), "off": _heads_off(question)})


def ask_why(explains: Explains, question: WhyQuestion, go_on: Callable[[], None]) -> Explanation:
    """Run a question about what mattered; of a long text, its beginning is explained.

    go_on: raises where nobody waits for the answer any more.
    """
    asked = {name: value for name, value in vars(question).items() if name != "window"}
    return explains.explanation(**{**asked, "off": _heads_off(question)}, go_on=go_on)


def ask_made(explains: Explains, question: MadeQuestion, go_on: Callable[[], None]) -> MadeToken:
    """Run a question about which heads made a token; go_on as above."""
    return explains.made(**{**vars(question), "off": _heads_off(question)}, go_on=go_on)


def _heads_off(question: Question) -> list[Head]:
    return [Head(head.stack, head.layer, head.index) for head in question.off]


def validation_sentence(errors: Sequence[Mapping[str, Any]]) -> str:
    """The first thing wrong with a request in one sentence: where, what was expected, what came.

    >>> wrong = {"loc": ("body", "window"), "msg": "Input should be a number", "input": "x", "type": "int"}
    >>> validation_sentence([wrong])
    "the question cannot be read: window: Input should be a number; 'x' came"
    """
    first = errors[0]
    if first["type"] == "json_invalid":
        return "the question cannot be read: the body is not JSON; send an object with model and text"
    field = ".".join(str(step) for step in first["loc"] if step != "body") or "the body"
    came = "nothing" if first["type"] == "missing" else _came(first.get("input"))
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"the question cannot be read: {field}: {first['msg']}; {came} came{more}"


def _came(value: Any) -> str:
    return f"a {type(value).__name__}" if isinstance(value, dict | list) else shortened(repr(value))


def shortened(text: str) -> str:
    """A text that fits into a message or a title.

    >>> shortened("ab" * 40)[-4:]
    'aba…'
    """
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
