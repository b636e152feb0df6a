"""Heads that find keywords: Inspec and SemEval 2017 with the embedded model, nulls, and time."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import headscope
from benchmarks.data import ROOT, path
from benchmarks.null_keywords import DOCUMENTS, GAIN, LESS, discoveries, found_planted
from benchmarks.passes import seconds_of_pass
from benchmarks.rows import Row, at_least, at_most, show, told
from benchmarks.timing import computing_with, counted, seconds_of
from headscope.engine.gathering import gather
from headscope.engine.kept import temporary_store
from headscope.engine.planning import reading_setting
from headscope.engine.work import Plan
from headscope.questions.keywords.hearing import Received, directions
from headscope.questions.keywords.options import Options
from headscope.questions.keywords.published import SLIDES
from headscope.questions.keywords.reading import Texts
from headscope.questions.keywords.vocabulary import BY_BOTH, TFIDF
from headscope.questions.keywords.words import Words, assemble
from headscope.results.vocabulary import WORSE
from headscope.text import Spans, read_keywords

TITLE = "Keywords"
SAYS = (
    "`headscope keywords` with the embedded model (72 heads). Inspec: the first 800 abstracts, 400 to train "
    "on, 100 to choose with, 300 to score, keys that occur in the text; noun phrases as candidates; then a "
    "tagger, fine-tuned for four epochs, and its heads removed. SemEval 2017: all 493 paragraphs scored, "
    "heads and regression chosen on 493 abstracts of Inspec. Published: SAMRank and others, F1 of the first "
    "phrases; on Inspec of other documents and keys. Nulls: keywords exchanged among words of equal "
    "frequency. Processor time, on one thread; the complete run is kept in build/keywords and goes on where "
    "it was stopped."
)
INSPEC, SEMEVAL = "06_keyphrase/Inspec.zip", "06_keyphrase/SemEval2017.zip"
DATA = (INSPEC, SEMEVAL)
BUILT = ROOT / "build" / "keywords"
"""Where the complete run is kept, so that a stopped one goes on."""

ABOVE, AUPRC, F1, TAGGED = 0.04, 0.56, 0.59, 0.66
"""What must be reached: the best head above TF-IDF, the regression, the tagger's F1 of words."""

TRIED = {"best head": ".489", TFIDF: ".405", BY_BOTH: ".596 / .626", "tagger": ".703"}
"""What a first try had, over other words."""

PASSES, BESIDE = 1.3, 60.0
"""Forward passes, and processor seconds beside them, that 2,000 abstracts may take."""

SAMPLE = 160
"""Abstracts over which a plain pass is timed."""

REDUCED: dict[str, Any] = {"judged": False}
FEW: dict[str, Any] = {"limit": 24, "twins": 0, "hidden": False}


