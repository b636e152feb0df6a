"""Tables of what heads, regressions and extraction gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import spearmanr

from headscope.analyses.crossfit import of_twins
from headscope.measures.phrases import CUTS
from headscope.measures.precision import Z
from headscope.measures.statistics import score_interval
from headscope.questions.keywords.baselines import baselines_of
from headscope.questions.keywords.choosing import Best
from headscope.questions.keywords.extracting import ALL_KEYS, KEYS_IN_TEXT, Extraction
from headscope.questions.keywords.published import TAGGERS, corpus_named, published_for
from headscope.questions.keywords.reading import PARTS
from headscope.questions.keywords.scores import Scores, enough
from headscope.questions.keywords.vocabulary import BY_BOTH, BY_MEAN, MIX, POSITION, TFIDF
from headscope.questions.keywords.weighing import Judged, Weighing
from headscope.questions.keywords.words import READINGS, SAMRANK, Words
from headscope.results.finding import LEVEL
from headscope.results.reading import share_ends
from headscope.tasks.metrics import F1

HEAD, REGRESSION = "best head", "regression over heads"
SAMRANK_HEAD = "SAMRank, best head"


@dataclass(frozen=True)
class Named:
    """The heads in question by the columns that name them (`analyses.names_of_heads`)."""

    columns: dict[str, list[Any]]

    def label(self, place: int) -> str:
        return "" if place < 0 else str(self.columns["head"][place])


def scores_table(scores: Scores, named: Named, documents: bool) -> pd.DataFrame:
    """One row per head and reading. documents: whether they are enough for intervals."""
    error = scores.precision.error() if documents else np.full(scores.p.shape, np.nan)
    value, p_all = scores.precision.value, scores.p_all
    low, high = share_ends(value, error)
    heads = scores.p.shape[1]
    columns: dict[str, Any] = {
        "head": named.columns["head"] * len(READINGS),
        "reading": np.repeat(READINGS, heads),
        "relative": scores.relative,
        "relative_low": scores.relative_low, "relative_high": scores.relative_high,
        "matched": scores.matched, "matched_low": scores.matched_low, "matched_high": scores.matched_high,
        "p": scores.p, "p_all": p_all, "above": p_all < LEVEL,
        "auprc": value, "low": low, "high": high,
        "chance": np.full(value.shape, scores.chance[0]),
        "cross_entropy": scores.cross_entropy,
        "chance_entropy": np.full(value.shape, scores.chance[1]),
        "summed": scores.summed,
    }  # fmt: skip
    return pd.DataFrame({name: np.ravel(column) for name, column in columns.items()})


def heads_table(table: pd.DataFrame, named: Named, weighing: Weighing) -> pd.DataFrame:
    """One row per head, in the reading whose best head found most keywords on the documents to train on."""
    own = table[table["reading"] == weighing.reading].reset_index(drop=True)
    kept = ["relative", "relative_low", "relative_high", "matched", "matched_low", "matched_high", "above",
            "auprc", "low", "high", "chance", "cross_entropy"]  # fmt: skip
    frame = pd.concat([pd.DataFrame(named.columns), own[["reading", *kept]]], axis=1)
    frame["rank"] = own["auprc"].rank(ascending=False, method="first").astype(int)
    frame["relative_rank"] = own["relative"].rank(ascending=False, method="first").astype(int)
    frame["weight"] = weighing.of(BY_MEAN).method.weights
    frame["mix_weight"] = weighing.of(MIX).method.weights
    return frame


def ranks_table(table: pd.DataFrame) -> pd.DataFrame:
    """How alike measures rank heads, in each reading: Spearman's correlation with the ranks by AUPRC."""
    rows = []
    for reading in READINGS:
        own = table[table["reading"] == reading]
        for measure, sign in (("relative", 1), ("matched", 1), ("cross_entropy", -1), ("summed", -1)):
            known = own[measure].notna().to_numpy()
            if known.sum() > 1:
                alike = float(spearmanr(sign * own[measure][known], own["auprc"][known]).statistic)
                rows.append({"reading": reading, "measure": measure, "alike": alike})
    return pd.DataFrame(rows, columns=["reading", "measure", "alike"])


