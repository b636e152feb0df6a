"""Whether attention may be trusted: Jain and Wallace 2019, and Serrano and Smith 2019, done again."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import headscope
from benchmarks.data import path
from benchmarks.jain_wallace import PAIRS, Numbers, numbers
from benchmarks.nets import BILSTM, SST, binary_sst, worded
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.serrano_smith import ORDERS, Erased, erasures
from benchmarks.timing import computing_with
from headscope.measures.statistics import bootstrap_interval
from headscope.models import Model
from headscope.text.lines import read_lines

TITLE = "Trust"
SAYS = (
    "A BiLSTM of 64 states a direction and an encoder of single words under additive attention, trained with "
    "`headscope train` as Jain and Wallace 2019 train theirs (8 epochs, no dropout, chosen on dev data) on "
    "the binary sentences of SST of more than 5 words, without punctuation, GloVe vectors of 50 numbers; all "
    "numbers are of the test sentences. Taus are Kendall's tau-b, mean over sentences, between attention, "
    "gradient x input with attention held, and the total variation of the answer without a word (LOO); "
    "beside them the share of sentences with p at most .05, which grows with their length. "
    "Epsilon-max-JSD: the largest divergence of five attentions that were sought to look elsewhere and "
    "answer alike, total variation at most .05; its median over sentences. Erasure (Serrano and Smith 2019): "
    "weights are taken away and the rest made to sum to 1, in an order, until the decision changes; one that "
    "never does counts as a share of 1. AG News has four classes: a BiLSTM trained on 10,001 descriptions of "
    "news, a tenth of them held out, on 2,000 others. Intervals are of 95 %, over texts. The order of the "
    "taus is not safe: with punctuation and dropout .3, attention~gradient and attention~LOO were .34 .35 .38"
    " and .33 .35 .34 in three seeds, in one of which the second was higher by .0002."
)
FILES = ("alps_dev.tsv.xz", "test.csv", "classes.txt")
AG_NEWS = {name: f"05_text_classification/ag_news/{name}" for name in FILES}
DATA = (*SST.values(), *AG_NEWS.values())
REDUCED: dict[str, Any] = {"seeds": 1, "limit": 300}
PLAIN: dict[str, Any] = {**BILSTM, "epochs": 8, "dropout": 0.0}
"""As published."""
NEWS: dict[str, Any] = {**BILSTM, "epochs": 2}
NEWS_TEXTS = 2000
PUBLISHED = {"accuracy": 0.81, "attention~gradient": 0.35, "attention~LOO": 0.29, "gradient~LOO": 0.66}
"""Table 2 and figure 4 of Jain and Wallace 2019 for a BiLSTM on SST, from the numbers of their code."""
PUBLISHED_SIGNIFICANT = {"attention~gradient": 0.49, "attention~LOO": 0.36, "gradient~LOO": 0.91}
NEAR = 0.1


def run(seeds: int = 3, limit: int | None = None) -> list[Row]:
    """All nets; with a limit, on so many examples, and without judging them."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        files = binary_sst(Path(folder), limit, bare=True)
        nets = [trained(files, seeds, limit, PLAIN, encoder=encoder) for encoder in ("bilstm", "average")]
        found = [numbers(net, files["test"]) for net in nets[0]]
        words = [numbers(net, files["test"], unique=False) for net in nets[1]]
        rows = jain_wallace(found, words)
        rows += serrano_smith("SST", erasures(nets[0][0], files["test"]))
        files = news(Path(folder), limit)
        (net,) = trained(files, 1, limit, NEWS)
        rows += serrano_smith("AG News", erasures(net, files["test"]))
    return rows if limit is None else [told(row["name"], row["value"], row["unit"]) for row in rows]


def trained(
    files: dict[str, str], seeds: int, limit: int | None, options: dict[str, Any], **more: Any
) -> list[Model]:
    """A net for each seed."""
    nets = headscope.train("pooled", **files, seeds=seeds, limit=limit, **options, **more)
    return list(nets.models.values())