def run(judged: bool = True, out: Path | None = None) -> list[Row]:
    """All of it; where not judged, a few abstracts, without a tagger."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (BUILT if judged else Path(folder))
        place.mkdir(parents=True, exist_ok=True)

        def ask(name: str, corpus: str, **options: Any) -> Any:
            with counted(place, name):
                headscope.keywords("default", path(corpus), out=place / name, **options)
            return headscope.open(place / name)

        if not judged:
            return [*heads(ask("few", INSPEC, **FEW), False), *nulls(24, 2, 2, False)]
        nouns: dict[str, Any] = {"candidates": "nouns"}
        few: dict[str, Any] = {"twins": 0, "hidden": False}
        tagged = ask("tagger", INSPEC, limit=800, epochs=4, rate=3e-4, steps=6, **few)
        inspec = ask("inspec", INSPEC, limit=800, twins=1, **nouns)
        rows = [*heads(inspec, True), *extracted(inspec, "Inspec"), *tagger(tagged)]
        semeval = ask("semeval", SEMEVAL, train=path(INSPEC), limit=493, **few, **nouns)
        rows += extracted(semeval, "SemEval 2017")
        rows += nulls(240, 40, 60, True)
        rows += timed(ask, place)
        times = {name: seconds_of(place, name) / 60 for name in ("inspec", "tagger", "semeval", "whole")}
    return rows + [told(f"processor time of {name}", taken, "min") for name, taken in times.items() if taken]


def heads(result: Any, judged: bool) -> Iterator[Row]:
    """The best head, whether two stand out, and all heads together."""
    best = result.table("keyword_best").iloc[0]
    name = (
        f"best head where it was not chosen, {best['head']} and {best['other_head']} ({best['reading']}): "
        f"average precision (TF-IDF {best['tfidf']:.3f}, random twin {best['twin']:.3f}; a first try "
        f"{TRIED['best head']} and {TRIED[TFIDF]})"
    )
    yield told(name, float(best["auprc"]))
    gain = "best head above TF-IDF, average precision"
    yield _least(gain, float(best["gain"]), ABOVE, judged)
    first = result.table("keyword_heads").sort_values("rank").head(4)
    shown = ", ".join(f"{row.head} {row.auprc:.3f}" for row in first.itertuples())
    yield told(f"the best heads by average precision, {first['reading'].iloc[0]}: {shown}", "")
    scores = result.table("keyword_scores")
    summed = scores[scores["reading"] == "max"].nsmallest(4, "summed")
    shown = ", ".join(f"{row.head} {row.summed:,.0f}" for row in summed.itertuples())
    yield told(f"the lowest summed cross entropies, max (slides: 20.5, 23.3, then 1,894): {shown}", "")
    above = scores[scores["above"]].groupby("reading").size()
    yield told(
        "heads above words of equal frequency, by reading: "
        + ", ".join(f"{k} {v}" for k, v in above.items()),
        "",
    )
    alike = result.table("keyword_ranks").query("measure == 'relative'")
    shown = ", ".join(f"{row.reading} {row.alike:.2f}" for row in alike.itertuples())
    yield told(f"relative attention ranks heads as average precision does (Spearman): {shown}", "")
    for row in result.table("keyword_methods").itertuples():
        yield told(f"{row.method}: average precision {row.auprc:.3f}, F1 of words", 100 * float(row.f1), "%")
    own = result.table("keyword_methods").set_index("method").loc[BY_BOTH]
    yield _least(f"{BY_BOTH}, regression: average precision", float(own["auprc"]), AUPRC, judged)
    yield _least(
        f"{BY_BOTH}, regression: F1 of words (a first try {TRIED[BY_BOTH]})", float(own["f1"]), F1, judged
    )
    curve = result.table("keyword_curve")
    shown = ", ".join(f"{row.heads}: {100 * row.f1:.1f}" for row in curve.itertuples())
    yield told(f"F1 of words by number of heads, best first, in percent: {shown}", "")


def extracted(result: Any, corpus: str) -> Iterator[Row]:
    """F1 of the first phrases, by both conventions, beside what was published."""
    for row in result.table("keyword_phrases").itertuples():
        shown = f"{100 * row.f1_5:.1f} / {100 * row.f1_10:.1f} / {100 * row.f1_15:.1f}"
        by_k = f"{100 * row.f1_5_by_k:.1f} / {100 * row.f1_10_by_k:.1f} / {100 * row.f1_15_by_k:.1f}"
        head = f" ({row.head}, {row.reading})" if row.head else ""
        yield told(
            f"{corpus}, keys {row.keys}, {row.method}{head}: F1@5/10/15 {shown}; precision by k {by_k}", ""
        )
    table = result.table("keyword_published")
    for row in table[~table["method"].str.startswith("ours")].itertuples():
        shown = f"{100 * row.f1_5:.1f} / {100 * row.f1_10:.1f} / {100 * row.f1_15:.1f}"
        other = "" if corpus == "SemEval 2017" else "; other documents and keys"
        yield told(f"{corpus}, published, {row.method}: {shown}{other}", "")


def tagger(result: Any) -> Iterator[Row]:
    """The tagger's F1, and what is left of it without heads."""
    own = result.table("keyword_tagger").set_index("of")
    yield at_least(
        f"tagger: F1 of words (a first try {TRIED['tagger']})", float(own.loc["words", "f1"]), "", TAGGED
    )
    slides = " and ".join(f"{score:.2f} {name}" for name, score in SLIDES.items())
    beside = f"published BERT {own.loc['keyphrases', 'published']:.3f} on another split; slides {slides}"
    yield told(f"tagger: F1 of whole keyphrases ({beside})", float(own.loc["keyphrases", "f1"]))
    curves = result.table("keyword_removal")
    for order, run in curves.groupby("order", sort=False):
        mean = 100 * run.groupby("share")["score"].mean()
        shown = ", ".join(f"{100 * share:.0f} %: {score:.1f}" for share, score in mean.items())
        yield told(f"F1 of words with heads removed by {order}: {shown}", "")
    removed = result.table("keyword_removed").sort_values("effect")
    shown = ", ".join(f"{row.head} {100 * row.effect:+.1f}" for row in removed.head(4).itertuples())
    worse = int((removed["verdict"] == WORSE).sum())
    yield told(f"heads without which F1 of words falls most, in points: {shown}; beyond chance", worse)
    if "keyword_speed" in result.tables:
        for row in result.table("keyword_speed").itertuples():
            yield told(f"without {row.removed} heads by {row.order}: times as fast", float(row.ratio), "x")


