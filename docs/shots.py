"""Every picture of docs/images: from which run it is drawn, and how that run is made.

`RUNS` are made by `python -m docs.pictures` in build/gallery, where docs/desk.py lays out what they read.
Those of `KEPT` take long: they are left below build/ by the commands of `KEEPERS`.
"""

from __future__ import annotations

from typing import NamedTuple

BEHIND = "behind the first token"
"""A picture that docs/grids.py draws, as no verb does."""


class Shot(NamedTuple):
    """A picture of a verb's result in a run."""

    run: str
    verb: str
    picture: str


RUNS: dict[str, tuple[str, ...]] = {
    "demo": ("demo --out demo",),
    "tuned": ("survey demo/model passages.txt --out tuned",),
    "compared": ("compare demo tuned --out compared",),
    "decoder": ("survey SmolLM2-135M.gguf passages.txt --limit 12 --out decoder",),
    "trees": ("syntax default ewt-dev.conllu --out trees",),
    "mentions": ("coref default gum-dev.conllu.xz --twins 1 --out mentions",),
    "probed": ("probe default ewt-dev.conllu --quick --limit 100 --out probed",),
    "layered": (
        "layers default ewt-dev.conllu --task pos,deps --limit 40 --seeds 1 --no-code --no-control --twins 0"
        " --steps 150 --out layered",
    ),
    "vectors": (
        "sentences default ewt-dev.conllu --quick --limit 120 --least 200 --task BShift,Tense,SentLen"
        " --out vectors",
    ),
    "near": ("structure default treebank.conllu --out near",),
    "closest": ("structure default ewt-dev.conllu --out closest",),
    "aligned": ("align planted pairs.txt --gold pairs.gold --out aligned",),
    "keyed": ("keywords default inspec.zip --limit 60 --no-hidden --out keyed",),
    "pruned": (
        "prune demo/model opinions-test.tsv --train opinions.tsv --train-limit 60 --limit 60 --steps 4"
        " --random 4 --gate-steps 0 --no-speed --out pruned",
    ),
    "retrieved": (
        "retrieve SmolLM2-135M.gguf passages.txt --lengths 128 --depths 3 --remove 4 --draws 1"
        " --out retrieved",
    ),
    "remembered": ("memory gru --seeds 1 --curriculum delay --slower 0 --out remembered",),
    "explained": (
        "explain demo/models/seed-0 'After an hour the splendid concert by the lake seemed short to me.'"
        " --by attention,gradient-input,occlusion --words --out explained",
    ),
    "documents": (
        "train han documents.jsonl --epochs 10 --vectors random --width 8 --hidden 8 --least 1 --batch-size 8"
        " --rate 0.02 --out han",
        "explain han/models/seed-0 documents.txt --by attention --words --by-sentence --out documents",
    ),
    "rival": (
        "adversary demo/models/seed-0 opinions-test.tsv --train opinions.tsv --penalties 0,0.01,0.1 --seeds 1"
        " --epochs 12 --rate 0.02 --given 0.1 --instances 30 --out rival",
    ),
}
"""The commands behind a run, without the word headscope; the last one writes the folder of that name."""

SHOTS = {
    "demo-roles": Shot("demo", "survey", "roles"),
    "demo-headmap": Shot("demo", "survey", "headmap"),
    "demo-examples": Shot("demo", "survey", "examples"),
    "syntax-relations": Shot("demo", "syntax", "relations"),
    "syntax-relation-examples": Shot("demo", "syntax", "relation_examples"),
    "finetune-training": Shot("demo", "finetune", "training"),
    "ablate-opinions": Shot("demo", "ablate", "ablation"),
    "train-learning": Shot("demo", "train", "learning"),
    "trust-card": Shot("demo", "trust", "trust_card"),
    "decoder-roles": Shot("decoder", "survey", BEHIND),
    "compare-tuned": Shot("compared", "compare", "comparison"),
    "syntax-trees": Shot("trees", "syntax", "relations"),
    "coref-heads": Shot("mentions", "coref", "coref"),
    "probe-scores": Shot("probed", "probe", "probes"),
    "layers-tasks": Shot("layered", "layers", "layer_tasks"),
    "sentences-layers": Shot("vectors", "sentences", "sentence_layers"),
    "structure-near": Shot("near", "structure", "structure_lowest"),
    "structure-lowest": Shot("closest", "structure", "structure_lowest"),
    "structure-maps": Shot("near", "structure", "structure_maps"),
    "align-alignments": Shot("aligned", "align", "alignments"),
    "align-error-rates": Shot("aligned", "align", "error_rates"),
    "keywords-curve": Shot("keyed", "keywords", "keyword_curve"),
    "prune-opinions": Shot("pruned", "prune", "pruning"),
    "retrieve-heads": Shot("retrieved", "retrieve", "retrieval_heads"),
    "memory-gru": Shot("remembered", "memory", "retention"),
    "explain-words": Shot("explained", "explain", "explanations"),
    "explain-documents": Shot("documents", "explain", "documents"),
    "adversary-opinions": Shot("rival", "adversary", "adversary_curve"),
}
"""Pictures of `RUNS`."""

