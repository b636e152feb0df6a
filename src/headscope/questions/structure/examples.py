"""Maps beside the distribution they are held against, as in figures 1 and 4 of Varano's paper."""

from __future__ import annotations

from itertools import islice

import numpy as np
import xarray as xr

from headscope.analyses.closeness import TREES, Closeness, trees_of
from headscope.attention import Recorder
from headscope.engine.work import Plan, run_segment
from headscope.heads import Head
from headscope.measures.targets import PARENT
from headscope.measures.words import word_maps
from headscope.questions.structure.scores import mean_kl
from headscope.results.linked import LinkedMap, links_of
from headscope.text import Corpus, Segment, has_piece

SENTENCES, SHORTEST, LONGEST = 2, 6, 10
"""How many sentences are shown, and how many words they have."""

SHOWN = (TREES[0], TREES[1])
"""The trees for each of which the closest head is shown."""


def examples(plan: Plan, corpus: Corpus, dataset: xr.Dataset) -> xr.Dataset:
    """Parents and maps of the closest heads for a few sentences.

    `target` and `weights` are (example, tree, query, key): what each word should look at, and where the head
    that is closest to this tree over the whole treebank looks, as parts of what goes to words. Shorter
    sentences are filled with NaN.
    """
    fit = (segment for segment in plan.segments(corpus) if SHORTEST <= len(segment.words) <= LONGEST)
    segments = list(islice((segment for segment in fit if has_piece(segment).all()), SENTENCES))
    chosen = plan.setting.chosen()
    closest = [_closest(dataset, tree) for tree in SHOWN]
    size = max((len(segment.words) for segment in segments), default=0)
    target, weights = np.full((2, len(segments), len(SHOWN), size, size), np.nan)
    words = np.full((len(segments), size), "", object)
    for place, segment in enumerate(segments):
        count = len(segment.words)
        words[place, :count] = segment.words
        target[place, :, :count, :count] = _targets(plan, segment)
        for number, head in enumerate(closest):
            weights[place, number, :count, :count] = _map(plan, segment, chosen[head])
    names = np.array([str(dataset["head"].values[head]) for head in closest], object)
    kl = [float(_kl(dataset, tree)[head]) for tree, head in zip(SHOWN, closest, strict=True)]
    dims = ("example", "tree", "query", "key")
    return xr.Dataset(
        {"target": (dims, target), "weights": (dims, weights), "word": (("example", "query"), words)},
        coords={"tree": list(SHOWN), "closest": ("tree", names), "kl": ("tree", kl)},
    )


def linked(shown: xr.Dataset) -> list[LinkedMap]:
    """Of what `examples` gives, the maps of the head that is closest to the true trees, with their arcs."""
    true = shown.isel(tree=0)
    by = f"{true['closest'].values}, the closest head to the true trees, as parts of what goes to words"
    maps = []
    for example in range(true.sizes["example"]):
        words = [str(word) for word in true["word"].values[example] if word]
        target, weights = (
            true[name].values[example, : len(words), : len(words)] for name in ("target", "weights")
        )
        arcs = links_of(target == 1)
        maps.append(LinkedMap(by, words, words, True, weights, ["a word and its parent"], arcs))
    return maps


def _kl(dataset: xr.Dataset, tree: str) -> np.ndarray:
    kl: np.ndarray = mean_kl(dataset.sel(tree=[tree], target=[PARENT]))[:, 0, 0]
    return kl


def _closest(dataset: xr.Dataset, tree: str) -> int:
    return int(np.nan_to_num(_kl(dataset, tree), nan=np.inf).argmin())


def _targets(plan: Plan, segment: Segment) -> np.ndarray:
    """Where each word's parent stands, (tree, query, key)."""
    (analysis,) = plan.analyses
    assert isinstance(analysis, Closeness)
    heads, _ = trees_of([segment], analysis.census)
    shown = heads[0, [TREES.index(tree) for tree in SHOWN]]
    targets: np.ndarray = (shown[..., None] == np.arange(len(segment.words))).astype(float)
    return targets


def _map(plan: Plan, segment: Segment, head: Head) -> np.ndarray:
    recorder = Recorder(layers=[head.layer])
    run_segment(plan, segment, recorder)
    weights = next(maps[0] for site, maps in recorder.maps.items() if site.stack == head.stack)
    size = len(segment.words)
    table = word_maps(weights[:, [head.index]], segment.word[None], size)[0, 0, :, :size]
    shares: np.ndarray = table / np.maximum(table.sum(1, keepdims=True), np.finfo(np.float32).tiny)
    return shares