def best_table(best: Best, twins: Sequence[Best], table: pd.DataFrame, named: Named) -> pd.DataFrame:
    """One row: the head that each half of the documents chose, scored on the other, beside TF-IDF, twins."""
    (reading, head), (other_reading, other_head) = best.chosen
    found = table.set_index(["head", "reading"])
    low, high = share_ends(best.value, best.error)
    gain_low, gain_high = best.gain - Z * best.gain_error, best.gain + Z * best.gain_error
    names = [named.label(head), named.label(other_head)]
    readings = [READINGS[place] if place >= 0 else "" for place in (reading, other_reading)]
    same = table.iloc[int(table["auprc"].argmax())] if table["auprc"].notna().any() else table.iloc[0]
    of_chance = of_twins([np.array([twin.value]) for twin in twins])
    row: dict[str, Any] = {
        "head": names[0], "other_head": names[1], "reading": readings[0], "other_reading": readings[1],
        "auprc": best.value, "low": low, "high": high, "tfidf": best.beside,
        "gain": best.gain, "gain_low": gain_low, "gain_high": gain_high,
        **{name: float(np.ravel(value)[0]) for name, value in of_chance.items()},
        "same_data_head": same["head"], "same_data_reading": same["reading"],
        "same_data_auprc": same["auprc"],
    }  # fmt: skip
    pairs = zip(names, readings, strict=True)
    row["p_all"] = max(float(found["p_all"][pair]) for pair in pairs) if all(names) else np.nan
    row["found"] = bool(row["p_all"] < LEVEL and gain_low > 0 and row["twin_high"] < best.value)
    return pd.DataFrame([row])


def methods_table(judged: Sequence[Judged], documents: bool, seed: int) -> pd.DataFrame:
    """One row per way to score words, on the test documents."""
    rows = []
    for own in judged:
        value, error = own.precision.value[0], own.precision.error()[0] if documents else np.nan
        right, taken, wanted = own.found.sum(0)
        low, high = share_ends(value, error)
        f1_low, f1_high = score_interval(own.found, F1.value, seed) if documents else (np.nan, np.nan)
        rows.append({
            "method": own.method.name, "features": own.method.features,
            "auprc": value, "low": float(low), "high": float(high),
            "f1": float(F1.value(own.found.sum(0))), "f1_low": f1_low, "f1_high": f1_high,
            "precision": right / taken if taken else np.nan, "recall": right / wanted if wanted else np.nan,
            "threshold": own.threshold, "penalty": own.method.strength,
        })  # fmt: skip
    return pd.DataFrame(rows)


def curve_table(
    curve: Sequence[tuple[int, Judged]], named: Named, weighing: Weighing, seed: int
) -> pd.DataFrame:
    """One row per number of heads under the regression, best first; and the last one that was added."""
    documents = enough(weighing.words.document[weighing.test])
    frame = methods_table([own for _, own in curve], documents, seed)
    counts = [count for count, _ in curve]
    added = [named.label(int(weighing.ranked[count - 1])) for count in counts]
    columns = frame[["auprc", "low", "high", "f1", "f1_low", "f1_high"]]
    return pd.concat([pd.DataFrame({"heads": counts, "added": added}), columns], axis=1)


