"""Statistics of heads from the patterns that TransformerLens caches, in its environment."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from benchmarks.head_statistics import mean_of, statistics_of
from benchmarks.serving import serve


class Lens:
    """A model that is loaded once, and statistics of what it caches."""

    def load(self, folder: str) -> None:
        """From a folder on disk."""
        from transformer_lens.model_bridge import TransformerBridge

        self.model = TransformerBridge.boot_transformers(folder, device="cpu")

    def heads(self, pieces: str, batch: int, together: bool) -> list[list[list[float]]]:
        """Statistics (layer, head, statistic) over pieces (segment, piece) in a file.

        together: all patterns are kept before the first is looked at, else those of a batch.
        """
        found = self.patterns(torch.from_numpy(np.load(pieces)), batch)
        maps = list(found) if together else found
        return mean_of(statistics_of(one) for one in maps).tolist()

    def patterns(self, ids: torch.Tensor, batch: int) -> Iterator[np.ndarray]:
        """(layer, head, query, key) of each segment; nothing behind the patterns is computed or kept."""
        for some in torch.split(ids, batch):
            with torch.no_grad():
                _, cache = self.model.run_with_cache(
                    some, return_type=None, names_filter=lambda name: name.endswith("attn.hook_pattern")
                )
            names = [f"blocks.{layer}.attn.hook_pattern" for layer in range(len(cache))]
            yield from torch.stack([cache[name] for name in names], 1).numpy()


if __name__ == "__main__":
    lens = Lens()
    serve({"load": lens.load, "heads": lens.heads})
