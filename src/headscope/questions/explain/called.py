"""How answers and their tokens are called, in print and in pictures."""

from __future__ import annotations

from headscope.questions.naming import answer_name
from headscope.results.result import Result


def answer_names(result: Result) -> list[str]:
    """Each row of the answers: what it is, its label, its probability, and its text if there are several."""
    answers, task = result.table("answers"), str(_asked(result, "task"))
    rows = zip(answers["label"], answers["probability"], answers["text"], strict=True)
    several = answers["text"].nunique() > 1
    return [
        answer_name(task, label, probability) + f", {text}" * several for label, probability, text in rows
    ]


def unit_of(result: Result) -> str:
    """What a token is: a word or a piece."""
    return "word" if _asked(result, "words") else "piece"


def _asked(result: Result, option: str) -> object:
    """An option of the result's question; nothing, where that is not known."""
    return result.asked.get("identity", {}).get("options", {}).get(option, "")