def phrases_table(train: Extraction, test: Extraction, weighing: Weighing, named: Named) -> pd.DataFrame:
    """One row per method and kind of keys: F1 of the first phrases, by both conventions of precision."""
    words = weighing.words
    chance = expit(weighing.of(BY_BOTH).method.scores)
    plain = [reading for reading in READINGS if reading != SAMRANK]
    chosen = {
        name: _chosen_head(train, words, readings)
        for name, readings in ((HEAD, plain), (SAMRANK_HEAD, [SAMRANK]))
    }
    fixed = baselines_of(words)
    single = {REGRESSION: chance, TFIDF: fixed[TFIDF], POSITION: 1 / (1 - fixed[POSITION])}
    counts, rows = test.counts(), []
    for keys in (ALL_KEYS, KEYS_IN_TEXT):
        for name in (*chosen, *single):
            if name in chosen:
                reading, head = chosen[name]
                values = test.f1(lambda rows, r=reading, h=head: words.reading(r, rows)[:, [h]], keys)  # type: ignore[misc]
                label = {"head": named.label(head), "reading": reading}
            else:
                values = test.f1(lambda rows, own=single[name]: own[rows][:, None], keys)  # type: ignore[misc]
                label = {"head": "", "reading": ""}
            rows.append({"method": name, "keys": keys, **label, **_cut(values), **counts})
    return pd.DataFrame(rows)


def _cut(values: np.ndarray) -> dict[str, Any]:
    """Means over documents of F1 (document, convention, 1, cut), and the error of that at 10."""
    size = len(values)
    means = values[:, :, 0].mean(0) if size else np.full((2, len(CUTS)), np.nan)
    error = float(values[:, 0, 0, 1].std(ddof=1) / np.sqrt(size)) if size > 1 else np.nan
    by_taken = {f"f1_{cut}": float(means[0, place]) for place, cut in enumerate(CUTS)}
    by_cut = {f"f1_{cut}_by_k": float(means[1, place]) for place, cut in enumerate(CUTS)}
    return {"documents": size, **by_taken, **by_cut, "f1_10_error": error}


def _chosen_head(train: Extraction, words: Words, readings: Sequence[str]) -> tuple[str, int]:
    """The reading and head with the highest F1 of the first ten on the documents to train on."""
    best = ("", 0, -1.0)
    for reading in readings:
        values = train.f1(lambda rows, r=reading: words.reading(r, rows))  # type: ignore[misc]
        if len(values):
            means = values[:, 0, :, 1].mean(0)
            head = int(means.argmax())
            best = max(best, (reading, head, float(means[head])), key=lambda own: own[2])
    return (best[0] or readings[0], best[1])


def published_table(phrases: pd.DataFrame, corpus: str) -> pd.DataFrame:
    """What was published for a corpus of that name, beside ours; other documents, keys and models."""
    rows = [
        {"method": row.method, "documents": row.documents,
         **{f"f1_{cut}": score / 100 for cut, score in zip(CUTS, row.scores, strict=True)}}
        for row in published_for(corpus)
    ]  # fmt: skip
    own = phrases[phrases["keys"] == ALL_KEYS] if rows else phrases.iloc[:0]
    ours = [
        {"method": f"ours: {row['method']}", "documents": row["documents"],
         **{f"f1_{cut}": row[f"f1_{cut}"] for cut in CUTS}}
        for row in own.to_dict("records")
    ]  # fmt: skip
    return pd.DataFrame([*ours, *rows], columns=["method", "documents", *(f"f1_{cut}" for cut in CUTS)])


def tagger_table(scored: pd.DataFrame, corpus: str) -> pd.DataFrame:
    """The tagger's scores, with what was published for a corpus of that name, which is of keyphrases."""
    beside = TAGGERS.get(corpus_named(corpus), {}).get("BERT", np.nan)
    return scored.assign(published=np.where(scored["of"] == "keyphrases", beside, np.nan))


def texts_table(words: Words) -> pd.DataFrame:
    """One row per part of the documents: how many, their scored words, and the share that is of keywords."""
    rows = []
    for number, name in enumerate(PARTS):
        rows_of = words.within(number)
        count = int((words.part == number).sum())
        share = float(words.key[rows_of].mean()) if rows_of.any() else np.nan
        rows.append({"part": name, "documents": count, "words": int(rows_of.sum()), "share": share})
    return pd.DataFrame(rows)