SAVED = {
    "show-lines": "show default 'The keeper who lost a key climbed in.' --head L2H0 --head L2H8",
}
"""Pictures that a command saves itself."""

KEPT = {
    "adversary-chunker": Shot("adversary/chunker/chunker", "adversary", "adversary_curve"),
    "adversary-frozen": Shot("adversary/chunker/chunker", "adversary", "frozen_maps"),
    "adversary-sst": Shot("adversary/sst/sst", "adversary", "adversary_curve"),
    "chunks-ablation": Shot("tasks/chunks/ablate", "ablate", "ablation"),
    "sst2-ablation": Shot("tasks/sst/ablate", "ablate", "ablation"),
    "sst2-pruning": Shot("tasks/sst/prune", "prune", "pruning"),
    "sst2-pruning-speed": Shot("tasks/sst/prune", "prune", "pruning_speed"),
    "keywords-heads": Shot("keywords/inspec", "keywords", "keyword_heads"),
    "keywords-removal": Shot("keywords/tagger", "keywords", "keyword_removal"),
    "memory-retention": Shot("remembering/all", "memory", "retention"),
    "memory-slow-points": Shot("remembering/all", "memory", "slow_points"),
    "memory-drifting-states": Shot("remembering/all", "memory", "drifting_states"),
    "memory-default": Shot("remembering/model-default", "memory", "read_words"),
    "memory-smollm2": Shot("remembering/model-SmolLM2-135M", "memory", "read_words"),
    "structure-learning": Shot("learned_trees/course", "structure", "structure_curves"),
    "structure-strip": Shot("learned_trees/course", "structure", "structure_strip"),
    "translator-ablation": Shot("translation/translator/ablate", "ablate", "ablation"),
    "translator-agreement": Shot("translation/translator/ablate", "ablate", "ablation_agreement"),
}
"""Pictures of runs below build/, by the folder that keeps them."""

KEEPERS = {
    "adversary": "python -m benchmarks.evidence --part adversary, then --part adversary_sst",
    "tasks": "python -m benchmarks.evidence --part tasks",
    "keywords": "python -m benchmarks.evidence --part keywords",
    "remembering": "python -m benchmarks.evidence --part remembering",
    "learned_trees": "python -m benchmarks.evidence --part learned_trees",
    "translation": "python -m benchmarks.evidence --part translator",
}
"""What makes the runs of `KEPT`, by the first word of their folder."""

SCREENS = ("page-report", "page-live")
"""Pictures of the page in a browser (docs/screens.py)."""

MAPS = ("maps-heads", "The keeper lost her key, so she climbed in.")
"""The picture of all maps of a sentence, which docs/pictures.py draws itself."""

GALLERY = {
    "survey": "demo-roles",
    "syntax": "syntax-trees",
    "coref": "coref-heads",
    "probe": "probe-scores",
    "layers": "layers-tasks",
    "structure": "structure-near",
    "align": "align-alignments",
    "sentences": "sentences-layers",
    "keywords": "keywords-curve",
    "finetune": "finetune-training",
    "train": "train-learning",
    "ablate": "ablate-opinions",
    "prune": "prune-opinions",
    "compare": "compare-tuned",
    "maps": "maps-heads",
    "show": "show-lines",
    "retrieve": "retrieve-heads",
    "memory": "memory-gru",
    "explain": "explain-words",
    "trust": "trust-card",
    "adversary": "adversary-opinions",
}
"""The picture of each verb in docs/gallery.md."""


def needed(run: str) -> list[str]:
    """The runs that a run's commands read, before it, each once.

    >>> needed("compared")
    ['demo', 'tuned', 'compared']
    """
    words = {word.partition("/")[0] for command in RUNS[run] for word in command.split()}
    before = [name for other in RUNS if other != run and other in words for name in needed(other)]
    return list(dict.fromkeys([*before, run]))


def names() -> set[str]:
    """All pictures that can be drawn."""
    return {*SHOTS, *SAVED, *KEPT, *SCREENS, MAPS[0]}
