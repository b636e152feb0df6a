"""What the tables of keywords say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, POINTS, SHARE, Card, Column, Declaration
from headscope.results.known import says_known
from headscope.results.vocabulary import VERDICTS

LOW, HIGH = Column("lower end of its 95 % interval"), Column("upper end of its 95 % interval")
SHARE_LOW, SHARE_HIGH = Column(LOW.says, SHARE), Column(HIGH.says, SHARE)
READING = Column("how attention is read: sum, mean, max or samrank", kind="note")
AUPRC = Column("average precision", low="low", high="high", baseline="chance", better="higher")
BOUNDS = {"low": LOW, "high": HIGH}
F1 = Column("F1 of words", SHARE, low="f1_low", high="f1_high", better="higher")
F1_BOUNDS = {"f1_low": SHARE_LOW, "f1_high": SHARE_HIGH}
PHRASES = {
    f"f1_{cut}": Column(f"F1 of the first {cut} phrases", SHARE, better="higher") for cut in (5, 10, 15)
}
RELATIVE = {
    "relative": Column(
        "what a keyword receives on average, less what another word does",
        low="relative_low", high="relative_high", better="higher", signed=True,
    ),
    "relative_low": LOW,
    "relative_high": HIGH,
    "matched": Column(
        "times as much as other words of the document that are as frequent",
        low="matched_low", high="matched_high", better="higher",
    ),
    "matched_low": LOW,
    "matched_high": HIGH,
}  # fmt: skip
FOUND = {
    "auprc": AUPRC,
    **BOUNDS,
    "chance": Column("average precision of chance: the share of words that are of keywords"),
    "cross_entropy": Column(
        "cross entropy per word after calibration, fitted to the other half of the documents", "nats",
        better="lower",
    ),
}  # fmt: skip
ABOVE = Column("more than words of equal frequency: p_all below 0.05")

TABLES: dict[str, Declaration] = {
    "keyword_best": Declaration(
        "The head that finds keywords best, chosen on one half of the documents and scored on the other",
        (),
        {
            "head": Column("best head, scored on the first half of the documents"),
            "other_head": Column("best head, scored on the second half"),
            "reading": Column("reading of the first head"),
            "other_reading": Column("reading of the second"),
            "auprc": Column(
                "average precision, where it was not chosen",
                low="low",
                high="high",
                baseline="tfidf",
                better="higher",
            ),
            **BOUNDS,
            "tfidf": Column("average precision of TF-IDF over the same words"),
            "gain": Column("difference", low="gain_low", high="gain_high", better="higher", signed=True),
            "gain_low": LOW,
            "gain_high": HIGH,
            "twin": Column("average precision of the best heads of random twins, mean"),
            "twin_high": Column("the same, highest"),
            "same_data_head": Column("best head on all documents"),
            "same_data_reading": Column("its reading"),
            "same_data_auprc": Column("average precision, chosen and scored on the same words"),
            "p_all": Column("p that keywords receive no more than words of equal frequency, for all heads"),
            "found": Column("above TF-IDF, above words of equal frequency, and no random twin as good"),
        },
        card=Card(("head", "other_head"), "key words", "average precision {auprc}, TF-IDF {tfidf}", "found"),
    ),
    "keyword_heads": Declaration(
        "How well each head finds keywords",
        ("head",),
        {
            **HEAD,
            "reading": READING,
            **RELATIVE,
            "above": ABOVE,
            **FOUND,
            "rank": Column("place among heads by average precision", kind="note"),
            "relative_rank": Column("place among heads by relative attention", kind="note"),
            "weight": Column("weight under the regression over means, features of spread 1", signed=True),
            "mix_weight": Column("weight in the mix of heads"),
        },
        group="keywords found",
    ),
    "keyword_scores": Declaration(
        "Every head in every reading",
        ("head", "reading"),
        {
            "head": HEAD["head"],
            "reading": READING,
            **RELATIVE,
            "p": Column("p: does a keyword receive more than words of equal frequency?", kind="note"),
            "p_all": Column("p, for all heads and readings", kind="note"),
            "above": ABOVE,
            **FOUND,
            "chance_entropy": Column("cross entropy of chance", "nats", kind="note"),
            "summed": Column("cross entropy of attention itself, summed over all words", "nats", kind="note"),
        },
        group="keywords by reading",
    ),
    "keyword_ranks": Declaration(
        "How alike other measures rank heads as average precision does",
        ("reading", "measure"),
        {
            "reading": READING,
            "measure": Column("measure"),
            "alike": Column("Spearman's correlation of the ranks", signed=True),
        },
    ),
    "keyword_methods": Declaration(
        "Ways to find key words, on documents that nothing was learned or chosen from",
        ("method",),
        {
            "method": Column("method"),
            "features": Column("numbers that it reads of a word"),
            "auprc": Column("average precision", low="low", high="high", better="higher"),
            **BOUNDS,
            "f1": F1,
            **F1_BOUNDS,
            "precision": Column("share of the words taken that are of keywords", SHARE),
            "recall": Column("share of the key words that are taken", SHARE),
            "threshold": Column("score from which words are taken, chosen on the dev documents"),
            "penalty": Column("strength of the regression's penalty, chosen there too"),
        },
    ),
    "keyword_curve": Declaration(
        "The regression over more and more heads, best first",
        ("heads",),
        {
            "heads": Column("heads, mean and max of each"),
            "added": Column("the last of them"),
            "auprc": Column("average precision", low="low", high="high", better="higher"),
            **BOUNDS,
            "f1": F1,
            **F1_BOUNDS,
        },
    ),
    "keyword_phrases": Declaration(
        "Keyphrases extracted: F1 of the first phrases, mean over documents",
        ("method", "keys"),
        {
            "method": Column("what ranks the phrases"),
            "keys": Column("which keys are wanted: all, or those in the text"),
            "head": Column("head, chosen on the documents to train on"),
            "reading": Column("its reading"),
            "documents": Column("documents that have such keys"),
            **PHRASES,
            **{
                f"{name}_by_k": Column(f"{column.says}, precision divided by k however few there are", SHARE)
                for name, column in PHRASES.items()
            },
            "f1_10_error": Column("standard error of F1 at 10 over documents", SHARE),
            "candidates": Column("candidates of a document, mean"),
            "keys_each": Column("different keys of a document, mean"),
            "reachable": Column("share of the keys that are among the candidates", SHARE),
        },
    ),
    "keyword_published": Declaration(
        "Beside what was published; other documents and keys, but for SemEval 2017, and other models",
        ("method",),
        {"method": Column("method"), "documents": Column("documents"), **PHRASES},
    ),
    "keyword_texts": Declaration(
        "The documents and their scored words",
        ("part",),
        {
            "part": Column("part of the documents"),
            "documents": Column("documents"),
            "words": Column("words that are scored"),
            "share": Column("share of them that is of keywords", SHARE),
        },
    ),
    "known_keywords": says_known("what it knows", "average precision, where it was not chosen"),
    "keyword_tagger": Declaration(
        "The model fine-tuned as a tagger of keywords, on test documents",
        ("of",),
        {
            "of": Column("whether words are counted, or whole keyphrases"),
            "documents": Column("documents"),
            "f1": Column("F1", SHARE, low="low", high="high", better="higher"),
            "low": SHARE_LOW,
            "high": SHARE_HIGH,
            "published": Column("BERT in Sahrawat et al. 2020, on their own split", SHARE),
        },
    ),
    "keyword_removed": Declaration(
        "The tagger without one head",
        ("head",),
        {
            **HEAD,
            "score": Column("F1 of words without it", SHARE, kind="note"),
            "effect": Column("change of F1 of words", POINTS, low="low", high="high", better="higher"),
            "low": Column("lower end of its simultaneous 95 % interval", POINTS),
            "high": Column("upper end of its simultaneous 95 % interval", POINTS),
            "p_adjusted": Column("p, for all heads", kind="note"),
            "verdict": Column("what removing it is for the task", levels=VERDICTS),
            "chunk_effect": Column("change of F1 of keyphrases", POINTS, better="higher"),
            "skill": Column("average precision before fine-tuning, best reading", kind="note"),
        },
        group="tagger without the head",
    ),
    "keyword_removal": Declaration(
        "The tagger with more and more heads removed, worst first",
        ("order", "run", "removed"),
        {
            "order": Column("order of removal"),
            "run": Column("which of the random orders", kind="note"),
            "removed": Column("heads that are gone", kind="note"),
            "share": Column("share of the heads that are gone", SHARE),
            "score": Column("F1 of words", SHARE, better="higher"),
            "change": Column("change from the whole model", POINTS, better="higher"),
            "loss": Column("mean loss", "nats", better="lower"),
            "chunk_score": Column("F1 of keyphrases", SHARE, better="higher"),
        },
    ),
    "keyword_areas": Declaration(
        "Mean F1 of words while heads go, by order",
        ("order",),
        {
            "order": Column("order of removal"),
            "area": Column("mean F1 over the share removed", SHARE, low="low", high="high", better="higher"),
            "low": Column("central 95 % of random orders, lower end", SHARE),
            "high": Column("central 95 % of random orders, upper end", SHARE),
            "random": Column("mean of random orders", SHARE),
            "beats": Column("share of random orders below it", SHARE),
            "p": Column("p: the share of random orders, itself among them, that reach it"),
        },
    ),
    "keyword_speed": Declaration(
        "How fast the tagger is without half of its heads",
        ("order",),
        {
            "order": Column("order of removal"),
            "removed": Column("heads taken out"),
            "share": Column("share of the heads that is", SHARE),
            "ratio": Column("times as fast", low="ratio_low", high="ratio_high", better="higher"),
            "ratio_low": Column("10 % of turns are below"),
            "ratio_high": Column("10 % of turns are above"),
        },
    ),
}