def jain_wallace(found: Sequence[Numbers], words: Sequence[Numbers]) -> list[Row]:
    """Rows of a BiLSTM, and of an encoder of single words beside it."""
    means = {pair: mean([each.taus[pair] for each in found]) for pair in PAIRS}
    means["accuracy"] = mean([each.accuracy for each in found])
    judged = ("accuracy", "attention~gradient", "attention~LOO")
    name = f"BiLSTM on SST, {worded(len(found))}"
    rows = [told(f"{name}: test sentences", found[0].texts)]
    for what, published in PUBLISHED.items():
        rows.append(told(f"{name}: {what} (published {published:.2f})", means[what], what_unit(what)))
        if what in judged:
            distance = abs(means[what] - published)
            rows.append(at_most(f"{name}: {what}, distance from the published", distance, "", NEAR))
    for pair, published in PUBLISHED_SIGNIFICANT.items():
        share = mean([each.significant[pair] for each in found])
        rows.append(told(f"{name}: {pair}, share significant (published {published:.2f})", share))
    ordered = sum(each.taus[PAIRS[2]] > each.taus[PAIRS[0]] > each.taus[PAIRS[1]] for each in found)
    far = [each.furthest for each in found]
    single = mean([each.taus[PAIRS[0]] for each in words])
    return [
        *rows,
        at_least(f"{name}: seeds with {PAIRS[2]} > {PAIRS[0]} > {PAIRS[1]}", ordered, "seeds", len(found)),
        at_least(f"{name}: median epsilon-max-JSD, lowest of seeds (published .50)", min(far), "nats", 0.45),
        told(f"{name}: median epsilon-max-JSD over seeds", ", ".join(f"{each:.3f}" for each in far), "nats"),
        told(
            f"{name}: median total variation under 100 permutations", mean([each.permuted for each in found])
        ),
        at_most(
            f"{name}: all adversaries of a seed, slowest", max(each.seconds for each in found), "CPU s", 60
        ),
        told("single words on SST: accuracy", mean([each.accuracy for each in words])),
        told(f"single words on SST: {PAIRS[0]} (published .61)", single, "tau"),
        at_least(f"single words less BiLSTM: {PAIRS[0]}", single - means[PAIRS[0]], "tau", 0.15),
    ]


def serrano_smith(name: str, found: Erased) -> list[Row]:
    """Rows of a net: how long decisions stand in each order, and what single weights do."""
    until = f"{name}: share erased until the decision changes"
    flips = ", ".join(f"{order} {found.flips[order].mean():.3f}" for order in ORDERS)
    rows = [
        told(f"{name}: accuracy", found.accuracy),
        *(told(f"{until}, {order}", mean(found.shares[order])) for order in ORDERS),
        told(f"{name}: share of decisions that change at all", flips),
    ]
    for more, less in (("random", "attention"), ("attention", "gradient")):
        differences = found.shares[more] - found.shares[less]
        low, high = (float(end) for end in bootstrap_interval(differences, np.ones(len(differences)), seed=0))
        spread = f"{differences.mean():.3f} ({low:.3f} to {high:.3f})"
        rows.append(told(f"{name}: share erased, {more} less {less}", spread))
        rows.append(at_least(f"{name}: lower end of {more} less {less}", low, "", 0))
    highest, other = found.single.T
    further = 100 * mean(found.difference > 0)
    return [
        *rows,
        at_least(f"{name}: texts whose highest weight moves the answer more than another", further, "%", 85),
        told(f"{name}: decisions that the highest weight alone changes", 100 * mean(highest & ~other), "%"),
        told(f"{name}: decisions that the other weight alone changes", 100 * mean(other & ~highest), "%"),
    ]


def news(folder: Path, limit: int | None = None) -> dict[str, str]:
    """Descriptions of news with the name of their class, quotes and slashes as they are meant."""
    names = list(read_lines(path(AG_NEWS["classes.txt"])))
    rows = [line.rsplit("\t", 1) for line in read_lines(path(AG_NEWS["alps_dev.tsv.xz"]))]
    with path(AG_NEWS["test.csv"]).open(encoding="utf-8", newline="") as file:
        test = [(description, names[int(number) - 1]) for number, _, description in csv.reader(file)]
    sizes = {"data": limit or len(rows), "test": limit or NEWS_TEXTS}
    files = {}
    for name, texts in (("data", rows), ("test", test)):
        every = max(1, len(texts) // sizes[name])
        lines = [f"{_plain(text)}\t{label}" for text, label in texts[::every][: sizes[name]]]
        files[name] = str(folder / f"news-{name}.tsv")
        Path(files[name]).write_text("\n".join(["sentence\tlabel", *lines, ""]), encoding="utf-8")
    return files


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\\\t]", " ", re.sub(r" ?#39;", "'", text)).split())


def mean(values: Sequence[float] | np.ndarray) -> float:
    return float(np.mean(values))


def what_unit(what: str) -> str:
    return "" if what == "accuracy" else "tau"
