"""Pictures of docs/images that come from runs: those of memory, and documents that are made and explained.

`python -m docs.pictures` draws them from the runs that `python -m benchmarks.evidence --part remembering`
keeps in build/, and trains a small net on documents of its own; what has no run is left as it is.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import headscope
from headscope.drawing.files import save
from headscope.questions.pictures import draw
from headscope.results.result import Result

ROOT = Path(__file__).parents[1]
IMAGES, BUILT = ROOT / "docs" / "images", ROOT / "build"
OF_RUNS = {
    "memory-retention": ("remembering/all", "memory", "retention"),
    "memory-slow-points": ("remembering/all", "memory", "slow_points"),
    "memory-drifting-states": ("remembering/all", "memory", "drifting_states"),
    "memory-default": ("remembering/model-default", "memory", "read_words"),
    "memory-smollm2": ("remembering/model-SmolLM2-135M", "memory", "read_words"),
}
"""The run below build/ of each picture, its verb, and what the picture is called there."""

FILLER = ["the", "keeper", "of", "a", "lighthouse", "wrote", "it", "down", "and", "went", "to", "sleep"]
DECIDING = ("ship", "book")


def documents(path: Path, count: int = 120) -> Path:
    """Documents of one to four sentences, one of which names what decides."""
    drawn, lines = random.Random(0), []
    for _ in range(count):
        label = drawn.choice(DECIDING)
        sentences = [drawn.choices(FILLER, k=5) for _ in range(drawn.randrange(1, 5))]
        drawn.choice(sentences)[drawn.randrange(5)] = label
        text = ". ".join(" ".join(words) for words in sentences)
        lines.append(json.dumps({"text": f"{text}.", "label": label}))
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def explained() -> Result:
    """Two documents, explained by the attention of a net of 8 states that was trained on others."""
    small = {"vectors": "random", "width": 8, "hidden": 8, "least": 1, "batch_size": 8, "rate": 0.02}
    with TemporaryDirectory(prefix="headscope-") as folder:
        made = documents(Path(folder) / "documents.jsonl")
        model = headscope.train("han", made, epochs=10, **small).models[0]
    texts = [
        "The keeper went down to sleep. It wrote a ship to the lighthouse. And it went to sleep.",
        "The keeper wrote it down. A book went to the keeper and it went to sleep.",
    ]
    result: Result = headscope.explain(model, texts, by=("attention",), words=True, by_sentence=True)
    return result


def main() -> int:
    """Draw all that there is to draw from."""
    save(draw("documents", explained()), IMAGES, "explain-documents", ("png",))
    for name, (run, verb, picture) in OF_RUNS.items():
        if not (BUILT / run).exists():
            print(f"{name}: {BUILT / run} is not there", file=sys.stderr)
            continue
        save(draw(picture, headscope.open(BUILT / run).result(verb)), IMAGES, name, ("png",))
    return 0


if __name__ == "__main__":
    sys.exit(main())
