"""Statistics of heads from the attention that inseq gives, in its environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.head_statistics import mean_of, statistics_of
from benchmarks.serving import serve


class Attributions:
    """A model that is loaded once, and statistics of its attributions by attention."""

    def load(self, folder: str) -> None:
        """From a folder on disk."""
        import inseq

        self.model = inseq.load_model(folder, "attention", device="cpu")

    def heads(self, texts: str, together: bool) -> list[list[list[float]]]:
        """Statistics (layer, head, statistic) over texts in a file; together: asked for in one call."""
        every = json.loads(Path(texts).read_text("utf-8"))
        calls = [every] if together else [[text] for text in every]
        return mean_of(
            statistics_of(*_rows(sequence)) for call in calls for sequence in self.attributed(call)
        ).tolist()

    def rows(self, text: str, layer: int, head: int) -> tuple[int, list[list[float]]]:
        """One head's weights (query, key) in a text, and which piece the first query is."""
        maps, _, first = _rows(self.attributed([text])[0])
        return first, maps[layer, head].tolist()

    def attributed(self, texts: list[str]) -> list[Any]:
        """A text is what the model is made to write, behind the first word of it."""
        first = [text.split()[0] for text in texts]
        made = self.model.attribute(first, texts, show_progress=False)
        return list(made.sequence_attributions)


def _rows(sequence: Any) -> tuple[np.ndarray, None, int]:
    """Weights (layer, head, query, key), no special pieces, and which piece the first query is."""
    maps = np.nan_to_num(sequence.target_attributions.float().numpy()).transpose(2, 3, 1, 0)
    return np.ascontiguousarray(maps), None, sequence.attr_pos_start - 1


if __name__ == "__main__":
    attributions = Attributions()
    serve({"load": attributions.load, "heads": attributions.heads, "rows": attributions.rows})
