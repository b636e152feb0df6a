"""Views by BertViz, in its environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from benchmarks.serving import serve


class Views:
    """Maps that are loaded once, and views of them."""

    def load(self, path: str) -> None:
        """From a file with `maps` (layer, head, query, key) and `tokens`; and all that views need."""
        import bertviz

        self.tool: Any = bertviz
        with np.load(path) as file:
            self.maps = [torch.from_numpy(layer)[None] for layer in file["maps"]]
            self.tokens = file["tokens"].tolist()

    def view(self, name: str) -> int:
        """The bytes of the HTML that a view makes."""
        made = getattr(self.tool, name)(self.maps, self.tokens, html_action="return")
        return len(made.data.encode())


if __name__ == "__main__":
    views = Views()
    serve({"load": views.load, "view": views.view})