def nulls(documents: int, with_head: int, shuffled: int, judged: bool) -> Iterator[Row]:
    """A planted head, and keywords among words of equal frequency."""
    words = _words(documents)
    for gain in (GAIN, LESS):
        found = found_planted(words, with_head, gain)
        about = f"{DOCUMENTS} abstracts each, it gives keywords {gain} times as much"
        name = f"corpora of {with_head} in which a planted head is found ({about})"
        is_judged = judged and gain == GAIN
        yield at_least(name, found, "", 0.95 * with_head) if is_judged else told(name, found)
    number = discoveries(words, shuffled)
    name = (
        f"corpora of {shuffled} with a corrected discovery, keywords exchanged among equally frequent words"
    )
    yield at_most(name, number, "", shuffled // 10) if judged else told(name, number)


def _words(documents: int) -> Words:
    """What the words of some abstracts receive."""
    options = Options(corpus=path(INSPEC), limit=documents)
    texts, model = Texts.of(options), headscope.load("default")
    setting, _ = reading_setting(model, options)
    plan = Plan(setting, [Received()], 256, 8, Spans(pair=False))
    with temporary_store() as store:
        gathered = gather(plan, texts.corpus, "keywords/null", store)
        return assemble(gathered, texts.corpus, texts.part, directions(setting))


def timed(ask: Any, place: Path) -> Iterator[Row]:
    """All 2,000 abstracts through the verb, beside a plain pass over some of them."""
    texts, model = read_keywords(path(INSPEC)), headscope.load("default")
    forward = seconds_of_pass(model, texts, Spans(pair=False), 32, process_time, SAMPLE)
    ask("whole", INSPEC, twins=0, plots=False)
    taken = seconds_of(place, "whole")
    passes = f"{PASSES} plain passes of {forward:.0f} s each"
    name = f"2,000 abstracts: {taken:.0f} s of processor time; beside {passes}"
    yield at_most(name, taken - PASSES * forward, "s", BESIDE)


def _least(name: str, value: float, least: float, judged: bool) -> Row:
    return at_least(name, value, "", least) if judged else told(name, value)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="keep the run folders, and go on with them if stopped")
    sys.exit(not all(row["passed"] for row in show(TITLE, run(out=parser.parse_args().out))))
