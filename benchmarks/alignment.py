"""Word alignment: the error rate, planted links, statistical aligners, trained translators beside them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np

import headscope
from benchmarks.data import ROOT, path
from benchmarks.planted_links import pairs as planted_pairs
from benchmarks.planted_links import plant
from benchmarks.rows import Row, at_least, at_most, show, told
from headscope.aligners import Bitext, train_hmm, train_ibm1
from headscope.measures.links import error_rate
from headscope.questions.align.beside import FORWARD, Pairs, aligned, diagonal, offset
from headscope.questions.align.readings import GOLD
from headscope.results.reading import both
from headscope.results.result import Result
from headscope.text.links import Links, read_links
from headscope.text.parallel import read_parallel, target_words

TITLE = "Word alignment"
SAYS = (
    "The error rate of a published aligner's output on two gold sets, beside what its authors print. A model "
    "whose cross-attention was planted to follow known links, read at the right token and one step off. IBM "
    "model 1 and the hidden Markov model that learnt from the pairs of a gold set alone, and so know few "
    "words: fast_align and eflomal, that learnt from millions of pairs, are published with 10.5 and 8.2 % "
    "(English-French) and 32.1 and 25.1 % (Romanian-English). Then translators of Multi30k, for which there "
    "is no gold: all that the parts translation and translator have left in build/translation, without which "
    "there are no rows of them. Their cross-attention on test2016 is held against the links, from target to "
    "source, of both aligners, that learnt from all 29,000 pairs and these: one minus F1, agreement and no "
    "error. Heads are chosen on one half of the pairs and scored on the other."
)
GOLD_SETS = {"enfr": ("English-French", 4.1), "roen": ("Romanian-English", 20.7)}
"""The names of the sets, and the error rate that the authors of the aligner print."""

FOLDER, PARALLEL = "12_word_alignment", "08_multi30k_parallel"
SETS = ("train", "test_2016_flickr")
DATA = (
    *(f"{FOLDER}/{name}.{kind}" for name in GOLD_SETS for kind in ("src-tgt", "gold", "awesome-align.out")),
    *(f"{PARALLEL}/{name}.{language}.gz" for name in SETS for language in ("de", "en")),
)
MODELS = ROOT / "build" / "translation"
"""Where trained translators lie, each a run of `headscope train` in a folder of its own."""

REDUCED: dict[str, Any] = {"pairs": 1000, "models": None}


def run(pairs: int | None = None, models: Path | None = MODELS) -> list[Row]:
    """All rows; pairs: of Multi30k to learn from. models: folder of a trained model, or of runs with some."""
    rows = [row for name in GOLD_SETS for row in on_gold(name)]
    return [*rows, *on_planted(), *learning(pairs), *of_translators(models, pairs)]


def on_gold(name: str) -> Iterator[Row]:
    """The output of a published aligner, and aligners that learnt from the pairs of the set alone."""
    language, published = GOLD_SETS[name]
    gold = read_links(path(f"{FOLDER}/{name}.gold"))
    documents = list(read_parallel(path(f"{FOLDER}/{name}.src-tgt"), gold=gold))
    pairs = Pairs.of(documents, found=False, reference=GOLD)
    output = read_links(path(f"{FOLDER}/{name}.awesome-align.out"))
    sizes = zip(pairs.grid.sources.tolist(), pairs.grid.targets.tolist(), strict=True)
    given = [output.links(line, *size) for line, size in enumerate(sizes)]
    error = percent(pairs, _vector(pairs, given))
    away = f"{language}: error rate of awesome-align, away from {published}"
    yield at_most(away, abs(error - published), "points", 0.05)
    yield told(f"{language}: error rate of awesome-align, published {published}", error, "%")
    yield told(f"{language}: diagonal", percent(pairs, diagonal(pairs.grid)), "%")
    offsets = {step: percent(pairs, offset(pairs.grid, step)) for step in range(-5, 6)}
    best = min(offsets, key=lambda step: offsets[step])
    yield told(f"{language}: best constant offset ({best:+d})", offsets[best], "%")
    for aligner, links in aligned(pairs, [], 5).items():
        for how, each in links.items():
            yield told(f"{language}: {aligner}, {how}, {len(documents)} pairs", percent(pairs, each), "%")


def percent(pairs: Pairs, links: np.ndarray) -> float:
    """The error rate of links (cell,), in percent."""
    return 100 * float(error_rate(pairs.counts(links).sum(0))[0])


def _vector(pairs: Pairs, links: Sequence[Links]) -> np.ndarray:
    pair = np.repeat(np.arange(len(links)), [len(each.source) for each in links])
    source, target = (
        np.concatenate([getattr(each, name) for each in links]) for name in ("source", "target")
    )
    return pairs.grid.links(pair, target, source)


def on_planted() -> Iterator[Row]:
    """A head that follows known links where a word is written."""
    told_pairs, links = planted_pairs(60)
    with TemporaryDirectory() as folder:
        gold = Path(folder) / "gold"
        gold.write_text(links)
        result = headscope.align(plant(Path(folder) / "model"), told_pairs, gold=gold, twins=1)
    for measure in ("weights", "norms"):
        right, off = (reading(result, measure, token) for token in ("output", "input"))
        yield at_most(f"planted links, {measure}, right token: error rate", 100 * right["error"], "%", 0)
        yield at_least(f"planted links, {measure}, one step off: error rate", 100 * off["error"], "%", 50)


def reading(result: Result, measure: str, token: str, reference: str = GOLD) -> dict[str, Any]:
    """The row of the best head by what it attends to most."""
    table = result.table("alignment")
    wanted = {"reference": reference, "unit": "head", "measure": measure, "token": token, "choice": "argmax"}
    for name, value in wanted.items():
        table = table[table[name] == value]
    (row,) = table.to_dict("records")
    return {str(name): value for name, value in row.items()}


def parallel(name: str, limit: int | None = None) -> Any:
    """A part of Multi30k, German to English, words found in running text."""
    files = [path(f"{PARALLEL}/{name}.{language}.gz") for language in ("de", "en")]
    return read_parallel(*files, found=True, limit=limit)


def learning(pairs: int | None) -> Iterator[Row]:
    """How long the aligners take to learn, compiled, on one thread."""
    words = [(pair.surfaces(), target_words(pair, found=True)) for pair in parallel("train", pairs)]
    text = Bitext.of(words)
    train_hmm(Bitext.of(words[:2]), 1, None)  # compiles
    started = process_time()
    simple = train_ibm1(text)
    middle = process_time()
    train_hmm(text, chances=simple.chances)
    count = f"{len(words):,} pairs of Multi30k"
    yield told(f"IBM 1: five rounds, {count}", middle - started, "s of processor time")
    yield told(f"HMM: five rounds, {count}", process_time() - middle, "s of processor time")


def of_translators(models: Path | None, pairs: int | None) -> Iterator[Row]:
    """Cross-attention of trained translators beside both aligners, over the test set of 2016."""
    found = [] if models is None else sorted(_models(models).items())
    if not found:
        where = "none was asked for" if models is None else f"none in {models.name}, where parts leave them"
        yield told("trained translators", f"left out: {where}")
        return
    files = [path(f"{PARALLEL}/{SETS[1]}.{language}.gz") for language in ("de", "en")]
    more = [(pair.text, pair.target) for pair in parallel("train", pairs)]
    for place, (name, folder) in enumerate(found):
        result = headscope.align(folder, files[0], target=files[1], more=more)
        if place == 0:
            yield from _without_model(result)
        yield from _translator(name, result)


def _without_model(result: Result) -> Iterator[Row]:
    """How far the aligners agree with each other, and what needs no words at all."""
    table = result.table("aligners")
    table = table[(table["aligner"] != table["reference"]) & table["how"].isin(["", FORWARD])]
    for row in table.to_dict("records"):
        yield told(f"{row['aligner']} beside {row['reference']}", 100 * row["error"], "%")


def _translator(name: str, result: Result) -> Iterator[Row]:
    """The best head, by weights and by norms, read at either token."""
    for reference in dict.fromkeys(result.table("alignment")["reference"]):
        for measure in dict.fromkeys(result.table("align_heads")["measure"]):
            for token in ("output", "input"):
                row = reading(result, measure, token, reference)
                heads = both(row["item"], row["other_item"])
                label = f"{name} beside {reference}: {measure}, {token} token, best head ({heads})"
                ends = f"{100 * row['error']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
                yield told(label, f"{ends}; twins {100 * row['twin']:.1f} %")


def _models(folder: Path) -> dict[str, Path]:
    """Folders of models below a folder, or itself, by the name of their run; of several seeds the first."""
    if (folder / "config.json").exists():
        return {folder.name: folder}
    runs = sorted(folder.glob("*/run/models/*/config.json"), reverse=True)
    looking = [each for each in runs if json.loads(each.read_text()).get("attention") != "none"]
    return {each.parents[3].name: each.parent for each in looking}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of a trained model, or of runs")
    parser.add_argument("--pairs", type=int, help="pairs of Multi30k to learn from")
    asked = parser.parse_args()
    show(TITLE, run(asked.pairs, asked.models))
